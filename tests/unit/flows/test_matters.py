"""What never or always matters: the state of a track, and the pattern of a text."""

from __future__ import annotations

import pytest

from pageloom.core.rules.patterns import compile_pattern
from pageloom.edges.store.tracks import TrackState
from pageloom.flows.watch.matters import pattern_of, with_matters


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("Seen by 1,204 people today (really?)", "Seen by 9,876 people today (really?)"),
        ("Preis: 3,50 € [neu] {x} a|b ^$ \\d", "Preis: 4,00 € [neu] {x} a|b ^$ \\d"),
        ("今日の閲覧数は12です。", "今日の閲覧数は7です。"),
    ],
)
def test_the_pattern_of_a_text_covers_it_with_other_figures_and_nothing_else(text, later):
    pattern = compile_pattern(pattern_of(text))
    for each in (text, later):
        found = pattern.search(each)
        assert found is not None
        assert (found.start(), found.end()) == (0, len(each))
    assert pattern.search("Seen by nobody at all") is None


def test_a_long_text_has_no_pattern():
    assert pattern_of("word " * 100) == ""
    assert pattern_of("   ") == ""


def test_a_place_matters_in_one_way_at_a_time():
    state = with_matters(TrackState(), "0a1b2c3d", "never")
    assert (state.muted, state.always) == (("0a1b2c3d",), ())
    state = with_matters(state, "0a1b2c3d", "always")
    assert (state.muted, state.always) == ((), ("0a1b2c3d",))
    state = with_matters(state, "0a1b2c3d", "usual")
    assert (state.muted, state.always) == ((), ())
