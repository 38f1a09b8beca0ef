"""``pageloom enqueue``: pages for the workers."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Broker, Json, JsonLines, Render, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import print_item, print_items, print_json
from pageloom.apps.cli.safe import one_line
from pageloom.context import open_context
from pageloom.errors import InvalidUrl
from pageloom.flows.capture.fetch_jobs import await_runs, enqueue_jobs, make_job
from pageloom.flows.capture.fetch_page import require_url
from pageloom.redaction import redact
from pageloom.settings import load_settings
from pageloom.views import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.context import Context
    from pageloom.model.library import Run


_BAD = frozenset({"dead_letter", "failed"})


Scope = Literal["path", "host", "domain"]


@dataclass(frozen=True, kw_only=True)
class EnqueueFlags:
    """The flags of ``enqueue``."""

    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL...", help="URLs, or - to read them from standard input."),
    ]
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the outcome of each page.")] = False
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            min=0,
            metavar="SECONDS",
            help="How long to wait; default: broker.result_timeout.",
        ),
    ] = None
    render: Render = None
    follow: Annotated[
        bool, typer.Option("--follow", help="Follow links too; needs a running discovery worker.")
    ] = False
    depth: Annotated[
        int | None, typer.Option("--depth", min=0, help="How many links away to follow.")
    ] = None
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", min=1, help="At most this many pages per URL.")
    ] = None
    scope: Annotated[
        Scope | None,
        typer.Option("--scope", help="Follow only links within the same path, host or domain."),
    ] = None
    broker: Broker = None
    as_json: Json = False
    as_lines: JsonLines = False

    @property
    def follows(self) -> bool:
        """Whether links are followed: a limit for it asks for it too."""
        return self.follow or any(x is not None for x in (self.depth, self.max_pages, self.scope))


@takes(EnqueueFlags)
def enqueue(*, flags: EnqueueFlags) -> None:
    """Queue pages for the workers.

    The workers fetch, extract, compare, save and notify.
    """
    raise typer.Exit(_enqueue(flags))


def _enqueue(flags: EnqueueFlags) -> int:
    settings = load_settings(flags={"broker.url": flags.broker})
    jobs = [_job(url, flags) for url in _urls(flags.urls)]
    if not flags.wait:
        asyncio.run(enqueue_jobs(jobs, settings.broker, settings.fetcher.input_queue))
        _print_jobs(jobs)
        return 0
    with open_context(settings=settings) as context:  # queue nothing if its end could not be seen
        asyncio.run(enqueue_jobs(jobs, settings.broker, settings.fetcher.input_queue))
        return _wait(jobs, context, flags)


def _urls(given: Sequence[str]) -> list[str]:
    urls = sys.stdin.read().split() if list(given) == ["-"] else list(given)
    if not urls:
        raise UsageTrouble("Standard input contains no URL.")
    for url in urls:  # a wrong one is refused before anything is queued
        try:
            require_url(url)
        except InvalidUrl as error:
            raise InvalidUrl(
                f"{one_line(redact(url), 80)} is not the URL of a web page.",
                suggestions=error.suggestions,
            ) from None
    return urls


def _job(url: str, flags: EnqueueFlags) -> dict[str, Any]:
    crawl = {
        "scope": flags.scope,
        "maxDepth": flags.depth,
        "maxPages": flags.max_pages,
    }
    given = {name: value for name, value in crawl.items() if value is not None}
    return make_job(url, render=flags.render, crawl=given if flags.follows else None)


def _print_jobs(jobs: list[dict[str, Any]]) -> None:
    if current.as_json:
        print_items({"job_id": job["jobId"], "url": job["url"]} for job in jobs)
        return
    for job in jobs:
        print(f"{job['jobId']}  {one_line(job['url'], 100)}")


def _wait(jobs: list[dict[str, Any]], context: Context, flags: EnqueueFlags) -> int:
    urls = {str(job["jobId"]): str(job["url"]) for job in jobs}
    found: dict[str, Run] = {}

    def take(job: str, run: Run) -> None:
        found[job] = run
        _print_run(job, urls[job], run)

    usual = context.settings.broker.result_timeout
    seconds = usual if flags.timeout is None else flags.timeout
    waiting = await_runs(context.store, context.owner, urls, seconds, take)
    return _sum_up(waiting, found, seconds)


def _print_run(job: str, url: str, run: Run) -> None:
    if current.as_lines:
        print_item({"success": run.outcome not in _BAD, "job_id": job} | records.run(run))
    if current.as_json:
        return
    version = f"version {run.version}" if run.version else ""
    print(f"{run.outcome:12} {version:12} {one_line(url, 80)}")
    if run.reason:
        print(f"             {one_line(run.reason, 120)}")


def _sum_up(waiting: dict[str, str], found: dict[str, Run], seconds: float) -> int:
    failed = [run for run in found.values() if run.outcome in _BAD]
    if current.as_json:
        if not current.as_lines:
            items = [records.run(run) | {"job_id": job} for job, run in found.items()]
            late = [{"job_id": job, "url": url} for job, url in waiting.items()]
            print_json({"success": not (late or failed), "items": items, "waiting": late})
    else:
        for url in waiting.values():
            shown = one_line(redact(url), 80)
            print(f"no result    within {seconds:g} s  {shown}", file=sys.stderr)
        if waiting:
            print("The jobs stay queued. Are workers running? See pageloom top.", file=sys.stderr)
    return int(bool(waiting or failed))
