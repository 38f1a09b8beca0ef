"""Finds the Markdown variant that a page declares (``Link`` header or ``<link>``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.model import RawPage

_HEAD = 200_000
_LONGEST_TAG = 2_000
_ATTRIBUTE = re.compile(
    r"""([a-z-]{2,12})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_LINK_HEADER = re.compile(r"<([^<>]{1,2000})>([^<]{0,500})")


def markdown_variant(page: RawPage) -> str:
    """The URL (as written) of the page's Markdown variant, or an empty string."""
    for place, about in _LINK_HEADER.findall(page.headers.get("link", "")[:_HEAD]):
        if "alternate" in about.lower() and "text/markdown" in about.lower():
            return place
    for tag in _tags(page.body, b"<link"):
        if "alternate" in tag.get("rel", "").lower().split() and _is_markdown(tag):
            return tag.get("href", "")
    return ""


def _is_markdown(tag: dict[str, str]) -> bool:
    return tag.get("type", "").partition(";")[0].strip().lower() == "text/markdown"


def _tags(body: bytes, opening: bytes) -> Iterator[dict[str, str]]:
    head = body[:_HEAD]
    # The letters of ASCII keep their places under lower().
    places = head.lower().split(opening)[1:]
    at = len(head) - sum(len(piece) + len(opening) for piece in places)
    for piece in places:
        start = at + len(opening)
        raw = head[start : start + min(len(piece), _LONGEST_TAG)].partition(b">")[0]
        at = start + len(piece)
        yield _attributes(raw.decode("utf-8", "replace"))


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): (found[2] or found[3] or found[4] or "").replace("&amp;", "&")
        for found in _ATTRIBUTE.finditer(text)
    }
