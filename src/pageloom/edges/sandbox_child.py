"""The inside of the sandbox: reads requests, calls the function, writes answers, one at a time."""

from __future__ import annotations

import importlib
import pickle
import resource
import signal
import socket
import struct
import sys
from typing import TYPE_CHECKING

from pageloom.edges.gc_pause import gc_paused
from pageloom.edges.stopwatch import Stopwatch
from pageloom.errors import InternalError, PageloomError, ParseError

if TYPE_CHECKING:
    from types import ModuleType

_HEADER = struct.Struct("!Q")
_GRACE_SECONDS = 2.0
MOST_KEPT = 4
"""As many as the parent believes."""
_REINSTALL = ("Run pageloom doctor; reinstall Pageloom if it finds nothing.",)


def serve(descriptor: str, module: str, memory: str) -> None:
    """Serve requests until the other end closes.

    Args:
        descriptor: the number of the socket to the parent.
        module: where the functions to call are.
        memory: bytes that may be used beyond what importing took.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    with socket.socket(fileno=int(descriptor)) as line:
        try:
            functions = importlib.import_module(module)
        except Exception as error:  # noqa: BLE001  a broken installation, told to the parent
            cause = type(error).__name__
            why = "The engine could not be loaded."
            _write(line, pickle.dumps(InternalError(why, suggestions=_REINSTALL, cause=cause)))
            return
        _limit_memory(int(memory))
        _write(line, b"")
        while request := _read(line):
            _write(line, _answer(functions, request))


_kept: dict[str, object] = {}
"""What many calls share, by the keys that the parent gave."""


def _keep(lent: dict[str, object]) -> None:
    """Keep what is new; the parent counts likewise, and knows when all else is forgotten."""
    if len(_kept) + len(lent) > MOST_KEPT:
        _kept.clear()
    _kept.update(lent)


def _answer(functions: ModuleType, request: bytes) -> bytes:
    asked = pickle.loads(request)  # noqa: S301  our own parent wrote it
    name, args, kwargs, timeout_ms, keys, lent = asked
    _keep(lent)
    kwargs |= {name: _kept[key] for name, key in keys.items()}
    watch = Stopwatch()
    if kwargs.pop("timed", False):
        kwargs["observe"] = watch.mark
    # The default action of this signal ends the process inside any C code too: nobody is left
    # spinning if the parent dies first.
    signal.setitimer(signal.ITIMER_REAL, timeout_ms / 1000 + _GRACE_SECONDS)
    try:
        with gc_paused():
            answer = _call(functions, name, args, kwargs)
        return pickle.dumps((answer, watch.stop()), protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _call(
    functions: ModuleType, name: str, args: tuple[object, ...], kwargs: dict[str, object]
) -> object:
    try:
        return getattr(functions, name)(*args, **kwargs)
    except PageloomError as error:
        return error
    except MemoryError:
        return ParseError("The page needs more memory than a page may have.", retryable=False)
    except Exception as error:  # noqa: BLE001  the border: nothing else may leave
        cause = type(error).__name__
        return InternalError("Reading the page failed.", stage="extract", cause=cause)


def _limit_memory(extra: int) -> None:
    """Where the address space can be limited, a page that eats memory fails alone."""
    used = _address_space()
    if not used:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + extra
    if hard == resource.RLIM_INFINITY or wanted < hard:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _address_space() -> int:
    if sys.platform != "linux":  # macOS takes the limit and does not keep it
        return 0
    with open("/proc/self/statm") as sizes:  # noqa: PTH123  pathlib would be loaded only for this
        return int(sizes.read().split()[0]) * resource.getpagesize()


def _read(line: socket.socket) -> bytes:
    header = _read_exactly(line, _HEADER.size)
    return _read_exactly(line, _HEADER.unpack(header)[0]) if header else b""


def _read_exactly(line: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        piece = line.recv(min(size - len(found), 1 << 20))
        if not piece:
            return b""
        found += piece
    return bytes(found)


def _write(line: socket.socket, message: bytes) -> None:
    line.sendall(_HEADER.pack(len(message)) + message)
