"""Write the content tree as clean, safe HTML (allow-list sanitizer).

Nothing is copied: every tag and attribute written is one of the tables below, every text and value
is escaped, and no element is written whose text a browser reads by other rules than text. So the
result means the same to every parser, and there is nothing left to filter out of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text, escape
from pageloom.core.embeds import EMBED_TAGS, embed_of
from pageloom.core.page_urls import absolute, followable, scheme_of, tidy
from pageloom.core.pictures import (
    Picture,
    Pictures,
    best_image_url,
    has_noscript_twin,
    image_candidates,
    picture_at,
)
from pageloom.core.visibility import hidden_elements, is_notice
from pageloom.core.words import single_spaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pageloom.core.dom import Node

_PHRASES = frozenset(
    "a abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub "
    "sup time u var wbr".split()
)
_BLOCKS = frozenset(
    "blockquote dd details dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table "
    "caption tbody td tfoot th thead tr ul".split()
)
_FORMULAS = frozenset(
    "math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot "
    "mover munder munderover mmultiscripts mprescripts none mfenced mtable mtr mtd mstyle mpadded "
    "mphantom menclose merror".split()
)
_VOID = frozenset({"br", "hr", "wbr"})
_KEPT_EMPTY = frozenset("br hr wbr td th tr mspace none mprescripts mi mo mn mrow".split())
_WRAPPERS = frozenset("div section article main header footer aside center address".split())
_SINGLE_LINES = frozenset("p h1 h2 h3 h4 h5 h6 summary".split())
_BLOCK, _TEXT = 1, 2
_HELD_AS = dict.fromkeys(_PHRASES | {"span", "font", "img", "picture"}, _TEXT) | dict.fromkeys(
    _BLOCKS | _WRAPPERS, _BLOCK
)
"""What elements are to a wrapper that holds them."""
_BREAKING = _BLOCKS | {"br", "div"}
"""Where white space before and after says nothing."""
_RENAMED = {
    "strike": "s",
    "tt": "code",
    "acronym": "abbr",
    "menu": "ul",
    "dir": "ul",
}
_DROPPED = frozenset(
    "script style template svg canvas head title meta link base select option textarea datalist "
    "map area param track source frame frameset noframes noembed xmp plaintext listing applet "
    "portal progress meter input annotation-xml mglyph malignmark maction".split()
)
_NUMBER = re.compile(r"\s{0,8}(-?\d{1,9})\s{0,8}\Z")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,6}")
_CODE_CLASS = re.compile(r"(?:language|lang)-([A-Za-z0-9+#._\-]{1,30})")
_MATH_WORD = re.compile(r"[A-Za-z0-9 .\-+%]{1,60}")
_WHITE = " \t\n\r\f"
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]+")
"""Controls, and marks that would turn the reading order of what follows."""
_SPACE = re.compile(f"[{_WHITE}]{{2,}}|[{_WHITE[1:]}]")
_Open = tuple["Iterator[Node]", "_Kind", int, int]
"""The nodes that come after an open element; its kind; how many pieces there were with its opening
tag written; the rules that hold around it."""


_LINE, _VERBATIM, _FORMULA = 1, 2, 4
"""What may be open around an element, so that other rules hold for it: one that no block may stand
in, one whose white space counts, a formula. They are added up."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the elements of one name are written."""

    name: str = ""
    opening: str = ""
    """The tag of an element without attributes; none for elements that are only looked through."""
    closing: str = ""
    breaks: bool = False
    is_void: bool = False
    is_kept_empty: bool = False
    rules: int = 0
    """Which other rules hold inside."""
    is_plain: bool = True
    """Whether all of them have the same opening tag, but for a direction or a language."""
    speaks: bool = False
    """Whether its direction and language are written."""
    attributes: Callable[[Element, str], str] | None = None
    written_by: Callable[[Element, Pictures], str | None] | None = None
    """Gives all that is written of an element, or None to look at what is inside."""


def clean_html(
    root: Element,
    base_url: str = "",
    pictures: Pictures | None = None,
    *,
    revealed: bool = False,
) -> str:
    """Safe HTML of a content tree, which is only read.

    Args:
        root: the content; its own tag is not written.
        base_url: what relative URLs are relative to; without it they are left out.
        pictures: those of the tree, where other stages ask for them too.
        revealed: whether ``reveal`` has left nothing hidden to look for.
    """
    spoken: frozenset[Node] = frozenset(root.select("[dir], [lang]"))
    hidden: frozenset[Node] = frozenset(() if revealed else hidden_elements(root))
    return _Cleaner(pictures or Pictures(base_url), hidden, spoken).clean(root)


