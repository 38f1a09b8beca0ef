"""Choose the published and modified dates of a page."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from pageloom.core.non_ascii import has_digit
from pageloom.core.normalize.dates import DateContext, find_date, parse_date
from pageloom.core.normalize.zones import instant_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.parts import Claim
    from pageloom.model import Moment

DATED_TYPES = frozenset(("article", "forum", "job", "documentation"))
"""Where a date that is only visible, or only in the URL, belongs to the page."""

_PUBLISHED_RANK = {"json-ld": 0, "microdata": 2, "rdfa": 2, "time": 5}
_LATE_METAS = frozenset(
    (
        "meta[date]",
        "meta[dc.date]",
        "meta[dcterms.date]",
        "meta[dcterms.created]",
        "meta[dc.date.created]",
    )
)
_LISTS = frozenset(("listing", "collection"))
_IN_URL = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([/_-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?!\d)"
)
_DAY_FIRST = re.compile(
    r"(?<!\d)(0?[1-9]|[12]\d|3[01])([_-])(0?[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)"
)
_WITH_WORD = re.compile(r"/((?:19|20)\d\d)/([a-zA-Z]{3,9})/(\d{1,2})(?:/|$)")
_EARLIEST_AHEAD = 24 - 14
"""The hour of UTC at which somewhere it is midnight already."""
_SHORT = 60
_EARLY = 30


def choose_dates(
    claims: dict[str, list[Claim]],
    nearby: tuple[str, ...],
    url: str,
    page_type: str,
    context: DateContext,
) -> tuple[Moment | None, Moment | None]:
    """When the page was published and when it was changed, as far as it says so."""
    found = (
        moment
        for moment in _published(claims, nearby, url, page_type, context)
        if moment is not None
    )
    published = next((moment for moment in found if _is_sane(moment, context)), None)
    modified = _first(_modified(claims, page_type, context), context)
    if published is not None and _is_utc(published) and page_type in DATED_TYPES:
        published = _in_own_zone(published, _shown(claims, nearby, url, context))
    if published is not None and modified is not None and modified.date < published.date:
        modified = None
    zone = next((moment.zone for moment in (published, modified) if moment and moment.zone), "")
    return _zoned(published, zone), _zoned(modified, zone)


def _first(moments: Iterator[Moment | None], context: DateContext) -> Moment | None:
    return next(
        (moment for moment in moments if moment is not None and _is_sane(moment, context)), None
    )


def _is_sane(moment: Moment, context: DateContext) -> bool:
    """Not before the web, not a default, not after the fetch."""
    if moment.date[:4] < "1990" or moment.date in ("1990-01-01", "2000-01-01"):
        return False
    return not context.fetched_at or moment.date[:10] <= _latest(context.fetched_at)


def _latest(instant: str) -> str:
    """The day after the fetch: a page in the east may be a day ahead."""
    try:
        return (date.fromisoformat(instant[:10]) + timedelta(days=1)).isoformat()
    except ValueError:
        return "9999"


def _is_utc(moment: Moment) -> bool:
    return bool(moment.time) and moment.zone in ("Z", "+00:00") and bool(moment.utc)


def _shown(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], url: str, context: DateContext
) -> Iterator[Moment | None]:
    """The dates a reader sees: other spellings of the same instant may tell the page's own zone."""
    for claim in claims.get("published", ())[:12]:
        if claim.source in ("time", "meta[date]") or claim.source.startswith("itemprop"):
            yield parse_date(claim.value, context, claim.source)
    for claim in claims.get("published text", ())[:6]:
        if not claim.source.startswith("far"):
            yield find_date(claim.value, context, claim.source)
    yield from (find_date(text, context, "text") for text in nearby[:24] if len(text) <= _SHORT)
    yield date_in_url(url)


def _in_own_zone(moment: Moment, shown: Iterator[Moment | None]) -> Moment:
    """A UTC instant on the day the page itself shows for it, where that is the day before or after.

    A server that writes 22:04Z for a story of four past midnight must not shift its day.
    """
    for other in shown:
        if other is None or other.date == moment.date or other.precision in ("year", "month"):
            continue
        if other.utc == moment.utc and other.zone not in ("Z", "+00:00"):
            return replace(other, raw=moment.raw, source=moment.source)
        if not other.time and _is_midnight_of(moment, other.date):
            return replace(moment, date=other.date, time="", zone="", precision="day")
        offset = _offset_between(moment.utc, other)
        if offset:
            return replace(
                moment, date=other.date, time=other.time, zone=offset, precision=other.precision
            )
    return moment


