"""Export pages to files: JSON Lines, Markdown, bookmarks, EPUB, HTML, PDF, WARC; add more here."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, TypedDict, get_args

from pageloom.edges.atomic_write import atomic_write
from pageloom.edges.store.base import files_of
from pageloom.errors import InvalidArgument, NotInLibrary, why_not
from pageloom.flows.transfer.backups import refuse_library_file

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.store.base import Store
    from pageloom.edges.store.options import DatabaseOptions
    from pageloom.flows.transfer.markdown_folder import Written
    from pageloom.model import Document
    from pageloom.model.pages import Page

ExportFormat = Literal["markdown", "jsonl", "epub", "bookmarks", "html", "pdf", "warc"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

_ARTICLES = frozenset({"bookmarks", "html", "pdf"})
"""Formats that are meant to carry less."""


class ExportChoices(TypedDict, total=False):
    """Options of an export; see ExportRequest."""

    originals: bool
    title: str
    force: bool
    on_page: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """What to export, and where to."""

    target: str | Path | IO[bytes]
    """A file, a folder (``markdown``), or an open binary file."""
    form: ExportFormat
    originals: bool = False
    """``jsonl``: include the original responses."""
    title: str = "Saved pages"
    """``epub``: the title of the book."""
    force: bool = False
    """Overwrite an existing file."""
    on_page: Callable[[], None] = lambda: None
    """Called after each page."""


@dataclass(slots=True, kw_only=True)
class ExportResult:
    """The result of an export."""

    pages: int
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    """How many pages were left out, by reason: archived, deleted, empty."""
    pictures: int = 0
    """How many kept pictures are in it."""
    not_in_it: dict[str, int] = field(default_factory=dict[str, int])
    """How many files of these pages such an export does not carry: pictures, snapshots."""
    renamed: list[Written] = field(default_factory=list["Written"])
    """Files that got another name, because a foreign file already has theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportContext:
    """What an export needs: the store, and the fetch options for printing PDF."""

    store: Store
    database: DatabaseOptions
    fetch: FetchOptions


def export_pages(
    context: ExportContext, pages: Sequence[Page], request: ExportRequest
) -> ExportResult:
    """Export pages in the requested format; an existing file is replaced atomically.

    Raises:
        InvalidArgument: the target exists, is the library itself, or cannot be written.
        NotInLibrary: there are no pages to export.
    """
    writer = _WRITERS.get(request.form)
    if writer is None:
        raise InvalidArgument(
            f"There is no format {str(request.form)[:40]}.",
            suggestions=(f"Choose one of {', '.join(FORMATS)}.",),
        )
    if isinstance(request.target, str | Path):
        _require_free(context, Path(request.target), force=request.force)
    if not pages:
        raise NotInLibrary("No pages match.")
    result = writer(context, pages, request)
    result.not_in_it = _not_in_it(context, pages, request)
    return result


def _not_in_it(
    context: ExportContext, pages: Sequence[Page], request: ExportRequest
) -> dict[str, int]:
    """What is kept with these pages and is not in such an export, by kind."""
    from pageloom.edges.store.files import count_uses

    kinds = [] if request.form in _ARTICLES else ["snapshots"]
    if request.form == "jsonl" and not request.originals:
        kinds.append("pictures")
    ids = [page.id for page in pages]
    counts = {kind: count_uses(context.store, pages[0].owner, kind, ids) for kind in kinds}
    return {kind: number for kind, number in counts.items() if number}


def _require_free(context: ExportContext, target: Path, *, force: bool) -> None:
    refuse_library_file(context.database, target)
    if target.is_file() and not force:
        raise InvalidArgument(
            f"{target} already exists.",
            suggestions=("Give another file, or overwrite this one with --force.",),
        )


@contextmanager
def _open_target(target: str | Path | IO[bytes]) -> Generator[IO[bytes]]:
    if not isinstance(target, str | Path):
        yield target
        return
    try:
        with atomic_write(Path(target)) as file:
            yield file
    except OSError as error:
        raise InvalidArgument(f"{target} cannot be written: {why_not(error)}.") from None


def _jsonl(context: ExportContext, pages: Sequence[Page], request: ExportRequest) -> ExportResult:
    from pageloom.flows.transfer.export_texts import jsonl_lines

    with _open_target(request.target) as file:
        for line in jsonl_lines(context.store, pages, originals=request.originals):
            file.write(line)
            request.on_page()
    return ExportResult(pages=len(pages))


