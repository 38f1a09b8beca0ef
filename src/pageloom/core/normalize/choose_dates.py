"""Choose the published and modified dates of a page."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.non_ascii import has_digit
from pageloom.core.normalize.parse_dates import UPDATED, DateContext, find_date, parse_date
from pageloom.core.normalize.zones import instant_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.parts import Claim
    from pageloom.model import Moment

DATED_TYPES = frozenset(("article", "forum", "job", "documentation"))
"""Where a date that is only visible, or only in the URL, belongs to the page."""

_TIME = 5
_UNNAMED = 6
_PUBLISHED_RANK = {"json-ld": 0, "microdata": 2, "rdfa": 2, "time": _TIME}
_LATE_METAS = frozenset(
    (
        "meta[date]",
        "meta[dc.date]",
        "meta[dcterms.date]",
        "meta[dcterms.created]",
        "meta[dc.date.created]",
        "meta[dc.created]",
        "meta[datecreated]",
        "meta[date_created]",
    )
)
_CMS_METAS = frozenset(
    f"meta[{name}]"
    for name in "published published-date published_date publisheddate publishdate pub_date".split()
)
"""Names of no standard, which content systems put on timeless pages too."""
_LABEL = lazy_regex(
    r"\W*(?:(?:first |originally )?(?:published|posted|written|created|issued|released)"
    r"|datum|stand|veröffentlicht|erschienen|erstellt|geschrieben|eingestellt|publié|mise? en ligne"
    r"|rédigé|publicado|pubblicato|gepubliceerd|geplaatst|publicerad|udgivet|publisert|julkaistu|opublikowano"
    r"|опубликовано|发布|發布|公開日|投稿日)\b",
    re.IGNORECASE,
)
_LISTS = frozenset(("listing", "collection"))
_NEVER_BY_SIGHT = _LISTS | {"event"}
_ROW = 3
"""Different days beside one headline that are those of a list."""
_IN_URL = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([/_-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?!\d)"
    r"(?!(?<=/\d)-)"
)
"""A single digit that goes on with a hyphen, ``/2023/10/3-questions``, begins a title."""
_DAY_FIRST = re.compile(
    r"(?<!\d)(0?[1-9]|[12]\d|3[01])([_-])(0?[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)"
)
_WITH_WORD = re.compile(r"/((?:19|20)\d\d)/([a-zA-Z]{3,9})/(\d{1,2})(?:/|$)")
_EARLIEST_AHEAD = 24 - 14
"""The hour of UTC at which somewhere it is midnight already."""
_LATEST_BEHIND = 12
"""The hour of UTC at which the day before has ended everywhere."""
_SHORT = 60
_EARLY = 30
_ALONE = 40
"""Characters of a line that is a date and little else."""


def choose_dates(  # noqa: PLR0913  everything that speaks of a date
    claims: dict[str, list[Claim]],
    nearby: tuple[str, ...],
    url: str,
    page_type: str,
    context: DateContext,
    *,
    text: str = "",
    certain: bool = True,
) -> tuple[Moment | None, Moment | None]:
    """When the page was published and when it was changed, as far as it says so.

    Args:
        claims: what the page says, by field.
        nearby: the texts around its headline.
        url: its URL.
        page_type: decides whether a date that is only visible belongs to the page.
        context: what helps to read dates.
        text: the content, whose first and last lines may be a date.
        certain: whether the type is; else a label near the headline, or a line of its own where the
            text begins or ends, is enough on nearly any page.
    """
    published = _first(_published(claims, nearby, url, page_type, context), context)
    if published is not None and not certain and _is_one_of_many(published, claims, context):
        published = None
    elif published is None and page_type in DATED_TYPES:
        published = _first(_in_lines(text, context), context)
    elif published is None and not certain and page_type not in _NEVER_BY_SIGHT:
        seen = chain(_labelled(nearby, context), _in_lines(text, context))
        published = _first(seen, context)
    if published is not None and page_type in DATED_TYPES:
        published = _on_shown_day(published, claims, nearby, url, context)
    modified = _first(_modified(claims, page_type, context), context)
    if published is not None and modified is not None and modified.date < published.date:
        modified = None
    zone = next((moment.zone for moment in (published, modified) if moment and moment.zone), "")
    return _zoned(published, zone), _zoned(modified, zone)


def _first(moments: Iterator[Moment | None], context: DateContext) -> Moment | None:
    """The first date, or the day where a later one says which day of its month that was."""
    sane = (moment for moment in moments if moment is not None and _is_sane(moment, context))
    first = next(sane, None)
    if first is None or first.precision not in ("year", "month"):
        return first
    return next((each for each in sane if each.date.startswith(f"{first.date}-")), first)


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


def _is_one_of_many(moment: Moment, claims: dict[str, list[Claim]], context: DateContext) -> bool:
    """Whether a day is one of those that a list marks, and none is the page's own."""
    if moment.source != "time":
        return False
    times = (claim for claim in claims.get("published", ()) if claim.source == "time")
    days = {other.date for claim in times if (other := parse_date(claim.value, context))}
    return len(days) >= _ROW


