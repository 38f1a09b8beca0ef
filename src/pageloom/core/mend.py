"""Mend a tree before anything reads it: formulas in attributes, code, hidden e-mail addresses.

What scripts would show is put where readers of the tree look for it, and what belongs to the frame
of a block of code (line numbers, "Copy") is removed.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pageloom.core.dom import Element, Text, parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Node, Tree

_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-latex", "data-katex")
_TEX_TAGS = ("tex-math", "math-field", "la-tex")
_TEX_IMAGES = "img.math,.math img,img[src*='latex']"
_TEX = ",".join((*(f"[{name}]" for name in _TEX_ATTRIBUTES), *_TEX_TAGS, "span.math", _TEX_IMAGES))
_TEX_SIGNS = frozenset("\\^_={")
_LONGEST_TEX = 2_000
_SHORT_TEX = 3
_END_OF_TEX = r"\]"
_NUMBERS = ".math .eqno"
_BLOCKS = frozenset(("div", "p", "section", "figure"))
_GUTTERS = (
    "pre .ln,pre .lnt,pre [class*='lineno'],pre [class*='line-number'],pre [class*='linenumber'],"
    "pre [style*='user-select'],code .ln,code .lnt,code [style*='user-select']"
)
_LINES = ".fragment > .line,.code .container > .line"
"""Lines of code that are boxes, as Doxygen and others write them."""
_PERMALINKS = "a.headerlink,.viewcode-link"
"""Links of documentation from a declaration or formula to itself, and to its source."""
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
_TEX_SCRIPTS = "script[type^='math/tex']"
_RENDERED = (
    ".MathJax_Preview, .MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_CHTML,"
    ".MJX_Assistive_MathML"
)
"""What a script has made of the formulas that stand beside it as TeX."""
_PAINTED = ".katex-html, .MathJax_Preview, .MathJax > nobr, .MathJax > svg"
_DISPLAYED = ".katex-display math, mjx-container[display=true] math, .MathJax_Display math"
_WRITTEN = ("math", _TEX_SCRIPTS)
_HIDDEN_MAIL = "[data-cfemail],a[href*='/cdn-cgi/l/email-protection']"
_RARE = f"{_TEX},{_NUMBERS},{_HIDDEN_MAIL},{_LINES},{_PERMALINKS}"
_BUTTONS = "button,clipboard-copy,[role=button]"
_HEADINGS = "h1,h2,h3,h4"
_IN_HEADINGS = f":is({_HEADINGS}) :is({_BUTTONS})"


def mend(tree: Tree) -> None:
    """Change the tree of a page as it needs it; most need nothing."""
    # one tag at a time, which takes no time: for a list of them the whole tree is walked
    if any(tree.select_one(written) is not None for written in _WRITTEN):
        _keep_one_writing(tree)
    if tree.select_one(_RARE) is not None:
        _remove_permalinks(tree)
        _number_formulas(tree)
        _write_formulas(tree)
        _reveal_addresses(tree)
        _join_boxed_lines(tree)
    blocks = tree.find_all("pre")
    codes = tree.find_all("code")
    if blocks or codes:
        _remove_gutters(tree)
        for block in blocks[:500]:
            _clear_frame(block)
            _unwrap_numbered(block)
        for code in codes[:2_000]:
            _part_lines(code)
    if tree.select_one(_BUTTONS) is not None:
        _free_headings(tree)


def _remove_permalinks(tree: Tree) -> None:
    """Remove the links of declarations and formulas to themselves, and to their source.

    Those of headings stay until they are written: by them headings are known.
    """
    for element in tree.select(_PERMALINKS)[:5_000]:
        link = element.closest("a")
        if link is not None and link.closest("h1,h2,h3,h4,h5,h6") is None:
            link.decompose()


def _number_formulas(tree: Tree) -> None:
    """Write the number that stands before a formula into it, as TeX would."""
    numbered: set[Element] = set()
    for number in tree.select(_NUMBERS)[:2_000]:
        formula = number.closest(".math")
        if formula is None or formula in numbered:
            continue
        numbered.add(formula)
        tag = f"\\tag{{{number.text.strip(' ()')}}}"
        picture = formula.find("img")
        if picture is not None:
            number.decompose()
            picture.attrs["alt"] = f"{picture.attr('alt') or ''}{tag}"
        elif formula.text.rstrip().endswith(_END_OF_TEX):
            number.decompose()
            formula.set_text(f"{formula.text.rstrip().removesuffix(_END_OF_TEX)}{tag}{_END_OF_TEX}")


def _keep_one_writing(tree: Tree) -> None:
    """Leave one ``<math>`` of each formula that a script has painted, spoken and kept as TeX."""
    scripts = tree.select(_TEX_SCRIPTS)
    if scripts:
        for element in tree.select(_RENDERED):
            element.decompose()
    for script in scripts:
        is_block = "mode=display" in (script.attr("type") or "").replace(" ", "")
        script.replace_with(_formula(script.text.strip(), is_block=is_block))
    for formula in tree.select(_DISPLAYED):
        formula.attrs["display"] = "block"
    for element in tree.select(_PAINTED):
        element.decompose()
    for box in tree.find_all("mjx-container"):
        formula = box.find("math")
        if formula is not None:
            box.replace_with(formula.extract())


def _formula(tex: str, *, is_block: bool) -> Node:
    """A formula of which only the TeX is known; browsers show it as it is written."""
    display = ' display="block"' if is_block else ""
    stated = f'<annotation encoding="application/x-tex">{escape(tex)}</annotation>'
    shown = f"<semantics><mtext>{escape(tex)}</mtext>{stated}</semantics>"
    return parse_fragment(f"<math{display}>{shown}</math>")[0]


def _write_formulas(tree: Tree) -> None:
    """Put the TeX of attributes, pictures and custom elements where formulas are looked for."""
    for element in tree.select(_TEX)[:2_000]:
        tex = _tex_of(element)
        if not tex or len(tex) > _LONGEST_TEX or element.find("math") is not None:
            continue
        parent = element.parent
        holder = parent if element.tag == "img" and isinstance(parent, Element) else element
        alone = holder is element or holder.text.strip() == ""
        is_block = (alone and holder.tag in _BLOCKS) or element.text.strip().startswith("$$")
        formula = _formula(tex, is_block=is_block)
        if element.tag == "img" or element.tag in _TEX_TAGS:
            element.replace_with(formula)
        else:
            element.clear()
            element.append(formula)


def _tex_of(element: Element) -> str:
    """The TeX that an element holds in an attribute, in its address or between dollar signs."""
    stated = next((text for name in _TEX_ATTRIBUTES if (text := element.attr(name))), "")
    if stated or element.tag in _TEX_TAGS:
        return (stated or element.text).strip()
    if element.tag == "img":
        src = element.attr("src") or ""
        written = unquote(src.partition("?")[2].removeprefix("latex=")) if "latex" in src else ""
        tex = " ".join((element.attr("alt") or written.partition("&")[0]).split())
        return tex if len(tex) < _SHORT_TEX or not _TEX_SIGNS.isdisjoint(tex) else ""
    text = element.text.strip()
    return text.strip("$").strip() if text.startswith("$") and text.endswith("$") else ""


def _join_boxed_lines(tree: Tree) -> None:
    """Make a block of code of lines that are boxes."""
    for line in tree.select(_LINES)[:20_000]:
        box = line.parent
        if isinstance(box, Element) and box.closest("pre") is None:
            box.wrap(Element("pre"))


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


def _clear_frame(block: Element) -> None:
    """Remove what copies code, numbers its lines or names its language, in it and beside it."""
    places: list[Node] = [block, *_elements_beside(block)]
    parent = block.parent
    if isinstance(parent, Element) and parent.tag in {"div", "figure", "td", "span"}:
        places += _elements_beside(parent)
    for place in places:
        if not isinstance(place, Element):
            continue
        if place is not block and (_is_label(place) or _frames(place, block)):
            place.decompose()
            continue
        for inner in place.find_all(_LABELLED, limit=40):
            if place is block and inner.tag != "button":
                continue
            if _is_label(inner):
                inner.decompose()


def _frames(element: Element, block: Element) -> bool:
    """Whether an element beside code only numbers its lines, or repeats its language."""
    words = [
        word for text in element.descendants if type(text) is Text for word in text.data.split()
    ]
    if words == [str(number) for number in range(1, len(words) + 1)]:
        return len(words) > 1 and len(words) >= len(block.text.strip().splitlines())
    around = block.parent
    classes = (around.attr("class") or "") if isinstance(around, Element) else ""
    return len(words) == 1 and f"language-{words[0].lower()}" in classes.split()


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


def _free_headings(tree: Tree) -> None:
    """Remove buttons from headings that say something without them.

    Questions and chapters that fold are headings in which everything can be pressed: of such a one
    the longest label is the heading.
    """
    pressed: dict[Element, list[Element]] = {}
    for button in tree.select(_IN_HEADINGS):
        heading = button.closest(_HEADINGS)
        if heading is not None:
            pressed.setdefault(heading, []).append(button)
    for heading, buttons in pressed.items():
        lengths = [_count_signs(button) for button in buttons]
        if _count_signs(heading) <= sum(lengths):
            buttons.pop(lengths.index(max(lengths))).unwrap()
        for button in buttons:
            button.decompose()


def _count_signs(element: Element) -> int:
    return sum(map(len, element.text.split()))
