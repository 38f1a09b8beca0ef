"""What kind of page it is."""

from __future__ import annotations

import json

import pytest
from tests.unit.core.extract.pages import ARTICLE, LONG, source_of

from pageloom import extract
from pageloom.core.extract.content import extract_content
from pageloom.core.extract.features import PageContext
from pageloom.core.extract.page_kind import judge_kind

BODY = "".join(f"<p>{text}</p>" for text in LONG)


def declared(kind: str) -> str:
    data = json.dumps({"@context": "https://schema.org", "@type": kind, "name": "A name"})
    return f'<title>A name</title><script type="application/ld+json">{data}</script>{BODY}'


def test_the_likeliest_kind_wins_with_its_chance_as_confidence():
    assert judge_kind({"article": 20, "forum": 70, "product": 10}, PageContext(), 100) == (
        "forum",
        0.7,
    )


def test_job_postings_are_told_by_what_they_declare():
    document = extract(declared("JobPosting"), "https://x.example/j/1")
    assert (document.page_type, document.page_type_confidence) == ("job", 0.9)


@pytest.mark.parametrize(("words", "kind"), [(50, "video"), (5_000, "article")])
def test_a_video_with_much_text_is_something_else(words: int, kind: str):
    context = PageContext(is_video=True)
    assert judge_kind({"article": 100}, context, words)[0] == kind


def test_confidence_is_a_share():
    content = extract_content(source_of(ARTICLE))
    assert 0 < content.page_type_confidence <= 1


def test_a_page_without_text_is_of_no_kind():
    content = extract_content(source_of("<img src=a.png>"))
    assert (content.page_type, content.page_type_confidence) == ("other", 0.0)


def test_a_declared_news_article_is_an_article():
    page = declared("NewsArticle").replace(
        "</title>", '</title><meta property="og:type" content="article">'
    )
    document = extract(
        f"<main><article><h1>A name</h1>{page}</article></main>", "https://x.example/news/a-b-c"
    )
    assert document.page_type == "article"


def test_in_doubt_a_page_of_running_text_is_an_article():
    chances = {"article": 30, "service": 35, "product": 35}
    assert judge_kind(chances, PageContext(), 300, running=0.95)[0] == "article"
    assert judge_kind(chances, PageContext(), 300, running=0.2)[0] == "service"
