"""Lists in Markdown: tight or loose, numbered, indented by the width of the marker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text
from pageloom.core.render.walk import contain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Node
    from pageloom.core.render.walk import After, Walker

_LOOSE = frozenset(
    "p pre blockquote table figure dl details h1 h2 h3 h4 h5 h6 hr section article".split()
)
_WRAPPERS = frozenset({"div", "span", "section", "nav", "template", "form"})
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_OTHER_SIGN = {".": ")", ")": "."}
_NUMBER = re.compile(r"\s{0,8}(\d{1,9})(?!\d)")


@dataclass(slots=True)
class Item:
    """One item: what it holds, and what the page says of its number."""

    nodes: Element | list[Node]
    value: int | None = None
    """The number that the page gives it, if it gives one."""
    passed: int = 0
    """How many notes, which are written elsewhere, the list counts before it."""


def bullets(walker: Walker, element: Element) -> After | None:
    """Write an unordered list."""
    if walker.too_deep:
        return contain(walker, element)
    sign = "*" if walker.writer.after_list == "-" else "-"
    _write_list(walker, _items(walker, element, numbered=False), sign, None)
    return None


def numbers(walker: Walker, element: Element) -> After | None:
    """Write an ordered list that counts as the page's list counts."""
    if walker.too_deep:
        return contain(walker, element)
    sign = ")" if walker.writer.after_list == "." else "."
    items = _items(walker, element, numbered=True)
    backwards = element.attr("reversed") is not None
    start = _number(element.attr("start"))
    if start is None:
        start = sum(1 + item.passed for item in items) if backwards else 1
    _write_list(walker, items, sign, start, -1 if backwards else 1)
    return None


def _number(stated: str | None) -> int | None:
    found = _NUMBER.match(stated) if stated else None
    return int(found[1]) if found else None


def _write_list(
    walker: Walker, items: list[Item], sign: str, number: int | None, step: int = 1
) -> None:
    under_text = _under_item_text(walker)
    walker.flush()
    writer = walker.writer
    tight = _are_tight(items)
    owed = writer.gap
    # a list may stand right under text only if it begins with 1
    if tight and under_text and (number is None or _first_number(items, number, step) == 1):
        writer.gap = None
    written = 0
    due = number
    """What a reader of the Markdown will count to by itself."""
    for item in items:
        if number is not None:
            number = max(item.value if item.value is not None else number + item.passed * step, 0)
            if written and number != due:
                sign = _OTHER_SIGN[sign]  # only a list of its own can count on from elsewhere
        if written:
            writer.gap = None if tight and number == due else writer.prefix
        if _write_item(walker, item.nodes, sign, number):
            written += 1
            due = number + 1 if number is not None else None
            number = number + step if number is not None else None
    writer.gap = writer.prefix if written else owed
    writer.after_list = sign if written else writer.after_list
    walker.write_notes_here()


def _first_number(items: list[Item], number: int, step: int) -> int:
    first = items[0] if items else Item([])
    return first.value if first.value is not None else number + first.passed * step


def _under_item_text(walker: Walker) -> bool:
    """Whether the list comes right under the first line of an item of another list."""
    return walker.item_start == len(walker.writer.lines) and not walker.run.empty


def _items(walker: Walker, element: Element, *, numbered: bool) -> list[Item]:
    """The items of a list; a list directly inside a list belongs to the item before it."""
    special = walker.plan.special
    items: list[Item] = []
    passed = 0
    stack: list[Iterator[Node]] = [iter(element)]
    while stack:
        for node in stack[-1]:
            if type(node) is Element:
                if special and node in special:
                    passed += walker.set_note_aside(node)
                elif node.tag == "li":
                    value = _number(node.attr("value")) if numbered else None
                    items.append(Item(node, value, passed))
                    passed = 0
                elif node.tag in _LISTS and items:
                    _join(items, node)
                elif node.tag in _WRAPPERS:
                    stack.append(iter(node))
                    break
                else:
                    items.append(Item([node]))
            elif type(node) is Text and not node.data.isspace():
                items.append(Item([node]))
        else:
            stack.pop()
    return items


def _join(items: list[Item], node: Element) -> None:
    last = items[-1].nodes
    if isinstance(last, list):
        last.append(node)
    else:
        items[-1].nodes = [*last, node]


def _are_tight(items: list[Item]) -> bool:
    for item in items:
        for node in item.nodes:
            if type(node) is Element and node.tag in _LOOSE:
                return False
    return True


def _write_item(walker: Walker, item: Element | list[Node], sign: str, number: int | None) -> bool:
    marker = f"{sign} " if number is None else f"{number}{sign} "
    writer = walker.writer
    only = item[0] if len(item) == 1 else None
    if type(only) is Text and writer.wrap is None:
        # one line: nothing of it stands under the sign
        text = walker.run.alone(only.data)
        if text:
            writer.lead += marker
            writer.paragraph(text)
        return bool(text)
    saved = writer.enter(marker, " " * len(marker))
    before = len(writer.lines)
    walker.item_start = before
    walker.blocks(item)
    return writer.leave(saved, before)
