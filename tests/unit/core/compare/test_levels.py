"""Each level of a comparison, on small Documents."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

import pageloom
from pageloom import Document
from pageloom.core.identity import link_identity, picture_identity
from pageloom.model import Image, Link, Price, Rating

TEXT = "\n\n".join(
    f"Paragraph {word} tells of the harbour, of the boats in it and of nothing else at all."
    for word in "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
)
PAGE = Document(title="The harbour", text=TEXT, page_type="article")


def changed(before: Document, after: Document, **options) -> tuple[str, ...]:
    return pageloom.diff(before, after, options).changed_fields


def price(amount: str, currency: str = "EUR") -> tuple[Price, ...]:
    return (Price(raw=amount, amount=Decimal(amount), currency=currency, source="json-ld"),)


def test_titles_are_compared_without_case_and_white_space_unless_told_otherwise():
    shouted = replace(PAGE, title="THE  Harbour")
    assert changed(PAGE, shouted) == ()
    assert changed(PAGE, shouted, title_case_matters=True) == ("title",)
    assert changed(PAGE, replace(PAGE, title="The harbor wall")) == ("title",)


def test_the_threshold_decides_on_words_that_decide_nothing():
    words = "some plain words about boats that float upon water and carry people over".split()
    text = " ".join(words * 30)
    reworded = text.replace("people over", "over people", 6)
    one, two = replace(PAGE, text=text), replace(PAGE, text=reworded)
    report = pageloom.diff(one, two, {"text_threshold": 0.5})
    assert 0.5 < report.text.similarity < 0.95
    assert not report.has_changes
    assert [each.kind for each in report.trivial] == ["wording"]
    assert changed(one, two, text_threshold=0.99) == ("text",)
    assert changed(one, two, text_threshold=0.5, wording_matters=True) == ("text",)


def test_one_digit_in_ten_thousand_words_is_told():
    text = "\n".join(f"Line {number} says that the tide was low." for number in range(1_200))
    report = pageloom.diff(
        replace(PAGE, text=text), replace(PAGE, text=text.replace("Line 700 ", "Line 709 "))
    )
    assert report.changed_fields == ("text",)
    assert report.text.similarity > 0.99
    assert set(report.text.salient) == {"-700", "+709"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Members may sell the data.", "Members may not sell the data."),
        ("Sie dürfen hier parken.", "Sie dürfen hier nicht parken."),
        ("Il est permis de fumer.", "Il n'est pas permis de fumer."),
        ("Вход разрешён для всех.", "Вход не разрешён для всех."),
        ("この図書館は無料です。", "この図書館は有料です。"),
        ("不可以放在微波炉里。", "可以放在微波炉里。"),
        ("The cap is optional since version two.", "The cap is required since version two."),
        ("It was said by Jory Pascoe yesterday.", "It was said by Jory Bolitho yesterday."),
        ("Weighs 5 kg when empty and dry.", "Weighs 5 lb when empty and dry."),
        ("The fee is 1,299.00 pounds a year.", "The fee is 1,399.00 pounds a year."),
    ],
)
def test_one_decisive_word_in_a_long_page_is_told(before, after):
    one, two = (replace(PAGE, text=f"{TEXT}\n\n{line}") for line in (before, after))
    assert "text" in changed(one, two)


def test_a_change_is_told_in_its_clause_or_as_a_row():
    policy = "The quay is open.\n\nWe will never sell your address to anybody.\n\nThe tide is low."
    edited = policy.replace("will never sell", "may sell")
    report = pageloom.diff(replace(PAGE, text=policy), replace(PAGE, text=edited))
    assert report.summary == (
        "“We will never sell your address to anybody.” → “We may sell your address to anybody.”"
    )
    jobs = "Cook (Trieste)\n\nDiver (Pula)"
    report = pageloom.diff(
        replace(PAGE, text=jobs), replace(PAGE, text=f"{jobs}\n\nHarbour pilot (Trieste)")
    )
    assert report.summary == "New: “Harbour pilot (Trieste)”."


def test_another_spelling_of_a_number_is_not():
    one, two = (
        replace(PAGE, text=f"{TEXT}\n\nThe fee is {fee} in all.")
        for fee in ("1.299,00 €", "€1,299.00")
    )
    assert changed(one, two) == ()


def test_a_typing_mistake_put_right_is_named_and_not_told():
    report = pageloom.diff(PAGE, replace(PAGE, text=TEXT.replace("alpha tells", "alpha telsl")))
    assert not report.has_changes
    assert [each.kind for each in report.trivial] == ["typo"]
    assert report.verb == "cosmetic"


def test_links_that_change_their_order_or_session_are_not_told():
    links = (
        Link(url="https://x.example/a?sid=1", text="A walk along the wall", internal=True),
        Link(url="https://x.example/b", text="Boats for sale", internal=True),
    )
    other = (links[1], replace(links[0], url="https://x.example/a?sid=2"))
    assert changed(replace(PAGE, links=links), replace(PAGE, links=other)) == ()


def test_prices_are_compared_by_amount_and_currency():
    one = replace(PAGE, page_type="product", price_candidates=price("48.00"))
    report = pageloom.diff(one, replace(one, price_candidates=price("39.00")))
    assert report.changed_fields == ("price",)
    assert (report.price.direction, report.price.percent) == ("drop", -18.8)
    assert report.verb == "price"
    assert changed(one, replace(one, price_candidates=price("48.0"))) == ()
    francs = pageloom.diff(one, replace(one, price_candidates=price("48.00", "CHF")))
    assert francs.price.direction == "currency"


def test_a_canonical_address_on_another_site_is_told():
    page = "<link rel=canonical href={}><title>Tin</title><p>How to solder tin boxes at home.</p>"
    url = "https://tinplate.example/guides/boxes"
    one, two = (
        pageloom.extract(page.format(address), url)
        for address in (url, "https://school.example/lessons/boxes")
    )
    assert two.canonical_url == ""
    assert pageloom.diff(one, two).changed_fields == ("metadata",)


def test_of_several_prices_the_one_that_moved_is_told():
    small, large, dearer = price("9.00"), price("29.00"), price("32.00")
    one = replace(PAGE, page_type="product", price_candidates=small + large)
    report = pageloom.diff(one, replace(one, price_candidates=small + dearer))
    assert report.changed_fields == ("price",)
    assert report.summary == "A price changed: 29.00 EUR → 32.00 EUR."
    both = pageloom.diff(one, replace(one, price_candidates=small + dearer + price("35.00")))
    assert both.summary == "A price changed."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.239,00 €", "1.134,90 €"),
        ("1\xa0239,00\xa0€", "1\xa0134,90\xa0€"),
        ("Only 1239.00!", "Only 1134.90!"),
        ("€1,239.00", "€1,239.00 €1,134.90 -8%"),
        ("Ours for €1239, by post.", "Ours for €1134.90, by post."),
    ],
)
def test_a_price_is_told_once_however_the_page_writes_it(before: str, after: str):
    one = replace(PAGE, page_type="product", price_candidates=price("1239.00"))
    two = replace(one, price_candidates=price("1134.90"), text=f"{after}\n\n{TEXT}")
    report = pageloom.diff(replace(one, text=f"{before}\n\n{TEXT}"), two)
    assert report.summary == "Price 1239.00 EUR → 1134.90 EUR (-8.4%)."
    more = replace(two, text=f"{after} until Sunday\n\n{TEXT}")
    report = pageloom.diff(replace(one, text=f"{before}\n\n{TEXT}"), more)
    assert "until Sunday" in report.summary


def test_a_rating_counts_by_its_value_not_by_its_votes():
    stars = Rating(raw="4.6", value=4.6, scale=5.0, count=87, source="json-ld")
    one = replace(PAGE, rating_candidates=(stars,))
    votes = replace(one, rating_candidates=(replace(one.rating_candidates[0], count=99),))
    worse = replace(one, rating_candidates=(replace(one.rating_candidates[0], value=3.9),))
    ten = replace(one, rating_candidates=(Rating(raw="9.2", value=9.2, scale=10.0, source="x"),))
    assert changed(one, votes) == ()
    assert changed(one, worse) == ("rating",)
    assert changed(one, ten) == ()


def test_stock_counts_and_silence_about_it_does_not():
    stocked = replace(PAGE, availability="in_stock")
    assert changed(stocked, replace(PAGE, availability="out_of_stock")) == ("availability",)
    assert changed(PAGE, replace(PAGE, availability="out_of_stock")) == ("availability",)
    assert changed(PAGE, stocked) == ()


def test_pictures_are_the_same_in_any_size_and_place():
    same = [
        "https://img1.x.example/a/kettle_800x800.jpg?v=1",
        "https://img2.x.example/a/kettle_1200x.webp?v=2",
        "https://x.example/_next/image?url=%2Fa%2Fkettle.jpg&w=640",
        "https://x.example/w_400,h_300,c_fill/a/kettle.3fa9c2d1.jpg",
        "https://x.example/a/kettle@2x.png",
    ]
    assert len({picture_identity(url) for url in same}) == 1
    assert picture_identity("https://x.example/a/lid.jpg") != picture_identity(same[0])
    one, two = (replace(PAGE, images=(Image(url=url),)) for url in same[:2])
    assert changed(one, two) == ()
    assert changed(one, replace(PAGE, images=(Image(url="https://x.example/lid.jpg"),))) == (
        "images",
    )


def test_addresses_are_the_same_with_any_session_and_campaign():
    same = [
        "https://www.x.example/docs/?utm_source=a&sid=1",
        "https://x.example/docs;jsessionid=AA11?token=9f8e7d6c5b4a39281706",
        "http://x.example/docs?fbclid=zz",
    ]
    assert len({link_identity(url) for url in same}) == 1
    assert link_identity("https://x.example/docs?page=2") != link_identity(same[0])


def test_fields_can_be_left_out():
    assert changed(PAGE, replace(PAGE, title="Another"), ignored_fields=("title",)) == ()


def _long_text(fact: str, step: int, extra: tuple[str, ...] = ()) -> str:
    rows = [f"Entry {n} · {n * step} views · {step} hours ago" for n in range(3_000)]
    return "\n\n".join([*rows[:1_500], *extra, *rows[1_500:], fact])


def test_a_number_among_thousands_of_counters_is_told():
    before, after = _long_text("The toll is 4 euros.", 1), _long_text("The toll is 5 euros.", 2)
    report = pageloom.diff(Document(text=before), Document(text=after))
    assert set(report.text.salient) == {"-4", "+5"}
    assert report.text.similarity > 0.9


def test_lines_that_only_repeat_more_often_are_told():
    kinds = [f"Line of kind {n % 7}" for n in range(5_000)]
    before, after = "\n".join(kinds), "\n".join([*kinds, *kinds[:9]])
    assert pageloom.diff(Document(text=before), Document(text=after)).has_changes


@pytest.mark.parametrize(
    "line",
    [
        "Closed since 3 May.",
        "Today: closed for members.",
        "The first of May is free.",
        "It opens on Monday.",
        "Now with this for all.",
    ],
)
def test_a_short_line_of_common_words_that_came_is_told(line):
    before = "The harbour museum keeps three hundred clocks in two rooms."
    report = pageloom.diff(Document(text=before), Document(text=f"{before}\n\n{line}"))
    assert report.has_changes
