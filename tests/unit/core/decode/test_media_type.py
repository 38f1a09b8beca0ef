"""What a text is, whatever the header says."""

from __future__ import annotations

import pytest

from pageloom.core.decode.media_type import find_media_type

ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title></feed>'


@pytest.mark.parametrize(
    ("text", "declared", "media_type"),
    [
        ("<!doctype html><p>x", "", "text/html"),
        ("  <HTML><body>", "text/plain", "text/html"),
        ("<p>hello</p>", "", "text/html"),
        ("hello <b>you</b>", "text/html; charset=utf-8", "text/html"),
        ("no tags at all", "text/html", "text/html"),
        ("<div>x</div>", "application/xml", "application/xml"),
        ('<?xml version="1.0"?><!DOCTYPE html><html>', "", "application/xhtml+xml"),
        ('<?xml version="1.0"?><rss version="2.0">', "text/html", "application/rss+xml"),
        ("<rss><channel>", "text/plain", "application/rss+xml"),
        ("\ufeff\n\n<rss>", "", "application/rss+xml"),
        ("Warning: something\n<rss version='2.0'><channel>", "", "application/rss+xml"),
        ("<!-- made by hand --><rss>", "", "application/rss+xml"),
        (ATOM, "", "application/atom+xml"),
        ("<atom:feed>", "", "application/atom+xml"),
        ("<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", "", "application/rdf+xml"),
        ("<p>We read <rss> feeds</p>", "", "text/html"),
        ('<?xml version="1.0"?><urlset><url>', "", "application/xml"),
        ("<book><title>T</title></book>", "text/xml", "application/xml"),
        ('{"title": "x"}', "", "application/json"),
        ('[{"a": 1}]', "text/html", "application/json"),
        ('{"version": "https://jsonfeed.org/version/1.1"}', "", "application/feed+json"),
        ('{"version": "https:\\/\\/jsonfeed.org\\/version\\/1"}', "", "application/feed+json"),
        ("{not json} but prose", "", "text/plain"),
        ("[1] A footnote to begin with.", "", "text/plain"),
        ("Just words.\n\nMore words.", "", "text/plain"),
        ("Just words.", "application/octet-stream", "text/plain"),
        ("# Title\n\nSome *words*.\n\n- one\n- two\n", "", "text/markdown"),
        ("words", "text/markdown", "text/markdown"),
        ("a < b and c > d", "", "text/plain"),
    ],
)
def test_the_text_decides_and_the_header_helps(text, declared, media_type):
    assert find_media_type(text, declared=declared) == media_type


def test_the_extension_tells_markdown():
    assert find_media_type("words", url="https://a.example/README.md?raw=1") == "text/markdown"
    assert find_media_type("words", url="https://a.example/words.txt") == "text/plain"
