"""The items of a feed or JSON response: read them, and write them as an HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pageloom.core.decode.feeds import read_feed
from pageloom.core.decode.json_items import read_json
from pageloom.core.decode.media_type import FEEDS, JSON, JSON_FEED
from pageloom.core.decode.plain_text import strip_markup
from pageloom.core.decode.readable import write_plain

if TYPE_CHECKING:
    from pageloom.core.parts import FeedFacts, ItemFacts

_TEASER = 400
_START = 3_000


def read_items(text: str, media_type: str, *, url: str = "") -> FeedFacts | None:
    """What a feed or JSON answer says about itself and its items; None for any other content.

    None too for JSON that has neither a list of items nor an article.

    Args:
        text: the decoded content.
        media_type: one of the names of ``media_type``.
        url: where it came from, for relative links.
    """
    if media_type in {JSON, JSON_FEED}:
        return read_json(text, url=url)
    if media_type in FEEDS:
        return read_feed(text, media_type=media_type, url=url)
    return None


def write_items(feed: FeedFacts) -> str:
    """The feed as a page: its own title and description, then each item with its teaser.

    A JSON answer that is one article becomes the page of that article.
    """
    if not feed.is_list:
        return "".join(_write_article(item) for item in feed.items)
    pieces = [
        f"<title>{escape(feed.title)}</title><main>",
        f"<h1>{escape(feed.title)}</h1>" if feed.title else "",
        f"<p>{escape(feed.description)}</p>" if feed.description else "",
        *map(_write_teaser, feed.items),
        "</main>",
    ]
    return _with_language("\n".join(pieces), feed.language)


def _write_article(item: ItemFacts) -> str:
    body = item.html or write_plain(item.text)
    page = (
        f"<title>{escape(item.title)}</title><article><h1>{escape(item.title)}</h1>{body}</article>"
    )
    return _with_language(page, item.language)


def _with_language(page: str, language: str) -> str:
    return f'<html lang="{escape(language)}">{page}' if language else page


def _write_teaser(item: ItemFacts) -> str:
    title = escape(item.title or item.link)
    head = f'<a href="{escape(item.link)}">{title}</a>' if item.link else title
    start = item.summary or item.text[:_START] or strip_markup(item.html[:_START])
    text = " ".join(start.split())
    teaser = text if len(text) <= _TEASER else text[:_TEASER].rpartition(" ")[0] + " …"
    return f"<article><h2>{head}</h2><p>{escape(teaser)}</p></article>"
