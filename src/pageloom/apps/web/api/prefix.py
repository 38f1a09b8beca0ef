"""The reader prefix: put ``/r/`` before a URL, and get its text.

It speaks as reader services do, so that programs written for them can use it unchanged.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Depends, Request, Response

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.errors import InvalidRequest
from pageloom.apps.web.scoped_routes import Routes
from pageloom.library.fetch import fetch_async
from pageloom.model import Document
from pageloom.views import documents

routes = Routes()
Saves = Annotated[Ask, Depends(needs("save"))]
_LONGEST_TIMEOUT = 60.0
_ENGINES = {"browser": "force", "direct": "never", "auto": "auto"}
_FORMS = ("markdown", "text", "html", "content")
_KNOWN = frozenset(
    "x-respond-with x-return-format x-target-selector x-remove-selector x-wait-for-selector"
    " x-timeout x-no-cache x-cache-tolerance x-with-links-summary x-with-images-summary"
    " x-retain-images x-set-cookie x-user-agent x-locale x-engine x-token-budget x-save".split()
)
_ABSENT = frozenset(
    "x-retain-links x-robots-txt x-with-generated-alt x-with-iframe x-with-shadow-dom x-proxy"
    " x-proxy-url x-viewport x-referer x-md-link-style x-md-heading-style x-no-gfm"
    " x-keep-img-data-url x-base".split()
)
"""Headers of reader services that do nothing here; the answer names them."""
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the headers of a request ask for."""

    form: str
    render: Literal["auto", "force", "never"]
    wait_for: str
    timeout: float | None
    headers: dict[str, str]
    cookies: dict[str, str]
    scope: tuple[str, ...]
    ignore: tuple[str, ...]
    budget: int
    links: bool
    images: bool
    keeps_images: bool
    saves: bool
    ignored: tuple[str, ...]


@routes.add("GET", "/r/{target:path}", "save")
async def read_url(ask: Saves, target: str) -> Response:
    """The text of a page."""
    return await _read(ask, _target(ask.request))


@routes.add("POST", "/r/{target:path}", "save")
async def read_posted(ask: Saves, target: str) -> Response:
    """The same; the URL may stand in the body: ``{"url": "https://…"}``."""
    url = _target(ask.request)
    if not url:
        url = _posted(await ask.request.body())
    return await _read(ask, url)


def _target(request: Request) -> str:
    """The URL behind the prefix as it was sent, with its own query."""
    raw = request.scope.get("raw_path", b"").decode("latin-1").partition("/r/")[2]
    query = request.scope["query_string"].decode("latin-1")
    url = re.sub(r"^(https?):/+", r"\1://", raw, flags=re.IGNORECASE)
    return f"{url}?{query}" if query and url else url


def _posted(body: bytes) -> str:
    try:
        given = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.DecodeError:
        given = {}
    return str(given.get("url", ""))[:4000]


async def _read(ask: Ask, url: str) -> Response:
    if not url:
        raise InvalidRequest("Write a URL behind the prefix: /r/https://example.com/.")
    wish = _wish(ask.request)
    document = await (_saved(ask, url, wish) if wish.saves else _fetched(ask, url, wish))
    content = _content(document, wish)
    tokens = len(content) // _CHARACTERS_A_TOKEN + 1
    if wish.budget and tokens > wish.budget:
        raise InvalidRequest(f"The page has {tokens:,} tokens, more than the budget.")
    headers = {"X-Ignored": ", ".join(wish.ignored)} if wish.ignored else {}
    return _answer(ask.request, document, url, content, tokens, headers)


