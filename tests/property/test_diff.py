from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pageloom
from pageloom import ChangeReport, Document
from pageloom.core.compare.align import Gap, align, find_changes
from pageloom.model import Image, Link, Price
from pageloom.views.comparison import make_rows, render_html, render_text

CALM = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
WORDS = st.sampled_from(
    "the ferry may not leave before 19:30 on 4 March for £6.40 and 12 views 3 hours ago Jory said"
    " updated free <b>&amp; 图书馆 5冊 нет не 1.299,00 € https://x.example/?sid=1 \x1b[31m".split(
        " "
    )
)
LINES = st.lists(WORDS, max_size=12).map(" ".join)
TEXTS = st.lists(LINES, max_size=12).map("\n".join)
ANY_TEXT = st.one_of(TEXTS, st.text(max_size=200))
DOCUMENTS = st.builds(
    Document,
    title=LINES,
    description=LINES,
    text=ANY_TEXT,
    images=st.lists(
        st.builds(Image, url=st.sampled_from(["https://x.example/a.jpg?v=1", "b.png"])), max_size=2
    ).map(tuple),
    links=st.lists(
        st.builds(Link, url=st.sampled_from(["https://x.example/a", "https://x.example/b?sid=2"])),
        max_size=2,
    ).map(tuple),
    price_candidates=st.lists(st.builds(Price, raw=st.just("5 €")), max_size=1).map(tuple),
    availability=st.sampled_from(["in_stock", "out_of_stock", "unknown"]),
    page_type=st.sampled_from(["article", "product", "listing"]),
)


@CALM
@given(DOCUMENTS)
def test_a_page_does_not_differ_from_itself(document):
    report = pageloom.diff(document, document)
    assert not report.has_changes
    assert report.changed_fields == ()
    assert report.trivial == ()
    assert report.text.blocks == ()


@CALM
@given(DOCUMENTS, DOCUMENTS)
def test_both_directions_name_the_same(one, two):
    there, back = pageloom.diff(one, two), pageloom.diff(two, one)
    assert there.changed_fields == back.changed_fields
    assert there.text.similarity == back.text.similarity
    assert sorted(each.kind for each in there.trivial) == sorted(each.kind for each in back.trivial)
    assert len(there.text.blocks) == len(back.text.blocks)


@CALM
@given(DOCUMENTS, DOCUMENTS)
def test_figures_stay_within_their_bounds_and_reports_survive_json(one, two):
    report = pageloom.diff(one, two)
    assert 0 <= report.importance <= 1
    assert 0 <= report.text.similarity <= 1
    assert report.has_changes == bool(report.changed_fields)
    assert "\n" not in report.summary
    assert ChangeReport.from_dict(report.to_dict()) == report
    report.to_message("job")
    report.to_detailed()


@CALM
@given(ANY_TEXT, ANY_TEXT)
def test_what_is_shown_is_escaped(before, after):
    rows = make_rows(before, after)
    for side_by_side in (False, True):
        shown = render_text(rows, side_by_side=side_by_side)
        assert "\x1b" not in shown
        html = render_html(rows, side_by_side=side_by_side)
        assert "<b>" not in html
        assert "\x1b" not in html


@CALM
@given(TEXTS, TEXTS)
def test_rows_hold_both_texts(before, after):
    rows = make_rows(before, after, context=10_000)
    if rows:
        for text, side in ((before, "before"), (after, "after")):
            shown = ["".join(piece.text for piece in getattr(row, side)) for row in rows]
            lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
            assert [line for line in shown if line] == lines


LONG_EDITS = {
    "shuffled": lambda lines, chance: chance.sample(lines, len(lines)),
    "one part moved": lambda lines, chance: [*lines[900:2_000], *lines[:900], *lines[2_000:]],
    "a third new": lambda lines, chance: [
        line if chance.random() < 0.67 else f"new {number}" for number, line in enumerate(lines)
    ],
    "some taken out": lambda lines, chance: [line for line in lines if chance.random() < 0.9],
    "all new": lambda lines, chance: [f"other {line}" for line in lines],
}


@settings(CALM, max_examples=6)
@given(st.integers(0, 10_000), st.sampled_from([700, 5_000, 50_000]))
@pytest.mark.parametrize("edit", LONG_EDITS.values(), ids=LONG_EDITS)
def test_long_texts_share_the_lines_between_their_gaps(edit, seed, different):
    before, after = long_texts(edit, seed, different)
    gaps = align(before, after)
    kept = other_kept = 0
    rest: list[str] = []
    for gap in [*gaps, Gap(len(before), len(before), len(after), len(after))]:
        assert before[kept : gap.start] == after[other_kept : gap.other_start]
        rest += [*before[kept : gap.start], *after[gap.other_start : gap.other_end]]
        kept, other_kept = gap.end, gap.other_end
    assert rest == after


@settings(CALM, max_examples=6)
@given(st.integers(0, 10_000), st.sampled_from([700, 5_000, 50_000]))
@pytest.mark.parametrize("edit", LONG_EDITS.values(), ids=LONG_EDITS)
def test_lines_that_came_went_and_moved_are_those_in_the_gaps(edit, seed, different):
    before, after = long_texts(edit, seed, different)
    gone, come = Counter[str](), Counter[str]()
    for gap in align(before, after):
        gone.update(before[gap.start : gap.end])
        come.update(after[gap.other_start : gap.other_end])
    changes = find_changes(before, after)
    assert changes.moved == gone & come
    assert changes.lines == gone.total() + come.total()


def long_texts(edit, seed, different):
    chance = Random(seed)  # noqa: S311  the same lines for a seed
    before = [f"line {chance.randrange(different)}" for _ in range(4_500)]
    return before, edit(before, chance)
