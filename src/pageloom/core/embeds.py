"""Recognise embedded videos, audio and posts, and find their canonical URLs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from pageloom.core.page_urls import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pageloom.core.dom import Element

EmbedKind = Literal["video", "audio", "embed"]


class Embed(NamedTuple):
    """A video, a sound or an embedded post."""

    kind: EmbedKind
    provider: str
    """Such as ``youtube``; the host where nobody is known; empty for the page's own files."""
    url: str
    title: str


class _Address(NamedTuple):
    host: str
    parts: list[str]
    """The path, cut at its slashes, without empty pieces."""
    query: Mapping[str, list[str]]

    def asked(self, name: str) -> str:
        return (self.query.get(name) or [""])[0]

    def after(self, *names: str) -> str:
        """The piece of the path that follows one of these."""
        for place, part in enumerate(self.parts[:-1]):
            if part in names:
                return self.parts[place + 1]
        return ""


_Found = tuple[EmbedKind, str, str]
_ID = re.compile(r"[A-Za-z0-9_\-]{1,64}")
_NOT_CONTENT = re.compile(
    r"(?:^|\.)(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com|recaptcha\.net|"
    r"google-analytics\.com|adservice\.google\.com|amazon-adsystem\.com|taboola\.com|outbrain\.com|"
    r"criteo\.com|accounts\.google\.com|hcaptcha\.com|facebook\.net|addthis\.com|sharethis\.com)$"
)
_POST_CLASSES = {
    "twitter-tweet": "twitter",
    "twitter-video": "twitter",
    "instagram-media": "instagram",
    "tiktok-embed": "tiktok",
    "bluesky-embed": "bluesky",
    "reddit-embed-bq": "reddit",
    "reddit-card": "reddit",
    "mastodon-embed": "mastodon",
    "fb-post": "facebook",
    "fb-video": "facebook",
}
_POST_LINKS = {
    "twitter": re.compile(r"//(?:www\.|mobile\.)?(?:twitter|x)\.com/[^/]+/status(?:es)?/\d+"),
    "instagram": re.compile(r"//(?:www\.)?instagram\.com/(?:[^/]+/)?(?:p|reel|tv)/[\w\-]+"),
    "tiktok": re.compile(r"//(?:www\.|m\.)?tiktok\.com/@[^/]+/video/\d+"),
    "bluesky": re.compile(r"//bsky\.app/profile/[^/]+/post/\w+"),
    "reddit": re.compile(r"//(?:www\.|old\.)?reddit\.com/r/[^/]+/comments/\w+"),
    "facebook": re.compile(r"//(?:www\.)?facebook\.com/[^/]+/(?:posts|videos)/"),
    "mastodon": re.compile(r"//[^/]+/@[^/]+/\d+"),
}
_CUSTOM_PLAYERS = {
    "lite-youtube": ("videoid", "https://www.youtube.com/embed/"),
    "amp-youtube": ("data-videoid", "https://www.youtube.com/embed/"),
    "youtube-video": ("data-id", "https://www.youtube.com/embed/"),
    "lite-vimeo": ("videoid", "https://player.vimeo.com/video/"),
    "amp-vimeo": ("data-videoid", "https://player.vimeo.com/video/"),
    "amp-dailymotion": ("data-videoid", "https://www.dailymotion.com/embed/video/"),
    "amp-twitter": ("data-tweetid", "https://platform.twitter.com/embed/Tweet.html?id="),
    "amp-instagram": ("data-shortcode", "https://www.instagram.com/p/"),
}
EMBED_TAGS = frozenset(
    {"iframe", "video", "audio", "embed", "object", "amp-iframe", "amp-video", "amp-audio"}
    | set(_CUSTOM_PLAYERS)
)
"""The elements besides marked block quotes that ``embed_of`` can answer for."""
_LAZY = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-cookieblock-src", "data")


def embed_of(element: Element, base_url: str = "") -> Embed | None:
    """What the element embeds, or None when it embeds nothing a reader would want."""
    tag = element.tag
    if tag in {"blockquote", "div"}:
        return post_of(element, base_url)
    if tag not in EMBED_TAGS:
        return None
    if tag in {"video", "audio", "amp-video", "amp-audio"}:
        return _own_file(element, base_url)
    address = _frame_address(element, base_url)
    return _framed(address, _title(element)) if address else None


