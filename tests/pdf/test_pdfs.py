"""PDFs as pages: 42 of them made by six tools, and those that somebody made to do harm."""

from __future__ import annotations

import re
import resource
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

import pytest
from tests.site.pictures import png
from tests.site.server import start_site

import pageloom
from pageloom.errors import (
    OversizedContent,
    PageloomError,
    ParseError,
    ParseTimeout,
    UnsupportedContent,
)

FILES = sorted(Path(__file__).parent.glob("*.pdf"))
URL = "https://tidewatch.example/tables.pdf"
CJK = ("-ja", "-zh", "-ko")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def read(name: str) -> pageloom.Document:
    return pageloom.extract((Path(__file__).parent / f"{name}.pdf").read_bytes(), URL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_words_of_a_pdf_are_found(path: Path):
    document = pageloom.extract(path.read_bytes(), URL)
    wanted = Counter(words(path.with_suffix(".txt").read_text()))
    if path.stem.endswith(CJK):
        wanted = Counter("".join(wanted))
        found = Counter("".join(words(document.text + document.title)))
    else:
        found = Counter(words(f"{document.text}\n{document.title}"))
    share = sum((wanted & found).values()) / sum(wanted.values())
    assert share >= 0.95, document.text
    assert document.provenance.media_type == "application/pdf"
    assert document.title


def test_headings_lists_tables_links_and_metadata_are_told():
    document = read("typst-en-one")
    lines = document.markdown.splitlines()
    assert "# The tide tables of Port Ellery" in lines
    assert "## measure at the second pile" in lines
    assert "- write with a pencil" in lines
    assert "| North | 4.20 m | 0.35 m |" in re.sub(r" +", " ", document.markdown)
    assert document.authors == ("Maren Osgood",)
    assert document.published
    assert document.language == "en"
    assert document.metadata["meta"]["pdf:pages"] == "1"
    assert document.metadata["meta"]["pdf:outline"].startswith("1 The tide tables")
    linked = read("chromium-en-plain")
    assert [link.url for link in linked.links] == ["https://tidewatch.example/tables"]


def test_a_paragraph_is_one_across_lines_hyphens_and_columns():
    sentence = "fragte niemand, wer die Zahlen berechnet hatte."
    assert sentence in read("weasyprint-de-hyphens").text
    assert "found a drawer of slide rules and a notebook" in read("typst-en-two").text


def test_what_every_page_repeats_in_its_margins_is_left_out():
    assert "Harbour papers" not in read("weasyprint-en-footers").text


def make_pdf(*objects: bytes, root: int = 1) -> bytes:
    """A PDF by hand, of objects that are numbered from 1."""
    body, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF"
    return body + head + table + tail % (len(objects) + 1, root, len(body))


def one_page(stream: bytes, packed: bytes = b"", resources: bytes = b"") -> bytes:
    return make_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F"
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>" + resources + b">>>>",
        b"<</Length %d%s>>stream\n%s\nendstream" % (len(stream), packed, stream),
    )


LOCKED = b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>" % (b"41" * 32, b"42" * 32)


def locked() -> bytes:
    plain = one_page(b"BT /F 12 Tf 50 700 Td (Nobody may read this without the word) Tj ET")
    return plain.replace(b"/Root 1 0 R", b"/Root 1 0 R/Encrypt " + LOCKED + b"/ID[<00><00>]")


def scan() -> bytes:
    pixels = zlib.compress(bytes(10_000))
    image = (
        b"<</Type/XObject/Subtype/Image/Width 100/Height 100/ColorSpace/DeviceGray"
        b"/BitsPerComponent 8/Filter/FlateDecode/Length %d>>stream\n%s\nendstream"
    )
    return make_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject"
        b"<</I 5 0 R>>>>>>",
        b"<</Length 30>>stream\nq 600 0 0 800 0 0 cm /I Do Q  \nendstream",
        image % (len(pixels), pixels),
    )


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"3 0 R" for _ in range(count))
    return make_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>",
    )


