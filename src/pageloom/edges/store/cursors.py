"""Keyset paging: a list goes on behind the last row that was seen, whatever was added meanwhile.

A cursor is opaque to its user: the last row's sort values and id, and a mark of the list that it
belongs to (owner, filters, order), so that it cannot be used on another one.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from pageloom.edges.store.codec import write_json
from pageloom.errors import InvalidQuery
from pageloom.model.pages import Slice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pageloom.edges.store.connection import Row

T = TypeVar("T")
_LARGEST = 2**63 - 1
_LONGEST = 4_000
_read = msgspec.json.Decoder(tuple[str, list[int | str]]).decode


def list_mark(*parts: Any) -> str:
    """The mark of a list: the same for the same owner, filters and order."""
    return sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def write_cursor(mark: str, values: Sequence[int | str]) -> str:
    """The cursor behind a row with these sort values."""
    return urlsafe_b64encode(write_json((mark, list(values))).encode()).decode().rstrip("=")


def read_cursor(
    cursor: str, mark: str, *kinds: type[int | str], offset: int = 0
) -> list[int | str]:
    """The sort values of the row that a cursor stands behind; none for an empty one.

    Args:
        cursor: as the list gave it.
        mark: of the list.
        kinds: of the values.
        offset: how many rows the caller would skip; a cursor has its place already.

    Raises:
        InvalidQuery: it is damaged, belongs to another list, or comes with an offset.
    """
    if not cursor:
        return []
    if offset:
        raise InvalidQuery(
            "A list is continued by a cursor or by an offset, not by both.",
            suggestions=("Leave out the offset: the cursor has its place already.",),
        )
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        theirs, values = _read(urlsafe_b64decode(padded[: _LONGEST + 4]))
    except (ValueError, msgspec.MsgspecError):
        raise _refuse("is damaged") from None
    if theirs != mark:
        raise _refuse("belongs to another list")
    if tuple(map(type, values)) != kinds or not all(map(_fits, values)):
        raise _refuse("is damaged")
    return values


def slice_of(
    rows: Sequence[Row],
    limit: int,
    mark: str,
    keys: Sequence[str],
    as_value: Callable[[Row], T],
    *,
    total: int = 0,
) -> Slice[T]:
    """The first ``limit`` rows as values, with the cursor behind them if there are more.

    Args:
        rows: one more than ``limit``, if there are so many.
        limit: how many are shown.
        mark: of the list.
        keys: the columns that the list is sorted by.
        as_value: makes a value of a row.
        total: how long the whole list is.
    """
    shown = rows[:limit]
    found = Slice(as_value(row) for row in shown)
    found.total = total
    if len(rows) > limit and shown:
        found.next_cursor = write_cursor(mark, [shown[-1][key] for key in keys])
    return found


def _fits(value: int | str) -> bool:
    return isinstance(value, str) or -_LARGEST <= value <= _LARGEST


def _refuse(why: str) -> InvalidQuery:
    return InvalidQuery(
        f"The cursor {why}.", suggestions=("List again from the start, without a cursor.",)
    )
