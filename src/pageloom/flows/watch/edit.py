"""Watches as their owners speak of them: added, changed, and looked at before they are believed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypedDict, cast
from urllib.parse import urlsplit

from pageloom.core.normalize.urls import url_key
from pageloom.edges.fetch.guard import Guard
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.edges.notify.template import check_template
from pageloom.edges.store.sources import source_of
from pageloom.edges.store.watches import add_watch, change_watch, get_watch, watches_of
from pageloom.errors import InvalidUrl, NoContentFound, NotInLibrary, PageloomError, SettingsError
from pageloom.flows.capture.acquire import acquire
from pageloom.flows.capture.extract import extract
from pageloom.flows.notify.deliver import NotifyContext, check_target
from pageloom.flows.watch.policy import check_patterns, masked, matches
from pageloom.flows.watch.schedule import (
    LONGEST,
    SHORTEST,
    check_schedule,
    read_length,
    schedule_of,
)
from pageloom.flows.watch.visual import read_region, require_visual
from pageloom.model.watch import NewWatch, Watch, WatchSettings, track_of
from pageloom.views.records import watch_differences, watch_ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.options import Options
    from pageloom.edges.store.base import Store
    from pageloom.flows.transfer.portable_page import PortableWatch
    from pageloom.flows.watch.context import CheckContext, WatchContext
    from pageloom.flows.watch.options import WatchOptions
    from pageloom.model import Document
    from pageloom.model.capture import Capture, RenderMode

_LISTS = {"scope", "ignore", "ignore_text", "only_if", "targets", "visual_ignore"}


class WatchChoices(TypedDict, total=False):
    """The settings of a watch; those that are left out, or None, stay as they are."""

    every: str | int | None
    """How often: ``6h``, ``1d``, or seconds."""
    cron: str | None
    """Or when: minute, hour, day, month, weekday."""
    zone: str | None
    """The time zone of ``cron`` and ``hours``, such as ``Europe/Vienna``."""
    hours: str | None
    """Only then: ``08:00-18:00``, ``mon-fri 08:00-18:00``."""
    jitter: int | None
    """Seconds by which a cron time may be late, at most."""
    scope: Sequence[str] | None
    """Selectors (CSS, or ``xpath:…``) of the parts to compare."""
    ignore: Sequence[str] | None
    """Selectors of parts to ignore."""
    ignore_text: Sequence[str] | None
    """Regular expressions of text to ignore."""
    only_if: Sequence[str] | None
    """Notify only when new text matches one of these regular expressions."""
    price_below: Decimal | float | None
    """Notify only when the price falls below it; 0 takes the condition back."""
    stock_back: bool | None
    """Notify only when the product is back in stock."""
    min_importance: float | None
    """Notify only of changes at least so important, from 0 to 1."""
    render: RenderMode | None
    """Whether the page is shown in a browser."""
    wait_for: str | None
    """A selector that the browser waits for."""
    visual: bool | None
    """Whether screenshots are compared too."""
    visual_threshold: float | None
    """The percentage of the page's area that has to look different."""
    visual_ignore: Sequence[str] | None
    """Regions of the screenshot that are ignored: ``left,top,width,height`` in pixels."""
    targets: Sequence[str] | None
    """Where notices go: ``console``, ``mailto:…``, ``feed:NAME``, a webhook's URL …"""
    digest_minutes: float | None
    """Collect notices for so long and send them as one."""
    subject: str | None
    """A template for the title of notices, which is the subject of an e-mail."""
    template: str | None
    """A template for their text."""
    respect_robots: bool | None
    """Whether robots.txt is obeyed."""


def default_settings(options: WatchOptions) -> WatchSettings:
    """The settings of a watch whose owner says nothing."""
    return WatchSettings(every=read_length(options.every), zone=options.timezone)


def choices_of_other(found: PortableWatch) -> WatchChoices:
    """The settings of another program's watch, as choices; what it leaves open stays open."""
    names = ("hours", "zone", "scope", "ignore", "ignore_text", "only_if", "targets", "render")
    chosen: dict[str, Any] = {name: getattr(found, name) for name in names}
    chosen["every"] = min(max(found.every, SHORTEST), LONGEST) if found.every else 0
    kept: Any = {name: value for name, value in chosen.items() if value}
    return cast("WatchChoices", kept)


