from __future__ import annotations

import zlib
from collections import Counter

import pytest

from pageloom.core.enrich import near_duplicate, summary, tags
from pageloom.core.enrich.insights import enrich
from pageloom.core.enrich.near_duplicate import (
    is_near_duplicate,
    near_duplicate_signature,
    signature_distance,
)
from pageloom.core.enrich.quality import score_quality
from pageloom.core.enrich.reading_level import reading_level
from pageloom.core.enrich.summary import summarise
from pageloom.core.enrich.tags import generate_tags
from pageloom.core.non_ascii import beyond_ascii

STORY = (
    "The river rose again on Sunday after a week of rain in the hills above the town. "
    "Engineers opened the flood gates at noon, and the river fell slowly during the night. "
    "The flood gates were built forty years ago and have never been repaired since then. "
    "The town council will discuss new flood gates and a wider river bed next month. "
    "Some people in the lower streets spent the night in the school above the river. "
)


def points(**changes: object) -> int:
    values: dict[str, object] = {
        "has_title": False,
        "text": "",
        "markdown": "",
        "words": 0,
        "sentences": 0,
    }
    return score_quality(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "score"),
    [
        ({}, 0),
        ({"has_title": True}, 20),
        ({"text": "x" * 100}, 0),
        ({"text": "x" * 101}, 10),
        ({"text": "x" * 500}, 10),
        ({"text": "x" * 501}, 25),
        ({"text": "x" * 2000}, 25),
        ({"text": "x" * 2001}, 40),
        ({"text": "雨" * 2001}, 40),
        ({"markdown": "##"}, 0),
        ({"markdown": "#*["}, 6),
        ({"markdown": "#" * 6}, 12),
        ({"markdown": "*" * 11}, 20),
        ({"words": 100}, 0),
        ({"words": 101}, 5),
        ({"words": 501}, 10),
        ({"sentences": 3}, 0),
        ({"sentences": 4}, 5),
        ({"sentences": 11}, 10),
    ],
)
def test_each_point_of_the_score(changes, score):
    assert points(**changes) == score


def test_the_best_page_has_a_hundred_points():
    assert (
        points(has_title=True, text="x" * 3000, markdown="#" * 20, words=600, sentences=20) == 100
    )


def test_a_title_made_up_from_the_address_gives_no_points():
    found = enrich(title="cloud.example", text=STORY, markdown=STORY, title_found=False)
    assert found.quality_score == enrich(title="", text=STORY, markdown=STORY).quality_score


def test_tags_are_few_salient_and_explained():
    tags = generate_tags(title="Flood gates of the river", text=STORY * 2, language="en")
    assert tags[0].tag == "flood gates"
    assert "title" in tags[0].reason
    assert len(tags) <= 5
    assert not {"the", "and", "again"} & {tag.tag for tag in tags}


def test_tags_do_not_repeat_the_page_s_own_or_each_other():
    tags = [
        tag.tag for tag in generate_tags(title="", text=STORY * 2, language="en", known=("River",))
    ]
    assert "river" not in tags
    assert len({word for tag in tags for word in tag.split()}) == sum(
        len(tag.split()) for tag in tags
    )


def test_a_site_that_is_about_one_thing_gives_its_tag():
    assert generate_tags(title="", text="", domain="github.com")[0].tag == "programming"
    assert generate_tags(title="", text="", domain="en.wikipedia.org")[0].tag == "encyclopedia"


def test_stop_words_are_those_of_the_language():
    text = "Der Fluss steigt, und der Fluss fällt wieder. Der Fluss ist nicht tief, aber breit."
    assert [tag.tag for tag in generate_tags(title="", text=text, language="de")] == ["fluss"]


def test_addresses_in_the_text_are_no_tags():
    text = "Rooms: www.harbourinn.com and https://www.pierhouse.com/rooms, or lighthouse.com. " * 3
    names = {tag.name for tag in generate_tags(title="Where to stay", text=text, language="en")}
    assert not names & {"www", "com", "https", "harbourinn", "pierhouse"}
    assert "rooms" in names


def test_chinese_tags_are_words_of_two_characters_and_more():
    tags = generate_tags(title="", text="洪水来了。洪水很大。人们怕洪水。", language="zh")
    assert [tag.tag for tag in tags] == ["洪水"]


