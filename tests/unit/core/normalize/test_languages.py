from __future__ import annotations

from tests.unit.core.normalize.language_samples import PARAGRAPHS

from pageloom.core.normalize.languages import choose_language, detect, direction_of, language_code

SENTENCES = PARAGRAPHS
PIECE = 40


def pieces_of(text: str) -> list[str]:
    """Every run of whole words of about forty characters; of a text without spaces, any run."""
    words = text.split()
    if len(words) < 6:
        return [text[start : start + PIECE] for start in range(0, len(text) - PIECE // 2, 20)]
    runs = (_run(words[start:]) for start in range(len(words)))
    return [run for run in runs if len(run) >= PIECE * 3 // 4]


def _run(words: list[str]) -> str:
    run = ""
    for word in words:
        if run and len(run) + 1 + len(word) > PIECE:
            break
        run = f"{run} {word}".strip()
    return run[:PIECE]


def test_there_are_enough_languages():
    assert len(PARAGRAPHS) >= 60


def test_a_paragraph_tells_its_language():
    right = [detect(text)[0] == code for code, text in PARAGRAPHS.items()]
    assert sum(right) / len(right) >= 0.98


def test_forty_characters_tell_their_language():
    right = [
        detect(piece)[0] == code for code, text in PARAGRAPHS.items() for piece in pieces_of(text)
    ]
    assert len(right) > 1_000
    assert sum(right) / len(right) >= 0.96


def test_claims_become_iso_codes():
    claims = ["pt_BR", "EN-us", "ger", "iw", "nb-NO", "English", "zh-Hans", "x-default", "und", ""]
    assert [language_code(claim) for claim in claims] == [
        "pt",
        "en",
        "de",
        "he",
        "no",
        "en",
        "zh",
        "",
        "",
        "",
    ]


def test_a_long_text_wins_over_a_wrong_declaration():
    text = " ".join([SENTENCES["de"]] * 6)
    code, _, source, raw = choose_language(text, (("en-US", "html[lang]"),))
    assert (code, source, raw) == ("de", "text", "en-US")


def test_a_short_text_does_not():
    assert choose_language("Rain again", (("fr", "html[lang]"),))[0] == "fr"


def test_a_confirmed_declaration_is_sure():
    code, sure, source, _ = choose_language(SENTENCES["fr"], (("fr-CA", "html[lang]"),))
    assert (code, source) == ("fr", "html[lang]")
    assert sure >= 0.9


def test_the_hint_of_a_source_comes_first():
    assert choose_language(SENTENCES["de"], (("de", "html[lang]"),), "it")[0] == "it"


def test_nothing_is_known_of_nothing():
    assert choose_language("", ()) == ("", 0.0, "", "")
    assert detect("12345 !!!") == ("", 0.0)


def test_direction_by_letters_then_by_declaration():
    assert direction_of("ar", "", SENTENCES["ar"]) == "rtl"
    assert direction_of("en", "rtl", SENTENCES["en"] * 2) == "ltr"
    assert direction_of("", "rtl", "") == "rtl"
    assert direction_of("he", "", "") == "rtl"
