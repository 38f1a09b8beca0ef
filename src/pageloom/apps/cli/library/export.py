"""``pageloom export``: pages for other programs, or for reading elsewhere."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Json, User, takes
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.page_flags import ChosenAnywhere
from pageloom.apps.cli.pages import open_library, require_pages, spare_library
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import safe
from pageloom.edges.atomic_write import atomic_write
from pageloom.edges.store.base import files_of
from pageloom.edges.store.listing import count_pages, walk_pages
from pageloom.errors import NotInLibrary, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from pageloom.context import Context
    from pageloom.flows.transfer.markdown_folder import Written
    from pageloom.model import Document
    from pageloom.model.library import Filters, Page

_MOST_TOLD = 10


class Export(StrEnum):
    """What ``export`` writes."""

    markdown = "markdown"
    jsonl = "jsonl"
    epub = "epub"
    bookmarks = "bookmarks"
    html = "html"
    pdf = "pdf"


@dataclass(frozen=True, kw_only=True)
class ExportFlags(ChosenAnywhere):
    """The flags of ``export``."""

    form: Annotated[
        Export, typer.Argument(metavar="FORMAT", help="markdown, jsonl, epub, bookmarks, html, pdf")
    ]
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A file, a folder for markdown, or -.")
    ]
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PAGE…]", help="Only these pages; default: all that match."),
    ] = None
    originals: Annotated[
        bool, typer.Option("--originals", help="jsonl: include the original HTML.")
    ] = False
    title: Annotated[str, typer.Option("--title", help="epub: the title of the book.")] = (
        "Saved pages"
    )
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that Pageloom did not write.")
    ] = False
    user: User = None
    as_json: Json = False


@takes(ExportFlags)
def export(*, flags: ExportFlags) -> None:
    """Write pages as Markdown, JSON lines, EPUB and more.

    markdown: a folder of files with frontmatter, ready for Obsidian. jsonl: everything, with all
    versions. epub: a book. bookmarks: for browsers. html, pdf: one clean article.
    """
    is_all = flags.everything or (flags.form is Export.jsonl and not flags.archived)
    run_export(
        ExportRequest(
            form=flags.form.value,
            target="-" if flags.target == "/dev/stdout" else flags.target,
            names=tuple(flags.names or ()),
            filters=flags.filters(everything=is_all),
            originals=flags.originals,
            title=flags.title,
            force=flags.force,
            user=flags.user,
            as_json=flags.as_json,
        )
    )


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


@dataclass(slots=True, kw_only=True)
class _Outcome:
    """What came of it."""

    pages: int
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    """How many pages were not written, by what they are."""
    spared: list[Written] = field(default_factory=list["Written"])
    """Files that are under another name, for one of others had theirs."""


def run_export(request: ExportRequest) -> None:
    """Write pages in a format of others."""
    with open_library(request.user) as library:
        _require_target(library, request)
        named = {page.id: page for page in require_pages(library, request.names)}
        pages = list(named.values())
        left_out: dict[str, int] = {}
        if not request.names:
            pages = list(walk_pages(library.store, library.owner, request.filters))
            left_out = _left_out(library, request)
        if not pages:
            raise NotInLibrary(" ".join(("No pages match.", *_advice(left_out))))
        outcome = _WRITERS[request.form](library, pages, request)
    outcome.left_out |= left_out
    _tell(request, outcome)


def _require_target(library: Context, request: ExportRequest) -> None:
    target = Path(request.target)
    spare_library(library, target)
    if target.is_file() and not request.force:
        raise UsageTrouble(
            f"{request.target} is there already.",
            suggestions=("Add --force to write over it, or name another file.",),
        )


def _left_out(library: Context, request: ExportRequest) -> dict[str, int]:
    """How many pages would match but for their state, which nobody asked about."""
    others: dict[str, Filters] = {}
    if request.filters.archived == "no":
        others["archived"] = replace(request.filters, archived="only")
    if request.form == "jsonl" and request.filters.deleted == "no":
        others["deleted"] = replace(request.filters, deleted="only")
    counted = {name: count_pages(library.store, library.owner, one) for name, one in others.items()}
    return {name: number for name, number in counted.items() if number}


_REMEDIES = {"archived": "--all takes them along", "deleted": "--deleted writes them"}


def _advice(left_out: dict[str, int]) -> tuple[str, ...]:
    """What was not written, and what would write it."""
    return tuple(
        f"Left out: {count(number, f'{name} page')}"
        + (f"; {_REMEDIES[name]}." if name in _REMEDIES else ".")
        for name, number in left_out.items()
    )


def _tell(request: ExportRequest, outcome: _Outcome) -> None:
    """On standard output, unless the pages went there."""
    target = Path(request.target)
    if request.as_json:
        told: dict[str, Any] = {"format": request.form, "target": request.target}
        told |= {"pages": outcome.pages, "left_out": outcome.left_out}
        told |= {"spared": [one.spared for one in outcome.spared]}
        print_json(told, sys.stderr if request.target == "-" else sys.stdout)
        return
    if target.is_file() or target.is_dir():  # not into a stream
        print_lines([f"Wrote {count(outcome.pages, 'page')}: {safe(request.target)}"])
    for line in (*_advice(outcome.left_out), *_renamed(outcome.spared)):
        print(line, file=sys.stderr)


def _renamed(spared: list[Written]) -> list[str]:
    """Which files of others were met, and where the pages are instead."""
    lines = [
        f"{safe(one.spared)} is not ours and stays; its page is in {safe(one.name)}."
        for one in spared[:_MOST_TOLD]
    ]
    more = len(spared) - len(lines)
    return [*lines, f"So it is with {count(more, 'more page')}."] if more > 0 else lines


@contextmanager
def _open_target(target: str) -> Generator[IO[bytes]]:
    """The file to write; a file that is there is replaced only by a whole one."""
    if target == "-":
        yield sys.stdout.buffer
        return
    try:
        with atomic_write(Path(target)) as file:
            yield file
    except OSError as error:
        raise UsageTrouble(f"{target} cannot be written: {why_not(error)}.") from None


def _write_jsonl(library: Context, pages: list[Page], request: ExportRequest) -> _Outcome:
    from pageloom.flows.transfer.export_formats import jsonl_lines

    with _open_target(request.target) as file, _bar(pages, request) as advance:
        for line in jsonl_lines(library.store, pages, originals=request.originals):
            file.write(line)
            advance()
    return _Outcome(pages=len(pages))


def _write_markdown(library: Context, pages: list[Page], request: ExportRequest) -> _Outcome:
    from pageloom.flows.transfer.export_formats import markdown_file
    from pageloom.flows.transfer.markdown_folder import write_markdown_folder

    if request.target == "-":
        sys.stdout.buffer.write(
            "\n".join(markdown_file(library.store, one) for one in pages).encode()
        )
        return _Outcome(pages=len(pages))
    outcome = _Outcome(pages=0)
    folder, keep = Path(request.target), files_of(library.settings.database)
    with _bar(pages, request) as advance:
        try:
            for written in write_markdown_folder(
                library.store, pages, folder, force=request.force, keep=keep
            ):
                advance()
                outcome.pages += 1
                outcome.spared += [written] if written.spared else []
        except OSError as error:
            raise UsageTrouble(f"The folder cannot be written: {why_not(error)}.") from None
    return outcome


def _write_bookmarks(library: Context, pages: list[Page], request: ExportRequest) -> _Outcome:
    from pageloom.flows.transfer.export_formats import bookmarks_file

    with _open_target(request.target) as file:
        for part in bookmarks_file(library.store, pages):
            file.write(part.encode())
    return _Outcome(pages=len(pages))


def _write_epub(library: Context, pages: list[Page], request: ExportRequest) -> _Outcome:
    from pageloom.edges.store.times import now
    from pageloom.flows.transfer.ebooks import make_chapter, write_epub

    chapters = [make_chapter(one) for one in _documents(library, pages) if one.html.strip()]
    if not chapters:
        raise NotInLibrary("There is nothing to write: none of the pages has content.")
    with _open_target(request.target) as file:
        write_epub(file, chapters, title=request.title, made_at=now()[:19] + "Z")
    empty = len(pages) - len(chapters)
    return _Outcome(pages=len(chapters), left_out={"empty": empty} if empty else {})


def _write_html(library: Context, pages: list[Page], request: ExportRequest) -> _Outcome:
    from pageloom.flows.transfer.ebooks import article_html

    document = _only(library, pages, "html")
    with _open_target(request.target) as file:
        file.write(article_html(document).encode())
    return _Outcome(pages=1)


def _write_pdf(library: Context, pages: list[Page], request: ExportRequest) -> _Outcome:
    import asyncio

    from pageloom.flows.transfer.print_pdf import article_pdf

    document = _only(library, pages, "pdf")
    content = asyncio.run(article_pdf(document, library.settings.fetch))
    with _open_target(request.target) as file:
        file.write(content)
    return _Outcome(pages=1)


def _only(library: Context, pages: list[Page], form: str) -> Document:
    documents = list(_documents(library, pages[:2]))
    if len(pages) != 1 or not documents:
        raise UsageTrouble(f"export {form} takes one page that has content; name it.")
    return documents[0]


def _documents(library: Context, pages: Iterable[Page]) -> Iterator[Document]:
    from pageloom.edges.store.versions import latest_version

    found = (latest_version(library.store, page) for page in pages)
    return (one.document for one in found if one)


def _bar(pages: list[Page], request: ExportRequest) -> Any:
    quiet = request.as_json or request.target == "-"
    return show_progress("exporting", len(pages), quiet=quiet)


_WRITERS: dict[str, Callable[[Context, list[Page], ExportRequest], _Outcome]] = {
    "jsonl": _write_jsonl,
    "markdown": _write_markdown,
    "bookmarks": _write_bookmarks,
    "epub": _write_epub,
    "html": _write_html,
    "pdf": _write_pdf,
}