def post_of(element: Element, base_url: str = "") -> Embed | None:
    """The embedded post (tweet and the like) that a marked block quote stands for."""
    provider = next(
        (
            _POST_CLASSES[name]
            for name in (element.attr("class") or "").split()
            if name in _POST_CLASSES
        ),
        "",
    )
    if not provider:
        return None
    url = _post_address(element, provider, base_url)
    return Embed("embed", provider, url, _title(element)) if url else None


def canonical_media(url: str) -> tuple[EmbedKind, str, str] | None:
    """Kind, provider and canonical URL for the URL of a known player or media page."""
    try:
        split = urlsplit(url)
        host = (split.hostname or "").removeprefix("www.").removeprefix("m.")
    except ValueError:
        return None
    known = _KNOWN.get(host)
    if known is None:
        return None
    parts = [unquote(part) for part in split.path.split("/", 12) if part]
    return known(_Address(host, parts, parse_qs(split.query[:2_000], max_num_fields=50)))


def _framed(url: str, title: str) -> Embed | None:
    try:
        known = canonical_media(url)
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return None
    if known is not None:
        return Embed(*known, title)
    if not host or _NOT_CONTENT.search(host):
        return None
    return Embed("embed", host, url, title)


def _frame_address(element: Element, base_url: str) -> str | None:
    custom = _CUSTOM_PLAYERS.get(element.tag)
    if custom is not None:
        identifier = element.attr(custom[0]) or ""
        return custom[1] + identifier if _ID.fullmatch(identifier) else None
    for name in _LAZY:
        value = element.attr(name)
        url = absolute(value, base_url) if value else None
        if url is not None:
            return url
    return None


def _own_file(element: Element, base_url: str) -> Embed | None:
    kind: EmbedKind = "audio" if element.tag.endswith("audio") else "video"
    values = [element.attr(name) for name in ("src", "data-src")]
    values += [source.attr("src") or source.attr("data-src") for source in _sources(element)]
    for value in values:
        url = absolute(value, base_url) if value else None
        if url is not None:
            known = canonical_media(url)
            return (
                Embed(*known, _title(element)) if known else Embed(kind, "", url, _title(element))
            )
    return None


def _sources(element: Element) -> list[Element]:
    return element.find_all("source", limit=10)


def _title(element: Element) -> str:
    return " ".join((element.attr("title") or element.attr("aria-label") or "").split())[:300]


def _post_address(element: Element, provider: str, base_url: str) -> str | None:
    pattern = _POST_LINKS[provider]
    stated = [element.attr(name) for name in ("data-instgrm-permalink", "cite", "data-href")]
    links = [link.attr("href") for link in element.find_all("a", limit=200)]
    # the last such link is the post's own: the earlier ones are posts it talks about
    for value in (*stated, *reversed(links)):
        url = absolute(value, base_url) if value else None
        if url is not None and pattern.search(url):
            return url.partition("?")[0].partition("#")[0]
    return None


def _youtube(at: _Address) -> _Found | None:
    if at.host == "youtu.be":
        identifier = at.parts[0] if at.parts else ""
    else:
        identifier = at.asked("v") or at.after("embed", "v", "shorts", "live")
    if identifier == "videoseries" or not identifier:
        playlist = at.asked("list")
        if not _ID.fullmatch(playlist):
            return None
        return "video", "youtube", f"https://www.youtube.com/playlist?list={playlist}"
    if not _ID.fullmatch(identifier):
        return None
    return "video", "youtube", f"https://www.youtube.com/watch?v={identifier}"


def _vimeo(at: _Address) -> _Found | None:
    identifier = next((part for part in at.parts if part.isdecimal()), "")
    secret = at.asked("h")
    if not identifier:
        return None
    suffix = f"/{secret}" if _ID.fullmatch(secret) else ""
    return "video", "vimeo", f"https://vimeo.com/{identifier}{suffix}"


