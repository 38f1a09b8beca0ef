"""Block elements in Markdown: headings, quotes, code, rules, figures, definition lists."""

from __future__ import annotations

from html import escape as escape_html
from typing import TYPE_CHECKING, Any

from pageloom.core.dom import Element, Text
from pageloom.core.render.callouts import callout_of
from pageloom.core.render.embedded_html import preformatted_as_html
from pageloom.core.render.emphasis import EmphasisFormat
from pageloom.core.render.escape import collapse, fence_for, guard_heading, guard_line
from pageloom.core.render.preformatted import code_text, language_of
from pageloom.core.render.walk import contain, contain_flat

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from pageloom.core.dom import Node
    from pageloom.core.render.walk import Action, After, Walker

_SHOWN: list[Any] = ["img", "iframe", "video", "amp-img"]
_CODE_SIGNS = "{}()=;"
_CODE_DENSITY = 25
"""Code has one of the signs above in this many characters; prose in a hundred or more."""
_HEADINGS: list[Any] = ["h1", "h2", "h3", "h4", "h5", "h6"]
_STRUCTURED: list[Any] = ["ul", "ol", "pre", "table", "blockquote", "dl", "details", "figure"]


def heading(level: int) -> Action:
    """The action of a heading of that level."""
    signs = "#" * level

    def write(walker: Walker, element: Element) -> None:
        walker.in_heading = True
        text = walker.line(element)
        walker.in_heading = False
        if text:
            walker.writer.block([f"{signs} {guard_heading(text)}"])

    return write


def rule(walker: Walker, element: Element) -> None:
    """Write a thematic break that can be taken neither for a heading nor for a list."""
    walker.flush()
    walker.writer.block(["___" if walker.writer.marker_waits else "***"])


def quote(walker: Walker, element: Element) -> After | None:
    """Write a block quote."""
    if walker.too_deep:
        return contain(walker, element)
    walker.flush()
    saved = walker.writer.enter("> ", "> ")
    before = len(walker.writer.lines)
    walker.blocks(element)
    walker.writer.leave(saved, before)
    return None


def division(walker: Walker, element: Element) -> After | None:
    """Write a callout if the element is one; else only set its content apart."""
    classes = element.attr("class")
    kind = callout_of(element, classes) if classes else ""
    if not kind or walker.too_deep:
        return contain(walker, element)
    _write_callout(walker, element, kind)
    return None


def _write_callout(walker: Walker, element: Element, kind: str) -> None:
    walker.flush()
    writer = walker.writer
    saved = writer.enter("> ", "> ")
    before = len(writer.lines)
    writer.block([f"[!{kind}]"])
    writer.gap, writer.glue = None, True
    around, walker.in_callout = walker.in_callout, True
    walker.blocks(element)
    walker.in_callout, writer.glue = around, False
    writer.leave(saved, before)


def preformatted(walker: Walker, element: Element) -> None:
    """Write a block of code as it is, in a fence that it cannot close."""
    walker.flush()
    if _is_linked_text(walker, element):
        walker.writer.block(preformatted_as_html(walker, element))
        return
    text = code_text(element)
    if _is_all_of_link(walker, element):
        _write_linked_code(walker, element, text.strip())
    elif text.strip():
        fence = fence_for(text)
        walker.writer.block([fence + language_of(element), *text.split("\n"), fence])


def _is_all_of_link(walker: Walker, element: Element) -> bool:
    """Whether the link around a block of code has no other words."""
    if walker.run.link is None or walker.run.link.spent:
        return False
    link = element.closest("a")
    if link is None or len(link.find_all("pre", limit=2)) > 1:
        return False
    text = element.text.strip()
    return bool(text) and link.text.strip() == text


def _write_linked_code(walker: Walker, element: Element, text: str) -> None:
    """Write code that is a link: no fence can hold one, but a line or HTML can."""
    link = walker.run.link
    if "\n" not in text or link is None:
        walker.run.code(collapse(text))
        walker.flush()
        return
    walker.writer.block(preformatted_as_html(walker, element, link.url))
    link.spent = True


def preformatted_flat(walker: Walker, element: Element) -> After | None:
    """Write a line of code as inline code, where only a line may stand."""
    text = code_text(element).strip()
    if not text or "\n" in text or element.find(["a", "img"]) is not None:
        return contain_flat(walker, element)
    walker.run.line_break()
    walker.run.code(collapse(text), goes_on=False)
    walker.run.line_break()
    return None


def _is_linked_text(walker: Walker, element: Element) -> bool:
    """Whether a preformatted text is no code but, like an RFC, a text whose links matter."""
    if walker.options.links == "none" or element.find("a") is None:
        return False
    if element.find("code") is not None or language_of(element) or _looks_like_code(element.text):
        return False
    return any(not _says_itself(link) for link in element.select("a[href]"))


def _looks_like_code(text: str) -> bool:
    return sum(map(text.count, _CODE_SIGNS)) * _CODE_DENSITY > len(text.strip())


def _says_itself(link: Element) -> bool:
    """Whether the text of a link is its URL, so that nothing is lost without it."""
    href = (link.attr("href") or "").removeprefix("mailto:").rstrip("/")
    return link.text.strip().rstrip("/") == href


