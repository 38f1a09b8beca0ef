"""Write WARC files, as web archives exchange them, with warcio; ``edges/archive`` reads them."""

from __future__ import annotations

import io
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pageloom.errors import MissingExtra

if TYPE_CHECKING:
    from pageloom.model import RawPage

_HOP_BY_HOP = frozenset(
    "connection content-encoding content-length keep-alive transfer-encoding upgrade".split()
)


class WarcFile:
    """A WARC that is being written."""

    def __init__(self, file: IO[bytes], *, packed: bool) -> None:
        from warcio.warcwriter import WARCWriter

        self._writer: Any = WARCWriter(file, gzip=packed)

    def describe(self, name: str, facts: dict[str, str]) -> None:
        """The record that says what this file is."""
        self._writer.write_record(self._writer.create_warcinfo_record(name, facts))

    def add(self, response: RawPage, user_agent: str) -> None:
        """A request and its response, each naming the other."""
        from warcio.statusandheaders import StatusAndHeaders

        line = _status_line(response.status)
        sent = StatusAndHeaders(line, _sent(response), protocol="HTTP/1.1")
        answer = self._record("response", response, sent)
        parts = urlsplit(response.url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        asked = StatusAndHeaders(
            f"GET {path} HTTP/1.1",
            [("Host", parts.netloc), ("User-Agent", user_agent)],
            is_http_request=True,
        )
        request = self._record("request", response, asked, body=b"")
        name = answer.rec_headers.get_header("WARC-Record-ID")
        request.rec_headers.add_header("WARC-Concurrent-To", name)
        self._writer.write_record(answer)
        self._writer.write_record(request)

    def _record(self, kind: str, response: RawPage, headers: Any, body: bytes | None = None) -> Any:
        content = response.body if body is None else body
        return self._writer.create_warc_record(
            response.url,
            kind,
            payload=io.BytesIO(content),
            length=len(content),
            http_headers=headers,
            warc_headers_dict={"WARC-Date": response.fetched_at},
        )


def _status_line(status: int) -> str:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    return f"{status} {phrase}".strip()


def _sent(response: RawPage) -> list[tuple[str, str]]:
    """The headers of a body that was unpacked since."""
    kept = {
        name: _one_line(value)
        for name, value in response.headers.items()
        if name.lower() not in _HOP_BY_HOP
    }
    if response.content_type and "content-type" not in kept:
        kept["content-type"] = _one_line(response.content_type)
    return [*kept.items(), ("content-length", str(len(response.body)))]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def require_warcio() -> None:
    """Refuse to begin without the library.

    Raises:
        MissingExtra: warcio is not installed.
    """
    try:
        import warcio  # noqa: F401  # pyright: ignore[reportUnusedImport, reportMissingTypeStubs]
    except ImportError:
        raise MissingExtra(
            "Writing WARC files needs warcio.",
            suggestions=("Install it with: pip install 'pageloom[warc]'",),
        ) from None
