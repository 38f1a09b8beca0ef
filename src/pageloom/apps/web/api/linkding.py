"""Bookmarks and tags as linkding speaks of them, so that its extension and apps save here.

A page is there at once, by its URL; its content is fetched by the work beside the server. What
linkding calls description and notes are notes here; the title is the page's own once it is read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode
from zlib import crc32

import msgspec
from fastapi import Depends, Query, Request, Response

from pageloom.apps.web.api.answers import json_answer
from pageloom.apps.web.api.compat import is_offered
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.errors import InvalidRequest, NotFound
from pageloom.apps.web.scoped_routes import Routes
from pageloom.model.pages import Filters, Page

routes = Routes("/compat/linkding/api", dependencies=[Depends(is_offered)])
Reads = Annotated[Ask, Depends(needs("read"))]
Saves = Annotated[Ask, Depends(needs("save"))]
Writes = Annotated[Ask, Depends(needs("write"))]
Limit = Annotated[int, Query(ge=1, le=1000)]
Offset = Annotated[int, Query(ge=0, le=10**7)]
Words = Annotated[str, Query(max_length=1000)]
_LONGEST = 100_000


class Bookmark(msgspec.Struct):
    """What clients send; what they leave out stays."""

    url: str | None = None
    title: str | None = None
    description: str | None = None
    notes: str | None = None
    is_archived: bool | None = None
    unread: bool | None = None
    tag_names: list[str] | None = None


async def _sent(request: Request) -> Bookmark:
    try:
        found = msgspec.json.decode(await request.body(), type=Bookmark)
    except (msgspec.MsgspecError, RecursionError) as error:
        why = str(error).partition("\n")[0][:200]
        raise InvalidRequest(f"The bookmark cannot be used: {why}.") from None
    texts = (found.url, found.title, found.description, found.notes, *(found.tag_names or ()))
    if any(len(text or "") > _LONGEST for text in texts):
        raise InvalidRequest("A text of the bookmark is too long.")
    return found


def _shown(page: Page, tags: Sequence[str], notes: Sequence[str]) -> dict[str, Any]:
    return {
        "id": page.id,
        "url": page.url_full,
        "title": page.title,
        "description": "",
        "notes": "\n\n".join(notes),
        "web_archive_snapshot_url": "",
        "favicon_url": None,
        "preview_image_url": None,
        "is_archived": page.archived,
        "unread": page.read_at is None,
        "shared": False,
        "tag_names": list(tags),
        "date_added": page.saved_at,
        "date_modified": page.updated_at,
        "website_title": page.title,
        "website_description": "",
    }


def _one(ask: Ask, page: Page) -> dict[str, Any]:
    notes = [note.text for note in ask.library.notes(page)]
    return _shown(page, ask.library.tags(page), notes)


def _listed(ask: Ask, q: str, limit: int, offset: int, *, archived: bool) -> Response:
    """A part of a list; a word with ``#`` is a tag, and ``!unread`` is what it says."""
    words = q.split()
    filters = Filters(
        tags=tuple(word[1:] for word in words if word.startswith("#") and len(word) > 1),
        unread=True if "!unread" in words else None,
        archived="only" if archived else "no",
    )
    rest = " ".join(word for word in words if not word.startswith(("#", "!")))
    if rest:
        found = ask.library.search(rest, filters, limit=limit, offset=offset)
        pages, total = [hit.page for hit in found.hits], found.total
    else:
        listed = ask.library.list(filters, limit=limit, offset=offset)
        pages, total = list(listed.pages), listed.total
    tags = ask.library.tags_of_all(pages)
    results = [
        _shown(page, tags.get(page.id, ()), [note.text for note in ask.library.notes(page)])
        for page in pages
    ]
    return _part(ask, results, total, limit, offset)


def _part(ask: Ask, results: list[dict[str, Any]], total: int, limit: int, offset: int) -> Response:
    path = f"{ask.site.origin}{ask.site.link(ask.request.scope['path'])}"
    kept = [pair for pair in ask.request.query_params.multi_items() if pair[0] != "offset"]

    def place(start: int) -> str:
        return f"{path}?{urlencode([*kept, ('offset', start)])}"

    return json_answer(
        {
            "count": total,
            "next": place(offset + limit) if offset + limit < total else None,
            "previous": place(max(0, offset - limit)) if offset else None,
            "results": results,
        }
    )


@routes.add("GET", "/bookmarks/", "read")
def list_bookmarks(ask: Reads, q: Words = "", limit: Limit = 100, offset: Offset = 0) -> Response:
    """Pages that are not archived, the newest first."""
    return _listed(ask, q, limit, offset, archived=False)


@routes.add("GET", "/bookmarks/archived/", "read")
def list_archived(ask: Reads, q: Words = "", limit: Limit = 100, offset: Offset = 0) -> Response:
    """Archived pages."""
    return _listed(ask, q, limit, offset, archived=True)


@routes.add("GET", "/bookmarks/check/", "read")
def check_bookmark(ask: Reads, url: Annotated[str, Query(max_length=4000)]) -> Response:
    """Whether a URL is known; nobody is asked about one that is not."""
    page = ask.library.find(url)
    known = page if page and not page.deleted_at else None
    metadata = {"url": url, "title": known.title if known else None}
    metadata |= {"description": None, "preview_image": None}
    found = _one(ask, known) if known else None
    return json_answer({"bookmark": found, "metadata": metadata, "auto_tags": []})


