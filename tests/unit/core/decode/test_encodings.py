"""A generated set of pages: many encodings, honest, missing and lying labels, cut and damaged."""

from __future__ import annotations

import random
import unicodedata

import pytest
from rapidfuzz.distance import Indel
from tests.unit.core.decode.encoding_samples import SAMPLES, TEXTS, Sample

from pageloom.core.decode.charset import decode_bytes

LIES = (
    "utf-8",
    "iso-8859-1",
    "windows-1252",
    "windows-1251",
    "windows-1254",
    "iso-8859-2",
    "iso-8859-7",
    "koi8-r",
    "gbk",
    "big5",
    "shift_jis",
    "euc-kr",
)
SEED = 0
TONES = frozenset("\u0300\u0301\u0303\u0309\u0323")


def encode(text: str, codec: str) -> bytes:
    """Encode; Vietnamese puts its tones behind the letter, as windows-1258 needs it."""
    if codec != "cp1258":
        return text.encode(codec)
    pieces = []
    for letter in unicodedata.normalize("NFC", text):
        try:
            pieces.append(letter.encode(codec))
        except UnicodeEncodeError:
            parts = unicodedata.normalize("NFD", letter)
            base = "".join(part for part in parts if part not in TONES)
            tone = "".join(part for part in parts if part in TONES)
            pieces.append((unicodedata.normalize("NFC", base) + tone).encode(codec))
    return b"".join(pieces)


def make_page(sample: Sample, label: str) -> tuple[bytes, str]:
    text = TEXTS[sample.language]
    meta = f'<meta charset="{label}">' if label else ""
    page = (
        f"<!doctype html><html><head>{meta}<title>{text[:30]}</title></head><body>"
        f"<h1>{text[10:50]}</h1><p>{text}</p>\n<p>{text[20:]}</p></body></html>"
    )
    return encode(page, sample.codec), page


def damage(body: bytes) -> bytes:
    """Three bytes somewhere in the text replaced by others; an escape sequence is never hit."""
    chance = random.Random(len(body) + SEED)  # noqa: S311 - the same damage in every run
    spoilt = bytearray(body)
    places = [
        place
        for place in range(len(body) // 3, len(body) - 30)
        if 0x1B not in body[place - 2 : place + 1]
    ]
    for place in chance.sample(places, 3):
        spoilt[place] = chance.choice([0xFF, 0x80, 0x3F, 0xA0, 0xFE])
    return bytes(spoilt)


def spell(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def labels_of(sample: Sample) -> list[str]:
    return list(dict.fromkeys([sample.label, "", *LIES]))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
def test_the_text_is_found_whatever_the_label(sample):
    for label in labels_of(sample):
        body, page = make_page(sample, label)
        assert spell(decode_bytes(body).text) == spell(page), f"labelled {label or 'nothing'}"
        check_a_cut(label, body, spell(page))
        check_damage(label, body, spell(page))


def check_a_cut(label: str, body: bytes, page: str) -> None:
    """The end is missing."""
    found = spell(decode_bytes(body[: len(body) * 3 // 4]).text)
    assert page.startswith(found[:-2]), f"cut, labelled {label or 'nothing'}"
    assert len(found) > len(page) // 2, f"cut, labelled {label or 'nothing'}"


def check_damage(label: str, body: bytes, page: str) -> None:
    """It costs no more than itself."""
    likeness = Indel.normalized_similarity(spell(decode_bytes(damage(body)).text), page)
    assert likeness > 0.97, f"damaged, labelled {label or 'nothing'}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
def test_the_header_is_a_label_too(sample):
    body, page = make_page(sample, "")
    found = decode_bytes(body, header=f"text/html; charset={sample.label}")
    assert spell(found.text) == spell(page)
