"""Make the URLs inside a page absolute."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import can_ada

_WEB = ("http://", "https://")
_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]{0,31}:")
_PLAIN_PATH: Final = re.compile(r"(?:/(?!\.)[\w~.-]+)+/?\Z", re.ASCII)
"""A path that is the same in the joined URL, without empty or dotted parts: most inside a site."""
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]+")
_MEMORABLE: Final = 500
"""Characters: longer URLs, such as whole pictures, are not kept in memory."""


@lru_cache(maxsize=64)
def _parsed(base_url: str) -> can_ada.URL | None:
    try:
        return can_ada.parse(base_url)
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _origin(base_url: str) -> str | None:
    """What a joined URL begins with before a path from the top; None where there is none."""
    top = absolute_once("/./", base_url)
    return None if top is None else top[:-1]


def scheme_of(href: str) -> str:
    """The lower-case scheme of a URL as a browser reads it, or nothing for a relative one."""
    found = _SCHEME.match(tidy(href))
    return found[0][:-1].lower() if found else ""


def tidy(href: str) -> str:
    """The URL without the white space and control characters that browsers ignore."""
    href = href.strip()
    if not href.isprintable():
        href = _CONTROLS.sub("", href)
    return href.replace(" ", "%20") if " " in href else href


def followable(href: str, base_url: str = "") -> str | None:
    """The absolute http(s) URL; unchanged if it is relative and there is no base URL."""
    found = absolute(href, base_url)
    if found is None and not base_url and not scheme_of(href):
        return tidy(href) or None
    return found


def absolute(href: str, base_url: str = "") -> str | None:
    """The absolute http(s) URL, or None for anything that is not one.

    A URL that is already absolute is returned unchanged.
    """
    # the pictures, the Markdown and the HTML all ask for the same ones
    return (_known if len(href) <= _MEMORABLE else absolute_once)(href, base_url)


def absolute_once(href: str, base_url: str) -> str | None:
    """The same for who asks once: most links of a page are not in its content."""
    if href[:1] == "/" and base_url and _PLAIN_PATH.match(href):
        return (origin := _origin(base_url)) and origin + href
    href = tidy(href)
    if href.startswith(_WEB) or href[:8].lower().startswith(_WEB):
        return href if can_ada.can_parse(href) else None
    base = _parsed(base_url) if base_url else None
    if base is None or not href:
        return None
    try:
        joined = (base + href).href
    except ValueError:
        return None
    return joined if joined.startswith(_WEB) else None


_known = lru_cache(maxsize=2_048)(absolute_once)
