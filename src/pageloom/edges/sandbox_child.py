"""The child process of the sandbox: reads a call, runs the function, writes the result."""

from __future__ import annotations

import importlib
import pickle
import signal
import socket
import struct
from typing import TYPE_CHECKING

from pageloom.edges.memory import gc_paused, limit_memory
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
    """Serve calls until the parent closes the socket.

    Args:
        descriptor: the file descriptor of the socket to the parent.
        module: where the functions to call are.
        memory: bytes that may be used beyond what importing took.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    with socket.socket(fileno=int(descriptor)) as sock:
        try:
            functions = importlib.import_module(module)
        except Exception as error:  # noqa: BLE001  a broken installation, reported to the parent
            cause = type(error).__name__
            why = "The engine could not be loaded."
            _write(sock, pickle.dumps(InternalError(why, suggestions=_REINSTALL, cause=cause)))
            return
        limit_memory(int(memory))
        _write(sock, b"")
        while request := _read(sock):
            _write(sock, _answer(functions, request))


_kept: dict[str, object] = {}
"""Shared arguments, by the keys that the parent gave."""


def _keep(lent: dict[str, object]) -> None:
    """Keep new shared arguments; the parent counts likewise, and knows when others are dropped."""
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
        return ParseError("The page needs more memory than the limit allows.", retryable=False)
    except Exception as error:  # noqa: BLE001  the border: nothing else may leave
        cause = type(error).__name__
        return InternalError(
            "Extraction failed because of an internal error.", stage="extract", cause=cause
        )


def _read(sock: socket.socket) -> bytes:
    header = _read_exactly(sock, _HEADER.size)
    return _read_exactly(sock, _HEADER.unpack(header)[0]) if header else b""


def _read_exactly(sock: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        piece = sock.recv(min(size - len(found), 1 << 20))
        if not piece:
            return b""
        found += piece
    return bytes(found)


def _write(sock: socket.socket, message: bytes) -> None:
    sock.sendall(_HEADER.pack(len(message)) + message)
