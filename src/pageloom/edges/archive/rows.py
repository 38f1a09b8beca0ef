"""Pages out of JSON lines and out of Parquet: one row each, with named fields."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.archive.entries import END, Entry, damaged, oversized
from pageloom.edges.archive.unpacked import Unpacked, packing_of
from pageloom.errors import DamagedInput, EmptyContent
from pageloom.model import RawPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pageloom.edges.archive.entries import Readable, Reading

FIELDS = ("url", "html", "content", "body_base64", "content_type", "fetched_at", "status")
"""What a row may hold; ``html``, ``content`` and ``body_base64`` are three names for the page."""
_BATCH = 64


def read_lines(file: Readable, start: int, end: int, reading: Reading) -> Iterator[Entry]:
    """The lines that begin between two offsets; those of a packed file count when unpacked."""
    lines = Unpacked(file, packing_of(file))
    names = dict(reading.names)
    longest = 2 * reading.largest  # a byte may be written as several
    lines.go(start)
    while lines.peek(1) and (end == END or lines.place < end):
        offset = lines.place
        found = lines.find(b"\n", longest)
        if found < 0 and lines.fill(longest):
            yield oversized(offset, _after_line(lines), lines.place - offset, reading)
            continue
        line = lines.take(found + 1) if found >= 0 else lines.take(longest)
        if found < 0 and lines.trouble:
            yield damaged(offset, lines.place, lines.trouble)
        elif not line.strip():
            yield Entry("other", offset, lines.place)
        else:
            yield _line(line, (offset, lines.place), names, reading)


def _after_line(lines: Unpacked) -> int:
    """Skip a line that is too long, and say where the next begins."""
    while (found := lines.find(b"\n", 1 << 20)) < 0:
        if not lines.skip(1 << 20):
            return lines.place
    lines.drop(found + 1)
    return lines.place


def _line(line: bytes, span: tuple[int, int], names: dict[str, str], reading: Reading) -> Entry:
    try:
        row: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        try:  # more forgiving: it takes half surrogates
            row = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            row = None
    if not isinstance(row, dict):
        return Entry("damaged", *span, reason=DamagedInput.__name__, detail="Not a JSON object")
    return entry_of(row, span, names, reading)  # pyright: ignore[reportUnknownArgumentType]


def entry_of(
    row: Mapping[str, Any], span: tuple[int, int], names: dict[str, str], reading: Reading
) -> Entry:
    """The page of a row."""
    got = {name: row.get(names.get(name, name)) for name in FIELDS}
    url = writable(str(got["url"] or ""))
    try:
        body = _body(got)
    except (ValueError, binascii.Error):
        return Entry(
            "damaged", *span, url=url, reason=DamagedInput.__name__, detail="Not valid base64"
        )
    if not body:
        detail = "The row has no html, content or body_base64"
        return Entry("refused", *span, url=url, reason=EmptyContent.__name__, detail=detail)
    if len(body) > reading.largest:
        return oversized(*span, len(body), reading, url)
    status = got["status"]
    page = RawPage(
        url=url,
        final_url=url,
        status=int(status) if isinstance(status, int | float) else 0,
        headers={},
        body=body,
        content_type=writable(str(got["content_type"] or "")),
        fetched_at=_instant(got["fetched_at"]),
    )
    return Entry("page", *span, page=page, url=url)


def writable(text: str) -> str:
    """The text without half surrogates, which no UTF-8 holds."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def _body(got: dict[str, Any]) -> bytes:
    """Text as UTF-8, and its charset said by nobody else: a byte order mark does."""
    found = got["html"] or got["content"]
    if isinstance(found, bytes):
        return found
    if found:
        return b"\xef\xbb\xbf" + str(found).encode("utf-8", "replace")
    packed = got["body_base64"]
    return base64.b64decode(packed, validate=True) if packed else b""


def _instant(value: Any) -> str:
    if isinstance(value, datetime):
        utc = value.astimezone(UTC) if value.tzinfo else value
        return utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    return str(value or "")


def read_table(file: Readable, start: int, end: int, reading: Reading) -> Iterator[Entry]:
    """The rows of a Parquet file from one row to another."""
    import pyarrow as pa
    from pyarrow import parquet

    names = dict(reading.names)
    wanted = {names.get(name, name) for name in FIELDS}
    try:
        table = parquet.ParquetFile(file)
        columns = [name for name in table.schema_arrow.names if name in wanted]
    except (pa.ArrowException, OSError) as error:
        yield damaged(start, start, f"Not a Parquet file: {_first_line(error)}")
        return
    first = 0
    for group in range(table.num_row_groups):
        rows = table.metadata.row_group(group).num_rows
        if first + rows > start and (end == END or first < end):
            last = first + rows
            yield from _group(table, group, (max(start, first), first, last), columns, reading)
        first += rows


def _group(
    table: Any, group: int, span: tuple[int, int, int], columns: list[str], reading: Reading
) -> Iterator[Entry]:
    """The rows of one row group, from one of them on."""
    import pyarrow as pa

    start, row, last = span
    names = dict(reading.names)
    try:
        for batch in table.iter_batches(_BATCH, row_groups=[group], columns=columns):
            if row + batch.num_rows <= start:
                row += batch.num_rows
                continue
            for found in batch.to_pylist():
                if row >= start:
                    yield entry_of(found, (row, row + 1), names, reading)
                row += 1
    except (pa.ArrowException, OSError) as error:
        yield damaged(row, last, f"The row group is damaged: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def group_sizes(file: Readable) -> list[tuple[int, int]]:
    """The rows and packed bytes of each row group of a Parquet file."""
    from pyarrow import parquet

    about = parquet.ParquetFile(file).metadata
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    return [
        (
            group.num_rows,
            sum(group.column(c).total_compressed_size for c in range(group.num_columns)),
        )
        for group in groups
    ]


def next_group(file: Readable, row: int) -> int:
    """The first row of the row group behind the one that a row is in."""
    first = 0
    for rows, _ in group_sizes(file):
        first += rows
        if first > row:
            break
    return first
