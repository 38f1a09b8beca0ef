"""The pages of one archive, without a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.archive.entries import LARGEST, Reading
from pageloom.edges.archive.kinds import kind_of, read_entries
from pageloom.edges.archive.places import read_web_by
from pageloom.errors import ContentError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from pageloom.edges.archive.places import WebPlace
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.model import RawPage


def read_archive(
    path: str | PathLike[str], *, largest: int = LARGEST, fetch: FetchOptions | None = None
) -> Iterator[RawPage]:
    """The pages of an archive: WARC, WET, JSON lines, Parquet, or one page.

    Damaged records and pages above the limit are left out.

    Args:
        path: a file, or the address of one in an object store or on the web.
        largest: bytes of a page; larger ones are left out.
        fetch: how the web is read: the ``fetch`` of ``Settings``.

    Raises:
        StorageError: it cannot be read.
        UnsupportedContent: it is no archive.
    """
    use_web(fetch)
    kind = kind_of(str(path))
    if kind == "list":
        raise ContentError(f"{path} is a list of paths: read each of them.")
    for entry in read_entries(str(path), kind, 0, reading=Reading(largest=largest)):
        if entry.page is not None:
            yield entry.page


def use_web(fetch: FetchOptions | None) -> None:
    """Say how files on the web are read in this process; loaded when the first of them is."""

    def open_file(url: str) -> WebPlace:
        from pageloom.edges.fetch.options import FetchOptions
        from pageloom.flows.bulk.web import FileOnTheWeb

        return FileOnTheWeb(url, fetch or FetchOptions())

    read_web_by(open_file)