def _markdown(
    context: ExportContext, pages: Sequence[Page], request: ExportRequest
) -> ExportResult:
    from pageloom.flows.transfer.export_texts import markdown_file
    from pageloom.flows.transfer.markdown_folder import write_markdown_folder

    if not isinstance(request.target, str | Path):
        texts = (markdown_file(context.store, page) for page in pages)
        request.target.write("\n".join(texts).encode())
        return ExportResult(pages=len(pages))
    result = ExportResult(pages=0)
    folder, keep = Path(request.target), files_of(context.database)
    try:
        for written in write_markdown_folder(
            context.store, pages, folder, force=request.force, keep=keep
        ):
            request.on_page()
            result.pages += 1
            result.pictures += written.pictures
            result.renamed += [written] if written.spared else []
    except OSError as error:
        raise InvalidArgument(f"The directory cannot be written: {why_not(error)}.") from None
    return result


def _bookmarks(
    context: ExportContext, pages: Sequence[Page], request: ExportRequest
) -> ExportResult:
    from pageloom.flows.transfer.export_texts import bookmarks_file

    with _open_target(request.target) as file:
        for part in bookmarks_file(context.store, pages):
            file.write(part.encode())
    return ExportResult(pages=len(pages))


def _epub(context: ExportContext, pages: Sequence[Page], request: ExportRequest) -> ExportResult:
    from pageloom.edges.store.files import read_file
    from pageloom.edges.store.pictures import pictures_of
    from pageloom.edges.store.times import now
    from pageloom.flows.transfer.ebooks import make_chapter, write_epub

    chapters = [
        make_chapter(document, pictures_of(context.store, page))
        for page, document in _documents(context, pages)
        if document.html.strip()
    ]
    if not chapters:
        raise NotInLibrary("Nothing was exported: none of the pages has any content.")
    owner = pages[0].owner
    with _open_target(request.target) as file:
        pictures = write_epub(
            file,
            chapters,
            title=request.title,
            made_at=now()[:19] + "Z",
            load=lambda name: read_file(context.store, owner, name),
        )
    empty = len(pages) - len(chapters)
    left_out = {"empty": empty} if empty else {}
    return ExportResult(pages=len(chapters), pictures=pictures, left_out=left_out)


def _html(context: ExportContext, pages: Sequence[Page], request: ExportRequest) -> ExportResult:
    article, pictures = _article(context, pages, "html")
    with _open_target(request.target) as file:
        file.write(article.encode())
    return ExportResult(pages=1, pictures=pictures)


def _pdf(context: ExportContext, pages: Sequence[Page], request: ExportRequest) -> ExportResult:
    from pageloom.flows.blocking import run_blocking
    from pageloom.flows.transfer.ebooks import print_article

    article, pictures = _article(context, pages, "pdf")
    url = pages[0].final_url or pages[0].url_full
    content = run_blocking(lambda: print_article(article, url, context.fetch))
    with _open_target(request.target) as file:
        file.write(content)
    return ExportResult(pages=1, pictures=pictures)


def _article(context: ExportContext, pages: Sequence[Page], form: str) -> tuple[str, int]:
    """The one page as HTML with its kept pictures inside, and their number."""
    from pageloom.edges.store.pictures import read_files
    from pageloom.flows.transfer.ebooks import article_html

    page, document = _only(context, pages, form)
    files = read_files(context.store, page)
    return article_html(document, files), len(files)


def _warc(context: ExportContext, pages: Sequence[Page], request: ExportRequest) -> ExportResult:
    from pageloom.flows.transfer.warc_pages import write_warc

    packed = not str(request.target).endswith(".warc")
    with _open_target(request.target) as file:
        written, empty, pictures = write_warc(
            context.store, pages, file, user_agent=context.fetch.user_agent, packed=packed
        )
    left_out = {"without an original": empty} if empty else {}
    return ExportResult(pages=written, pictures=pictures, left_out=left_out)


def _only(context: ExportContext, pages: Sequence[Page], form: str) -> tuple[Page, Document]:
    found = list(_documents(context, pages[:2]))
    if len(pages) != 1 or not found:
        raise InvalidArgument(f"An export to {form} needs exactly one page with content.")
    return found[0]


def _documents(context: ExportContext, pages: Iterable[Page]) -> Iterator[tuple[Page, Document]]:
    from pageloom.edges.store.versions import latest_version

    found = ((page, latest_version(context.store, page)) for page in pages)
    return ((page, version.document) for page, version in found if version)


_WRITERS: dict[str, Callable[[ExportContext, Sequence[Page], ExportRequest], ExportResult]] = {
    "jsonl": _jsonl,
    "markdown": _markdown,
    "bookmarks": _bookmarks,
    "epub": _epub,
    "html": _html,
    "pdf": _pdf,
    "warc": _warc,
}
"""To add a format: a function of this shape, its name in ``ExportFormat``, and a line here.

The command line takes its formats from ``ExportFormat``.
"""
