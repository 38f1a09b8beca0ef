"""Runs extraction in child processes that can be killed, so that the time limit of a page holds.

Children are reused, one page at a time each. One that overruns, crashes or runs out of memory is
replaced; the next page is not affected. A child exits by itself when its parent is gone.
"""

from __future__ import annotations

import atexit
import os
import pickle
import socket
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Self

from pageloom.errors import InternalError, PageloomError, ParseTimeout

HEADER = struct.Struct("!Q")
MODULE = "pageloom.core.pipeline"
MEMORY = 2_000_000_000
MOST_KEPT = 4
"""Shared arguments that a child keeps; for one more, it drops the others."""
_START_SECONDS = 60.0
_BOOT = "import sys; from pageloom.edges.sandbox_child import serve; serve(*sys.argv[1:])"


@dataclass(frozen=True, slots=True)
class SharedArgument:
    """An argument that many calls share: sent to a child once, then referred to by its key."""

    key: str
    value: object


class _Gone(Exception):
    """The child has closed its socket."""


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    sock: socket.socket
    ready: bool = False
    kept: set[str] = field(default_factory=set[str])
    """The keys of the shared arguments that it was sent."""

    def send(self, message: bytes, deadline: float) -> None:
        self.sock.settimeout(_left(deadline))
        try:
            self.sock.sendall(HEADER.pack(len(message)) + message)
        except (BrokenPipeError, ConnectionResetError):
            raise _Gone from None

    def receive(self, deadline: float) -> bytes:
        (size,) = HEADER.unpack(self._read(HEADER.size, deadline))
        return self._read(size, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            self.sock.settimeout(_left(deadline))
            try:
                piece = self.sock.recv(min(size - len(found), 1 << 20))
            except ConnectionResetError:
                raise _Gone from None
            if not piece:
                raise _Gone
            found += piece
        return bytes(found)

    def end(self) -> int:
        """Kill the child if it is still running, and return its exit status."""
        self.sock.close()
        self.process.kill()
        return self.process.wait()


def _new_values(child: _Child, shared: dict[str, SharedArgument]) -> dict[str, object]:
    """The shared arguments that a child does not have yet."""
    lent = {each.key: each.value for each in shared.values() if each.key not in child.kept}
    if len(child.kept) + len(lent) > MOST_KEPT:
        child.kept.clear()
        lent = {each.key: each.value for each in shared.values()}
    child.kept.update(lent)
    return lent


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class Sandbox:
    """A pool of child processes that run the functions of one module.

    Safe to use from many threads: a call waits for a free child before its own time begins.

    Args:
        workers: how many children may run at once; each is started when first needed.
        module: where the functions are; Pageloom's own pipeline unless a test replaces it.
        memory: bytes a child may use beyond what it uses after start-up, where this can be limited.
    """

    def __init__(self, workers: int = 1, *, module: str = MODULE, memory: int = MEMORY) -> None:
        self._module = module
        self._memory = memory
        self._slots = threading.Semaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[_Child] = []
        self._owner = os.getpid()

    def warm(self) -> None:
        """Start one child now, without waiting for it."""
        with self._lock:
            if not self._idle:
                self._idle.append(self._start())

    def run(
        self,
        function: str,
        *args: object,
        timeout_ms: int,
        timings: dict[str, float] | None = None,
        **kwargs: object,
    ) -> Any:
        """Call a function of the module, for at most so many milliseconds.

        With ``timings``, the function is given an ``observe`` and the seconds of each stage are
        added there.

        Raises:
            ParseTimeout: the time ran out; the child was killed.
            InternalError: the child crashed.
            PageloomError: whatever the function raised.
        """
        with self._slots:
            child = self._take()
            if timings is not None:
                kwargs["timed"] = True
            try:
                answer, stages = self._call(child, function, args, kwargs, timeout_ms)
            except BaseException:  # also Ctrl-C: a child in an unknown state cannot be reused
                child.end()
                raise
            self._put_back(child)
        if timings is not None:
            timings.update(stages)
        if isinstance(answer, PageloomError):
            raise answer
        return answer

    def _call(
        self,
        child: _Child,
        function: str,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        timeout_ms: int,
    ) -> tuple[object, dict[str, float]]:
        shared = {name: each for name, each in kwargs.items() if isinstance(each, SharedArgument)}
        own = {name: each for name, each in kwargs.items() if name not in shared}
        keys = {name: each.key for name, each in shared.items()}
        request = pickle.dumps((function, args, own, timeout_ms, keys, _new_values(child, shared)))
        try:
            self._await_start(child)
            deadline = time.monotonic() + timeout_ms / 1000
            child.send(request, deadline)
            return pickle.loads(child.receive(deadline))  # noqa: S301  our own child wrote it
        except TimeoutError:
            raise ParseTimeout(
                f"Extraction took longer than {timeout_ms:,} ms.",
                stage="extract",
                timeout_ms=timeout_ms,
            ) from None
        except _Gone:
            raise _crashed(child) from None

    def _await_start(self, child: _Child) -> None:
        """Wait for the imports, which do not count against the time limit of a page."""
        if child.ready:
            return
        try:
            trouble = child.receive(time.monotonic() + _START_SECONDS)
        except TimeoutError:
            raise InternalError("The extraction process did not start.", retryable=True) from None
        if trouble:
            raise pickle.loads(trouble)  # noqa: S301  our own child wrote it
        child.ready = True

    def _take(self) -> _Child:
        with self._lock:
            if self._owner != os.getpid():  # after a fork the children still belong to the parent
                self._idle, self._owner = [], os.getpid()
            while self._idle:
                child = self._idle.pop()
                if child.process.poll() is None:
                    return child
                child.end()
        return self._start()

    def _put_back(self, child: _Child) -> None:
        with self._lock:
            self._idle.append(child)

    def _start(self) -> _Child:
        ours, theirs = socket.socketpair()
        with theirs:
            given = (str(theirs.fileno()), self._module, str(self._memory))
            process = subprocess.Popen(  # noqa: S603  our own program
                [sys.executable, "-P", "-c", _BOOT, *given],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=child_environment(),
            )
        return _Child(process, ours)

    def close(self) -> None:
        """Stop all idle children. The sandbox can be used again: it starts new ones."""
        with self._lock:
            children, self._idle = self._idle, []
        for child in children:
            child.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def child_environment() -> dict[str, str]:
    """The child imports modules from where we do, and starts no needless threads."""
    here = os.getcwd()  # noqa: PTH109  pathlib would be loaded only for this
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(place or here for place in sys.path),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def _crashed(child: _Child) -> InternalError:
    status = child.end()
    return InternalError(
        "The extraction process crashed.",
        stage="extract",
        retryable=True,
        status=status,
    )


def _cores() -> int:
    """The cores that this process may use, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_shared: dict[str, Sandbox] = {}
_shared_lock = threading.Lock()


def shared_sandbox(module: str = MODULE, *, memory: int = MEMORY) -> Sandbox:
    """The sandbox of this process for a module: at most one child per core, stopped at exit."""
    with _shared_lock:
        if module not in _shared:
            _shared[module] = Sandbox(_cores(), module=module, memory=memory)
            atexit.register(_shared[module].close)
        return _shared[module]
