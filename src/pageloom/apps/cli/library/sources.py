"""``pageloom sources``: the registry of sources, and polling their feeds."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.library.source_edit import changed_source
from pageloom.apps.cli.output import count, print_json, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import escape_json, one_line, safe
from pageloom.edges.store.sources import (
    due_sources,
    get_source,
    list_sources,
    put_source,
    remove_source,
)
from pageloom.edges.store.times import now
from pageloom.errors import NotInLibrary, StorageError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from pageloom.context import Context
    from pageloom.flows.library.poll_feeds import PollResult
    from pageloom.model.library import Source
from pageloom.apps.cli.flags import Common, takes

INTERRUPTED = 130


_PAUSE = 15
"""Seconds between two looks at what is due."""


class SourceAction(StrEnum):
    """What ``sources`` does."""

    list = "list"
    add = "add"
    show = "show"
    remove = "remove"
    poll = "poll"


@dataclass(frozen=True, kw_only=True)
class SourceFlags(Common):
    """The flags of ``sources``."""

    action: Annotated[SourceAction, typer.Argument(help="list, add, show, remove or poll.")]
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="The name of a source.")] = ""
    title: Annotated[str, typer.Option("--title", help="add: a title for people.")] = ""
    site: Annotated[str, typer.Option("--site", help="add: the host of its pages.")] = ""
    feeds: Annotated[
        list[str] | None, typer.Option("--feed", help="add: the URL of a feed. May be repeated.")
    ] = None
    language: Annotated[str, typer.Option("--language", help="add: of its pages.")] = ""
    timezone: Annotated[str, typer.Option("--timezone", help="add: of its dates.")] = ""
    proxy: Annotated[
        str, typer.Option("--proxy", help="add: the proxy its pages are fetched through.")
    ] = ""
    hints: Annotated[
        list[str] | None,
        typer.Option(
            "--hint", metavar="FIELD=CSS", help="add: the selector of a field on its pages."
        ),
    ] = None
    every: Annotated[
        int | None,
        typer.Option(
            "--every",
            min=1,
            max=525_600,
            metavar="MINUTES",
            help="add: time between two polls; default: 60.",
        ),
    ] = None
    full: Annotated[
        bool, typer.Option("--full", help="add: fetch the pages its feeds link to.")
    ] = False
    loop: Annotated[
        bool, typer.Option("--loop", help="poll: keep polling, each source when due, until Ctrl-C.")
    ] = False
    min_reliability: Annotated[
        float, typer.Option("--min-reliability", min=0, max=1, help="list: at least this reliable.")
    ] = 0.0


@takes(SourceFlags)
def sources(*, flags: SourceFlags) -> None:
    """Manage sources and poll their feeds.

    add creates a source, or changes one. poll reads the feeds that are due, or those of one
    source, and saves what is new.
    """
    raise typer.Exit(_sources(flags))


def _sources(request: SourceFlags) -> int:
    with open_library(request.user) as library:
        if request.action == "list":
            _list(library, request)
        elif request.action == "poll":
            return _poll_on(library, request) if request.loop else _poll(library, request)
        else:
            _require_name(request)
            {"add": _add, "show": _show, "remove": _remove}[request.action](library, request)
    return 0


def _require_name(request: SourceFlags) -> None:
    if not request.name:
        raise UsageTrouble(f"sources {request.action} takes the name of a source.")


def _list(library: Context, request: SourceFlags) -> None:
    found = list_sources(library.store, library.owner, min_reliability=request.min_reliability)
    if request.as_json:
        print_json({"sources": [_data(source) for source in found]})
        return
    rows = [
        (
            one_line(source.id, 30),
            f"{source.reliability:.2f}",
            str(source.successes),
            str(source.errors),
            str(len(source.feeds)),
            time_of(source.last_polled_at),
            one_line(source.name or source.site, 60),
        )
        for source in found
    ]
    headers = ("id", ">reliable", ">good", ">bad", ">feeds", "polled", "name")
    print_table(headers, rows, flexible=6)
    if not rows:
        print_lines(["No sources yet: pageloom sources add NAME --site HOST --feed URL"])


def _data(source: Source) -> dict[str, Any]:
    return asdict(source) | {"proxy": "(set)" if source.proxy else ""}


def _add(library: Context, request: SourceFlags) -> None:
    known = get_source(library.store, library.owner, request.name)
    source = changed_source(request.name, request, known)
    is_new = put_source(library.store, library.owner, source)
    if request.as_json:
        print_json({"id": source.id, "is_new": is_new})
    else:
        print_lines([f"{'Added' if is_new else 'Changed'} {safe(source.id)}"])


def _find(library: Context, request: SourceFlags) -> Source:
    source = get_source(library.store, library.owner, request.name)
    if source is None:
        raise NotInLibrary(
            f"There is no source {one_line(request.name, 60)}.",
            suggestions=("See pageloom sources list",),
        )
    return source


def _show(library: Context, request: SourceFlags) -> None:
    data = _data(_find(library, request))
    if request.as_json:
        print_json(data)
    else:
        print_lines([f"{name:<16} {one_line(str(value), 200)}" for name, value in data.items()])


def _remove(library: Context, request: SourceFlags) -> None:
    source = _find(library, request)
    remove_source(library.store, library.owner, source.id)
    if request.as_json:
        print_json({"id": source.id, "removed": True})
    else:
        print_lines([f"Removed {safe(source.id)}; its pages stay."])


def _poll(library: Context, request: SourceFlags) -> int:
    if request.name:
        wanted = [_find(library, request)]
    else:
        wanted = due_sources(library.store, library.owner, now())
    results = asyncio.run(_poll_all(library, wanted))
    if request.as_json:
        print_json({"polled": [_polled_data(one) for one in results]})
    else:
        for one in results:
            print_lines(_lines(one))
        print_lines([f"{count(len(results), 'source')} polled."])
    return 1 if any(one.errors for one in results) else 0


async def _poll_all(library: Context, sources: list[Source]) -> list[PollResult]:
    async with _poller(library) as poll:
        return [await poll(source) for source in sources]


@asynccontextmanager
async def _poller(
    library: Context,
) -> AsyncGenerator[Callable[[Source], Awaitable[PollResult]]]:
    from pageloom.edges.fetch.fetcher import open_fetcher
    from pageloom.flows.library.poll_feeds import poll_source

    keeper = library.save_context(origin="feed")
    async with open_fetcher(library.settings.fetch) as fetcher:
        yield lambda source: poll_source(keeper, source, fetcher=fetcher)


def _poll_on(library: Context, request: SourceFlags) -> int:
    """Poll whatever is due until SIGTERM or Ctrl-C."""
    if request.name:
        raise UsageTrouble("--loop polls whatever is due; it takes no name.")
    signals: list[int] = []
    asyncio.run(_loop(library, request, signals))
    return INTERRUPTED if signal.SIGINT in signals else 0


async def _loop(library: Context, request: SourceFlags, signals: list[int]) -> None:
    stop = asyncio.Event()

    def ask_to_stop(number: int) -> None:
        signals.append(number)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ask_to_stop, number)
    async with _poller(library) as poll:
        while not stop.is_set():
            for source in await asyncio.to_thread(_due, library):
                if not stop.is_set():
                    _tell_polled(await poll(source), request)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _PAUSE)


def _due(library: Context) -> list[Source]:
    try:
        return due_sources(library.store, library.owner, now())
    except StorageError as error:
        if not error.retryable:
            raise
        print(f"warning: {safe(error.message)}", file=sys.stderr, flush=True)
        return []


def _tell_polled(one: PollResult, request: SourceFlags) -> None:
    if request.as_json:
        print(escape_json(msgspec.json.encode(_polled_data(one)).decode()), flush=True)
    elif one.new or one.errors:
        print("\n".join(_lines(one)), flush=True)


def _polled_data(one: PollResult) -> dict[str, Any]:
    return asdict(one) | {"source": one.source.id}


def _lines(one: PollResult) -> list[str]:
    head = f"{safe(one.source.id)}: {len(one.new)} new, {one.known} known"
    return [
        head,
        *(f"  new    {one_line(url, 100)}" for url in one.new),
        *(f"  failed {one_line(error, 140)}" for error in one.errors),
    ]
