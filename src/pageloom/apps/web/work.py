"""The work that a server does beside answering: in a process of its own.

In the server's process, pages that are read by the dozen would take the interpreter from those who
wait for an answer. The two are joined by a pipe: a byte in it means that a job was queued, its end
that the server has ended.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pageloom.flows.events import emit

if TYPE_CHECKING:
    from pageloom.library import Library

STOP_SECONDS = 20.0
"""How long a server waits for the work to end."""
_LOWER = 5
"""By how much the priority of work is below that of answers."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
"""Before it is started again: the longer, the more often it died at once."""


class Worker:
    """Keeps a process that runs jobs, polls feeds, checks watches and sends notices."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._ending = threading.Event()
        self._guard = threading.Lock()
        self._start()
        threading.Thread(target=self._look_after, name="pageloom-work", daemon=True).start()

    def wake(self) -> None:
        """Have queued jobs begun at once; from any thread."""
        with self._guard, suppress(OSError):  # it looks by itself soon, also after a new start
            if not self._ending.is_set():
                os.write(self._pipe, b"w")

    def end(self) -> None:
        """Finish what is under way, or leave it to others; it is waited for."""
        with self._guard:
            self._ending.set()
            os.close(self._pipe)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:  # others go on with it
            self._process.kill()
            self._process.wait()

    def _start(self) -> None:
        theirs, self._pipe = os.pipe()
        os.set_blocking(self._pipe, False)
        asked = ["serve", "--only-work", "--user", self._owner, "--pipe", str(theirs)]
        try:
            self._process = subprocess.Popen(  # noqa: S603  our own program
                [sys.executable, "-P", "-m", "pageloom", *asked],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs],
            )
        finally:
            os.close(theirs)

    def _look_after(self) -> None:
        """Start it again when it dies; what it had leased is free after a while."""
        pause = _SHORTEST_PAUSE
        while True:
            began = time.monotonic()
            status = self._process.wait()
            if self._ending.is_set():
                return
            emit("work.failed", level="error", error=f"The process ended with {status}.")
            if time.monotonic() - began > _LONGEST_PAUSE:
                pause = _SHORTEST_PAUSE
            if self._ending.wait(pause):
                return
            pause = min(2 * pause, _LONGEST_PAUSE)
            with self._guard:
                if self._ending.is_set():
                    return
                os.close(self._pipe)
                self._start()


def only_work(library: Library, pipe: int | None = None) -> None:
    """Do the work of a server for all users until asked to end.

    Args:
        library: of any user.
        pipe: of the server that this is done for; its end is also ours.
    """
    if pipe is not None:
        os.nice(_LOWER)
    asyncio.run(_work(library, pipe))


async def _work(library: Library, pipe: int | None) -> None:
    stop, wake = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def end() -> None:
        stop.set()
        wake.set()

    def read(pipe: int) -> None:
        if not os.read(pipe, 4096):
            loop.remove_reader(pipe)
            end()
        wake.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, end if pipe is None else _leave_it_to_the_server)
    if pipe is not None:
        loop.add_signal_handler(signal.SIGHUP, _leave_it_to_the_server)
        loop.add_reader(pipe, read, pipe)
    await library.run_work(stop, wake=wake)


def _leave_it_to_the_server() -> None:
    """A terminal or a service manager tells both; the server closes the pipe when it ends."""
