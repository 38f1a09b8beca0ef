from __future__ import annotations

import threading

from pageloom.edges.atomic_write import atomic_write


def test_a_file_keeps_what_others_may_do_with_it(tmp_path):
    path = tmp_path / "backup.json"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with atomic_write(path) as file:
        file.write(b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)


def test_the_longest_name_can_be_written(tmp_path):
    path = tmp_path / ("n" * 251 + ".md")
    with atomic_write(path) as file:
        file.write(b"whole")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_two_may_write_one_file_at_once(tmp_path):
    path = tmp_path / "both"
    both = threading.Barrier(2)

    def write(word: bytes) -> None:
        with atomic_write(path) as file:
            both.wait(10)
            file.write(word)

    threads = [threading.Thread(target=write, args=(word,)) for word in (b"one", b"two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in (b"one", b"two")
    assert [each.name for each in tmp_path.iterdir()] == ["both"]
