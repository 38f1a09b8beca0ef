"""Pages: list, save, change, delete; their documents, versions, differences, tags and notes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from pydantic import ValidationError
from starlette.datastructures import UploadFile

from pageloom.apps.web.api.answers import api_routes, json_answer, list_answer, require_match
from pageloom.apps.web.api.bodies import BulkBody, NoteBody, PageBody, SaveBody, TagsBody
from pageloom.apps.web.api.saving import Saving, queue, result_of, wait_for, wait_of
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.documents import TYPES, document_answer, form_of
from pageloom.apps.web.errors import InvalidRequest
from pageloom.apps.web.problems import of_validation
from pageloom.apps.web.query_params import Cursor, Limit, Since, Wanted, wanted_by
from pageloom.flows.library.organize import Action
from pageloom.flows.library.save import SaveResult
from pageloom.model.pages import Page
from pageloom.views import records, results

routes = api_routes("pages")
Reads = Annotated[Ask, Depends(needs("read"))]
Saves = Annotated[Ask, Depends(needs("save"))]
Writes = Annotated[Ask, Depends(needs("write"))]
_MOST = 10_000
_FORMATS: dict[str, Any] = {kind.partition(";")[0]: {} for kind in TYPES.values()}
_FIELDS = frozenset((*Page.__dataclass_fields__, "key", "tags", "snippet")) - {"url_full"}
_CHANGES: tuple[tuple[str, Action, Action], ...] = (
    ("pinned", "pin", "unpin"),
    ("archived", "archive", "unarchive"),
    ("read", "read", "unread"),
)
_SAVE_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": SaveBody.model_json_schema()},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "url"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "url": {"type": "string"},
                        "tags": {"type": "string", "description": "Separated by commas."},
                        "note": {"type": "string"},
                        "archive": {"type": "boolean"},
                    },
                }
            },
        },
    }
}


def page_data(ask: Ask, page: Page) -> dict[str, Any]:
    """A page with its tags."""
    return records.page(page, ask.library.tags(page))


@routes.add("GET", "/pages", "read", summary="List or search pages")
def list_pages(
    ask: Reads,
    which: Annotated[Wanted, Query()],
    fields: Annotated[
        str, Query(max_length=1000, description="Only these, separated by commas.")
    ] = "",
    updated_since: Annotated[
        str, Query(max_length=40, description="What anything happened to since then.")
    ] = "",
) -> Response:
    """Pages, the newest first; with `q`, those that contain the words, the best first.

    With `updated_since`, pages that anything happened to, by their numbers, for copies that are
    kept up to date: deleted ones have `deleted_at`, purged ones only `id` and `purged`.
    """
    if updated_since:
        return _touched(ask, updated_since, which, fields)
    found = which.find(ask.library)
    tags = ask.library.tags_of_all(found.pages)
    items = (
        [records.hit(hit, tags.get(hit.page.id, ())) for hit in found.hits]
        if found.hits
        else [records.page(page, tags.get(page.id, ())) for page in found.pages]
    )
    shown = [_only(item, fields) for item in items]
    return list_answer(ask, shown, found.next_cursor, found.total, exact=found.exact)


def _touched(ask: Ask, since: str, which: Wanted, fields: str) -> Response:
    found = ask.library.touched(since, limit=which.limit, cursor=which.cursor)
    tags = ask.library.tags_of_all(found.pages)
    items = [_only(records.page(page, tags.get(page.id, ())), fields) for page in found.pages]
    items += [{"id": number, "purged": True} for number in found.gone]
    items.sort(key=lambda item: item.get("id", 0))
    return list_answer(ask, items, found.next_cursor, found.total, exact=True)


def _only(item: dict[str, Any], fields: str) -> dict[str, Any]:
    """The fields of a page that were asked for, all when none were; always with its number."""
    wanted = {"id", *(name.strip() for name in fields.split(",") if name.strip())}
    if len(wanted) == 1:
        return item
    if unknown := wanted - _FIELDS:
        raise InvalidRequest(f"Pages have no field {min(unknown)[:40]}.")
    return {name: value for name, value in item.items() if name in wanted}


@routes.add(
    "POST",
    "/pages",
    "save",
    summary="Save pages",
    status_code=201,
    responses={200: {"description": "Saved before."}, 202: {"description": "A job; not done yet."}},
    body=_SAVE_BODY,
)
async def save_pages(ask: Saves) -> Response:
    """Save a page by its URL, or as it was captured (`html`, or a file as multipart/form-data).

    Waits up to 20 seconds (`Prefer: wait=N`), then answers 202 with the job. Several URLs are
    always a job.
    """
    body, content = await _read_body(ask.request)
    tags = tuple(body.tags)
    if content is not None:
        saved = await asyncio.to_thread(_save_content, ask, body, content)
        return _saved(ask, saved)
    urls = tuple(each.strip() for each in (*body.urls, body.url) if each.strip())
    saving = Saving(
        urls=urls,
        tags=tags,
        note=body.note,
        render=body.render,
        archive=body.archive,
        watch=body.watch,
    )
    job = await asyncio.to_thread(queue, ask, saving)
    if len(set(urls)) == 1:
        job = await wait_for(ask, job.id, wait_of(ask.request))
        items = await asyncio.to_thread(ask.library.job_items, job.id)
        if job.state in ("done", "failed") and items:
            return _saved(ask, await asyncio.to_thread(result_of, ask, items[0]))
    location = {"Location": ask.site.link(f"/api/v1/jobs/{job.id}")}
    return json_answer(records.job(job), 202, headers=location)


async def _read_body(request: Request) -> tuple[SaveBody, bytes | None]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    try:
        if kind == "multipart/form-data":
            return await _read_form(request)
        body = SaveBody.model_validate_json(await request.body())
    except ValidationError as error:
        raise of_validation(error) from None
    return body, None if body.html is None else body.html.encode()


async def _read_form(request: Request) -> tuple[SaveBody, bytes | None]:
    async with request.form(max_files=1, max_fields=20) as form:
        file = form.get("file")
        content = await file.read() if isinstance(file, UploadFile) else None
        kind = file.content_type if isinstance(file, UploadFile) else ""
        fields: dict[str, Any] = {
            name: value for name, value in form.items() if isinstance(value, str)
        }
    fields["tags"] = [tag for tag in str(fields.get("tags", "")).split(",") if tag.strip()]
    known = {"content_type": kind or ""} | fields
    return SaveBody.model_validate(known), content


def _save_content(ask: Ask, body: SaveBody, content: bytes) -> SaveResult:
    saved = ask.library.save(
        body.url, content=content, content_type=body.content_type, tags=body.tags
    )
    if body.note:
        ask.library.note(saved, body.note)
    if body.archive:
        ask.library.archive(saved)
    if body.watch:
        ask.library.watch(body.url)
    return saved


def _saved(ask: Ask, result: SaveResult) -> Response:
    data = results.save(result)
    location = {"Location": ask.site.link(f"/api/v1/pages/{data['id']}")}
    return json_answer(data, 201 if data["is_new"] else 200, headers=location)


@routes.add("POST", "/pages/bulk", "write", summary="Do the same to many pages")
def change_many(ask: Writes, body: BulkBody) -> Response:
    """Pin, archive, tag, delete … many pages at once; the answer says how to undo it."""
    chosen = body.select
    numbers = list(chosen.ids)
    if chosen.query is not None:
        numbers = wanted_by(chosen.query).numbers(ask.library, _MOST)
    if body.dry_run:
        return json_answer({"count": len(numbers), "pages": numbers})
    done = ask.library.act_on_many(body.do, numbers, tag=body.tag)
    return json_answer(records.bulk(done))


@routes.add("POST", "/undo/{undo}", "write", summary="Undo what was done to many pages")
def undo(ask: Writes, undo: str) -> Response:
    """Undo what `/pages/bulk` did."""
    return json_answer(records.bulk(ask.library.undo(undo)))


@routes.add("GET", "/pages/{page}", "read", summary="One page")
def get_page(ask: Reads, page: str) -> Response:
    """A page by its number or id, with its tags; its content is under `/document`."""
    return json_answer(page_data(ask, ask.library.get(page)), ask=ask)


@routes.add("PATCH", "/pages/{page}", "write", summary="Change a page")
def change_page(ask: Writes, page: str, body: PageBody) -> Response:
    """Pin, archive, mark as read or unread, set the tags; `If-Match` guards against others."""
    found = ask.library.get(page)
    require_match(ask, page_data(ask, found))
    for value, yes, no in _CHANGES:
        wish = getattr(body, value)
        if wish is not None:
            ask.library.act(yes if wish else no, [found])
    if body.tags is not None:
        known = set(ask.library.tags(found))
        ask.library.untag(found, *(known - set(body.tags)))
        ask.library.tag(found, *body.tags)
    return json_answer(page_data(ask, ask.library.get(found)), ask=ask)


@routes.add("DELETE", "/pages/{page}", "write", summary="Delete a page", status_code=204)
def delete_page(ask: Writes, page: str, *, purge: bool = False) -> Response:
    """Delete a page: it can be restored; with `purge`, it is gone with all its versions."""
    found = ask.library.get(page)
    require_match(ask, page_data(ask, found))
    ask.library.delete(found)
    if purge:
        ask.library.purge(found)
    return Response(None, 204)


@routes.add(
    "GET",
    "/pages/{page}/document",
    "read",
    summary="The content of a page",
    responses={200: {"description": "The Document.", "content": _FORMATS}},
)
def get_document(
    ask: Reads,
    page: str,
    version: Annotated[int | None, Query(ge=1)] = None,
    format: Literal["", "json", "markdown", "text", "html", "epub", "pdf"] = "",  # noqa: A002
) -> Response:
    """The Document of the last version, or of another one; the format also by `Accept`."""
    form = format or form_of(ask.request.headers.get("accept", ""))
    return document_answer(ask, ask.library.get(page), version, form)


@routes.add("GET", "/pages/{page}/versions", "read", summary="The versions of a page")
def list_versions(ask: Reads, page: str, limit: Limit = 50, cursor: Cursor = "") -> Response:
    """The versions, newest first, without their content."""
    found = ask.library.history(page, limit=limit, cursor=cursor)
    return list_answer(ask, map(records.version, found), found.next_cursor, found.total, exact=True)


@routes.add("GET", "/pages/{page}/versions/{number}", "read", summary="One version")
def get_version(ask: Reads, page: str, number: int) -> Response:
    """One version without its content, which is under `/document?version=`."""
    return json_answer(records.version(ask.library.version(page, number).info), ask=ask)


@routes.add("GET", "/pages/{page}/diff", "read", summary="What changed between two versions")
def get_diff(
    ask: Reads,
    page: str,
    from_: Annotated[int | None, Query(alias="from", ge=1)] = None,
    to: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """The report: the last two versions unless others are named."""
    return json_answer(ask.library.diff(page, from_, to).to_detailed(), ask=ask)


@routes.add("GET", "/pages/{page}/tags", "read", summary="The tags of a page")
def get_tags(ask: Reads, page: str) -> Response:
    """The tags that you gave it."""
    return json_answer({"items": list(ask.library.tags(page))}, ask=ask)


@routes.add("POST", "/pages/{page}/tags", "write", summary="Add tags")
def add_tags(ask: Writes, page: str, body: TagsBody) -> Response:
    """Add tags; the answer has all of them."""
    return json_answer({"items": list(ask.library.tag(page, *body.tags))})


@routes.add("DELETE", "/pages/{page}/tags/{tag}", "write", summary="Remove a tag")
def remove_tag(ask: Writes, page: str, tag: str) -> Response:
    """Remove a tag; the answer has those that are left."""
    return json_answer({"items": list(ask.library.untag(page, tag))})


@routes.add("GET", "/pages/{page}/notes", "read", summary="The notes on a page")
def get_notes(ask: Reads, page: str) -> Response:
    """The notes, oldest first."""
    return json_answer({"items": list(map(records.note, ask.library.notes(page)))}, ask=ask)


@routes.add("POST", "/pages/{page}/notes", "write", summary="Add a note", status_code=201)
def add_note(ask: Writes, page: str, body: NoteBody) -> Response:
    """Add a note."""
    return json_answer(records.note(ask.library.note(page, body.text)), 201)


@routes.add(
    "DELETE", "/pages/{page}/notes/{note}", "write", summary="Remove a note", status_code=204
)
def remove_note(ask: Writes, page: str, note: int) -> Response:
    """Remove a note."""
    ask.library.remove_note(page, note)
    return Response(None, 204)


@routes.add("GET", "/pages/{page}/prices", "read", summary="The prices of a page over time")
def get_prices(ask: Reads, page: str, since: Since = "") -> Response:
    """Prices, oldest first, and what happened to them."""
    return json_answer(_prices(ask, page, since), ask=ask)


@routes.add("GET", "/prices", "read", summary="The prices of several pages")
def list_prices(
    ask: Reads,
    page: Annotated[list[int], Query(max_length=50)] = [],  # noqa: B006
    since: Since = "",
) -> Response:
    """Of each page that is named, or of all that have any: its prices and what happened to them."""
    numbers = page or [one.id for one in ask.library.priced()[:50]]
    found = [{"page_id": number, **_prices(ask, number, since)} for number in numbers]
    return json_answer({"items": found}, ask=ask)


def _prices(ask: Ask, page: str | int, since: str) -> dict[str, list[dict[str, Any]]]:
    return records.prices(ask.library.prices(page, since=since), ask.library.price_events(page))


@routes.add("GET", "/pages/{page}/runs", "read", summary="The checks of a page")
def get_runs(ask: Reads, page: str, limit: Limit = 50) -> Response:
    """The checks of its watches, newest first."""
    found = ask.library.runs(page, limit=limit)
    return json_answer({"items": list(map(records.run, found))}, ask=ask)