def figure(walker: Walker, element: Element) -> After | None:
    """Write a figure: a picture first, its caption directly after."""
    walker.flush()
    start = len(walker.writer.lines) if element.find(_SHOWN) is not None else -1
    walker.figures.append((start, []))
    return _end_figure


def _end_figure(walker: Walker) -> None:
    walker.flush()
    _, waiting = walker.figures.pop()
    for element in waiting:
        _write_caption(walker, element)


def caption(walker: Walker, element: Element) -> None:
    """Write a caption in italics; one that comes before its picture waits for it."""
    walker.flush()
    if walker.figures:
        start, waiting = walker.figures[-1]
        if start == len(walker.writer.lines):
            waiting.append(element)
            return
    _write_caption(walker, element)


def _write_caption(walker: Walker, element: Element) -> None:
    opened = not walker.too_deep and walker.run.open(EmphasisFormat("em"))
    walker.blocks(element)
    if opened:
        walker.run.close()


def details(walker: Walker, element: Element) -> After | None:
    """Keep a fold as HTML around Markdown; one that is open hides nothing, and needs none."""
    if walker.too_deep or element.attr("open") is not None:
        return contain(walker, element)
    walker.flush()
    writer = walker.writer
    _write_summary(walker, next((child for child in element if _is(child, "summary")), None))
    before = len(writer.lines)
    walker.blocks(element)
    if len(writer.lines) == before:
        writer.gap = None
    writer.block(["</details>"])
    return None


def _write_summary(walker: Walker, summary: Node | None) -> None:
    """Write the title of a fold: as HTML text, or as Markdown when links or pictures are in it."""
    writer = walker.writer
    if summary is None:
        writer.block(["<details>"])
    elif summary.find(["a", "img"]) is None:
        text = escape_html(" ".join(summary.text.split()), quote=False)
        writer.block(["<details>", f"<summary>{text}</summary>"])
    else:
        writer.block(["<details>", "<summary>"])
        walker.blocks(summary)  # type: ignore[arg-type]
        writer.block(["</summary>"])


def summary_outside(walker: Walker, element: Element) -> After | None:
    """Leave out the summary that ``details`` has written; that of an open fold is in bold."""
    parent = element.parent
    is_first = (
        isinstance(parent, Element)
        and parent.tag == "details"
        and next(child for child in parent if _is(child, "summary")) == element
    )
    if not is_first or walker.too_deep:
        return contain(walker, element)
    if parent.attr("open") is None:  # type: ignore[union-attr]
        return None
    if element.find(_HEADINGS) is not None:
        return contain(walker, element)
    opened = walker.run.open(EmphasisFormat("strong"))
    walker.blocks(element)
    if opened:
        walker.run.close()
    return None


def _is(node: object, tag: str) -> bool:
    return type(node) is Element and node.tag == tag


def definitions(walker: Walker, element: Element) -> After | None:
    """Write a definition list: terms in bold, what they mean as items, as GFM has no such list."""
    if walker.too_deep:
        return contain(walker, element)
    walker.flush()
    terms: list[Element] = []
    described = False
    for child in _entries(element, walker.plan.special):
        if type(child) is Element and child.tag == "dt":
            terms.append(child)
            continue
        if terms:
            described = _write_terms(walker, terms)
            terms = []
        if type(child) is Element and child.tag == "dd":
            _write_definition(walker, child, described=described)
        else:
            walker.blocks([child])
            described = False
    if terms:
        _write_terms(walker, terms)
    return None


def _entries(element: Element, special: Container[Node]) -> Iterator[Node]:
    """The terms and definitions, also those grouped in ``<div>``, and what strays among them."""
    for child in element:
        if type(child) is Element:
            if child in special:
                continue
            if child.tag == "div":
                yield from (inner for inner in child if _says_something(inner))
            else:
                yield child
        elif _says_something(child):
            yield child


def _says_something(node: Node) -> bool:
    return type(node) is Element or (type(node) is Text and not node.data.isspace())


def _write_terms(walker: Walker, terms: list[Element]) -> bool:
    """Write terms in bold; False when they cannot be, and stand as blocks instead."""
    lead = walker.writer.lead
    # right behind the sign of a list, readers take the whole line for a term of the list before
    beside_sign = walker.writer.marker_waits and not lead.endswith("> ")
    if beside_sign or any(term.find(_STRUCTURED) is not None for term in terms):
        for term in terms:
            walker.blocks(term)
        return False
    lines = [line for term in terms if (line := walker.line(term, "<br>"))]
    for line in lines:
        walker.writer.block([guard_line(line) if "**" in line else f"**{line}**"])
    return bool(lines)


def _write_definition(walker: Walker, element: Element, *, described: bool) -> None:
    writer = walker.writer
    if not described:
        walker.blocks(element)
        return
    owed, writer.gap = writer.gap, None
    saved = writer.enter("- ", "  ")
    before = len(writer.lines)
    walker.blocks(element)
    if writer.leave(saved, before):
        writer.after_list = "-"
    else:
        writer.gap = owed
