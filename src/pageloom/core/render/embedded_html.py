"""Embedded HTML for what Markdown cannot express: blocks in cells, links in code."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Node
    from pageloom.core.render.walk import Walker

_KEPT = frozenset(
    "p br ul ol li strong b em i code pre blockquote sub sup del s dl dt dd h1 h2 h3 h4 h5 h6 hr "
    "kbd details summary".split()
)
_VOID = frozenset({"br", "hr"})
_DROPPED = frozenset("script style template svg iframe object embed noscript select input".split())


def table_as_html(walker: Walker, rows: list[list[Element]]) -> list[str]:
    """The lines of the table; none of them is empty, which would end the HTML."""
    lines = ["<table>"]
    for row in rows:
        cells = "".join(_cell(walker, cell) for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    lines.append("</table>")
    return lines


def preformatted_as_html(walker: Walker, element: Element, url: str = "") -> list[str]:
    """The lines of a preformatted text with its links, or the one around it."""
    text = _content(walker, element, verbatim=1, newline="\n")
    if text.startswith("\n"):
        text = "\n" + text  # the parser drops the first newline of <pre>
    if url:
        text = f'<a href="{escape(url)}">{text}</a>'
    return f"<pre>{text}</pre>".split("\n")


def _cell(walker: Walker, cell: Element) -> str:
    spans = "".join(
        f' {name}="{value}"'
        for name in ("colspan", "rowspan")
        if (value := cell.attr(name)) and value.isdecimal()
    )
    return f"<{cell.tag}{spans}>{_content(walker, cell).strip()}</{cell.tag}>"


def _content(walker: Walker, element: Element, *, verbatim: int = 0, newline: str = "&#10;") -> str:
    """Allowed markup of what an element holds; inside ``<pre>`` newlines are spelt as told."""
    pieces: list[str] = []
    stack: list[tuple[Iterator[Node], str]] = [(iter(element), "")]
    while stack:
        nodes, closing = stack[-1]
        for node in nodes:
            if type(node) is Text:
                text = escape(node.data, quote=False)
                pieces.append(text.replace("\n", newline) if verbatim else _spaced(text))
            elif type(node) is Element and node not in walker.plan.special:
                opening, end = _tags(walker, node)
                pieces.append(opening)
                if node.tag in _VOID or node.tag in _DROPPED or node.tag == "img":
                    continue
                verbatim += node.tag == "pre"
                stack.append((iter(node), end))
                break
        else:
            stack.pop()
            pieces.append(closing)
            verbatim -= closing == "</pre>"
    return "".join(pieces)


def _spaced(text: str) -> str:
    inner = " ".join(text.split())
    before = " " if text[:1].isspace() else ""
    after = " " if inner and text[-1:].isspace() else ""
    return f"{before}{inner}{after}"


def _tags(walker: Walker, element: Element) -> tuple[str, str]:
    tag = element.tag
    if tag in _KEPT:
        return f"<{tag}>", "" if tag in _VOID else f"</{tag}>"
    if tag == "a":
        url = walker.address(element.attr("href") or "")
        return (f'<a href="{escape(url)}">', "</a>") if url else ("", "")
    if tag == "img" and walker.options.images != "none":
        url = walker.picture(element)
        alt = escape(" ".join((element.attr("alt") or "").split()))
        return (f'<img src="{escape(url)}" alt="{alt}">', "") if url else ("", "")
    return "", ""
