"""Lines of facts in many phrasings and languages: what of a page is told, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pageloom
from pageloom import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet

TRIVIAL, MEANINGFUL = (
    part.strip().splitlines()
    for part in (Path(__file__).parent / "lines.txt")
    .read_text(encoding="utf-8")
    .removeprefix("# trivial")
    .split("# meaningful")
)
_KNOWN = frozenset((Path(__file__).parent / "known.txt").read_text(encoding="utf-8").splitlines())
"""Lines and pairs whose verdict is wrong, and known to be: a verdict that gets right fails too."""
_AROUND = (
    "The harbour museum keeps three hundred clocks in two rooms and winds them every Thursday.",
    "The roof was finished first, then the plaster; the floor will follow when the timber is dry.",
)


def around(fact: str = "") -> Document:
    """A line between two others."""
    lines = filter(None, (_AROUND[0], fact, _AROUND[1]))
    return Document(title="The harbour museum", text="\n\n".join(lines))


def _has_changes(line: str) -> bool:
    return pageloom.diff(*map(around, line.split(" => "))).has_changes


def marked(names: Iterable[str]) -> list[ParameterSet]:
    """The cases by name; those that are known to be wrong are expected to be."""
    wrong = pytest.mark.xfail(reason="known.txt: wanted, not yet reached", strict=True)
    return [pytest.param(name, marks=wrong if name in _KNOWN else ()) for name in names]


@pytest.mark.parametrize(
    ("lines", "matters"), [(TRIVIAL, False), (MEANINGFUL, True)], ids=["trivial", "meaningful"]
)
def test_what_somebody_decided_is_told_and_what_moves_by_itself_is_not(lines, matters):
    """One test for all of them: to run one as a test takes longer than to compare it."""
    wrong = {line for line in lines if _has_changes(line) != matters}
    assert wrong == _KNOWN & set(lines)


SENTENCES = (
    (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").strip().splitlines()
)


def _is_told(sentence: str) -> bool:
    without, with_it = around(), around(sentence)
    there, back = pageloom.diff(without, with_it), pageloom.diff(with_it, without)
    return there.has_changes and back.has_changes


def test_a_sentence_that_matters_is_told_though_it_has_a_word_of_what_does_not():
    assert [sentence for sentence in SENTENCES if not _is_told(sentence)] == []
