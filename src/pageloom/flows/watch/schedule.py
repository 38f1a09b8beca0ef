"""When a watch is due: pure arithmetic on instants, the same on every machine.

A watch by interval has a phase of its own, taken from its id: ten thousand hourly watches that
were added in one minute are spread over the hour after two checks, without anyone remembering
where; and no check comes later than the interval says.
A watch by cron is due when its line says, moved by a jitter that also comes from its id.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from pageloom.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.model.watch import WatchSettings

MINUTE = 60
DAY = 86_400
SHORTEST = 60
LONGEST = 366 * DAY
FIRST_RETRY = 300
"""Seconds after a first failure; doubled after each further one."""

_UNITS = {"s": 1, "m": MINUTE, "h": 3_600, "d": DAY, "w": 7 * DAY}
_LENGTH = re.compile(r"(\d{1,6})\s{0,3}([smhdw])")
_HOURS = re.compile(
    r"(?:(mon|tue|wed|thu|fri|sat|sun)-(mon|tue|wed|thu|fri|sat|sun)\s{1,3})?"
    r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})",
    re.IGNORECASE,
)
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When a watch is checked. Exactly one of ``every`` and ``cron`` is set."""

    every: int = 0
    """Seconds."""
    cron: str = ""
    zone: str = "UTC"
    """An IANA name; cron lines and active hours are read in it."""
    hours: str = ""
    """``08:00-18:00`` or ``mon-fri 08:00-18:00``; always when empty."""
    jitter: int | None = None
    """Seconds a cron time may be late; a tenth of the time between two, at most ten minutes, when
    left out."""


def read_length(text: str) -> int:
    """Seconds of ``90s``, ``30m``, ``6h``, ``1d``, ``2w`` or ``1h30m``."""
    compact = text.strip().lower()
    parts = _LENGTH.findall(compact)
    if not parts or "".join(f"{n}{unit}" for n, unit in parts) != re.sub(r"\s", "", compact):
        raise SettingsError(
            f"{text[:40]!r} is not a duration.",
            suggestions=("Write for example 30m, 6h, 1d or 1h30m.",),
        )
    return sum(int(number) * _UNITS[unit] for number, unit in parts)


def check_schedule(schedule: Schedule) -> Schedule:
    """The schedule itself, if it can be followed.

    Raises:
        SettingsError: it cannot.
    """
    _zone(schedule.zone)
    if bool(schedule.every) == bool(schedule.cron):
        raise SettingsError(
            "A watch has either an interval (every) or a cron expression, not both."
        )
    if schedule.every and not SHORTEST <= schedule.every <= LONGEST:
        raise SettingsError(
            f"The interval of a watch must be between {SHORTEST} seconds and a year."
        )
    if schedule.jitter is not None and not 0 <= schedule.jitter <= DAY:
        raise SettingsError("The jitter must be between 0 and 86,400 seconds.")
    if schedule.cron:
        _first_cron(schedule, datetime(2026, 1, 1, tzinfo=UTC))
    if schedule.hours:
        _read_hours(schedule.hours)
    return schedule


def next_check(
    schedule: Schedule, watch_id: str, after: datetime, *, failures: int = 0, wait: float = 0.0
) -> datetime:
    """The next instant, in UTC, at which a watch is due.

    Args:
        schedule: how often, or when.
        watch_id: gives the watch its own place among others of the same schedule.
        after: the instant of the last check.
        failures: how many checks in a row have failed, the last one included.
        wait: seconds that the server asked us to wait.
    """
    now = after.astimezone(UTC)
    if failures:
        due = now + timedelta(seconds=max(wait, retry_delay(schedule, watch_id, now, failures)))
    elif schedule.cron:
        due = _by_cron(schedule, watch_id, now)
    else:
        due = _by_interval(schedule.every, watch_id, now)
    due = max(due, now + timedelta(seconds=wait))
    return _within_hours(schedule, watch_id, due)


def schedule_of(settings: WatchSettings) -> Schedule:
    """The schedule in the settings of a watch."""
    return Schedule(
        every=settings.every,
        cron=settings.cron,
        zone=settings.zone,
        hours=settings.hours,
        jitter=settings.jitter,
    )


def next_checks(settings: WatchSettings, at: datetime, number: int) -> list[str]:
    """The next instants at which a new watch with these settings is due."""
    found: list[str] = []
    for _ in range(number):
        at = next_check(schedule_of(settings), "preview", at)
        found.append(at.isoformat(timespec="seconds"))
    return found


def retry_delay(schedule: Schedule, watch_id: str, now: datetime, failures: int) -> float:
    """Seconds until a failing watch is tried again: soon, then less and less often."""
    usual = usual_gap(schedule, now)
    first = min(FIRST_RETRY, usual)
    longest = max(usual, DAY)
    delay = min(first * 2.0 ** min(failures - 1, 20), longest)
    return delay * (1 + 0.1 * _fraction(watch_id, f"retry {failures}"))


