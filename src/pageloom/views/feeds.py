"""Feeds of pages and of changes: Atom, RSS and JSON Feed; all text of pages is escaped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from typing import TYPE_CHECKING, Any, Literal
from xml.etree.ElementTree import Element, SubElement, tostring

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

FeedForm = Literal["atom", "rss", "json"]
TYPES: dict[str, str] = {
    "atom": "application/atom+xml; charset=utf-8",
    "rss": "application/rss+xml; charset=utf-8",
    "json": "application/feed+json",
}
_ATOM = "http://www.w3.org/2005/Atom"
_ID = "urn:pageloom:"
_NEVER = "1970-01-01T00:00:00Z"
_WEB = ("http://", "https://")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """One entry of a feed."""

    id: str
    """Of its own, and the same whenever the feed is read."""
    title: str
    at: str
    url: str = ""
    text: str = ""
    html: str = ""
    """Clean HTML in the place of ``text``."""
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Entries under a title."""

    id: str
    title: str
    entries: Sequence[FeedEntry]
    home: str = ""
    """The page that shows the same to people."""
    own_url: str = ""
    """Where the feed itself is."""


def write_feed_text(feed: Feed, form: FeedForm) -> str:
    """The feed as text, in the order of its entries."""
    if form == "json":
        return msgspec.json.encode(_json(feed)).decode()
    root = (_atom if form == "atom" else _rss)(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _atom(feed: Feed) -> Element:
    root = Element("feed", xmlns=_ATOM)
    _add(root, "id", f"{_ID}feed:{feed.id}")
    _add(root, "title", feed.title)
    _add(root, "updated", max((entry.at for entry in feed.entries), default=_NEVER))
    _add(SubElement(root, "author"), "name", "Pageloom")
    for rel, url in (("alternate", feed.home), ("self", feed.own_url)):
        if url:
            SubElement(root, "link", rel=rel, href=_xml(url))
    for each in feed.entries:
        entry = SubElement(root, "entry")
        _add(entry, "id", f"{_ID}{each.id}")
        _add(entry, "title", each.title)
        _add(entry, "updated", each.at)
        if each.url.startswith(_WEB):
            SubElement(entry, "link", rel="alternate", href=_xml(each.url))
        if each.category:
            SubElement(entry, "category", term=_xml(each.category))
        content = _add(entry, "content", each.html or each.text or each.title)
        content.set("type", "html" if each.html else "text")
    return root


def _rss(feed: Feed) -> Element:
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    _add(channel, "title", feed.title)
    of_entry = next((each.url for each in feed.entries if each.url.startswith(_WEB)), "")
    _add(channel, "link", feed.home or of_entry)
    _add(channel, "description", feed.title)
    for each in feed.entries:
        item = SubElement(channel, "item")
        _add(item, "guid", f"{_ID}{each.id}").set("isPermaLink", "false")
        _add(item, "title", each.title)
        if each.url.startswith(_WEB):
            _add(item, "link", each.url)
        if each.category:
            _add(item, "category", each.category)
        _add(item, "pubDate", format_datetime(read_instant(each.at)))
        _add(item, "description", each.html or _as_html(each.text or each.title))
    return root


def _json(feed: Feed) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    for each in feed.entries:
        item = {"id": f"{_ID}{each.id}", "title": each.title, "date_modified": each.at}
        item |= {"content_html": each.html} if each.html else {"content_text": each.text}
        item |= {"url": each.url} if each.url.startswith(_WEB) else {}
        items.append(item)
    known = {"home_page_url": feed.home, "feed_url": feed.own_url}
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        **{name: url for name, url in known.items() if url},
        "items": items,
    }


def read_instant(text: str) -> datetime:
    """The datetime of a text like 2026-03-05T08:30:00Z; the epoch if it is not valid."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _as_html(text: str) -> str:
    """Plain text as HTML, because RSS readers show descriptions as HTML."""
    return escape(text, quote=False).replace("\n", "<br>\n")


def _add(parent: Element, tag: str, text: str) -> Element:
    child = SubElement(parent, tag)
    child.text = _xml(text)
    return child


def _xml(text: str) -> str:
    """The text without characters that XML does not allow, even escaped."""
    return _NOT_XML.sub("", text)
