"""Feeds: what readers of them parse, whatever stands in pages."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from pageloom.views.feeds import Feed, FeedEntry, write_feed_text

EVIL = "<script>alert(1)</script>\x00\x0b\ud800 & ]]> \u202e"
FEED = Feed(
    id="search?q=x",
    title=EVIL,
    entries=[
        FeedEntry(
            id="page:1", title=EVIL, at="2026-03-05T08:30:00Z", url="javascript:x", text=EVIL
        ),
        FeedEntry(
            id="page:2", title="", at="not a time", url="https://a.example/?a=1&b=2", html="<p>"
        ),
    ],
)


@pytest.mark.parametrize("form", ["atom", "rss"])
def test_xml_is_whole_whatever_stands_in_a_page(form):
    root = ET.fromstring(write_feed_text(FEED, form))  # noqa: S314  our own
    assert "alert(1)" in "".join(root.itertext())
    assert not [each for each in root.iter() if each.tag.endswith("script")]
    links = [each.get("href") or each.text for each in root.iter() if each.tag.endswith("link")]
    assert not [link for link in links if link and link.startswith("javascript:")]


def test_json_has_the_same_entries():
    made = json.loads(write_feed_text(Feed(id="x", title="T", entries=FEED.entries[1:]), "json"))
    assert made["items"] == [
        {
            "id": "urn:pageloom:page:2",
            "title": "",
            "date_modified": "not a time",
            "content_html": "<p>",
            "url": "https://a.example/?a=1&b=2",
        }
    ]


def test_a_feed_without_entries_is_a_feed():
    for form in ("atom", "rss", "json"):
        assert "Empty" in write_feed_text(Feed(id="x", title="Empty", entries=[]), form)