@routes.add("POST", "/bookmarks/", "save", status_code=201)
async def add_bookmark(ask: Saves) -> Response:
    """Save a page by its URL; one that is there gets what is new."""
    given = await _sent(ask.request)
    if not given.url:
        raise InvalidRequest("A bookmark needs a url.")
    return json_answer(await asyncio.to_thread(_add, ask, given), 201)


def _add(ask: Ask, given: Bookmark) -> dict[str, Any]:
    library = ask.library
    page = library.note_url(given.url or "", given.title or "")
    if page.deleted_at:
        library.restore(page)
    _change(ask, page, given)
    if not page.version:
        library.save_later([page.url_full])
        ask.site.begin_jobs()
    return _one(ask, library.get(page))


def _change(ask: Ask, page: Page, given: Bookmark) -> None:
    library = ask.library
    if given.is_archived is not None:
        library.act("archive" if given.is_archived else "unarchive", [page])
    if given.unread is not None:
        library.act("unread" if given.unread else "read", [page])
    if given.tag_names is not None:
        library.untag(page, *(set(library.tags(page)) - set(given.tag_names)))
        library.tag(page, *given.tag_names)
    texts = [text.strip() for text in (given.description, given.notes) if text and text.strip()]
    known = library.notes(page)
    if (given.description is None and given.notes is None) or texts == [
        "\n\n".join(note.text for note in known)
    ]:
        return
    for note in known:
        if note.text not in texts:
            library.remove_note(page, note.id)
    for text in texts:
        if text not in {note.text for note in known}:
            library.note(page, text)


@routes.add("GET", "/bookmarks/{page}/", "read")
def get_bookmark(ask: Reads, page: int) -> Response:
    """One page."""
    return json_answer(_one(ask, ask.library.get(page)))


@routes.add("PUT", "/bookmarks/{page}/", "write")
@routes.add("PATCH", "/bookmarks/{page}/", "write")
async def change_bookmark(ask: Writes, page: int) -> Response:
    """Change what is given of a page; its URL and title are its own."""
    found = await asyncio.to_thread(ask.library.get, page)
    given = await _sent(ask.request)
    await asyncio.to_thread(_change, ask, found, given)
    return json_answer(await asyncio.to_thread(lambda: _one(ask, ask.library.get(found))))


@routes.add("POST", "/bookmarks/{page}/archive/", "write", status_code=204)
def archive_bookmark(ask: Writes, page: int) -> Response:
    """Put a page into the archive."""
    ask.library.archive(page)
    return Response(None, 204)


@routes.add("POST", "/bookmarks/{page}/unarchive/", "write", status_code=204)
def unarchive_bookmark(ask: Writes, page: int) -> Response:
    """Take a page out of the archive."""
    ask.library.unarchive(page)
    return Response(None, 204)


@routes.add("DELETE", "/bookmarks/{page}/", "write", status_code=204)
def delete_bookmark(ask: Writes, page: int) -> Response:
    """Delete a page; it can be restored until it is purged."""
    ask.library.delete(page)
    return Response(None, 204)


def _tag(name: str) -> dict[str, Any]:
    """A tag, with a number that follows from its name."""
    return {"id": crc32(name.casefold().encode()) or 1, "name": name, "date_added": None}


@routes.add("GET", "/tags/", "read")
def list_tags(ask: Reads, limit: Limit = 100, offset: Offset = 0) -> Response:
    """All tags, by name."""
    names = sorted((name for name, _ in ask.library.all_tags()), key=str.casefold)
    return _part(
        ask, [_tag(name) for name in names[offset : offset + limit]], len(names), limit, offset
    )


@routes.add("GET", "/tags/{number}/", "read")
def get_tag(ask: Reads, number: int) -> Response:
    """One tag."""
    for name, _ in ask.library.all_tags():
        if _tag(name)["id"] == number:
            return json_answer(_tag(name))
    raise NotFound("There is no such tag.", suggestions=())


@routes.add("POST", "/tags/", "write", status_code=201)
async def add_tag(ask: Writes) -> Response:
    """Take a tag: here it begins with the first page that gets it."""
    try:
        given = msgspec.json.decode(await ask.request.body(), type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        given = {}
    name = str(given.get("name", "")).strip()[:200]
    if not name:
        raise InvalidRequest("A tag needs a name.")
    return json_answer(_tag(name), 201)


@routes.add("GET", "/user/profile/", "read")
def get_profile(ask: Reads) -> Response:
    """What clients ask for to show themselves as the user likes."""
    theme = ask.user.preferences.get("theme", "auto")
    return json_answer(
        {
            "theme": theme if theme in ("light", "dark") else "auto",
            "bookmark_date_display": "relative",
            "bookmark_link_target": "_blank",
            "web_archive_integration": "disabled",
            "tag_search": "strict",
            "enable_sharing": False,
            "enable_public_sharing": False,
            "enable_favicons": False,
            "display_url": False,
            "permanent_notes": False,
            "search_preferences": {"sort": "added_desc", "shared": "off", "unread": "off"},
        }
    )
