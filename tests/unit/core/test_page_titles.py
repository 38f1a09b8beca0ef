"""Titles of whole pages and feed items: what is the site's name, and what is not."""

import pytest

from pageloom import extract, extract_all

PROSE = (
    "<p>It rained in the hills for days, and nobody who lives there was surprised by it.</p>" * 4
)


def title(text: str, heading: str = "", url: str = "https://cloud.example/a") -> str:
    top = f"<h1>{heading}</h1>" if heading else ""
    return extract(f"<title>{text}</title><main>{top}{PROSE}</main>", url).title


@pytest.mark.parametrize(
    "text",
    [
        "Rally «Lisbon-Dakar»",
        "« Lisbon » and « Dakar »",
        "Cooking for Cloud - where and how?",
        "Cloud kitchens at home - where and how?",
    ],
)
def test_titles_that_are_whole(text: str):
    assert title(text) == text
    assert title(text, text) == text


@pytest.mark.parametrize(
    "text", ["Rain again - Cloud", "Rain again | Cloud Online", "Rain again »", "Cloud: Rain again"]
)
def test_the_name_of_the_site_is_cut_off(text: str):
    assert title(text).removeprefix("Cloud: ") == "Rain again"


@pytest.mark.parametrize(
    ("text", "channel", "wanted"),
    [
        ("Test Item - RSS 1.0", "Test Feed - RSS 1.0", "Test Item - RSS 1.0"),
        ("Cooking for Cloud - where and how?", "Cloud", "Cooking for Cloud - where and how?"),
        ("Rally «Lisbon-Dakar»", "Cloud", "Rally «Lisbon-Dakar»"),
        ("Rain again - Cloud", "Cloud", "Rain again"),
        ("Cloud - what it is", "The Cloud Times", "Cloud - what it is"),
    ],
)
def test_titles_of_feed_items(text: str, channel: str, wanted: str):
    feed = (
        f"<rss version='2.0'><channel><title>{channel}</title><link>https://cloud.example/</link>"
        f"<item><title>{text}</title><link>https://cloud.example/1</link>"
        "<description>It rained.</description></item></channel></rss>"
    )
    assert extract_all(feed, "https://cloud.example/feed")[0].title == wanted


def test_a_button_in_the_headline_is_no_part_of_the_title():
    heading = 'asyncio.run <button class="copy">Copy link</button>'
    assert title("asyncio.run — reference", heading) == "asyncio.run"
