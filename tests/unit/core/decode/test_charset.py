"""Bytes become text: marks, damage, mixtures, and what is told about it."""

from __future__ import annotations

import pytest

from pageloom.core.decode.charset import decode_bytes, mend_text
from pageloom.core.decode.labels import name_of


@pytest.mark.parametrize(
    "codec", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"]
)  # fmt: skip
def test_unicode_in_all_its_widths(codec):
    text = "<p>Größe und Я und 今</p>"
    decoded = decode_bytes(text.encode(codec))
    assert decoded.text == text


def test_sound_utf8_says_nothing():
    decoded = decode_bytes("<p>Grüße</p>".encode())
    assert decoded == ("<p>Grüße</p>", "utf-8", ())


def test_a_mark_beats_the_label():
    body = b"\xef\xbb\xbf" + '<meta charset="koi8-r">Grüße'.encode()
    assert decode_bytes(body, header="text/html; charset=windows-1251").text.endswith("Grüße")


def test_utf8_beats_the_label():
    decoded = decode_bytes("<p>Grüße aus Köln</p>".encode(), header="text/html; charset=iso-8859-1")
    assert decoded.text == "<p>Grüße aus Köln</p>"


def test_a_cut_tail_is_dropped():
    body = "Viele schöne Grüße, für alle Übrigen auch: ä".encode()[:-1]
    decoded = decode_bytes(body)
    assert decoded.text == "Viele schöne Grüße, für alle Übrigen auch: "
    assert decoded.charset == "utf-8"


def test_western_letters_in_utf8_are_repaired():
    body = "Schöne Grüße für alle, déjà vu à la fin. ".encode() + b"Caf\xe9 \x93na\xefve\x94"
    decoded = decode_bytes(body)
    assert decoded.text.endswith("Café “naïve”")
    assert decoded.notes == ("mixed encodings: utf-8 with parts in windows-1252",)


def test_a_foreign_part_in_utf8_is_repaired():
    sound = "Утром на рынке было тихо, и старый кот спал на ящике возле входа. " * 3
    foreign = "Продавцы раскладывали яблоки и свежий хлеб"
    decoded = decode_bytes(sound.encode() + b"\n<p>" + foreign.encode("cp1251") + b"</p>\n")
    assert foreign in decoded.text
    assert sound in decoded.text


def test_mere_damage_stays_visible():
    body = "Утром на рынке было тихо".encode() + b"\xff" + "и кот спал".encode()
    decoded = decode_bytes(body)
    assert decoded.text == "Утром на рынке было тихо\ufffdи кот спал"
    assert decoded.notes == ("1 byte sequences could not be decoded",)


def test_text_encoded_twice_is_undone():
    text = "Déjà vu – l’été à Genève, c’est “parfait”."
    twice = text.encode().decode("whatwg-windows-1252").encode()
    decoded = decode_bytes(twice)
    assert decoded.text == text
    assert decoded.notes == ("double-encoded text (mojibake) was repaired",)


def test_a_page_about_the_trouble_is_left_alone():
    text = "Steht dort CafÃ© statt Café? Für schöne Umlaute: Ã¼ wäre ü, größer als früher."
    assert decode_bytes(text.encode()).text == text


def test_one_western_byte_in_ascii():
    assert decode_bytes(b"It\x92s the caf\xe9 next door").text == "It’s the café next door"


def test_the_choice_is_told():
    body = "Утром на рынке было тихо, и кот спал".encode("cp1251")
    assert decode_bytes(body).notes == ("charset guessed: windows-1251",)
    lying = decode_bytes(body, header="text/html; charset=utf-8")
    assert lying.notes == ("declared utf-8, decoded as windows-1251",)
    honest = decode_bytes(body, header="text/html; charset=windows-1251")
    assert honest.notes == ()


def test_a_label_far_down_the_page_is_found():
    body = b"<!--" + b"x" * 3_000 + b"--><meta charset=iso-8859-16>\xfe\xde"
    assert decode_bytes(body).charset == "iso-8859-16"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("UTF8", "utf-8"),
        ("latin1", "windows-1252"),
        ("ISO-8859-1", "windows-1252"),
        ("iso8859-2", "iso-8859-2"),
        ("win-1251", "windows-1251"),
        ("cp936", "gbk"),
        ("GB2312", "gbk"),
        ("ks_c_5601-1987", "euc-kr"),
        ("Shift-JIS", "shift_jis"),
        ("nonsense", ""),
        ("", ""),
        ("utf-7", ""),
    ],
)
def test_labels_have_one_name(label, name):
    assert name_of(label) == name


def test_text_that_was_encoded_twice_is_mended_in_bytes_and_in_text():
    page = "<h1>Investor’s guide — déjà vu</h1>"
    twice = page.encode().decode("latin-1")
    assert decode_bytes(twice.encode()).text == page
    assert mend_text(twice, twice.encode()).text == page
    assert mend_text(page, page.encode()).text == page
