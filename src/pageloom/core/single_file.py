"""One HTML file of a page as a browser showed it: styles and pictures inside, nothing that runs.

Made of the MHTML that browsers save: the page, and each thing it loaded as a part of its own.
"""

from __future__ import annotations

import re
from base64 import b64encode
from email import message_from_string, policy
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

if TYPE_CHECKING:
    from collections.abc import Mapping
    from email.message import EmailMessage

POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; media-src data:;"
    " frame-src 'self'"
)
_HEAD = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
_DROPPED = frozenset("script noscript template object embed applet portal base".split())
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr frame".split()
)
_LINKS = frozenset({"stylesheet"})
_URLS = {"src", "poster", "background", "data", "href", "xlink:href"}
_CSS_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)""", re.IGNORECASE)
_CSS_IMPORT = re.compile(
    r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?([^;]*);""", re.IGNORECASE
)
_DEPTH = 5

Parts = dict[str, tuple[str, bytes]]
"""Media type and bytes of each thing that the page loaded, by URL."""


def make_single_file(mhtml: str) -> str:
    """The page of an MHTML as one HTML file; empty if there is none in it."""
    message = message_from_string(mhtml, policy=policy.default)
    parts: Parts = {}
    first = ("", "")
    for part in message.walk():
        if part.is_multipart():
            continue
        kind, body = part.get_content_type(), _body(part)
        place = str(part.get("Content-Location") or "")
        name = str(part.get("Content-ID") or "").strip("<>")
        for key in filter(None, (place, name and f"cid:{name}")):
            parts[key] = (kind, body)
        if kind == "text/html" and not first[1]:
            first = (place, body.decode("utf-8", "replace"))
    return write_page(first[1], first[0], parts) if first[1] else ""


def _body(part: EmailMessage) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def write_page(markup: str, base: str, parts: Parts, depth: int = 0) -> str:
    """A page with what it loaded inside it."""
    writer = _Writer(base, parts, depth)
    writer.feed(markup)
    writer.close()
    return "".join(writer.written)


class _Writer(HTMLParser):
    """Writes a page again without what runs, and with what it loads."""

    def __init__(self, base: str, parts: Parts, depth: int) -> None:
        super().__init__(convert_charrefs=False)
        self.written: list[str] = []
        self._base, self._parts, self._depth = base, parts, depth
        self._dropped = ""
        self._in_style = False

    def handle_decl(self, decl: str) -> None:
        self.written.append(f"<!{decl}>")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped or tag in _DROPPED:
            if not self._dropped and tag not in _VOID:
                self._dropped = tag
            return
        given = {name: value or "" for name, value in attrs}
        if tag == "link":
            self._link(given)
        elif tag != "meta" or "http-equiv" not in given:
            self._in_style = tag == "style"
            self.written.append(f"<{tag}{self._attributes(tag, given)}>")
        if tag == "head":
            self.written.append(_HEAD)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._dropped:
            self._dropped = "" if tag == self._dropped else self._dropped
            return
        self._in_style = False
        if tag not in _VOID and tag not in _DROPPED:
            self.written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.written.append(self._css(data, self._base) if self._in_style else data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def _link(self, given: dict[str, str]) -> None:
        """A style sheet becomes a style element; other links load what nobody needs."""
        if not _LINKS & set(given.get("rel", "").lower().split()):
            return
        url = urljoin(self._base, given.get("href", ""))
        kind, body = self._parts.get(url, ("", b""))
        if kind == "text/css":
            style = self._css(body.decode("utf-8", "replace"), url)
            media = f' media="{escape(given["media"])}"' if given.get("media") else ""
            safe = style.replace("</", "<\\/")
            self.written.append(f"<style{media}>{safe}</style>")

    def _attributes(self, tag: str, given: Mapping[str, str]) -> str:
        kept: dict[str, str] = {}
        for name, value in given.items():
            if name.startswith("on") or name in {"srcset", "srcdoc", "nonce", "integrity", "ping"}:
                continue
            if name == "style":
                kept[name] = self._css(value, self._base)
            elif name in _URLS:
                kept |= self._url(tag, name, value)
            else:
                kept[name] = value
        return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())

    def _url(self, tag: str, name: str, value: str) -> dict[str, str]:
        """What a URL becomes: a link stays, what is loaded is put inside or left out."""
        url = value.strip() if value.startswith(("data:", "cid:")) else urljoin(self._base, value)
        if tag in {"a", "area"}:
            return {name: url} if url.startswith(("http://", "https://", "mailto:", "#")) else {}
        if tag in {"iframe", "frame"}:
            return self._frame(url)
        if url.startswith("data:image/") or value.startswith("#"):
            return {name: value}
        inside = self._data(url)
        return {name: inside} if inside else {}

    def _frame(self, url: str) -> dict[str, str]:
        kind, body = self._parts.get(url, ("", b""))
        if kind != "text/html" or self._depth >= _DEPTH:
            return {}
        page = write_page(body.decode("utf-8", "replace"), url, self._parts, self._depth + 1)
        return {"srcdoc": page, "sandbox": ""}

    def _data(self, url: str) -> str:
        kind, body = self._parts.get(url) or self._parts.get(urldefrag(url)[0]) or ("", b"")
        if not kind.startswith(("image/", "font/", "application/font", "application/x-font")):
            return ""
        return f"data:{kind};base64,{b64encode(body).decode()}"

    def _css(self, text: str, base: str, depth: int = 0) -> str:
        """A style sheet with what it loads inside it."""

        def sheet(found: re.Match[str]) -> str:
            url = urljoin(base, found[1])
            kind, body = self._parts.get(url, ("", b""))
            if kind != "text/css" or depth >= _DEPTH:
                return ""
            inner = self._css(body.decode("utf-8", "replace"), url, depth + 1)
            return f"@media {found[2]}{{{inner}}}" if found[2].strip() else inner

        def picture(found: re.Match[str]) -> str:
            url = found[1] or found[2] or found[3] or ""
            if url.startswith(("data:image/", "data:font/", "#")):
                return found[0]
            inside = self._data(urljoin(base, url))
            return f'url("{inside}")' if inside else "none"

        text = text.replace('@charset "utf-8";', "")
        return _CSS_URL.sub(picture, _CSS_IMPORT.sub(sheet, text))
