"""Dates of whole pages: where they stand, in whose zone, in which order."""

import pytest

from pageloom import extract

PROSE = "".join(
    f"<p>It rained in the hills for the {day} day, and nobody who lives there was surprised, "
    "because it rains there every spring until the ferns are taller than the sheep.</p>"
    for day in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
)


def published(
    head: str = "", lead: str = "", *, path: str = "rain", end: str = "", before: str = ""
):
    document = extract(
        f"<html lang=en><head><title>Rain in the hills</title>{head}</head><body><main><article>"
        f"{before}<h1>Rain in the hills</h1>{lead}{PROSE}{end}</article></main></body></html>",
        f"https://cloud.example/{path}",
    )
    return document.published


def meta(name: str, value: str) -> str:
    return f'<meta name="{name}" content="{value}">'


def test_a_utc_instant_takes_the_day_of_the_address_and_the_time_shown():
    stamp = meta("article:published_time", "2020-02-25T02:25:54+00:00")
    found = published(stamp, '<p class="date">February 24, 2020 9:25 PM</p>')
    assert (found.date, found.time, found.zone) == ("2020-02-24", "21:25", "-05:00")
    assert found.utc == "2020-02-25T02:25:54Z"
    assert published(stamp, path="2020/02/24/rain/").date == "2020-02-24"
    assert published(stamp, "<p>24 February 2020</p>").date == "2020-02-24"


def test_a_day_that_no_zone_can_have_is_not_taken():
    stamp = meta("article:published_time", "2020-02-25T15:25:54+00:00")
    assert published(stamp, "<p>24 February 2020</p>").date == "2020-02-25"
    updated = meta("article:published_time", "2020-02-25T15:25:54+00:00")
    assert published(updated, "<p>Updated 26 February 2020</p>").date == "2020-02-25"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("article:published_time", "Mon Aug 03 12:45:00 EDT 2015"),
        ("published", "August 3, 2015"),
        ("published-date", "2015-08-03"),
        ("og:publish_date", "2015-08-03T10:00:00Z"),
    ],
)
def test_more_spellings_and_more_names(name: str, value: str):
    assert published(meta(name, value)).date == "2015-08-03"


def test_an_ambiguous_date_has_the_order_of_the_one_shown():
    found = published(meta("date", "11/01/2023 12:43:42"), "<p>Created: 11.01.2023</p>")
    other = published(meta("date", "11/01/2023 12:43:42"), "<p>1 November 2023</p>")
    assert (found.date, other.date) == ("2023-01-11", "2023-11-01")


def test_a_date_inside_the_headline():
    document = extract(
        "<title>Regen</title><main><article><h1>Regen<br><small>02.02.2022 • Verband</small></h1>"
        f"{PROSE}</article></main>",
        "https://verband.example/regen",
    )
    assert document.published.date == "2022-02-02"


def test_a_date_before_a_small_headline():
    document = extract(
        "<html lang=de><title>Regen in den Hügeln</title><main><em>01.11.2023 11:35</em>"
        f"<h4>Regen in den Hügeln</h4>{PROSE}</main>",
        "https://verband.example/regen",
    )
    assert document.published.date == "2023-11-01"


def test_a_labelled_date_after_the_story_counts_where_there_is_no_other():
    assert published(end="<div>This post was published on 3 May 2019 by Ann Lee.</div>").date == (
        "2019-05-03"
    )
    assert published(end="<div>This post was about 3 May 2019 and the rain.</div>") is None


def test_a_date_that_is_a_line_at_the_beginning_or_end_of_the_text():
    assert published(end="<p>Ann<br>10 September 2017</p>").date == "2017-09-10"
    assert published(end="<p>Last updated: 10 September 2017</p>") is None


def test_a_labelled_date_near_the_headline_wins_over_the_times_of_others():
    news = "".join(
        f"<li><time datetime=2019-07-0{day}>{day} July</time> A tide</li>" for day in (3, 6, 8)
    )
    found = published(lead="<p>Published on 29 June 2019</p>", before=f"<ul>{news}</ul>")
    assert found.date == "2019-06-29"


def test_a_month_gives_way_to_the_day_in_it():
    month = meta("citation_publication_date", "2017/01")
    assert published(month).date == "2017-01"
    assert published(month + meta("citation_online_date", "2017/01/30")).date == "2017-01-30"
    assert published(month + meta("citation_online_date", "2016/12/30")).date == "2017-01"


def test_a_date_with_a_label_of_something_else_comes_last():
    lead = "<p><b>Joined:</b> <i>24 July 2017</i></p><p>written on 24 February 2024</p>"
    assert published(lead=lead).date == "2024-02-24"
    assert published(lead="<p><b>Valid from:</b> <i>24 July 2017</i></p>").date == "2017-07-24"


def test_a_number_that_begins_a_title_is_no_day_of_the_address():
    assert published(path="2023/10/3-questions") is None
    assert published(path="2023/10/3/questions").date == "2023-10-03"


def test_of_two_declared_days_the_one_shown_beside_the_headline_counts():
    drafted = (
        '<script type="application/ld+json">{"@type": "NewsArticle", '
        '"headline": "Rain in the hills", "datePublished": "2022-01-04T07:29:00Z"}</script>'
    )
    both = drafted + meta("article:published_time", "2022-01-06T08:29:34")
    assert published(both).date == "2022-01-04"
    assert published(both, "<p>06.01.2022</p>").date == "2022-01-06"
    assert published(both, "<p>Updated 6 January 2022</p>").date == "2022-01-04"
    assert published(both, "<p>Updated</p><p>6 January 2022</p>").date == "2022-01-04"
    assert published(drafted, "<p>6 January 2022</p>").date == "2022-01-04"


def test_a_bare_date_gives_way_to_the_only_day_beside_the_headline():
    stamp = meta("date", "2020-04-30")
    assert published(stamp, "<p>29.04.2020, 12:01</p>").date == "2020-04-29"
    assert published(stamp, "<p>29.04.2020</p><p>Photo of 28.04.2020</p>").date == "2020-04-30"
    named = meta("article:published_time", "2020-04-30")
    assert published(named, "<p>29.04.2020, 12:01</p>").date == "2020-04-30"
