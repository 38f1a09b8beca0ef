"""A page to point at: its text and its structure, nothing that runs, loads, links or hides.

Each element carries its number among all elements of the page, so that whoever points at one needs
to say no more.
"""

from __future__ import annotations

from pageloom.core.dom import Element, Text, escape, parse

NUMBER = "data-n"
_MOST = 1_500_000
"""Characters that are written at most; a page that has more is cut."""
_LEFT_OUT = frozenset(
    "head script style template iframe frame frameset object embed applet link meta base title"
    " noframes param source track canvas map area dialog portal".split()
)
_AS_IS = frozenset(
    "h1 h2 h3 h4 h5 h6 p section article header footer nav aside ul ol li dl dt dd"
    " table thead tbody tfoot tr td th caption figure figcaption blockquote pre code em strong b i"
    " u s small sub sup span time q cite abbr address hr br".split()
)
_EMPTY = frozenset(("br", "hr"))
_PICTURES = frozenset(("img", "picture", "video", "audio", "svg", "input"))
_LINE = frozenset(
    "a label button select option font center mark del ins var kbd samp data bdi bdo big tt".split()
)


def show_numbered(page: str) -> str:
    """The body of a page as inert markup with numbered elements."""
    numbers = {each: place for place, each in enumerate(parse(page).iter_elements())}
    body = next((each for each in numbers if each.tag == "body"), None)
    if body is None:
        return ""
    written: list[str] = []
    size = 0
    todo: list[object] = [body]
    while todo and size < _MOST:
        node = todo.pop()
        text = node if isinstance(node, str) else ""
        if isinstance(node, Text):
            text = escape(node.data)
        elif isinstance(node, Element):
            text = _open(node, numbers.get(node, -1), todo)
        written.append(text)
        size += len(text)
    written += [each for each in reversed(todo) if isinstance(each, str)]
    return "".join(written)


def _open(element: Element, number: int, todo: list[object]) -> str:
    """The tag that stands for an element; what is in it is still to do."""
    tag = element.tag
    if tag in _LEFT_OUT:
        return ""
    mark = f' {NUMBER}="{number}"'
    if tag in _PICTURES:
        words = element.attr("alt") or element.attr("aria-label") or tag
        return f'<span class="picture"{mark}>{escape(words[:200])}</span>'
    if tag in _EMPTY:
        return f"<{tag}{mark}>"
    shown = tag if tag in _AS_IS else "span" if tag in _LINE else "div"
    todo.append(f"</{shown}>")
    todo.extend(reversed(list(element)))
    return f"<{shown}{mark}>"
