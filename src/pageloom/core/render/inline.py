"""Inline content that becomes one paragraph, heading or cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.render.emphasis import DELIMITERS, EmphasisFormat, Mark, is_allowed, settle
from pageloom.core.render.escape import (
    BREAK,
    code_span,
    collapse,
    collapse_some,
    escape_signs,
    escape_text,
    link_target,
    link_title,
    safe_tex,
    without_noise,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.render.emphasis import Part

_MAX_FORMATS = 16
_WIDE_SPACES = frozenset("\xa0\u1680\u202f\u205f\u3000").union(map(chr, range(0x2000, 0x200B)))
"""White space that a page means, and that may stand inside marks as little as any other."""
_TEX = re.compile(r"\\\((.{1,1000}?)\\\)|\\\[(.{1,2000}?)\\\]", re.DOTALL)
_SAYS = re.compile(r"[^\W_]")
_BRACKETED = re.compile(r"[^\x21-\x24\x26-\x3b\x3d\x3f-\x7e]")  # renderers decode "%"


class InlineRun:
    """Collects what stands on one line of thought, then writes it as Markdown.

    White space is kept single and outside of marks while collecting, so that writing only has to
    choose delimiters. Formats stay open from one run to the next until they are closed.
    """

    __slots__ = (
        "_code",
        "_dollars",
        "_emphasized",
        "_linked",
        "_marked",
        "_signs",
        "active",
        "loose",
        "parts",
        "refer",
    )

    def __init__(self, signs: str, refer: Callable[[str, str], str] | None = None) -> None:
        self._signs = signs
        """Those to escape that all text of the page holds."""
        self.active: list[EmphasisFormat] = []
        self.refer = refer
        """Gives the end of a reference link; None for inline links."""
        self.parts: list[Part] = []
        """What has been collected since the last taking; always the same list."""
        self._marked = False
        self._emphasized = False
        """Whether any mark has to be settled."""
        self._linked = False
        """Whether any mark is the end of a link."""
        self.loose = True
        """Whether the last thing is white space, a break, or the start."""
        self._dollars: list[int] = []
        """Where text with dollar signs is; -1 for every sign of mathematics."""
        self._code: tuple[int, str] | None = None
        """Where the last inline code is, and its text."""

    @property
    def empty(self) -> bool:
        """Whether nothing has been collected since the last taking."""
        return not self.parts

    @property
    def link(self) -> EmphasisFormat | None:
        """The link around what comes next, if there is one."""
        for held in self.active:
            if held.kind == "a":
                return held
        return None

    def text(self, data: str) -> None:
        """Add running text as the page holds it; formulas between TeX's own brackets are kept."""
        if self.loose and data.isspace() and "\xa0" not in data:
            return
        if "\\" in data and ("\\(" in data or "\\[" in data):
            self._text_and_math(data)
        else:
            self.words(data)

    def alone(self, data: str) -> str:
        """Write running text that nothing stands beside: ``text`` and ``take`` in one."""
        if self.active or "  " in data or "$" in data or "\\" in data or not data.isprintable():
            self.text(data)
            return self.take()
        for sign in self._signs:
            if sign in data:
                return escape_signs(data, self._signs).strip(" ")
        return data.strip(" ")

    def _text_and_math(self, data: str) -> None:
        start = 0
        for found in _TEX.finditer(data):
            self.words(data[start : found.start()])
            tex = safe_tex(found[1] or found[2])
            if not _SAYS.search(tex):
                self.words(found[0])
            else:
                self.math(f"${tex}$" if found[1] else f"$${tex}$$")
            start = found.end()
        self.words(data[start:])

    def words(self, data: str) -> None:
        """Add running text in which there is no formula."""
        parts = self.parts
        # else there is no noise in it, and no white space but single spaces
        if "  " in data or not data.isprintable():
            data = self._tidied(data)
        elif data and data[0] == " " and (not parts or self.loose or _is_opening(parts[-1])):
            self._space()
            data = data[1:]
        if not data:
            return
        for sign in self._signs:
            if sign in data:
                data = escape_signs(data, self._signs)
                break
        if not parts:
            if self.active:
                self._begin()
        elif data[0] in "(:" and self._ends_note():
            data = "\\" + data
        if "$" in data:
            self._dollars.append(len(parts))
        parts.append(data)
        self.loose = data[-1] == " "

    def _tidied(self, data: str) -> str:
        """Text without noise and doubled white space; what it begins with stands outside marks."""
        if data.isspace() and not data.strip(" \n\t\r"):
            self._space()
            return ""
        data, noisy = collapse_some(data)
        parts = self.parts
        if data[0] == " ":
            self._space()
            data = data[1:]
        elif data[0] in _WIDE_SPACES and parts and _is_opening(parts[-1]):
            rest = data.lstrip()
            self._put_outside(data[: len(data) - len(rest)])
            data = rest
        return without_noise(data) if noisy else data

    def _space(self) -> None:
        if self.parts and not self.loose:
            self._put_outside(" ")

    def raw(self, token: str) -> None:
        """Add something already written as Markdown: a picture, code, mathematics, a note."""
        parts = self.parts
        if not parts and self.active:
            self._begin()
        if token[0] == "[":
            self._calm_bang()
        parts.append(token)
        self.loose = token[-1] == " "

    def code(self, text: str, *, goes_on: bool = False) -> None:
        """Add inline code, or more of the code before it.

        Backticks that touch would join, so code right behind other code is written as a tag.
        """
        parts = self.parts
        touches = bool(parts) and self._code is not None and self._code[0] == len(parts) - 1
        if touches and not goes_on:
            if "$" in text:
                self._dollars.append(len(parts))
            self.raw(f"<code>{escape_text(collapse(text))}</code>")
            return
        if touches and self._code is not None:
            text = self._code[1] + text
            parts.pop()
        self.raw(code_span(text))
        self._code = (len(parts) - 1, text)

    def math(self, token: str) -> None:
        """Add mathematics; dollar signs of the text around it are escaped from now on."""
        self.raw(token)
        self._dollars.extend((-1, -1))

    def line_break(self) -> None:
        """Add a hard break; breaks at the edges and doubled ones vanish."""
        parts = self.parts
        if not parts or parts[-1] is BREAK:
            return
        self._drop_space()
        self._put_outside(BREAK)

    def ends_with_break(self) -> bool:
        """Whether the last thing added is a hard break."""
        return bool(self.parts) and self.parts[-1] is BREAK

    def emphasize(self, kind: str, data: str, after: str) -> bool:
        """Add emphasis with its text in one piece; False where its ends have to be settled.

        Args:
            kind: of the emphasis.
            data: the text.
            after: what surely comes next, no mark: a character, or a space for the end.
        """
        parts = self.parts
        last = parts[-1] if parts else " "
        if self.active or type(last) is not str or not _is_simple(data):
            return False
        if not is_allowed(last[-1], data[0], data[-1], after):
            return False
        delimiter = DELIMITERS[kind][0]
        parts.append(f"{delimiter}{escape_signs(data, self._signs)}{delimiter}")
        self.loose = False
        return True

    def link_to(self, url: str, title: str, data: str) -> bool:
        """Add a link with its text in one piece; False where it takes marks to place its ends."""
        if self.active or self.refer is not None or not _is_simple(data):
            return False
        parts = self.parts
        last = parts[-1] if parts else None
        if type(last) is str and last[-1] in "!^":
            parts[-1] = _calm(last)
        text = escape_signs(data, self._signs)
        if text == url and _is_plain(url, title):
            parts.append(f"<{url}>")
        else:
            parts.append(f"[{text}]({link_target(url)}{link_title(title)})")
        self.loose = False
        return True

    def open(self, held: EmphasisFormat) -> bool:
        """Start a format; False when it would be inside its like, or too many are open."""
        if self.active and not self._has_room(held.kind):
            return False
        parts = self.parts
        if not parts and self.active:
            self._begin()
        last = parts[-1] if parts else None
        self.active.append(held)
        if type(last) is Mark and last.start and last.format.kind == held.kind in DELIMITERS:
            parts.pop()  # <b>a</b><b>b</b> is one bold word
            held.mark = last.start
            held.mark.format = held
            return True
        self._append_open(held)
        return True

    def _has_room(self, kind: str) -> bool:
        if len(self.active) >= _MAX_FORMATS:
            return False
        return all(one.kind != kind for one in self.active)

    def close(self) -> None:
        """End the format opened last."""
        self._append_close(self.active.pop())

    def take(self) -> str:
        """Write what was collected, and start afresh with the same formats open."""
        parts = self.parts
        if not parts:
            return ""
        text = self._joined().rstrip(" ")
        while text.endswith(BREAK):
            text = text[: -len(BREAK)].rstrip(" ")
        parts.clear()
        self._code = None
        self.loose = True
        return text if text.strip("\xa0 ") else ""

    def _joined(self) -> str:
        """What the parts are written as, the formats that are open closed."""
        parts = self.parts
        if not self._marked and not self._dollars:
            return "".join(parts)  # type: ignore[arg-type]
        if self._marked:
            for held in reversed(self.active):
                self._append_close(held)
        if self._dollars:
            self._guard_dollars()
            self._dollars.clear()
        if self._emphasized:
            settle(parts)
        if self._linked:
            self._write_links()
        self._marked = self._emphasized = self._linked = False
        return "".join([part if type(part) is str else part.text for part in parts])  # type: ignore[union-attr]

    def _begin(self) -> None:
        for held in self.active:
            if not held.spent:
                self._append_open(held)

    def _append_open(self, held: EmphasisFormat) -> None:
        self._marked = True
        kind = held.kind
        if kind in DELIMITERS:
            self._emphasized = True
            held.mark = Mark(held)
        elif kind == "a":
            self._linked = True
            held.mark = Mark(held, "[")
        else:
            held.mark = Mark(held, f"<{kind}>")
        self.parts.append(held.mark)

    def _append_close(self, held: EmphasisFormat) -> None:
        opening, held.mark = held.mark, None
        parts = self.parts
        if opening is None or not parts:
            return
        last = parts[-1]
        tail = self._drop_tail() if type(last) is str and last[-1].isspace() else ""
        if parts[-1] is opening:
            parts.pop()
        else:
            parts.append(Mark(held, opening.text.replace("<", "</"), opening))
            if held.kind == "a":
                held.spent = self._has_words(opening)
        if tail and parts and parts[-1] is not BREAK and parts[-1] != " ":
            parts.append(tail)

    def _has_words(self, opening: Mark) -> bool:
        """Whether anything but pictures came after the mark."""
        for part in reversed(self.parts):
            if part is opening:
                return False
            if type(part) is str and not part.startswith("![") and part is not BREAK:
                return True
        return False

    def _drop_tail(self) -> str:
        """Take white space or a break off the end, to be put back outside a mark."""
        parts = self.parts
        last: str = parts.pop()  # type: ignore[assignment]
        if last is BREAK:
            return BREAK
        kept = last.rstrip()
        if kept:
            parts.append(kept)
        return last[len(kept) :]

    def _drop_space(self) -> bool:
        parts = self.parts
        last = parts[-1]
        if type(last) is not str or last[-1] != " ":
            return False
        if last == " ":
            parts.pop()
        else:
            parts[-1] = last[:-1]
        return True

    def _put_outside(self, token: str) -> None:
        """Add white space before any marks that have just been opened."""
        parts = self.parts
        at = len(parts)
        while at:
            last = parts[at - 1]
            if type(last) is str or last.start:  # type: ignore[union-attr]
                break
            at -= 1
        if at and parts[at - 1] is not BREAK:
            parts.insert(at, token)
        self.loose = True

    def _ends_note(self) -> bool:
        last = self.parts[-1]
        return type(last) is str and last.startswith("[^")

    def _calm_bang(self) -> None:
        """Keep ``!`` or ``^`` before a bracket from making a picture or a note of it."""
        parts = self.parts
        at = len(parts) - 1
        while at >= 0 and _is_opening(parts[at]):
            at -= 1
        last = parts[at] if at >= 0 else None
        if type(last) is str:
            parts[at] = _calm(last)

    def _guard_dollars(self) -> None:
        """Escape dollar signs only where two of them could be read as mathematics."""
        places = [at for at in self._dollars if at >= 0]
        signs = len(self._dollars) - len(places)
        parts = self.parts
        texts = [(at, part) for at in places if at < len(parts) and type(part := parts[at]) is str]
        if signs + sum(part.count("$") for _, part in texts) < 2:
            return
        for at, part in texts:
            parts[at] = part.replace("$", "\\$")

    def _write_links(self) -> None:
        """Decide what every mark of a link is written as."""
        parts = self.parts
        for at, part in enumerate(parts):
            if type(part) is not Mark or part.format.kind != "a":
                continue
            start = part.start
            if start is None:
                part.at = at
                before = parts[at - 1] if at else None
                if type(before) is str:
                    parts[at - 1] = _calm(before)
                continue
            held = part.format
            if self.refer is not None:
                part.text = self.refer(held.url, held.title)
            elif (
                start.at + 2 == at and parts[at - 1] == held.url and _is_plain(held.url, held.title)
            ):
                start.text, part.text = "<", ">"
            else:
                part.text = f"]({link_target(held.url)}{link_title(held.title)})"


def _is_opening(part: Part) -> bool:
    return type(part) is Mark and part.start is None


def _calm(text: str) -> str:
    ending = text[-1:]
    if ending not in {"!", "^"}:
        return text
    before = text[:-1]
    backslashes = len(before) - len(before.rstrip("\\"))
    return text if backslashes % 2 else f"{before}\\{ending}"


def _is_simple(data: str) -> bool:
    """Whether a text is what it looks like: no space at its ends, no noise, formula or note."""
    if "  " in data or "$" in data or "\\" in data or data[:1] in " ^" or data[-1] == " ":
        return False
    return data.isprintable()


def _is_plain(url: str, title: str) -> bool:
    """Whether a URL may stand between angle brackets by itself."""
    return not title and url.startswith(("http://", "https://")) and not _BRACKETED.search(url)
