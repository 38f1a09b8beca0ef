"""What is remembered between pages, and that hostile pages cannot fill the memory with it."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pageloom
from pageloom.core.memoize import LONGEST, memoize

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1_000_000


def measuring(most: int) -> tuple[Callable[[str], int], list[str]]:
    """A function that remembers the length of texts, and the texts it was really asked for."""
    asked: list[str] = []

    @memoize(most)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    return length, asked


def test_what_was_said_of_a_short_text_is_not_asked_again():
    length, asked = measuring(10)
    assert [length("ferry"), length("ferry")] == [5, 5]
    assert asked == ["ferry"]


def test_long_texts_and_too_many_are_forgotten():
    length, asked = measuring(3)
    long = "x" * (LONGEST + 1)
    assert [length(long), length(long)] == [len(long)] * 2
    assert len(asked) == 2
    for text in ("a", "b", "c", "d", "d", "a"):
        assert length(text) == 1
    assert asked[2:] == ["a", "b", "c", "d", "a"]


def page(number: int) -> str:
    """A page whose names are huge and its own."""
    classes = f"menu{number} " + "card wide " * (MEGABYTE // 250)
    name = f"part{number}" + "x" * (MEGABYTE // 10)
    text = "The ferry leaves at nine and comes back when the tide allows it. " * 8
    return (
        f'<main><div class="{classes}" id="{name}"><p class="{classes}lead">{text}</p>'
        f'<p><span class="{classes}note">Book a seat now</span></p></div></main>'
    )


def test_pages_with_huge_names_leave_nothing_behind():
    url = "https://ferry.example/"
    pageloom.extract(page(0), url)
    tracemalloc.start()
    try:
        for number in range(1, 5):
            pageloom.extract(page(number), url)
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < MEGABYTE // 4
