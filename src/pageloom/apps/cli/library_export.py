"""``pageloom export``: pages for other programs, or for reading elsewhere."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pageloom.apps.cli.library import (
    Library,
    count,
    open_library,
    print_json,
    print_lines,
    require_pages,
)
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.edges.store.listing import Filters, walk_pages
from pageloom.edges.whole_file import open_whole
from pageloom.errors import NotInLibrary, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from pageloom.edges.store.pages import Page
    from pageloom.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """What was asked for on the command line."""

    form: str
    target: str
    names: tuple[str, ...] = ()
    filters: Filters
    originals: bool = False
    title: str = "Saved pages"
    force: bool = False
    user: str | None = None
    as_json: bool = False


def run_export(request: ExportRequest) -> None:
    """Write pages in a format of others."""
    if Path(request.target).is_file() and not request.force:
        raise UsageTrouble(
            f"{request.target} is there already.",
            suggestions=("Add --force to write over it, or name another file.",),
        )
    with open_library(request.user) as library:
        named = require_pages(library, request.names)
        pages = named or list(walk_pages(library.store, library.owner, request.filters))
        if not pages:
            raise NotInLibrary("No pages match.")
        written = _WRITERS[request.form](library, pages, request)
    if request.as_json:
        print_json({"format": request.form, "target": request.target, "pages": written})
    elif Path(request.target).is_file() or Path(request.target).is_dir():  # not into a stream
        print_lines([f"Wrote {count(written, 'page')}: {safe(request.target)}"])


@contextmanager
def _open_target(target: str) -> Generator[IO[bytes]]:
    """The file to write; a file that is there is replaced only by a whole one."""
    if target == "-":
        yield sys.stdout.buffer
        return
    try:
        with open_whole(Path(target)) as file:
            yield file
    except OSError as error:
        raise UsageTrouble(f"{target} cannot be written: {why_not(error)}.") from None


def _write_jsonl(library: Library, pages: list[Page], request: ExportRequest) -> int:
    from pageloom.flows.exporting import jsonl_lines

    with _open_target(request.target) as file, _bar(pages, request) as advance:
        for line in jsonl_lines(library.store, pages, originals=request.originals):
            file.write(line)
            advance()
    return len(pages)


def _write_markdown(library: Library, pages: list[Page], request: ExportRequest) -> int:
    from pageloom.flows.exporting import markdown_file, write_markdown_folder

    if request.target == "-":
        sys.stdout.buffer.write(
            "\n".join(markdown_file(library.store, one) for one in pages).encode()
        )
        return len(pages)
    with _bar(pages, request) as advance:
        try:
            for _ in write_markdown_folder(library.store, pages, Path(request.target)):
                advance()
        except OSError as error:
            raise UsageTrouble(f"The folder cannot be written: {why_not(error)}.") from None
    return len(pages)


def _write_bookmarks(library: Library, pages: list[Page], request: ExportRequest) -> int:
    from pageloom.flows.exporting import bookmarks_file

    with _open_target(request.target) as file:
        for part in bookmarks_file(library.store, pages):
            file.write(part.encode())
    return len(pages)


def _write_epub(library: Library, pages: list[Page], request: ExportRequest) -> int:
    from pageloom.edges.store.times import now
    from pageloom.flows.books import make_chapter, write_epub

    chapters = [make_chapter(document) for document in _documents(library, pages)]
    with _open_target(request.target) as file:
        write_epub(file, chapters, title=request.title, made_at=now()[:19] + "Z")
    return len(chapters)


def _write_html(library: Library, pages: list[Page], request: ExportRequest) -> int:
    from pageloom.flows.books import article_html

    document = _only(library, pages, "html")
    with _open_target(request.target) as file:
        file.write(article_html(document).encode())
    return 1


def _write_pdf(library: Library, pages: list[Page], request: ExportRequest) -> int:
    import asyncio

    from pageloom.flows.printing import article_pdf

    document = _only(library, pages, "pdf")
    content = asyncio.run(article_pdf(document, library.settings.fetch))
    with _open_target(request.target) as file:
        file.write(content)
    return 1


def _only(library: Library, pages: list[Page], form: str) -> Document:
    documents = list(_documents(library, pages[:2]))
    if len(pages) != 1 or not documents:
        raise UsageTrouble(f"export {form} takes one page that has content; name it.")
    return documents[0]


def _documents(library: Library, pages: Iterable[Page]) -> Iterator[Document]:
    from pageloom.edges.store.versions import latest_version

    found = (latest_version(library.store, page.id) for page in pages)
    return (one.document for one in found if one)


def _bar(pages: list[Page], request: ExportRequest) -> Any:
    quiet = request.as_json or request.target == "-"
    return show_progress("exporting", len(pages), quiet=quiet)


_WRITERS: dict[str, Callable[[Library, list[Page], ExportRequest], int]] = {
    "jsonl": _write_jsonl,
    "markdown": _write_markdown,
    "bookmarks": _write_bookmarks,
    "epub": _write_epub,
    "html": _write_html,
    "pdf": _write_pdf,
}
