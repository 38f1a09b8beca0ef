"""``pageloom sources add``: a source as the flags describe it, checked before it is saved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.safe import one_line
from pageloom.model.library import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.apps.cli.library.sources import SourceFlags

_EVERY = 60


def changed_source(name: str, flags: SourceFlags, known: Source | None) -> Source:
    """The source with what was said of it; what was not said stays as it is known.

    Raises:
        PageloomError: something of it cannot be used.
    """
    from pageloom.core.normalize.urls import domain_of, url_key

    feeds = tuple(flags.feeds or ())
    for feed in feeds:
        url_key(feed)  # an address that cannot be read is told now
    old = known or Source(id=name, poll_every=_EVERY * 60)
    site = _host(flags.site) if flags.site else old.site
    hints = old.hints | _hints(flags.hints or ()) | ({"full": True} if flags.full else {})
    return replace(
        old,
        name=flags.title or old.name,
        site=site or (domain_of(feeds[0]) if feeds else ""),
        feeds=feeds or old.feeds,
        language=flags.language or old.language,
        timezone=_zone(flags.timezone) if flags.timezone else old.timezone,
        proxy=_proxy(flags.proxy) if flags.proxy else old.proxy,
        hints=hints,
        poll_every=flags.every * 60 if flags.every else old.poll_every,
    )


def _host(text: str) -> str:
    from pageloom.core.normalize.urls import domain_of
    from pageloom.errors import InvalidUrl

    bare = text.lower().removeprefix("https://").removeprefix("http://").strip("/")
    try:
        host = domain_of(f"https://{bare}")
    except InvalidUrl:
        host = ""
    if not host or "/" in bare:
        raise UsageTrouble(f"--site takes a host such as example.com, not {one_line(text, 80)}.")
    return host


def _zone(text: str) -> str:
    from pageloom.core.normalize.zones import read_zone

    zone = read_zone(text)
    if not zone:
        said = one_line(text, 80)
        raise UsageTrouble(f"--timezone takes a zone such as Europe/Berlin or +02:00, not {said}.")
    return zone


def _proxy(text: str) -> str:
    from pageloom.edges.fetch.proxies import read_proxy

    read_proxy(text)
    return text


def _hints(texts: Sequence[str]) -> dict[str, Any]:
    from pageloom.core.dom import SelectorError, css, parse

    tree = parse("<p>.</p>")
    found: dict[str, Any] = {}
    for text in texts:
        name, _, selector = (part.strip() for part in text.partition("="))
        if not name or not selector:
            raise UsageTrouble("--hint takes field=selector, such as author=.byline")
        try:
            css(tree, selector)
        except SelectorError as error:
            said = one_line(selector, 80)
            raise UsageTrouble(f"{said} cannot be used as a selector: {error}.") from None
        found[name] = selector
    return found
