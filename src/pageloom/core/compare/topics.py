"""What a line seems to be about, by its words: weak evidence, as data by language.

``topics.json`` has, for each language, beginnings of words for seven topics: ``count`` (visitors,
views), ``moment`` (weather, the present hour), ``appeal`` (subscribe, recommended), ``greeting``,
``praise``, ``notice`` (closed, recalled) and ``value`` (price, deadline). A beginning that ends in
``$`` is a whole word. All languages are looked up together, because a page mixes them.
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
_UNSPACED = re.compile(f"[{CJK}]+")


class _Stems(NamedTuple):
    starts: dict[str, str]
    wholes: dict[str, str]
    phrases: dict[str, list[tuple[tuple[str, ...], str]]]
    """By their first word: the others, of which the last may be cut, and the topic."""
    unspaced: dict[str, str]
    shortest: int
    longest: int


@cache
def _stems() -> _Stems:
    data = files("pageloom.core.compare").joinpath("topics.json").read_bytes()
    languages = msgspec.json.decode(data, type=dict[str, dict[str, list[str]]])
    found = _Stems({}, {}, {}, {}, 2, 8)
    longest = 0
    for topics in languages.values():
        for topic, stems in topics.items():
            for stem in stems:
                _add(found, stem, topic)
                longest = max(longest, len(stem))
    return found._replace(longest=longest)


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
        for end in range(stems.shortest, min(len(word), stems.longest) + 1)
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
        for end in range(start + 1, min(len(run), start + stems.longest) + 1)
        if (topic := stems.unspaced.get(run[start:end]))
    }
