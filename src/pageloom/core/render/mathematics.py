"""Formulas as TeX: from annotations, or converted from MathML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.dom import Element

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_DEPTH = 40
_COMMAND = re.compile(r"\\[a-zA-Z]+(?:\{\w\})?")
_SIGNS = {
    "−": "-",
    "×": r"\times ",
    "÷": r"\div ",
    "·": r"\cdot ",
    "⋅": r"\cdot ",
    "≤": r"\leq ",
    "≥": r"\geq ",
    "≠": r"\neq ",
    "≈": r"\approx ",
    "≡": r"\equiv ",
    "±": r"\pm ",
    "∞": r"\infty ",
    "∑": r"\sum ",
    "∏": r"\prod ",
    "∫": r"\int ",
    "∂": r"\partial ",
    "∇": r"\nabla ",
    "√": r"\surd ",
    "→": r"\to ",
    "⇒": r"\Rightarrow ",
    "⇔": r"\Leftrightarrow ",
    "∈": r"\in ",
    "∉": r"\notin ",
    "⊂": r"\subset ",
    "⊆": r"\subseteq ",
    "∪": r"\cup ",
    "∩": r"\cap ",
    "∀": r"\forall ",
    "∃": r"\exists ",
    "…": r"\ldots ",
    "⋯": r"\cdots ",
    "′": "'",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "&": r"\&",
    "\\": r"\backslash ",
    "\u2061": "",
    "\u2062": "",
    "\u2063": "",
    "\u2064": "",
}
_GREEK = {
    letter: "\\" + name + " "
    for letter, name in zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩϵϕ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
        "tau upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega "
        "epsilon phi".split(),
        strict=True,
    )
}
_TRANSLATED = str.maketrans(_SIGNS | _GREEK)
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln exp lim max min sup inf "
    "det dim ker gcd deg arg".split()
)
_VARIANTS = {
    "bold": "mathbf",
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
_ACCENTS = {
    "¯": "bar",
    "‾": "overline",
    "^": "hat",
    "~": "tilde",
    "→": "vec",
    "˙": "dot",
    "¨": "ddot",
}


def tex_of(math: Element) -> str:
    """The TeX of ``<math>``: its annotation, its alternative text, or our reading of it."""
    for annotation in math.find_all("annotation", limit=5):
        if "tex" in (annotation.attr("encoding") or "").lower():
            return _unstyled(annotation.text)
    stated = math.attr("alttext")
    if stated:
        return _unstyled(stated)
    return " ".join(_children(math, 0).split())


def _unstyled(tex: str) -> str:
    tex = " ".join(tex.split())
    for style in (r"{\displaystyle ", r"{\textstyle "):
        if tex.startswith(style) and tex.endswith("}"):
            return tex[len(style) : -1].strip()
    return tex


def _children(element: Element, depth: int) -> str:
    return "".join(_node(child, depth) for child in element if type(child) is Element)


def _node(element: Element, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return _plain(element)
    tag = element.tag.rpartition(":")[2]
    if tag in _LEAVES:
        return _LEAVES[tag](element)
    if tag in {"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"}:
        return ""
    shape = _SHAPES.get(tag)
    if shape is None:
        return _children(element, depth + 1)
    pieces = [_node(child, depth + 1) for child in element if type(child) is Element]
    return shape(element, pieces)


def _plain(element: Element) -> str:
    return " ".join(element.text.split()).translate(_TRANSLATED)


def _identifier(element: Element) -> str:
    name = " ".join(element.text.split())
    if name in _FUNCTIONS:
        return f"\\{name} "
    variant = _VARIANTS.get(element.attr("mathvariant") or "")
    if variant and name:
        return rf"\{variant}{{{name.translate(_TRANSLATED).strip()}}}"
    if len(name) > 1 and name.isascii() and name.isalpha():
        return rf"\mathrm{{{name}}}"
    return name.translate(_TRANSLATED)


def _operator(element: Element) -> str:
    name = " ".join(element.text.split())
    if name in _FUNCTIONS:
        return f"\\{name} "
    return name.translate(_TRANSLATED)


def _words(element: Element) -> str:
    text = element.text.replace("\xa0", " ")
    return rf"\text{{{text}}}" if text.strip() else " "


def _at(pieces: list[str], place: int) -> str:
    return pieces[place] if place < len(pieces) else ""


def _script(sign: str) -> Callable[[Element, list[str]], str]:
    def write(element: Element, pieces: list[str]) -> str:
        return f"{_base(_at(pieces, 0))}{sign}{{{_at(pieces, 1).strip()}}}"

    return write


def _base(tex: str) -> str:
    tex = tex.strip()
    single = len(tex) <= 1 or _COMMAND.fullmatch(tex) is not None or tex.isdigit()
    return tex if single else f"{{{tex}}}"


def _two_scripts(element: Element, pieces: list[str]) -> str:
    below, above = _at(pieces, 1).strip(), _at(pieces, 2).strip()
    return f"{_base(_at(pieces, 0))}_{{{below}}}^{{{above}}}"


def _fraction(element: Element, pieces: list[str]) -> str:
    if (element.attr("linethickness") or "").strip()[:1] == "0":
        return rf"{{{_at(pieces, 0).strip()} \atop {_at(pieces, 1).strip()}}}"
    return rf"\frac{{{_at(pieces, 0).strip()}}}{{{_at(pieces, 1).strip()}}}"


def _square_root(element: Element, pieces: list[str]) -> str:
    return rf"\sqrt{{{''.join(pieces).strip()}}}"


def _root(element: Element, pieces: list[str]) -> str:
    return rf"\sqrt[{_at(pieces, 1).strip()}]{{{_at(pieces, 0).strip()}}}"


def _over(element: Element, pieces: list[str]) -> str:
    above = _at(pieces, 1).strip()
    accent = _ACCENTS.get(above) or _ACCENTS.get({r"\to": "→"}.get(above, ""))
    if accent:
        return rf"\{accent}{{{_at(pieces, 0).strip()}}}"
    if _at(pieces, 0).strip() in {r"\sum", r"\prod", r"\int", r"\lim"}:
        return f"{_at(pieces, 0).strip()}^{{{above}}}"
    return rf"\overset{{{above}}}{{{_at(pieces, 0).strip()}}}"


def _under(element: Element, pieces: list[str]) -> str:
    return f"{_base(_at(pieces, 0))}_{{{_at(pieces, 1).strip()}}}"


def _fenced(element: Element, pieces: list[str]) -> str:
    opening = (element.attr("open") or "(").translate(_TRANSLATED)
    closing = (element.attr("close") or ")").translate(_TRANSLATED)
    separator = (element.attr("separators") or ",")[:1]
    return f"{opening}{separator.join(pieces)}{closing}"


def _table(element: Element, pieces: list[str]) -> str:
    return r"\begin{matrix}" + r"\\ ".join(pieces) + r"\end{matrix}"


def _row(element: Element, pieces: list[str]) -> str:
    return " & ".join(piece.strip() for piece in pieces)


def _first(element: Element, pieces: list[str]) -> str:
    return _at(pieces, 0)


_LEAVES: dict[str, Callable[[Element], str]] = {
    "mi": _identifier,
    "mo": _operator,
    "mn": _plain,
    "ms": _words,
    "mtext": _words,
    "mspace": lambda _: " ",
}
_SHAPES: dict[str, Callable[[Element, list[str]], str]] = {
    "semantics": _first,
    "msup": _script("^"),
    "msub": _script("_"),
    "msubsup": _two_scripts,
    "munderover": _two_scripts,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "mover": _over,
    "munder": _under,
    "mfenced": _fenced,
    "mtable": _table,
    "mtr": _row,
}
