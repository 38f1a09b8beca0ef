"""Saving: pages by URL through a job that is waited for, or as they were captured elsewhere."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any

from fastapi import Request

from pageloom.apps.web.auth import Ask
from pageloom.apps.web.errors import InvalidRequest, error_from
from pageloom.flows.library.save import SaveResult
from pageloom.model.library import JobInfo, JobItem, Saved

_WAIT = re.compile(r"\bwait=(\d{1,3})\b")
_DEFAULT_WAIT, _LONGEST_WAIT = 20.0, 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.25
_ENDED = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """What is to be saved, whoever asked for it."""

    urls: tuple[str, ...]
    tags: tuple[str, ...] = ()
    note: str = ""
    render: str = "auto"
    archive: bool = False
    watch: bool = False


def wait_of(request: Request) -> float:
    """For how many seconds the caller waits: ``Prefer: wait=10`` or ``respond-async``."""
    prefer = request.headers.get("prefer", "")
    if "respond-async" in prefer:
        return 0.0
    found = _WAIT.search(prefer)
    return min(float(found[1]), _LONGEST_WAIT) if found else _DEFAULT_WAIT


def queue(ask: Ask, wanted: Saving) -> JobInfo:
    """Queue pages to be saved, and begin at once.

    Raises:
        InvalidRequest: no URL at all.
        InvalidUrl: watched pages need URLs of the web.
    """
    if not wanted.urls:
        raise InvalidRequest("There is no URL to save.", [{"pointer": "/url", "detail": "missing"}])
    if wanted.watch:
        for url in wanted.urls:
            ask.library.watch(url)
    job = ask.library.save_later(
        wanted.urls,
        tags=wanted.tags,
        render=wanted.render,  # pyright: ignore[reportArgumentType]  one of the three
        note=wanted.note,
        archive=wanted.archive,
    )
    ask.site.begin_jobs()
    return job


async def wait_for(ask: Ask, job_id: str, seconds: float) -> JobInfo:
    """A job when it has ended, or when the time is over."""
    pause, deadline = _FIRST_PAUSE, asyncio.get_running_loop().time() + seconds
    while True:
        job = await asyncio.to_thread(ask.library.get_job, job_id)
        left = deadline - asyncio.get_running_loop().time()
        if job.state in _ENDED or left <= 0:
            return job
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def result_of(ask: Ask, item: JobItem) -> SaveResult:
    """What came of one page of a job.

    Raises:
        PageloomError: it could not be saved.
    """
    if item.state == "failed":
        raise error_from(item.result.get("problem") or {"message": item.result["error"]})
    known: dict[str, Any] = item.result
    if "version" not in known:  # by workers, who keep only the page
        page = ask.library.get(int(known["page_id"]))
        known = {"page_id": page.id, "version": page.version, "is_new": False, "changed": False}
    saved = Saved(**known)
    document = ask.library.document(saved.page_id, saved.version or None)
    return SaveResult(url=item.item, saved=saved, document=document)
