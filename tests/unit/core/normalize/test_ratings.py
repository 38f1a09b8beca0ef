from __future__ import annotations

import pytest

from pageloom.core.normalize.ratings import find_ratings, parse_rating
from pageloom.core.parts import RatingFact


@pytest.mark.parametrize(
    ("text", "value", "scale"),
    [
        ("4.5/5", 4.5, 5.0),
        ("4.5 out of 5", 4.5, 5.0),
        ("★★★★☆", 4.0, 5.0),
        ("4.3 rating", 4.3, 5.0),
        ("8/10", 8.0, 10.0),
        ("4,5 von 5 Sternen", 4.5, 5.0),
        ("4.5 stars", 4.5, 5.0),
    ],
)
def test_ratings_in_text(text, value, scale):
    (rating,) = find_ratings(f"People say {text} of it")
    assert (rating.value, rating.scale) == (value, scale)


@pytest.mark.parametrize(
    "text", ["on 12/10/2020", "page 1 of 5", "7/5", "24/7", "no stars", "v1.2/3"]
)
def test_what_is_no_rating(text):
    assert find_ratings(text) == []


def test_structured_ratings_keep_scale_and_count():
    rating = parse_rating(RatingFact(raw="4,6", value="4,6", scale="5", count="1,204"))
    assert (rating.value, rating.scale, rating.count) == (4.6, 5.0, 1204)


def test_a_missing_scale_is_five_when_it_can_be():
    assert parse_rating(RatingFact(raw="4.6", value="4.6")).scale == 5.0
    assert parse_rating(RatingFact(raw="86", value="86")).scale is None


def test_a_label_with_a_count():
    rating = parse_rating(RatingFact(raw="4.5 out of 5 stars, 1,204 ratings"))
    assert (rating.value, rating.count) == (4.5, 1204)
