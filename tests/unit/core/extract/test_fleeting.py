"""What the names of its parts say changes by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pageloom
from pageloom.core.extract.fleeting import _NAMES, _TAKEN_BACK, kind_of_name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("relatedPosts", "rotating"),
        ("widget related-posts", "rotating"),
        ("siteBanner", "rotating"),
        ("sitebanner", "rotating"),
        ("alertbar closed", "rotating"),
        ("view-count", "counter"),
        ("usercount", "counter"),
        ("whosonline", "account"),
        ("relativetime", "moment"),
        ("time-ago price", ""),
        ("story-text", ""),
    ],
)
def test_names_of_what_changes_by_itself(name: str, kind: str):
    assert kind_of_name(name) == kind


@given(st.data())
@settings(deadline=None)
def test_no_pattern_is_spared_a_name_that_it_knows(data: st.DataObject):
    """Names are asked for their words first, which must not lose any."""
    kinds = {kind: words for kind, words in _NAMES.items() if kind != _TAKEN_BACK}
    words = kinds[data.draw(st.sampled_from(sorted(kinds)))]
    name = data.draw(st.from_regex(f"(?:{words})", fullmatch=True))
    assert kind_of_name(name)


@pytest.mark.parametrize("between", ["", "-", "_"])
@pytest.mark.parametrize("word", ["announcement", "notification", "alert", "notice"])
def test_a_bar_above_the_page_is_known_however_its_name_is_written(word: str, between: str):
    page = (
        f'<div class="{word}{between}bar"><p>Free shipping until the end of this week!</p></div>'
        "<main><article><h1>The quiet tide</h1>"
        "<p>The water went out further than anyone could remember, and the boats lay on their "
        "sides in the mud until the evening came.</p><p>Nobody in the harbour had an explanation, "
        "but everybody had a photograph of it.</p></article></main>"
    )
    fleeting = pageloom.extract(page).provenance.fleeting
    assert ("Free shipping until the end of this week!",) in fleeting.values()
