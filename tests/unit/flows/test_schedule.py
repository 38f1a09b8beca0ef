"""When a watch is due: spread, zones, active hours, patience with failures."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageloom.errors import SettingsError
from pageloom.flows.watch.schedule import Schedule, check_schedule, next_check, read_length

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")
HOURLY = Schedule(every=3600)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("30m", 1800),
        ("6h", 21_600),
        ("1d", 86_400),
        ("2w", 1_209_600),
        ("1h30m", 5400),
    ],
)
def test_lengths_are_read_as_people_write_them(text, seconds):
    assert read_length(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "5", "5 parsecs", "1h nonsense", "-3m", "m5"])
def test_what_is_no_length_is_refused(text):
    with pytest.raises(SettingsError):
        read_length(text)


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(),
        Schedule(every=10),
        Schedule(every=3600, cron="0 9 * * *"),
        Schedule(cron="61 9 * * *"),
        Schedule(cron="0 0 31 2 *"),
        Schedule(every=3600, zone="Europe/Atlantis"),
        Schedule(every=3600, zone="../../etc/passwd"),
        Schedule(every=3600, hours="25:00-26:00"),
        Schedule(every=3600, hours="mornings"),
        Schedule(every=3600, jitter=-1),
    ],
)
def test_a_schedule_that_cannot_be_followed_is_refused(schedule):
    with pytest.raises(SettingsError):
        check_schedule(schedule)


def test_ten_thousand_hourly_watches_of_one_minute_are_spread_over_the_hour():
    first = [next_check(HOURLY, f"watch-{n}", NOON) for n in range(10_000)]
    assert min(first) >= NOON + timedelta(minutes=30)
    assert max(first) <= NOON + timedelta(hours=1)
    second = [next_check(HOURLY, f"watch-{n}", when) for n, when in enumerate(first)]
    by_minute = Counter(when.minute for when in second)
    assert len(by_minute) == 60
    assert max(by_minute.values()) < 230  # 167 on average


@pytest.mark.parametrize("number", range(50))
def test_a_daily_watch_never_waits_longer_than_a_day(number):
    daily, when = Schedule(every=86_400), NOON
    for _ in range(5):
        due = next_check(daily, f"watch-{number}", when)
        assert due - when <= timedelta(days=1)
        when = due + timedelta(seconds=20)  # the check itself takes a while


def test_thousands_of_watches_at_nine_are_spread_over_some_minutes():
    nine = Schedule(cron="0 9 * * *")
    due = [next_check(nine, f"watch-{n}", NOON) for n in range(3_000)]
    by_minute = Counter(when.replace(second=0) for when in due)
    assert min(due) >= datetime(2026, 3, 6, 9, tzinfo=UTC)
    assert max(due) < datetime(2026, 3, 6, 9, 10, tzinfo=UTC)
    assert max(by_minute.values()) < 360


def test_a_cron_watch_without_jitter_is_due_on_the_minute():
    exact = Schedule(cron="30 9 * * *", jitter=0)
    assert next_check(exact, "w", NOON) == datetime(2026, 3, 6, 9, 30, tzinfo=UTC)


def test_the_same_watch_keeps_its_place():
    first = next_check(HOURLY, "w", next_check(HOURLY, "w", NOON))
    second = next_check(HOURLY, "w", first)
    assert abs(second - first - timedelta(hours=1)) < timedelta(seconds=1)
    assert next_check(HOURLY, "w", NOON) == next_check(HOURLY, "w", NOON)


def test_a_check_that_took_long_or_came_late_does_not_shift_the_place():
    first = next_check(HOURLY, "w", next_check(HOURLY, "w", NOON))
    late = next_check(HOURLY, "w", first + timedelta(minutes=7))
    assert abs(late - first - timedelta(hours=1)) < timedelta(seconds=1)


def test_cron_is_read_in_the_zone_of_the_watch_across_daylight_saving():
    nine = Schedule(cron="0 9 * * *", zone="Europe/Vienna", jitter=0)
    before = next_check(nine, "w", datetime(2026, 3, 28, 0, tzinfo=UTC))
    after = next_check(nine, "w", before)
    assert before == datetime(2026, 3, 28, 8, tzinfo=UTC)
    assert after == datetime(2026, 3, 29, 7, tzinfo=UTC)


def test_an_hour_that_does_not_exist_or_exists_twice_is_checked_once():
    half_past_two = Schedule(cron="30 2 * * *", zone="Europe/Vienna", jitter=0)
    days: list[str] = []
    when = datetime(2026, 3, 27, 12, tzinfo=UTC)
    while when < datetime(2026, 3, 31, tzinfo=UTC):
        when = next_check(half_past_two, "w", when)
        days.append(when.astimezone(VIENNA).date().isoformat())
    assert days == sorted(set(days))
    assert "2026-03-29" in days
    autumn = next_check(half_past_two, "w", datetime(2026, 10, 24, 12, tzinfo=UTC))
    assert next_check(half_past_two, "w", autumn) - autumn >= timedelta(hours=24)


def test_active_hours_move_a_check_to_the_next_opening_and_spread_it():
    office = Schedule(every=3600, zone="Europe/Vienna", hours="mon-fri 08:00-18:00")
    friday_evening = datetime(2026, 3, 6, 17, 30, tzinfo=UTC)
    due = [next_check(office, f"w{n}", friday_evening) for n in range(500)]
    opening = datetime(2026, 3, 9, 8, tzinfo=VIENNA)
    assert all(opening <= when < opening + timedelta(minutes=30) for when in due)
    assert len(set(due)) > 400


def test_within_active_hours_nothing_moves():
    office = Schedule(every=3600, hours="08:00-18:00")
    assert next_check(office, "w", NOON) == next_check(HOURLY, "w", NOON)


def test_active_hours_may_reach_over_midnight():
    night = Schedule(cron="*/30 * * * *", hours="22:00-06:00", jitter=0)
    assert next_check(night, "w", datetime(2026, 3, 5, 23, 10, tzinfo=UTC)).hour == 23
    assert next_check(night, "w", datetime(2026, 3, 5, 2, 10, tzinfo=UTC)).hour == 2
    assert next_check(night, "w", NOON) >= datetime(2026, 3, 5, 22, tzinfo=UTC)


def test_a_failing_watch_is_tried_soon_and_then_less_and_less_often():
    daily = Schedule(every=86_400)
    waits = [
        (next_check(daily, "w", NOON, failures=n) - NOON).total_seconds() for n in range(1, 15)
    ]
    assert 300 <= waits[0] <= 330
    assert all(later > sooner * 1.5 for sooner, later in pairwise(waits[:8]))
    assert waits[-1] <= 86_400 * 1.1


def test_a_server_that_asks_for_patience_gets_it():
    asked = next_check(HOURLY, "w", NOON, failures=1, wait=7_200)
    assert asked >= NOON + timedelta(hours=2)


@given(
    every=st.integers(60, 366 * 86_400),
    watch=st.text(max_size=20),
    seconds=st.integers(0, 10**9),
    hours=st.sampled_from(["", "08:00-18:00", "sat-sun 23:00-01:00", "00:00-24:00"]),
    zone=st.sampled_from(["UTC", "Europe/Vienna", "America/St_Johns", "Pacific/Apia"]),
)
def test_the_next_check_is_always_later_and_never_too_late(every, watch, seconds, hours, zone):
    now = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    due = next_check(Schedule(every=every, hours=hours, zone=zone), watch, now)
    assert now < due <= now + timedelta(seconds=every) + timedelta(days=8)
    if not hours:
        assert due - now <= timedelta(seconds=every)
        assert due - now >= timedelta(seconds=every / 2 - 1)
