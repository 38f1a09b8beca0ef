"""What a library holds is its owner's: passwords are not shown, files not open to others."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.integration.cli import environment, pageloom
from tests.saving import save_document

from pageloom import extract, open_library
from pageloom.edges.store.base import open_store
from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STORY = "<h1>Pilots</h1><p>" + "Words of the harbour, told by one who left. " * 12 + "</p>"


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_library_and_its_backups_are_their_owners_alone(tmp_path):
    place, backup = tmp_path / "new" / "library.db", tmp_path / "all.zip"
    with umask(0o022), open_library(place) as library:
        library.add_source("x", site="x.example", proxy="http://joe:hunter2@proxy.example:8080")
        assert {mode(file) for file in place.parent.iterdir()} == {0o600}
        library.backup(backup)
        backup.chmod(0o644)
        library.backup(backup, force=True)
    assert (mode(place.parent), mode(backup)) == (0o700, 0o600)


def test_a_library_of_an_earlier_version_is_closed_to_others(tmp_path):
    place = tmp_path / "library.db"
    open_store(place).close()
    place.chmod(0o664)
    open_store(place).close()
    assert mode(place) == 0o660


def test_passwords_in_urls_are_neither_kept_nor_shown(tmp_path):
    place = tmp_path / "library.db"
    settings = {"PAGELOOM_DATABASE_URL": str(place)}
    refused = pageloom("sources", "add", "x", "--feed", "https://a:hunter2@x.example/f", **settings)
    assert refused.code == 2
    assert "The URL contains a user name or password." in refused.err
    refused = pageloom("sources", "add", "x", "--site", "a:hunter2@x.example", **settings)
    assert refused.code == 2
    assert "hunter2" not in refused.err
    marks = tmp_path / "urls.txt"
    marks.write_text("https://a:hunter2@x.example/page?q=1\n")
    assert pageloom("import", marks, "--no-fetch", **settings).code == 0
    [page] = pageloom("list", "--json", **settings).json["items"]
    assert page["url"] == "https://x.example/page?q=1"
    assert not any(b"hunter2" in file.read_bytes() for file in tmp_path.glob("library.db*"))


def test_a_password_that_was_kept_before_is_not_shown(tmp_path):
    place = tmp_path / "library.db"
    settings = {"PAGELOOM_DATABASE_URL": str(place)}
    pageloom("sources", "add", "x", "--feed", "https://x.example/feed", **settings)
    with open_store(place) as store, store.write() as tx:
        tx.run("UPDATE sources SET feeds = ?", '["https://a:hunter2@x.example/feed"]')
    for flags in ((), ("--json",)):
        shown = pageloom("sources", "show", "x", *flags, **settings)
        assert "x.example/feed" in shown.out
        assert "hunter2" not in shown.out


def damaged(whole: bytes, chance: random.Random) -> bytes:
    """The file with wrong bytes in its names, its text or anywhere."""
    data = bytearray(whole)
    for _ in range(200):
        word = chance.choice((b"Pilots", b"CREATE", b"pages", b"local", b"article", b"harbour"))
        place = data.find(word, chance.randrange(len(data)))
        if place > 0:
            data[place + chance.randrange(len(word))] = chance.choice((0xFF, 0x80, 0x00))
    return bytes(data)


def test_a_damaged_file_is_an_error_of_ours_whatever_is_damaged(tmp_path):
    whole = tmp_path / "whole.db"
    with open_store(whole) as store:
        for number in range(9):
            save_document(store, "local", extract(STORY, f"https://x.example/{number}"))
    refusals: set[str] = set()
    for seed in range(25):
        place = tmp_path / f"{seed}.db"
        place.write_bytes(damaged(whole.read_bytes(), random.Random(seed)))  # noqa: S311  no secret
        try:
            with open_library(place) as library:
                for page in library.list().pages:
                    library.document(page.id)
                library.search("harbour")
        except PageloomError as error:
            refusals.add(error.message)
    assert "The library's file is damaged." in refusals


def test_a_damaged_file_gives_no_traceback(tmp_path):
    place = tmp_path / "library.db"
    open_store(place).close()
    place.write_bytes(place.read_bytes().replace(b"CREATE TABLE users", b"CREATE TABLE us\xffrs"))
    result = pageloom("list", PAGELOOM_DATABASE_URL=str(place))
    assert result.code == 1
    assert result.err.startswith("Error: The library's file is damaged.")
    assert "Traceback" not in result.err


# Where it can be had, the peak of the process itself: getrusage counts that of its parent too.
PEAK = """
import pathlib, resource, runpy, sys
sys.argv = ["pageloom", *sys.argv[1:]]
try:
    runpy.run_module("pageloom", run_name="__main__")
except SystemExit:
    pass
status = pathlib.Path("/proc/self/status")
if status.exists():
    print("peak", status.read_text().partition("VmHWM:")[2].split()[0])
else:
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize("kind", ["markdown", "omnivore"])
def test_large_files_in_an_archive_do_not_take_large_memory(tmp_path, kind: str):
    """Three files of 48 MB each, packed into less than one."""
    archive = tmp_path / "pages.zip"
    text = "Words of the härbour, told again and again.\n\n" * 1_000_000
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(3):
            head = f"---\nsource: https://x.example/{number}\n---\n\n"
            if kind == "markdown":
                file.writestr(f"{number}.md", head + text)
                continue
            entry = f'[{{"slug": "s{number}", "url": "https://x.example/{number}"}}]'
            file.writestr(f"metadata_{number}_to_{number}.json", entry)
            file.writestr(f"content/s{number}.html", f"<p>{text}")
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "import", archive, "--no-fetch"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(PAGELOOM_DATABASE_URL=str(tmp_path / "library.db")),
    )
    assert done.stdout.count("it is larger than a page may be") == 3
    kilobytes = int(done.stdout.split()[-1]) // (1024 if sys.platform == "darwin" else 1)
    assert kilobytes < 250_000
