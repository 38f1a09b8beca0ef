"""``pageloom worker`` and ``pageloom enqueue``."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.safe import escape_json, one_line
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.errors import InvalidUrl
from pageloom.redaction import redact
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store
    from pageloom.model.library import Run

_BAD = frozenset({"dead_letter", "failed"})


def run_worker(names: Sequence[str], *, broker: str | None, as_json: bool) -> None:
    """Run workers until told to stop, or print the contracts.

    Raises:
        KeyboardInterrupt: it was Ctrl-C; they have ended in order.
    """
    from pageloom.apps.agents.topology import AGENTS, section_of

    for alone in ("all", "schema"):
        if alone in names and set(names) != {alone}:
            raise UsageTrouble(
                f"{alone} stands alone.",
                suggestions=(f"Write pageloom worker {alone}, or name workers without it.",),
            )
    if "schema" in names:
        _print_schema()
        return
    chosen = list(AGENTS) if "all" in names else list(dict.fromkeys(names))
    for name in chosen:
        if name not in AGENTS:
            raise UsageTrouble(
                f"There is no worker {name}.",
                suggestions=(f"There are: {', '.join(AGENTS)}, all.",),
            )
    worker = section_of(chosen[0]) if len(chosen) == 1 else ""
    settings = load_settings(flags={"broker.url": broker}, worker=worker)
    _start(chosen, settings, as_json=as_json)


def _start(names: list[str], settings: Settings, *, as_json: bool) -> None:
    from pageloom.apps.agents.run import run_until_signal
    from pageloom.apps.logs import start_logging
    from pageloom.apps.metrics import start_counting
    from pageloom.apps.traces import start_tracing

    observe = settings.observe
    chosen = settings.origins.get("observe.log_level")
    start_logging(
        observe.log_level if chosen else "info", "json" if as_json else observe.log_format
    )
    start_counting()
    end_tracing = start_tracing(observe.traces_url)
    try:
        interrupted = run_until_signal(names, settings)
    finally:
        end_tracing()
    if interrupted:
        raise KeyboardInterrupt


def _print_schema() -> None:
    from pageloom.apps.agents.messages import schemas

    print(json.dumps(schemas(), indent=2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Enqueue:
    """What was asked for on the command line."""

    urls: tuple[str, ...]
    wait: bool
    timeout: float | None
    render: str | None
    follow: bool
    depth: int | None
    max_pages: int | None
    scope: str | None
    as_json: bool


def run_enqueue(request: Enqueue, *, broker: str | None) -> int:
    """Write jobs, and wait for what comes of them if asked to.

    Returns:
        1 if a page that was waited for failed or did not come to its end.
    """
    from pageloom.apps.agents.jobs import enqueue_jobs

    settings = load_settings(flags={"broker.url": broker})
    jobs = [_job(url, request) for url in _addresses(request.urls)]
    if not request.wait:
        asyncio.run(enqueue_jobs(jobs, settings))
        _tell_jobs(jobs, as_json=request.as_json)
        return 0
    from pageloom.edges.store.base import open_store

    with open_store(settings.database) as store:  # nothing is written where none can be seen to end
        asyncio.run(enqueue_jobs(jobs, settings))
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


def _job(url: str, request: Enqueue) -> dict[str, Any]:
    from pageloom.apps.agents.jobs import make_job

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
    return make_job(url, render=request.render, crawl=given if request.follow else None)


def _tell_jobs(jobs: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"success": True, "jobs": jobs}))
        return
    for job in jobs:
        print(f"{job['jobId']}  {one_line(job['url'], 100)}")


def _wait(jobs: list[dict[str, Any]], store: Store, settings: Settings, request: Enqueue) -> int:
    from pageloom.apps.agents.asking import await_runs

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
