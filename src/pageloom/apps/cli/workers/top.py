"""``pageloom top``: queues, rates and failures of the workers, live."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.topology import AGENTS, count_queues, section_of
from pageloom.errors import BrokerError
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from rich.console import RenderableType
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Broker, Json
from pageloom.apps.cli.output import print_json

_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What was seen at one moment."""

    at: float
    queues: dict[str, tuple[int, int] | None]
    """Messages that wait, and workers that read; None where there is no such queue."""
    counts: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    """Messages answered for, by worker and outcome."""
    trouble: BrokerError | None = None


def top(
    *,
    once: Annotated[bool, typer.Option("--once", help="Show the figures once and exit.")] = False,
    every: Annotated[
        float, typer.Option("--every", metavar="SECONDS", help="How often to refresh.")
    ] = 2.0,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metrics",
            metavar="HOST:PORT",
            help="Where a worker serves metrics; default: the usual ports on this machine.",
        ),
    ] = None,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Show queues, rates and failures of the workers, live."""
    settings = load_settings(flags={"broker.url": broker})
    places = metrics or _local_places(settings)
    if once or as_json:
        sight = asyncio.run(_look(settings, places))
        if sight.trouble:
            raise sight.trouble
        _show_once(sight, as_json=as_json)
        return
    asyncio.run(_watch(settings, places, max(0.2, every)))


def _local_places(settings: Settings) -> list[str]:
    ports = [
        settings.broker.health_port,
        *(getattr(settings, section_of(agent)).port for agent in AGENTS),
    ]
    return [f"127.0.0.1:{port}" for port in ports]


async def _watch(settings: Settings, places: list[str], every: float) -> None:
    from rich.live import Live

    from pageloom.apps.cli.show import make_console

    before = await _look(settings, places)
    with Live(_picture(before, None), console=make_console(), auto_refresh=False) as live:
        while True:
            await asyncio.sleep(every)
            now = await _look(settings, places)
            live.update(_picture(now, before), refresh=True)
            before = now


def _show_once(sight: Sight, *, as_json: bool) -> None:
    if as_json:
        print_json(_to_dict(sight))
        return
    from pageloom.apps.cli.show import make_console

    make_console().print(_picture(sight, None))


def _to_dict(sight: Sight) -> dict[str, Any]:
    queues = {
        name: None if seen is None else {"messages": seen[0], "workers": seen[1]}
        for name, seen in sight.queues.items()
    }
    workers: dict[str, dict[str, float]] = {}
    for (agent, outcome), number in sight.counts.items():
        workers.setdefault(agent, {})[outcome] = number
    return {"success": True, "queues": queues, "workers": workers}


async def _look(settings: Settings, places: list[str]) -> Sight:
    answers = await asyncio.gather(*(_ask(place) for place in places))
    counts: dict[tuple[str, str], float] = {}
    for answer in answers:
        for key, number in _read_counts(answer).items():
            counts[key] = counts.get(key, 0) + number
    queues: dict[str, tuple[int, int] | None] = {}
    trouble = None
    try:
        queues = await count_queues(settings)
    except BrokerError as error:
        trouble = error
    return Sight(at=time.monotonic(), queues=queues, counts=counts, trouble=trouble)


async def _ask(place: str) -> str:
    """The figures of one process; nothing where none answers."""
    host, _, port = place.rpartition(":")
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            answer = await reader.read(1_000_000)
            while piece := await reader.read(1_000_000):
                answer += piece
            writer.close()
    except (OSError, TimeoutError, ValueError):
        return ""
    return answer.decode(errors="replace")


def _read_counts(text: str) -> dict[tuple[str, str], float]:
    from prometheus_client.parser import text_string_to_metric_families

    body = text.partition("\r\n\r\n")[2]
    try:
        families = list(text_string_to_metric_families(body))
    except ValueError:  # another program listens there
        return {}
    return {
        (sample.labels["agent"], sample.labels["outcome"]): sample.value
        for family in families
        for sample in family.samples
        if sample.name == "pageloom_messages_total"
    }


def _picture(now: Sight, before: Sight | None) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    from pageloom.apps.cli.safe import one_line
    from pageloom.apps.cli.show import make_table

    if now.trouble:
        return Text(one_line(now.trouble.message, 200), style="red")
    queues = make_table("queue", "waiting", "change", "workers")
    for name, seen in now.queues.items():
        if seen is not None:
            queues.add_row(name, f"{seen[0]:,}", _change(now, before, name), str(seen[1]))
    workers = make_table("worker", "per second", "done", "retried", "dead")
    for agent in AGENTS:
        if any(key[0] == agent for key in now.counts):
            workers.add_row(agent, *_figures(agent, now, before))
    return Group(queues, Text(), workers)


def _change(now: Sight, before: Sight | None, name: str) -> str:
    seen, earlier = now.queues.get(name), before.queues.get(name) if before else None
    return f"{seen[0] - earlier[0]:+,}" if seen and earlier else ""


def _figures(agent: str, now: Sight, before: Sight | None) -> tuple[str, ...]:
    done = now.counts.get((agent, "done"), 0)
    again = now.counts.get((agent, "retry"), 0) + now.counts.get((agent, "later"), 0)
    dead = now.counts.get((agent, "dead"), 0)
    rate = ""
    if before and now.at > before.at:
        earlier = before.counts.get((agent, "done"), 0)
        rate = f"{max(0.0, done - earlier) / (now.at - before.at):.1f}"
    return rate, f"{done:,.0f}", f"{again:,.0f}", f"{dead:,.0f}"
