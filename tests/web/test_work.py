"""The process that works beside a server: it outlives nothing, and nothing is lost with it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.integration.cli import environment, pageloom
from tests.web.server import Server, running
from tests.web.test_endurance import slow_pages, wait_until

from pageloom.library import Library, open_library


def workers_of(server: int) -> list[int]:
    asked = ["pgrep", "-P", str(server)]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


def is_there(process: int) -> bool:
    asked = ["ps", "-o", "stat=", "-p", str(process)]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return bool(found.stdout.strip()) and not found.stdout.startswith("Z")


def until(is_so: Callable[[], object], what: str) -> None:
    for _ in range(400):
        if is_so():
            return
        time.sleep(0.05)
    pytest.fail(f"never: {what}")


def check_once_each(library: Library, job_id: str, urls: list[str]) -> None:
    until(lambda: library.get_job(job_id).state == "done", "the job is done")
    info = library.get_job(job_id)
    assert (info.done, info.failed) == (len(urls), 0)
    assert [library.get(url).version for url in urls] == [1] * len(urls)
    assert all([note.text for note in library.notes(url)] == ["Once."] for url in urls)


@contextmanager
def only_working(database: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "serve", "--only-work"],
        env=environment(PAGELOOM_DATABASE_URL=database, PAGELOOM_FETCH_ALLOWED_HOSTS="127.0.0.1"),
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(20)


def test_work_that_was_killed_is_started_again_and_goes_on(site, tmp_path):
    database, gate = str(tmp_path / "a.db"), threading.Event()
    urls = slow_pages(site, 5, gate)
    with open_library(database) as library, running(database) as server:
        job = library.save_later(urls, note="Once.")
        wait_until(library, job.id, 2)
        [killed] = workers_of(server.process.pid)
        os.kill(killed, signal.SIGKILL)
        with library.context.store.write() as tx:  # as if the lease had run out
            tx.run("UPDATE jobs SET lease_until = '2020-01-01T00:00:00.000Z'")
        gate.set()
        check_once_each(library, job.id, urls)
        assert workers_of(server.process.pid) != [killed]
        assert any("ended with -9" in line for line in server.said)
        later = library.save_later([site.url("/slow/1?later")])  # it is woken as before
        until(lambda: library.get_job(later.id).state == "done", "a job of later is done")
        assert server.ask("GET", "/healthz").status == 200


def kill(server: Server) -> None:
    os.kill(server.process.pid, signal.SIGKILL)


def ask_both(server: Server) -> None:
    """As service managers do."""
    for process in (*workers_of(server.process.pid), server.process.pid):
        os.kill(process, signal.SIGTERM)


@pytest.mark.parametrize("end", [kill, ask_both])
def test_with_the_server_its_work_ends_and_is_left_to_others(end, site, tmp_path):
    database, gate = str(tmp_path / "a.db"), threading.Event()
    urls = slow_pages(site, 5, gate)
    with open_library(database) as library:
        with running(database) as server:
            job = library.save_later(urls, note="Once.")
            wait_until(library, job.id, 2)
            [worker] = workers_of(server.process.pid)
            end(server)
            server.process.wait(30)
            until(lambda: not is_there(worker), "the work has ended")
            assert not any("work.failed" in line for line in server.said)
        assert library.get_job(job.id).state == "queued"  # at once, not when a lease has run out
        gate.set()
        with only_working(database) as process:
            check_once_each(library, job.id, urls)
            process.terminate()
            assert process.wait(30) == 0


def test_ctrl_c_in_a_terminal_ends_both(tmp_path):
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "serve", "--listen", "127.0.0.1:0"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  a real terminal
        env=environment(PAGELOOM_DATABASE_URL=str(tmp_path / "a.db")),
    )
    os.close(theirs)
    said = b""
    while b"/first/" not in said:
        said += os.read(ours, 4096)
    until(lambda: _ready(process.pid), "the work has begun")
    [worker] = workers_of(process.pid)
    os.write(ours, b"\x03")
    with suppress(OSError):  # Linux: nobody is at the other end
        while more := os.read(ours, 4096):
            said += more
    os.close(ours)
    assert process.wait(30) in (0, 130)
    until(lambda: not is_there(worker), "the work has ended")
    assert b"Traceback" not in said
    assert b"failed" not in said


def _ready(server: int) -> bool:
    """Whether the work has begun to listen to signals: it is the last thing that it sets up."""
    for worker in workers_of(server):
        status = Path(f"/proc/{worker}/status").read_text(encoding="ascii")
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
        return bool(int(caught.split()[1], 16) >> (signal.SIGHUP - 1) & 1)
    return False


def test_whoever_only_works_does_not_listen():
    for flags in (("--no-work",), ("--listen", "127.0.0.1:0")):
        result = pageloom("serve", "--only-work", *flags)
        assert result.code == 2
        assert "--only-work cannot be used with" in result.err