def choose(settings: WatchSettings, choices: WatchChoices) -> WatchSettings:
    """The settings with these choices made; an empty value takes an earlier choice back.

    Raises:
        SettingsError: choices that contradict each other, or a name that no setting has.
    """
    given: dict[str, Any] = {name: value for name, value in choices.items() if value is not None}
    if unknown := given.keys() - WatchSettings.__dataclass_fields__.keys():
        raise SettingsError(f"A watch has no setting {min(unknown)}.")
    if given.get("every") and given.get("cron"):
        raise SettingsError(
            "A watch has either an interval (every) or a cron expression, not both."
        )
    every, cron = given.pop("every", None), given.pop("cron", None)
    if every:
        given |= {"every": every if isinstance(every, int) else read_length(every), "cron": ""}
    elif cron:
        given |= {"every": 0, "cron": cron}
    for name in given.keys() & _LISTS:
        value = given[name]
        given[name] = tuple(filter(None, (value,) if isinstance(value, str) else value))
    if "price_below" in given:
        price = given["price_below"]
        given["price_below"] = Decimal(str(price)) if price else None
    return replace(settings, **given)


_SELECTORS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a watch would look at."""

    document: Document
    """What is compared: the chosen part, without what is ignored."""
    ignored: tuple[str, ...] = ()
    """The texts of the ignored parts."""
    ignored_text: tuple[str, ...] = ()
    """What the patterns ignore."""
    used_browser: bool = False
    decisions: tuple[str, ...] = ()


def check_settings(settings: WatchSettings, means: NotifyContext) -> WatchSettings:
    """The settings themselves, if they can be followed.

    Raises:
        SettingsError: they cannot; the sentence says which.
    """
    check_schedule(schedule_of(settings))
    _check_selectors((*settings.scope, *settings.ignore))
    check_patterns((*settings.ignore_text, *settings.only_if))
    for template in (settings.subject, settings.template):
        check_template(template)
    for target in settings.targets:
        check_target(target, means)
    if settings.price_below is not None and settings.price_below <= 0:
        raise SettingsError("The price to fall below (price_below) must be greater than 0.")
    if settings.visual:
        require_visual()
        if settings.render == "never":
            raise SettingsError("--visual needs a browser; leave out --render never.")
    for region in settings.visual_ignore:
        read_region(region)
    if not 0 < settings.visual_threshold <= 100:
        raise SettingsError("--visual-threshold must be greater than 0 and at most 100.")
    if not 0 <= settings.min_importance <= 1:
        raise SettingsError("The least importance (min_importance) must be between 0 and 1.")
    return settings


def _check_selectors(selectors: tuple[str, ...]) -> None:
    if len(selectors) > _SELECTORS:
        raise SettingsError(f"A watch may have at most {_SELECTORS} selectors.")
    if not selectors:
        return
    try:
        extract("<p>.</p>", rules=None, options={"scope": list(selectors)})
    except NoContentFound:
        return  # nothing on this page, but every one of them is a selector


def new_watch(
    store: Store,
    owner: str,
    url: str,
    settings: WatchSettings,
    means: NotifyContext,
    *,
    name: str = "",
) -> tuple[Watch, bool]:
    """Add a watch; the one that was there, and False, for the same page and the same scope.

    Raises:
        InvalidUrl: not an http(s) URL.
        FetchError: a private or local address.
        SettingsError: settings that cannot be followed.
    """
    target = Guard(means.fetch.allowed_hosts).check(url)
    check_settings(settings, means)
    new = NewWatch(
        owner=owner,
        url=url_key(url),
        url_full=target.url + _hash_bang(url),
        host=target.host,
        track=track_of(settings.scope, settings.ignore),
        name=name,
        settings=settings,
    )
    return add_watch(store, new)


def require_same(watch: Watch, wanted: Watch) -> None:
    """What was asked for must be what the watch that is there has: it is not changed by the way.

    Raises:
        SettingsError: it differs; the message says in what.
    """
    different = watch_differences(watch, wanted)
    if not different:
        return
    named = "; ".join(f"{each.setting} is {each.before}, not {each.after}" for each in different)
    raise SettingsError(
        f"This page already has watch {watch_ref(watch.id)}, with other settings: {named}.",
        suggestions=(f"Change it with pageloom watch edit {watch_ref(watch.id)} and these flags.",),
    )


def _hash_bang(url: str) -> str:
    """Routes behind ``#!`` are part of a URL; other fragments never reach a server."""
    fragment = urlsplit(url).fragment
    return f"#{fragment}" if fragment.startswith("!") else ""


