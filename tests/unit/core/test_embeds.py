# ruff: noqa: E501 - markup is easier to read on one line
from __future__ import annotations

import pytest

from pageloom.core.dom import Element, parse_fragment
from pageloom.core.embeds import embed_of

BASE = "https://site.example/dir/page"


def first(markup: str) -> Element:
    return next(iter(parse_fragment(markup).iter_elements()))


def frame(src: str) -> str:
    return f'<iframe src="{src}" title="T"></iframe>'


@pytest.mark.parametrize(
    ("src", "kind", "provider", "url"),
    [
        ("https://www.youtube.com/embed/abc_DEF-123?rel=0", "video", "youtube", "https://www.youtube.com/watch?v=abc_DEF-123"),
        ("//www.youtube-nocookie.com/embed/abc", "video", "youtube", "https://www.youtube.com/watch?v=abc"),
        ("https://www.youtube.com/embed/videoseries?list=PL1", "video", "youtube", "https://www.youtube.com/playlist?list=PL1"),
        ("https://player.vimeo.com/video/123?h=ab12", "video", "vimeo", "https://vimeo.com/123/ab12"),
        ("https://www.dailymotion.com/embed/video/x7abc", "video", "dailymotion", "https://www.dailymotion.com/video/x7abc"),
        ("https://geo.dailymotion.com/player.html?video=x7abc", "video", "dailymotion", "https://www.dailymotion.com/video/x7abc"),
        ("https://open.spotify.com/embed/track/4uL", "audio", "spotify", "https://open.spotify.com/track/4uL"),
        ("https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b&amp;x=1", "audio", "soundcloud", "https://soundcloud.com/a/b"),
        ("https://platform.twitter.com/embed/Tweet.html?id=42", "embed", "twitter", "https://x.com/i/status/42"),
        ("https://www.instagram.com/p/Cxyz/embed/", "embed", "instagram", "https://www.instagram.com/p/Cxyz/"),
        ("https://www.tiktok.com/embed/v2/7012", "video", "tiktok", "https://www.tiktok.com/@/video/7012"),
        ("https://maps.example/embed?x=1", "embed", "maps.example", "https://maps.example/embed?x=1"),
        ("/own/frame.html", "embed", "site.example", "https://site.example/own/frame.html"),
    ],
)  # fmt: skip
def test_frames_become_the_thing_itself(src: str, kind: str, provider: str, url: str) -> None:
    assert embed_of(first(frame(src)), BASE) == (kind, provider, url, "T")


@pytest.mark.parametrize(
    "markup",
    [
        frame("about:blank"),
        frame("javascript:alert(1)"),
        frame("https://securepubads.doubleclick.net/x"),
        frame("https://www.googletagmanager.com/ns.html?id=1"),
        "<iframe></iframe>",
        "<video></video>",
        "<p>no</p>",
        "<blockquote><a href='https://x.com/a/status/1'>quoted</a></blockquote>",
        "<blockquote class='twitter-tweet'>no link</blockquote>",
    ],
)
def test_what_a_reader_would_not_want_is_none(markup: str) -> None:
    assert embed_of(first(markup), BASE) is None


def test_lazy_frames_and_custom_players() -> None:
    lazy = first('<iframe src="about:blank" data-src="https://player.vimeo.com/video/9"></iframe>')
    lite = first('<lite-youtube videoid="abc123"></lite-youtube>')
    assert embed_of(lazy, BASE) == ("video", "vimeo", "https://vimeo.com/9", "")
    assert embed_of(lite, BASE) == (
        "video",
        "youtube",
        "https://www.youtube.com/watch?v=abc123",
        "",
    )


def test_own_files() -> None:
    video = first('<video title="Clip"><source src="a.webm"><source src="a.mp4"></video>')
    assert embed_of(video, BASE) == ("video", "", "https://site.example/dir/a.webm", "Clip")
    audio = first('<audio src="/s.mp3"></audio>')
    assert embed_of(audio, BASE) == ("audio", "", "https://site.example/s.mp3", "")


def test_a_tweet_is_known_by_its_own_link_not_by_those_it_mentions() -> None:
    tweet = first(
        '<blockquote class="twitter-tweet"><p>See <a href="https://twitter.com/b/status/1">it</a></p>'
        '— A (@a) <a href="https://twitter.com/a/status/2?ref_src=x">May 1</a></blockquote>'
    )
    assert embed_of(tweet) == ("embed", "twitter", "https://twitter.com/a/status/2", "")


def test_an_instagram_post_states_its_address_in_an_attribute() -> None:
    post = first(
        '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/Q1/?a=b">'
        "</blockquote>"
    )
    assert embed_of(post) == ("embed", "instagram", "https://www.instagram.com/p/Q1/", "")
