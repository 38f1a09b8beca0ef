"""A watch: the page it checks, what its owner wants to hear, and what its checks have learnt."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal  # noqa: TC003  msgspec reads the annotations
from typing import Literal

Health = Literal["", "failing", "gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """What the owner of a watch chose."""

    every: int = 0
    """Seconds between two checks, or 0 with ``cron``."""
    cron: str = ""
    zone: str = "UTC"
    hours: str = ""
    jitter: int | None = None
    scope: tuple[str, ...] = ()
    """Selectors of the parts that are looked at; the page as a whole when empty."""
    ignore: tuple[str, ...] = ()
    """Selectors of parts that are ignored."""
    ignore_text: tuple[str, ...] = ()
    """Patterns of text that is passed over."""
    only_if: tuple[str, ...] = ()
    """Told only when one of these patterns is found in what came new."""
    price_below: Decimal | None = None
    """Told only when the price falls under it."""
    stock_back: bool = False
    """Told only when it can be had again."""
    min_importance: float = 0.0
    render: Literal["auto", "force", "never"] = "auto"
    wait_for: str = ""
    targets: tuple[str, ...] = ()
    digest_minutes: float | None = None
    template: str = ""
    respect_robots: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchState:
    """What the checks so far have taught about a watch, beside its pages' versions."""

    page_id: int | None = None
    page_key: str = ""
    """The address the page was first found at; later redirects do not move its history."""
    etag: str = ""
    last_modified: str = ""
    body_version: int | None = None
    """The version that the validators belong to."""
    browser: bool = False
    """Only a browser sees this page."""
    health: Health = ""
    """What was told of the watch's own health."""
    missing: int = 0
    """Checks in a row that found no page at all (404, 410)."""
    outcome: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One watched page."""

    id: int
    owner: str
    url: str
    """Its key: ``url_key`` of what was asked for."""
    url_full: str
    """As it is asked for."""
    track: str
    """Its track of versions: the page's own, or one for its scope."""
    host: str
    name: str
    settings: WatchSettings
    state: WatchState
    next_due: str | None
    paused: bool
    failures: int
    last_checked_at: str | None
    lease_owner: str | None
    lease_until: str | None
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWatch:
    """A watch before it has a number."""

    owner: str
    url: str
    url_full: str
    host: str
    track: str = ""
    name: str = ""
    settings: WatchSettings = field(default_factory=WatchSettings)
    next_due: str = ""
