"""The main content as clean, safe HTML: written anew from the tree, tag by allowed tag.

Nothing is copied: every tag and attribute written is one of the tables below, every text and value
is escaped, and no element is written whose text a browser reads by other rules than text. So the
result means the same to every parser, and there is nothing left to filter out of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.addresses import absolute, followable, scheme_of, tidy
from pageloom.core.dom import Element, Text, escape
from pageloom.core.embeds import EMBED_TAGS, embed_of
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
_WORDS = _PHRASES | {"span", "font", "img", "picture"}
_HELD_AS_BLOCKS = _BLOCKS | _WRAPPERS
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


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the elements of one name are written."""

    name: str = ""
    """The name in the tags; none for elements that are only looked through."""
    opening: str = ""
    """The tag of an element without attributes."""
    closing: str = ""
    breaks: bool = False
    is_void: bool = False
    is_line: bool = False
    """Whether no block may stand inside."""
    changes_rules: bool = False
    is_kept_empty: bool = False
    has_attributes: bool = False
    speaks: bool = False
    """Whether its direction and language are written."""
    attributes: Callable[[Element, str], str] | None = None
    written_by: Callable[[Element, Pictures], str | None] | None = None
    """Gives all that is written of an element, or None to look at what is inside."""


_Open = tuple["Iterator[Node]", _Kind, int]
"""The nodes still to come; the element they are in; how many pieces there were with its opening
tag written."""


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
        base_url: what relative addresses are relative to; without it they are left out.
        pictures: those of the tree, where other stages ask for them too.
        revealed: whether ``reveal`` has left nothing hidden to look for.
    """
    spoken: frozenset[Node] = frozenset(root.select("[dir], [lang]"))
    hidden: frozenset[Node] = frozenset(() if revealed else hidden_elements(root))
    return _Cleaner(pictures or Pictures(base_url), hidden, spoken).clean(root)


class _Cleaner:
    """One cleaning: the pieces written, and what is open around the next one."""

    __slots__ = (
        "base_url",
        "formulas",
        "hidden",
        "kinds",
        "lines",
        "loose",
        "pictures",
        "pieces",
        "spoken",
        "verbatim",
    )

    def __init__(
        self, pictures: Pictures, hidden: frozenset[Node], spoken: frozenset[Node]
    ) -> None:
        self.base_url = pictures.base_url
        self.pictures = pictures
        self.hidden = hidden
        self.spoken = spoken
        """The elements that state a direction or a language."""
        self.pieces: list[str] = []
        self.kinds = _KINDS
        """What elements are written as here; others are looked through."""
        self.verbatim = 0
        self.lines = 0
        self.formulas = 0
        self.loose = True
        """Whether white space would say nothing here."""

    def clean(self, root: Element) -> str:  # noqa: C901, PLR0912  every node passes here
        hidden, enter, pieces = self.hidden, self.enter, self.pieces
        outer: list[_Open] = []
        nodes, around, start = iter(root), _LOOKED_THROUGH, 0
        while True:
            for node in nodes:
                if type(node) is Text:
                    data = node.data
                    if self.verbatim:
                        self.verbatim_text(data)
                        continue
                    if self.loose:
                        data = data.lstrip(_WHITE)
                    if not data:  # between blocks, which is most of what a page holds
                        continue
                    if "  " in data or not data.isprintable():
                        data = self.spaced(data)
                        if not data:
                            continue
                    if "&" in data or "<" in data or ">" in data:
                        data = escape(data, quote=False)
                    pieces.append(data)
                    self.loose = data[-1] == " "
                elif type(node) is Element and not (hidden and node in hidden):
                    entered = enter(node)
                    if entered is not None:
                        outer.append((nodes, around, start))
                        nodes, around, start = entered
                        break
            else:
                if around.name:
                    self.leave(around, start)
                if not outer:
                    return "".join(pieces).strip()
                nodes, around, start = outer.pop()

    def verbatim_text(self, data: str) -> None:
        if not data.isprintable():
            data = _UNSEEN.sub("", data)
        if data:
            # a parser drops the first newline of <pre>, so one that is meant is written twice
            doubled = data[0] == "\n" and self.pieces and self.pieces[-1].startswith("<pre")
            self.pieces.append(("\n" if doubled else "") + escape(data, quote=False))
            self.loose = data[-1] == " "

    def spaced(self, data: str) -> str:
        """Text whose white space is single and of which all is seen."""
        spaced = single_spaced(data)
        if spaced is not None:
            return spaced
        data = _UNSEEN.sub("", data)
        return _SPACE.sub(" ", data.lstrip(_WHITE) if self.loose else data)

    def enter(self, node: Element) -> _Open | None:
        """Write what an element is; gives its content if that is to be looked at next."""
        kind = self.kinds.get(node.tag, _LOOKED_THROUGH)
        children: Iterable[Node] = node
        if kind.written_by is not None:
            written = kind.written_by(node, self.pictures)
            if written is not None:
                self.write(written)
                return None
            kind = _LOOKED_THROUGH
        elif kind is _WRAPPER:
            if self.lines:
                kind = _LOOKED_THROUGH
            else:
                children = list(node)
                kind = _wrapper(children)
        if kind is _LOOKED_THROUGH:
            # a button beside code copies it; elsewhere it may hold a question
            is_passed_over = self.verbatim and node.tag == "button"
            return None if is_passed_over else (iter(children), kind, 0)
        opening = kind.opening
        if kind.has_attributes or (self.spoken and node in self.spoken):
            opening = self.opening(node, kind)
            if not opening:
                return (iter(node), _LOOKED_THROUGH, 0)
        return self.open(opening, kind, children)

    def open(self, opening: str, kind: _Kind, children: Iterable[Node]) -> _Open | None:
        """Write an opening tag; gives the content of an element that may have some."""
        pieces = self.pieces
        if kind.breaks:
            if pieces and pieces[-1][-1] == " ":
                self.drop_space()
            self.loose = True
        pieces.append(opening)
        if kind.is_void:
            return None
        if kind.is_line:
            self.lines += 1
        elif kind.changes_rules:
            self.change_rules(kind.name, 1)
        return (iter(children), kind, len(pieces))

    def opening(self, node: Element, kind: _Kind) -> str:
        """The tag with its attributes; nothing for a link that leads nowhere."""
        if kind.name == "a":
            href = _href(node.attr("href"), self.base_url)
            return f'<a href="{escape(href)}"{_title(node)}>' if href else ""
        own = kind.attributes(node, self.base_url) if kind.attributes and node.attrs else ""
        if kind.speaks and node in self.spoken:
            own += _common(node)
        return f"<{kind.name}{own}>" if own else kind.opening

    def leave(self, kind: _Kind, start: int) -> None:
        """Close an element, or take its opening back when nothing came of it."""
        if kind.is_line:
            self.lines -= 1
        elif kind.changes_rules:
            self.change_rules(kind.name, -1)
        pieces = self.pieces
        if kind.breaks:
            if pieces[-1][-1] == " ":
                self.drop_space()
            self.loose = True
        inside = len(pieces) - start
        if kind.is_kept_empty or inside > 1 or (inside and pieces[-1] != " "):
            pieces.append(kind.closing)
        elif inside:
            del pieces[start - 1]
        else:
            pieces.pop()

    def write(self, markup: str) -> None:
        """Write all there is of an element, whose content nobody needs to look at."""
        if markup:
            self.pieces.append(markup)
            self.loose = False

    def change_rules(self, tag: str, step: int) -> None:
        """Go into or out of an element that holds something else than running text."""
        if tag == "pre":
            self.verbatim += step
        else:
            self.formulas += step
            self.kinds = _FORMULA_KINDS if self.formulas else _KINDS

    def drop_space(self) -> None:
        """Take off the white space at the end of a block."""
        pieces = self.pieces
        if not self.verbatim:
            pieces[-1] = pieces[-1][:-1]
            if not pieces[-1]:
                pieces.pop()


def _wrapper(children: list[Node]) -> _Kind:
    """A wrapper of text is a paragraph; one of text and blocks stays; one of blocks only goes."""
    has_text = has_blocks = False
    for child in children:
        if type(child) is Element:
            tag = child.tag
            if tag in _HELD_AS_BLOCKS:
                has_blocks = True
            elif tag in _WORDS:
                has_text = True
        elif not has_text and type(child) is Text:
            has_text = not child.data.isspace()
    if has_text:
        return _WRAPPER if has_blocks else _PARAGRAPH
    return _LOOKED_THROUGH


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
    return bool(tag) and _LANGUAGE_TAG.fullmatch(tag) is not None


def _numbers(*names: str) -> Callable[[Element, str], str]:
    def write(node: Element, base_url: str) -> str:
        written = ""
        for name in names:
            stated = node.attr(name)
            found = _NUMBER.match(stated) if stated else None
            written += f' {name}="{int(found[1])}"' if found else ""
        return written

    return write


_SPANS = _numbers("colspan", "rowspan")
_START = _numbers("start")


def _cell(node: Element, base_url: str) -> str:
    scope = (node.attr("scope") or "").lower()
    written = _SPANS(node, base_url)
    return (
        f'{written} scope="{scope}"' if scope in {"row", "col", "rowgroup", "colgroup"} else written
    )


def _list(node: Element, base_url: str) -> str:
    reverse = " reversed" if node.attr("reversed") is not None else ""
    kind = node.attr("type") or ""
    return (
        _START(node, base_url)
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
    """The picture of a page whose own address nobody knows."""
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
    "li": _numbers("value"),
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
        closing=f"</{name}>",
        breaks=name in _BREAKING,
        is_void=name in _VOID,
        is_line=name in _SINGLE_LINES,
        changes_rules=name in {"pre", "math"},
        is_kept_empty=name in _KEPT_EMPTY,
        has_attributes=name == "a" or in_formula or name in _ATTRIBUTES,
        speaks=not in_formula and name != "a",
        attributes=_ATTRIBUTES.get(name, _formula if in_formula else None),
    )


_LOOKED_THROUGH = _Kind()
_WRAPPER = _kind("div")
_PARAGRAPH = _kind("p")
_DROPPED_KINDS = dict.fromkeys(_DROPPED, _Kind(written_by=_nothing))
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
    | {tag: _Kind(written_by=write) for tag, write in _WRITTEN_BY.items()}
    | _DROPPED_KINDS
)
"""What elements are written as; those not named here are looked through."""
_FORMULA_KINDS = {name: _kind(name) for name in _FORMULAS} | _DROPPED_KINDS
"""The same inside of formulas."""
