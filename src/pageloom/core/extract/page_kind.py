"""What kind of page this is, and how sure we are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from pageloom.core.extract import forest

if TYPE_CHECKING:
    from pageloom.core.extract.features import PageContext, Sheet
    from pageloom.core.extract.forest import Forest
    from pageloom.model import PageType

_DECLARED_SURE = 0.9
_VIDEO_WORDS = 400
"""A page that declares a video and has more text than this is about something else too."""


def judge_kind(
    sheet: Sheet, context: PageContext, words: float, weights: Forest | None = None
) -> tuple[PageType, float]:
    """The page type and its confidence between 0 and 1.

    Job and video pages are told by what they declare: no labelled pages of these kinds were at hand.
    """
    if "JobPosting" in context.types:
        return "job", _DECLARED_SURE
    if context.is_video and words < _VIDEO_WORDS:
        return "video", _DECLARED_SURE
    return _ask_forest(sheet, weights or forest.load("kinds"))


def page_rows(sheet: Sheet) -> slice:
    """The rows of the sheet that tell of the whole page: the last ones."""
    first = next(row for row, name in enumerate(sheet.names) if name.startswith("page."))
    return slice(first, len(sheet.names))


def _ask_forest(sheet: Sheet, weights: Forest) -> tuple[PageType, float]:
    scores = weights.score(sheet.figures[page_rows(sheet), :1])[0].tolist()
    best = max(range(len(scores)), key=lambda kind: (scores[kind], -kind))
    odds = [math.exp((score - scores[best]) / forest.SCALE) for score in scores]
    return cast("PageType", weights.labels[best]), round(1 / sum(odds), 2)
