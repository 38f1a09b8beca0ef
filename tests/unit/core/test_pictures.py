from __future__ import annotations

import pytest

from pageloom.core.dom import Element, parse_fragment
from pageloom.core.pictures import (
    best_image_url,
    has_noscript_twin,
    is_sign,
    largest_first,
    picture_at,
    picture_facts,
)

BASE = "https://site.example/dir/page"


def first_img(markup: str) -> Element:
    img = parse_fragment(markup).find("img")
    assert img is not None
    return img


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<img src="a.jpg">', "https://site.example/dir/a.jpg"),
        ('<img src=" https://cdn.example/a b.jpg\n">', "https://cdn.example/a%20b.jpg"),
        ('<img src="data:image/gif;base64,AA" data-src="/b.jpg">', "https://site.example/b.jpg"),
        ('<img src="/small.jpg" data-original="/big.jpg">', "https://site.example/big.jpg"),
        (
            '<img src="/blank.gif" data-srcset="/s.jpg 300w, /l.jpg 900w">',
            "https://site.example/l.jpg",
        ),
        ('<img src="/placeholder.png" srcset="/1.jpg 1x,/2.jpg 2x">', "https://site.example/2.jpg"),
        ('<img src="/s.jpg" srcset="/s.jpg 300w, /l.jpg 900w">', "https://site.example/l.jpg"),
        ('<img src="/s.jpg" srcset="/s.jpg, /l.jpg 2x">', "https://site.example/l.jpg"),
        ('<img src="/keep.jpg" srcset="/other.jpg">', "https://site.example/keep.jpg"),
        (
            '<img data-src="/s.jpg" data-srcset="/s.jpg 300w, /l.jpg 900w">',
            "https://site.example/l.jpg",
        ),
        ('<img srcset="/c,1/a.jpg 100w, /c,2/a.jpg 200w">', "https://site.example/c,2/a.jpg"),
        ('<img srcset="/only.jpg">', "https://site.example/only.jpg"),
        ('<img src="/google-pixel.jpg">', "https://site.example/google-pixel.jpg"),
        ('<img src="/spacer.gif">', None),
        ('<img src="data:image/png;base64,AAAA">', None),
        ('<img src="javascript:alert(1)">', None),
        (
            '<img data-url="https://site.example/page.html" src="/x.png">',
            "https://site.example/x.png",
        ),
        ("<img>", None),
        ('<img data-src=\'{"a": 1}\' src="/x.png">', "https://site.example/x.png"),
    ],
)
def test_best_image_url_chooses_what_a_reader_would_see(markup: str, expected: str | None) -> None:
    assert best_image_url(first_img(markup), BASE) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<img src="/tick.png" width="16" height="16" alt="">', True),
        ('<img src="/smile.png" width="16" height="16" alt="🙂">', False),
        ('<button><img src="/share.svg" alt="Share"></button>', True),
        ('<div role="button"><span><img src="/save.png" width="24" alt="Save"></span></div>', True),
        (
            '<button aria-label="Enlarge"><img src="/harbour.jpg" width="900" alt=""></button>',
            False,
        ),
        ('<p><img src="/plan.svg" alt="The plan of the harbour"></p>', False),
        ('<p><img src="/harbour.jpg" alt=""></p>', False),
    ],
)
def test_signs_are_told_from_pictures(markup: str, expected: bool) -> None:
    assert is_sign(first_img(markup)) is expected


def test_picture_sources_serve_when_the_img_has_no_address() -> None:
    img = first_img(
        '<picture><source srcset="/a.webp 400w, /b.webp 800w"><img alt="x" src="data:,"></picture>'
    )
    assert best_image_url(img, BASE) == "https://site.example/b.webp"


def test_noscript_beside_a_lazy_img_gives_its_address() -> None:
    tree = parse_fragment('<img class="lazy" src="data:,"> <noscript><img src="/n.jpg"></noscript>')
    img, noscript = tree.find("img"), tree.find("noscript")
    assert img is not None
    assert noscript is not None
    assert best_image_url(img, BASE) == "https://site.example/n.jpg"
    assert has_noscript_twin(noscript)


def test_noscript_alone_is_no_twin() -> None:
    noscript = parse_fragment('<p>x</p><noscript><img src="/n.jpg"></noscript>').find("noscript")
    assert noscript is not None
    assert not has_noscript_twin(noscript)


def test_relative_address_without_a_base_is_none() -> None:
    assert best_image_url(first_img('<img src="a.jpg">')) is None


def test_facts_read_attributes_and_style() -> None:
    facts = picture_facts(
        first_img('<img alt=" a\n b " title="T" width="640px" style="color:red; height: 480px">')
    )
    assert facts == ("a b", "T", 640, 480)
    assert (
        picture_facts(first_img('<img alt="Rope &amp;amp; oars&amp;nbsp;">')).alt == "Rope & oars"
    )


def test_percentages_are_not_pixels() -> None:
    assert picture_facts(first_img('<img width="100%" height="auto">'))[2:] == (None, None)


@pytest.mark.parametrize(
    ("markup", "url", "expected"),
    [
        ('<img width="1" height="1">', "https://a.example/x.gif", True),
        ("<img>", "https://AD.DoubleClick.net/x.gif", True),
        ('<img width="100">', "https://a.example/x.gif", False),
        ("<img>", "https://a.example/x.gif", False),
    ],
)
def test_tracking_pixels(markup: str, url: str, expected: bool) -> None:
    assert (picture_at(url, first_img(markup)) is None) is expected


def test_a_huge_srcset_is_read_in_bounded_time() -> None:
    assert largest_first("x 1w," * 200_000)[0] == "x"
    assert largest_first("," * 200_000) == []