def _is_midnight_of(moment: Moment, day: str) -> bool:
    """Whether an instant is the midnight with which the day that the page shows begins in a zone.

    Who keeps days as midnights and writes them in UTC ends up on the evening before.
    """
    if moment.time[3:] not in ("00", "00:00") or int(moment.time[:2]) < _EARLIEST_AHEAD:
        return False
    return (date.fromisoformat(moment.date) + timedelta(days=1)).isoformat() == day


def _offset_between(utc: str, local: Moment) -> str:
    """The zone in which an instant reads as a shown time of day; empty when there is none."""
    if not local.time or local.zone:
        return ""
    shown = datetime.fromisoformat(f"{local.date}T{local.time}+00:00")
    minutes = round((shown - datetime.fromisoformat(utc)).total_seconds() / 60)
    if minutes % 30 or not -720 <= minutes <= 840:
        return ""
    return f"{'+' if minutes >= 0 else '-'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _zoned(moment: Moment | None, zone: str) -> Moment | None:
    """A time without a zone gets the one of the page's other dates, else UTC, and says so."""
    if moment is None or not moment.time or moment.zone:
        return moment
    zone = zone or "Z"
    utc = instant_of(moment.date, moment.time, zone)
    return replace(moment, zone=zone, utc=utc, assumed=(*moment.assumed, "zone"))


def _published(
    claims: dict[str, list[Claim]],
    nearby: tuple[str, ...],
    url: str,
    page_type: str,
    context: DateContext,
) -> Iterator[Moment | None]:
    own = claims.get("page_published", []) if page_type in DATED_TYPES else []
    if own and not _is_dated(claims, nearby, url, context):
        own = []
    stated = sorted([*claims.get("published", ()), *own], key=_rank)
    for claim in stated:
        if _rank(claim) < (5 if page_type in _LISTS else 6):
            yield parse_date(claim.value, context, claim.source)
    if page_type not in DATED_TYPES:
        return
    yield date_in_url(url)
    yield from _visible(claims, nearby, context)
    for claim in (*stated, *claims.get("published text", ())):
        if claim.source.startswith("far"):
            yield find_date(claim.value, context, claim.source)


def _is_dated(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], url: str, context: DateContext
) -> bool:
    """Whether anything but the record of the page itself speaks of a date.

    Content systems stamp every page they keep, the timeless ones too; a page that has a date shows
    it, or declares it for what it publishes.
    """
    if any(not claim.source.startswith("far") for claim in claims.get("published", ())):
        return True
    return any(moment is not None for moment in _shown(claims, nearby, url, context))


def _visible(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], context: DateContext
) -> Iterator[Moment | None]:
    """Dates in marked elements and in the short texts around the headline."""
    for claim in claims.get("published text", ()):
        if not claim.source.startswith("far"):
            yield find_date(claim.value, context, "text")
    for text in nearby:
        if len(text) <= _SHORT or has_digit(text[:_EARLY]):
            yield find_date(text if len(text) <= _SHORT else text[: _EARLY + 20], context, "text")


def _rank(claim: Claim) -> int:
    source = claim.source
    if source.startswith(("rule", "source:")):
        return -1
    if source in _LATE_METAS:
        return 3
    if source.startswith("meta["):
        return 1
    if source.startswith("itemprop"):
        return 2
    return _PUBLISHED_RANK.get(source, 6)


def _modified(
    claims: dict[str, list[Claim]], page_type: str, context: DateContext
) -> Iterator[Moment | None]:
    for claim in sorted(claims.get("modified", ()), key=_rank):
        if not claim.source.startswith("far"):
            yield parse_date(claim.value, context, claim.source)
    for claim in claims.get("page_modified", ()):
        yield parse_date(claim.value, context, claim.source)
    if page_type in DATED_TYPES:
        for claim in claims.get("modified text", ()):
            if not claim.source.startswith("far"):
                yield find_date(claim.value, context, claim.source)


def date_in_url(url: str) -> Moment | None:
    """The day in a URL such as ``/2026/03/05/rain`` or ``/20260305-rain``."""
    path = url.split("?", 1)[0].split("://", 1)[-1].partition("/")[2]
    if found := _WITH_WORD.search(f"/{path}"):
        return _url_day(f"{found[3]} {found[2]} {found[1]}", found[0])
    if found := _IN_URL.search(path):
        month, day = found[3] or found[5], found[4] or found[6]
        return _url_day(f"{found[1]}-{int(month):02d}-{int(day):02d}", found[0])
    if found := _DAY_FIRST.search(path):
        return _url_day(f"{found[4]}-{int(found[3]):02d}-{int(found[1]):02d}", found[0])
    return None


def _url_day(text: str, raw: str) -> Moment | None:
    moment = parse_date(text)
    return (
        replace(moment, source="url", raw=raw)
        if moment is not None and moment.precision == "day"
        else None
    )
