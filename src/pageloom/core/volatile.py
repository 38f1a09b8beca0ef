"""Volatile metadata: it changes although the page does not, such as counts and time stamps.

The hash of a page leaves it out, and a comparison calls it trivial.
"""

from __future__ import annotations

import json
from typing import Any, cast

from pageloom.core.rotating import steady_address

IGNORED_METADATA = frozenset(
    (
        "og:site_name",
        "fb:app_id",
        "fb:pages",
        "fb:admins",
        "viewport",
        "csrf-token",
        "csrf-param",
        "generator",
        "theme-color",
        "google-site-verification",
        "msvalidate.01",
        "yandex-verification",
        "og:updated_time",
        "article:modified_time",
        "robots",
        "x-ua-compatible",
        "format-detection",
        "referrer",
        "color-scheme",
        "request-id",
        "x-request-id",
        "build",
        "timestamp",
        "date",
    )
)
"""Names of metadata; a hash depends on them."""

VOLATILE_KEYS = frozenset(
    "@context datemodified datepublished datecreated dateposted uploaddate sddatepublished "
    "lastreviewed pricevaliduntil interactionstatistic interactioncount userinteractioncount "
    "commentcount answercount upvotecount downvotecount votecount sharecount likecount viewcount "
    "wordcount timerequired reviewcount ratingcount potentialaction isrelatedto issimilarto "
    "relatedlink significantlink isaccessoryorsparepartfor review reviews comment comments "
    "session sessionid nonce requestid token".split()
)
"""Keys of structured data, in lower case."""

_ORDERED = frozenset(("recipeinstructions", "step", "steps", "instructions"))
_DEEPEST = 12


def steady_data(metadata: dict[str, Any]) -> Any:
    """The JSON-LD of a page without volatile values, in a stable order."""
    return steady(metadata.get("jsonld") or [])


def steady(value: Any, *, ordered: bool = False, depth: int = 0) -> Any:
    """A value of structured data without volatile keys; lists sorted unless order means something.

    A list of one is its only item: schema.org makes no difference between them.
    """
    if depth > _DEEPEST:
        return None
    if isinstance(value, str):
        return steady_text(value)
    if isinstance(value, dict):
        stated = cast("dict[str, Any]", value)
        return {
            key: steady(stated[key], ordered=folded in _ORDERED, depth=depth + 1)
            for key in sorted(stated)
            if (folded := key.lower()) not in VOLATILE_KEYS
        }
    if isinstance(value, list):
        items = [steady(item, depth=depth + 1) for item in cast("list[Any]", value)]
        if len(items) == 1:
            return items[0]
        return items if ordered else sorted(items, key=_spelling)
    return value


def steady_text(value: str) -> str:
    """A value with its white space joined; a URL without what rotates in it."""
    joined = " ".join(value.split())
    is_address = joined.startswith(("http://", "https://", "/")) and " " not in joined
    return steady_address(joined) if is_address else joined


_spelling = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
"""Of what is steady: its keys are in order, and it holds nothing twice."""