class _Cleaner:
    """One cleaning of a tree."""

    __slots__ = ("base_url", "hidden", "pictures", "spoken")

    def __init__(
        self, pictures: Pictures, hidden: frozenset[Node], spoken: frozenset[Node]
    ) -> None:
        self.base_url = pictures.base_url
        self.pictures = pictures
        self.hidden = hidden
        self.spoken = spoken
        """The elements that state a direction or a language."""

    def clean(self, root: Element) -> str:  # noqa: C901, PLR0912, PLR0915  every node passes here
        hidden, spoken = self.hidden, self.spoken
        pieces = ["\n"]  # so that there is always one before
        write = pieces.append
        loose = True  # whether white space would say nothing here
        outer: list[_Open] = []
        nodes, rules = iter(root), 0
        kinds = _KINDS_BY_RULES[rules]
        while True:
            for node in nodes:
                if type(node) is Text:
                    data = node.data
                    if rules & _VERBATIM:
                        data = _verbatim(data, pieces[-1])
                    else:
                        if loose:
                            data = data.lstrip(_WHITE)
                            if not data:  # between blocks, which is most of what a page holds
                                continue
                        if "  " in data or not data.isprintable():
                            data = _spaced(data, loose=loose)
                    if data:
                        if "&" in data or "<" in data or ">" in data:
                            data = escape(data, quote=False)
                        write(data)
                        loose = data[-1] == " "
                elif type(node) is Element and not (hidden and node in hidden):
                    kind = kinds.get(node.tag, _LOOKED_THROUGH)
                    children: Iterable[Node] = node
                    if kind is _WRAPPER:
                        children = list(node)
                        kind = _wrapper(children)
                    opening = kind.opening
                    if not kind.is_plain or (spoken and node in spoken):
                        kind, opening = self.opening(node, kind)
                        if kind is _WRITTEN:
                            if opening:
                                write(opening)
                                loose = False
                            continue
                    if opening:
                        if kind.breaks:
                            if loose and pieces[-1][-1] == " " and not rules & _VERBATIM:
                                _drop_space(pieces)
                            loose = True
                        write(opening)
                        if kind.is_void:
                            continue
                    outer.append((nodes, kind, len(pieces), rules))
                    if kind.rules:
                        rules |= kind.rules
                        kinds = _KINDS_BY_RULES[rules]
                    nodes = iter(children)
                    break
            else:
                if not outer:
                    return "".join(pieces).strip()
                nodes, kind, start, rules = outer.pop()
                if kind is _LOOKED_THROUGH:
                    continue
                if kind.rules:
                    kinds = _KINDS_BY_RULES[rules]
                if kind.breaks:
                    if loose and pieces[-1][-1] == " " and not rules & _VERBATIM:
                        _drop_space(pieces)
                    loose = True
                inside = len(pieces) - start
                if inside > 1 or kind.is_kept_empty or (inside and pieces[-1] != " "):
                    write(kind.closing)
                else:
                    del pieces[start - 1]

    def opening(self, node: Element, kind: _Kind) -> tuple[_Kind, str]:
        """The tag with its attributes; nothing for a link that leads nowhere."""
        if kind.written_by is not None:
            written = kind.written_by(node, self.pictures)
            return (_LOOKED_THROUGH, "") if written is None else (_WRITTEN, written)
        if kind.name == "a":
            href = _href(node.attr("href"), self.base_url)
            if not href:
                return _LOOKED_THROUGH, ""
            return kind, f'<a href="{escape(href)}"{_title(node)}>'
        own = kind.attributes(node, self.base_url) if kind.attributes else ""
        if kind.speaks and node in self.spoken:
            own += _common(node)
        return kind, f"<{kind.name}{own}>" if own else kind.opening


def _verbatim(data: str, before: str) -> str:
    """Text of which all white space counts."""
    if not data.isprintable():
        data = _UNSEEN.sub("", data)
    # a parser drops the first newline of <pre>, so one that is meant is written twice
    return "\n" + data if data[:1] == "\n" and before.startswith("<pre") else data


