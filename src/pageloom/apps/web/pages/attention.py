"""Looking after the library: what needs attention, and what is there twice."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Form, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.views.records import watch_ref

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
_CLUSTERS, _FAILED = 50, 50


@routes.add("GET", "/attention", "read")
def attention_page(ask: Reads) -> Response:
    """Pages and watches that need somebody, each with the act that helps."""
    library = ask.library
    failing = [watch for watch in library.watches() if watch.failures or watch.state.health]
    jobs = [job for job in library.jobs(limit=20) if job.failed and job.kind == "save"]
    failed = [item for job in jobs for item in library.job_items(job.id) if item.state == "failed"]
    missing = {
        item.item: item
        for item in failed
        if _can_be_helped(item.result) and library.find(item.item) is None
    }
    return render(
        ask,
        "attention.html",
        place="attention",
        need=library.in_need(),
        watches=failing,
        failed=list(missing.values())[:_FAILED],
        ref=watch_ref,
    )


def _can_be_helped(result: dict[str, Any]) -> bool:
    """Whether to fetch it again may help: what is no URL, or leads inside, stays so."""
    problem: dict[str, Any] = result.get("problem") or {}
    return problem.get("code") not in ("InvalidUrl", "FetchError.blocked_address")


@routes.add("GET", "/duplicates", "read")
def duplicates_page(ask: Reads) -> Response:
    """Groups of pages with nearly the same text."""
    clusters = ask.library.duplicates()
    shown = clusters[:_CLUSTERS]
    pages = [page for cluster in shown for page in cluster]
    return render(
        ask,
        "duplicates.html",
        place="duplicates",
        clusters=shown,
        more=len(clusters) - len(shown),
        tags=ask.library.tags_of_all(pages),
    )


@routes.add("POST", "/duplicates", "write")
def merge(
    ask: Writes,
    keep: Annotated[int, Form()],
    page: Annotated[list[int], Form(max_length=200)] = [],  # noqa: B006  FastAPI copies it
) -> Response:
    """Merge pages into one of them: tags, notes and URLs move, the others go to the trash."""
    ask.library.merge(keep, *page)
    return RedirectResponse(ask.site.link("/duplicates"), 303)


@routes.add("GET", "/p/{page:int}/similar", "read")
def similar_page(ask: Reads, page: int) -> Response:
    """Pages like one page."""
    found = ask.library.get(page)
    return render(
        ask,
        "similar.html",
        place="library",
        page=found,
        similar=ask.library.similar(found, limit=30),
    )