def test_a_summary_is_two_or_three_of_the_text_s_own_sentences():
    sentences = [sentence + "." for sentence in STORY.strip().rstrip(".").split(". ")]
    summary = summarise(sentences, "Flood gates", "en")
    kept = [sentence for sentence in sentences if sentence in summary]
    assert 2 <= len(kept) <= 3
    assert summary == " ".join(kept)


def test_a_summary_says_nothing_twice():
    gate = "The new flood gates of the harbour will be closed for the first time in March."
    again = "The new flood gates of the harbour will be closed for the first time this March."
    others = [
        "Fishermen say that they were never asked about the closing of the harbour.",
        "The city has promised to pay for every day on which boats cannot leave.",
    ]
    summary = summarise([gate, again, gate, *others], "Flood gates", "en")
    assert summary.count("flood gates of the harbour") == 1
    assert others[0] in summary


def test_the_summary_of_nothing_is_nothing():
    assert summarise([], "x") == ""


def test_reading_level_rises_with_the_words():
    easy = "The cat sat on the mat. It was a big cat. The dog ran to the cat. " * 8
    hard = "Institutional considerations regarding stabilisation necessitate deliberation. " * 12
    low, high = reading_level(easy, 24, "en"), reading_level(hard, 12, "en")
    assert low is not None
    assert high is not None
    assert low < 3
    assert high > 15
    assert reading_level("short", 1, "en") is None
    assert reading_level("洪水" * 200, 10, "zh") is None


def test_close_texts_have_close_signatures():
    one = near_duplicate_signature(STORY * 5)
    edited = near_duplicate_signature(STORY * 5 + "One more line was added here.")
    other = near_duplicate_signature(
        "A quite different story about bread, flour, salt and the baker's oven. " * 12
    )
    assert is_near_duplicate(one, edited)
    assert signature_distance(one, other) > 15
    assert near_duplicate_signature("") == ""
    assert signature_distance(one, "") == 64


def test_the_signature_is_the_same_on_every_machine():
    assert near_duplicate_signature("The river rose again on Sunday") == near_duplicate_signature(
        "the  RIVER rose, again on Sunday!"
    )
    assert near_duplicate_signature("one two three") == "3ea58065bb86943b"


def test_typographic_punctuation_leaves_the_signature_alone():
    plain = near_duplicate_signature("It's late, the river rose again and 'fell' at night")
    assert plain == near_duplicate_signature(
        "It’s late – the «river» rose again and “fell” at night…"
    )


def test_texts_without_spaces_have_close_signatures_when_they_are_close():
    story = "河水在星期日再次上涨工程师中午打开了闸门夜里水位慢慢下降镇议会下个月将讨论新的闸门"
    edited = near_duplicate_signature(story * 6 + "又加了一行")
    assert is_near_duplicate(near_duplicate_signature(story * 6), edited)
    assert (
        signature_distance(near_duplicate_signature("面包师每天早上用面粉和盐烤面包" * 9), edited)
        > 15
    )


@pytest.mark.parametrize(
    "text",
    [
        STORY,
        "A 2-year-old's “café” – THE 100fold--well-known 'Été' _name_ 3rd",
        "\u0130stanbul \u039f\u0394\u039f\u03a3 \u03a3\u0391\u03a3's\xa0x \ud800 \u0663rain\u0301s",
    ],
)
def test_a_table_finds_the_words_that_the_pattern_finds(text):
    lowered = text.lower().replace("\u2019", "'").replace("'s ", " ")
    tokens, counts = tags._counted_tokens(text, beyond_ascii(text))
    assert counts == Counter(tokens)
    assert [token for token in tokens if token >= "a" and len(token) > 2] == [
        token for token in tags._TOKEN.findall(lowered) if len(token) > 2
    ]
    assert summary._bags(f"{text}\nTwo three", beyond_ascii(text), frozenset(["three"])) == [
        set(summary._WORD.findall(text.lower())) - {"three"},
        {"two"},
    ]


@pytest.mark.parametrize("longest", [1, 9, 64, 65, 500])
def test_words_hashed_at_once_are_hashed_as_one_by_one(longest):
    words = [bytes([97 + size % 26]) * size for size in range(1, longest + 1)]
    spaced = b"  " + b"   ".join([*words, "Größe".encode(), b"\x7f"]) + b" "
    assert near_duplicate._hash_words(spaced).tolist() == [*map(zlib.crc32, spaced.split())]
    assert not len(near_duplicate._hash_words(b"   "))