def _wish(request: Request) -> _Wish:
    given = request.headers
    form = (given.get("x-respond-with") or given.get("x-return-format") or "markdown").lower()
    ignored = sorted(name for name in given if name in _ABSENT)
    if form not in _FORMS:
        ignored.append(f"x-respond-with: {form[:40]}")
        form = "markdown"
    engine = given.get("x-engine", "auto").lower()
    sent = {"user-agent": given.get("x-user-agent"), "accept-language": given.get("x-locale")}
    return _Wish(
        form=form,
        render=_ENGINES.get(engine, "auto"),  # pyright: ignore[reportArgumentType]
        wait_for=given.get("x-wait-for-selector", ""),
        timeout=_seconds(given.get("x-timeout", "")),
        headers={name: value for name, value in sent.items() if value},
        cookies=_cookies(given.getlist("x-set-cookie")),
        scope=_selectors(given.get("x-target-selector", "")),
        ignore=_selectors(given.get("x-remove-selector", "")),
        budget=_whole(given.get("x-token-budget", "")),
        links=_is_on(given.get("x-with-links-summary", "")),
        images=_is_on(given.get("x-with-images-summary", "")),
        keeps_images=given.get("x-retain-images", "").lower() != "none",
        saves=_is_on(given.get("x-save", "")),
        ignored=tuple(ignored),
    )


def _is_on(text: str) -> bool:
    return text.lower() in ("true", "1", "all")


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _seconds(text: str) -> float | None:
    return min(float(_whole(text)), _LONGEST_TIMEOUT) if _whole(text) else None


def _selectors(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _cookies(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        try:
            found |= {name: each.value for name, each in SimpleCookie(line).items()}
        except CookieError:
            continue
    return found


async def _fetched(ask: Ask, url: str, wish: _Wish) -> Document:
    settings = ask.library.settings
    options = replace(settings.extraction, scope=wish.scope, ignore=wish.ignore)
    return await fetch_async(
        url,
        render=wish.render,
        wait_for=wish.wait_for,
        headers=wish.headers,
        cookies=wish.cookies,
        rules=ask.library.context.own_rules.sealed,
        options=options if wish.scope or wish.ignore else None,
        timeout=wish.timeout,
        settings=settings,
    )


async def _saved(ask: Ask, url: str, wish: _Wish) -> Document:
    library = ask.site.library.for_user(ask.who.owner)
    result = await asyncio.to_thread(library.save, url, render=wish.render)
    return await asyncio.to_thread(library.document, result)


def _content(document: Document, wish: _Wish) -> str:
    if wish.form == "html":
        return document.html
    if wish.form == "text":
        return document.text
    images = "clickable" if wish.keeps_images else "none"
    parts = [documents.markdown(document, images=images)]
    if wish.links:
        rows = [f"- [{link.text or link.url}]({link.url})" for link in document.links]
        parts.append("Links/Buttons:\n" + "\n".join(dict.fromkeys(rows)))
    if wish.images:
        rows = [f"- ![{image.alt}]({image.url})" for image in document.images]
        parts.append("Images:\n" + "\n".join(dict.fromkeys(rows)))
    return "\n\n".join(parts)


def _answer(
    request: Request, document: Document, url: str, content: str, tokens: int, headers: Any
) -> Response:
    """Plain text with a head, JSON, or a stream of one event, as the Accept header says."""
    accept = request.headers.get("accept", "")
    published = document.published.iso if document.published else ""
    data = {
        "title": document.title,
        "description": document.description,
        "url": document.final_url or url,
        "content": content,
        "publishedTime": published,
        "usage": {"tokens": tokens},
    }
    body = {"code": 200, "status": 20000, "data": data}
    if "application/json" in accept:
        return Response(msgspec.json.encode(body), 200, headers, "application/json")
    if "text/event-stream" in accept:
        line = b"data: " + msgspec.json.encode(data) + b"\n\n"
        return Response(line, 200, headers, "text/event-stream")
    head = [f"Title: {_one_line(document.title)}", f"URL Source: {document.final_url or url}"]
    head += [f"Published Time: {published}"] if published else []
    text = "\n\n".join([*head, f"Markdown Content:\n{content}"])
    return Response(text, 200, headers, "text/plain; charset=utf-8")


def _one_line(text: str) -> str:
    return " ".join(text.split())
