"""A small web on this machine: real servers on free ports."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Site(ThreadingHTTPServer):
    """Answers each path by a function of the request; remembers the headers it was sent."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.leaving = threading.Event()

    @property
    def port(self) -> int:
        return self.server_address[1]

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def add(self, path: str, body: bytes = b"", status: int = 200, **headers: str) -> None:
        """A page of fixed bytes; header names are written with underscores."""

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            for name, value in headers.items():
                request.send_header(name.replace("_", "-"), value)
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)

        self.pages[path] = answer

    def handle_error(self, request, client_address) -> None:
        """A client that leaves early is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
        page = self.server.pages.get(self.path.partition("?")[0])
        if page is None:
            self.send_error(404)
        else:
            page(self)

    def log_message(self, *_: object) -> None:
        pass


def start_site() -> Iterator[Site]:
    server = Site()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.leaving.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    yield from start_site()


@pytest.fixture
def other_site() -> Iterator[Site]:
    yield from start_site()
