from __future__ import annotations

import pytest

from pageloom.core.options import Options, read_options
from pageloom.errors import SettingsError


def test_options_may_be_given_as_a_mapping_or_not_at_all():
    assert read_options({"strict": True}) == Options(strict=True)
    assert read_options(None) == read_options({}) == Options()
    given = Options(max_depth=3)
    assert read_options(given) is given


@pytest.mark.parametrize(
    ("name", "near"), [("enable_markdwon", "enable_markdown"), ("max_size", "max_")]
)
def test_an_unknown_option_is_refused_with_the_nearest(name: str, near: str):
    with pytest.raises(SettingsError) as caught:
        read_options({name: 1})
    assert name in caught.value.message
    assert near in caught.value.suggestions[0]


@pytest.mark.parametrize(
    "given",
    [
        {"strict": "yes"},
        {"max_depth": "12"},
        {"max_depth": -1},
        {"max_depth": None},
        {"max_depth": 1.5},
    ],
)
def test_a_value_that_does_not_fit_is_refused(given: dict[str, object]):
    with pytest.raises(SettingsError) as caught:
        read_options(given)
    assert next(iter(given)) in caught.value.message
