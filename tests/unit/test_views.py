from __future__ import annotations

from dataclasses import replace

import pytest

from pageloom import views
from pageloom.errors import NotAnArticle
from pageloom.model import Document, Image, Link, Media, Moment, Price, Rating
from pageloom.model.library import JobInfo
from pageloom.views import records

DOCUMENT = Document(
    url="https://x.example/rain?a=1",
    final_url="https://x.example/rain",
    canonical_url="https://x.example/weather/rain",
    id="abc",
    source_id="cloud",
    title="Rain again",
    description="It rains.",
    author="Ann Lee, Bo Ek",
    authors=("Ann Lee", "Bo Ek"),
    published=Moment(date="2026-02-01", time="09:30", zone="+01:00", utc="2026-02-01T08:30:00Z"),
    language="en",
    site_name="Daily Cloud",
    text="The rain came back.",
    markdown="The rain came back.",
    images=(Image(url="https://x.example/1.jpg"),),
    links=(Link(url="https://x.example/a"), Link(url="https://x.example/a", text="twice")),
    media=(Media(kind="video", url="https://v.example/1"),),
    tags=("Rain",),
    categories=("Weather",),
    metadata={
        "opengraph": {"og:title": "Rain again"},
        "twitter": {"twitter:card": "summary"},
        "meta": {"robots": "all"},
        "jsonld": [{"@type": "Article"}],
    },
    price_candidates=(Price(raw="5 €"),),
    rating_candidates=(Rating(raw="4/5"),),
    page_type="article",
    word_count=400,
    reading_time=2,
    quality_score=70,
)


def test_parsed_is_the_queue_message():
    assert views.parsed(DOCUMENT) == {
        "title": "Rain again",
        "description": "It rains.",
        "text": "The rain came back.",
        "images": ["https://x.example/1.jpg"],
        "links": ["https://x.example/a"],
        "metadata": {
            "og:title": "Rain again",
            "twitter:card": "summary",
            "robots": "all",
            "canonical": "https://x.example/weather/rain",
            "jsonld": [{"@type": "Article"}],
        },
        "priceCandidates": ["5 €"],
        "ratingCandidates": ["4/5"],
    }


def test_article_is_the_news_shape():
    assert views.article(DOCUMENT) == {
        "id": "abc",
        "source_id": "cloud",
        "url": "https://x.example/weather/rain",
        "title": "Rain again",
        "author": "Ann Lee, Bo Ek",
        "timestamp": "2026-02-01T08:30:00Z",
        "language": "en",
        "tags": ["Rain"],
        "body": "The rain came back.",
    }


def test_the_original_is_added_on_request_only():
    assert views.article(DOCUMENT, raw_html="<p>")["raw_html"] == "<p>"


def test_an_article_without_a_date_has_the_fetch_time():
    undated = replace(DOCUMENT, published=None)
    assert (
        views.article(undated, fetched_at="2026-03-05T10:00:00Z")["timestamp"]
        == "2026-03-05T10:00:00Z"
    )
    assert views.article(undated)["timestamp"] is None


@pytest.mark.parametrize(
    "changes",
    [
        {"page_type": "listing"},
        {"page_type": "collection"},
        {"final_url": "https://x.example/"},
        {"final_url": "https://x.example/index.html?x=1"},
        {"title": "404 Not Found", "word_count": 12},
        {"title": "Page not found - Cloud", "word_count": 12},
        {"title": "Seite nicht gefunden", "word_count": 12},
        {"title": "Just a moment...", "word_count": 12},
    ],
)
def test_home_pages_listings_and_error_pages_are_no_articles(changes):
    with pytest.raises(NotAnArticle):
        views.article(replace(DOCUMENT, **changes))


def test_an_article_about_errors_is_an_article():
    assert views.article(replace(DOCUMENT, title="Why 404 pages matter", word_count=900))


def test_extracted_is_the_reader_shape():
    found = views.extracted(DOCUMENT)
    assert list(found) == [
        "url",
        "title",
        "byline",
        "published_iso",
        "markdown",
        "text",
        "links",
        "media",
        "language",
        "reading_time",
        "quality_score",
        "word_count",
        "categories",
        "site_name",
        "description",
    ]
    assert found["byline"] == "Ann Lee, Bo Ek"
    assert found["published_iso"] == "2026-02-01T08:30:00Z"
    assert found["media"] == ["https://x.example/1.jpg", "https://v.example/1"]


def test_frontmatter_is_markdown_with_yaml():
    page = views.frontmatter(DOCUMENT, saved_at="2026-03-05T10:00:00Z")
    assert page.startswith("---\n")
    assert "title: Rain again" in page
    assert page.rstrip().endswith("The rain came back.")


def test_a_job_shows_its_progress_and_not_who_runs_it():
    job = JobInfo(
        id="j1",
        owner="ann",
        kind="save",
        state="running",
        settings={"urls": ["https://a.example/"]},
        total=3,
        done=1,
        lease_owner="host:1",
        created_at="2026-01-01T00:00:00.000Z",
        updated_at="2026-01-01T00:00:01.000Z",
    )
    shown = records.job(job)
    assert (shown["state"], shown["done"], shown["total"]) == ("running", 1, 3)
    assert not {"lease_owner", "lease_until"} & shown.keys()
