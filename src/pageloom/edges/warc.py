"""WARC files: what servers answered, as web archives exchange it; read and written by warcio."""

from __future__ import annotations

import io
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pageloom.errors import MissingExtra, UnsupportedContent

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

_HOP_BY_HOP = frozenset(
    "connection content-encoding content-length keep-alive transfer-encoding upgrade".split()
)
_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcResponse:
    """What a server answered to one request."""

    url: str
    at: str
    """When, as 2026-03-05T08:30:00Z."""
    status: int
    content_type: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    place: int = 0
    """Where it is in its file."""


class WarcFile:
    """A WARC that is being written: made by ``create_warc``."""

    def __init__(self, file: IO[bytes], *, packed: bool) -> None:
        from warcio.warcwriter import WARCWriter

        self._writer: Any = WARCWriter(file, gzip=packed)

    def describe(self, name: str, facts: dict[str, str]) -> None:
        """The record that says what this file is."""
        self._writer.write_record(self._writer.create_warcinfo_record(name, facts))

    def add(self, response: WarcResponse, user_agent: str) -> None:
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

    def _record(
        self, kind: str, response: WarcResponse, headers: Any, body: bytes | None = None
    ) -> Any:
        content = response.body if body is None else body
        return self._writer.create_warc_record(
            response.url,
            kind,
            payload=io.BytesIO(content),
            length=len(content),
            http_headers=headers,
            warc_headers_dict={"WARC-Date": response.at},
        )


def _status_line(status: int) -> str:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    return f"{status} {phrase}".strip()


def _sent(response: WarcResponse) -> list[tuple[str, str]]:
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
            "WARC files need warcio.",
            suggestions=("Install it with: pip install 'pageloom[warc]'",),
        ) from None


def read_responses(file: IO[bytes], *, bodies: bool) -> Iterator[WarcResponse]:
    """The responses in a WARC, in order; without their bodies where those are not needed."""
    from warcio.archiveiterator import ArchiveIterator

    with _reading():
        records: Any = ArchiveIterator(file)
        for record in records:
            if record.rec_type == "response" and record.http_headers:
                body = record.content_stream().read(_MOST_BYTES) if bodies else b""
                # To say where a record is, the rest of it is read.
                yield _response(record, body, records.get_record_offset())


def read_response_at(path: Path, place: int) -> WarcResponse | None:
    """The response at a place that ``read_responses`` named."""
    with path.open("rb") as file:
        file.seek(place)
        return next(read_responses(file, bodies=True), None)


def _response(record: Any, body: bytes, place: int) -> WarcResponse:
    headers = {name.lower(): value for name, value in record.http_headers.headers}
    status = record.http_headers.get_statuscode() or "0"
    return WarcResponse(
        url=record.rec_headers.get_header("WARC-Target-URI") or "",
        at=record.rec_headers.get_header("WARC-Date") or "",
        status=int(status) if status.isdigit() else 0,
        content_type=headers.get("content-type", ""),
        headers=headers,
        body=body,
        place=place,
    )


@contextmanager
def _reading() -> Generator[None]:
    from warcio.exceptions import ArchiveLoadFailed

    try:
        yield
    except (ArchiveLoadFailed, EOFError, ValueError) as error:
        raise UnsupportedContent(
            "The WARC file is damaged, or not a WARC file.",
            suggestions=("Check the file with: warcio check FILE",),
            cause=type(error).__name__,
        ) from None
