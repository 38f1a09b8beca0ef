"""What is offered for an element that somebody points at, and how long it stays right."""

from __future__ import annotations

import random

import pytest
from tests.unit.core.rules.hashed_site import TARGETS, TRUTH, namers, page, unmarked

from pageloom.core.dom import parse
from pageloom.core.rules.names import is_generated, lasting_stem
from pageloom.core.rules.picking import find_places, number_texts, pick, show_numbered

KINDS = tuple(namers(random.Random(0)))  # noqa: S311  no secret
LATER = range(3, 11)


def number_of(markup: str, target: str) -> int:
    """Where the element that is meant stands among all."""
    elements = list(parse(markup).iter_elements())
    return next(n for n, each in enumerate(elements) if each.attr(TRUTH) == target)


def first_candidate(kind: str, target: str) -> str:
    """Picked on the second version, with the first stored beside it."""
    markup = page(kind, 2)
    picked = pick(unmarked(markup), number_of(markup, target), [unmarked(page(kind, 1))])
    assert picked
    return picked.candidates[0].selector


def still_right(kind: str, target: str, selector: str) -> list[bool]:
    """On each later version: whether it finds the element that is meant and no other."""
    found = []
    for version in LATER:
        markup = page(kind, version)
        places = find_places(unmarked(markup), [selector])[selector]
        found.append(places == (number_of(markup, target),))
    return found


def test_the_first_candidate_stays_right_on_later_versions_with_hashed_classes():
    results = {
        (kind, target): still_right(kind, target, first_candidate(kind, target))
        for kind in KINDS
        for target in TARGETS
    }
    every = [one for each in results.values() for one in each]
    wrong = {key: first_candidate(*key) for key, each in results.items() if not all(each)}
    assert len(every) == len(KINDS) * len(TARGETS) * len(LATER) == 480
    assert sum(every) / len(every) >= 0.9, wrong


@pytest.mark.parametrize(
    "name",
    ["css-1x2y3z4", "sc-bdVaJa", "kZqWx9", "Story_body__x7Tq2", "post-88412", "_ngcontent-c12"],
)
def test_names_that_a_build_made_up_are_told(name):
    assert is_generated(name)


@pytest.mark.parametrize(
    "name", ["article-body", "storyBody", "h2", "col-md-6", "related", "newsletter_box", "FAQ"]
)
def test_names_that_a_person_gave_are_told(name):
    assert not is_generated(name)


def test_what_a_person_gave_of_a_made_up_name_is_kept():
    assert lasting_stem("Story_body__x7Tq2") == "Story_body__"
    assert lasting_stem("sc-bdVaJa") == ""


def test_what_is_right_on_the_versions_and_pages_comes_first():
    now = "<div id=today><p>One line of it.</p></div>"
    then = "<div id=monday><p>One line of it.</p></div>"
    picked = pick(now, 3, [then], [then, "<p>None.</p>"])
    assert picked.tag == "div"
    (
        best,
        *_,
    ) = picked.candidates
    assert best.selector != "#today"
    assert (best.versions, best.others) == ((1,), (1, 0))
    named = next(each for each in picked.candidates if each.selector == "#today")
    assert (named.places, named.versions) == ((3,), (0,))


def test_nothing_is_offered_for_what_is_not_there_or_is_the_whole_page():
    assert pick("<p>x</p>", 99) is None
    assert pick("<p>x</p>", 0) is None


def test_a_page_to_point_at_has_numbers_and_nothing_that_acts():
    shown = show_numbered(
        "<p onclick=x() style='a:b' data-n=9>a &lt;b&gt;<script>x()</script><img src=x alt='<i>'>"
        "<a href=javascript:x()>l</a></p>"
    )
    assert shown == (
        '<div data-n="2"><p data-n="3">a &lt;b&gt;<span class="picture" data-n="5">&lt;i&gt;</span>'
        '<span data-n="6">l</span></p></div>'
    )


def test_blocks_are_found_by_what_they_say_and_selectors_by_what_they_find():
    markup = "<div><p>One  line.</p><p>Two.</p></div>"
    assert number_texts(markup, ["One line.", "Three.", "Two."]) == [4, -1, 5]
    assert find_places(markup, ["p", "p["]) == {"p": (4, 5)}