def _dailymotion(at: _Address) -> _Found | None:
    short = at.parts[0] if at.host == "dai.ly" and at.parts else ""
    identifier = short or at.after("video") or at.asked("video")
    if not _ID.fullmatch(identifier):
        return None
    return "video", "dailymotion", f"https://www.dailymotion.com/video/{identifier}"


def _spotify(at: _Address) -> _Found | None:
    parts = [part for part in at.parts if part not in {"embed", "embed-podcast"}]
    if len(parts) < 2 or not all(_ID.fullmatch(part) for part in parts):
        return None
    return "audio", "spotify", "https://open.spotify.com/" + "/".join(parts)


def _soundcloud(at: _Address) -> _Found | None:
    if at.host == "w.soundcloud.com":
        url = absolute(at.asked("url"))
    else:
        url = "https://soundcloud.com/" + "/".join(at.parts) if at.parts else None
    return ("audio", "soundcloud", url) if url else None


def _twitter(at: _Address) -> _Found | None:
    identifier = at.after("status", "statuses") or at.asked("id")
    if not identifier.isdecimal():
        return None
    author = at.parts[0] if "status" in at.parts[1:2] and _ID.fullmatch(at.parts[0]) else "i"
    host = "x.com" if at.host.startswith("platform.") else at.host.removeprefix("mobile.")
    return "embed", "twitter", f"https://{host}/{author}/status/{identifier}"


def _instagram(at: _Address) -> _Found | None:
    identifier = at.after("p", "reel", "tv")
    if not _ID.fullmatch(identifier):
        return None
    form = "reel" if "reel" in at.parts else "p"
    return "embed", "instagram", f"https://www.instagram.com/{form}/{identifier}/"


def _tiktok(at: _Address) -> _Found | None:
    identifier = at.after("video") or next((part for part in at.parts if part.isdecimal()), "")
    if not identifier.isdecimal():
        return None
    author = at.parts[0] if at.parts[0].startswith("@") else "@"
    return "video", "tiktok", f"https://www.tiktok.com/{author}/video/{identifier}"


def _facebook(at: _Address) -> _Found | None:
    url = absolute(at.asked("href"))
    return ("video" if "video.php" in at.parts else "embed", "facebook", url) if url else None


def _twitch(at: _Address) -> _Found | None:
    for name, path in (("video", "videos/"), ("channel", ""), ("clip", "")):
        value = at.asked(name).removeprefix("v")
        if _ID.fullmatch(value):
            host = "clips.twitch.tv" if name == "clip" else "www.twitch.tv"
            return "video", "twitch", f"https://{host}/{path}{value}"
    return None


def _ted(at: _Address) -> _Found | None:
    talk = at.after("talks")
    return ("video", "ted", f"https://www.ted.com/talks/{talk}") if _ID.fullmatch(talk) else None


def _apple(at: _Address) -> _Found | None:
    path = "/".join(at.parts)
    return ("audio", "apple", f"https://podcasts.apple.com/{path}") if path else None


_KNOWN: dict[str, Callable[[_Address], _Found | None]] = {
    "youtube.com": _youtube,
    "youtube-nocookie.com": _youtube,
    "youtu.be": _youtube,
    "vimeo.com": _vimeo,
    "player.vimeo.com": _vimeo,
    "dailymotion.com": _dailymotion,
    "geo.dailymotion.com": _dailymotion,
    "dai.ly": _dailymotion,
    "open.spotify.com": _spotify,
    "embed.spotify.com": _spotify,
    "soundcloud.com": _soundcloud,
    "w.soundcloud.com": _soundcloud,
    "twitter.com": _twitter,
    "x.com": _twitter,
    "mobile.twitter.com": _twitter,
    "platform.twitter.com": _twitter,
    "platform.x.com": _twitter,
    "instagram.com": _instagram,
    "tiktok.com": _tiktok,
    "facebook.com": _facebook,
    "player.twitch.tv": _twitch,
    "clips.twitch.tv": _twitch,
    "embed.ted.com": _ted,
    "embed.podcasts.apple.com": _apple,
}