def usual_gap(schedule: Schedule, now: datetime) -> float:
    """Seconds between two checks when all is well."""
    if schedule.every:
        return float(schedule.every)
    return _cron_gap(schedule, now)[1]


def _by_interval(every: int, watch_id: str, now: datetime) -> datetime:
    """The next place on the watch's own grid, or half-way to the one after it.

    Never later than the interval after the last check, nor sooner than half of it: a watch that
    starts shortly before its place gets to it in two short steps.
    """
    phase = _fraction(watch_id, "phase") * every
    # A second before its place a watch is taken to be there: instants are rounded.
    left = min(every - (now.timestamp() + 1 - phase) % every + 1, every)
    wait = left if left >= every / 2 else (every + left) / 2
    return datetime.fromtimestamp(now.timestamp() + wait, UTC)


def _by_cron(schedule: Schedule, watch_id: str, now: datetime) -> datetime:
    due, gap = _cron_gap(schedule, now)
    window = min(gap / 10, 600) if schedule.jitter is None else min(schedule.jitter, gap / 2)
    late = timedelta(seconds=int(window * _fraction(watch_id, "jitter")))
    # Asked again between a cron time and its late place: that turn was this one.
    return due + late


def _cron_gap(schedule: Schedule, now: datetime) -> tuple[datetime, float]:
    times = _cron_times(schedule, now)
    try:
        first = next(times)
        second = next(times, first + timedelta(days=366))
    except StopIteration:
        raise _no_cron(schedule.cron) from None
    return first, (second - first).total_seconds()


def _first_cron(schedule: Schedule, now: datetime) -> datetime:
    return _cron_gap(schedule, now)[0]


def _cron_times(schedule: Schedule, now: datetime) -> Iterator[datetime]:
    try:
        for local in CronSim(schedule.cron, now.astimezone(_zone(schedule.zone))):
            yield local.astimezone(UTC)
    except CronSimError:
        raise _no_cron(schedule.cron) from None


def _no_cron(line: str) -> SettingsError:
    return SettingsError(
        f"{line[:60]!r} is not a cron expression.",
        suggestions=("Write minute hour day month weekday, for example '0 9 * * mon-fri'.",),
    )


def _within_hours(schedule: Schedule, watch_id: str, due: datetime) -> datetime:
    """The instant itself, or one soon after the next active hours begin."""
    if not schedule.hours:
        return due
    window = _read_hours(schedule.hours)
    zone = _zone(schedule.zone)
    opening = due
    for _ in range(9):
        opens, closes = _window_after(window, zone, opening)
        if opens <= due < closes:
            return due
        if opens > due:
            spread = min((closes - opens).total_seconds() / 2, 1_800)
            late = timedelta(seconds=int(spread * _fraction(watch_id, "opening")))
            return opens + late
        opening = closes
    return due


@dataclass(frozen=True, slots=True)
class _Window:
    first_day: int
    last_day: int
    opens: time
    closes: time

    def has_day(self, day: int) -> bool:
        if self.first_day <= self.last_day:
            return self.first_day <= day <= self.last_day
        return day >= self.first_day or day <= self.last_day


def _window_after(window: _Window, zone: ZoneInfo, moment: datetime) -> tuple[datetime, datetime]:
    """The window that is open at a moment, or else the next one, in UTC."""
    local = moment.astimezone(zone)
    for days in range(-1, 9):
        date = (local + timedelta(days=days)).date()
        if not window.has_day(date.weekday()):
            continue
        over_night = window.closes <= window.opens
        last = date + timedelta(days=1) if over_night else date
        opens = datetime.combine(date, window.opens, zone).astimezone(UTC)
        closes = datetime.combine(last, window.closes, zone).astimezone(UTC)
        if closes > moment:
            return opens, closes
    raise SettingsError("These active hours never occur.")  # pragma: no cover  every week has a day


def _read_hours(text: str) -> _Window:
    found = _HOURS.fullmatch(text.strip())
    numbers = [int(each) for each in found.groups()[2:]] if found else []
    if not found or max(numbers[1], numbers[3]) > 59 or max(numbers[0], numbers[2]) > 24:
        raise SettingsError(
            f"{text[:40]!r} are not active hours.",
            suggestions=("Write for example 08:00-18:00 or mon-fri 08:00-18:00.",),
        )
    first = _DAYS.index(found[1].lower()) if found[1] else 0
    last = _DAYS.index(found[2].lower()) if found[2] else 6
    return _Window(
        first, last, time(numbers[0] % 24, numbers[1]), time(numbers[2] % 24, numbers[3])
    )


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise SettingsError(
            f"{name[:40]!r} is not a time zone.", suggestions=("Write for example Europe/Vienna.",)
        ) from None


def _fraction(watch_id: str, use: str) -> float:
    """A number in [0, 1) that only the id and its use decide."""
    digest = hashlib.sha256(f"{use}\n{watch_id}".encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48
