from __future__ import annotations

import pytest

from pageloom.core.render.frontmatter import markdown_body
from pageloom.flows.capture.external_reader import read_answer
from pageloom.flows.capture.foreign_documents import Known, with_known
from pageloom.flows.transfer.import_websites import page_of_website
from pageloom.model import Document

URL = "https://tidewatch.example/swifts"


@pytest.mark.parametrize(
    ("text", "iso", "zone"),
    [
        ("2020-01-02 03:04:05+00", "2020-01-02T03:04:05Z", "+00:00"),
        ("2020-01-02 23:04:05-05", "2020-01-03T04:04:05Z", "-05:00"),
        ("2020-01-02 03:04:05.123456+05:30", "2020-01-01T21:34:05Z", "+05:30"),
        ("2020-01-02T03:04:05+0200", "2020-01-02T01:04:05Z", "+02:00"),
        ("2020-01-02 03:04:05 +0200", "2020-01-02T01:04:05Z", "+02:00"),
        ("2020-01-02 03:04:05 UTC", "2020-01-02T03:04:05Z", "Z"),
        ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z", "Z"),
        ("2020-01-02 03:04", "2020-01-02T03:04", ""),
        ("2020-01-02", "2020-01-02", ""),
        ("2020-01-02T99:99", "2020-01-02", ""),
        ("2020-01", "2020-01", ""),
        ("2020", "2020", ""),
        ("Thu, 02 Jan 2020 03:04:05 GMT", "2020-01-02T03:04:05Z", "Z"),
        ("Thu, 02 Jan 2020 03:04:05 +0200", "2020-01-02T01:04:05Z", "Z"),
        ("1577934245", "2020-01-02T03:04:05Z", "Z"),
    ],
)
def test_a_date_is_understood_as_libraries_write_it(text, iso, zone):
    published = with_known(Document(url=URL), Known(published=text)).published
    assert published is not None
    assert (published.iso, published.zone, published.raw) == (iso, zone, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "²",
        "yesterday",
        "0001-01-01T00:00:00Z",
        "2020-99-99",
        "0000-00-00",
        "2020-13",
        "1:2",
    ],
)
def test_what_is_no_date_is_none(text):
    assert with_known(Document(url=URL), Known(published=text)).published is None


def test_the_head_of_a_reader_is_taken_off_and_read():
    head = "Title: Swifts\n\nURL Source: https://a.example/\n\nPublished Time: 2020\n\n"
    answer = read_answer(f"{head}Markdown Content:\nText.")
    assert (answer.title, answer.published, answer.markdown) == ("Swifts", "2020", "Text.")
    bare = read_answer("Title: Swifts\n\nMarkdown Content:\nText.")
    assert (bare.title, bare.markdown) == ("Swifts", "Text.")


@pytest.mark.parametrize("text", ["Title: Recipes\n\nOnions.", "Warning: hot\nOnions.", "Onions."])
def test_a_text_that_only_begins_like_a_head_stays_whole(text):
    assert read_answer(text) == read_answer(f"\ufeff\n{text}")
    assert read_answer(text).markdown == text
    page = page_of_website({"url_full": URL, "content": text})
    assert (page.title, page.content) == ("", text)


@pytest.mark.parametrize(
    "start",
    ["# T1", "T1\n=====", "T1\n--", "T1\n==\nText.", "**T1**\n ===", "## T1\nText."],
)
def test_a_title_that_the_content_begins_with_is_not_written_twice(start):
    body = markdown_body(Document(url=URL, title="T1", markdown=f"{start}\n\nMore text."))
    assert body.count("T1") == 1


@pytest.mark.parametrize("start", ["T1", "T1\n\n=====", "T1 and more\n====", "Text\nT1\n==="])
def test_a_title_is_written_where_the_content_does_not_begin_with_it(start):
    body = markdown_body(Document(url=URL, title="T1", markdown=f"{start}\n\nMore text."))
    assert body.startswith("# T1\n\n")
