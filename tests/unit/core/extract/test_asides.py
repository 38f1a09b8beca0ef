"""Which texts announce that what follows is not of the page."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.core.extract.pages import LONG, blocks_of

from pageloom.core.extract.asides import announced


def is_announced(text: str) -> bool:
    page = blocks_of(f"<p>{LONG[0]}</p><h3>{text}</h3><p>{LONG[1]}</p>")
    return bool(announced(page, np.ones(len(page)))[1])


@pytest.mark.parametrize(
    "text",
    [
        "Related:",
        "3 Comments",
        "More from us",
        "评论",
        "评论 (3)",
        "广告!",
        "Share on Xing",
        "Auf Facebook teilen",
        "À lire ici",
    ],
)
def test_announcements_are_known_with_numbers_and_marks_around_them(text: str):
    assert is_announced(text)


@pytest.mark.parametrize(
    "text", ["A 1", "The end", "Auf Wiedersehen", "Via Appia", "评论列表", "12", "x"]
)
def test_other_texts_announce_nothing(text: str):
    assert not is_announced(text)
