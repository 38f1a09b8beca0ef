from __future__ import annotations

import pytest

from pageloom.core.normalize.names import read_names
from pageloom.core.normalize.people import choose_authors
from pageloom.core.parts import Claim


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        ("By Jane Doe", ["Jane Doe"]),
        ("Written by\nJane Doe\nPosted on November 6th, 2025", ["Jane Doe"]),
        ("By Jane Doe and John Q. Public | May 5", ["Jane Doe", "John Q. Public"]),
        ("Von Max Mustermann, Redakteur", ["Max Mustermann"]),
        ("Jane Doe, John Smith and Ann Lee", ["Jane Doe", "John Smith", "Ann Lee"]),
        ("Ann Lee\n,\nBo Ek\n&\nCy Dee", ["Ann Lee", "Bo Ek", "Cy Dee"]),
        ("Doe, Jane", ["Jane Doe"]),
        ("Jane Doe (jane@example.com)", ["Jane Doe"]),
        ("jane@example.com (Jane Doe)", ["Jane Doe"]),
        ("Dr. Jane Doe, PhD, MD", ["Dr. Jane Doe"]),
        ("Center for Drug Evaluation and Research", ["Center for Drug Evaluation and Research"]),
        ("Leonardo da Vinci", ["Leonardo da Vinci"]),
        ("李明", ["李明"]),
    ],
)
def test_names_are_read_out_of_bylines(raw, names):
    assert read_names(raw) == names


@pytest.mark.parametrize(
    "raw",
    [
        "admin",
        "Editor",
        "https://example.com/jane",
        "jane@example.com",
        "@jane",
        "March 5, 2020",
        "By",
        "2020",
        "Text Link",
        "and others",
        "Contributors to Wikimedia projects",
        "",
    ],
)
def test_accounts_labels_addresses_and_dates_are_no_names(raw):
    assert read_names(raw) == []


def authors(*claims: tuple[str, str], nearby=(), page_type="article", sites=()):
    made = [Claim(field="author", value=value, source=source) for value, source in claims]
    return choose_authors(made, nearby, page_type, sites)[0]


def test_structured_data_comes_first():
    assert authors(("Ann Lee", "meta[author]"), ("Bo Ek", "json-ld")) == ("Bo Ek",)


def test_the_site_is_the_author_only_where_nobody_else_is():
    found = authors(("Daily Cloud", "json-ld"), ("By\nAnn Lee", "byline"), sites=("Daily Cloud",))
    assert found == ("Ann Lee",)
    assert authors(("Daily Cloud", "json-ld"), sites=("Daily Cloud",)) == ("Daily Cloud",)


def test_an_account_gives_way_to_a_name():
    assert authors(("annlee77", "json-ld"), ("von\nAnn Lee", "byline")) == ("Ann Lee",)


def test_in_a_forum_accounts_are_the_authors():
    assert authors(("ann_77", "json-ld"), page_type="forum") == ("ann_77",)


def test_a_longer_byline_completes_the_declaration():
    found = authors(("Ann Lee", "json-ld"), ("By Ann Lee and Bo Ek", "byline"))
    assert found == ("Ann Lee", "Bo Ek")


def test_reviewers_of_a_product_are_not_its_authors():
    assert authors(("Ann Lee", "byline"), page_type="product") == ()


def test_a_label_and_a_name_beside_the_headline():
    assert authors(nearby=("Rain again", "By", "Ann Lee", "and", "Bo Ek")) == ("Ann Lee", "Bo Ek")
    assert authors(nearby=("Rain again", "By Ann Lee")) == ("Ann Lee",)
    assert authors(nearby=("Rain again", "Standing by the river")) == ()


def test_what_a_sentence_says_after_by_is_no_author():
    assert authors(nearby=("Start", "By playing!")) == ()
    assert authors(nearby=("Start", "By others")) == ()


def test_a_page_with_many_bylines_lists_the_stories_of_others():
    stories = ("News", "By Ann Lee", "Rain", "By Bo Ek", "Snow", "By Cy Orr", "Wind")
    assert authors(nearby=stories) == ()


def test_an_and_without_a_name_before_it_is_cut_off():
    assert read_names("and Bo Ek") == ["Bo Ek"]


def test_the_people_linked_from_a_service_page_did_not_write_it():
    assert authors(("Ann Lee", "rel[author]"), page_type="service") == ()


def test_di_is_a_label_before_two_names_only():
    assert read_names("di Anna Rossi") == ["Anna Rossi"]
    assert read_names("Angelo di Maria") == ["Angelo di Maria"]
    assert read_names("Di Maria") == ["Di Maria"]
