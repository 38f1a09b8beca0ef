"""A door before a server that tests open and shut: what a cut cable looks like."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Passes bytes between a port of its own and a server while it is open.

    A host that begins with a slash is the directory of PostgreSQL's socket.
    """

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self._server = (host, port)
        self._lines: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        with socket.create_server(("127.0.0.1", 0)) as first:
            self.port: int = first.getsockname()[1]

    def open(self) -> None:
        listener = socket.create_server(("127.0.0.1", self.port))
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def shut(self) -> None:
        """Nobody gets in, and whoever is in is thrown out."""
        if self._listener is not None:
            # shutdown first: a thread that waits in accept would keep the port open
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        with self._lock:
            lines, self._lines = self._lines, set()
        for line in lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def _connect(self) -> socket.socket:
        host, port = self._server
        if not host.startswith("/"):
            return socket.create_connection(self._server)
        line = socket.socket(socket.AF_UNIX)
        line.connect(f"{host}/.s.PGSQL.{port}")
        return line

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                ours, _ = listener.accept()
                theirs = self._connect()
            except OSError:
                return
            with self._lock:
                self._lines |= {ours, theirs}
            for one, two in ((ours, theirs), (theirs, ours)):
                threading.Thread(target=_pass, args=(one, two), daemon=True).start()


def _pass(source: socket.socket, target: socket.socket) -> None:
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
    except OSError:
        pass
    for line in (source, target):
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)


@contextmanager
def gate_to(port: int, host: str = "127.0.0.1", *, is_open: bool = True) -> Iterator[Gate]:
    gate = Gate(port, host)
    if is_open:
        gate.open()
    try:
        yield gate
    finally:
        gate.shut()
