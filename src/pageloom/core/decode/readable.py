"""Convert plain text, Markdown, and unknown XML or JSON to simple HTML."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, cast

from pageloom.core.decode.media_type import JSON, JSON_FEED, MARKDOWN, PLAIN
from pageloom.core.decode.xml import XmlElement, parse_xml
from pageloom.core.json_text import load_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt

_PARAGRAPHS = re.compile(r"\n[ \t\r\x0b\x0c]*\n\s*")
_ADDRESS = re.compile(r"https?://[^\s<>\"'()]+[^\s<>\"'().,;:!?]")
_MAX_DEPTH = 64
_MARKDOWN_LIMIT = 100_000
_MARKDOWN_BRACKETS = 5_000
_MAX_VALUES = 100_000

# What the elements of DocBook, TEI, JATS, NewsML and their kin are in HTML.
_MEANINGS = {
    "para": "p", "simpara": "p", "p": "p", "ab": "p",
    "title": "h2", "head": "h2", "headline": "h1", "hl1": "h1", "hl2": "h2", "subtitle": "h3",
    "emphasis": "em", "em": "em", "i": "em", "italic": "em", "hi": "em",
    "b": "strong", "bold": "strong", "strong": "strong",
    "itemizedlist": "ul", "orderedlist": "ol", "list": "ul", "ul": "ul", "ol": "ol",
    "listitem": "li", "li": "li",
    "programlisting": "pre", "screen": "pre", "literallayout": "pre", "code": "code",
    "blockquote": "blockquote", "quote": "blockquote",
    "section": "section", "sect1": "section", "sect2": "section", "sec": "section",
    "chapter": "section", "article": "article", "body": "div",
    "table": "table", "row": "tr", "entry": "td", "tr": "tr", "td": "td", "th": "th",
    "link": "a", "ulink": "a", "a": "a", "xref": "a",
    "br": "br", "lb": "br",
}  # fmt: skip
_INLINE = frozenset({"em", "strong", "code", "a", "br"})
_ADDRESS_ATTRIBUTES = ("href", "xlink:href", "url", "src", "target")


def to_markup(text: str, media_type: str) -> str:
    """HTML that reads as the text does.

    Args:
        text: the decoded content.
        media_type: one of the names of ``media_type``; any XML for the rest.
    """
    return _WRITERS.get(media_type, write_xml)(text)


def write_plain(text: str) -> str:
    """Paragraphs where blank lines are, or one for each line where there are none."""
    text = _link(text.replace("\r\n", "\n").replace("\r", "\n").strip())
    parts = _PARAGRAPHS.split(text)
    if len(parts) == 1:
        parts = text.split("\n")
    return "<p>" + "</p>\n<p>".join(part for part in parts if part.strip()) + "</p>"


def _link(text: str) -> str:
    text = escape(text, quote=False)
    return _ADDRESS.sub(r'<a href="\g<0>">\g<0></a>', text) if "http" in text else text


def write_markdown(text: str) -> str:
    """CommonMark with tables and strikethrough; HTML inside stays and is judged like any page's.

    What comes after the first hundred thousand characters or so is written as plain paragraphs,
    and so is text with more brackets than any author writes: the renderer would take minutes.
    """
    text = _cut_frontmatter(text)
    end = _find_break(text, _MARKDOWN_LIMIT)
    if text.count("[", 0, end) > _MARKDOWN_BRACKETS:
        return write_plain(text)
    rest = text[end:].strip()
    return cast("str", _markdown().render(text[:end])) + (write_plain(rest) if rest else "")


def _find_break(text: str, place: int) -> int:
    """The first blank line after a place, or the place itself if there is none for long."""
    if place >= len(text):
        return len(text)
    found = text.find("\n\n", place, place + 5_000)
    return found if found >= 0 else place


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": 50}).enable(["table", "strikethrough"])


def _cut_frontmatter(text: str) -> str:
    if not text.startswith("---\n"):
        return text
    end = text.find("\n---\n", 3)
    return text[end + 5 :] if 0 < end < 10_000 else text


def write_xml(text: str) -> str:
    """The structure of a document of unknown kind, by what its elements are usually for."""
    pieces: list[str] = []
    todo: list[tuple[XmlElement | str, int]] = [(parse_xml(text), 0)]
    while todo:
        node, depth = todo.pop()
        if isinstance(node, str):
            pieces.append(node if depth < 0 else escape(node, quote=False))
            continue
        opening, closing = _tags(node, depth)
        pieces.append(opening)
        todo.append((closing, -1))
        todo.extend((child, depth + 1) for child in reversed(node.children))
    return "".join(pieces)


def _tags(node: XmlElement, depth: int) -> tuple[str, str]:
    if not node.name or depth > _MAX_DEPTH:
        return "", "\n"
    holds_blocks = any(_MEANINGS.get(child.local) not in _INLINE for child in node.elements())
    name = _MEANINGS.get(node.local, "div" if holds_blocks else "p")
    if name == "br":
        return "<br>", ""
    address = next(
        (node.attributes[key] for key in _ADDRESS_ATTRIBUTES if key in node.attributes), ""
    )
    shown = f' href="{escape(address)}"' if name == "a" and address else ""
    return f"<{name}{shown}>", f"</{name}>" + ("" if name in _INLINE else "\n")


def write_json(text: str) -> str:
    """Every value with its key, in order, nested lists as lists; longer strings as paragraphs."""
    pieces: list[str] = []
    todo: list[tuple[object, str]] = [(load_json(text), "")]
    while todo and len(pieces) < _MAX_VALUES:
        value, key = todo.pop()
        if isinstance(value, dict):
            entries = cast("dict[str, object]", value)
            pieces.append(f"<h3>{escape(_spell(key))}</h3>" if key else "")
            todo.extend((entries[name], name) for name in reversed(entries))
        elif isinstance(value, list):
            todo.extend((entry, key) for entry in reversed(cast("list[object]", value)))
        elif isinstance(value, str) and _is_markup(value):
            pieces.append(f"<div>{value}</div>")
        elif value is not None and value != "":
            label = f"<b>{escape(_spell(key))}</b>: " if key else ""
            pieces.append(f"<p>{label}{_link(str(value))}</p>")
    return "\n".join(pieces)


def _spell(key: str) -> str:
    return key.replace("_", " ").strip()


def _is_markup(value: str) -> bool:
    return "</" in value and bool(re.search(r"<(?:p|div|br|a|h[1-6]|ul|table|img)[\s>/]", value))


_WRITERS: dict[str, Callable[[str], str]] = {
    PLAIN: write_plain,
    MARKDOWN: write_markdown,
    JSON: write_json,
    JSON_FEED: write_json,
}
