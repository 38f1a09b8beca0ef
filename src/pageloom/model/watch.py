"""Watch: the page to check, its settings, and the state from earlier checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal  # noqa: TC003  msgspec reads the annotations
from hashlib import sha256
from typing import Literal

from pageloom.model.capture import RenderMode  # noqa: TC001  msgspec reads the annotations

Health = Literal["", "failing", "gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """The settings of a watch."""

    every: int = 0
    """Seconds between two checks, or 0 with ``cron``."""
    cron: str = ""
    zone: str = "UTC"
    hours: str = ""
    jitter: int | None = None
    scope: tuple[str, ...] = ()
    """Selectors of the parts that are compared; the whole page when empty."""
    ignore: tuple[str, ...] = ()
    """Selectors of parts that are ignored."""
    ignore_text: tuple[str, ...] = ()
    """Patterns of text that is ignored."""
    only_if: tuple[str, ...] = ()
    """Notify only if one of these patterns matches new text."""
    price_below: Decimal | None = None
    """Notify only if the price falls below this."""
    stock_back: bool = False
    """Notify only if the product is back in stock."""
    min_importance: float = 0.0
    render: RenderMode = "auto"
    wait_for: str = ""
    visual: bool = False
    """Whether screenshots are compared too."""
    visual_threshold: float = 0.1
    """The percentage of the page's area that has to look different."""
    visual_ignore: tuple[str, ...] = ()
    """Regions of the screenshot that are ignored: ``left,top,width,height`` in pixels."""
    targets: tuple[str, ...] = ()
    digest_minutes: float | None = None
    subject: str = ""
    template: str = ""
    respect_robots: bool = True


def track_of(scope: tuple[str, ...], ignore: tuple[str, ...]) -> str:
    """The track of versions for a choice of parts; the page's own where all of it is looked at."""
    if not scope and not ignore:
        return ""
    spelt = "\n".join((*scope, "", *ignore))
    return f"w-{sha256(spelt.encode()).hexdigest()[:10]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchState:
    """The state of a watch from its checks so far."""

    page_id: int | None = None
    page_key: str = ""
    """The URL where the page was first found; later redirects do not move its history."""
    etag: str = ""
    last_modified: str = ""
    body_version: int | None = None
    """The version that the validators belong to."""
    browser: bool = False
    """Whether the page needs a browser."""
    health: Health = ""
    """The last health state that was notified."""
    missing: int = 0
    """Checks in a row that found no page (404, 410)."""
    outcome: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One watched page."""

    id: int
    owner: str
    url: str
    """Its key: ``url_key`` of the URL."""
    url_full: str
    """The URL as it is requested."""
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
    """A new watch, without a number."""

    owner: str
    url: str
    url_full: str
    host: str
    track: str = ""
    name: str = ""
    settings: WatchSettings = field(default_factory=WatchSettings)
    next_due: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingPlace:
    """A place of a watched page that changes by itself."""

    key: str
    moved: int
    """On how many checks something differed there from the check before."""
    visits: int
    """How many checks that were."""
    text: str = ""
    """What stood there last."""
    muted: bool = False
