"""A page as a browser showed it, without what runs and without what was typed into it."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser

_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr frame".split()
)
_KEPT_SCRIPTS = ("application/ld+json",)
"""Scripts that say something about the page and do nothing."""
_BUTTONS = ("submit", "button", "reset")
_RUNS = ("javascript:", "vbscript:")


def strip_scripts(markup: str) -> str:
    """The page without scripts, handlers, addresses that run, and values of fields."""
    writer = _Writer()
    writer.feed(markup)
    writer.close()
    return "".join(writer.parts)


class _Writer(HTMLParser):
    """Writes what it reads, but for what is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self._left_out = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        if self._left_out:
            return
        known = dict(attrs)
        kind = (known.get("type") or "").strip().lower()
        if tag == "script" and kind not in _KEPT_SCRIPTS:
            self._left_out = tag
            return
        if tag == "input" and kind not in _BUTTONS:
            known.pop("value", None)
        shown = "".join(
            f" {name}" if value is None else f' {name}="{escape(value)}"'
            for name, value in known.items()
            if not name.startswith("on") and not _is_running(value or "")
        )
        self.parts.append(f"<{tag}{shown}>")
        if tag == "textarea":
            self._left_out = tag

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        is_left_out, is_text = tag == self._left_out, tag == "textarea"
        if self._left_out and not is_left_out:
            return
        self._left_out = ""
        if tag not in _VOID and (is_text or not is_left_out):
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Text."""
        self._add(data)

    def handle_entityref(self, name: str) -> None:
        """A character by its name."""
        self._add(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """A character by its number."""
        self._add(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """The doctype."""
        self._add(f"<!{decl}>")

    def _add(self, text: str) -> None:
        if not self._left_out:
            self.parts.append(text)


def _is_running(value: str) -> bool:
    return "".join(value.split()).lower().startswith(_RUNS)
