"""The main content as clean, safe HTML: written anew from the tree, tag by allowed tag.

Nothing is copied: every tag and attribute written is one of the tables below, every text and value
is escaped, and no element is written whose text a browser reads by other rules than text. So the
result means the same to every parser, and there is nothing left to filter out of it.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from pageloom.core.addresses import absolute, followable, scheme_of, tidy
from pageloom.core.dom import Element, Text
from pageloom.core.embeds import EMBED_TAGS, embed_of
from pageloom.core.pictures import (
    best_image_url,
    has_noscript_twin,
    image_candidates,
    is_tracking_pixel,
    picture_facts,
)
from pageloom.core.visibility import hidden_elements, is_notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
_COUNTED = _SINGLE_LINES | {"pre", "math"}
_WORDS = _PHRASES | {"span", "font", "img", "picture"}
_BREAKING = _BLOCKS | {"br", "div"}
"""Where white space before and after says nothing."""
_RENAMED = {
    "strike": "s",
    "tt": "code",
    "amp-img": "img",
    "acronym": "abbr",
    "menu": "ul",
    "dir": "ul",
}
_DROPPED = frozenset(
    "script style template svg canvas head title meta link base select option textarea datalist "
    "map area param track source frame frameset noframes noembed xmp plaintext listing applet "
    "portal progress meter input annotation-xml mglyph malignmark maction".split()
)
_NAMES = (
    {name: name for name in _PHRASES | _BLOCKS | {"math", "img"}}
    | dict.fromkeys(_WRAPPERS, "div")
    | _RENAMED
)
"""What an element is written as; those not named here are looked through."""
_NUMBER = re.compile(r"\s{0,8}(-?\d{1,9})\s{0,8}\Z")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,6}")
_CODE_CLASS = re.compile(r"(?:language|lang)-([A-Za-z0-9+#._\-]{1,30})")
_MATH_WORD = re.compile(r"[A-Za-z0-9 .\-+%]{1,60}")
_WHITE = " \t\n\r\f"
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]+")
"""Controls, and marks that would turn the reading order of what follows."""
_SPACE = re.compile(f"[{_WHITE}]+")

_Open = tuple["Iterator[Node]", str, int]
"""The nodes still to come; the tag to be closed, or nothing for elements that are only looked
through; how many pieces there were with the opening tag written."""


def clean_html(root: Element, base_url: str = "") -> str:
    """Safe HTML of a content tree, which is only read.

    Args:
        root: the content; its own tag is not written.
        base_url: what relative addresses are relative to; without it they are left out.
    """
    return _Cleaner(base_url, frozenset(hidden_elements(root))).clean(root)


class _Cleaner:
    """One cleaning: the pieces written, and what is open around the next one."""

    __slots__ = ("base_url", "formulas", "hidden", "lines", "loose", "pieces", "stack", "verbatim")

    def __init__(self, base_url: str, hidden: frozenset[Node]) -> None:
        self.base_url = base_url
        self.hidden = hidden
        self.pieces: list[str] = []
        self.stack: list[_Open] = []
        self.verbatim = 0
        self.lines = 0
        self.formulas = 0
        self.loose = True
        """Whether white space would say nothing here."""

    def clean(self, root: Element) -> str:
        hidden, stack = self.hidden, self.stack
        stack.append((iter(root), "", 0))
        while stack:
            for node in stack[-1][0]:
                kind = type(node)
                if kind is Text:
                    self.text(node.data)  # type: ignore[attr-defined]
                elif kind is not Element or (hidden and node in hidden):
                    continue
                elif self.enter(node):  # type: ignore[arg-type]
                    break
            else:
                _, tag, start = stack.pop()
                if tag:
                    self.leave(tag, start)
        return "".join(self.pieces).strip()

    def text(self, data: str) -> None:
        if not data.isprintable():
            data = _UNSEEN.sub("", data)
        if self.verbatim:
            # a parser drops the first newline of <pre>, so one that is meant is written twice
            doubled = data[:1] == "\n" and self.pieces and self.pieces[-1].startswith("<pre")
            data = "\n" + data if doubled else data
        else:
            if self.loose:
                data = data.lstrip(_WHITE)
            if "  " in data or not data.isprintable():
                data = _SPACE.sub(" ", data)
        if data:
            self.pieces.append(escape(data, quote=False))
            self.loose = data[-1] == " "

    def enter(self, node: Element) -> bool:
        """Write what an element is; tells whether its content is to be looked at next."""
        tag = node.tag
        if tag in _DROPPED or (tag == "button" and self.verbatim):
            return False  # a button beside code copies it; elsewhere it may hold a question
        if self.formulas:
            name = tag if tag in _FORMULAS else ""
        else:
            name = _NAMES.get(tag, "")
            special = _SPECIAL.get(name or tag)
            if special is not None:
                written = special(node, self.base_url)
                if written is not None:
                    self.write(written)
                    return False
            if name == "div":
                name = "" if self.lines else _wrapper(node)
        return self.open(node, name)

    def open(self, node: Element, name: str) -> bool:
        """Write an opening tag, unless the name is empty; tells whether the element has content."""
        opening = self.opening(node, name) if name else ""
        if not opening:
            self.stack.append((iter(node), "", 0))
            return True
        if name in _BREAKING:
            self.drop_space()
            self.loose = True
        self.pieces.append(opening)
        if name in _VOID:
            return False
        if name in _COUNTED:
            self.count(name, 1)
        self.stack.append((iter(node), name, len(self.pieces)))
        return True

    def opening(self, node: Element, name: str) -> str:
        """The tag to write; nothing for a link that leads nowhere."""
        if name == "a":
            href = _href(node.attr("href"), self.base_url)
            return f'<a href="{escape(href)}"{_title(node)}>' if href else ""
        if not node.attrs:
            return f"<{name}>"
        if name in _FORMULAS:
            return f"<{name}{_math_attributes(node, name)}>"
        attributes = _ATTRIBUTES.get(name)
        own = attributes(node, self.base_url) if attributes is not None else ""
        return f"<{name}{own}{_common(node)}>"

    def leave(self, tag: str, start: int) -> None:
        """Close an element, or take its opening back when nothing came of it."""
        if tag in _COUNTED:
            self.count(tag, -1)
        pieces = self.pieces
        if tag in _BREAKING:
            self.drop_space()
            self.loose = True
        if len(pieces) == start and tag not in _KEPT_EMPTY:
            pieces.pop()
        elif len(pieces) == start + 1 and pieces[-1] == " " and tag not in _KEPT_EMPTY:
            del pieces[start - 1]
        else:
            pieces.append(f"</{tag}>")

    def write(self, markup: str) -> None:
        if markup:
            self.pieces.append(markup)
            self.loose = False

    def count(self, tag: str, step: int) -> None:
        if tag == "pre":
            self.verbatim += step
        elif tag == "math":
            self.formulas += step
        elif tag in _SINGLE_LINES:
            self.lines += step

    def drop_space(self) -> None:
        """Take off the white space at the end of a block."""
        pieces = self.pieces
        if not self.verbatim and pieces and pieces[-1][-1] == " ":
            pieces[-1] = pieces[-1][:-1]
            if not pieces[-1]:
                pieces.pop()


def _wrapper(node: Element) -> str:
    """A wrapper of text is a paragraph; one of text and blocks stays; one of blocks only goes."""
    has_text = has_blocks = False
    for child in node:
        if type(child) is Text:
            has_text = has_text or not child.data.isspace()
        elif type(child) is Element:
            tag = child.tag
            if tag in _BLOCKS or tag in _WRAPPERS:
                has_blocks = True
            elif tag in _WORDS:
                has_text = True
        if has_text and has_blocks:
            return "div"
    return "p" if has_text and not has_blocks else ""


def _href(href: str | None, base_url: str) -> str:
    if not href or href.strip() == "#":  # which is how pages write a button
        return ""
    if scheme_of(href) == "mailto":
        return tidy(href)
    return followable(href, base_url) or ""


def _title(node: Element) -> str:
    title = node.attr("title")
    return _attribute("title", " ".join(title.split())) if title else ""


def _attribute(name: str, value: str | int | None) -> str:
    return f' {name}="{escape(str(value))}"' if value not in {"", None} else ""


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
            found = _NUMBER.match(node.attr(name) or "")
            written += f' {name}="{int(found[1])}"' if found else ""
        return written

    return write


def _cell(node: Element, base_url: str) -> str:
    scope = (node.attr("scope") or "").lower()
    written = _numbers("colspan", "rowspan")(node, base_url)
    return (
        f'{written} scope="{scope}"' if scope in {"row", "col", "rowgroup", "colgroup"} else written
    )


def _list(node: Element, base_url: str) -> str:
    reverse = " reversed" if node.attr("reversed") is not None else ""
    kind = node.attr("type") or ""
    return (
        _numbers("start")(node, base_url)
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


def _math_attributes(node: Element, name: str) -> str:
    if name == "math":
        display = node.attr("display") or ""
        return ' display="block"' if display == "block" else ""
    if name == "annotation":
        encoding = node.attr("encoding") or ""
        return ' encoding="application/x-tex"' if "tex" in encoding.lower() else ""
    written = ""
    for attribute in ("mathvariant", "stretchy", "fence", "linethickness", "columnalign"):
        value = node.attr(attribute)
        if value and _MATH_WORD.fullmatch(value):
            written += f' {attribute}="{value}"'
    return written


def _relative(node: Element) -> str | None:
    """The picture of a page whose own address nobody knows."""
    found = (followable(candidate) for candidate in image_candidates(node))
    return next((url for url in found if url), None)


def _image(node: Element, base_url: str) -> str:
    url = best_image_url(node, base_url) or (None if base_url else _relative(node))
    if url is None or is_tracking_pixel(node, url):
        return ""
    facts = picture_facts(node)
    return (
        f'<img src="{escape(url)}" alt="{escape(facts.alt)}"{_attribute("title", facts.title)}'
        f"{_attribute('width', facts.width)}{_attribute('height', facts.height)}>"
    )


def _embed(node: Element, base_url: str) -> str | None:
    found = embed_of(node, base_url)
    if found is None:
        return None if node.tag == "object" else ""
    url = escape(found.url)
    if not found.provider and found.kind in {"video", "audio"}:
        return (
            f'<{found.kind} controls src="{url}"{_attribute("title", found.title)}></{found.kind}>'
        )
    return f'<p><a href="{url}">{escape(found.title or found.url)}</a></p>'


def _noscript(node: Element, base_url: str) -> str | None:
    return "" if has_noscript_twin(node) or is_notice(node) else None


_SPECIAL: dict[str, Callable[[Element, str], str | None]] = {
    "img": _image,
    "noscript": _noscript,
    **dict.fromkeys(EMBED_TAGS, _embed),
}
"""Elements written by a function: its text, or None to look at what is inside."""

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
}