def edit_watch(
    store: Store, watch: Watch, settings: WatchSettings, means: NotifyContext, *, name: str, at: str
) -> Watch:
    """Change the settings of a watch; it is due at once, and its baseline stays."""
    check_settings(settings, means)
    # A page that was looked at as a whole gets a track of its own when a part of it is chosen, and
    # keeps it when another part is; looked at as a whole again, it goes on where it was.
    own = track_of(settings.scope, settings.ignore)
    track = own and (watch.track or own)
    if track != watch.track and any(
        w.track == track for w in watches_of(store, watch.owner, watch.url)
    ):
        raise SettingsError("This page already has a watch with the same scope.")
    change_watch(store, watch, settings=settings, name=name, next_due=at, track=track)
    found = get_watch(store, watch.owner, watch.id)
    if found is None:
        raise NotInLibrary(f"Watch {watch.id} was removed.")
    return found


def find_watches(store: Store, owner: str, name: str) -> list[Watch]:
    """The watches that a person means: one by its number, or all of a URL.

    Raises:
        NotInLibrary: there are none.
    """
    if name.isascii() and name.isdigit() and len(name) < 18:
        found = get_watch(store, owner, int(name))
        watches = [found] if found else []
    else:
        try:
            watches = watches_of(store, owner, url_key(name))
        except InvalidUrl:
            watches = []
    if not watches:
        raise NotInLibrary(
            f"There is no watch {name[:200]}.",
            suggestions=("List the watches with pageloom watch list.",),
        )
    return watches


def find_watch(store: Store, owner: str, name: str) -> Watch:
    """The one watch that a person means.

    Raises:
        NotInLibrary: there is none.
        SettingsError: there are several.
    """
    found = find_watches(store, owner, name)
    if len(found) > 1:
        numbers = ", ".join(str(watch.id) for watch in found)
        raise SettingsError(
            "This page has several watches.",
            suggestions=(f"Give the number of one of them: {numbers}.",),
        )
    return found[0]


async def preview_watch(
    url: str, settings: WatchSettings, context: WatchContext, owner: str
) -> Preview:
    """Look at a page as a watch would, and keep nothing.

    Raises:
        PageloomError: the page cannot be fetched, or nothing on it is in the scope.
    """
    captured = await capture_for_preview(url, settings, context, owner)
    options = replace(context.extraction, scope=settings.scope, ignore=settings.ignore)
    return show_preview(captured, url, settings, options)


async def capture_for_preview(
    url: str, settings: WatchSettings, context: WatchContext, owner: str
) -> Capture:
    """Fetch a page as a watch with these settings would.

    Raises:
        PageloomError: the page cannot be fetched, or nothing on it is in the scope.
    """
    context = await asyncio.to_thread(context.for_owner, owner)
    options = replace(context.extraction, scope=settings.scope, ignore=settings.ignore)
    return await acquire(
        FetchRequest(url=url, respect_robots=settings.respect_robots),
        fetcher=context.fetcher,
        rules=context.rules,
        options=options,
        render=settings.render,
        rendering=Rendering(wait_for=settings.wait_for),
        source=await asyncio.to_thread(source_of, context.store, owner, url),
    )


def read_for_preview(
    captured: Capture, url: str, settings: WatchSettings, context: CheckContext
) -> Preview:
    """The same page under other settings, without fetching it again.

    Raises:
        PageloomError: nothing on it is in the scope.
    """
    options = replace(context.extraction, scope=settings.scope, ignore=settings.ignore)
    document = extract(
        captured.body or b"",
        captured.document.final_url or url,
        content_type=captured.content_type or None,
        rules=context.rules,
        options=options,
        timeout_ms=options.parse_timeout_ms,
    )
    return show_preview(replace(captured, document=document), url, settings, options)


def show_preview(captured: Capture, url: str, settings: WatchSettings, options: Options) -> Preview:
    """What of a fetched page is compared, and what is ignored."""
    document = captured.document
    found = [hit for pattern in settings.ignore_text for hit in matches(pattern, document.text)]
    return Preview(
        document=masked(document, settings.ignore_text),
        ignored=_ignored(captured.body or b"", url, settings, options),
        ignored_text=tuple(found[:100]),
        used_browser=captured.used_browser,
        decisions=captured.decisions,
    )


def _ignored(body: bytes, url: str, settings: WatchSettings, options: Options) -> tuple[str, ...]:
    """The text of the ignored parts."""
    texts: list[str] = []
    for selector in settings.ignore:
        chosen = replace(options, scope=(selector,), ignore=())
        try:
            part = extract(
                body, url, rules=None, options=chosen, timeout_ms=options.parse_timeout_ms
            )
        except PageloomError:
            continue  # nothing on the page is like that
        texts.append(part.text)
    return tuple(texts)
