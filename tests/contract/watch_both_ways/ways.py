"""The same scenarios by the scheduler and by real workers; what each leaves in the library."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tests.contract.watch_both_ways.scenarios import FRONT
from tests.integration.agents.bench import Working
from tests.services import chromium

from pageloom.apps.agents.topology import AGENTS, all_queues, make_agent
from pageloom.context import Context, open_context
from pageloom.edges.broker.connection import connect
from pageloom.edges.store.watches import add_watch, get_watch
from pageloom.flows.watch.scheduler import check_now, run_scheduler
from pageloom.model.watch import NewWatch, WatchSettings
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.contract.watch_both_ways.scenarios import Scenario
    from tests.site.server import Site

    from pageloom.flows.watch.context import WatchContext
    from pageloom.model.watch import Watch

ROBOTS = b"User-agent: *\nDisallow: /robots-kept/\nDisallow: /robots-ignored/\n"
OTHERS = {
    "library.keep_originals": False,
    "changes.wording_matters": True,
    "changes.ignored_fields": ("title", "metadata"),
}


@dataclass
class Play:
    """One scenario on its way: its pages and its watch."""

    scenario: Scenario
    site: Site
    context: Context
    watch: Watch
    outcomes: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def path(self, page: str) -> str:
        return place(self.scenario, page)

    def keep(self, statuses: list[int]) -> None:
        self.statuses = statuses

    def write(self, sql: str) -> None:
        page = get_watch(self.context.store, "local", self.watch.id).state.page_id
        self.context.store.transact(lambda tx: tx.run(f"{sql} WHERE page_id = ?", page))


@dataclass(frozen=True)
class Left:
    """What a scenario left behind."""

    outcomes: list[str]
    paths: list[str]
    rows: dict[str, Any]
    notices: list[dict[str, Any]]


def place(scenario: Scenario, page: str) -> str:
    return "/" + re.sub(r"[^a-z0-9]+", "-", scenario.name) + "/" + page


def settings_for(database: str, rabbit_url: str, *, workers: bool, **flags: Any) -> Settings:
    given = {
        "database.url": database,
        "broker.url": rabbit_url,
        "broker.retry_delays": [0.05],
        "broker.health_port": 0,
        "watch.through_workers": workers,
        "watch.host_delay": 0.0,
        "watch.concurrency": 40,
        "notify.targets": ["console"],
        "fetch.allowed_hosts": ["127.0.0.1"],
        "fetch.retries": 0,
        "fetch.delay": 0.0,
        "fetch.browser": chromium(),
    } | {name: list(value) if isinstance(value, tuple) else value for name, value in flags.items()}
    return load_settings(flags=given, environment={}, directories=())


def play_all(scenarios: list[Scenario], site: Site, settings: Settings) -> dict[str, Left]:
    """Play scenarios side by side, step by step."""
    site.pages.clear()
    site.add("/robots.txt", ROBOTS, Content_Type="text/plain")
    site.add("/", FRONT.encode(), Content_Type="text/html")
    with ExitStack() as stack:
        context = stack.enter_context(open_context(settings=settings))
        if settings.watch.through_workers:
            stack.enter_context(working(settings))
        plays = [_begin(scenario, site, context) for scenario in scenarios]
        asyncio.run(_play(plays, context))
        if settings.watch.through_workers:
            asyncio.run(_settle(settings))
        return {play.scenario.name: _left(play) for play in plays}


@contextmanager
def working(settings: Settings) -> Iterator[None]:
    """All workers; what is to be sent stays in the outbox."""
    agents = [replace(make_agent(name), background=None) for name in AGENTS if name != "discovery"]
    with Working(agents, settings):
        yield


@contextmanager
def running(context: Context, *, workers: bool) -> Iterator[None]:
    """The scheduler in a thread, or a worker."""
    if workers:
        with Working([make_agent("storage")], context.settings):
            yield
        return
    stops: list[Callable[[], object]] = []

    async def schedule() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        stops.append(lambda: loop.call_soon_threadsafe(stop.set))
        async with context.watch_context() as world:
            await run_scheduler(world, context.notify_context(), stop)

    thread = threading.Thread(target=lambda: asyncio.run(schedule()))
    thread.start()
    try:
        yield
    finally:
        stops[0]()
        thread.join()


def _begin(scenario: Scenario, site: Site, context: Context) -> Play:
    url = site.url(place(scenario, "page"))
    chosen = WatchSettings(**({"every": 3600, "respect_robots": False} | scenario.watch))
    new = NewWatch(
        owner="local",
        url=url,
        url_full=url,
        host=scenario.name,  # each has a turn of its own, so that all are checked side by side
        track=scenario.track,
        settings=chosen,
    )
    return Play(scenario, site, context, add_watch(context.store, new)[0])


async def _play(plays: list[Play], context: Context) -> None:
    async with context.watch_context() as world:
        for number in range(max(len(play.scenario.steps) for play in plays)):
            await _step(
                [play for play in plays if number < len(play.scenario.steps)], number, world
            )


async def _step(plays: list[Play], number: int, world: WatchContext) -> None:
    for play in plays:
        play.scenario.steps[number][0](play)
    results = await check_now([play.watch for play in plays], world)
    by_watch = {result.watch.id: result for result in results}
    for play in plays:
        result = by_watch[play.watch.id]
        play.outcomes.append(result.outcome)
        play.paths.append(result.path)


async def _settle(settings: Settings) -> None:
    """Wait until nothing is on its way between the workers any more."""
    connection = await connect(settings.broker.url)
    deadline = time.monotonic() + 20
    try:
        quiet = 0
        while quiet < 3 and time.monotonic() < deadline:
            names = [name for name in all_queues(settings) if name != "dead_letter"]
            counts = [await connection.count(name) for name in names]
            quiet = 0 if any(each and each[0] for each in counts) else quiet + 1
            await asyncio.sleep(0.1)
    finally:
        await connection.close()


def _left(play: Play) -> Left:
    return Left(outcomes=play.outcomes, paths=play.paths, rows=_rows(play), notices=_notices(play))


_TABLES = {
    "versions": "track, number, snapshot_hash, change_hash, content_hash, parser_version,"
    " rules_version, body_hash, content_type, status, used_js, trivial, origin, quality,"
    " word_count",
    "changes": "track, from_version, to_version, baseline_version, importance, summary, report,"
    " notified_at IS NULL AS untold",
    "prices": "track, version, amount, currency, availability, source, held",
    "price_events": "track, kind, detail, notified_at IS NULL AS untold",
    "tracks": "track, last_number, state",
}
_TIMES = re.compile(r'"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"')


def _rows(play: Play) -> dict[str, Any]:
    """Everything that a scenario left in the library, but for times and row numbers."""
    store, number = play.context.store, play.watch.id
    watch = get_watch(store, "local", number)
    found: dict[str, Any] = {
        "watch": {
            "state": replace(watch.state, page_id=None),
            "failures": watch.failures,
            "leased": watch.lease_owner,
            "due": watch.next_due is not None,
        }
    }
    with store.read() as tx:
        for table, columns in _TABLES.items():
            query = f"SELECT {columns} FROM {table} WHERE page_id = ? ORDER BY 1, 2, 3"  # noqa: S608  our own names
            found[table] = [_plain(row) for row in tx.all(query, watch.state.page_id)]
        runs = "SELECT outcome, path, reason, version FROM runs WHERE url = ? ORDER BY id"
        found["runs"] = tx.all(runs, watch.url)
        names = [row["body_hash"] for row in found["versions"] if row["body_hash"]]
        found["originals"] = len(set(names))
    return found


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Without the times in what is stored as JSON."""
    return {
        name: _TIMES.sub('"T"', value) if isinstance(value, str) else value
        for name, value in row.items()
    }


def _notices(play: Play) -> list[dict[str, Any]]:
    """The messages of a watch, but for their ids and times."""
    query = "SELECT target, payload, created_at, next_try FROM outbox WHERE watch_id = ?"
    with play.context.store.read() as tx:
        rows = tx.all(query, play.watch.id)
    # Pages are dated by the second, failures by the millisecond: their order says little.
    return sorted(map(_notice, rows), key=lambda each: (each["payload"]["title"], each["target"]))


def _notice(row: dict[str, Any]) -> dict[str, Any]:
    payload = row["payload"]
    known = json.loads(payload) if isinstance(payload, str | bytes) else dict(payload)
    for name in ("id", "at"):
        known.pop(name, None)
    for name in ("id", "page_id"):
        known["data"].pop(name, None)
    text = _TIMES.sub('"T"', json.dumps(known, sort_keys=True, default=str))
    late = row["next_try"] > row["created_at"]
    return {"target": row["target"], "later": late, "payload": json.loads(text)}
