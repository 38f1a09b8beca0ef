"""A network that can be cut: connections to a port are passed on, or refused."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Forwarder:
    """Passes connections on to another port while it is up."""

    def __init__(self) -> None:
        self.target = 0
        self._open: list[socket.socket] = []
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]

    @staticmethod
    def _listen(port: int) -> socket.socket:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(50)
        return listener

    def up(self) -> None:
        """From now on connections are passed on."""
        if self._listener.fileno() < 0:
            self._listener = self._listen(self.port)
        threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def down(self) -> None:
        """From now on there is nobody; connections that are open end."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                one, _ = listener.accept()
                two = socket.create_connection(("127.0.0.1", self.target))
                self._open += [one, two]
                for pair in ((one, two), (two, one)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    @staticmethod
    def _pass_on(one: socket.socket, two: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                two.sendall(data)
        for each in (one, two):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
