"""A Document as HTML for a reader: cleaned once more, pictures and links as the app wants them.

Documents come from imports and backups too, so nothing that is stored is believed: what is shown is
written anew from an allow-list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from pageloom.core.compare.passages import find_passage, mark_html, read_text
from pageloom.core.dom import escape, parse_fragment
from pageloom.core.normalize.html import clean_html
from pageloom.model.highlights import MarkSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pageloom.model import Document
    from pageloom.model.highlights import Highlight

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


def readable(
    document: Document,
    picture: Callable[[str], str],
    highlights: Sequence[Highlight] = (),
    version: int = 0,
) -> ReadableText:
    """A Document for reading.

    Args:
        document: the page.
        picture: the URL under which a picture is shown, by its own; empty to leave it out.
        highlights: passages to mark.
        version: the number of the version that the Document is.
    """
    base = document.final_url or document.url
    cleaned = clean_html(parse_fragment(document.html), base)
    if highlights:
        cleaned = _with_marks(cleaned, highlights, version)
    cleaned = _without_title(cleaned, document.title)
    sections: list[Section] = []
    shown = _HEADING.sub(lambda found: _heading(found, sections), cleaned)
    shown = _SILENT_LINK.sub(r"\1picture\2", shown)
    shown = _IMAGE.sub(lambda found: _image(found, picture), shown)
    shown = _PLAYER.sub(_player, shown)
    shown = _LINK.sub(r'<a rel="noopener noreferrer nofollow" href="\1"', shown)
    shown = _TABLE.sub(_table, shown).replace("<pre", '<pre tabindex="0"')
    return ReadableText(shown, tuple(sections))


def _with_marks(html: str, highlights: Sequence[Highlight], version: int) -> str:
    """The text with the passages marked; in other versions than the last, where they stand so."""
    text = read_text(html)
    marks: list[tuple[MarkSpan, str]] = []
    for each in highlights:
        span: MarkSpan | None = MarkSpan(start=each.start, end=each.end)
        if each.found_version != version:
            span = find_passage(text, each.quote, each.before, each.after)
        if span is not None:
            marks.append((span, f'<mark class="h-{each.colour}" data-h="{each.id}">'))
    marked = mark_html(html, text, marks)
    for _, tag in marks:  # the first piece of each has its anchor
        number = tag.split('"')[-2]
        marked = marked.replace(tag, f'{tag[:-1]} id="h-{number}">', 1)
    return marked


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
