"""``pageloom rules health``: selectors that no longer match anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Json, Rules
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.rules.shared import load_all
from pageloom.apps.cli.safe import one_line
from pageloom.context import open_context
from pageloom.flows.rules.explain import RuleHealth, check_health, html_files, library_originals
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator


def health(
    pages: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="A directory of HTML files; default: the library."),
    ] = None,
    *,
    directory: Rules = None,
    url: Annotated[
        str | None, typer.Option("--url", help="The URL for pages whose HTML does not state one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find selectors that no longer match anything.

    Rules are applied to stored pages.
    """
    book = load_all(directory).book
    stored = _files(Path(pages), url or "") if pages else _stored_pages()
    counted = _Counter()
    report = check_health(counted.all(stored), book)
    if as_json:
        items = [_data(each) for each in report]
        print_json({"success": True, "pages": counted.pages, "items": items})
        return
    if not counted.pages:
        print_lines(["There are no pages to apply rules to."])
    for each in report:
        print_lines(_lines(each))
    matched = f"{count(len(report), 'rule')} matched at least one of them"
    print_lines([f"{count(counted.pages, 'page')}, {matched}"])


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


def _lines(health: RuleHealth) -> Iterator[str]:
    state = f"{len(health.dead)} of {len(health.idle)} selectors match nothing"
    yield f"{health.id}: {count(health.pages, 'page')}, {state}"
    for place in health.dead:
        yield f"  {one_line(place, 150)}"


def _stored_pages() -> Iterator[tuple[str, str]]:
    with open_context() as context:
        yield from library_originals(context.store, context.owner)


def _files(place: Path, url: str) -> Iterator[tuple[str, str]]:
    if not place.is_dir():
        raise UsageTrouble(f"Directory {one_line(str(place), 80)} does not exist.")
    return html_files(place, url, load_settings().extraction.max_content_length)
