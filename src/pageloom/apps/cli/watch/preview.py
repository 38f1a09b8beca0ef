"""``pageloom watch preview``: a page as a watch would compare it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.watch.flags import Views, Wishes
from pageloom.apps.cli.watch.settings import apply_wishes, default_settings
from pageloom.flows.watch.edit import find_watch, preview_watch
from pageloom.model.watch import WatchSettings

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.flows.watch.edit import Preview
from pageloom.apps.cli.flags import Json, User, takes
from pageloom.apps.cli.watch.flags import WatchName


@takes(Views, "views")
def preview(
    name_or_id: WatchName, *, views: Views, user: User = None, as_json: Json = False
) -> None:
    """Show what a watch would compare and ignore.

    Nothing is saved, nobody is notified.
    """
    wishes = Wishes(**asdict(views))
    with open_library(user) as library:
        if name_or_id.isascii() and name_or_id.isdigit():
            watch = find_watch(library.store, library.owner, name_or_id)
            url, settings = watch.url_full, apply_wishes(wishes, watch.settings)
        else:
            url, settings = name_or_id, apply_wishes(wishes, default_settings(library.settings))
        preview = asyncio.run(_preview(library, url, settings))
    if as_json:
        print_json(_preview_data(preview, settings))
    else:
        print_lines(_preview_lines(preview, settings))


async def _preview(library: Context, url: str, settings: WatchSettings) -> Preview:
    async with library.watch_context() as world:
        return await preview_watch(url, settings, world)


def _preview_data(preview: Preview, settings: WatchSettings) -> dict[str, Any]:
    document = preview.document
    return {
        "success": True,
        "title": document.title,
        "words": document.word_count,
        "selected": document.text,
        "prices": [price.raw for price in document.price_candidates],
        "availability": document.availability,
        "scope": settings.scope,
        "ignored": preview.ignored,
        "ignoredText": preview.ignored_text,
        "usedBrowser": preview.used_browser,
        "decisions": preview.decisions,
    }


def _preview_lines(preview: Preview, settings: WatchSettings) -> list[str]:
    document = preview.document
    prices = ", ".join(one_line(price.raw, 30) for price in document.price_candidates[:3])
    where = f"scope {', '.join(settings.scope)}" if settings.scope else "the page's content"
    lines = [
        f"{one_line(document.title, 90)} ({document.word_count:,} words, {safe(where)})",
        *([f"Price: {prices}"] if prices else []),
        "",
        "Looked at:",
        *(f"  | {safe(line)}" for line in document.text.splitlines() if line.strip()),
    ]
    if preview.ignored or preview.ignored_text:
        lines += ["", "Passed over:"]
        for text in preview.ignored:
            lines += [f"  - {safe(line)}" for line in text.splitlines() if line.strip()]
        lines += [f"  - {one_line(text, 100)}" for text in preview.ignored_text]
    return lines
