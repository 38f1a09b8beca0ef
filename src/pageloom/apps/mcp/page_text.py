"""The text of a page for an agent: its head, its outline, and a part of its Markdown."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from pageloom.apps.mcp.door import NOTICE, Answer
from pageloom.flows.library.text_parts import LongText
from pageloom.library.fetch import fetch_async
from pageloom.views import documents

if TYPE_CHECKING:
    from pageloom.apps.mcp import arguments as args
    from pageloom.apps.mcp.door import Door
    from pageloom.flows.capture.acquire import RenderMode
    from pageloom.model import Document

_KEPT, _KEPT_SECONDS = 16, 300.0
_fetched: OrderedDict[tuple[str, str, str], tuple[float, Document]] = OrderedDict()
"""Pages that are being read in parts: the next part is of the same page, and asks nobody again."""


async def read_fetched(door: Door, url: str, render: RenderMode) -> Document:
    """A page of the web; the one of a moment ago, where it is being read in parts.

    Raises:
        PageloomError: it cannot be fetched or read.
    """
    key = (door.library.owner, url, render)
    at, document = _fetched.get(key, (0.0, None))
    if document is not None and time.monotonic() - at < _KEPT_SECONDS:
        return document
    await door.progress(0, 1, f"Fetching {url[:200]}")
    context = door.library.context
    rules, settings = context.rules.sealed, door.library.settings
    document = await fetch_async(url, render=render, rules=rules, settings=settings)
    _fetched[key] = (time.monotonic(), document)
    while len(_fetched) > _KEPT:
        _fetched.popitem(last=False)
    await door.progress(1, 1, "Read")
    return document


def page_answer(document: Document, given: args.Part, facts: dict[str, Any]) -> Answer:
    """A part of the text of a page; the first comes with head and outline.

    Raises:
        InvalidQuery: a cursor of another text.
        InvalidArgument: a section or words that are not there.
    """
    text = LongText(documents.markdown(document))
    part = text.part(given.max_chars, cursor=given.cursor, section=given.section, find=given.find)
    data = facts | {
        "title": document.title,
        "url": document.final_url or document.url,
        "page_text": part.text,
        "start": part.start,
        "end": part.end,
        "total_chars": len(text.text),
        "next": part.next,
        "notice": f"page_text: {NOTICE}",
    }
    if part.head:
        data["continues"] = part.head
    shown = [f"Characters {part.start} to {part.end} of {len(text.text)} of {data['url']}"]
    if not given.cursor:
        data |= _head(document) | {"outline": _outline(text)}
        shown = [*_shown_head(data), *shown]
    shown += ["", part.head + part.text + part.tail]
    if part.next:
        shown.append(f"(More: cursor={part.next})")
    return Answer(data, text="\n".join(shown))


def outline_of(document: Document) -> dict[str, Any]:
    """The sections of a page, and how long it is."""
    text = LongText(documents.markdown(document))
    return {
        "title": document.title,
        "outline": _outline(text),
        "total_chars": len(text.text),
        "words": document.word_count,
    }


def _outline(text: LongText) -> list[dict[str, Any]]:
    return [
        {"section": each.number, "title": each.title, "chars": each.end - each.start}
        for each in text.sections
    ]


def _head(document: Document) -> dict[str, Any]:
    return {
        "author": document.author,
        "site": document.site_name,
        "published": document.published.iso if document.published else None,
        "language": document.language,
        "words": document.word_count,
    }


def _shown_head(data: dict[str, Any]) -> list[str]:
    names = ("title", "url", "author", "site", "published", "version")
    lines = [f"{name}: {data[name]}" for name in names if data.get(name)]
    lines += [f"{one['section']} {one['title']} ({one['chars']})" for one in data["outline"]]
    return [*lines, ""]