def _spaced(data: str, *, loose: bool) -> str:
    """Text whose white space is single and of which all is seen."""
    spaced = single_spaced(data)
    if spaced is not None:
        return spaced
    data = _UNSEEN.sub("", data)
    return _SPACE.sub(" ", data.lstrip(_WHITE) if loose else data)


def _drop_space(pieces: list[str]) -> None:
    """Take off the white space at the end of a block."""
    pieces[-1] = pieces[-1][:-1]
    if not pieces[-1]:
        pieces.pop()


def _wrapper(children: list[Node]) -> _Kind:
    """A wrapper of text is a paragraph; one of text and blocks stays; one of blocks only goes."""
    held = 0
    for child in children:
        if type(child) is Element:
            held |= _HELD_AS.get(child.tag, 0)
        elif held < _TEXT and type(child) is Text and not child.data.isspace():
            held |= _TEXT
    return _WRAPPER_BY_HELD[held]


def _href(href: str | None, base_url: str) -> str:
    if not href or href.strip() == "#":  # which is how pages write a button
        return ""
    if not href.startswith("http") and ":" in href and scheme_of(href) == "mailto":
        return tidy(href)
    return followable(href, base_url) or ""


def _title(node: Element) -> str:
    title = node.attr("title")
    return _attribute("title", " ".join(title.split())) if title else ""


def _attribute(name: str, value: str | None) -> str:
    return f' {name}="{escape(value)}"' if value else ""


def _common(node: Element) -> str:
    direction, language = (node.attr("dir") or "").lower(), node.attr("lang")
    if not direction and not language:
        return ""
    written = f' dir="{direction}"' if direction in {"ltr", "rtl", "auto"} else ""
    return f'{written} lang="{language}"' if _is_language(language) else written


def _is_language(tag: str | None) -> bool:
    return tag is not None and _LANGUAGE_TAG.fullmatch(tag) is not None


def _number(node: Element, name: str) -> str:
    stated = node.attr(name)
    found = _NUMBER.match(stated) if stated else None
    return f' {name}="{int(found[1])}"' if found else ""


def _cell(node: Element, base_url: str) -> str:
    written = _number(node, "colspan") + _number(node, "rowspan")
    scope = (node.attr("scope") or "").lower()
    return (
        f'{written} scope="{scope}"' if scope in {"row", "col", "rowgroup", "colgroup"} else written
    )


def _item(node: Element, base_url: str) -> str:
    return _number(node, "value")


def _list(node: Element, base_url: str) -> str:
    reverse = " reversed" if node.attr("reversed") is not None else ""
    kind = node.attr("type") or ""
    return (
        _number(node, "start")
        + reverse
        + (f' type="{kind}"' if kind in {"1", "a", "A", "i", "I"} else "")
    )


def _code(node: Element, base_url: str) -> str:
    found = _CODE_CLASS.search(node.attr("class") or "")
    return f' class="language-{found[1]}"' if found else ""


def _time(node: Element, base_url: str) -> str:
    return _attribute("datetime", (node.attr("datetime") or "").strip()[:60])


def _titled(node: Element, base_url: str) -> str:
    return _title(node)


def _cited(node: Element, base_url: str) -> str:
    cite = node.attr("cite")
    return _attribute("cite", absolute(cite, base_url) if cite else "")


def _math(node: Element, base_url: str) -> str:
    return ' display="block"' if node.attr("display") == "block" else ""


def _annotation(node: Element, base_url: str) -> str:
    encoding = node.attr("encoding") or ""
    return ' encoding="application/x-tex"' if "tex" in encoding.lower() else ""


def _formula(node: Element, base_url: str) -> str:
    written = ""
    for attribute in ("mathvariant", "stretchy", "fence", "linethickness", "columnalign"):
        value = node.attr(attribute)
        if value and _MATH_WORD.fullmatch(value):
            written += f' {attribute}="{value}"'
    return written


def _relative(node: Element) -> Picture | None:
    """The picture of a page whose own URL nobody knows."""
    spelt = (followable(candidate) for candidate in image_candidates(node))
    url = best_image_url(node) or next((url for url in spelt if url), None)
    return picture_at(url, node) if url is not None else None


