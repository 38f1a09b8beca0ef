"""Decide the page type, and its confidence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from pageloom.core.forest import SCALE

if TYPE_CHECKING:
    from pageloom.core.extract.feature_matrix import FeatureMatrix
    from pageloom.core.extract.features import PageContext
    from pageloom.core.forest import Forest
    from pageloom.model import PageType

_DECLARED_SURE = 0.9
_SURE = 60
"""Percent: with less than this the page's own word counts for more than the trees'."""
_UNSURE = 40
_MOSTLY_TEXT = 0.8
"""Where the trees do not know, a page that is this much running text is read as an article."""
_DECLARED: tuple[tuple[PageType, frozenset[str]], ...] = (
    ("forum", frozenset(("QAPage", "DiscussionForumPosting"))),
    ("product", frozenset(("Product", "ProductGroup"))),
    (
        "article",
        frozenset(("NewsArticle", "BlogPosting", "Article", "LiveBlogPosting", "Recipe")),
    ),
)
_VIDEO_WORDS = 400
"""A page that declares a video and has more text than this is about something else too."""


def kind_chances(sheet: FeatureMatrix, weights: Forest) -> dict[str, int]:
    """The page types the trees know, each with its chance in percent."""
    scores = weights.score(sheet.page_figures)[0].tolist()
    most = max(scores)
    odds = [math.exp((score - most) / SCALE) for score in scores]
    total = sum(odds)
    return {
        label: round(100 * odd / total) for label, odd in zip(weights.labels, odds, strict=True)
    }


def judge_kind(
    chances: dict[str, int], context: PageContext, words: float, running: float = 0.0
) -> tuple[PageType, float]:
    """The page type and its confidence between 0 and 1.

    Args:
        chances: what the trees think, in percent.
        context: what head and URL say.
        words: how many the page has.
        running: the share of them in running text.

    Job and video pages are told by what they declare: no labelled pages of these kinds were at
    hand.
    """
    if "JobPosting" in context.types:
        return "job", _DECLARED_SURE
    if context.is_video and words < _VIDEO_WORDS:
        return "video", _DECLARED_SURE
    best = max(chances, key=lambda kind: chances[kind])
    if chances[best] < _SURE:
        for kind, names in _DECLARED:
            if not names.isdisjoint(context.types):
                return kind, 0.6
        if context.is_article:
            return "article", 0.6
    if chances[best] < _UNSURE and running > _MOSTLY_TEXT:
        return "article", chances[best] / 100
    return cast("PageType", best), chances[best] / 100


def page_rows(sheet: FeatureMatrix) -> slice:
    """The rows of the sheet that tell of the whole page: the last ones."""
    return slice(sheet.page_start, len(sheet.names))
