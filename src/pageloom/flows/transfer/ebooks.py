"""Export articles for reading: EPUB, HTML, and PDF, which the browser prints from our HTML."""

from __future__ import annotations

import re
import textwrap
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape, unescape
from html.parser import HTMLParser
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

from pageloom.core.picture_bytes import SVG
from pageloom.flows.transfer.export_pictures import data_url, file_of, inline_pictures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.model import Document
    from pageloom.model.files import KeptFile, PagePicture

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
    pictures: dict[str, BookPicture] = field(default_factory=dict[str, "BookPicture"])
    """The kept pictures that it shows, by URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPicture:
    """A kept picture in a book."""

    hash: str
    media_type: str
    width: int = 0

    @property
    def path(self) -> str:
        """Where it is in the book, seen from a chapter."""
        return f"images/{file_of(self.hash, self.media_type)}"


@dataclass(slots=True)
class _Element:
    """An open element: its tag in the source, and the tag that is written."""

    tag: str
    written: str
    held: set[str] = field(default_factory=set[str])
    """What was written inside it."""


class _Xhtml(HTMLParser):
    """Convert clean HTML to valid XHTML: known elements only, closed and correctly nested."""

    def __init__(self, pictures: Mapping[str, BookPicture]) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.shown: dict[str, BookPicture] = {}
        self._pictures = pictures
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
        """Write a kept picture; of any other its alternative text: books load nothing."""
        alt, url = (attrs.get("alt") or "").strip(), attrs.get("src") or ""
        if url in self._pictures:
            self.shown[url] = self._pictures[url]
            self._make_room("img")
            self._note("img")
            self.parts.append(f'<img src="{self.shown[url].path}" alt="{escape(_xml(alt))}"/>')
        elif alt:
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


_IN_BOOKS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", SVG})
"""The types of pictures that every reader of EPUB shows."""


def make_chapter(document: Document, pictures: Iterable[PagePicture] = ()) -> Chapter:
    """A Document as a chapter, with those of its kept pictures that books can show."""
    known = {each.url: book for each in pictures if (book := _book_picture(each))}
    parser = _Xhtml(known)
    parser.feed(document.html)
    title = document.title or document.url
    body, shown = _without_heading(parser.finish(), title), parser.shown
    lead = known.get(document.hero_image)
    if lead and document.hero_image not in shown:
        body = f'<figure><img src="{lead.path}" alt=""/></figure>{body}'
        shown = {document.hero_image: lead} | shown
    return Chapter(
        title=title,
        url=document.final_url or document.url,
        byline=_byline(document),
        body=body,
        language=document.language,
        is_rtl=document.direction == "rtl",
        pictures=shown,
    )


def _book_picture(picture: PagePicture) -> BookPicture | None:
    """The smaller copy, or the picture itself if its type is one of those that books have."""
    if picture.small_hash and picture.small_type in _IN_BOOKS:
        return BookPicture(hash=picture.small_hash, media_type=picture.small_type)
    if picture.hash and picture.media_type in _IN_BOOKS:
        width = picture.width or 0
        return BookPicture(hash=picture.hash, media_type=picture.media_type, width=width)
    return None


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


Load = Callable[[str], "bytes | None"]
"""The bytes of a kept picture by its hash."""


def write_epub(
    file: IO[bytes],
    chapters: Sequence[Chapter],
    *,
    title: str,
    made_at: str,
    load: Load = lambda _: None,
) -> int:
    """Write an EPUB with its pictures, and return their number.

    The same chapters always give the same bytes.
    """
    identity = sha256("\n".join(one.url for one in chapters).encode()).hexdigest()[:32]
    language = next((one.language for one in chapters if one.language), "en")
    names = [f"chapter{number:05}.xhtml" for number in range(1, len(chapters) + 1)]
    with zipfile.ZipFile(file, "w") as book:
        _add(book, "mimetype", "application/epub+zip", stored=True)
        _add(book, "META-INF/container.xml", _CONTAINER)
        _add(book, "OEBPS/style.css", _STYLE)
        for name, chapter in zip(names, chapters, strict=True):
            _add(book, f"OEBPS/{name}", _chapter(chapter))
        pictures = _add_pictures(book, chapters, load)
        cover = _add_cover(book, chapters, pictures, title)
        links = list(zip(names, (one.title for one in chapters), strict=True))
        _add(book, "OEBPS/nav.xhtml", _navigation(links, title))
        items = _items(names, pictures, cover)
        _add(book, "OEBPS/content.opf", _package(items, names, title, identity, language, made_at))
    return len(pictures)


def _add(book: zipfile.ZipFile, name: str, content: str | bytes, *, stored: bool = False) -> None:
    info = zipfile.ZipInfo(name)  # dated 1980: the same book for the same chapters
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    book.writestr(info, content)


def _add_pictures(
    book: zipfile.ZipFile, chapters: Sequence[Chapter], load: Load
) -> dict[str, BookPicture]:
    """The pictures of all chapters, each once and one at a time in memory; by path."""
    wanted = {each.path: each for one in chapters for each in one.pictures.values()}
    for path, picture in wanted.items():
        _add(book, f"OEBPS/{path}", load(picture.hash) or b"", stored=picture.media_type != SVG)
    return wanted


_COVER_WIDTH = 300
"""Pixels that a picture needs to be the cover."""


def _add_cover(
    book: zipfile.ZipFile, chapters: Sequence[Chapter], known: dict[str, BookPicture], title: str
) -> str:
    """The cover, and the path of its picture: the first large one, or the title on plain ground."""
    large = (path for path, each in known.items() if each.width >= _COVER_WIDTH)
    path = next(large, "cover.svg")
    if path not in known:
        _add(book, f"OEBPS/{path}", _draw_cover(title, len(chapters)))
    _add(
        book,
        "OEBPS/cover.xhtml",
        f"{_HEAD}{_XHTML}><head><title>{_text(title)}</title></head><body>"
        f'<p><img src="{path}" alt="{_text(title)}" style="max-width:100%"/></p></body></html>',
    )
    return path


def _draw_cover(title: str, pages: int) -> str:
    lines = textwrap.wrap(title, 22)[:8] or [""]
    spans = "".join(
        f'<tspan x="300" dy="{64 if number else 0}">{_text(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    count = f"{pages} pages" if pages > 1 else ""
    return (
        f'{_HEAD}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800">'
        '<rect width="600" height="800" fill="#f4efe6"/>'
        '<rect x="40" y="40" width="520" height="720" fill="none" stroke="#444"/>'
        f'<text y="280" font-family="serif" font-size="48" text-anchor="middle">{spans}</text>'
        f'<text x="300" y="720" font-family="sans-serif" font-size="24"'
        f' text-anchor="middle">{count}</text></svg>'
    )


def _items(names: Sequence[str], pictures: dict[str, BookPicture], cover: str) -> str:
    """The list of files of a book, without those that every book has."""
    chapters = "".join(
        f'<item id="{name[:-6]}" href="{name}" media-type="application/xhtml+xml"/>'
        for name in names
    )
    types = {path: each.media_type for path, each in pictures.items()} | (
        {} if cover in pictures else {cover: SVG}
    )
    mark = ' properties="cover-image"'
    shown = "".join(
        f'<item id="picture{number}" href="{path}" media-type="{kind}"'
        f"{mark if path == cover else ''}/>"
        for number, (path, kind) in enumerate(types.items(), 1)
    )
    return chapters + shown


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


def _package(
    items: str, names: Sequence[str], title: str, identity: str, language: str, made_at: str
) -> str:
    spine = "".join(f'<itemref idref="{name[:-6]}"/>' for name in names)
    return (
        f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"'
        ' unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:pageloom:{identity}</dc:identifier>'
        f"<dc:title>{_text(title)}</dc:title><dc:language>{_text(language)}</dc:language>"
        f'<meta property="dcterms:modified">{_text(made_at)}</meta></metadata><manifest>'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>'
        f'<item id="style" href="style.css" media-type="text/css"/>{items}</manifest>'
        f'<spine><itemref idref="cover"/>{spine}</spine></package>'
    )


def _lead_picture(document: Document, files: Mapping[str, KeptFile]) -> str:
    """The page's picture, unless the content shows it."""
    url = escape(document.hero_image)
    if not url or url in document.html:
        return ""
    kept = files.get(document.hero_image)
    return f'<figure><img src="{data_url(kept) if kept else url}" alt=""></figure>'


def article_html(document: Document, files: Mapping[str, KeptFile] = MappingProxyType({})) -> str:
    """The article as one HTML file without scripts, also suitable for printing.

    Args:
        document: the page.
        files: its kept pictures by URL, which are put into the file; others stay where they are.
    """
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
        f"<p>{escape(_byline(document))}</p>{link}</header>{_lead_picture(document, files)}"
        f"{inline_pictures(document.html, files)}</article></body></html>\n"
    )


async def print_article(html: str, url: str, options: FetchOptions) -> bytes:
    """HTML of ours as PDF; what it shows of other sites is loaded through the guard.

    Raises:
        MissingExtra: no browser is installed.
        RenderError: the browser could not print it.
    """
    from pageloom.edges.fetch.chromium import Chromium
    from pageloom.edges.fetch.dial import Dialler, resolve_by_system
    from pageloom.edges.fetch.guard import Guard

    browser = Chromium(Dialler(Guard(options.allowed_hosts), options, resolve_by_system))
    try:
        return await browser.print_html(html, url)
    finally:
        await browser.close()
