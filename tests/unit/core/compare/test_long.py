"""Long lists in which every line differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

import pageloom
from pageloom import Document

POSTS = "Post {0} · {1} views · {2} hours ago"
MIXED = "Beitrag {0}: {1} Aufrufe"


def listing(template: str, step: int, numbers: range = range(2_200)) -> Document:
    lines = [template.format(number, number * step, step) for number in numbers]
    return Document(text="\n\n".join(lines), title="All posts", page_type="listing")


@pytest.mark.parametrize("template", [POSTS, POSTS.replace("·", ","), MIXED])
def test_counters_that_all_move_on_are_no_change(template):
    report = pageloom.diff(listing(template, 1), listing(template, 3))
    assert not report.has_changes
    assert {block.trivial for block in report.text.blocks} == {"counter"}


def test_another_number_between_counters_is_told():
    after = listing(POSTS, 3)
    after = replace(after, text=after.text.replace("Post 2100 ·", "Post 98765 ·"))
    report = pageloom.diff(listing(POSTS, 1), after)
    assert report.has_changes
    assert {"-2100", "+98765"} <= set(report.text.salient)


def test_a_list_that_grew_by_half_and_counts_on_tells_the_new_lines():
    report = pageloom.diff(listing(POSTS, 1), listing(POSTS, 3, range(3_300)))
    assert "added" in report.text.reasons
    assert "removed" not in report.text.reasons


@pytest.mark.parametrize(("kept", "length"), [(0, 2_200), (10, 5_200)])
def test_a_long_list_can_come_and_go(kept, length):
    short, long = listing(POSTS, 1, range(kept)), listing(POSTS, 1, range(length))
    came, went = pageloom.diff(short, long), pageloom.diff(long, short)
    assert "added" in came.text.reasons
    assert "removed" in went.text.reasons
    assert len(came.text.blocks) + came.text.omitted == length - kept


def test_the_line_that_matters_is_listed_among_many_that_do_not():
    before = [f"Entry {number} of the list" for number in range(400)]
    after = list(reversed(before))
    after[200] = "The harbour office is closed from 3 May"
    report = pageloom.diff(*(Document(text="\n".join(lines)) for lines in (before, after)))
    assert "The harbour office is closed from 3 May" in [b.after for b in report.text.blocks]
    assert "rewritten" not in report.summary
    assert report.text.similarity > 0.98
