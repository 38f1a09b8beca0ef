"""What a line seems to be about, by its words: weak evidence, as data by language.

``topics.json`` has, for each language, beginnings of words by topic. Of what passes: ``count``
(visitors, sold), ``moment`` (weather, minutes ago), ``related`` (also bought), ``appeal``
(subscribe), ``advert``, ``greeting``, ``praise``, ``play`` (scores, word of the day), ``machine``
(build, cache). Of what people go by: ``notice`` (closed, recalled), ``value`` (price, dose),
``due`` (deadline), ``contact`` (telephone, hours), ``terms`` (licence, must not) and ``supply``
(in stock, platform). An entry that ends in ``$`` is a whole word. All languages are looked up
together, because a page mixes them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from pageloom.core.compare.lexicon import CJK

_READ = 600
"""Characters of a text that are looked at: its beginning says what it is about."""
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_UNSPACED = re.compile(f"[{CJK}\u0900-\u0dff\u0e00-\u0eff]+")
"""Scripts in which a word is no unit: without spaces, or with signs that are no letters."""


class _Stems(NamedTuple):
    starts: dict[str, str]
    wholes: dict[str, str]
    phrases: dict[str, list[tuple[tuple[str, ...], str]]]
    """By their first word: the others, of which the last may be cut, and the topic."""
    unspaced: dict[str, str]
    longest: int
    longest_run: int


@cache
def _stems() -> _Stems:
    data = files("pageloom.core.compare").joinpath("topics.json").read_bytes()
    languages = msgspec.json.decode(data, type=dict[str, dict[str, list[str]]])
    found = _Stems({}, {}, {}, {}, 0, 0)
    for topics in languages.values():
        for topic, stems in topics.items():
            for stem in stems:
                _add(found, stem, topic)
    return found._replace(
        longest=max(map(len, found.starts)), longest_run=max(map(len, found.unspaced))
    )


def _add(found: _Stems, stem: str, topic: str) -> None:
    if _UNSPACED.match(stem):
        found.unspaced[stem] = topic
    elif stem.endswith("$"):
        found.wholes[stem[:-1]] = topic
    elif " " in stem:
        first, *rest = stem.split(" ")
        found.phrases.setdefault(first, []).append((tuple(rest), topic))
    else:
        found.starts[stem] = topic


def topics_of(text: str) -> set[str]:
    """The topics of which a text has words."""
    folded = unicodedata.normalize("NFC", text[:_READ]).casefold().replace("’", "'")
    words = _WORD.findall(folded)
    found: set[str] = set()
    for place, word in enumerate(words):
        found.update(_topics_of_word(word, words[place + 1 : place + 6]))
    for run in _UNSPACED.findall(folded):
        found.update(_topics_of_run(run))
    return found


def _topics_of_word(word: str, following: list[str]) -> set[str]:
    stems = _stems()
    found = {
        topic
        for end in range(2, min(len(word), stems.longest) + 1)
        if (topic := stems.starts.get(word[:end]))
    }
    if topic := stems.wholes.get(word):
        found.add(topic)
    for rest, topic in stems.phrases.get(word, ()):
        near = following[: len(rest)]
        if len(near) == len(rest) and near[:-1] == [*rest[:-1]] and near[-1].startswith(rest[-1]):
            found.add(topic)
    return found


def _topics_of_run(run: str) -> set[str]:
    stems = _stems()
    return {
        topic
        for start in range(len(run))
        for end in range(start + 1, min(len(run), start + stems.longest_run) + 1)
        if (topic := stems.unspaced.get(run[start:end]))
    }