def _on_shown_day(
    moment: Moment,
    claims: dict[str, list[Claim]],
    nearby: tuple[str, ...],
    url: str,
    context: DateContext,
) -> Moment:
    """A date as the page shows it to readers, where that can be told.

    Of two declared days the one beside the headline counts; a bare ``date``, which may be that of
    the last edit, gives way to the only day that stands there.
    """
    if _is_utc(moment):
        moment = _in_own_zone(moment, _shown(claims, nearby, url, context))
    elif "day_order" in moment.assumed:
        moment = _in_order_of(moment, _shown(claims, nearby, url, context))
    if not 0 <= _rank(moment.source) < _TIME:
        return moment
    beside = [each for each in _beside(nearby, context) if _is_sane(each, context)]
    days = {each.date for each in beside}
    if not days or moment.date in days:
        return moment
    for claim in _by_rank(claims.get("published", ())):
        other = parse_date(claim.value, context, claim.source)
        if _rank(claim.source) < _TIME and other is not None and other.date in days:
            return other
    return beside[0] if moment.source in _LATE_METAS and len(days) == 1 else moment


def _shown(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], url: str, context: DateContext
) -> Iterator[Moment | None]:
    """The dates a reader sees: other spellings of the same instant may tell the page's own zone."""
    yield date_in_url(url)
    for claim in claims.get("published", ())[:12]:
        if claim.source in ("time", "meta[date]") or claim.source.startswith("itemprop"):
            yield parse_date(claim.value, context, claim.source)
    for claim in claims.get("published text", ())[:6]:
        if not claim.source.startswith("far") and not UPDATED.search(claim.value):
            yield find_date(claim.value, context, claim.source)
    yield from _beside(nearby, context)


def _beside(nearby: tuple[str, ...], context: DateContext) -> Iterator[Moment]:
    """The dates in short texts around the headline, but for those of updates."""
    for label, text in pairwise(("", *nearby[:24])):
        if len(text) <= _SHORT and not UPDATED.search(f"{label[-_SHORT:]} {text}"):
            moment = find_date(text, context, "text")
            if moment is not None:
                yield moment


def _in_own_zone(moment: Moment, shown: Iterator[Moment | None]) -> Moment:
    """A UTC instant on the day the page itself shows for it, where that is the day before or after.

    A server that writes 22:04Z for a story of four past midnight must not shift its day.
    """
    day = ""
    for other in shown:
        if other is None or other.precision in ("year", "month"):
            continue
        if other.date == moment.date:
            day = day or other.date
            continue
        if other.utc == moment.utc and other.zone not in ("Z", "+00:00"):
            return replace(other, raw=moment.raw, source=moment.source)
        offset = _offset_between(moment.utc, other)
        if offset:
            return replace(
                moment, date=other.date, time=other.time, zone=offset, precision=other.precision
            )
        if (not other.time or other.zone) and _may_be_day_of(moment, other.date):
            day = day or other.date
    if not day or day == moment.date:
        return moment
    return replace(moment, date=day, time="", zone="", precision="day")


def _may_be_day_of(moment: Moment, day: str) -> bool:
    """Whether there is a zone in which an instant falls on a day beside the one of UTC."""
    hour, own = int(moment.time[:2]), date.fromisoformat(moment.date)
    if day == (own + timedelta(days=1)).isoformat():
        return hour >= _EARLIEST_AHEAD
    return day == (own - timedelta(days=1)).isoformat() and hour < _LATEST_BEHIND


def _in_order_of(moment: Moment, shown: Iterator[Moment | None]) -> Moment:
    """A date such as 11/01/2023 with day and month in the order in which the page shows the day."""
    year, month, day = moment.date.split("-")
    turned = f"{year}-{day}-{month}"
    for other in shown:
        if other is not None and "day_order" not in other.assumed:
            if other.date == moment.date:
                break
            if other.date == turned:
                return replace(moment, date=turned, assumed=_without_order(moment.assumed))
    return moment


