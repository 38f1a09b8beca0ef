"""A Document as HTML for a reader: cleaned once more, pictures and links as the app wants them.

Documents come from imports and backups too, so nothing that is stored is believed: what is shown is
written anew from an allow-list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from pageloom.core.dom import escape, parse_fragment
from pageloom.core.normalize.html import clean_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.model import Document

# What follows reads only what clean_html wrote: attributes are quoted, and hold no ">".
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)"([^>]*)>')
_PLAYER = re.compile(r'<(video|audio) controls src="([^"]*)"(?: title="([^"]*)")?></\1>')
_LINK = re.compile(r'<a href="([^"]*)"')
_HEADING = re.compile(r"<h([1-6])([^>]*)>(.*?)</h\1>", re.DOTALL)
_TABLE = re.compile(r"<(/?)table\b([^>]*)>")
_SILENT_LINK = re.compile(r'(<a [^>]*>\s*<img [^>]*alt=")("[^>]*>\s*</a>)')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a text, for its outline."""

    anchor: str
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class ReadableText:
    """A text to read, and its outline."""

    html: str
    sections: tuple[Section, ...]


def readable(document: Document, picture: Callable[[str], str]) -> ReadableText:
    """A Document for reading.

    Args:
        document: the page.
        picture: the URL under which a picture is shown, by its own; empty to leave it out.
    """
    base = document.final_url or document.url
    cleaned = clean_html(parse_fragment(document.html), base)
    cleaned = _without_title(cleaned, document.title)
    sections: list[Section] = []
    shown = _HEADING.sub(lambda found: _heading(found, sections), cleaned)
    shown = _SILENT_LINK.sub(r"\1picture\2", shown)
    shown = _IMAGE.sub(lambda found: _image(found, picture), shown)
    shown = _PLAYER.sub(_player, shown)
    shown = _LINK.sub(r'<a rel="noopener noreferrer nofollow" href="\1"', shown)
    shown = _TABLE.sub(_table, shown).replace("<pre", '<pre tabindex="0"')
    return ReadableText(shown, tuple(sections))


def _without_title(html: str, title: str) -> str:
    """Without the heading that says the title again, which is shown above the text."""
    found = _HEADING.search(html[:2_000])
    same = found and _plain(found[3]).casefold() == " ".join(title.split()).casefold()
    return html[: found.start()] + html[found.end() :] if found and same else html


def _heading(found: re.Match[str], sections: list[Section]) -> str:
    """A heading with an anchor; below the title, and at most one level below the one before."""
    title = _plain(found[3])
    if not title:
        return found[0]
    above = sections[-1].level if sections else 1
    level = max(2, min(int(found[1]), above + 1))
    anchor = f"s-{len(sections) + 1}"
    sections.append(Section(anchor, level, title))
    return f'<h{level} id="{anchor}"{found[2]}>{found[3]}</h{level}>'


def _image(found: re.Match[str], picture: Callable[[str], str]) -> str:
    url = picture(unescape(found[1]))
    if not url:
        return f"<em>{found[2]}</em>" if found[2] else ""
    return f'<img src="{escape(url)}" alt="{found[2]}"{found[3]} loading="lazy" decoding="async">'


def _player(found: re.Match[str]) -> str:
    """A link in the place of a player: nothing is loaded from elsewhere."""
    return f'<p><a href="{found[2]}">{found[3] or found[2]}</a></p>'


def _table(found: re.Match[str]) -> str:
    if found[1]:
        return "</table></div>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table"><table{found[2]}>'


def _plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub("", html)).split())
