"""Words and sentences in the scripts people write."""

from __future__ import annotations

import pytest

from pageloom.core.words import (
    count_words,
    reading_minutes,
    single_spaced,
    split_sentences,
)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("   \n ", 0),
        ("one", 1),
        ("It's a well-known fact.", 4),
        ("this – and that | here • there", 5),
        ("Größe über alles, où déjà", 5),
        ("Привет, как дела?", 3),
        ("오늘 아침 시장은 조용했다", 4),
        ("صباح الخير يا صديقي", 4),
        ("价格", 1),
        ("今天早上市场比平时安静得多", 9),
        ("今朝の市場はいつもより静かだった。", 9),
        ("我用Python写程序 every day", 6),
        ("，。！", 0),
        ("สวัสดีครับ", 3),
    ],
)
def test_words_are_counted_in_every_script(text, count):
    assert count_words(text) == count


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("He paid 3.14 dollars. She left.", ["He paid 3.14 dollars.", "She left."]),
        ("Dr. Smith met Mrs. Jones. They spoke.", ["Dr. Smith met Mrs. Jones.", "They spoke."]),
        ("J. R. R. Tolkien wrote. We read.", ["J. R. R. Tolkien wrote.", "We read."]),
        ("Am 5. Mai kam er z. B. nach Bonn. Dann ging er.", None),
        ("He asked “Why?” She smiled.", ["He asked “Why?”", "She smiled."]),
        ("Wait... what happened? Nothing.", None),
        ("A heading\nA line. Another", ["A heading", "A line.", "Another"]),
        ("今天很好。你好吗？很好！", ["今天很好。", "你好吗？", "很好！"]),
        ("「行こう。」と言った。", ["「行こう。」", "と言った。"]),
        ("यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
        ("كيف حالك؟ أنا بخير.", ["كيف حالك؟", "أنا بخير."]),
        ("It works, e.g. here, etc. and there.", ["It works, e.g. here, etc. and there."]),
        ("See example.com for more. Thanks.", ["See example.com for more.", "Thanks."]),
        ("!!! ... ???", []),
    ],
)
def test_sentences_end_where_a_reader_stops(text, sentences):
    found = split_sentences(text)
    if sentences is None:
        assert len(found) == 2
    else:
        assert found == sentences


@pytest.mark.parametrize(
    ("words", "minutes"), [(0, 1), (1, 1), (299, 1), (300, 2), (499, 2), (500, 3), (1_600, 8)]
)
def test_reading_time_is_rounded_half_up(words, minutes):
    assert reading_minutes(words) == minutes


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        ("", ""),
        (" \n ", " "),
        ("a", "a"),
        ("a\n\t b\r\nc", "a b c"),
        ("\n a  b ", " a b "),
        ("a \xa0 b  c", "a \xa0 b c"),
        (" \xa0 ", " \xa0 "),
    ],
)
def test_white_space_becomes_single(text: str, spaced: str):
    assert single_spaced(text) == spaced


@pytest.mark.parametrize(
    "text", ["a\fb", "a\x0bb", "a\u2028b", "a\u3000 b", "a\x00 b", "a\u200b b"]
)
def test_unusual_white_space_is_left_to_others(text: str):
    assert single_spaced(text) is None
