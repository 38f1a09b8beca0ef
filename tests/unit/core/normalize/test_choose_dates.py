from __future__ import annotations

from pageloom.core.normalize.choose_dates import choose_dates, date_in_url
from pageloom.core.normalize.parse_dates import DateContext
from pageloom.core.parts import Claim

CONTEXT = DateContext(language="en", fetched_at="2026-03-05T10:00:00+00:00")


def claim(field: str, value: str, source: str) -> Claim:
    return Claim(field=field, value=value, source=source)


def choose(*claims: Claim, nearby=(), url="", page_type="article", context=CONTEXT, **more):
    by_field: dict[str, list[Claim]] = {}
    for one in claims:
        by_field.setdefault(one.field, []).append(one)
    return choose_dates(by_field, nearby, url, page_type, context, **more)


def test_structured_data_comes_before_meta_and_visible_dates():
    published, _ = choose(
        claim("published", "2026-02-03", "time"),
        claim("published", "2026-02-02", "meta[article:published_time]"),
        claim("published", "2026-02-01", "json-ld"),
    )
    assert published is not None
    assert (published.date, published.source) == ("2026-02-01", "json-ld")


def test_a_source_without_a_rank_comes_last_and_is_not_dropped():
    new = claim("published", "2026-02-04", "new source")
    for page_type in ("article", "product"):
        published = choose(new, page_type=page_type)[0]
        assert published is not None
        assert published.source == "new source"
    first = choose(new, claim("published", "2026-02-03", "time"))[0]
    assert first is not None
    assert first.source == "time"


def test_a_date_in_the_address_counts_only_where_a_date_belongs():
    url = "https://example.com/2026/02/01/rain"
    assert choose(url=url)[0] is not None
    assert choose(url=url, page_type="product")[0] is None
    assert choose(url=url, page_type="listing")[0] is None


def test_visible_dates_count_only_where_a_date_belongs():
    nearby = ("Rain again", "Posted on 1 February 2026")
    published = choose(nearby=nearby)[0]
    assert published is not None
    assert published.date == "2026-02-01"
    assert choose(nearby=nearby, page_type="service")[0] is None


def test_the_stamp_of_a_page_counts_only_where_the_page_has_a_date():
    stamp = claim("page_published", "2026-02-01", "json-ld")
    assert choose(stamp)[0] is None
    for shown in (
        choose(stamp, nearby=("Rain again", "1 February 2026")),
        choose(stamp, claim("published", "2026-02-01", "meta[article:published_time]")),
        choose(stamp, url="https://example.com/2026/02/01/rain"),
    ):
        assert shown[0] is not None
        assert shown[0].source == "json-ld"


def test_a_date_after_the_fetch_is_not_believed():
    assert choose(claim("published", "2027-01-01", "json-ld"))[0] is None


def test_a_utc_instant_is_shown_on_the_page_s_own_day():
    published, _ = choose(
        claim("published", "2026-02-01T22:04:00Z", "json-ld"),
        claim("published", "2026-02-02T00:04:00+02:00", "time"),
    )
    assert published is not None
    assert (published.date, published.zone) == ("2026-02-02", "+02:00")
    assert published.utc == "2026-02-01T22:04:00Z"


def test_a_shown_time_of_day_tells_the_zone():
    published, _ = choose(
        claim("published", "2026-02-01T22:04:00Z", "json-ld"),
        claim("published text", "2 February 2026 00:04", "date class"),
    )
    assert published is not None
    assert (published.date, published.zone) == ("2026-02-02", "+02:00")


def test_a_time_without_a_zone_is_utc_and_says_so():
    published, _ = choose(claim("published", "2026-02-01T08:00", "json-ld"))
    assert published is not None
    assert (published.zone, published.assumed) == ("Z", ("zone",))


def test_the_page_s_other_date_lends_its_zone():
    published, modified = choose(
        claim("published", "2026-02-01T08:00", "json-ld"),
        claim("modified", "2026-02-02T08:00+05:30", "json-ld"),
    )
    assert published is not None
    assert modified is not None
    assert (published.zone, published.assumed) == ("+05:30", ("zone",))


def test_a_change_before_publication_is_no_change():
    _, modified = choose(
        claim("published", "2026-02-02", "json-ld"), claim("modified", "2026-02-01", "json-ld")
    )
    assert modified is None


def test_dates_in_addresses():
    days = {
        "https://example.com/2026/02/01/rain": "2026-02-01",
        "https://example.com/20260201-rain": "2026-02-01",
        "https://example.com/2026/feb/1/rain": "2026-02-01",
        "https://example.com/news/01-02-2026": "2026-02-01",
    }
    for url, day in days.items():
        moment = date_in_url(url)
        assert moment is not None, url
        assert moment.date == day
    assert date_in_url("https://example.com/2026/12/rain") is None
    assert date_in_url("https://example.com/item/20261399") is None


def test_the_midnight_of_the_day_shown_does_not_become_the_evening_before():
    stamp = claim("published", "2026-02-01T23:00:00Z", "meta[article:published_time]")
    published, _ = choose(stamp, nearby=("Rain again", "2 February 2026"))
    assert published is not None
    assert (published.date, published.time, published.precision) == ("2026-02-02", "", "day")
    assert published.utc == "2026-02-01T23:00:00Z"
    noon = claim("published", "2026-02-01T08:17:00Z", "meta[article:published_time]")
    assert choose(noon, nearby=("Rain again", "2 February 2026"))[0].date == "2026-02-01"


def test_a_page_that_may_be_a_list_has_none_of_the_days_that_it_marks():
    days = [claim("published", f"2026-02-0{day}", "time") for day in (1, 3, 7)]
    assert choose(*days, certain=False)[0] is None
    for own in (
        choose(*days),
        choose(*days[:2], certain=False),
        choose(*days, nearby=("Posted on 1 February 2026",), certain=False),
        choose(*days, claim("published", "2026-02-01", "json-ld"), certain=False),
    ):
        assert own[0] is not None
        assert own[0].date == "2026-02-01"


def test_a_line_of_its_own_is_enough_where_the_type_is_a_guess():
    letter = "Dear visitors,\nthis site has ended.\nAnn\n10 September 2017"
    found = choose(text=letter, page_type="service", certain=False)[0]
    assert found is not None
    assert found.date == "2017-09-10"
    assert choose(text=letter, page_type="service")[0] is None
    assert choose(text=letter, page_type="listing", certain=False)[0] is None
