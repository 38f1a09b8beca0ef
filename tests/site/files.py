"""A server of files on this machine: with ranges or without, and one that breaks off."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FileServer:
    """What is served, by path; the first letter says how: ``/r`` ranges, ``/w`` the whole only."""

    files: dict[str, bytes] = field(default_factory=dict)
    breaks_after: int = 0
    """Bytes after which a connection is closed, as long as ``breaks`` are left."""
    breaks: int = 0
    stamp: str = '"one"'
    asked: list[str] = field(default_factory=list)
    """The ranges."""
    port: int = 0

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


class _Handler(BaseHTTPRequestHandler):
    server_files: FileServer

    def do_GET(self) -> None:
        site = self.server_files
        if self.path == "/elsewhere":
            self._head(302, Location="http://10.1.2.3/crawl.warc.gz")
            return
        data = site.files.get(self.path)
        if data is None:
            self._head(404)
            return
        wanted = self.headers.get("Range", "")
        site.asked.append(wanted)
        start, size = 0, len(data)
        if wanted and self.path.startswith("/r"):
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start = int(first)
            data = data[start : int(last) + 1 if last else size]
            about = f"bytes {start}-{start + len(data) - 1}/{size}"
            self._head(206, **{"Content-Range": about, "Content-Length": str(len(data))})
        else:
            self._head(200, **{"Content-Length": str(size)})
        if site.breaks and len(data) > site.breaks_after:
            site.breaks -= 1
            data = data[: site.breaks_after]
        self.wfile.write(data)

    def _head(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"ETag": self.server_files.stamp, **headers}.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def file_server() -> Iterator[FileServer]:
    """The server, for as long as the block."""
    site = FileServer()
    handler = type("Handler", (_Handler,), {"server_files": site})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        site.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
