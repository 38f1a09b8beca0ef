"""Servers that mean harm, each in a process of its own: their work is never taken for ours.

python -m tests.site.hostile swallow        prints its port, and serves for a minute at most
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Attack = Callable[[socket.socket], None]

SECONDS = 60
CONNECTIONS = 500
_BLOCK = 128 * 1024
_ENDLESS_NAME = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03"


def repeated(byte: bytes, times: int, before: bytes = b"") -> bytes:
    """A zstd frame of four bytes for every 128 KB: ``before``, then one byte over and over."""
    window = 7 << 3  # 2 ** (10 + 7) bytes
    raw = (len(before) << 3).to_bytes(3, "little") + before
    same = ((_BLOCK << 3) | 2).to_bytes(3, "little") + byte
    last = (1).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd\x00" + bytes([window]) + raw + same * times + last


def endless_name(megabytes: int) -> bytes:
    """A gzip file whose name never ends, packed twice: some fifty bytes that give nothing."""
    return zstd.compress(repeated(b"a", megabytes * 8, _ENDLESS_NAME), level=19)


def wide(size: int = 9_000) -> bytes:
    """The same in a zstd frame that asks for 128 MB to be kept, and fills them."""
    frame = repeated(b"a", size // 4, _ENDLESS_NAME)
    return frame[:5] + bytes([17 << 3]) + frame[6:]


def _head(*lines: str) -> bytes:
    return "\r\n".join(("HTTP/1.1 200 OK", *lines, "", "")).encode()


def _packed(body: bytes, encodings: str) -> Attack:
    def attack(line: socket.socket) -> None:
        head = _head(f"Content-Encoding: {encodings}", f"Content-Length: {len(body)}")
        line.sendall(head + body)

    return attack


def _flood(head: bytes, piece: bytes) -> Attack:
    """The same bytes until the other side has had enough."""

    def attack(line: socket.socket) -> None:
        line.sendall(head)
        more = piece * (1 + 200_000 // len(piece))
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            line.sendall(more)

    return attack


def _silent(line: socket.socket) -> None:
    """Takes the request and never says a word, also when the other side has said goodbye."""
    assert line
    time.sleep(SECONDS)


def _silent_parts(line: socket.socket) -> None:
    """A page whose parts never come; which part is asked for, the first bytes tell."""
    scripts = "".join(f"<script async src=/{number}.js></script>" for number in range(6))
    body = f"<h1>Soon</h1>{scripts}".encode()
    line.sendall(_head(_HTML, f"Content-Length: {len(body)}") + body)


_HTML = "Content-Type: text/html"
_CHUNKED = "Transfer-Encoding: chunked"
ATTACKS: dict[str, Callable[[], Attack]] = {
    "swallow": lambda: _packed(endless_name(16_000), "gzip, zstd, zstd"),
    "wide": lambda: _packed(wide(), "gzip, zstd"),
    "silent": lambda: _silent,
    "silent parts": lambda: _silent_parts,
    "interim": lambda: _flood(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "chunks": lambda: _flood(_head(_HTML, _CHUNKED), b"1\r\na\r\n"),
    "chunk names": lambda: _flood(_head(_HTML, _CHUNKED) + b"1;", b"a" * 100),
    "headers": lambda: _flood(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
    "cookies": lambda: _flood(b"HTTP/1.1 200 OK\r\n", b"Set-Cookie: a=b\r\n"),
    "one header": lambda: _flood(b"HTTP/1.1 200 OK\r\nX: ", b"a" * 100),
    "status": lambda: _flood(b"HTTP/1.1 200 ", b"OK" * 100),
    "folded": lambda: _flood(b"HTTP/1.1 200 OK\r\nX: a\r\n", b" a\r\n"),
    "trailers": lambda: _flood(_head(_HTML, _CHUNKED) + b"0\r\n", b"X-A: b\r\n"),
    "empty gzips": lambda: _flood(
        _head("Content-Encoding: gzip"), b"\x1f\x8b\x08" + bytes(6) + b"\x03\x03" + bytes(9)
    ),
    "after gzip": lambda: _flood(
        _head("Content-Encoding: gzip") + b"\x1f\x8b\x08" + bytes(6) + b"\x03\x03" + bytes(9),
        b"more",
    ),
}
"""What each server does once it was asked for something."""


def _serve(attack: Attack, line: socket.socket) -> None:
    with line, suppress(OSError):
        line.settimeout(SECONDS)
        asked = line.recv(65_536)
        (_silent if b".js " in asked else attack)(line)
        line.shutdown(socket.SHUT_WR)


def main(name: str) -> None:
    attack = ATTACKS[name]()
    listener = socket.create_server(("127.0.0.1", 0), backlog=100)
    listener.settimeout(SECONDS)
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    with suppress(TimeoutError):
        for _ in range(CONNECTIONS):
            line = listener.accept()[0]
            threading.Thread(target=_serve, args=(attack, line), daemon=True).start()


@contextmanager
def hostile(name: str) -> Iterator[int]:
    """The port of such a server, which is ended with the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.site.hostile", name], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


if __name__ == "__main__":
    main(sys.argv[1])
