"""A tolerant XML reader for broken feeds and documents.

Raw ``&``, undefined entities, missing namespaces, tags that do not match, junk around the root and
a cut end are all common in the wild. Entities that a document declares itself are never expanded,
and nothing is ever loaded, so that neither a bomb nor a file of the machine can come out of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG = re.compile("<(?=[A-Za-z_!?/])")
_START = re.compile(r"<([A-Za-z_][\w.:-]*)")
_ATTRIBUTE = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_REST_OF_TAG = re.compile(r"""(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>""")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MAX_ELEMENTS = 200_000


@dataclass(slots=True)
class XmlElement:
    """An element with its pieces of text and child elements in order."""

    name: str
    """As written, such as ``dc:creator``, in lower case."""
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list[XmlElement | str] = field(default_factory=list["XmlElement | str"])

    @property
    def local(self) -> str:
        """The name without its prefix."""
        return self.name.rpartition(":")[2]

    def elements(self) -> Iterator[XmlElement]:
        """The child elements."""
        return (child for child in self.children if isinstance(child, XmlElement))

    def text(self) -> str:
        """All text below, in order."""
        pieces: list[str] = []
        todo: list[XmlElement | str] = [self]
        while todo:
            node = todo.pop()
            if isinstance(node, str):
                pieces.append(node)
            else:
                todo.extend(reversed(node.children))
        return "".join(pieces)


def parse_xml(text: str) -> XmlElement:
    """The tree of a document under a nameless element; any text gives a tree."""
    builder = _Builder()
    position = 0
    while position < len(text) and builder.count < _MAX_ELEMENTS:
        tag = _TAG.search(text, position)
        start = tag.start() if tag else len(text)
        if start > position:
            builder.add_text(unescape_once(text[position:start]))
        position = _read_tag(builder, text, start) if start < len(text) else start
    return builder.root


def unescape_once(text: str) -> str:
    """Character references resolved one level deep; a raw ``&`` stays, also in ``?a=1&copy=2``."""
    return _REFERENCE.sub(lambda found: unescape(found[0]), text) if "&" in text else text


class _Builder:
    def __init__(self) -> None:
        self.root = XmlElement("")
        self.count = 0
        self._open = [self.root]
        self._names: defaultdict[str, int] = defaultdict(int)

    def add_text(self, text: str) -> None:
        self._open[-1].children.append(text)

    def start(self, element: XmlElement, *, closed: bool) -> None:
        self.count += 1
        self._open[-1].children.append(element)
        if not closed:
            self._open.append(element)
            self._names[element.name] += 1

    def end(self, name: str) -> None:
        """Close the nearest element of that name and all inside it.

        A stray end tag is nothing, unless it is the innermost name with its letters mixed up or
        its prefix lost.
        """
        if not self._names[name]:
            innermost = self._open[-1]
            if innermost is self.root:
                return
            if innermost.local != name and sorted(innermost.name) != sorted(name):
                return
            name = innermost.name
        while True:
            closed = self._open.pop()
            self._names[closed.name] -= 1
            if closed.name == name:
                return


def _read_tag(builder: _Builder, text: str, start: int) -> int:
    """Take in what begins at ``start`` with ``<``; the position after it."""
    if text.startswith("<![CDATA[", start):
        end = _find(text, "]]>", start + 9)
        builder.add_text(text[start + 9 : end])
        return end + 3
    if text.startswith("<!--", start):
        return _find(text, "-->", start + 4) + 3
    if text.startswith(("<?", "<!"), start):
        return _skip_declaration(text, start)
    if text.startswith("</", start):
        end = _find(text, ">", start)
        builder.end(text[start + 2 : end].strip().lower())
        return end + 1
    match = _START.match(text, start)
    return _read_start(builder, text, match) if match else start + 1


def _read_start(builder: _Builder, text: str, match: re.Match[str]) -> int:
    end = _find_tag_end(text, match.end())
    inside = text[match.end() : end]
    attributes: dict[str, str] = {}
    if "=" in inside:
        for name, double, single, bare in _ATTRIBUTE.findall(inside):
            attributes.setdefault(name.lower(), unescape_once(double or single or bare))
    closed = inside.endswith("/")
    builder.start(XmlElement(match[1].lower(), attributes), closed=closed)
    return end + 1


def _find_tag_end(text: str, start: int) -> int:
    """The ``>`` of a tag, which is not one inside a quoted value."""
    match = _REST_OF_TAG.match(text, start)
    return match.end() - 1 if match else _find(text, ">", start)


def _skip_declaration(text: str, start: int) -> int:
    """Past ``<?...?>`` or ``<!DOCTYPE ... [ ... ]>``."""
    end = _find(text, ">", start)
    subset = text.find("[", start, end)
    if subset < 0 or text.startswith("<?", start):
        return end + 1
    return _find(text, ">", _find(text, "]", subset)) + 1


def _find(text: str, what: str, start: int) -> int:
    found = text.find(what, start)
    return found if found >= 0 else len(text)
