"""``pageloom rules health``: selectors that no longer match anything."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import load_all
from pageloom.apps.cli.safe import one_line
from pageloom.core.dom import parse
from pageloom.flows.rules.explain import RuleHealth, check_health
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.rules.shared import Directory

_HTML = re.compile(r"\.x?html?$", re.IGNORECASE)


_ADDRESSES = (
    ("link[rel='canonical'][href]", "href"),
    ("meta[property='og:url'][content]", "content"),
)


def health(
    pages: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="A directory of HTML files; default: the library."),
    ] = None,
    *,
    directory: Directory = None,
    url: Annotated[
        str | None, typer.Option("--url", help="The URL of pages that do not state theirs.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find selectors that no longer match anything.

    Rules are applied to stored pages.
    """
    book = load_all(directory).book
    stored = list_files(Path(pages), url or "") if pages else list_library()
    counted = _Counter()
    report = check_health(counted.all(stored), book)
    if as_json:
        print_json({"pages": counted.pages, "rules": [_data(each) for each in report]})
        return
    if not counted.pages:
        print_lines(["There are no pages to look at."])
    for each in report:
        print_lines(_told(each))
    print_lines([f"{counted.pages:,} pages, {len(report)} rules matched some of them"])


class _Counter:
    """Counts what goes by."""

    def __init__(self) -> None:
        self.pages = 0

    def all(self, pages: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        for page in pages:
            self.pages += 1
            yield page


def _data(health: RuleHealth) -> dict[str, object]:
    return {"id": health.id, "pages": health.pages, "dead": health.dead, "found": health.idle}


def _told(health: RuleHealth) -> Iterator[str]:
    state = f"{len(health.dead)} of {len(health.idle)} selectors find nothing"
    yield f"{health.id}: {health.pages:,} pages, {state}"
    for place in health.dead:
        yield f"  {one_line(place, 150)}"


def list_files(place: Path, url: str) -> Iterator[tuple[str, str]]:
    """The HTML files below a directory, each with the address it states."""
    if not place.is_dir():
        raise UsageTrouble(f"There is no directory {one_line(str(place), 80)}.")
    limit = load_settings().extraction.max_content_length
    for path in sorted(place.rglob("*")):
        if _HTML.search(path.name) and path.is_file() and path.stat().st_size <= limit:
            html = path.read_bytes().decode("utf-8", "replace")
            yield _address(html) or url, html


def _address(html: str) -> str:
    tree = parse(html)
    for selector, name in _ADDRESSES:
        element = tree.select_one(selector)
        found = element.attr(name) if element is not None else None
        if found and found.startswith("http"):
            return found
    return ""


def list_library() -> Iterator[tuple[str, str]]:
    """The last original of every page in the library."""
    from pageloom.apps.cli.pages import open_library
    from pageloom.edges.store.bodies import read_body
    from pageloom.edges.store.listing import walk_pages
    from pageloom.edges.store.versions import latest_version
    from pageloom.model.library import WITH_ARCHIVED

    with open_library(None) as library:
        for page in walk_pages(library.store, library.owner, WITH_ARCHIVED):
            last = latest_version(library.store, page)
            body_hash = last.info.body_hash if last else ""
            body = read_body(library.store, page, body_hash) if body_hash else None
            if last is not None and body:
                yield last.document.final_url, body.decode("utf-8", "replace")
