"""``pageloom read`` and ``pageloom open``: one page of the library."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.library import (
    open_library,
    page_data,
    print_json,
    print_lines,
    require_page,
)
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.edges.store.page_state import mark_opened
from pageloom.edges.store.tags import notes_of, tags_of
from pageloom.edges.store.versions import latest_version, version
from pageloom.errors import NotInLibrary

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.context import Context
    from pageloom.model import Document
    from pageloom.model.library import Page


def run_read(
    user: str | None, name: str, *, number: int | None, form: str | None, as_json: bool
) -> None:
    """Show one page, and remember that it was opened."""
    with open_library(user) as library:
        page = require_page(library, name)
        document = _document(library, page, number)
        tags = tags_of(library.store, page)
        notes = notes_of(library.store, page)
        mark_opened(library.store, library.owner, page.id)
    if as_json or form == "json":
        from dataclasses import asdict

        print_json(
            page_data(page, tags=tags, notes=[asdict(note) for note in notes])
            | {"document": document.to_dict()}
        )
        return
    chosen = form or ("pretty" if sys.stdout.isatty() else "markdown")
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


def run_open(user: str | None, name: str, *, show: bool, as_json: bool = False) -> None:
    """Open the page's own address in the user's browser."""
    with open_library(user) as library:
        page = require_page(library, name)
        mark_opened(library.store, library.owner, page.id)
    url = page.final_url or page.url
    if not url.startswith(("https://", "http://")):
        raise UsageTrouble("This page has no web address to open.")
    opened = False
    if not show:
        import webbrowser

        opened = webbrowser.open(url)
    if as_json:
        print_json({"id": page.id, "url": url, "opened": opened})
    elif not opened:
        print_lines([safe(url)])
