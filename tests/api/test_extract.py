"""The public functions, with and without the sandbox."""

from __future__ import annotations

from importlib.resources import files

import pytest

import pageloom

PAGE = (files("pageloom.samples") / "harbour-swifts.html").read_bytes()
URL = "https://tidewatch.example/nature/harbour-swifts"


def test_the_sandbox_gives_the_same_document():
    assert pageloom.extract(PAGE, URL, timeout_ms=20_000) == pageloom.extract(PAGE, URL)


def test_all_documents_of_one_page_are_the_one():
    assert pageloom.extract_all(PAGE, URL) == [pageloom.extract(PAGE, URL)]
    assert pageloom.extract_all(PAGE, URL, timeout_ms=20_000) == [pageloom.extract(PAGE, URL)]


def test_the_time_limit_is_real():
    with pytest.raises(pageloom.ParseTimeout) as caught:
        pageloom.extract(b"<p>page</p>" * 500_000, timeout_ms=1)
    assert caught.value.figures == {"timeout_ms": 1}
    assert pageloom.extract(PAGE, URL, timeout_ms=20_000).title


def test_errors_are_the_same_with_and_without_the_sandbox():
    for timeout in (None, 20_000):
        with pytest.raises(pageloom.EmptyContent):
            pageloom.extract(b"  ", timeout_ms=timeout)
        with pytest.raises(pageloom.OversizedContent) as caught:
            pageloom.extract(PAGE, options={"max_content_length": 10}, timeout_ms=timeout)
        assert caught.value.figures["maximum"] == 10


def test_options_are_given_by_name():
    assert pageloom.extract(PAGE, URL, options={"enable_markdown": False}).markdown == ""
    assert pageloom.extract(PAGE, URL, options=pageloom.Options(extract_links=False)).links == ()
    with pytest.raises(pageloom.SettingsError) as caught:
        pageloom.extract(PAGE, URL, options={"enable_markdwon": False})
    assert "enable_markdown" in caught.value.suggestions[0]


def test_rules_may_be_left_out():
    assert pageloom.extract(PAGE, URL, rules=None).title


def test_what_is_known_of_the_page_reaches_the_document():
    document = pageloom.extract(PAGE, "http://tidewatch.example/swifts", final_url=URL)
    assert (document.url, document.final_url) == ("http://tidewatch.example/swifts", URL)


def test_a_document_survives_json():
    document = pageloom.extract(PAGE, URL)
    assert pageloom.Document.from_dict(document.to_dict()) == document
