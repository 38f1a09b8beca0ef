"""Which of the dates a page states is its own, and when it was published and changed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.core.normalize.dates import DateContext, find_date, parse_date
from pageloom.core.normalize.zones import instant_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.parts import Claim
    from pageloom.model import Moment

DATED_TYPES = frozenset(("article", "forum", "job", "documentation"))
"""Where a date that is only visible, or only in the address, belongs to the page."""

_PUBLISHED_RANK = {"json-ld": 0, "microdata": 2, "rdfa": 2, "time": 5}
_LATE_METAS = frozenset(("meta[date]", "meta[dc.date]", "meta[dcterms.date]", "meta[dcterms.created]", "meta[dc.date.created]"))
_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:/|-|_)?(0?[1-9]|1[0-2])(?:/|-|_)?(0?[1-9]|[12]\d|3[01])(?!\d)")
_IN_URL_LOOSE = re.compile(r"/((?:19|20)\d\d)/([a-zA-Z]{3,9}|\d{1,2})/(\d{1,2})(?:/|$)")


def choose_dates(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], url: str, page_type: str, context: DateContext
) -> tuple[Moment | None, Moment | None]:
    """When the page was published and when it was changed, as far as it says so."""
    published = _first(_published(claims, nearby, url, page_type, context), context)
    modified = _first(_modified(claims, page_type, context), context)
    if published is not None and modified is not None and modified.date < published.date:
        modified = None
    zone = next((moment.zone for moment in (published, modified) if moment and moment.zone), "")
    return _zoned(published, zone), _zoned(modified, zone)


def _first(moments: Iterator[Moment | None], context: DateContext) -> Moment | None:
    return next((moment for moment in moments if moment is not None and _is_sane(moment, context)), None)


def _is_sane(moment: Moment, context: DateContext) -> bool:
    """Not before the web, not after the fetch."""
    if moment.date[:4] < "1990" or moment.date in ("1990-01-01", "2000-01-01"):
        return False
    return not context.fetched_at or moment.date[:10] <= _day_after(context.fetched_at)


def _day_after(instant: str) -> str:
    """A page in the east may be dated a day after the fetch; the end of the month is close enough."""
    day = int(instant[8:10]) + 1 if instant[8:10].isdigit() else 31
    return f"{instant[:8]}{day:02d}"


def _zoned(moment: Moment | None, zone: str) -> Moment | None:
    """A time without a zone gets the one of the page's other dates, else UTC, and says so."""
    if moment is None or not moment.time or moment.zone:
        return moment
    zone = zone or "Z"
    utc = instant_of(moment.date, moment.time, zone)
    return replace(moment, zone=zone, utc=utc, assumed=(*moment.assumed, "zone"))


def _published(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], url: str, page_type: str, context: DateContext
) -> Iterator[Moment | None]:
    stated = sorted(claims.get("published", ()), key=_rank)
    for claim in stated:
        if _rank(claim) < 6:
            yield parse_date(claim.value, context, claim.source)
    if page_type in DATED_TYPES:
        yield date_in_url(url)
        for claim in claims.get("published text", ()):
            if not claim.source.startswith("far"):
                yield find_date(claim.value, context, "text")
        yield from (find_date(text, context, "text") for text in nearby)
        for claim in (*stated, *claims.get("published text", ())):
            if claim.source.startswith("far"):
                yield find_date(claim.value, context, claim.source)


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


def _modified(claims: dict[str, list[Claim]], page_type: str, context: DateContext) -> Iterator[Moment | None]:
    for claim in sorted(claims.get("modified", ()), key=_rank):
        if not claim.source.startswith("far"):
            yield parse_date(claim.value, context, claim.source)
    if page_type in DATED_TYPES:
        for claim in claims.get("modified text", ()):
            if not claim.source.startswith("far"):
                yield find_date(claim.value, context, claim.source)


def date_in_url(url: str) -> Moment | None:
    """The day in an address such as ``/2026/03/05/rain``."""
    path = url.split("?", 1)[0].split("://", 1)[-1].partition("/")[2]
    if found := _IN_URL_LOOSE.search(f"/{path}"):
        moment = parse_date(f"{found[3]} {found[2]} {found[1]}" if found[2].isalpha() else f"{found[1]}-{found[2]}-{found[3]}")
        if moment is not None:
            return replace(moment, source="url", raw=found[0], time="", zone="", utc="", precision="day")
    if found := _IN_URL.search(path):
        moment = parse_date(f"{found[1]}-{int(found[2]):02d}-{int(found[3]):02d}")
        if moment is not None:
            return replace(moment, source="url", raw=found[0])
    return None
