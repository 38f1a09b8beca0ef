"""``pageloom watch preview``: a page as a watch would compare it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.flags import Json, User, takes
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_watch, watch_number
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.watch.flags import ScopeFlags, WatchName
from pageloom.views import results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.flows.watch.edit import Preview


@takes(ScopeFlags, "chosen")
def preview(
    name_or_id: WatchName, *, chosen: ScopeFlags, user: User = None, as_json: Json = False
) -> None:
    """Show what a watch would compare and ignore.

    Nothing is saved, nobody is notified. Any URL may be given, watched or not.
    """
    with open_library(user) as library:
        is_number = watch_number(name_or_id) is not None or name_or_id.isdigit()
        page = require_watch(library, name_or_id) if is_number else name_or_id
        preview = library.preview(page, **chosen.choices())
    scope = chosen.scope or (() if isinstance(page, str) else page.settings.scope)
    if as_json:
        print_json(results.preview(preview, scope))
    else:
        print_lines(_lines(preview, scope))


def _lines(preview: Preview, scope: Sequence[str]) -> list[str]:
    document = preview.document
    prices = ", ".join(one_line(price.raw, 30) for price in document.price_candidates[:3])
    where = f"scope {', '.join(scope)}" if scope else "the page's content"
    lines = [
        f"{one_line(document.title, 90)} ({document.word_count:,} words, {safe(where)})",
        *([f"Price: {prices}"] if prices else []),
        "",
        "Compared:",
        *(f"  | {safe(line)}" for line in document.text.splitlines() if line.strip()),
    ]
    if preview.ignored or preview.ignored_text:
        lines += ["", "Ignored:"]
        for text in preview.ignored:
            lines += [f"  - {safe(line)}" for line in text.splitlines() if line.strip()]
        lines += [f"  - {one_line(text, 100)}" for text in preview.ignored_text]
    return lines
