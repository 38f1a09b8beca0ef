"""A search as people type it: words, and what is known of pages as ``key:value``.

swifts tag:birds -tag:read site:tidewatch.example type:article lang:en source:tide
is:unread is:pinned is:archived is:deleted is:teaser is:failing is:watched
has:note has:highlight has:price before:2026-05-01 after:7d changed:<7d words:>2000 price:<50
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pageloom.errors import InvalidArgument
from pageloom.flows.library.read_dates import read_date

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.model.pages import Filters

KEYS = "tag site type lang source is has before after changed words price".split()
TRAITS = {"is": ("teaser", "failing", "watched"), "has": ("note", "highlight", "price")}
_STATES: dict[str, tuple[str, Any, Any]] = {
    "unread": ("unread", True, False),
    "read": ("unread", False, True),
    "pinned": ("pinned", True, False),
    "archived": ("archived", "only", "no"),
    "deleted": ("deleted", "only", "no"),
}
"""By word: the filter, its value, and its value behind a minus."""
_PIECE = re.compile(
    r'(?<!\S)(?:-?"[^"]*"?|(?P<minus>-?)(?P<key>[a-z]+):(?P<sign>[<>]=?)?'
    r'(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s"]+)))(?!\S)'
)
_NUMBER = re.compile(r"\d{1,12}(?:[.,]\d{1,4})?")
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class ReadSearch:
    """A search, taken apart."""

    words: str
    """What is searched for in the text."""
    filters: Filters
    said: str
    """The part that became filters, as it was typed."""


def read_search(text: str, filters: Filters) -> ReadSearch:
    """Take the filters out of a search; what is no filter that can be read stays words."""
    wanted, said = [filters], list[str]()

    def take(piece: re.Match[str]) -> str:
        new = _applied(wanted[0], piece) if piece["key"] else None
        if new is None:
            return piece[0]
        wanted[0] = new
        said.append(piece[0])
        return " "

    words = _PIECE.sub(take, text[:_LONGEST])
    return ReadSearch(" ".join(words.split()) if said else text, wanted[0], " ".join(said))


def _applied(filters: Filters, piece: re.Match[str]) -> Filters | None:
    """The filters with one more; None where it is none."""
    value = (piece["quoted"] or piece["plain"] or "").strip()
    apply = _READERS.get(piece["key"])
    if not apply or not value:
        return None
    return apply(filters, piece["key"], value, piece["sign"] or "", bool(piece["minus"]))


def _tag(filters: Filters, _: str, value: str, sign: str, minus: bool) -> Filters | None:  # noqa: FBT001  one of a table
    if sign:
        return None
    if minus:
        return replace(filters, not_tags=(*filters.not_tags, value))
    return replace(filters, tags=(*filters.tags, value))


def _equal(filters: Filters, key: str, value: str, sign: str, minus: bool) -> Filters | None:  # noqa: FBT001
    names = {"site": "domain", "type": "page_type", "lang": "language", "source": "source_id"}
    return None if sign or minus else replace(filters, **{names[key]: value})


def _trait(filters: Filters, key: str, value: str, sign: str, minus: bool) -> Filters | None:  # noqa: FBT001
    word = value.lower()
    if sign:
        return None
    if key == "is" and word in _STATES:
        name, yes, no = _STATES[word]
        more = {"archived": "all"} if word == "deleted" and not minus else {}
        return replace(filters, **more | {name: no if minus else yes})
    if word not in TRAITS[key]:
        return None
    return replace(filters, traits=(*filters.traits, f"-{word}" if minus else word))


def _date(filters: Filters, key: str, value: str, sign: str, minus: bool) -> Filters | None:  # noqa: FBT001
    try:
        at = read_date(value, key)
    except InvalidArgument:
        return None
    if minus:
        return None
    if key == "changed":  # an age below seven days is an instant after
        is_age = not value[:4].isdigit()
        after = (sign[:1] != ">") if is_age else (sign[:1] != "<")
        return replace(filters, **{"changed_since" if after else "changed_until": at})
    return None if sign else replace(filters, **{"until" if key == "before" else "since": at})


def _number(filters: Filters, key: str, value: str, sign: str, minus: bool) -> Filters | None:  # noqa: FBT001
    if minus or not sign or not _NUMBER.fullmatch(value):
        return None
    number = float(value.replace(",", "."))
    if key == "words":
        number = int(number) + (1 if sign == ">" else -1 if sign == "<" else 0)
    return replace(filters, **{f"{'max' if sign[0] == '<' else 'min'}_{key}": number})


_READERS: dict[str, Callable[[Filters, str, str, str, bool], Filters | None]] = {
    "tag": _tag,
    "site": _equal,
    "type": _equal,
    "lang": _equal,
    "source": _equal,
    "is": _trait,
    "has": _trait,
    "before": _date,
    "after": _date,
    "changed": _date,
    "words": _number,
    "price": _number,
}
