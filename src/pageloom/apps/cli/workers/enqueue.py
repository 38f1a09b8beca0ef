"""``pageloom enqueue``: pages for the workers."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.safe import escape_json, one_line
from pageloom.errors import InvalidUrl
from pageloom.redaction import redact
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store
    from pageloom.model.library import Run
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, takes
from pageloom.apps.cli.workers.flags import Broker

_BAD = frozenset({"dead_letter", "failed"})


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
    render: Annotated[
        str | None, typer.Option("--render", help="Use a browser: auto, force or never.")
    ] = None
    follow: Annotated[
        bool, typer.Option("--follow", help="Follow links too, with a discovery worker.")
    ] = False
    depth: Annotated[
        int | None, typer.Option("--depth", min=0, help="How many links away to follow.")
    ] = None
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", min=1, help="At most this many pages per URL.")
    ] = None
    scope: Annotated[
        str | None, typer.Option("--scope", help="Follow links within path, host or domain.")
    ] = None
    broker: Broker = None
    as_json: Json = False

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


def _enqueue(request: EnqueueFlags) -> int:
    from pageloom.flows.capture.jobs import enqueue_jobs

    settings = load_settings(flags={"broker.url": request.broker})
    jobs = [_job(url, request) for url in _addresses(request.urls)]
    if not request.wait:
        asyncio.run(enqueue_jobs(jobs, settings.broker, settings.fetcher.input_queue))
        _tell_jobs(jobs, as_json=request.as_json)
        return 0
    from pageloom.edges.store.base import open_store

    with open_store(settings.database) as store:  # queue nothing if its end could not be seen
        asyncio.run(enqueue_jobs(jobs, settings.broker, settings.fetcher.input_queue))
        return _wait(jobs, store, settings, request)


def _addresses(given: Sequence[str]) -> list[str]:
    lines = sys.stdin.read().split() if list(given) == ["-"] else list(given)
    if not lines:
        raise UsageTrouble("There is no address in what was given.")
    from pageloom.core.normalize.urls import url_key

    for url in lines:  # one that is none is refused before anything is written
        try:
            url_key(url)
        except InvalidUrl as error:
            raise InvalidUrl(
                f"{one_line(redact(url), 80)} is no address of a web page.",
                suggestions=error.suggestions,
            ) from None
    return lines


def _job(url: str, request: EnqueueFlags) -> dict[str, Any]:
    from pageloom.flows.capture.jobs import make_job

    if request.render not in (None, "auto", "force", "never"):
        raise UsageTrouble("--render takes auto, force or never.")
    if request.scope not in (None, "path", "host", "domain"):
        raise UsageTrouble("--scope takes path, host or domain.")
    crawl = {
        "scope": request.scope,
        "maxDepth": request.depth,
        "maxPages": request.max_pages,
    }
    given = {name: value for name, value in crawl.items() if value is not None}
    return make_job(url, render=request.render, crawl=given if request.follows else None)


def _tell_jobs(jobs: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"success": True, "jobs": jobs}))
        return
    for job in jobs:
        print(f"{job['jobId']}  {one_line(job['url'], 100)}")


def _wait(
    jobs: list[dict[str, Any]], store: Store, settings: Settings, request: EnqueueFlags
) -> int:
    from pageloom.flows.capture.job_results import await_runs

    urls = {job["jobId"]: job["url"] for job in jobs}
    found: dict[str, Run] = {}

    def tell(job: str, run: Run) -> None:
        found[job] = run
        _tell_run(urls[job], run, as_json=request.as_json)

    seconds = settings.broker.result_timeout if request.timeout is None else request.timeout
    waiting = await_runs(store, settings.library.user, urls, seconds, tell)
    return _tell_rest(waiting, found, seconds, as_json=request.as_json)


def _tell_run(url: str, run: Run, *, as_json: bool) -> None:
    if as_json:
        return
    version = f"version {run.version}" if run.version else ""
    print(f"{run.outcome:12} {version:12} {one_line(url, 80)}")
    if run.reason:
        print(f"             {one_line(run.reason, 120)}")


def _tell_rest(
    waiting: dict[str, str], found: dict[str, Run], seconds: float, *, as_json: bool
) -> int:
    failed = [run for run in found.values() if run.outcome in _BAD]
    if as_json:
        answer = {
            "success": not (waiting or failed),
            "runs": [asdict(run) | {"jobId": job} for job, run in found.items()],
            "waiting": [{"jobId": job, "url": url} for job, url in waiting.items()],
        }
        print(escape_json(json.dumps(answer, ensure_ascii=False)))
    else:
        for url in waiting.values():
            print(
                f"no answer    within {seconds:g} s  {one_line(redact(url), 80)}", file=sys.stderr
            )
        if waiting:
            print("The jobs stay in the queue. Do the workers run? pageloom top", file=sys.stderr)
    return int(bool(waiting or failed))
