"""Mend a tree before anything reads it: formulas in attributes, code, hidden e-mail addresses.

What scripts would show is put where readers of the tree look for it, and what belongs to the frame
of a block of code (line numbers, "Copy") is removed.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pageloom.core.dom import Element

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Node, Tree

_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-latex", "data-katex")
_TEX_TAGS = ("tex-math", "math-field", "la-tex")
_TEX = ",".join((*(f"[{name}]" for name in _TEX_ATTRIBUTES), *_TEX_TAGS))
_LONGEST_TEX = 2_000
_BLOCKS = frozenset(("div", "p", "section", "figure"))
_GUTTERS = (
    "pre .ln,pre .lnt,pre .lineno,pre .linenos,pre .line-number,pre .linenumber,pre .line-numbers,"
    "pre [style*='user-select'],code .ln,code .lnt,code [style*='user-select']"
)
_ROWS: list[Any] = ["div", "p", "pre"]
_LABELLED: list[Any] = ["button", "span", "a", "div"]
_BESIDE = 4
_LABELS = frozenset(
    (
        "copy|copied|copied!|copy code|copy to clipboard|copy snippet|copy text|copy link|kopieren|"
        "kopiert|code kopieren|copier|copié|copier le code|copiar|copiado|copiar código|copia|"
        "kopiëren|kopiera|копировать|скопировать|コピー|コピーする|复制|复制代码|複製|복사"
    ).split("|")
)
"""The labels of what copies a block of code, in lower case."""
_HIDDEN_MAIL = "[data-cfemail],a[href*='/cdn-cgi/l/email-protection']"
_HIDDEN = f"{_TEX},{_HIDDEN_MAIL}"


def mend(tree: Tree) -> None:
    """Change the tree of a page as it needs it; most need nothing."""
    if tree.select_one(_HIDDEN) is not None:
        _write_formulas(tree)
        _reveal_addresses(tree)
    blocks = tree.find_all("pre")
    codes = tree.find_all("code")
    if blocks or codes:
        _remove_gutters(tree)
        for block in blocks[:500]:
            _remove_copy_labels(block)
            _unwrap_numbered(block)
        for code in codes[:2_000]:
            _part_lines(code)
    if tree.find("button") is not None:
        for button in tree.select("h1 button,h2 button,h3 button,h4 button"):
            _remove_from_heading(button)


def _write_formulas(tree: Tree) -> None:
    """Put the TeX of attributes and custom elements where formulas are looked for."""
    for element in tree.select(_TEX)[:2_000]:
        stated = next((text for name in _TEX_ATTRIBUTES if (text := element.attr(name))), "")
        tex = (stated or element.text).strip()
        if not tex or len(tex) > _LONGEST_TEX or element.find("math") is not None:
            continue
        display = ' display="block"' if element.tag in _BLOCKS else ""
        stated = f'<annotation encoding="application/x-tex">{escape(tex)}</annotation>'
        element.set_inner_html(
            f"<math{display}><semantics><mrow></mrow>{stated}</semantics></math>"
        )


def _reveal_addresses(tree: Tree) -> None:
    """Write the e-mail addresses that a proxy hides from readers without scripts."""
    for element in tree.select(_HIDDEN_MAIL)[:500]:
        hidden = element.attr("data-cfemail") or (element.attr("href") or "").partition("#")[2]
        address = read_address(hidden)
        if not address:
            continue
        if element.tag == "a":
            element.attrs["href"] = f"mailto:{address}"
        if element.attr("data-cfemail"):
            element.set_text(address)


def read_address(hidden: str) -> str:
    """An address whose bytes were changed by the first of them; empty where it is none.

    Example:
        >>> read_address("42232c2c023337233b6c273a232f322e27")
        'ann@quay.example'
    """
    try:
        key, *letters = bytes.fromhex(hidden)
        address = bytes(letter ^ key for letter in letters).decode()
    except ValueError:
        return ""
    return address if "@" in address and address.isprintable() else ""


def _remove_gutters(tree: Tree) -> None:
    """Remove the numbers of lines that stand among the code."""
    for element in tree.select(_GUTTERS)[:20_000]:
        text = element.text.strip()
        if text.isdigit() or (not text and "user-select" in (element.attr("style") or "")):
            element.decompose()


def _unwrap_numbered(block: Element) -> None:
    """Take code out of a table whose only other cell numbers its lines."""
    cell = block.closest("td")
    table = cell.closest("table") if cell is not None else None
    if cell is None or table is None:
        return
    cells = table.find_all("td", limit=3)
    if len(cells) == 2 and cells[1] is cell and _is_numbers(cells[0].text):
        table.replace_with(block)


def _is_numbers(text: str) -> bool:
    return all(word.isdigit() for word in text.split())


def _remove_copy_labels(block: Element) -> None:
    """Remove what copies a block of code: beside it, in it, or in the bar of its frame."""
    places: list[Node] = [block, *_elements_beside(block)]
    parent = block.parent
    if isinstance(parent, Element) and parent.tag in {"div", "figure", "td", "span"}:
        places += _elements_beside(parent)
    for place in places:
        if not isinstance(place, Element):
            continue
        if place is not block and _is_label(place):
            place.decompose()
            continue
        for inner in place.find_all(_LABELLED, limit=40):
            if place is block and inner.tag != "button":
                continue
            if _is_label(inner):
                inner.decompose()


def _elements_beside(element: Element) -> list[Node]:
    """The nearest elements before and after, where they are small."""
    found: list[Node] = []
    for nodes in (element.previous_siblings, element.next_siblings):
        found += [node for node in _first(nodes) if isinstance(node, Element)]
    return [node for node in found if len(node.text) <= 80]


def _first(nodes: Iterable[Node]) -> list[Node]:
    found: list[Node] = []
    for node in nodes:
        found.append(node)
        if len(found) >= _BESIDE:
            break
    return found


def _is_label(element: Element) -> bool:
    return " ".join(element.text.split()).lower() in _LABELS


def _part_lines(code: Element) -> None:
    """Make a block of code of ``<code>`` that holds lines as blocks, or stands alone with them."""
    if code.closest("pre") is not None:
        return
    rows = code.find(_ROWS)
    if rows is None and not (code.find("br") is not None and _is_alone(code)):
        return
    inner = code.find("pre")
    if inner is not None and inner.text.strip() == code.text.strip():
        code.unwrap()
        return
    block = Element("pre")
    code.wrap(block)
    paragraph = block.parent
    if isinstance(paragraph, Element) and paragraph.tag == "p" and _is_alone(block):
        paragraph.unwrap()


def _is_alone(element: Element) -> bool:
    """Whether nothing stands beside an element in the one around it."""
    parent = element.parent
    if not isinstance(parent, Element) or parent.tag not in {"p", "div", "td", "li", "dd"}:
        return False
    return parent.text.strip() == element.text.strip()


def _remove_from_heading(button: Element) -> None:
    """Remove a button from a heading that says something without it."""
    heading = button.closest("h1,h2,h3,h4")
    label = button.text.strip()
    if heading is not None and len(heading.text.strip()) > len(label):
        button.decompose()
