from __future__ import annotations

import re

from pageloom.core.normalize import stock
from pageloom.core.normalize.stock import choose_availability, read_availability, read_free
from pageloom.core.normalize.text import clean_text, cut_at_word, fold_text
from pageloom.core.normalize.topics import choose_categories, choose_tags, split_tags
from pageloom.core.parts import Claim


def claim(field: str, value: str, source: str = "meta[x]") -> Claim:
    return Claim(field=field, value=value, source=source)


def test_tags_are_split_cleaned_and_counted_once():
    assert split_tags("Rain, weather ;Uncategorized, #clouds") == ["Rain", "weather", "clouds"]
    assert split_tags("M&amp;A, One&amp;amp;Only") == ["M&A", "One&Only"]
    assert split_tags("Intelligence (AI), (storage), [Blogs], (cut, off)") == [
        "Intelligence (AI)",
        "storage",
        "Blogs",
        "cut",
        "off",
    ]
    tags, source = choose_tags(
        [claim("tag", "Rain, Sun", "meta[keywords]"), claim("tag", "rain", "meta[article:tag]")]
    )
    assert (tags, source) == (("rain", "Sun"), "meta[article:tag]")


def test_links_of_a_tag_box_count_only_where_nothing_is_declared():
    box = claim("tag", "Read our newsletter", "tag class")
    assert choose_tags([box])[0] == ("Read our newsletter",)
    assert choose_tags([box, claim("tag", "Rain", "rel[tag]")])[0] == ("Rain",)


def test_sentences_are_no_tags():
    assert split_tags("this is a whole sentence that describes the page") == []


def test_the_last_of_several_tags_comes_without_its_and():
    assert split_tags("Ropes, Knots, and Splices") == ["Ropes", "Knots", "Splices"]
    assert split_tags("And Quiet Flows the Don") == ["And Quiet Flows the Don"]


def test_links_to_the_page_itself_and_offers_are_no_tags():
    linked = [claim("tag", text, "tag class") for text in ("Knots", "Rain again", "Rope $9.50")]
    assert choose_tags(linked, "Rain again") == (("Knots",), "tag class")
    assert choose_tags([claim("tag", "Knots", "meta[keywords]")], "Knots")[0] == ("Knots",)


def test_what_a_system_notes_for_itself_is_no_tag():
    noted = (
        "locale: US; hasProduct: true; content-type: Gallery; 0f8fad5b-d9cb-469f-a165-70867728950e"
    )
    assert split_tags(f"{noted}; Alien: Romulus; knots") == ["Alien: Romulus", "knots"]


def test_breadcrumbs_give_categories_without_home_and_page():
    crumbs = [claim("crumb", text, "json-ld") for text in ("Home", "News", "Weather", "Rain again")]
    assert choose_categories(crumbs, "Rain again")[0] == ("News", "Weather")
    back = [claim("crumb", text, "class") for text in ("‹ Zurück", "« Forstgeschichte")]
    assert choose_categories(back, "")[0] == ("Forstgeschichte",)


def test_availability_in_schema_words_and_in_many_languages():
    words = {
        "https://schema.org/InStock": "in_stock",
        "http://schema.org/SoldOut": "out_of_stock",
        "PreOrder": "preorder",
        "out of stock": "out_of_stock",
        "Nicht auf Lager": "out_of_stock",
        "Auf Lager": "in_stock",
        "En rupture de stock": "out_of_stock",
        "在庫切れ": "out_of_stock",
        "нет в наличии": "out_of_stock",
        "banana": "unknown",
    }
    assert {word: read_availability(word) for word in words} == words


def test_one_variant_in_stock_is_enough():
    claims = [
        claim("availability", "OutOfStock", "json-ld"),
        claim("availability", "InStock", "json-ld"),
    ]
    assert choose_availability(claims)[0] == "in_stock"


def test_a_visible_phrase_does_not_overrule_structured_data():
    claims = [
        claim("availability", "OutOfStock", "json-ld"),
        claim("availability", "In stock", "stock class"),
    ]
    assert choose_availability(claims)[0] == "out_of_stock"


def test_paywalls_by_declaration_and_by_phrase():
    assert read_free([claim("free", "false")], "")[0] is False
    assert read_free([claim("free", "true")], "")[0] is True
    assert read_free([claim("tier", "locked")], "")[0] is False
    assert read_free([], "The rain came. Subscribe to continue reading.")[0] is False
    assert read_free([], "Cet article est réservé aux abonnés")[0] is False
    assert read_free([], "The rain came.")[0] is None


def test_text_is_cleaned_once_and_for_all():
    assert clean_text("Tom &amp;amp; <b>Jerry</b>\u200b  ") == "Tom & Jerry"
    assert clean_text("<table>: The Table element") == "<table>: The Table element"
    assert clean_text("e\u0301") == "\u00e9"
    assert fold_text("\u201cIt\u2019s\u201d  A\u2014B") == '"it\'s" a-b'


def test_texts_are_cut_between_words():
    assert cut_at_word("one two three", 9) == "one two"
    assert cut_at_word("short", 9) == "short"


def spellings(pattern):
    """Texts that a pattern of words, groups and optional groups matches."""
    found = [""]
    for part in re.split(r"(\(\?:[^()]*\)\??)", pattern):
        group = re.fullmatch(r"\(\?:([^()]*)\)(\??)", part)
        choices = [*group[1].split("|"), *([""] if group[2] else [])] if group else [part]
        found = [
            head + tail.replace("\\w+", "x").replace("\\", "") for head in found for tail in choices
        ]
    return found


def test_each_wall_has_a_sign_that_is_looked_for_first():
    walls = [
        text
        for each in re.split(r"\|(?![^()]*\))", stock._WALL.pattern)
        for text in spellings(each)
    ]
    assert len(walls) > 60
    for wall in walls:
        assert read_free([], f"Rain. {wall}") == (False, "text", stock._WALL.search(wall)[0])
