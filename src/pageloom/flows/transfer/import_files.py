"""Run an import: find the pages in a file, folder, archive or database, and add them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.edges.store.backup import is_backup
from pageloom.errors import InvalidArgument, StorageError, why_not

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pageloom.edges.store.base import Store
    from pageloom.flows.library.save import SaveContext, SaveResult
    from pageloom.flows.transfer.import_pages import Imported
    from pageloom.flows.transfer.portable_page import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to import, and how."""

    source: str | Path
    form: str | None = None
    """The format; detected when empty."""
    tags: tuple[str, ...] = ()
    restart: bool = False
    """Start again instead of continuing an interrupted import."""
    from_user: str = ""
    """For a ``websites`` table: whose pages."""
    on_result: Callable[[Imported | SaveResult], None] | None = None
    """Called with each page that was imported or fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSource:
    """An opened import source, with its format."""

    form: str
    identity: str
    """The key of its job: importing the same file again continues where it stopped."""
    pages: Iterator[Found]


@dataclass(slots=True, kw_only=True)
class ImportResult:
    """What came of an import."""

    form: str
    pages: list[Imported] = field(default_factory=list["Imported"])
    fetched: list[SaveResult] = field(default_factory=list["SaveResult"])
    """Pages that the source had only a URL of, and that were fetched."""
    watches: int = 0
    """Watches that were added with their pages."""

    @property
    def complete(self) -> bool:
        """Whether nothing failed."""
        return not any(page.outcome == "failed" for page in self.pages) and not any(
            result.error for result in self.fetched
        )


def open_import(
    context: SaveContext, source: str | Path, form: str | None = None, *, user: str = ""
) -> ImportSource:
    """Open an import source and detect its format.

    Args:
        context: how pages are read that come as servers sent them.
        source: a file, a folder, or ``postgresql://…`` with a table ``websites``.
        form: its format; detected when left out.
        user: for a ``websites`` table: whose pages.

    Raises:
        InvalidArgument: there is no such file, or its format cannot be detected.
    """
    from pageloom.flows.transfer.import_formats import guess_format, read_library
    from pageloom.flows.transfer.import_websites import read_websites

    name = str(source)
    if name.startswith(("postgresql://", "postgres://")):
        pages = read_websites(name, user=user)
        identity = sha256(name.encode()).hexdigest()
        return ImportSource(form="websites", identity=identity, pages=pages)
    path = Path(name)
    if not path.exists():
        raise InvalidArgument(f"File {name[:80]} does not exist.")
    with reading_import():
        known = form or guess_format(path)
        if not known:
            raise _unclear(path)
        if path.is_dir() and known in {"jsonl", "websites"}:
            raise InvalidArgument(f"The format {known} is a file, not a directory.")
        identity = _fingerprint(path)
    if known == "warc":
        from pageloom.flows.transfer.warc_pages import read_warc

        pages = read_warc(path, context.options, context.rules)
        return ImportSource(form=known, identity=identity, pages=pages)
    return ImportSource(form=known, identity=identity, pages=read_library(path, known, user=user))


SavePages = Callable[["SaveContext", "list[str]", "Callable[[SaveResult], None]"], None]
"""Fetches and saves pages."""


def run_import(
    context: SaveContext, request: ImportRequest, save_pages: SavePages | None
) -> ImportResult:
    """Import pages; after an interruption, the same request continues where it stopped.

    Args:
        context: the library, and the tags of this import.
        request: what to import.
        save_pages: fetches pages that came as a URL only; without it nothing is fetched.

    Raises:
        InvalidArgument: there is no such file, or its format cannot be detected.
    """
    from pageloom.edges.store.jobs import end_job, open_job
    from pageloom.flows.transfer.import_pages import import_pages

    source = open_import(context, request.source, request.form, user=request.from_user)
    asked = {"source": source.identity, "format": source.form, "tags": request.tags}
    asked |= {"from_user": request.from_user} if request.from_user else {}
    job = open_job(context.store, context.owner, "import", asked, restart=request.restart)
    result = ImportResult(form=source.form)
    with reading_import():
        for page in import_pages(context, source.pages, job=job):
            result.pages.append(page)
            if request.on_result:
                request.on_result(page)
    if save_pages:
        _fetch_missing(context, request, result, save_pages)
    end_job(context.store, job, sum(saved.error is not None for saved in result.fetched))
    return result


def _fetch_missing(
    context: SaveContext, request: ImportRequest, result: ImportResult, save_pages: SavePages
) -> None:
    """Fetch pages that came as a URL only; a failed fetch does not fail the import."""

    def take(saved: SaveResult) -> None:
        result.fetched.append(saved)
        if request.on_result:
            request.on_result(saved)

    bare = [page.url for page in result.pages if page.needs_content]
    if bare:
        save_pages(context, bare, take)


@contextmanager
def reading_import() -> Generator[None]:
    """Turn errors of reading the file into InvalidArgument."""
    try:
        yield
    except OSError as error:
        raise InvalidArgument(f"The import file cannot be read: {why_not(error)}.") from None


def _unclear(path: Path) -> InvalidArgument:
    if is_backup(path):
        return InvalidArgument(
            "This is a backup of a whole library.",
            suggestions=("Restore it with pageloom restore FILE.",),
        )
    return InvalidArgument(
        "The format of this file could not be detected.",
        suggestions=("Give the format with --format.",),
    )


def _fingerprint(path: Path) -> str:
    if path.is_dir():
        return str(path.resolve())
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def replace_websites_table(store: Store) -> None:
    """Replace an older ``websites`` table by a view; the table is kept under another name.

    Raises:
        StorageError: there is no such table.
    """
    from pageloom.edges.store.import_rows import replace_table

    if not replace_table(store):
        raise StorageError("This library has no older table named websites.", retryable=False)
