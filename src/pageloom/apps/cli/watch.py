"""``pageloom watch``: adding, changing, resting, removing, looking before believing."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.library import open_library, print_json, print_lines
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.apps.cli.watch_flags import Views, Wishes
from pageloom.apps.cli.watch_show import describe_schedule, watch_data
from pageloom.apps.cli.watch_world import hand_over
from pageloom.edges.store.times import now
from pageloom.edges.store.watches import pause_watch, remove_watch
from pageloom.flows.watch.edit import (
    edit_watch,
    find_watch,
    find_watches,
    new_watch,
    preview_watch,
)
from pageloom.flows.watch.schedule import read_length
from pageloom.model.watch import Watch, WatchSettings

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.flows.watch.edit import Preview
    from pageloom.settings import Settings

_LISTS = ("scope", "ignore", "ignore_text", "only_if")


def apply_wishes(wishes: Wishes, settings: WatchSettings) -> WatchSettings:
    """The settings with what was said; an empty value takes a wish back."""
    if wishes.every and wishes.cron:
        raise UsageTrouble("A watch is checked either --every so often or by --cron.")
    lists: dict[str, list[str] | None] = {name: getattr(wishes, name) for name in _LISTS}
    changed: dict[str, Any] = {
        name: tuple(filter(None, value)) for name, value in lists.items() if value is not None
    }
    if wishes.every:
        changed |= {"every": read_length(wishes.every), "cron": ""}
    if wishes.cron:
        changed |= {"cron": wishes.cron, "every": 0}
    plain = {
        "zone": wishes.zone,
        "hours": wishes.hours,
        "jitter": wishes.jitter,
        "stock_back": wishes.stock_back,
        "min_importance": wishes.min_importance,
        "render": wishes.render and str(wishes.render),
        "wait_for": wishes.wait_for,
        "digest_minutes": wishes.digest,
        "template": wishes.template,
        "respect_robots": wishes.robots,
        "targets": None if wishes.to is None else tuple(filter(None, wishes.to)),
        "price_below": _price(wishes.price_below),
    }
    changed |= {name: value for name, value in plain.items() if value is not None}
    if wishes.price_below == 0:
        changed["price_below"] = None
    return replace(settings, **changed)


def _price(given: float | None) -> Decimal | None:
    return None if not given else Decimal(str(given))


def _defaults(settings: Settings) -> WatchSettings:
    return WatchSettings(every=read_length(settings.watch.every), zone=settings.watch.timezone)


def run_add(user: str | None, url: str, wishes: Wishes, *, as_json: bool) -> None:
    """Add a watch."""
    with open_library(user) as library:
        settings = apply_wishes(wishes, _defaults(library.settings))
        means = library.notify_context()
        watch, added = new_watch(
            library.store, library.owner, url, settings, means, name=wishes.name or ""
        )
        if as_json:
            print_json({"success": True, "added": added} | watch_data(watch))
            return
        done = "added" if added else "was there already"
        lines = [f"Watch {watch.id} {done}: {safe(watch.url_full)}, {describe_schedule(watch)}."]
        if added:
            lines.append(f"Check it now with: pageloom check {watch.id}")
        if not settings.targets and not library.settings.notify.targets:
            lines.append("It tells nobody yet: name somebody with --to, or in notify.targets.")
        print_lines(lines)


def run_edit(user: str | None, name: str, wishes: Wishes, *, as_json: bool) -> None:
    """Change a watch."""
    with open_library(user) as library:
        watch = find_watch(library.store, library.owner, name)
        changed = edit_watch(
            library.store,
            watch,
            apply_wishes(wishes, watch.settings),
            library.notify_context(),
            name=watch.name if wishes.name is None else wishes.name,
            at=now(),
        )
        if as_json:
            print_json({"success": True} | watch_data(changed))
        else:
            print_lines([f"Watch {watch.id} changed: {describe_schedule(changed)}."])


def run_pause(user: str | None, names: list[str], *, paused: bool, as_json: bool) -> None:
    """Let watches rest, or take them up again."""
    with open_library(user) as library:
        found = _all(library, names)
        for watch in found:
            pause_watch(library.store, watch, paused=paused)
        _say(found, "paused" if paused else "resumed", as_json=as_json)


def run_remove(user: str | None, names: list[str], *, as_json: bool) -> None:
    """Forget watches."""
    with open_library(user) as library:
        found = _all(library, names)
        for watch in found:
            remove_watch(library.store, watch)
        _say(found, "removed", as_json=as_json)


def _all(library: Context, names: list[str]) -> list[Watch]:
    found = [watch for name in names for watch in find_watches(library.store, library.owner, name)]
    return list({watch.id: watch for watch in found}.values())


def _say(found: list[Watch], done: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"success": True, done: [watch.id for watch in found]})
    else:
        print_lines(f"Watch {watch.id} {done}: {safe(watch.url_full)}" for watch in found)


def run_unmute(user: str | None, name: str, keys: list[str], *, as_json: bool) -> None:
    """Let muted parts of a page count again."""
    from pageloom.flows.watch.mutes import unmute_blocks

    with open_library(user) as library:
        watch = find_watch(library.store, library.owner, name)
        unmuted = unmute_blocks(library.store, watch, keys)
        if as_json:
            print_json({"success": True, "unmuted": unmuted})
        else:
            print_lines([f"{len(unmuted)} parts count again from the next check on."])


def run_preview(user: str | None, name: str, views: Views, *, as_json: bool) -> None:
    """Look at a page as a watch would."""
    wishes = Wishes(**asdict(views))
    with open_library(user) as library:
        if name.isascii() and name.isdigit():
            watch = find_watch(library.store, library.owner, name)
            url, settings = watch.url_full, apply_wishes(wishes, watch.settings)
        else:
            url, settings = name, apply_wishes(wishes, _defaults(library.settings))
        preview = asyncio.run(_preview(library, url, settings))
    if as_json:
        print_json(_preview_data(preview, settings))
    else:
        print_lines(_preview_lines(preview, settings))


async def _preview(library: Context, url: str, settings: WatchSettings) -> Preview:
    async with library.watch_context(hand_over(library.settings)) as world:
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
