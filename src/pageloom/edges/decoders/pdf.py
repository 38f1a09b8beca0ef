"""The words of a PDF with their places, read by PDFium inside the sandbox, as HTML."""

from __future__ import annotations

import ctypes
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from pageloom.core.decode.pdf_layout import PdfFacts, PdfPage, PdfWord, write_html
from pageloom.errors import OversizedContent, ParseError, UnsupportedContent

if TYPE_CHECKING:
    from collections.abc import Iterator

_BOLD = 600
_MOST_CHARACTERS = 5_000_000
_SCAN_CHARACTERS = 8
"""Characters on a page below which it counts as a picture."""
_MOST_LINKS = 2_000
_PASSWORD_ERROR = 4
_SPACES = frozenset("\r\n\t \u00a0\u2028\u2029\u0000")

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


def read_pdf(body: bytes, max_pages: int) -> str:
    """The text of a PDF as HTML: headings, paragraphs, lists, tables, links, and its metadata.

    Raises:
        UnsupportedContent: it needs a password, or has no text (a scan).
        OversizedContent: it has more pages or more text than the limits.
        ParseError: it is broken.
    """
    with closing(_open(body)) as document:
        count = len(document)
        if count > max_pages:
            raise OversizedContent(
                f"The PDF has {count:,} pages; the limit is {max_pages:,}.",
                suggestions=("Raise extraction.max_pdf_pages.",),
                size=count,
                maximum=max_pages,
            )
        pages = list(_pages(document))
        if not any(page.words for page in pages):
            raise _no_text(count)
        facts = PdfFacts(pages=count, **_facts(document))
    return write_html(pages, facts)


def _open(body: bytes) -> Any:
    try:
        return pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR:
            raise UnsupportedContent(
                "The PDF is protected by a password.",
                suggestions=("Save it without the password, then add that file.",),
            ) from None
        raise ParseError(
            "The PDF is broken: it cannot be opened.",
            suggestions=("Open it in a PDF viewer and save it again.",),
            retryable=False,
        ) from None


def _no_text(count: int) -> UnsupportedContent:
    pages = "1 page" if count == 1 else f"{count:,} pages"
    return UnsupportedContent(
        f"The PDF has no text: it is a scan, or empty ({pages}).",
        suggestions=("Recognise its text (OCR) first, for example with ocrmypdf.",),
    )


def _facts(document: Any) -> dict[str, str]:
    known: dict[str, str] = document.get_metadata_dict()
    names = {"title": "Title", "author": "Author", "subject": "Subject", "keywords": "Keywords"}
    dates = {"created": "CreationDate", "modified": "ModDate"}
    return {name: known.get(key, "").strip() for name, key in (names | dates).items()}


def _pages(document: Any) -> Iterator[PdfPage]:
    left = _MOST_CHARACTERS
    for number in range(len(document)):
        try:
            page = document[number]
        except pdfium.PdfiumError:  # one damaged page; the others can be read
            yield PdfPage(number=number + 1)
            continue
        with closing(page), closing(page.get_textpage()) as text:
            count = text.count_chars()
            left -= count
            if left < 0:
                raise OversizedContent(
                    f"The PDF has more than {_MOST_CHARACTERS:,} characters.",
                    maximum=_MOST_CHARACTERS,
                )
            height = page.get_size()[page.get_rotation() % 180 == 0]
            is_text = count >= _SCAN_CHARACTERS
            links = _links(document, page, text) if is_text else []
            words = tuple(_words(text, count, links)) if is_text else ()
            yield PdfPage(number=number + 1, height=height, words=words)


def _words(text: Any, count: int, links: list[tuple[Box, str]]) -> Iterator[PdfWord]:
    """Words in the order of the file, which is mostly that of reading."""
    box = [ctypes.c_double() for _ in range(4)]
    pointers = [ctypes.byref(each) for each in box]
    letters: list[tuple[str, Box]] = []
    first = 0
    for index in range(count):
        code = raw.FPDFText_GetUnicode(text, index)
        letter = _letter(code)
        if letter in _SPACES:
            if letters:
                yield _word(text, letters, first, links)
                letters = []
            continue
        # FPDFText_GetCharBox gives left, right, bottom, top.
        raw.FPDFText_GetCharBox(text, index, *pointers)
        place = (box[0].value, box[2].value, box[1].value, box[3].value)
        if letters and _is_apart(letters[-1][1], place):
            yield _word(text, letters, first, links)
            letters = []
        if not letters:
            first = index
        letters.append((letter, place))
    if letters:
        yield _word(text, letters, first, links)


