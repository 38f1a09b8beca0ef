"""What is of a wrong type is told at once, by its name; whatever a page is, is another matter."""

from __future__ import annotations

from typing import Any

import pytest

import pageloom

PAGE = b"<p>The bridge was closed on Monday after a routine inspection of its piers."


@pytest.mark.parametrize("content", [None, 5, ["<p>"], object()])
@pytest.mark.parametrize("function", [pageloom.extract, pageloom.extract_all])
def test_content_must_be_bytes_or_text(function: Any, content: Any):
    with pytest.raises(TypeError, match="content must be bytes or str, not "):
        function(content, "https://a.example/")


@pytest.mark.parametrize("content", [bytearray(PAGE), memoryview(PAGE)])
def test_any_holder_of_bytes_is_read_like_bytes(content: Any):
    assert pageloom.extract(content) == pageloom.extract(PAGE)


def test_the_address_must_be_text():
    with pytest.raises(TypeError, match="url must be a str or None, not int"):
        pageloom.extract("<p>", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["content_type", "final_url", "fetched_at"])
def test_what_is_said_about_the_page_must_be_text(name: str):
    with pytest.raises(TypeError, match=f"{name} must be a str or None, not int"):
        pageloom.extract("<p>", **{name: 3})  # type: ignore[arg-type]


def test_a_source_must_be_a_source_hint():
    with pytest.raises(TypeError, match="source must be a SourceHint or None, not str"):
        pageloom.extract("<p>", source="guardian")  # type: ignore[arg-type]


@pytest.mark.parametrize("html", [None, b"<p>x", 7])
def test_only_text_becomes_markdown(html: Any):
    with pytest.raises(TypeError, match="html must be a str, not "):
        pageloom.to_markdown(html)


def test_the_base_of_markdown_must_be_text():
    with pytest.raises(TypeError, match="base_url must be a str, not int"):
        pageloom.to_markdown("<p>", 5)  # type: ignore[arg-type]
