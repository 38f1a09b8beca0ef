"""A source as its owner describes it, checked before it is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from pageloom.core.dom import SelectorError, css, parse
from pageloom.core.normalize.urls import domain_of
from pageloom.core.normalize.zones import read_zone
from pageloom.edges.fetch.guard import refuse_login
from pageloom.edges.fetch.proxies import read_proxy
from pageloom.errors import InvalidArgument, InvalidUrl
from pageloom.model.library import Source
from pageloom.redaction import redact_address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN = 80


class SourceFields(TypedDict, total=False):
    """What is known of a source; what is left out or empty stays as it is."""

    name: str
    site: str
    """Its host: pages from there and from its subdomains belong to the source."""
    feeds: Sequence[str]
    """The URLs of its feeds."""
    language: str
    timezone: str
    """``Europe/Berlin`` or ``+02:00``."""
    proxy: str
    hints: Mapping[str, str]
    """CSS selectors by field: ``{"author": ".byline"}``."""
    poll_every: int | None
    """Seconds between two polls of its feeds."""
    full: bool
    """Fetch the pages that its feeds announce."""


def changed_source(id_: str, fields: SourceFields, known: Source | None = None) -> Source:
    """The source with these fields; what is left out or empty stays as it is known.

    Raises:
        InvalidUrl: a feed whose URL cannot be read.
        InvalidArgument: another field that cannot be used.
    """
    old = known or Source(id=id_)
    feeds = tuple(fields.get("feeds") or ())
    for feed in feeds:
        refuse_login(feed)  # feeds are shown; and a URL that cannot be read is refused now
    site = _host(fields.get("site", "")) or old.site
    hints = old.hints | _selectors(fields.get("hints") or {})
    if fields.get("full"):
        hints |= {"full": True}
    proxy = fields.get("proxy", "")
    if proxy:
        read_proxy(proxy)
    return replace(
        old,
        name=fields.get("name") or old.name,
        site=site or (domain_of(feeds[0]) if feeds else ""),
        feeds=feeds or old.feeds,
        language=fields.get("language") or old.language,
        timezone=_zone(fields.get("timezone", "")) or old.timezone,
        proxy=proxy or old.proxy,
        hints=hints,
        poll_every=fields.get("poll_every") or old.poll_every,
    )


def _host(text: str) -> str:
    bare = text.lower().removeprefix("https://").removeprefix("http://").strip("/")
    try:
        host = domain_of(f"https://{bare}") if bare else ""
    except InvalidUrl:
        host = ""
    if bare and (not host or "/" in bare or "@" in bare):
        raise InvalidArgument(
            f"A site is a host such as example.com, not {redact_address(text)[:_SHOWN]}."
        )
    return host


def _zone(text: str) -> str:
    zone = read_zone(text) if text else ""
    if text and not zone:
        raise InvalidArgument(
            f"{text[:_SHOWN]} is not a time zone; write for example Europe/Berlin or +02:00."
        )
    return zone


def _selectors(hints: Mapping[str, str]) -> dict[str, str]:
    tree = parse("<p>.</p>")
    for selector in hints.values():
        try:
            css(tree, selector)
        except SelectorError as error:
            raise InvalidArgument(
                f"{selector[:_SHOWN]} is not a valid selector: {error}."
            ) from None
    return dict(hints)
