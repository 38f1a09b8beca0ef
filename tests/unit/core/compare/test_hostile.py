"""Pages that are made to break a comparison, or to hold it up: each is compared at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

import pageloom
from pageloom import Document
from pageloom.core.identity import has_name, picture_identity

PAGE = Document(title="The harbour", page_type="article")
URL = "https://harbour.example/news"


def compared(before: str, after: str) -> pageloom.ChangeReport:
    shell = "<html lang=en><head><title>The harbour</title></head><body>{}</body></html>"
    one, two = (pageloom.extract(shell.format(text), URL) for text in (before, after))
    return pageloom.diff(one, two)


def test_names_of_pictures_can_be_as_long_as_they_like():
    assert picture_identity(f"https://a.example/p{'-1x' * 4_000}!.jpg").startswith("p-1x")
    assert picture_identity("https://a.example/pier-2x-300x200.jpg") == "pier"
    assert not has_name(f"/a0de/{'a' * 200_000}/1")
    assert has_name("/2024/pier")


@pytest.mark.parametrize("unit", ["5h ", "5h,", "3 days and ", "12:30 "])
def test_durations_without_end(unit: str):
    one, two = (replace(PAGE, text=unit * 4_000 + end) for end in ("then", "never"))
    assert pageloom.diff(one, two).changed_fields == ("text",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Installed 12,34,567 times", "Installed 12,34,890 times"),
        ("1,2,3 things | 5 comments | 3 votes", "1,2,3 things | 9 comments | 4 votes"),
        ("12,34,567 views", "12,35,001 views"),
    ],
)
def test_numbers_in_any_grouping_are_counted(before: str, after: str):
    story = "<p>The tide was low for a week, and nobody in the harbour could say why it was.</p>"
    assert not compared(f"{story}<p>{before}</p>", f"{story}<p>{after}</p>").has_changes


@pytest.mark.parametrize("kind", ["5", "true", "1.5", "null", '{"a": 1}', '["Event", 5]'])
def test_types_of_structured_data_may_be_anything(kind: str):
    data = f'<script type="application/ld+json">{{"@type": {kind}}}</script>'
    story = "<p>The ferry leaves at {} in the morning, every day but Sunday, from the old pier.</p>"
    report = compared(data + story.format("7:30"), data + story.format("8:30"))
    assert "text" in report.changed_fields


def test_counters_within_counters_are_read_once():
    nested = "<span class=x-count>" * 200 + "<b>1</b> " * 3_000
    text = "<p>So many people have looked at the harbour from the pier this year: {} {}</p>"
    assert not compared(text.format(nested, ""), text.format(nested, " ")).has_changes
