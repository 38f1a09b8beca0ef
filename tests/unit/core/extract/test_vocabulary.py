"""The words in names and short texts that tell something."""

from __future__ import annotations

import pytest

from pageloom.core.extract.vocabulary import (
    CLASS_BIT,
    CLASS_GROUPS,
    HIDDEN,
    TEXT_GROUPS,
    class_flags,
    text_flags,
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


@pytest.mark.parametrize("names", ["", "css-1x9z", "123", "qqq zzz", "é"])
def test_names_that_tell_nothing(names: str):
    assert class_flags(names) == 0


def test_hidden_is_a_bit_of_its_own():
    assert HIDDEN not in CLASS_BIT.values()
    assert HIDDEN.bit_length() <= 64
    assert len(TEXT_GROUPS) <= 64


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
    assert text_flags(words) & (1 << TEXT_GROUPS.index(group))


def test_ordinary_words_tell_nothing():
    assert text_flags(["lighthouse", "pebble"]) == 0


def test_only_the_beginning_of_a_huge_name_is_read():
    assert class_flags("x " * 100_000 + "comment") == 0
