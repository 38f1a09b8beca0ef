"""The way of a page as a caller sees it."""

from __future__ import annotations

import json

import pytest

from pageloom import Document, InternalError, Options, extract, extract_all
from pageloom.model import SourceHint

URL = "https://way.example/notes/one?utm_source=x"
WORDS = "The miller keeps two clocks, one for the wind and one for the train to town."
PAGE = (
    "<html lang=en><head><title>Two clocks</title></head><body><main><h1>Two clocks</h1>"
    f"<p>{WORDS}</p><p>Neither of them has ever agreed with the other for a whole day.</p>"
    "</main></body></html>"
)
RSS = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Mill notes</title>'
    "<link>https://way.example/</link><description>From the mill</description>"
    "<item><title>First</title><link>https://way.example/1</link>"
    f"<description>&lt;p&gt;{WORDS}&lt;/p&gt;</description>"
    "<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>"
    "<item><title>Second</title><link>https://way.example/2</link>"
    "<description>Short.</description></item></channel></rss>"
)


def test_a_page_is_one_document():
    assert extract_all(PAGE, URL) == [extract(PAGE, URL)]


def test_text_and_bytes_give_the_same():
    as_text = extract(PAGE, URL)
    as_bytes = extract(PAGE.encode(), URL)
    assert (as_bytes.text, as_bytes.markdown, as_bytes.title) == (
        as_text.text,
        as_text.markdown,
        as_text.title,
    )


def test_a_feed_has_its_own_title():
    assert extract(RSS, "https://way.example/feed").title == "Mill notes"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Cafe\u0301 on the quay", "Caf\u00e9 on the quay"),
        ("Fish &amp;amp; chips on the quay", "Fish & chips on the quay"),
        (
            "soft\u00adhyphen and zero\u200bwidth on the quay",
            "softhyphen and zerowidth on the quay",
        ),
        ("one\u00a0two  three on the quay", "one two three on the quay"),
        ("bell\x07 and escape\x1b on the quay", "bell and escape on the quay"),
    ],
)
def test_the_text_has_one_spelling(markup: str, text: str):
    assert extract(f"<p>{markup}</p>", URL).text == text


def test_a_feed_is_itself_and_each_of_its_items():
    feed = extract(RSS, "https://way.example/feed")
    assert feed.page_type == "feed"
    first, second = extract_all(RSS, "https://way.example/feed")
    assert (first.title, first.url, first.page_type) == (
        "First",
        "https://way.example/1",
        "article",
    )
    assert first.text == WORDS
    assert first.published is not None
    assert first.published.date == "2026-03-02"
    assert (second.title, second.text) == ("Second", "Short.")
    assert first.id != second.id


def test_json_with_items_gives_one_document_each():
    items = [{"title": f"Note {n}", "url": f"/n/{n}", "content": WORDS} for n in range(3)]
    documents = extract_all(json.dumps({"items": items}), URL, content_type="application/json")
    assert [document.title for document in documents] == ["Note 0", "Note 1", "Note 2"]
    assert all(WORDS in document.text for document in documents)


def test_json_of_one_article_is_one_document():
    body = json.dumps({"headline": "Two clocks", "author": "Ida Moll", "body": WORDS})
    (document,) = extract_all(body, URL, content_type="application/json")
    assert document == extract(body, URL, content_type="application/json")
    assert (document.title, document.authors) == ("Two clocks", ("Ida Moll",))
    assert WORDS in document.text


@pytest.mark.parametrize("kind", ["text/plain", "text/markdown"])
def test_text_without_clutter_is_kept_whole(kind: str):
    document = extract(f"Menu\n\n{WORDS}\n\nCopyright", URL, content_type=kind)
    assert all(part in document.text for part in ("Menu", WORDS, "Copyright"))


def test_the_address_that_answered_is_the_identity():
    first = extract(PAGE, "https://way.example/old", final_url="https://way.example/new")
    second = extract(PAGE, "https://way.example/new")
    assert (first.url, first.final_url) == ("https://way.example/old", "https://way.example/new")
    assert first.id == second.id
    assert first.id != extract(PAGE, "https://way.example/old").id


