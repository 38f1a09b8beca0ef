"""The library: its list, what is done to several pages, and saving."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlencode

from fastapi import Depends, Form, Query, Response, UploadFile
from starlette.responses import RedirectResponse

from pageloom.apps.web.api.saving import Saving, queue, result_of, wait_for
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.query_params import Wanted, wanted_by
from pageloom.apps.web.render import PREFERENCES, render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import InvalidQuery, PageloomError
from pageloom.flows.library.organize import BulkAction
from pageloom.flows.library.save import SaveResult
from pageloom.model.library import JobInfo
from pageloom.model.pages import SORTS, Filters
from pageloom.views.results import outcome_of

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Saves = Annotated[Ask, Depends(needs("save"))]
Writes = Annotated[Ask, Depends(needs("write"))]
_MOST = 10_000
_ADDRESS = re.compile(r"https?://[^\s<>\"]+")
_PATIENCE = 6.0
"""Seconds that a page may take before its job is shown in its place."""
_SORTS = {
    "saved": "Newest first",
    "published": "Last published first",
    "updated": "Last changed first",
    "opened": "Last opened first",
    "title": "By title",
    "words": "Longest first",
    "quality": "Highest quality first",
    "domain": "By site",
}
assert set(_SORTS) == set(SORTS)  # noqa: S101  one table must not forget what the other has
_DONE = {
    "pin": "pinned",
    "unpin": "unpinned",
    "archive": "archived",
    "unarchive": "moved out of the archive",
    "read": "marked as read",
    "unread": "marked as unread",
    "delete": "deleted",
    "restore": "restored",
    "tag": "tagged",
    "untag": "untagged",
}


@routes.add("GET", "/", "read")
def library_page(
    ask: Reads, which: Annotated[Wanted, Query()], view: str = "", done: str = ""
) -> Response:
    """Pages: searched, filtered, sorted, a part at a time."""
    trouble = ""
    try:
        found = which.find(ask.library)
    except InvalidQuery as error:  # nothing that is typed is an error
        trouble, found = error.message, which.model_copy(update={"q": ""}).find(ask.library)
    snippets = {hit.page.id: hit.snippet for hit in found.hits}
    return render(
        ask,
        "library.html",
        which=which,
        q=which.q,
        found=found,
        snippets=snippets,
        tags=ask.library.tags_of_all(found.pages),
        changes=ask.library.count_changes(found.pages),
        progress=ask.library.progress_of_all(found.pages),
        place=_place(which),
        chips=_chips(ask, which),
        sorts=_SORTS,
        state=state_of(ask.request.url.query),
        view=view if view in PREFERENCES["view"] else "",
        trouble=trouble,
        suggestion=_suggestion(ask, which) if not found.pages and which.q.strip() else "",
        done=_done(ask, done),
        is_new=not found.total and not ask.request.url.query,
    )


def _place(which: Wanted) -> str:
    if which.deleted == "only":
        return "trash"
    return "archive" if which.archived == "only" else "library"


def _suggestion(ask: Ask, which: Wanted) -> str:
    try:
        return ask.library.suggest(which.q, which.filters)
    except InvalidQuery:
        return ""


def _chips(ask: Ask, which: Wanted) -> list[tuple[str, str, bool]]:
    """The filters that one click sets or takes off: name, query string, whether it is set."""
    query = ask.request.url.query
    unread = ask.library.count(Filters(unread=True))
    pinned = ask.library.count(Filters(pinned=True))
    chips = [
        (f"Unread {unread:,}", _toggled(query, "unread", "true"), which.unread is True),
        (f"Pinned {pinned:,}", _toggled(query, "pinned", "true"), which.pinned is True),
    ]
    chips += [(f"#{tag}", _without(query, "tag", tag), True) for tag in which.tag if tag.strip()]
    for name, value in (("site", which.site), ("language", which.language), ("type", which.type)):
        if value:
            chips.append((f"{name}: {value}", _without(query, name, value), True))
    return chips


def state_of(query: str, **changes: str) -> str:
    """The query string of a list without its place in it, with some changes."""
    gone = {"cursor", "done", *changes}
    pairs = [(name, value) for name, value in parse_qsl(query) if name not in gone]
    return urlencode(pairs + [(name, value) for name, value in changes.items() if value])


def _toggled(query: str, name: str, value: str) -> str:
    is_set = (name, value) in parse_qsl(query)
    return state_of(query, **{name: "" if is_set else value})


def _without(query: str, name: str, value: str) -> str:
    pairs = [pair for pair in parse_qsl(state_of(query)) if pair != (name, value)]
    return urlencode(pairs)


def _done(ask: Ask, undo_id: str) -> dict[str, Any] | None:
    """What was just done, in words, and the id by which it is undone."""
    result = ask.library.find_done(undo_id) if undo_id else None
    if result is None:
        return None
    what = f" #{result.tag}" if result.tag else ""
    number = len(result.pages)
    pages = f"{number:,} page{'' if number == 1 else 's'}"
    return {"id": undo_id, "text": f"{pages} {_DONE[result.action]}{what}.", "pages": number}


@routes.add("POST", "/act", "write")
def act(
    ask: Writes,
    do: Annotated[BulkAction, Form()],
    page: Annotated[list[int], Form(max_length=1000)] = [],  # noqa: B006  FastAPI copies it
    everything: Annotated[bool, Form()] = False,
    where: Annotated[str, Form(max_length=4000)] = "",
    tag: Annotated[str, Form(max_length=200)] = "",
    back: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Do something to the pages that were chosen, or to all that match; it can be undone."""
    numbers = wanted_by(where).numbers(ask.library, _MOST) if everything else page
    done = ask.library.act_on_many(do, numbers, tag=tag)
    return _to_list(ask, back or where, done.id if numbers else "")


