"""``pageloom worker``: consumers between the queues of RabbitMQ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Broker, Json
from pageloom.apps.cli.safe import one_line

_WORKERS = (
    "fetcher, parser, classifier, change-detector, price-tracker, notifier, storage, discovery;"
    " all: every worker in one process; schema: print the JSON Schemas of their messages."
)


def worker(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help=_WORKERS)],
    *,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Run workers on the queues of RabbitMQ.

    They run until SIGTERM or Ctrl-C. Each reads one queue and writes the next; start more of one
    to go faster. INPUT_QUEUE, OUTPUT_QUEUE, PREFETCH and so on configure a worker that is alone in
    its process; PAGELOOM_PARSER_INPUT_QUEUE and so on configure several in one process.
    """
    run_worker(names, broker=broker, as_json=as_json)


def run_worker(names: Sequence[str], *, broker: str | None, as_json: bool) -> None:
    """Run workers until told to stop, or print the contracts.

    Raises:
        KeyboardInterrupt: it was Ctrl-C; they have ended in order.
    """
    from pageloom.apps.agents.topology import AGENTS, section_of

    for alone in ("all", "schema"):
        if alone in names and set(names) != {alone}:
            raise UsageTrouble(
                f"{alone} cannot be combined with other names.",
                suggestions=(f"Write pageloom worker {alone}, or name workers without it.",),
            )
    if "schema" in names:
        _print_schema()
        return
    chosen = list(AGENTS) if "all" in names else list(dict.fromkeys(names))
    for name in chosen:
        if name not in AGENTS:
            raise UsageTrouble(
                f"There is no worker {one_line(name, 60)}.",
                suggestions=(f"Choose from {', '.join(AGENTS)}, or all.",),
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
    from pageloom.flows.queue.messages import schemas

    print(json.dumps(schemas(), indent=2))
