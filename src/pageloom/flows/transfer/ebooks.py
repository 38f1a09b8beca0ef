"""Export articles for reading: EPUB, HTML, and PDF, which the browser prints from our HTML."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape, unescape
from html.parser import HTMLParser
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.model import Document

_BLOCKS = frozenset(
    "p div section article h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table thead tbody"
    " tfoot tr td th caption figure figcaption hr details summary".split()
)
_INLINE = frozenset(
    "a b i em strong code kbd samp var sub sup s del ins mark q cite small br".split()
)
_KEPT = _BLOCKS | _INLINE
_PHRASING = frozenset("p h1 h2 h3 h4 h5 h6 pre summary span".split()) | _INLINE - {
    "a",
    "del",
    "ins",
}
"""Elements that may contain inline content only."""
_TRANSPARENT = frozenset({"a", "del", "ins"})
"""Elements that may contain whatever their parent may contain."""
_ITEMS = {
    "ul": (("li",), {"li"}),
    "ol": (("li",), {"li"}),
    "dl": (("dd",), {"dt", "dd", "div"}),
    "table": (("tr", "td"), {"caption", "thead", "tbody", "tfoot", "tr"}),
    "thead": (("tr", "td"), {"tr"}),
    "tbody": (("tr", "td"), {"tr"}),
    "tfoot": (("tr", "td"), {"tr"}),
    "tr": (("td",), {"td", "th"}),
}
"""Elements that may contain only certain children, and the child that wraps anything else."""
_PARENTS = {
    "li": {"ul", "ol"},
    "dt": {"dl"},
    "dd": {"dl"},
    "caption": {"table"},
    "thead": {"table"},
    "tbody": {"table"},
    "tfoot": {"table"},
    "tr": {"table", "thead", "tbody", "tfoot"},
    "td": {"tr"},
    "th": {"tr"},
    "figcaption": {"figure"},
    "summary": {"details"},
}
"""Elements that are allowed only in certain parents."""
_VOID = frozenset({"br", "hr"})
_DROPPED = frozenset("script style template iframe object embed video audio svg math form".split())
_ATTRIBUTES = {
    "href": re.compile(r"https?://.+", re.DOTALL),
    "title": re.compile(r".*", re.DOTALL),
    "colspan": re.compile(r"[1-9]\d{0,2}"),
    "rowspan": re.compile(r"\d{1,4}"),
    "start": re.compile(r"-?\d{1,9}"),
    "value": re.compile(r"-?\d{1,9}"),
    "type": re.compile(r"[1aAiI]"),
    "reversed": re.compile(r".*", re.DOTALL),
    "lang": re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*"),
    "dir": re.compile(r"ltr|rtl|auto"),
}
"""The allowed values of attributes."""
_BELONGS = {
    "href": {"a"},
    "colspan": {"td", "th"},
    "rowspan": {"td", "th"},
    "start": {"ol"},
    "type": {"ol"},
    "reversed": {"ol"},
    "value": {"li"},
}
"""The elements that may have an attribute."""
_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_BEGINNING = 2000
"""Characters at the start of an article in which its own heading is looked for."""
_STYLE = """
body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.1rem/1.6 Georgia,serif;color:#222}
h1,h2,h3{line-height:1.25;font-family:system-ui,sans-serif}img{max-width:100%;height:auto}
pre{overflow-x:auto;background:#f4f4f4;padding:.8rem}blockquote{border-left:3px solid #ccc;
margin-left:0;padding-left:1rem;color:#555}table{border-collapse:collapse}td,th{border:1px solid
#ccc;padding:.2rem .5rem}.block{display:block}header p{color:#666;font:.9rem system-ui,sans-serif}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#262626}}
@media print{body{max-width:none;margin:0;font-size:11pt;color:#000;background:#fff}}
"""
_POLICY = "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One page of a book."""

    title: str
    url: str
    byline: str
    body: str
    """XHTML."""
    language: str = ""
    is_rtl: bool = False
    """It is written from right to left."""


@dataclass(slots=True)
class _Element:
    """An open element: its tag in the source, and the tag that is written."""

    tag: str
    written: str
    held: set[str] = field(default_factory=set[str])
    """What was written inside it."""


class _Xhtml(HTMLParser):
    """Convert clean HTML to valid XHTML: known elements only, closed and correctly nested."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._open: list[_Element] = []
        self._dropped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            self._dropped += 1
        if self._dropped:
            return
        if tag == "img":
            self._image(dict(attrs))
        elif tag in _KEPT:
            self._start(tag, attrs)

    def _start(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while self._is_in_made_item() and self._open[-1].written not in _PARENTS.get(tag, _KEPT):
            self._end()
        self._make_room(tag)
        written = self._fit(tag)
        block = ' class="block"' if written == "span" else ""
        self._note(written)
        if tag in _VOID:
            self.parts.append(f"<{written}{block}/>")
            return
        self.parts.append(f"<{written}{block}{_attributes(written, attrs)}>")
        self._open.append(_Element(tag, written))

    def _is_in_made_item(self) -> bool:
        """Whether a list item is open that was inserted to wrap loose content."""
        return bool(self._open) and not self._open[-1].tag

    def _make_room(self, tag: str) -> None:
        """Open an item or a cell for content that is loose in a list or a table."""
        within = self._open[-1] if self._open else None
        if within is None or within.written not in _ITEMS or tag in _ITEMS[within.written][1]:
            if within and within.written == "dl" and tag == "dd" and "dt" not in within.held:
                self.parts.append("<dt></dt>")
            return
        for item in _ITEMS[within.written][0]:
            self._start(item, [])
            self._open[-1].tag = ""

    def _fit(self, tag: str) -> str:
        """The element to write in place of one that is not allowed here."""
        within = self._open[-1] if self._open else None
        parents = _PARENTS.get(tag)
        if parents and (within is None or within.written not in parents):
            tag = "div"
        if within and tag == "figcaption" and tag in within.held:
            tag = "div"
        return "span" if tag in _BLOCKS and self._is_in_line() else tag

    def _is_in_line(self) -> bool:
        """Whether only inline content is allowed here."""
        solid = (one.written for one in reversed(self._open) if one.written not in _TRANSPARENT)
        return next(solid, "div") in _PHRASING

    def _note(self, written: str) -> None:
        if self._open:
            self._open[-1].held.add(written)

    def _image(self, attrs: dict[str, str | None]) -> None:
        """Write an image's alternative text: books contain no images of other sites."""
        alt = (attrs.get("alt") or "").strip()
        if alt:
            self._make_room("em")
            self._note("em")
            self.parts.append(f"<em>[{escape(_xml(alt))}]</em>")

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif not self._dropped and any(one.tag == tag for one in self._open):
            while self._end() != tag:
                pass

    def _end(self) -> str:
        last = self._open.pop()
        self.parts.append(f"</{last.written}>")
        return last.tag

    def handle_data(self, data: str) -> None:
        if self._dropped:
            return
        if data.strip():
            self._make_room("")
        self.parts.append(escape(_xml(data), quote=False))

    def finish(self) -> str:
        """The XHTML, with all elements closed."""
        self.close()
        while self._open:
            self._end()
        return "".join(self.parts)


def _attributes(tag: str, attrs: list[tuple[str, str | None]]) -> str:
    kept = {name: value or "" for name, value in attrs if _is_kept(tag, name, value or "")}
    if "reversed" in kept:
        kept["reversed"] = "reversed"
    return "".join(f' {name}="{escape(_xml(value))}"' for name, value in kept.items())


def _is_kept(tag: str, name: str, value: str) -> bool:
    known = _ATTRIBUTES.get(name)
    return bool(known and known.fullmatch(value)) and tag in _BELONGS.get(name, {tag})


def _xml(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(
        char
        for char in text
        if char in "\t\n\r"
        or " " <= char <= "\ud7ff"
        or "\ue000" <= char <= "\ufffd"
        or char > "\uffff"
    )


def make_chapter(document: Document) -> Chapter:
    """A Document as a chapter."""
    parser = _Xhtml()
    parser.feed(document.html)
    title = document.title or document.url
    return Chapter(
        title=title,
        url=document.final_url or document.url,
        byline=_byline(document),
        body=_without_heading(parser.finish(), title),
        language=document.language,
        is_rtl=document.direction == "rtl",
    )


def _without_heading(body: str, title: str) -> str:
    """The article without a first heading that repeats its title."""
    for found in _HEADING.finditer(body[:_BEGINNING]):
        if _letters(unescape(_TAG.sub("", found[2]))) == _letters(title):
            return body[: found.start()] + body[found.end() :]
    return body


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _byline(document: Document) -> str:
    published = document.published.date if document.published else ""
    return " · ".join(part for part in (document.author, document.site_name, published) if part)


def write_epub(file: IO[bytes], chapters: Sequence[Chapter], *, title: str, made_at: str) -> None:
    """Write an EPUB; the same chapters always give the same bytes."""
    identity = sha256("\n".join(one.url for one in chapters).encode()).hexdigest()[:32]
    language = next((one.language for one in chapters if one.language), "en")
    names = [f"chapter{number:05}.xhtml" for number in range(1, len(chapters) + 1)]
    with zipfile.ZipFile(file, "w") as book:
        _add(book, "mimetype", "application/epub+zip", stored=True)
        _add(book, "META-INF/container.xml", _CONTAINER)
        _add(book, "OEBPS/style.css", _STYLE)
        for name, chapter in zip(names, chapters, strict=True):
            _add(book, f"OEBPS/{name}", _chapter(chapter))
        links = list(zip(names, (one.title for one in chapters), strict=True))
        _add(book, "OEBPS/nav.xhtml", _navigation(links, title))
        _add(book, "OEBPS/content.opf", _package(names, title, identity, language, made_at))


def _add(book: zipfile.ZipFile, name: str, text: str, *, stored: bool = False) -> None:
    info = zipfile.ZipInfo(name)  # dated 1980: the same book for the same chapters
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    book.writestr(info, text)


_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_CONTAINER = (
    _HEAD + '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/content.opf"'
    ' media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_XHTML = '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"'


def _text(value: str) -> str:
    return escape(_xml(value))


def _chapter(one: Chapter) -> str:
    language = (
        f' lang="{_text(one.language)}" xml:lang="{_text(one.language)}"' if one.language else ""
    )
    direction = ' dir="rtl"' if one.is_rtl else ""
    return (
        f"{_HEAD}{_XHTML}{language}{direction}><head><title>{_text(one.title)}</title>"
        '<link rel="stylesheet" type="text/css" href="style.css"/></head><body>'
        f"<header><h1>{_text(one.title)}</h1><p>{_text(one.byline)}</p>"
        f'<p><a href="{_text(one.url)}">{_text(one.url)}</a></p></header>{one.body}</body></html>'
    )


def _navigation(links: Sequence[tuple[str, str]], title: str) -> str:
    items = "".join(f'<li><a href="{name}">{_text(text)}</a></li>' for name, text in links)
    return (
        f'{_HEAD}{_XHTML} xmlns:epub="http://www.idpf.org/2007/ops"><head>'
        f'<title>{_text(title)}</title></head><body><nav epub:type="toc"><h1>{_text(title)}</h1>'
        f"<ol>{items}</ol></nav></body></html>"
    )


def _package(names: Sequence[str], title: str, identity: str, language: str, made_at: str) -> str:
    manifest = "".join(
        f'<item id="{name[:-6]}" href="{name}" media-type="application/xhtml+xml"/>'
        for name in names
    )
    spine = "".join(f'<itemref idref="{name[:-6]}"/>' for name in names)
    return (
        f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"'
        ' unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:pageloom:{identity}</dc:identifier>'
        f"<dc:title>{_text(title)}</dc:title><dc:language>{_text(language)}</dc:language>"
        f'<meta property="dcterms:modified">{_text(made_at)}</meta></metadata><manifest>'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f'<item id="style" href="style.css" media-type="text/css"/>{manifest}</manifest>'
        f"<spine>{spine}</spine></package>"
    )


def _lead_picture(document: Document) -> str:
    """The page's picture, unless the content shows it; as all pictures, from where it is."""
    url = escape(document.hero_image)
    return f'<figure><img src="{url}" alt=""></figure>' if url and url not in document.html else ""


def article_html(document: Document) -> str:
    """The article as one HTML file without scripts, also suitable for printing."""
    direction = ' dir="rtl"' if document.direction == "rtl" else ""
    url = escape(document.final_url or document.url)
    title = escape(document.title)
    heading = "" if "<h1" in document.html[:2000] else f"<h1>{title}</h1>"
    link = f'<p><a href="{url}" rel="noopener noreferrer">{url}</a></p>' if url else ""
    return (
        f'<!doctype html>\n<html lang="{escape(document.language or "en")}"{direction}><head>'
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><article><header>{heading}"
        f"<p>{escape(_byline(document))}</p>{link}</header>{_lead_picture(document)}"
        f"{document.html}</article></body></html>\n"
    )


async def article_pdf(document: Document, options: FetchOptions) -> bytes:
    """The article as PDF; images are loaded through the guard.

    Raises:
        MissingExtra: no browser is installed.
        RenderError: the browser could not print it.
    """
    from pageloom.edges.fetch.chromium import Chromium
    from pageloom.edges.fetch.dial import Dialler, resolve_by_system
    from pageloom.edges.fetch.guard import Guard

    browser = Chromium(Dialler(Guard(options.allowed_hosts), options, resolve_by_system))
    try:
        return await browser.print_html(article_html(document), document.final_url or document.url)
    finally:
        await browser.close()