def _letter(code: int) -> str:
    if code in {0x02, 0xFFFE, 0xAD}:  # how PDFium and others write a hyphen at the end of a line
        return "\u00ad"
    return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)


def _is_apart(before: Box, now: Box) -> bool:
    """Whether a letter is on another line, or far from the one before it."""
    height = max(before[3] - before[1], now[3] - now[1], 1.0)
    return now[1] > before[3] or now[3] < before[1] or now[0] - before[2] > 2 * height


def _word(
    text: Any, letters: list[tuple[str, Box]], first: int, links: list[tuple[Box, str]]
) -> PdfWord:
    boxes = [place for _, place in letters]
    left, right = min(each[0] for each in boxes), max(each[2] for each in boxes)
    bottom, top = min(each[1] for each in boxes), max(each[3] for each in boxes)
    middle = ((left + right) / 2, (bottom + top) / 2)
    size, base = _size(text, first) or round(top - bottom, 1), _baseline(text, first, bottom)
    href = next((url for place, url in links if _is_in(middle, place)), "")
    return PdfWord(
        text=_spell(letters),
        left=left,
        right=right,
        base=base,
        size=size,
        bold=raw.FPDFText_GetFontWeight(text, first) >= _BOLD,
        href=href,
    )


def _baseline(text: Any, index: int, bottom: float) -> float:
    across, up = ctypes.c_double(), ctypes.c_double()
    found = raw.FPDFText_GetCharOrigin(text, index, ctypes.byref(across), ctypes.byref(up))
    return up.value if found else bottom


def _size(text: Any, index: int) -> float:
    """The size of a letter on the page: files state another, and how it is stretched."""
    matrix = raw.FS_MATRIX()
    if not raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix)):
        return 0.0
    stretch = (matrix.c**2 + matrix.d**2) ** 0.5
    return round(raw.FPDFText_GetFontSize(text, index) * stretch * 2) / 2


def _spell(letters: list[tuple[str, Box]]) -> str:
    """The letters in the order in which they are read: from the right where the script is."""
    if all("\u0590" <= letter < "\u0900" or letter >= "\ufb1d" for letter, _ in letters):
        letters = sorted(letters, key=lambda each: -each[1][2])
    return "".join(letter for letter, _ in letters)


def _is_in(point: tuple[float, float], box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _links(document: Any, page: Any, text: Any) -> list[tuple[Box, str]]:
    """Where the page has links to the web, and where they lead."""
    found = [*_annotated_links(document, page), *_written_links(text)]
    return [(box, url) for box, url in found if url.startswith(("http://", "https://"))]


def _annotated_links(document: Any, page: Any) -> Iterator[tuple[Box, str]]:
    place, link = ctypes.c_int(0), raw.FPDF_LINK()
    for _ in range(_MOST_LINKS):
        if not raw.FPDFLink_Enumerate(page, ctypes.byref(place), ctypes.byref(link)):
            return
        action = raw.FPDFLink_GetAction(link)
        if not action:
            continue
        size = raw.FPDFAction_GetURIPath(document, action, None, 0)
        if not 1 < size < 8_000:
            continue
        buffer = ctypes.create_string_buffer(size)
        raw.FPDFAction_GetURIPath(document, action, buffer, size)
        box = raw.FS_RECTF()
        if raw.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
            bottom, top = sorted((box.bottom, box.top))
            yield (box.left, bottom, box.right, top), buffer.value.decode("utf-8", "replace")


def _written_links(text: Any) -> Iterator[tuple[Box, str]]:
    """URLs that are printed, whether the file makes them links or not."""
    links = raw.FPDFLink_LoadWebLinks(text)
    try:
        for number in range(min(raw.FPDFLink_CountWebLinks(links), _MOST_LINKS)):
            size = raw.FPDFLink_GetURL(links, number, None, 0)
            if not 1 < size < 4_000:
                continue
            buffer = (ctypes.c_ushort * size)()
            raw.FPDFLink_GetURL(links, number, buffer, size)
            url = bytes(buffer)[: (size - 1) * 2].decode("utf-16-le", "replace")
            for part in range(min(raw.FPDFLink_CountRects(links, number), 4)):
                edges = [ctypes.c_double() for _ in range(4)]
                raw.FPDFLink_GetRect(links, number, part, *map(ctypes.byref, edges))
                left, top, right, bottom = (each.value for each in edges)
                yield (left, bottom, right, top), url
    finally:
        raw.FPDFLink_CloseWebLinks(links)