def _image(node: Element, pictures: Pictures) -> str:
    picture = pictures.of(node) if pictures.base_url else _relative(node)
    if picture is None:
        return ""
    url, (alt, title, width, height) = picture
    about = _attribute("title", title)
    if width is not None:
        about += f' width="{width}"'
    if height is not None:
        about += f' height="{height}"'
    return f'<img src="{escape(url)}" alt="{escape(alt)}"{about}>'


def _embed(node: Element, pictures: Pictures) -> str | None:
    found = embed_of(node, pictures.base_url)
    if found is None:
        return None if node.tag == "object" else ""
    url = escape(found.url)
    if not found.provider and found.kind in {"video", "audio"}:
        return (
            f'<{found.kind} controls src="{url}"{_attribute("title", found.title)}></{found.kind}>'
        )
    return f'<p><a href="{url}">{escape(found.title or found.url)}</a></p>'


def _noscript(node: Element, pictures: Pictures) -> str | None:
    return "" if has_noscript_twin(node) or is_notice(node) else None


def _nothing(node: Element, pictures: Pictures) -> str:
    return ""


_ATTRIBUTES: dict[str, Callable[[Element, str], str]] = {
    "td": _cell,
    "th": _cell,
    "ol": _list,
    "li": _item,
    "code": _code,
    "pre": _code,
    "time": _time,
    "abbr": _titled,
    "dfn": _titled,
    "q": _cited,
    "blockquote": _cited,
    "del": _cited,
    "ins": _cited,
    "math": _math,
    "annotation": _annotation,
}


def _kind(name: str) -> _Kind:
    in_formula = name in _FORMULAS
    return _Kind(
        name=name,
        opening=f"<{name}>",
        closing="" if name in _VOID else f"</{name}>",
        breaks=name in _BREAKING,
        is_void=name in _VOID,
        is_kept_empty=name in _KEPT_EMPTY,
        rules=_RULES.get(name, 0),
        is_plain=not (name == "a" or in_formula or name in _ATTRIBUTES),
        speaks=not in_formula and name != "a",
        attributes=_ATTRIBUTES.get(name, _formula if in_formula else None),
    )


def _written(write: Callable[[Element, Pictures], str | None]) -> _Kind:
    return _Kind(is_plain=False, written_by=write)


_RULES = dict.fromkeys(_SINGLE_LINES, _LINE) | {"pre": _VERBATIM, "math": _FORMULA}
_LOOKED_THROUGH = _Kind()
_WRITTEN = _Kind()
_WRAPPER = _kind("div")
_WRAPPER_BY_HELD = [_LOOKED_THROUGH, _LOOKED_THROUGH, _kind("p"), _WRAPPER]
"""What a wrapper is written as by what it holds: nothing, blocks, text or both."""
_DROPPED_KINDS = dict.fromkeys(_DROPPED, _written(_nothing))
_WRITTEN_BY: dict[str, Callable[[Element, Pictures], str | None]] = {
    "img": _image,
    "amp-img": _image,
    "noscript": _noscript,
    **dict.fromkeys(EMBED_TAGS, _embed),
}
_KINDS: dict[str, _Kind] = (
    {name: _kind(name) for name in _PHRASES | _BLOCKS | {"math"}}
    | {tag: _kind(name) for tag, name in _RENAMED.items()}
    | dict.fromkeys(_WRAPPERS, _WRAPPER)
    | {tag: _written(write) for tag, write in _WRITTEN_BY.items()}
    | _DROPPED_KINDS
)
"""What elements are written as; those not named here are looked through."""
_FORMULA_KINDS = {name: _kind(name) for name in _FORMULAS} | _DROPPED_KINDS
"""The same inside of formulas."""


def _kinds_by(rules: int) -> dict[str, _Kind]:
    """The same by what is open around."""
    kinds = dict(_FORMULA_KINDS if rules & _FORMULA else _KINDS)
    if rules & _LINE:
        kinds = {tag: kind for tag, kind in kinds.items() if kind is not _WRAPPER}
    if rules & _VERBATIM:  # a button beside code copies it; elsewhere it may hold a question
        kinds["button"] = _written(_nothing)
    return kinds


_KINDS_BY_RULES = [_kinds_by(rules) for rules in range(_LINE + _VERBATIM + _FORMULA + 1)]
