"""Languages: normalize claims to ISO 639-1, detect the text's language and direction."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.non_ascii import beyond_ascii
from pageloom.core.normalize.language_model import guess_language

if TYPE_CHECKING:
    from pageloom.model import Direction

_TO_SHORT: dict[str, str] = {
    "afr": "af",
    "amh": "am",
    "ara": "ar",
    "arb": "ar",
    "aze": "az",
    "azj": "az",
    "bel": "be",
    "ben": "bn",
    "bos": "bs",
    "bul": "bg",
    "cat": "ca",
    "ces": "cs",
    "cze": "cs",
    "cmn": "zh",
    "zho": "zh",
    "chi": "zh",
    "cym": "cy",
    "wel": "cy",
    "dan": "da",
    "deu": "de",
    "ger": "de",
    "ell": "el",
    "gre": "el",
    "eng": "en",
    "epo": "eo",
    "est": "et",
    "ekk": "et",
    "eus": "eu",
    "baq": "eu",
    "fas": "fa",
    "per": "fa",
    "pes": "fa",
    "prs": "fa",
    "fin": "fi",
    "fra": "fr",
    "fre": "fr",
    "gle": "ga",
    "glg": "gl",
    "guj": "gu",
    "hau": "ha",
    "heb": "he",
    "iw": "he",
    "hin": "hi",
    "hrv": "hr",
    "hun": "hu",
    "hye": "hy",
    "arm": "hy",
    "ind": "id",
    "in": "id",
    "isl": "is",
    "ice": "is",
    "ita": "it",
    "jpn": "ja",
    "jav": "jv",
    "kat": "ka",
    "geo": "ka",
    "kaz": "kk",
    "khm": "km",
    "kan": "kn",
    "kor": "ko",
    "kur": "ku",
    "kmr": "ku",
    "kir": "ky",
    "lat": "la",
    "ltz": "lb",
    "lao": "lo",
    "lit": "lt",
    "lav": "lv",
    "lvs": "lv",
    "mkd": "mk",
    "mac": "mk",
    "mal": "ml",
    "mon": "mn",
    "khk": "mn",
    "mar": "mr",
    "msa": "ms",
    "may": "ms",
    "zsm": "ms",
    "zlm": "ms",
    "mlt": "mt",
    "mya": "my",
    "bur": "my",
    "nob": "no",
    "nno": "no",
    "nor": "no",
    "nb": "no",
    "nn": "no",
    "nep": "ne",
    "npi": "ne",
    "nld": "nl",
    "dut": "nl",
    "ori": "or",
    "ory": "or",
    "pan": "pa",
    "pol": "pl",
    "pus": "ps",
    "pbu": "ps",
    "por": "pt",
    "ron": "ro",
    "rum": "ro",
    "rus": "ru",
    "sin": "si",
    "slk": "sk",
    "slo": "sk",
    "slv": "sl",
    "som": "so",
    "sqi": "sq",
    "alb": "sq",
    "als": "sq",
    "srp": "sr",
    "swe": "sv",
    "swa": "sw",
    "swh": "sw",
    "tam": "ta",
    "tel": "te",
    "tgk": "tg",
    "tha": "th",
    "tgl": "tl",
    "fil": "tl",
    "tuk": "tk",
    "tur": "tr",
    "tat": "tt",
    "uig": "ug",
    "ukr": "uk",
    "urd": "ur",
    "uzb": "uz",
    "uzn": "uz",
    "vie": "vi",
    "xho": "xh",
    "yid": "yi",
    "ydd": "yi",
    "ji": "yi",
    "yor": "yo",
    "zul": "zu",
    "ibo": "ig",
    "kin": "rw",
    "mlg": "mg",
    "plt": "mg",
    "snd": "sd",
    "mri": "mi",
    "cnr": "sr",
    "sh": "sr",
    "hbs": "sr",
    "yue": "zh",
    "wuu": "zh",
    "oci": "oc",
    "bre": "br",
    "gla": "gd",
    "fao": "fo",
    "fry": "fy",
    "orm": "om",
    "nya": "ny",
    "sna": "sn",
    "aka": "ak",
    "tir": "ti",
    "bod": "bo",
    "hat": "ht",
    "ilo": "ilo",
    "jp": "ja",
    "cn": "zh",
    "cz": "cs",
    "dk": "da",
    "gr": "el",
    "kr": "ko",
    "se": "sv",
    "ua": "uk",
    "vn": "vi",
}
"""ISO 639-2/3 codes, retired codes and usual mistakes, by their ISO 639-1 code."""

_NAMES: dict[str, str] = {
    "english": "en",
    "german": "de",
    "deutsch": "de",
    "french": "fr",
    "français": "fr",
    "francais": "fr",
    "spanish": "es",
    "español": "es",
    "espanol": "es",
    "italian": "it",
    "italiano": "it",
    "portuguese": "pt",
    "português": "pt",
    "dutch": "nl",
    "nederlands": "nl",
    "russian": "ru",
    "русский": "ru",
    "polish": "pl",
    "polski": "pl",
    "chinese": "zh",
    "japanese": "ja",
    "korean": "ko",
    "arabic": "ar",
    "turkish": "tr",
    "türkçe": "tr",
    "swedish": "sv",
    "svenska": "sv",
    "danish": "da",
    "dansk": "da",
    "finnish": "fi",
    "suomi": "fi",
    "greek": "el",
    "czech": "cs",
    "čeština": "cs",
    "hungarian": "hu",
    "magyar": "hu",
}
RIGHT_TO_LEFT = frozenset(
    ("ar", "fa", "he", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "ku-arab", "arc")
)
_SUBTAG = re.compile(r"[-,;\s.]")
_RTL_CHAR = lazy_regex("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")
_TWENTY_LETTERS = re.compile(r"(?:[\W\d_]*[^\W\d_]){20}")
_NOISE = re.compile(r"https?://\S+|\S+@\S+|[\d_#*\[\]()<>|/\\=+~^`{}]+")
_SCRIPTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (lazy_regex(f"[{letters}]"), language)
    for letters, language in (
        ("\u3041-\u30ff", "ja"),
        ("\uac00-\ud7af", "ko"),
        ("\u3400-\u9fff", "zh"),
        ("\u0e01-\u0e4e", "th"),
        ("\u0590-\u05ff", "he"),
        ("\u0600-\u06ff", "ar"),
        ("\u0900-\u097f", "hi"),
        ("\u0980-\u09ff", "bn"),
        ("\u0b80-\u0bff", "ta"),
        ("\u0c00-\u0c7f", "te"),
        ("\u0370-\u03ff", "el"),
        ("\u0530-\u058f", "hy"),
        ("\u10a0-\u10ff", "ka"),
        ("\u1200-\u137f", "am"),
        ("\u1780-\u17ff", "km"),
        ("\u0e80-\u0eff", "lo"),
        ("\u1000-\u109f", "my"),
        ("\u0d80-\u0dff", "si"),
        ("\u0400-\u04ff", "ru"),
    )
)
"""The best known language of a script, where statistics say nothing."""
SURE = 0.8
ENOUGH_LETTERS = 200
_SAMPLE = 700


def language_code(claim: str) -> str:
    """ISO 639-1 (639-3 where none) of a tag, a code or a name; empty for anything else.

    Example:
        >>> [language_code(claim) for claim in ("pt_BR", "ger", "English", "x-default")]
        ['pt', 'de', 'en', '']
    """
    text = claim.strip().lower().replace("_", "-")
    if text in _NAMES:
        return _NAMES[text]
    head = _SUBTAG.split(text, maxsplit=1)[0]
    if head in _TO_SHORT:
        return _TO_SHORT[head]
    return (
        head
        if len(head) in (2, 3)
        and head.isascii()
        and head.isalpha()
        and head not in ("und", "mul", "zxx", "xx", "i")
        else ""
    )


@lru_cache(maxsize=8)
def detect(text: str) -> tuple[str, float]:
    """The language of a text and how sure that is, 0 to 1."""
    sample = " ".join(_NOISE.sub(" ", _sample(text)).split())
    if not _LETTER.search(sample):
        return "", 0.0
    code, share = guess_language(sample)
    if code:
        return code, round(share, 3)
    return next(
        ((language, 0.5) for script, language in _SCRIPTS if script.search(sample)), ("", 0.0)
    )


def _sample(text: str) -> str:
    """Enough of a text to tell its language: its beginning and its middle."""
    if len(text) <= _SAMPLE:
        return text
    middle = len(text) // 2
    return f"{text[: _SAMPLE // 2]} {text[middle : middle + _SAMPLE // 2]}"


_MARKERS: dict[str, frozenset[str]] = {
    "en": frozenset("the of and to in is that for it with as was on are be this".split()),
    "de": frozenset("der die und das den von zu mit sich des ist im dem nicht ein eine".split()),
    "fr": frozenset("le de la les et des en du un une que est pour qui dans au".split()),
    "es": frozenset("el de la que y en los se del las un por con una para es".split()),
    "it": frozenset("di e il la che in un del per della una sono con gli le non".split()),
    "nl": frozenset("de het een van en in is dat op te zijn met voor niet aan er".split()),
    "pt": frozenset("de a o que e do da em um para os com uma no na não".split()),
    "pl": frozenset("w i na z do się że nie to o jest po od za dla jak".split()),
    "ru": frozenset("и в не на что с по как это для из к но за от у".split()),
    "sv": frozenset("och att det i en som på är av för den med till inte om har".split()),
}
"""The commonest words of languages: enough to confirm a declaration without the model."""
_MARKED: dict[str, list[str]] = {
    word: [language for language, words in _MARKERS.items() if word in words]
    for word in frozenset[str]().union(*_MARKERS.values())
}
_CONFIRMED = 0.14


def is_confirmed(code: str, text: str) -> bool:
    """Whether the commonest words of a text are those of the language it is declared to be in."""
    if code not in _MARKERS or len(text) < 200:
        return False
    tokens = _sample(text).lower().split()
    counts = dict.fromkeys(_MARKERS, 0)
    for token, times in Counter(filter(_MARKED.__contains__, tokens)).items():
        for language in _MARKED[token]:
            counts[language] += times
    own = counts.pop(code) / len(tokens)
    return own >= _CONFIRMED and own > 2 * (max(counts.values()) / len(tokens))


def choose_language(
    text: str, declared: tuple[tuple[str, str], ...], hint: str = ""
) -> tuple[str, float, str, str]:
    """Language, confidence, source and raw claim: a hint, then the declaration checked by the text.

    Args:
        text: the main text.
        declared: pairs of claim and source, the most trusted first.
        hint: the language a source registry gives.
    """
    if code := language_code(hint):
        return code, 1.0, "source", hint
    stated = next((code for claim, _ in declared if (code := language_code(claim))), "")
    confirmed = is_confirmed(stated, text)
    found, sure = (stated, 0.95) if confirmed else detect(text) if text else ("", 0.0)
    for claim, source in declared:
        code = language_code(claim)
        if not code:
            continue
        if code == found:
            return code, max(sure, 0.9), source, claim
        if found and sure >= SURE and len(_LETTER.findall(text[:600])) >= ENOUGH_LETTERS:
            return found, sure, "text", claim
        return code, 0.5, source, claim
    return (found, sure, "text", "") if found else ("", 0.0, "", "")


def direction_of(language: str, declared: str, text: str) -> Direction:
    """Right to left by the letters of the text, else by the declaration, else by the language."""
    sample = text[:600]
    if sample.isascii() and len(sample) > 100:
        return "ltr"
    if _TWENTY_LETTERS.match(sample):
        from_right = len(_RTL_CHAR.findall(beyond_ascii(sample)))
        return "rtl" if from_right and from_right * 2 > len(_LETTER.findall(sample)) else "ltr"
    if declared.lower() in ("rtl", "ltr"):
        return "rtl" if declared.lower() == "rtl" else "ltr"
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"
