"""Which kind of archive a file is, and its pages, whatever it is."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Literal

from pageloom.edges.archive.entries import END
from pageloom.edges.archive.page_files import read_page_file
from pageloom.edges.archive.places import open_file, read_small, reported
from pageloom.edges.archive.rows import next_group, read_lines, read_table
from pageloom.edges.archive.unpacked import Members, Unpacked, packing_of
from pageloom.edges.archive.warc import read_warc
from pageloom.errors import OversizedContent, UnsupportedContent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.edges.archive.entries import Entry, Reading

Kind = Literal["warc", "lines", "table", "page", "list"]
KIND_NAMES: dict[Kind, str] = {
    "warc": "WARC file",
    "lines": "JSON lines file",
    "table": "Parquet file",
    "page": "page file",
    "list": "list of paths",
}

_PACKED = (".gz", ".zst")
_LONGEST_LIST = 256_000_000
_ENDINGS: dict[str, Kind] = {
    ".warc": "warc",
    ".wet": "warc",
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".parquet": "table",
    ".paths": "list",
    ".txt": "list",
    ".html": "page",
    ".htm": "page",
    ".xhtml": "page",
}
_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"WARC/", "warc"),
    (b"PAR1", "table"),
    (b"{", "lines"),
    (b"<", "page"),
)


def kind_by_name(path: str) -> Kind | None:
    """The kind that a name tells."""
    name = path.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def kind_of(path: str) -> Kind:
    """The kind of an archive, by its name, else by its first bytes.

    Raises:
        UnsupportedContent: it is none that can be read.
    """
    if kind := kind_by_name(path):
        return kind
    with closing(open_file(path)) as file:
        head = Unpacked(file, packing_of(file)).peek(8).lstrip()
    found: Kind | None = next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
    if found is None:
        raise UnsupportedContent(
            f"{path} is not an archive that Pageloom can read.",
            suggestions=("Give WARC, WET, JSON lines, Parquet, pages, or a list of their paths.",),
        )
    return found


def read_entries(
    path: str,
    kind: Kind,
    start: int,
    end: int = END,
    *,
    root: str = "",
    reading: Reading,
) -> Iterator[Entry]:
    """The records of one file, from one place to another.

    Args:
        path: the file.
        kind: what it is.
        start: where to begin: 0, or the ``after`` of an Entry.
        end: where to stop.
        root: the directory that a page file was found in.
        reading: limits and names.
    """
    with reported(path, "read"), closing(open_file(path)) as file:
        if kind == "warc":
            yield from read_warc(file, start, reading)
        elif kind == "lines":
            yield from read_lines(file, start, end, reading)
        elif kind == "table":
            yield from read_table(file, start, end, reading)
        elif start == 0:
            name = path.removeprefix(root).lstrip("/") if root else path
            beside = path.rpartition(".")[0] + ".json"
            yield read_page_file(file, name, reading, lambda: read_small(beside))


def next_readable(path: str, kind: Kind, offset: int) -> int:
    """Where to go on behind a place at which nothing can be read."""
    with reported(path, "read"), closing(open_file(path)) as file:
        packing = packing_of(file)
        if kind == "warc" and packing is not None:
            return Members(file, packing, 0).next_after(offset)
        if kind == "table":
            return next_group(file, offset)
        if kind == "page":
            return offset + 1
        stream = Unpacked(file, packing)
        stream.go(offset + 1)
        wanted = b"\nWARC/" if kind == "warc" else b"\n"
        while (found := stream.find(wanted, 1 << 20)) < 0:
            if not stream.skip(1 << 20):
                return stream.place
        return stream.place + found + 1


def read_paths(path: str) -> list[str]:
    """The lines of a list of paths; empty ones and those that begin with # are left out.

    Raises:
        OversizedContent: it is too long for a list.
    """
    with reported(path, "read"), closing(open_file(path)) as file:
        data = Unpacked(file, packing_of(file)).take(_LONGEST_LIST + 1)
    if len(data) > _LONGEST_LIST:
        raise OversizedContent(
            f"{path} is too long for a list of paths: the limit is {_LONGEST_LIST:,} bytes.",
            suggestions=("Cut it into several lists.",),
        )
    lines = data.decode("utf-8", "replace").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
