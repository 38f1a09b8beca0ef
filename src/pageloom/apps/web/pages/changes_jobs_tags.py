"""Changes, jobs and tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Depends, Form, Query, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.query_params import Cursor
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.model.library import ChangeSort, JobItem

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Saves = Annotated[Ask, Depends(needs("save"))]
Writes = Annotated[Ask, Depends(needs("write"))]
_PART = 50


@routes.add("GET", "/changes", "read")
def changes_page(
    ask: Reads,
    cursor: Cursor = "",
    since: Annotated[str, Query(max_length=40)] = "",
    important: Annotated[float, Query(ge=0, le=1)] = 0.0,
    watch: Annotated[int | None, Query(ge=1)] = None,
    unread: bool = False,
    sort: ChangeSort = "newest",
) -> Response:
    """What changed, newest or most important first."""
    found = ask.library.changes(
        since=since,
        min_importance=important,
        watch=watch,
        unread=unread,
        sort=sort,
        limit=_PART,
        cursor=cursor,
    )
    watches = {(each.state.page_id, each.track): each for each in ask.library.watches()}
    return render(
        ask,
        "changes.html",
        place="changes",
        found=found,
        watch_of={change.id: watches.get((change.page_id, change.track)) for change in found},
        since=since,
        important=important,
        watch=watch,
        unread=unread,
        sort=sort,
        asked=ask.request.url.query,
    )


@routes.add("GET", "/jobs", "read")
def jobs_page(ask: Reads, cursor: Cursor = "") -> Response:
    """Jobs, newest first."""
    found = ask.library.jobs(limit=_PART, cursor=cursor)
    return render(ask, "jobs.html", place="jobs", found=found)


@routes.add("GET", "/jobs/{job}", "read")
def job_page(ask: Reads, job: str, cursor: Cursor = "") -> Response:
    """One job: how far it is, and what came of each item."""
    found = ask.library.get_job(job)
    items = ask.library.job_items(job, state="done", limit=_PART, cursor=cursor)
    shown = 0 if cursor else _PART  # at the top of the first part
    failed = ask.library.job_items(job, state="failed", limit=shown)
    is_part = ask.request.headers.get("hx-request") == "true"
    template = "job_state.html" if is_part else "job.html"
    titles = _titles(ask, items)
    return render(ask, template, place="jobs", job=found, items=items, failed=failed, titles=titles)


def _titles(ask: Ask, items: Iterable[JobItem]) -> dict[int, str]:
    """The titles of the pages that came of some items."""
    numbers = [item.result["page_id"] for item in items if item.result and "page_id" in item.result]
    pages = (ask.library.find(int(number)) for number in numbers)
    return {page.id: page.title for page in pages if page is not None}


@routes.add("POST", "/jobs/{job}", "save")
def act_on_job(ask: Saves, job: str, do: Annotated[Literal["cancel", "retry"], Form()]) -> Response:
    """Cancel a job, or try again what failed."""
    if do == "cancel":
        ask.library.cancel_job(job)
        return RedirectResponse(ask.site.link(f"/jobs/{job}"), 303)
    asked = ask.library.get_job(job).settings
    again = ask.library.save_later(
        asked["urls"],
        tags=asked.get("tags", ()),
        render=asked.get("render", "auto"),
        note=asked.get("note", ""),
        archive=asked.get("archive", False),
    )
    ask.site.begin_jobs()
    return RedirectResponse(ask.site.link(f"/jobs/{again.id}"), 303)


@routes.add("GET", "/tags", "read")
def tags_page(ask: Reads) -> Response:
    """Every tag, with the number of its pages."""
    return render(ask, "tags.html", place="tags", tags=ask.library.all_tags(), quote=quote)


@routes.add("POST", "/tags", "write")
def change_tag(
    ask: Writes,
    tag: Annotated[str, Form(max_length=200)],
    do: Annotated[Literal["rename", "remove"], Form()] = "rename",
    name: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Rename a tag, merge it into another, or remove it."""
    if do == "remove":
        ask.library.remove_tag(tag)
    elif name.strip():
        ask.library.rename_tag(tag, name)
    return RedirectResponse(ask.site.link("/tags"), 303)
