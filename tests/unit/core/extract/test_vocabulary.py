"""The words in names and short texts that tell something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageloom.core.extract.features import MOST_TITLE_WORDS
from pageloom.core.extract.vocabulary import (
    CLASS_BIT,
    CLASS_GROUPS,
    CLASS_WORDS,
    HIDDEN,
    TEXT_GROUPS,
    class_flags,
    text_table,
)


@pytest.mark.parametrize(
    ("names", "group"),
    [
        ("comment-list", "comment"),
        ("CommentList", "comment"),
        ("site_header", "header"),
        ("articleBody", "article"),
        ("sc-1 relatedPosts", "related"),
        ("js-share-buttons", "share"),
        ("cookie-consent", "modal"),
        ("product-card__price", "price"),
    ],
)
def test_spellings_of_class_names(names: str, group: str):
    assert class_flags(names) & CLASS_BIT[group]


@given(st.text("abcCOMMENTScomments-_ 1éİK\ud800", max_size=40))
def test_small_letters_are_read_as_camel_case_is(names: str):
    """A capital anywhere leads to the other way of parting words, which must find the same."""
    assert class_flags(names) == class_flags(f"{names} X")


def test_no_word_is_read_out_of_a_name_that_a_program_made_up():
    """Hex and hashes hold every short word by chance: as text between digits, or as camel case."""
    for word in CLASS_WORDS:
        assert class_flags(f"1{word}269af0d") == 0
        assert class_flags(f"x_9{word}3f") == 0
        assert class_flags(f"q0{word}") == 0
    assert class_flags("component_1ad269af0d") == class_flags("component")
    assert class_flags("css-eAdGhs") == 0


@pytest.mark.parametrize("names", ["sidebar1", "sidebar-2", "post-1234 sidebar", "sideBar sidebar"])
def test_a_number_after_a_word_leaves_the_word(names: str):
    assert class_flags(names) & CLASS_BIT["sidebar"]


@pytest.mark.parametrize("names", ["", "css-1x9z", "123", "qqq zzz", "é"])
def test_names_that_tell_nothing(names: str):
    assert class_flags(names) == 0


def test_hidden_is_a_bit_of_its_own():
    assert HIDDEN not in CLASS_BIT.values()
    assert HIDDEN.bit_length() <= 64
    assert len(TEXT_GROUPS) + MOST_TITLE_WORDS <= 64


def test_every_group_has_one_bit():
    assert sorted(CLASS_BIT.values()) == [1 << number for number in range(len(CLASS_GROUPS))]


@pytest.mark.parametrize(
    ("words", "group"),
    [
        (["leave", "a", "comment"], "comment"),
        (["kommentare"], "comment"),
        (["related", "articles"], "related"),
        (["subscribe"], "subscribe"),
        (["相关"], "related"),
        (["add", "to", "cart"], "shop"),
    ],
)
def test_words_of_short_texts(words: list[str], group: str):
    table = text_table(())
    assert any(table.get(word, 0) & (1 << TEXT_GROUPS.index(group)) for word in words)


def test_ordinary_words_tell_nothing():
    assert text_table(()).keys().isdisjoint(["lighthouse", "pebble"])


def test_further_words_have_bits_of_their_own():
    table = text_table(("lighthouse", "related"))
    assert table["lighthouse"] == 1 << len(TEXT_GROUPS)
    assert table["related"] & (1 << TEXT_GROUPS.index("related"))
    assert table["related"] & (1 << (len(TEXT_GROUPS) + 1))
    assert "lighthouse" not in text_table(())


def test_only_the_beginning_of_a_huge_name_is_read():
    assert class_flags("x " * 100_000 + "comment") == 0
