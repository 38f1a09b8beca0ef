from __future__ import annotations

import pytest

from pageloom.core.months import MONTHS
from pageloom.core.normalize.calendars import from_jalali, month_of
from pageloom.core.normalize.parse_dates import DateContext, day_order, find_date, parse_date

FETCHED = "2026-03-05T10:00:00+00:00"


def read(raw: str, language: str = "", **more: str):
    return parse_date(raw, DateContext(language=language, fetched_at=FETCHED, **more))


@pytest.mark.parametrize(
    ("raw", "language", "day"),
    [
        ("2026-03-05", "", "2026-03-05"),
        ("20260305", "", "2026-03-05"),
        ("5 March 2026", "en", "2026-03-05"),
        ("March 5th, 2026", "en", "2026-03-05"),
        ("Feb. 3, 2026", "en", "2026-02-03"),
        ("Jan 5, '26", "en", "2026-01-05"),
        ("3 mars 2026", "fr", "2026-03-03"),
        ("5. März 2026", "de", "2026-03-05"),
        ("5 de marzo de 2026", "es", "2026-03-05"),
        ("5. března 2026", "cs", "2026-03-05"),
        ("5 tammikuuta 2026", "fi", "2026-01-05"),
        ("2026. március 5.", "hu", "2026-03-05"),
        ("2026 m. kovo 5 d.", "lt", "2026-03-05"),
        ("20 Kasım 2025 Perşembe", "tr", "2025-11-20"),
        ("5 марта 2026", "ru", "2026-03-05"),
        ("٥ مارس ٢٠٢٦", "ar", "2026-03-05"),
        ("5 मार्च 2026", "hi", "2026-03-05"),
        ("5 במרץ 2026", "he", "2026-03-05"),
        ("5 tháng 3, 2026", "vi", "2026-03-05"),
        ("2026年3月5日", "ja", "2026-03-05"),
        ("2026년 3월 5일", "ko", "2026-03-05"),
        ("04-ago-2021", "es", "2021-08-04"),
        ("05.03.26", "de", "2026-03-05"),
        ("05.03.98", "de", "1998-03-05"),
    ],
)
def test_a_date_in_any_spelling_is_the_same_day(raw, language, day):
    moment = read(raw, language)
    assert moment is not None
    assert (moment.date, moment.precision) == (day, "day")


@pytest.mark.parametrize(
    ("raw", "language", "day"),
    [
        ("令和8年3月5日", "ja", "2026-03-05"),
        ("民國115年3月5日", "zh", "2026-03-05"),
        ("5 มีนาคม 2569", "th", "2026-03-05"),
        ("۱۵ اسفند ۱۴۰۴", "fa", "2026-03-06"),
        ("2 تير 1399", "fa", "2020-06-22"),
    ],
)
def test_other_calendars_are_turned_into_ours(raw, language, day):
    moment = read(raw, language)
    assert moment is not None
    assert moment.date == day


def test_the_persian_new_year_falls_where_it_fell():
    assert str(from_jalali(1399, 1, 1)) == "2020-03-20"
    assert str(from_jalali(1404, 1, 1)) == "2025-03-21"
    assert from_jalali(1404, 13, 1) is None


def test_every_language_knows_its_own_twelve_months():
    assert len(MONTHS) >= 40
    for language, names in MONTHS.items():
        for number, forms in enumerate(names.split(","), 1):
            first = forms.split("|")[0].strip()
            if " " not in first:
                moment = parse_date(f"7 {first} 2026", DateContext(language=language))
                assert moment is not None, (language, first)
                assert moment.date == f"2026-{number:02d}-07", (language, first)


def test_a_month_that_languages_dispute_is_read_in_the_page_s_own():
    assert month_of("listopada", "pl") == 11
    assert month_of("listopada", "hr") == 10


def test_a_bare_date_keeps_its_day_and_has_no_instant():
    moment = read("2026-03-05")
    assert moment is not None
    assert (moment.time, moment.zone, moment.utc) == ("", "", "")


def test_a_stated_zone_gives_the_instant_and_leaves_the_local_day():
    moment = read("2026-03-05T00:30:00+02:00")
    assert moment is not None
    assert moment.date == "2026-03-05"
    assert moment.utc == "2026-03-04T22:30:00Z"


