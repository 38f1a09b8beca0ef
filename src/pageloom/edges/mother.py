"""A process that has loaded its code and does nothing but fork: children start at once.

Each child works for one caller over a socket of its own. Forking is left to a process without
threads, because a fork of any other may stand still for ever. A child's memory is that of the
mother until it writes to it, and is gone when it ends.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, Self

from pageloom.edges.sandbox import child_environment
from pageloom.errors import InternalError

HEADER = struct.Struct("!Q")
STATUS = struct.Struct("!q")
MARK = struct.Struct("=qqqq")
"""What a child notes of where it is: its phase, a file, an offset, a number."""
_START_SECONDS = 60.0
_NO_THREADS = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""Arrow would start one to tidy up its memory."""
_BOOT = "import sys; from pageloom.edges.mother_child import serve; serve(*sys.argv[1:])"
_BOOT_ONE = (
    "import sys; from pageloom.edges.mother_child import serve_one; serve_one(*sys.argv[1:])"
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended, and where it was."""

    signal: int
    """What killed it; 0 if it went by itself."""
    mark: tuple[int, int, int, int]
    by_mother: bool = False
    """It went because its mother did."""

    @property
    def signal_name(self) -> str:
        """The name of the signal."""
        try:
            return signal.Signals(self.signal).name
        except ValueError:
            return f"signal {self.signal}"


def receive(sock: socket.socket) -> bytes | None:
    """The next message; None when the other side is gone."""
    header = _read(sock, HEADER.size)
    return None if header is None else _read(sock, HEADER.unpack(header)[0])


def send(sock: socket.socket, message: bytes) -> None:
    """Send one message."""
    sock.sendall(HEADER.pack(len(message)))
    sock.sendall(message)


def _read(sock: socket.socket, size: int) -> bytes | None:
    found = bytearray(size)
    view, have = memoryview(found), 0
    while have < size:
        try:
            got = sock.recv_into(view[have:])
        except ConnectionResetError:
            return None
        if not got:
            return None
        have += got
    return bytes(found)


class Child:
    """One child at work, as its caller sees it."""

    def __init__(
        self, sock: socket.socket, status: socket.socket | subprocess.Popen[bytes], mark: mmap.mmap
    ) -> None:
        self._sock = sock
        self._status = status
        self._mark = mark

    def send(self, message: bytes) -> None:
        """Send a message; if the child is gone, ``receive`` will say so."""
        with suppress(BrokenPipeError, ConnectionResetError):
            send(self._sock, message)

    def receive(self) -> bytes | None:
        """The child's next message; None when it has ended."""
        return receive(self._sock)

    def end(self) -> Ending:
        """Wait until the child is gone; it goes when its socket is closed, at its next message."""
        self._sock.close()
        status = self._wait()
        mark = MARK.unpack_from(self._mark)
        self._mark.close()
        if status is None:
            return Ending(0, mark, by_mother=True)
        return Ending(-status if status < 0 else 0, mark)

    def _wait(self) -> int | None:
        if isinstance(self._status, subprocess.Popen):
            return self._status.wait()
        with self._status:
            _pid = _read(self._status, STATUS.size)
            answer = _read(self._status, STATUS.size)
        return None if answer is None else STATUS.unpack(answer)[0]


class Mother:
    """Starts children that run one function of a module.

    Args:
        module: where ``prepare(setup)`` and ``run(socket, mark)`` are.
        setup: what ``prepare`` is given, once, in the mother.
        fork: whether children are forked; else each is a new program, which takes a second.
    """

    def __init__(self, module: str, setup: object, *, fork: bool = True) -> None:
        self._module = module
        self._setup = pickle.dumps(setup)
        self._fork = fork
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._is_closed = False

    def child(self) -> Child:
        """Start a child.

        Raises:
            InternalError: the mother does not start.
        """
        with ExitStack() as ours, ExitStack() as theirs:
            file = theirs.enter_context(_memory_file())
            mark = ours.enter_context(mmap.mmap(file.fileno(), MARK.size))
            sock, data = map(ours.enter_context, socket.socketpair())
            theirs.enter_context(data)
            if self._fork:
                status, told = map(ours.enter_context, socket.socketpair())
                theirs.enter_context(told)
                self._ask((data.fileno(), told.fileno(), file.fileno()))
            else:
                status = self._new_program(sock, data, file.fileno())
            ours.pop_all()
        return Child(sock, status, mark)

    def _ask(self, descriptors: tuple[int, ...]) -> None:
        with self._lock:
            for _ in range(0 if self._is_closed else 2):
                if self._control is None:
                    self._start()
                assert self._control is not None  # noqa: S101  it was just set
                try:
                    socket.send_fds(self._control, [b"F"], descriptors)
                except (BrokenPipeError, ConnectionResetError):
                    self._stop()  # it was killed: the next one does it
                    continue
                return
        raise InternalError("The process that starts workers does not answer.", retryable=True)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = _program(_BOOT, (theirs.fileno(),), self._module)
        ours.settimeout(_START_SECONDS)
        try:
            send(ours, self._setup)
            answer = receive(ours)
        except (TimeoutError, BrokenPipeError):
            answer = None
        ours.settimeout(None)
        self._control = ours
        if answer:
            self._stop()
            raise pickle.loads(answer)  # noqa: S301  our own child wrote it
        if answer is None:
            self._stop()
            raise InternalError(
                "The process that starts workers did not start.",
                suggestions=("Run pageloom doctor; reinstall Pageloom if it finds nothing.",),
            )

    def _new_program(
        self, ours: socket.socket, theirs: socket.socket, mark: int
    ) -> subprocess.Popen[bytes]:
        process = _program(_BOOT_ONE, (theirs.fileno(), mark), self._module)
        send(ours, self._setup)
        return process

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._control = self._process = None

    def close(self) -> None:
        """End the mother and all her children, for good."""
        self._is_closed = True
        with self._lock:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _memory_file() -> Any:
    """A file in memory, as large as a mark."""
    if hasattr(os, "memfd_create"):
        file = os.fdopen(os.memfd_create("mark"), "w+b", buffering=0)
    else:
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  the caller closes it
    file.truncate(MARK.size)
    return file


def _program(boot: str, descriptors: tuple[int, ...], module: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-P", "-c", boot, *map(str, descriptors), module],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=descriptors,
        start_new_session=True,  # Ctrl-C is for us alone
        env=child_environment() | _NO_THREADS,
    )
