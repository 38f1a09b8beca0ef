"""``pageloom read``: one page of the library."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.flags import (
    LARGEST,
    takes,
)
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, page_data, require_page
from pageloom.apps.cli.safe import one_line, safe
from pageloom.edges.store.page_state import mark_opened
from pageloom.edges.store.tags import notes_of, tags_of
from pageloom.edges.store.versions import latest_version, version
from pageloom.errors import NotInLibrary

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.context import Context
    from pageloom.model import Document
    from pageloom.model.library import Page
from dataclasses import dataclass

from pageloom.apps.cli.flags import Common
from pageloom.apps.cli.invocation import note_format


class Form(StrEnum):
    """What ``read`` may print."""

    pretty = "pretty"
    markdown = "markdown"
    text = "text"
    html = "html"
    json = "json"


@dataclass(frozen=True, kw_only=True)
class ReadFlags(Common):
    """The flags of ``read``."""

    page: PageName
    version: Annotated[
        int | None,
        typer.Option("--version", "-v", min=1, max=LARGEST, help="Read this older version."),
    ] = None
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            "-f",
            callback=note_format,
            help="Default: pretty on a terminal, otherwise markdown.",
        ),
    ] = None


@takes(ReadFlags)
def read(*, flags: ReadFlags) -> None:
    """Read a page; it is then marked as read."""
    with open_library(flags.user) as library:
        page = require_page(library, flags.page)
        document = _document(library, page, flags.version)
        tags = tags_of(library.store, page)
        notes = notes_of(library.store, page)
        mark_opened(library.store, library.owner, page.id)
    if flags.as_json or flags.form is Form.json:
        from dataclasses import asdict

        print_json(
            page_data(page, tags=tags, notes=[asdict(note) for note in notes])
            | {"document": document.to_dict()}
        )
        return
    chosen = flags.form or ("pretty" if sys.stdout.isatty() else "markdown")
    _FORMS[chosen](page, document, tags)
    if chosen == "pretty":
        print_lines([f"note {note.id}: {one_line(note.text, 200)}" for note in notes])


def _document(library: Context, page: Page, number: int | None) -> Document:
    if number is None:
        found = latest_version(library.store, page)
    else:
        found = version(library.store, page, number)
    if found is None:
        what = "nothing to read yet" if number is None else f"no version {number}, or it was let go"
        raise NotInLibrary(
            f"Page {page.id} has {what}.", suggestions=(f"See pageloom history {page.id}",)
        )
    return found.document


def _as_markdown(page: Page, document: Document, tags: tuple[str, ...]) -> None:
    from pageloom.core.render.frontmatter import markdown_page

    print_lines([safe(markdown_page(document, page.saved_at, tags)).rstrip("\n")])


def _pretty(_page: Page, document: Document, _tags: tuple[str, ...]) -> None:
    from pageloom.apps.cli.show import show_document

    show_document(document)


_FORMS: dict[str, Callable[[Any, Any, Any], None]] = {
    "pretty": _pretty,
    "markdown": _as_markdown,
    "text": lambda _page, document, _tags: print_lines([safe(document.text)]),
    "html": lambda _page, document, _tags: print_lines([safe(document.html)]),
}