def endless_tree() -> bytes:
    return make_pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R]/Count 9>>")


def form_in_form() -> bytes:
    form = (
        b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>/Length 12>>"
    )
    forms = [
        form % (5 + (number + 1) % 4) + b"stream\n/X Do       \nendstream" for number in range(4)
    ]
    return make_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R"
        b">>>>>>",
        b"<</Length 6>>stream\n/X Do \nendstream",
        *forms,
    )


GOOD = (Path(__file__).parent / "fpdf-en.pdf").read_bytes()
BOMB = zlib.compress(zlib.compress(bytes(300_000_000), 9), 9)
HOSTILE = {
    "needs a password": (locked(), UnsupportedContent, "password"),
    "a scan": (scan(), UnsupportedContent, "no text"),
    "ten thousand pages": (many_pages(10_000), OversizedContent, "10,000 pages"),
    "only its first bytes": (b"%PDF-1.7\n", ParseError, "broken"),
    "noise": (b"%PDF-1.4\n" + bytes(range(256)) * 400, ParseError, "broken"),
    "a tree that is its own branch": (endless_tree(), PageloomError, "PDF"),
    "forms in each other": (form_in_form(), PageloomError, "PDF"),
    "a bomb": (one_page(BOMB, b"/Filter[/FlateDecode/FlateDecode]"), PageloomError, "PDF"),
    "an image": (png(), UnsupportedContent, "PNG"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_pdf_that_cannot_be_read_says_why(name: str):
    content, kind, part = HOSTILE[name]
    with pytest.raises(kind) as caught:
        pageloom.extract(content, URL)
    assert part in caught.value.message
    assert not caught.value.retryable


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.99])
def test_a_pdf_that_was_cut_gives_its_text_or_a_clear_error(kept: float):
    content = GOOD[: int(len(GOOD) * kept)]
    try:
        assert pageloom.extract(content, URL).text
    except PageloomError as error:
        assert error.code in {"ParseError", "UnsupportedContent"}  # noqa: PT017


def test_damaged_bytes_never_do_harm():
    for place in range(200, len(GOOD) - 200, len(GOOD) // 25):
        content = GOOD[:place] + b"\xff\x00obj<<" + GOOD[place + 7 :]
        try:
            pageloom.extract(content, URL)
        except PageloomError as error:
            assert error.code != "InternalError"  # noqa: PT017
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert used < 2_000_000, "kilobytes, of any process that was started here and has ended"


def test_the_time_for_a_pdf_is_limited():
    text = b"".join(
        b"BT /F 12 Tf 1 0 0 1 %d %d Tm (Word%d) Tj ET\n" % (number % 500, number % 700, number)
        for number in range(40_000)
    )
    with pytest.raises(ParseTimeout):
        pageloom.extract(one_page(text), URL, options={"pdf_timeout_ms": 60})


@pytest.mark.parametrize("path", [FILES[0]], ids=["sqlite"])
def test_a_pdf_is_saved_searched_read_again_and_watched_as_any_page(path, sqlite_library, tmp_path):
    settings = pageloom.load_settings(
        flags={"fetch.allowed_hosts": ["127.0.0.1"], "watch.host_delay": 0}
    )
    for site in start_site():
        first = (path.parent / "fpdf-en.pdf").read_bytes()
        site.add("/tables", first, Content_Type="application/pdf")
        with pageloom.open_library(sqlite_library, settings=settings) as library:
            watch = library.watch(site.url("/tables"))
            library.check(watch)
            page = library.get(site.url("/tables"))
            assert page.title == "The tide tables of Port Ellery"
            assert library.search("slide rules").hits[0].page.id == page.id
            assert [each.outcome for each in library.reparse()] == ["same"]
            other = (path.parent / "fpdf-de.pdf").read_bytes()
            site.add("/tables", other, Content_Type="application/octet-stream")
            (result,) = library.check(watch)
            assert result.outcome == "changed"
            assert library.original(page) == other
            library.export(tmp_path / "book.epub", "epub")
