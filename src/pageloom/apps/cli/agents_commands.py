"""The flags of ``worker``, ``enqueue``, ``dlq`` and ``top``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json

_WORKERS = (
    "fetcher, parser, classifier, change-detector, price-tracker, notifier, storage, discovery;"
    " all for every one in one process; schema to print the contracts of their messages"
)
Broker = Annotated[
    str | None,
    typer.Option("--broker", metavar="URL", help="RabbitMQ; otherwise broker.url or RABBIT_URL."),
]

dlq = typer.Typer(
    name="dlq",
    help="Look at messages that were given up, and try them again.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(worker)
    app.command()(enqueue)
    app.command()(top)
    app.add_typer(dlq)


def worker(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help=_WORKERS)],
    *,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Run workers between queues of RabbitMQ until SIGTERM or Ctrl-C.

    Each reads one queue and writes the next. Start more of one to go faster. The variables
    INPUT_QUEUE, OUTPUT_QUEUE, PREFETCH and so on set a worker that is alone in its process;
    several in one process are set by PAGELOOM_PARSER_INPUT_QUEUE and so on.
    """
    from pageloom.apps.cli.agents import run_worker

    run_worker(names, broker=broker, as_json=as_json)


def enqueue(  # noqa: PLR0913  one argument per flag
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="- reads them from input.")],
    *,
    wait: Annotated[bool, typer.Option("--wait", help="Until each has come to its end.")] = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout", min=0, metavar="SECONDS", help="How long; broker.result_timeout."
        ),
    ] = None,
    render: Annotated[
        str | None, typer.Option("--render", help="auto, force or never: use a browser.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Follow links too, with a discovery worker.")
    ] = False,
    depth: Annotated[int | None, typer.Option("--depth", min=0, help="How far to follow.")] = None,
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", min=1, help="How many pages in all, for each URL.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", help="Follow within path, host or domain.")
    ] = None,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Give pages to the workers: fetch, read, compare, keep, tell."""
    from pageloom.apps.cli.agents import Enqueue, run_enqueue

    raise typer.Exit(
        run_enqueue(
            Enqueue(
                urls=tuple(urls),
                wait=wait,
                timeout=timeout,
                render=render,
                follow=follow or depth is not None or max_pages is not None or scope is not None,
                depth=depth,
                max_pages=max_pages,
                scope=scope,
                as_json=as_json,
            ),
            broker=broker,
        )
    )


def top(
    *,
    once: Annotated[bool, typer.Option("--once", help="Show it once and leave.")] = False,
    every: Annotated[float, typer.Option("--every", metavar="SECONDS")] = 2.0,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", metavar="HOST:PORT", help="Workers to ask; else those here."),
    ] = None,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Watch queues, rates and failures of the workers."""
    from pageloom.apps.cli.top import run_top

    run_top(once=once or as_json, every=every, metrics=metrics, broker=broker, as_json=as_json)


Limit = Annotated[int, typer.Option("--limit", min=1, max=LARGEST, help="At most so many.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Only those with this reason.")]
Letters = Annotated[list[str] | None, typer.Argument(metavar="ID...")]
Every = Annotated[bool, typer.Option("--all", help="Every one, or every one of a reason.")]


@dlq.command("list")
def dlq_list(
    *, limit: Limit = 100, reason: Reason = None, broker: Broker = None, as_json: Json = False
) -> None:
    """List messages that were given up: when, where and why."""
    from pageloom.apps.cli.dlq import run_list

    run_list(limit=limit, reason=reason, broker=broker, as_json=as_json)


@dlq.command("show")
def dlq_show(
    letter: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    *,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="With passwords, tokens and cookies.")
    ] = False,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Show one message with its headers; secrets in it are hidden."""
    from pageloom.apps.cli.dlq import run_show

    run_show(letter, secrets=secrets, broker=broker, as_json=as_json)


@dlq.command("replay")
def dlq_replay(
    letters: Letters = None,
    *,
    every: Every = False,
    reason: Reason = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="QUEUE", help="Into this queue instead.")
    ] = None,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Put messages back into the queue they failed in, to be tried from the beginning."""
    from pageloom.apps.cli.dlq import Choice, run_replay

    choice = Choice(letters or [], every, reason)
    raise typer.Exit(run_replay(choice, to=to, broker=broker, as_json=as_json))


@dlq.command("purge")
def dlq_purge(
    letters: Letters = None,
    *,
    every: Every = False,
    reason: Reason = None,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Throw messages away for good."""
    from pageloom.apps.cli.dlq import Choice, run_purge

    choice = Choice(letters or [], every, reason)
    raise typer.Exit(run_purge(choice, broker=broker, as_json=as_json))
