"""Write an Atom or RSS feed of changes."""

from __future__ import annotations

import asyncio
import os
import tempfile
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from xml.etree.ElementTree import Element, SubElement, tostring

from pageloom.errors import NotifyError, why_not

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.notify.notice import Notice


def read_instant(text: str) -> datetime:
    """The datetime of a text like 2026-03-05T08:30:00Z; the epoch if it is not valid."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


FeedForm = Literal["atom", "rss"]
_ATOM = "http://www.w3.org/2005/Atom"
_ID = "urn:pageloom:"
_WEB = ("http://", "https://")


def make_feed(notices: Sequence[Notice], *, name: str, form: FeedForm) -> str:
    """The feed as XML, newest entry first; all text of pages is escaped."""
    newest_first = sorted(notices, key=lambda notice: (notice.at, notice.id), reverse=True)
    root = (_atom if form == "atom" else _rss)(newest_first, name)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


async def write_feed(
    notices: Sequence[Notice], directory: Path, *, name: str, form: FeedForm
) -> Path:
    """Write the feed's file atomically: readers see the old file or the new one.

    Raises:
        NotifyError: it cannot be written.
    """
    text = make_feed(notices, name=name, form=form)
    return await asyncio.to_thread(_replace, directory / f"{name}.{form}.xml", text)


def _replace(path: Path, text: str) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=".feed-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(written).chmod(0o644)
        Path(written).replace(path)
    except OSError as error:
        raise NotifyError(
            f"The feed file could not be written: {why_not(error)}.",
            retryable=True,
            suggestions=("Check notify.feed_directory.",),
        ) from error
    return path


def _atom(notices: Sequence[Notice], name: str) -> Element:
    feed = Element("feed", xmlns=_ATOM)
    _add(feed, "id", f"{_ID}feed:{name}")
    _add(feed, "title", f"Changes: {name}")
    _add(feed, "updated", notices[0].at if notices else "1970-01-01T00:00:00Z")
    _add(SubElement(feed, "author"), "name", "Pageloom")
    for notice in notices:
        entry = SubElement(feed, "entry")
        _add(entry, "id", f"{_ID}{notice.id}")
        _add(entry, "title", notice.title)
        _add(entry, "updated", notice.at)
        if notice.url.startswith(_WEB):
            SubElement(entry, "link", rel="alternate", href=_xml(notice.url))
        SubElement(entry, "category", term=notice.kind)
        _add(entry, "content", notice.text or notice.title).set("type", "text")
    return feed


def _rss(notices: Sequence[Notice], name: str) -> Element:
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    _add(channel, "title", f"Changes: {name}")
    _add(channel, "link", notices[0].url if notices else "")
    _add(channel, "description", "What changed on the watched pages")
    for notice in notices:
        item = SubElement(channel, "item")
        _add(item, "guid", f"{_ID}{notice.id}").set("isPermaLink", "false")
        _add(item, "title", notice.title)
        if notice.url.startswith(_WEB):
            _add(item, "link", notice.url)
        _add(item, "category", notice.kind)
        _add(item, "pubDate", format_datetime(read_instant(notice.at)))
        _add(item, "description", _as_html(notice.text or notice.title))
    return root


def _as_html(text: str) -> str:
    """Plain text as HTML, because RSS readers show descriptions as HTML."""
    from html import escape

    return escape(text, quote=False).replace("\n", "<br>\n")


def _add(parent: Element, tag: str, text: str) -> Element:
    child = SubElement(parent, tag)
    child.text = _xml(text)
    return child


def _xml(text: str) -> str:
    """The text without characters that XML does not allow, even escaped."""
    return "".join(char for char in text if char not in "\ufffe\uffff")
