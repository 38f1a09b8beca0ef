from __future__ import annotations

import pytest

from pageloom.core.normalize.titles import choose_title
from pageloom.core.parts import Claim


@pytest.mark.parametrize(
    ("title", "sites", "headings", "clean"),
    [
        ("Rain again | The Daily Cloud", ("The Daily Cloud",), (), "Rain again"),
        ("The Daily Cloud - Rain again", ("Daily Cloud",), (), "Rain again"),
        ("Rain again – dailycloud.com", ("dailycloud.com",), (), "Rain again"),
        ("Rain again | Weather | Daily Cloud", ("Daily Cloud",), (), "Rain again | Weather"),
        ("Rain again | Section", ("Daily Cloud",), ("Rain again",), "Rain again"),
        ("Before - after", ("Daily Cloud",), (), "Before - after"),
        ("Cloud: a history", ("Cloud",), (), "Cloud: a history"),
        ("Tom &amp;amp; Jerry", (), (), "Tom & Jerry"),
    ],
)
def test_the_site_s_name_is_cut_off_and_nothing_else(title, sites, headings, clean):
    claims = [(title, "title"), *((heading, "h1") for heading in headings)]
    assert choose(*claims, sites=sites)[0] == clean


def choose(*claims: tuple[str, str], sites=("Daily Cloud",), page_type="article"):
    made = [Claim(field="title", value=value, source=source) for value, source in claims]
    return choose_title(made, [], sites, page_type)[:2]


def test_structured_data_comes_before_open_graph_and_title():
    found = choose(("T", "title"), ("Og words", "meta[og:title]"), ("Json words", "json-ld"))
    assert found == ("Json words", "json-ld")


def test_the_visible_headline_that_a_title_repeats_is_the_title():
    found = choose(
        ("Rain again in the hills | Daily Cloud", "title"),
        ("Hills wet", "json-ld"),
        ("Rain again in the hills", "h1"),
    )
    assert found == ("Rain again in the hills", "h1")


def test_a_logo_heading_is_not_the_title():
    found = choose(("Rain again | Daily Cloud", "title"), ("Daily Cloud", "h1"))
    assert found == ("Rain again", "title")


def test_a_kicker_and_a_counter_are_left_out():
    found = choose(
        ("Rain again in the hills", "meta[og:title]"),
        ("Weather Rain again in the hills 17", "h1"),
    )
    assert found[0] == "Rain again in the hills"


def test_a_title_that_was_cut_to_fit_gives_way_to_its_heading():
    found = choose(
        ("How to wind three hundred clocks without a ladder or a second pair of ha", "title"),
        ("How to wind three hundred clocks without a ladder or a second pair of hands", "h1"),
    )
    assert found[0].endswith("pair of hands")


def test_headings_are_better_than_nothing():
    assert choose(("Rain", "h2"), sites=()) == ("Rain", "h2")
    assert choose(sites=()) == ("", "")


def test_the_site_s_name_is_the_title_of_its_home_page():
    assert choose(("Daily Cloud", "title"))[0] == "Daily Cloud"


def test_a_source_hint_comes_first():
    assert choose(("A", "json-ld"), ("B b", "source:cloud"))[0] == "B b"