@routes.add("POST", "/undo", "write")
def undo(
    ask: Writes,
    id: Annotated[str, Form(max_length=64)],  # noqa: A002  as in the form
    where: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Undo what was done."""
    ask.library.undo(id)
    return _to_list(ask, where, "")


def _to_list(ask: Ask, where: str, done: str) -> Response:
    """Back to the list as it was, or to another page of ours."""
    from pageloom.apps.web.pages.entry import own_path

    if where.startswith("/"):
        return RedirectResponse(ask.site.link(own_path(where)), 303)
    query = state_of(where, done=done)
    return RedirectResponse(ask.site.link(f"/?{query}" if query else "/"), 303)


@routes.add("POST", "/sample", "save")
def save_sample(ask: Saves) -> Response:
    """Save the sample page, to try everything on."""
    saved = ask.library.save_sample()
    number = saved.saved.page_id if saved.saved else 0
    return RedirectResponse(ask.site.link(f"/p/{number}"), 303)


@routes.add("GET", "/save", "save")
def save_page(
    ask: Saves,
    url: Annotated[str, Query(max_length=4000)] = "",
    title: Annotated[str, Query(max_length=4000)] = "",
    text: Annotated[str, Query(max_length=10_000)] = "",
) -> Response:
    """The form to save pages, prefilled; says at once what of it is there already."""
    shared = url or next(iter(_ADDRESS.findall(f"{text} {title}")), "")
    known = ask.library.find(shared) if shared else None
    about: dict[str, Any] = {"url": shared, "title": title, "known": known}
    return render(ask, "save.html", place="save", trouble=None, **about)


@routes.add("POST", "/save", "save")
async def save(
    ask: Saves,
    urls: Annotated[str, Form(max_length=1_000_000)] = "",
    html: Annotated[str, Form(max_length=50_000_000)] = "",
    file: UploadFile | None = None,
    tags: Annotated[str, Form(max_length=2000)] = "",
    note: Annotated[str, Form(max_length=100_000)] = "",
    archive: Annotated[bool, Form()] = False,
    watch: Annotated[bool, Form()] = False,
    render_as: Annotated[Literal["auto", "force", "never"], Form(alias="render")] = "auto",
) -> Response:
    """Save pages: one leads to its text, or to what is wrong with it; several, to their job."""
    content = await file.read() if file is not None and file.filename else html.encode()
    saving = Saving(
        urls=tuple(line.strip() for line in urls.splitlines() if line.strip()),
        tags=tuple(tag for tag in tags.split(",") if tag.strip()),
        note=note.strip(),
        archive=archive,
        watch=watch,
        render=render_as,
    )
    try:
        if content:
            kind = (file.content_type if file else "") or ""
            saved = await asyncio.to_thread(_save_content, ask, saving, content, kind)
        else:
            saved = await _fetched(ask, saving)
    except PageloomError as error:
        known: dict[str, Any] = {"url": urls, "title": "", "known": None, "trouble": error}
        return await asyncio.to_thread(render, ask, "save.html", 422, place="save", **known)
    if isinstance(saved, JobInfo):
        return RedirectResponse(ask.site.link(f"/jobs/{saved.id}"), 303)
    number = saved.saved.page_id if saved.saved else 0
    return RedirectResponse(ask.site.link(f"/p/{number}?saved={outcome_of(saved)}"), 303)


async def _fetched(ask: Ask, saving: Saving) -> SaveResult | JobInfo:
    """One page if it comes soon; else the job that fetches what was asked for."""
    job = await asyncio.to_thread(queue, ask, saving)
    if len(set(saving.urls)) > 1:
        return job
    job = await wait_for(ask, job.id, _PATIENCE)
    items = await asyncio.to_thread(ask.library.job_items, job.id)
    if job.state not in ("done", "failed") or not items:
        return job
    return await asyncio.to_thread(result_of, ask, items[0])


def _save_content(ask: Ask, saving: Saving, content: bytes, kind: str) -> SaveResult:
    url = saving.urls[0] if saving.urls else ""
    saved = ask.library.save(url, content=content, content_type=kind, tags=saving.tags)
    if saving.note:
        ask.library.note(saved, saving.note)
    if saving.archive:
        ask.library.archive(saved)
    if saving.watch:
        ask.library.watch(url)
    return saved
