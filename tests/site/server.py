"""A small web on this machine: real servers on free ports."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator


class Site(ThreadingHTTPServer):
    """Answers each path by a function of the request; remembers what it was asked."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 300

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.connections = 0
        self.leaving = threading.Event()
        self.scheme = "https" if tls else "http"
        if tls:
            self.socket = tls.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )

    @property
    def port(self) -> int:
        return self.server_address[1]

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    def add(self, path: str, body: bytes = b"", status: int = 200, **headers: str) -> None:
        """A page of fixed bytes; header names are written with underscores."""

        def answer(request: BaseHTTPRequestHandler) -> None:
            send(request, body, status, **headers)

        self.pages[path] = answer

    def add_html(self, path: str, markup: str, status: int = 200, **headers: str) -> None:
        """A page of markup."""
        self.add(path, markup.encode(), status, Content_Type="text/html; charset=utf-8", **headers)

    def get_request(self):
        found = super().get_request()
        self.connections += 1
        return found

    def handle_error(self, request, client_address) -> None:
        """A client that leaves early is what many tests are about."""


def send(
    request: BaseHTTPRequestHandler, body: bytes = b"", status: int = 200, **headers: str
) -> None:
    """Answer a request with bytes; header names are written with underscores."""
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


class _Handler(BaseHTTPRequestHandler):
    server: Site
    timeout = 30

    def do_GET(self) -> None:
        self.server.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
        page = self.server.pages.get(self.path.partition("?")[0])
        if page is None:
            self.send_error(404)
        else:
            page(self)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


def start_site(tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    server = Site(tls)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.leaving.set()
        server.shutdown()
        thread.join()
        server.server_close()
