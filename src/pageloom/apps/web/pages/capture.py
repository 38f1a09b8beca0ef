"""Capturing: pages that a browser hands over, by message or by form; the bookmark that does so.

The window of the bookmarklet and the page it came from are of two origins: what is handed over is
believed to be of the origin that the browser names, and of no other.
"""

from __future__ import annotations

import asyncio
from importlib.resources import files
from typing import Annotated, Any
from urllib.parse import quote, urlencode, urlsplit

from fastapi import Depends, Form, Request, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, count_use, needs
from pageloom.apps.web.errors import Forbidden, InvalidRequest
from pageloom.apps.web.pages.entry import site_of
from pageloom.apps.web.pages.reader import SAVED
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import OPEN, Routes
from pageloom.apps.web.server_state import Site
from pageloom.flows.library.save import SaveResult
from pageloom.views.results import outcome_of

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Saves = Annotated[Ask, Depends(needs("save"))]
Writes = Annotated[Ask, Depends(needs("write"))]
_SHARED = {"Cross-Origin-Opener-Policy": "unsafe-none"}
"""The window that opened it is of another origin, and has to be known."""
_FIELDS = ("url", "title", "selection", "key", "html", "origin")
_LARGEST = 20_000_000
_A_MINUTE, _STRANGERS = 30, 20
_PORTS = {"http": 80, "https": 443}


@routes.add("GET", "/capture", "save")
def capture_page(ask: Saves) -> Response:
    """The window that takes a page over from the one that opened it."""
    return render(ask, "capture.html", headers=_SHARED)


@routes.add("POST", "/capture", "save")
async def capture(ask: Saves) -> Response:
    """A page that came by message: saved if its capture key is this user's, else asked for."""
    given = await _read(ask.request)
    _count(ask.site, f"captures of {ask.who.owner}", _A_MINUTE)
    _require_origin(given["url"], given["origin"])
    if await asyncio.to_thread(_has_key, ask, given["key"]):
        saved = await asyncio.to_thread(_save, ask, given)
        return _done(ask, saved)
    name = await asyncio.to_thread(ask.library.hold_capture, given)
    return RedirectResponse(ask.site.link(f"/capture/held/{name}"), 303)


@routes.add("POST", "/capture/form", OPEN)
async def capture_form(request: Request) -> Response:
    """A page that came as a form of its own: held, for whoever is signed in to confirm.

    A browser sends no cookie with it, and what it sends changes nothing.
    """
    site = site_of(request)
    given = await _read(request)
    origin = request.headers.get("origin", "null")
    if origin == "null":  # the page tells nobody where it is
        query = urlencode({"url": given["url"][:4000], "title": given["title"][:500]})
        return RedirectResponse(site.link(f"/save?{query}"), 303)
    key = await asyncio.to_thread(site.library.capture_key, given["key"])
    if key is not None:
        _count(site, f"captures of {key.owner}", _A_MINUTE)
    else:
        _count(site, "captures of strangers", _STRANGERS)
    _require_origin(given["url"], origin)
    held = given | {"origin": origin}
    name = await asyncio.to_thread(site.library.hold_capture, held)
    return RedirectResponse(site.link(f"/capture/held/{name}"), 303)


@routes.add("GET", "/capture/held/{name}", "save")
def held_page(ask: Saves, name: str) -> Response:
    """What is held, and the button that saves it; with a capture key it is pressed by itself."""
    held = ask.library.find_held(name)
    return render(
        ask,
        "held.html",
        headers=_SHARED | {"Cache-Control": "no-store"},
        held=held,
        name=name,
        has_key=_has_key(ask, held["key"]),
    )


@routes.add("POST", "/capture/held/{name}", "save")
def save_held(ask: Saves, name: str) -> Response:
    """Save what is held, once."""
    return _done(ask, _save(ask, ask.library.take_held(name)))


@routes.add("GET", "/captured/{page:int}", "read")
def captured_page(ask: Reads, page: int, saved: str = "") -> Response:
    """What was saved, in a small window that closes itself."""
    found = ask.library.get(page)
    picture = ask.library.document(found).hero_image if found.version else ""
    return render(
        ask,
        "captured.html",
        page=found,
        tags=ask.library.tags(found),
        saved=SAVED.get(saved, SAVED["saved"]),
        picture=ask.picture(picture) if picture else "",
    )


@routes.add("POST", "/settings/capture", "write")
def make_bookmarklet(ask: Writes, label: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Make a bookmark that captures pages, with a key of its own, which is shown once."""
    if "capture" not in ask.who.scopes:
        raise Forbidden("Your role does not save pages.")
    secret = ask.library.make_token(label or "Bookmarklet", scopes=["capture"])
    headers = {"Cache-Control": "no-store"}
    return render(
        ask,
        "bookmarklet.html",
        headers=headers,
        place="settings",
        bookmarklet=bookmarklet(ask.site, secret),
    )


def bookmarklet(site: Site, key: str) -> str:
    """The address of a bookmark that hands over the page on which it is clicked."""
    script = (files("pageloom.apps.web") / "bookmarklet.js").read_text(encoding="utf-8")
    values = {"__HOME__": f"{site.origin}{site.link('')}", "__ORIGIN__": str(site.origin)}
    for name, value in (values | {"__KEY__": key}).items():
        script = script.replace(name, value)
    return "javascript:" + quote(" ".join(script.split()), safe="(){}[]=>;,.:!?&|*+/'$^")


async def _read(request: Request) -> dict[str, str]:
    """The fields of a capture; the DOM is longer than forms usually are."""
    async with request.form(max_files=0, max_fields=20, max_part_size=_LARGEST) as form:
        known: dict[str, Any] = {name: form.get(name, "") for name in _FIELDS}
    if not known["url"] or not known["html"]:
        raise InvalidRequest("A capture needs the URL and the HTML of a page.")
    return {name: str(value) for name, value in known.items()}


def _count(site: Site, key: str, limit: int) -> None:
    count_use(site, key, limit, f"At most {limit} pages are captured in a minute.")


def _require_origin(url: str, origin: str) -> None:
    """Refuse a page that another site handed over."""
    if not _origin(url) or _origin(url) != _origin(origin):
        raise Forbidden(
            "A site can hand over only pages of its own.",
            suggestions=("Save the page by its URL.",),
        )


def _origin(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if port and parts.hostname else None


def _has_key(ask: Ask, secret: str) -> bool:
    found = ask.library.capture_key(secret)
    return found is not None and found.owner == ask.who.owner


def _save(ask: Ask, given: dict[str, str]) -> SaveResult:
    return ask.library.capture(given["url"], given["html"], selection=given["selection"])


def _done(ask: Ask, saved: SaveResult) -> Response:
    number = saved.saved.page_id if saved.saved else 0
    return RedirectResponse(ask.site.link(f"/captured/{number}?saved={outcome_of(saved)}"), 303)
