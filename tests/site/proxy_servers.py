"""Small proxies that remember whom they were asked for: HTTP CONNECT and SOCKS5."""

from __future__ import annotations

import socket
import threading
from base64 import b64encode
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Tunnel:
    """Connects every asked-for place to one port of this machine, whatever it was called."""

    def __init__(self, port: int, login: str = "") -> None:
        self.asked: list[tuple[str, int]] = []
        self.goal = ("127.0.0.1", port)
        self.login = login
        self.listener = socket.create_server(("127.0.0.1", 0))

    @property
    def port(self) -> int:
        return self.listener.getsockname()[1]

    def serve(self, talk) -> None:
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(talk, line), daemon=True).start()

    def _one(self, talk, line: socket.socket) -> None:
        with suppress(OSError, ValueError, IndexError), line:
            if not talk(self, line):
                return
            with socket.create_connection(self.goal) as far:
                back = threading.Thread(target=pump, args=(far, line), daemon=True)
                back.start()
                pump(line, far)
                back.join()


def pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


def talk_http(tunnel: Tunnel, line: socket.socket) -> bool:
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(1_000)
    place = head.split(b" ")[1].decode()
    host, _, port = place.rpartition(":")
    tunnel.asked.append((host.strip("[]"), int(port)))
    wanted = b64encode(tunnel.login.encode())
    if tunnel.login and b"Basic " + wanted not in head:
        line.sendall(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
        return False
    line.sendall(b"HTTP/1.1 200 Fine\r\nVia: tests\r\n\r\n")
    return True


def talk_socks(tunnel: Tunnel, line: socket.socket) -> bool:
    _, count = line.recv(2)
    methods = line.recv(count)
    if tunnel.login:
        if 2 not in methods:
            line.sendall(b"\x05\xff")
            return False
        line.sendall(b"\x05\x02")
        name = line.recv(line.recv(2)[1])
        word = line.recv(line.recv(1)[0])
        right = f"{name.decode()}:{word.decode()}" == tunnel.login
        line.sendall(b"\x01\x00" if right else b"\x01\x01")
        if not right:
            return False
    else:
        line.sendall(b"\x05\x00")
    kind = line.recv(4)[3]
    if kind == 3:
        host = line.recv(line.recv(1)[0]).decode()
    else:
        family = socket.AF_INET if kind == 1 else socket.AF_INET6
        host = socket.inet_ntop(family, line.recv(4 if kind == 1 else 16))
    tunnel.asked.append((host, int.from_bytes(line.recv(2))))
    line.sendall(b"\x05\x00\x00\x01" + bytes(6))
    return True


TALKS = {"http": talk_http, "socks5": talk_socks}


@contextmanager
def proxy_server(kind: str, port: int, login: str = "") -> Iterator[Tunnel]:
    tunnel = Tunnel(port, login)
    thread = threading.Thread(target=tunnel.serve, args=(TALKS[kind],), daemon=True)
    thread.start()
    yield tunnel
    tunnel.listener.shutdown(socket.SHUT_RDWR)
    tunnel.listener.close()
    thread.join()
