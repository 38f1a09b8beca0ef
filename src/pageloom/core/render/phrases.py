"""Inline elements in Markdown: emphasis, links, images, code, breaks, ruby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text
from pageloom.core.embeds import embed_of
from pageloom.core.pictures import has_noscript_twin
from pageloom.core.render.emphasis import EmphasisFormat
from pageloom.core.render.escape import collapse, escape_text, link_target, link_title, safe_tex
from pageloom.core.render.mathematics import tex_of
from pageloom.core.render.walk import pass_through
from pageloom.core.visibility import is_notice

if TYPE_CHECKING:
    from pageloom.core.embeds import Embed
    from pageloom.core.render.walk import Action, After, Walker

_PERMALINK_CLASSES = frozenset(
    "anchor anchorjs-link anchor-link headerlink header-anchor heading-anchor heading-link "
    "permalink hash-link hashlink sl-anchor-link direct-link deeplink octicon-link".split()
)
_PERMALINK_SIGNS = frozenset({"#", "¶", "§", "🔗", "⚓", "☍", "∞", "◆"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LINES = _HEADINGS | frozenset({"p", "li", "td", "th", "div", "dt", "dd"})
"""Elements whose end is the end of a line."""
_BLANKS = frozenset(" \n\t\r")
_TEX_CLASS = re.compile(r"latex|(?<!\S)tex(?!\S)")
_HEADING_REACH = 8
_PLAY_SIGNS = {"video": "▶", "audio": "▶", "embed": "↗"}


def mark(kind: str) -> Action:
    """The action that puts what an element holds between marks of that kind."""

    def start(walker: Walker, element: Element) -> After:
        return _close if walker.run.open(EmphasisFormat(kind)) else pass_through

    return start


def emphasis(kind: str) -> Action:
    """The action that emphasizes what an element holds."""

    def start(walker: Walker, element: Element) -> After | None:
        only = element[0] if len(element) == 1 else None
        after = _next_character(element) if type(only) is Text else ""
        if after and walker.run.emphasize(kind, only.data, after):  # type: ignore[union-attr]
            return None
        return _close if walker.run.open(EmphasisFormat(kind)) else pass_through

    return start


def _next_character(element: Element) -> str:
    """What comes next on the line; a space for its end, nothing where it takes a walk to know."""
    beside = element.next_sibling
    if type(beside) is Text:
        first = beside.data[:1]
        if first in _BLANKS:
            return " "
        return first if first.isprintable() else ""
    around = element.parent if beside is None else None
    return " " if type(around) is Element and around.tag in _LINES else ""


def _close(walker: Walker) -> None:
    walker.run.close()


def link(walker: Walker, element: Element) -> After | None:
    """Turn ``<a>`` into a link, a note, or just its text."""
    note = walker.plan.notes.get(element) if walker.plan.notes else None
    if note is not None:
        walker.run.raw(f"[^{note}]")
        return None
    href = element.attr("href")
    if walker.in_heading and href is not None and _is_permalink(element, href):
        return pass_through if _is_whole_heading(element) else None
    if not href or href.strip() == "#" or walker.options.links == "none":
        return pass_through  # "#" is how pages write a button
    url = walker.address(href)
    if not url:
        return pass_through
    title = element.attr("title")
    title = " ".join(title.split()) if title else ""
    only = element[0] if len(element) == 1 else None
    if type(only) is Text and walker.run.link_to(url, title, only.data):
        return None
    return _close if walker.run.open(EmphasisFormat("a", url, title)) else pass_through


def _is_permalink(element: Element, href: str) -> bool:
    if "#" not in href:
        return False
    classes = element.attr("class")
    if classes and not _PERMALINK_CLASSES.isdisjoint(classes.split()):
        return True
    return element.text.strip() in _PERMALINK_SIGNS and element.find("img") is None


def _is_whole_heading(link: Element) -> bool:
    """Whether a heading has no words but those of its link to itself."""
    words = link.text.split()
    around = link
    for _ in range(_HEADING_REACH):
        parent = around.parent
        if not isinstance(parent, Element):
            return False
        around = parent
        if around.tag in _HEADINGS:
            return bool(words) and around.text.split() == words
    return False


def image(walker: Walker, element: Element) -> None:
    """Write a picture: clickable, unless a link is around it already."""
    style = walker.options.images
    if style == "none" or _is_math_image(walker, element):
        return
    picture = walker.shown(element)
    if picture is None:
        return
    url, facts = picture
    target = link_target(url)
    token = f"![{escape_text(facts.alt)}]({target}{link_title(facts.title)})"
    around = walker.run.link
    if around is not None and walker.options.links != "reference":
        if around.spent:
            token = f"[{token}]({link_target(around.url)}{link_title(around.title)})"
    elif style == "clickable" and around is None and walker.options.links != "none":
        token = f"[{token}]({target})"
    walker.run.raw(token)


def _is_math_image(walker: Walker, element: Element) -> bool:
    """Write a formula that the page shows as a picture, when its alternative text is TeX."""
    classes = element.attr("class") or ""
    if not ("mwe-math" in classes or ("tex" in classes and _TEX_CLASS.search(classes))):
        return False
    tex = " ".join((element.attr("alt") or "").split())
    if not tex:
        return False
    write_math(walker, tex, display=False)
    return True


def embed(walker: Walker, element: Element) -> After | None:
    """Write a player or frame as a link to the thing it plays, in a paragraph of its own."""
    found = embed_of(element, walker.options.base_url)
    if found is None:
        return pass_through if element.tag == "object" else None
    walker.flush()
    _write_embed(walker, found)
    walker.flush()
    return None


def embed_flat(walker: Walker, element: Element) -> After | None:
    """Write a player or frame as a link where it stands."""
    found = embed_of(element, walker.options.base_url)
    if found is None:
        return pass_through if element.tag == "object" else None
    _write_embed(walker, found)
    return None


def _write_embed(walker: Walker, found: Embed) -> None:
    """A link with the title; without one, a sign that adds no word to the page's own."""
    text = escape_text(found.title) or _PLAY_SIGNS[found.kind]
    if walker.options.links == "none":
        walker.run.raw(text)
    else:
        walker.run.raw(f"[{text}]({link_target(found.url)})")


