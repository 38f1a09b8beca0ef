"""Flags become filters."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.edges.store.times import stamp, write_time
from pageloom.model.library import FilterChoice, Filters

if TYPE_CHECKING:
    from collections.abc import Sequence

_AGO = re.compile(r"(\d{1,4})([hdwmy])")


_UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}


def make_filters(  # noqa: PLR0913  one for each flag
    *,
    domain: str | None = None,
    tags: Sequence[str] | None = None,
    since: str | None = None,
    until: str | None = None,
    language: str | None = None,
    kind: str | None = None,
    source: str | None = None,
    reliable: float | None = None,
    pinned: bool = False,
    unread: bool = False,
    archived: bool = False,
    deleted: bool = False,
    everything: bool = False,
    **more: Any,
) -> Filters:
    """The filters that the flags of a command mean."""
    shown: FilterChoice = "only" if archived else "all" if everything or deleted else "no"
    return Filters(
        domain=domain or "",
        tags=tuple(tags or ()),
        since=read_date(since, "--since"),
        until=read_date(until, "--until"),
        language=language or "",
        page_type=kind or "",
        source_id=source or "",
        min_reliability=reliable,
        pinned=True if pinned else None,
        unread=True if unread else None,
        archived=shown,
        deleted="only" if deleted else "no",
        **more,
    )


def read_date(text: str | None, flag: str) -> str:
    """A date, an instant, or how long ago (7d, 3w), as the store writes instants."""
    if not text:
        return ""
    ago = _AGO.fullmatch(text.strip())
    if ago:
        days = int(ago[1]) * _UNITS[ago[2]]
        return write_time(datetime.now(UTC) - timedelta(days=days))
    found = stamp(text)
    if not found:
        raise UsageTrouble(f"{flag} takes a date such as 2026-03-05, or 7d for seven days ago.")
    return found
