"""Write the parts of a bulk run, and read them again.

The bytes of a part depend on its rows alone, never on the batches in which they came: row groups
are cut by rows, and every group is one piece when it is written.
"""

from __future__ import annotations

import gzip
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from pageloom.edges.archive.columns import REJECT_COLUMNS, schema_of, size_of, to_batch, to_lines
from pageloom.edges.archive.places import open_file, reported, write_whole
from pageloom.edges.archive.unpacked import Unpacked, packing_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from contextlib import AbstractContextManager

Format = Literal["parquet", "jsonl"]
Compress = Literal["zstd", "gzip", "none"]
GROUP_ROWS = 1_000
GROUP_BYTES = 64 << 20
_PARQUET = {"compression": "zstd", "compression_level": 3, "write_page_index": True}
_LONGEST = 1 << 40


def ending_of(form: Format, compress: Compress) -> str:
    """How the names of parts end."""
    packed = {"zstd": ".zst", "gzip": ".gz", "none": ""}[compress]
    return ".parquet" if form == "parquet" else f".jsonl{packed}"


class Part(Protocol):
    """A part that is being written."""

    def add(self, batch: bytes, sizes: Sequence[int]) -> None:
        """Add rows, as ``columns`` writes them; ``sizes`` is about how many bytes each takes."""
        ...


class _Groups:
    """Rows of Parquet, gathered into row groups."""

    def __init__(self, writer: Any, schema: Any) -> None:
        self._writer = writer
        self._schema = schema
        self._waiting: list[Any] = []
        self._rows = self._bytes = 0

    def add(self, batch: bytes, sizes: Sequence[int]) -> None:
        import pyarrow as pa
        from pyarrow import ipc

        rows = ipc.read_record_batch(pa.py_buffer(batch), self._schema)
        start = 0
        for number, size in enumerate(sizes):
            if self._rows and (self._rows == GROUP_ROWS or self._bytes + size > GROUP_BYTES):
                self._waiting.append(rows.slice(start, number - start))
                self.write()
                start = number
            self._rows += 1
            self._bytes += size
        self._waiting.append(rows.slice(start))

    def write(self) -> None:
        """Write the rows that wait as one group."""
        import pyarrow as pa

        table = pa.Table.from_batches(self._waiting, schema=self._schema).combine_chunks()
        if table.num_rows:
            self._writer.write_table(table, row_group_size=table.num_rows)
        self._waiting, self._rows, self._bytes = [], 0, 0


class _Lines:
    """JSON lines."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def add(self, batch: bytes, sizes: Sequence[int]) -> None:  # noqa: ARG002  of a table alone
        self._file.write(batch)


@contextmanager
def _parquet(path: str, schema: Any) -> Generator[Part]:
    from pyarrow import parquet

    with write_whole(path) as file, parquet.ParquetWriter(file, schema, **_PARQUET) as writer:
        groups = _Groups(writer, schema)
        yield groups
        groups.write()


@contextmanager
def _json_lines(path: str, compress: Compress) -> Generator[Part]:
    with write_whole(path) as file:
        if compress == "none":
            yield _Lines(file)
        elif compress == "zstd":
            with zstd.ZstdFile(file, "wb", level=3) as packed:
                yield _Lines(packed)
        else:
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                yield _Lines(packed)


def open_part(
    path: str, form: Format, compress: Compress, schema: Any
) -> AbstractContextManager[Part]:
    """A new part; it is there when it is whole."""
    return _parquet(path, schema) if form == "parquet" else _json_lines(path, compress)


def write_rejects(path: str, rows: Sequence[Sequence[Any]]) -> None:
    """Write the pages of a part that were not kept."""
    schema = schema_of(REJECT_COLUMNS, {})
    with _parquet(path, schema) as part:
        part.add(to_batch(schema, rows), [size_of(row) for row in rows])


def write_rows(
    path: str, form: Format, compress: Compress, schema: Any, rows: Sequence[dict[str, Any]]
) -> None:
    """Write a part of rows by name."""
    values = [tuple(row.values()) for row in rows]
    sizes = [size_of(row) for row in values]
    with open_part(path, form, compress, schema) as part:
        if form == "parquet":
            part.add(to_batch(schema, values), sizes)
        else:
            part.add(to_lines(list(rows[0]) if rows else [], values), sizes)


def read_rows(path: str, form: Format) -> list[dict[str, Any]]:
    """The rows of a part, by name."""
    if form == "jsonl":
        return [msgspec.json.decode(line) for line in _lines(path)]
    from pyarrow import parquet

    with reported(path, "read"), closing(open_file(path)) as file:
        return parquet.read_table(file).to_pylist()


def count_rows(path: str, form: Format) -> int:
    """How many rows a part has."""
    if form == "jsonl":
        return sum(1 for _ in _lines(path))
    from pyarrow import parquet

    with reported(path, "read"), closing(open_file(path)) as file:
        return parquet.ParquetFile(file).metadata.num_rows


def _lines(path: str) -> Iterator[bytes]:
    with reported(path, "read"), closing(open_file(path)) as file:
        stream = Unpacked(file, packing_of(file))
        while stream.peek(1):
            found = stream.find(b"\n", _LONGEST)
            yield stream.take(found + 1 if found >= 0 else _LONGEST)