def test_tracking_parameters_do_not_change_the_identity():
    assert extract(PAGE, URL).id == extract(PAGE, "https://way.example/notes/one").id


def test_hashes_follow_what_they_are_of():
    one, other = extract(PAGE, URL), extract(PAGE.replace("two clocks", "three clocks"), URL)
    assert one.snapshot_hash != other.snapshot_hash
    assert one.content_hash != other.content_hash
    moved = extract(PAGE.replace("<main>", "<main class=x>"), URL)
    assert (one.snapshot_hash, one.content_hash) == (moved.snapshot_hash, moved.content_hash)


def test_every_field_with_a_value_says_where_it_is_from():
    fields = extract(PAGE, URL).provenance.fields
    assert {"title", "language", "text", "page_type"} <= set(fields)
    assert all(field.source for field in fields.values())


def test_a_hint_comes_before_the_page():
    hint = SourceHint(id="mill", name="The Mill", language="de", selectors={"author": "h1"})
    document = extract(PAGE, URL, source=hint)
    assert (document.source_id, document.language) == ("mill", "de")


def test_a_hint_that_cannot_be_understood_says_nothing():
    hint = SourceHint(id="mill", selectors={"author": "[[["}, timezone="Mars/Base")
    assert extract(PAGE, URL, source=hint).title == extract(PAGE, URL).title


def test_figures_of_the_text():
    document = extract(PAGE, URL)
    assert document.word_count == len(document.text.split())
    assert document.reading_time == 1


def test_what_goes_wrong_inside_is_told_without_its_insides():
    with pytest.raises(InternalError) as caught:
        extract(PAGE, URL, options=Options(max_depth="deep"))  # type: ignore[arg-type]
    assert "deep" not in caught.value.message
    assert caught.value.figures["cause"] == "TypeError"


def test_a_document_is_plain_data():
    document = extract(PAGE, URL)
    assert Document.from_dict(json.loads(json.dumps(document.to_dict()))) == document


@pytest.mark.parametrize("timeout_ms", [None, 20_000])
def test_whoever_asks_is_told_how_long_each_stage_took(timeout_ms):
    timings: dict[str, float] = {}
    assert extract(PAGE, URL, timings=timings, timeout_ms=timeout_ms) == extract(PAGE, URL)
    assert set(timings) >= {"decode", "extract", "normalize", "enrich", "render", "snapshot"}
    assert all(seconds >= 0 for seconds in timings.values())


def test_stages_are_told_in_their_order():
    from pageloom.core import pipeline

    told: list[str] = []
    pipeline.extract(PAGE, URL, observe=told.append)
    assert list(dict.fromkeys(told)) == [
        *("decode", "extract", "normalize", "render", "enrich", "snapshot")
    ]


SHOP = (
    "<html lang=en><head><title>Kettle</title><meta property=og:image content=/share.jpg></head>"
    '<body><main><h1>Kettle</h1><img src="/kettle.jpg" alt="The kettle" width=640>'
    f"<p>{WORDS}</p><p>It costs £24.50 and has 4.5 out of 5 stars.</p></main></body></html>"
)


def test_every_field_tells_where_it_came_from():
    found = extract(SHOP, URL).provenance.fields
    for name in (
        "title description language site_name text page_type images hero_image price_candidates"
        " rating_candidates"
    ).split():
        assert found[name].source, name
    assert found["hero_image"].source == "content"
    assert found["hero_image"].raw == "https://way.example/kettle.jpg"
    assert found["price_candidates"].raw == "£24.50"


def test_a_declared_picture_says_so():
    page = SHOP.replace('<img src="/kettle.jpg" alt="The kettle" width=640>', "")
    document = extract(page, URL)
    assert document.hero_image == "https://way.example/share.jpg"
    assert document.provenance.fields["hero_image"].source == "meta[og:image]"
    assert document.provenance.fields["images"].source == "meta[og:image]"
