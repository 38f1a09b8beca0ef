"""Feeds: read with a key that opens nothing else, made and revoked by who is signed in."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Depends, Form, Request, Response

from pageloom.apps.web.api.answers import etag_of
from pageloom.apps.web.auth import Ask, count_request, needs
from pageloom.apps.web.errors import NotFound
from pageloom.apps.web.feeds import FeedKind, entries_of, make_feed
from pageloom.apps.web.pages.entry import site_of
from pageloom.apps.web.pages.library import state_of
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import OPEN, Routes
from pageloom.apps.web.server_state import Site
from pageloom.model.library import Token
from pageloom.views.feeds import TYPES, write_feed_text

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Form_ = Literal["atom", "rss", "json"]


@routes.add("GET", "/feeds/{key}/{kind}.{form}", OPEN)
def feed(request: Request, key: str, kind: FeedKind, form: Form_) -> Response:
    """A feed, for whoever has its key."""
    site = site_of(request)
    token = _token(site, key, kind, request.url.query)
    library = site.library.for_requests(token.owner)
    pages, changes, title = entries_of(site, library, kind, request.url.query)
    known = [(page.id, page.version, page.updated_at) for page in pages]
    mark = etag_of(repr((form, title, known, [change.id for change in changes])).encode())
    headers = {"ETag": mark, "Cache-Control": "private, max-age=300"}
    if mark in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    home = f"{site.origin}{site.link('')}"
    made = make_feed(
        site,
        library,
        pages,
        changes,
        id=f"{token.owner}:{kind}?{request.url.query}",
        title=f"{title} · Pageloom",
        home=home + _shown_at(kind, request.url.query),
        own_url=home + _path(key, kind, form, request.url.query),
    )
    return Response(write_feed_text(made, form), 200, headers, TYPES[form])


def _token(site: Site, key: str, kind: str, query: str) -> Token:
    """The token of a feed; one that opens another feed, or may do other things, is none."""
    found = site.library.find_token(key)
    if found is None or "feed" not in found.scopes:
        raise NotFound("There is no such feed.", suggestions=())
    count_request(site, found)
    if found.feed and found.feed != f"{kind}?{query}":
        raise NotFound("There is no such feed.", suggestions=())
    return found


def _shown_at(kind: str, query: str) -> str:
    if kind in ("search", "tag"):
        return f"/?{query}" if query else "/"
    return f"/changes?{query}" if query else "/changes"


def _path(key: str, kind: str, form: str, query: str) -> str:
    return f"/feeds/{quote(key)}/{kind}.{form}{f'?{query}' if query else ''}"


@routes.add("POST", "/feeds", "read")
def make(
    ask: Reads,
    kind: Annotated[FeedKind, Form()] = "search",
    query: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Make a feed of what is shown: its URL has a key of its own, which is shown once."""
    wanted = state_of(query)
    _, _, title = entries_of(ask.site, ask.library, kind, wanted)
    secret = ask.library.make_token(
        f"Feed: {title}"[:200], scopes=["feed"], feed=f"{kind}?{wanted}"
    )
    home = f"{ask.site.origin}{ask.site.link('')}"
    urls = {form: home + _path(secret, kind, form, wanted) for form in TYPES}
    return render(
        ask,
        "feed.html",
        headers={"Cache-Control": "no-store"},
        title=title,
        urls=urls,
        back=_shown_at(kind, wanted),
    )