def test_a_zone_that_was_supplied_is_flagged():
    moment = read("5 March 2026, 09:30", "en", zone="Europe/Paris")
    assert moment is not None
    assert moment.utc == "2026-03-05T08:30:00Z"
    assert moment.assumed == ("zone",)


@pytest.mark.parametrize(
    ("raw", "time", "zone"),
    [
        ("March 5, 2026 at 3:04 pm EST", "15:04", "-05:00"),
        ("Am 5.3.2026 um 9.30 Uhr", "09:30", ""),
        ("2026년 3월 5일 오후 3:20", "15:20", ""),
        ("Thu, 05 Mar 2026 09:30:00 GMT", "09:30:00", "Z"),
        ("Thu Mar 5 2026 10:00:00 GMT+0100 (CET)", "10:00:00", "+01:00"),
        ("March 5, 2026 12am", "00:00", ""),
    ],
)
def test_the_time_of_day_comes_with_the_date(raw, time, zone):
    moment = read(raw, "en")
    assert moment is not None
    assert (moment.date, moment.time, moment.zone) == ("2026-03-05", time, zone)


def test_epoch_numbers_are_instants():
    for raw in ("1772700000", "1772700000123"):
        moment = read(raw)
        assert moment is not None
        assert moment.utc == "2026-03-05T08:40:00Z"


def test_numeric_dates_follow_the_language_and_say_so_when_it_decided():
    american, french = read("5/3/2026", "en-US"), read("5/3/2026", "fr")
    assert american is not None
    assert french is not None
    assert (american.date, american.assumed) == ("2026-05-03", ("day_order",))
    assert (french.date, french.assumed) == ("2026-03-05", ("day_order",))
    sure = read("25/3/2026", "en-US")
    assert sure is not None
    assert (sure.date, sure.assumed) == ("2026-03-25", ())


def test_the_page_s_other_dates_decide_without_a_flag():
    moment = parse_date("5/3/2026", DateContext(language="en-US", order="dmy"))
    assert moment is not None
    assert (moment.date, moment.assumed) == ("2026-03-05", ())


def test_day_orders():
    assert (day_order("en-GB"), day_order("en"), day_order("ja")) == ("dmy", "mdy", "ymd")


@pytest.mark.parametrize(
    ("raw", "language", "date", "precision"),
    [
        ("3 hours ago", "en", "2026-03-05", "day"),
        ("gestern", "de", "2026-03-04", "day"),
        ("vor 3 Tagen", "de", "2026-03-02", "day"),
        ("2日前", "ja", "2026-03-03", "day"),
        ("il y a 2 mois", "fr", "2026-01", "month"),
        ("an hour ago", "en", "2026-03-05", "day"),
        ("2 years ago", "en", "2024", "year"),
    ],
)
def test_relative_dates_count_from_the_fetch(raw, language, date, precision):
    moment = read(raw, language)
    assert moment is not None
    assert (moment.date, moment.precision, moment.assumed) == (date, precision, ("fetched_at",))


def test_relative_dates_without_a_fetch_time_are_unknown():
    assert parse_date("3 hours ago") is None
    assert parse_date("5 March") is None


def test_hier_is_yesterday_in_french_only():
    assert read("hier", "fr") is not None
    assert read("hier", "de") is None


def test_a_day_without_a_year_lies_before_the_fetch():
    moment = read("20 December", "en")
    assert moment is not None
    assert (moment.date, moment.assumed) == ("2025-12-20", ("year",))


@pytest.mark.parametrize(
    ("raw", "date", "precision"),
    [("2026-03", "2026-03", "month"), ("2026", "2026", "year"), ("March 2026", "2026-03", "month")],
)
def test_precision_is_never_more_than_stated(raw, date, precision):
    moment = read(raw, "en")
    assert moment is not None
    assert (moment.date, moment.precision) == (date, precision)


@pytest.mark.parametrize(
    "raw",
    ["", "   ", "version 1.2.3", "10 MIN READ", "2020-02-30", "99/99/2020", "0", "٪٪", "12:30"],
)
def test_what_is_no_date_is_none(raw):
    assert read(raw, "en") is None


def test_the_first_full_date_is_found_in_running_text():
    moment = find_date("By Ann Lee, published on 6 November 2025 and updated 7 May 2026")
    assert moment is not None
    assert moment.date == "2025-11-06"
    assert find_date("Copyright 2026") is None