def _without_order(assumed: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in assumed if one != "day_order")


def _offset_between(utc: str, local: Moment) -> str:
    """The zone in which an instant reads as a shown time of day; empty when there is none."""
    if not local.time or local.zone:
        return ""
    shown = datetime.fromisoformat(f"{local.date}T{local.time[:5]}+00:00")
    instant = datetime.fromisoformat(utc).replace(second=0)
    minutes = round((shown - instant).total_seconds() / 60)
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
    stated = _by_rank([*claims.get("published", ()), *own])
    dated = page_type in DATED_TYPES
    for claim in stated:
        if _rank(claim.source) < _TIME and (dated or claim.source not in _CMS_METAS):
            yield parse_date(claim.value, context, claim.source)
    times = [claim for claim in stated if _rank(claim.source) == _TIME]
    if times and page_type not in _LISTS:
        yield from _labelled(nearby, context)
        yield from (parse_date(claim.value, context, claim.source) for claim in times)
    if dated:
        yield from _unstated(claims, nearby, url, context)
    for claim in stated:
        if _rank(claim.source) == _UNNAMED and not claim.source.startswith("far"):
            yield parse_date(claim.value, context, claim.source)


def _unstated(
    claims: dict[str, list[Claim]], nearby: tuple[str, ...], url: str, context: DateContext
) -> Iterator[Moment | None]:
    """Dates that are only in the URL, only visible, or far from the headline."""
    yield date_in_url(url)
    yield from _visible(claims, nearby, context)
    for claim in claims.get("labelled date", ()):
        yield find_date(claim.value, context, claim.source)
    for claim in (*claims.get("published", ()), *claims.get("published text", ())):
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
    """Dates in marked elements and in the short texts around the headline.

    Those come last that a label before them, such as ``Joined:``, gives to something else.
    """
    for claim in claims.get("published text", ()):
        if not claim.source.startswith("far"):
            yield find_date(claim.value, context, "text")
    texts = sorted(pairwise(("", *nearby)), key=lambda pair: _names_other(pair[0]))
    for _, text in texts:
        if len(text) <= _SHORT or has_digit(text[:_EARLY]):
            yield find_date(text if len(text) <= _SHORT else text[: _EARLY + 20], context, "text")


def _names_other(label: str) -> bool:
    """Whether a text is a label, but not one of dates of pages."""
    return label.endswith(":") and len(label) <= _EARLY and not _LABEL.match(label)


def _in_lines(text: str, context: DateContext) -> Iterator[Moment | None]:
    """Dates that are lines of their own where a text begins or ends, or with which it begins."""
    lines = [line for line in text[:1_000].splitlines() if line.strip()][:4]
    lines += [line for line in text[-400:].splitlines() if line.strip()][-2:]
    for line in lines:
        if (len(line) <= _ALONE or has_digit(line[:4])) and not UPDATED.search(line[:_SHORT]):
            yield find_date(line[:_SHORT], context, "text")


def _labelled(nearby: tuple[str, ...], context: DateContext) -> Iterator[Moment | None]:
    """The date near the headline that a label calls the page's own; several are those of a list."""
    found: list[Moment] = []
    for place, text in enumerate(nearby):
        if len(text) > _SHORT or UPDATED.search(text) or not (label := _LABEL.match(text)):
            continue
        is_bare = label.end() >= len(text.rstrip(" :"))
        follows = " ".join(nearby[place + 1 : place + 2]) if is_bare else ""
        moment = find_date(f"{text} {follows}"[: 2 * _SHORT], context, "text")
        if moment is not None:
            found.append(moment)
    if len({moment.date for moment in found}) == 1:
        yield found[0]


def _by_rank(claims: Iterable[Claim]) -> list[Claim]:
    return sorted(claims, key=lambda claim: _rank(claim.source))


def _rank(source: str) -> int:
    if source.startswith(("rule", "source:")):
        return -1
    if source in _LATE_METAS:
        return 3
    if source.startswith("meta["):
        return 1
    if source.startswith("itemprop"):
        return 2
    return _PUBLISHED_RANK.get(source, _UNNAMED)


def _modified(
    claims: dict[str, list[Claim]], page_type: str, context: DateContext
) -> Iterator[Moment | None]:
    for claim in _by_rank(claims.get("modified", ())):
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