def code(walker: Walker, element: Element) -> None:
    """Write inline code; links inside it are lifted out around pieces of code."""
    if element.select_one("a, img, br") is None:
        _code_piece(walker, element.text, goes_on=False)
        return
    goes_on = False
    for node in element.descendants:
        if type(node) is Text:
            held = _link_around(node, element)
            url = walker.address(held.attr("href") or "") if held is not None else ""
            opened = bool(url) and walker.run.open(EmphasisFormat("a", url))
            _code_piece(walker, node.data, goes_on=goes_on)
            goes_on = True
            if opened:
                walker.run.close()
        elif type(node) is Element and node.tag == "img":
            image(walker, node)
        elif type(node) is Element and node.tag == "br":
            _code_piece(walker, " ", goes_on=True)


def _link_around(node: Text, limit: Element) -> Element | None:
    for ancestor in node.ancestors:
        if ancestor == limit:
            return None
        if type(ancestor) is Element and ancestor.tag == "a":
            return ancestor
    return None


def _code_piece(walker: Walker, data: str, *, goes_on: bool) -> None:
    text = collapse(data)
    if not text.strip():
        walker.run.text(text)
        return
    walker.run.code(text, goes_on=goes_on)


def line_break(walker: Walker, element: Element) -> None:
    """Write a hard break; two in a row end the paragraph."""
    run = walker.run
    if run.ends_with_break():
        walker.flush()
    else:
        run.line_break()


def line_break_flat(walker: Walker, element: Element) -> None:
    """Write a break where only a line may stand."""
    walker.run.line_break()


def checkbox(walker: Walker, element: Element) -> None:
    """Write the box of a task at the start of a list item."""
    starts_item = walker.run.empty and walker.writer.marker_waits
    if starts_item and (element.attr("type") or "").lower() == "checkbox":
        walker.run.raw("[x] " if element.attr("checked") is not None else "[ ] ")


def ruby_text(walker: Walker, element: Element) -> After | None:
    """Put the reading of a character in parentheses, unless the page does so itself."""
    before = element.previous_sibling
    if type(before) is Element and before.tag == "rp":
        return pass_through
    walker.run.text("(")
    return _close_parenthesis


def _close_parenthesis(walker: Walker) -> None:
    walker.run.text(")")


def quotation(walker: Walker, element: Element) -> After:
    """Write the quotation marks that browsers add."""
    walker.run.text("“")
    return _close_quotation


def _close_quotation(walker: Walker) -> None:
    walker.run.text("”")


def superscript(walker: Walker, element: Element) -> After:
    """Raise the text, except around a note, which raises itself."""
    notes = walker.plan.notes
    if notes and any(child in notes for child in element):
        return pass_through
    return _close if walker.run.open(EmphasisFormat("sup")) else pass_through


def without_scripts(walker: Walker, element: Element) -> After | None:
    """Use what is for browsers without scripts, unless it repeats a picture or only complains."""
    return None if has_noscript_twin(element) or is_notice(element) else pass_through


def math(walker: Walker, element: Element) -> None:
    """Write MathML as TeX; a displayed formula is a paragraph of its own."""
    write_math(walker, tex_of(element), display=element.attr("display") == "block")


def math_flat(walker: Walker, element: Element) -> None:
    """Write MathML as TeX inside the line."""
    tex = safe_tex(tex_of(element))
    if tex:
        walker.run.math(f"${tex}$")


def write_math(walker: Walker, tex: str, *, display: bool) -> None:
    """Write TeX between dollar signs."""
    tex = safe_tex(tex)
    if tex and not display:
        walker.run.math(f"${tex}$")
    elif tex:
        walker.flush()
        walker.run.math(f"$${tex}$$")
        walker.flush()
