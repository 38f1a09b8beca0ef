"""``pageloom sources``: the registry of sources, and polling their feeds."""

from __future__ import annotations

import signal
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import CommonStream, Yes, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import (
    confirm,
    count,
    print_item,
    print_items,
    print_json,
    print_lines,
    print_table,
    require_stream,
    time_of,
)
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line, safe
from pageloom.errors import StorageError
from pageloom.views import records, results

if TYPE_CHECKING:
    from pageloom.flows.library.sources import PollResult, SourceFields
    from pageloom.library import Library
    from pageloom.model.library import Source


INTERRUPTED = 130


_PAUSE = 15
"""Seconds between two looks at what is due."""


SourceAction = Literal["list", "add", "show", "remove", "poll", "opml"]


@dataclass(frozen=True, kw_only=True)
class SourceFlags(CommonStream):
    """The flags of ``sources``."""

    action: Annotated[SourceAction, typer.Argument(help="list, add, show, remove, poll or opml.")]
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="The name of a source.")] = ""
    title: Annotated[str, typer.Option("--title", help="add: the title to show in lists.")] = ""
    site: Annotated[str, typer.Option("--site", help="add: the host of its pages.")] = ""
    feeds: Annotated[
        list[str] | None, typer.Option("--feed", help="add: the URL of a feed. May be repeated.")
    ] = None
    language: Annotated[str, typer.Option("--language", help="add: the language of its pages.")] = (
        ""
    )
    timezone: Annotated[
        str, typer.Option("--timezone", help="add: the time zone of its dates.")
    ] = ""
    proxy: Annotated[
        str, typer.Option("--proxy", help="add: the proxy its pages are fetched through.")
    ] = ""
    hints: Annotated[
        list[str] | None,
        typer.Option(
            "--hint",
            metavar="FIELD=CSS",
            help="add: where a field is on its pages: author=.byline.",
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
    yes: Yes = False
    loop: Annotated[
        bool, typer.Option("--loop", help="poll: keep polling, each source when due, until Ctrl-C.")
    ] = False
    min_reliability: Annotated[
        float,
        typer.Option(
            "--min-reliability", min=0, max=1, help="list: only sources at least this reliable."
        ),
    ] = 0.0


@takes(SourceFlags)
def sources(*, flags: SourceFlags) -> None:
    """Manage sources and poll their feeds.

    add creates a source, or changes one. poll reads the feeds that are due, or those of one
    source, and saves what is new. opml prints all feeds for other feed readers; import reads
    theirs.
    """
    raise typer.Exit(_sources(flags))


def _sources(flags: SourceFlags) -> int:
    with open_library(flags.user) as library:
        if flags.action == "list":
            _list(library, flags)
        elif flags.action == "poll":
            return _poll_on(library, flags) if flags.loop else _poll(library, flags)
        elif flags.action == "opml":
            print_lines([library.sources_opml().rstrip()])
        elif not flags.name:
            raise UsageTrouble(f"sources {flags.action} needs the name of a source.")
        elif flags.action == "add":
            _add(library, flags)
        elif flags.action == "show":
            _show(library, flags)
        else:
            _remove(library, flags)
    return 0


def _list(library: Library, flags: SourceFlags) -> None:
    found = library.sources(min_reliability=flags.min_reliability)
    if current.as_json:
        print_items(map(records.source, found))
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
        print_lines(["No sources yet. Add one: pageloom sources add NAME --site HOST --feed URL"])


def _add(library: Library, flags: SourceFlags) -> None:
    fields: SourceFields = {
        "name": flags.title,
        "site": flags.site,
        "feeds": flags.feeds or [],
        "language": flags.language,
        "timezone": flags.timezone,
        "proxy": flags.proxy,
        "hints": _hints(flags.hints or []),
        "poll_every": (flags.every or 0) * 60,
        "full": flags.full,
    }
    source, is_new = library.add_source(flags.name, **fields)
    if current.as_json:
        print_json({"success": True, "id": source.id, "is_new": is_new})
    else:
        print_lines([f"{'Added' if is_new else 'Changed'} {safe(source.id)}"])


def _hints(texts: list[str]) -> dict[str, str]:
    pairs = [[part.strip() for part in text.partition("=")[::2]] for text in texts]
    if not all(name and selector for name, selector in pairs):
        raise UsageTrouble("--hint takes field=selector, such as author=.byline")
    return {name: selector for name, selector in pairs}  # noqa: C416  pairs are lists


def _show(library: Library, flags: SourceFlags) -> None:
    data = records.source(library.get_source(flags.name))
    if current.as_json:
        print_json({"success": True} | data)
    else:
        print_lines([f"{name:<16} {one_line(str(value), 200)}" for name, value in data.items()])


def _remove(library: Library, flags: SourceFlags) -> None:
    source = library.get_source(flags.name)
    confirm(f"Remove source {one_line(source.id, 60)}", yes=flags.yes)
    library.remove_source(source.id)
    if current.as_json:
        print_json({"success": True, "id": source.id, "removed": True})
    else:
        print_lines([f"Removed {safe(source.id)}; its pages stay."])


def _poll(library: Library, flags: SourceFlags) -> int:
    def take(one: PollResult) -> None:
        if current.as_lines:
            print_item(results.poll(one))
        elif not current.as_json:
            print_lines(_lines(one))

    polled = library.poll(*([flags.name] if flags.name else []), on_result=take)
    failed = any(one.errors for one in polled)
    if not current.as_json:
        print_lines([f"{count(len(polled), 'source')} polled."])
    elif not current.as_lines:
        print_json({"success": not failed, "items": [results.poll(one) for one in polled]})
    return 1 if failed else 0


def _poll_on(library: Library, flags: SourceFlags) -> int:
    """Poll each source when it is due, until Ctrl-C or SIGTERM; a poll under way is finished."""
    if flags.name:
        raise UsageTrouble("--loop polls every source that is due; leave the name out.")
    require_stream()
    signals: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: signals.append(number))
    while not signals:
        for source in _due(library):
            if not signals:
                library.poll(source.id, on_result=_print_polled)
        end = time.monotonic() + _PAUSE
        while not signals and time.monotonic() < end:
            time.sleep(0.1)
    return INTERRUPTED if signal.SIGINT in signals else 0


def _due(library: Library) -> list[Source]:
    try:
        return library.due_sources()
    except StorageError as error:
        if not error.retryable:
            raise
        print(f"Warning: {safe(error.message)}", file=sys.stderr, flush=True)
        return []


def _print_polled(one: PollResult) -> None:
    if current.as_json:
        print_item(results.poll(one))
    elif one.new or one.errors:
        print("\n".join(_lines(one)), flush=True)


def _lines(one: PollResult) -> list[str]:
    head = f"{safe(one.source.id)}: {len(one.new)} new, {one.known} known"
    return [
        head,
        *(f"  new    {one_line(url, 100)}" for url in one.new),
        *(f"  failed {one_line(error, 140)}" for error in one.errors),
    ]
