"""``pageloom check``: watches checked now, or the scheduler in the foreground."""

from __future__ import annotations

import asyncio
import signal
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.errors import UsageTrouble, exit_code
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import escape_json, one_line, safe
from pageloom.edges.store.host_leases import claimable
from pageloom.edges.store.watches import list_watches
from pageloom.flows.notify.outbox_sender import SendCounts, send_due
from pageloom.flows.watch.edit import find_watches
from pageloom.flows.watch.scheduler import Observer, check_now, run_scheduler

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.errors import BrokerError, StorageError
    from pageloom.flows.watch.end_turn import CheckResult
    from pageloom.model.watch import Watch
from typing import Annotated

import typer

from pageloom.apps.cli.flags import CommonStream, takes

INTERRUPTED = 130


@dataclass(frozen=True, kw_only=True)
class CheckFlags(CommonStream):
    """The flags of ``check``."""

    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WATCH…]", help="Watches: w7, or URLs; default: all that are due."),
    ] = None
    everything: Annotated[bool, typer.Option("--all", help="All watches, due or not.")] = False
    loop: Annotated[
        bool, typer.Option("--loop", help="Run the scheduler in the foreground, until Ctrl-C.")
    ] = False
    quiet: Annotated[
        bool, typer.Option("--no-notify", help="Send no messages; they wait for the next check.")
    ] = False


@takes(CheckFlags)
def check(*, flags: CheckFlags) -> None:
    """Check watches now: those due, those named, or all."""
    raise typer.Exit(_run(flags))


def _run(request: CheckFlags) -> int:
    if request.loop and (request.names or request.everything or request.quiet):
        raise UsageTrouble(
            "--loop checks whatever is due; leave watches, --all and --no-notify out."
        )
    if request.names and request.everything:
        raise UsageTrouble("Name watches or give --all, not both.")
    with open_library(request.user) as library:
        if request.loop:
            return asyncio.run(_loop(library, request))
        wanted = _wanted(library, request)
        checked, told = asyncio.run(_check(library, wanted, request))
    _print(checked, told, request)
    return _code(checked)


def _wanted(library: Context, request: CheckFlags) -> list[Watch]:
    store, owner = library.store, library.owner
    if request.names:
        found = [watch for name in request.names for watch in find_watches(store, owner, name)]
        return list({watch.id: watch for watch in found}.values())
    running = [watch for watch in list_watches(store, owner) if not watch.paused]
    if request.everything:
        return running
    return [watch for watch in running if claimable(watch)]


async def _check(
    library: Context, wanted: list[Watch], request: CheckFlags
) -> tuple[list[CheckResult], SendCounts]:
    # With --json standard output is for programs, so people hear on standard error.
    means = library.notify_context(sys.stderr if request.as_json else sys.stdout)
    async with library.watch_context() as world:
        quick = replace(world, options=replace(world.options, host_delay=_delay(library, wanted)))
        observer = Observer(checked=lambda each: _say(each, request))
        checked = await check_now(wanted, quick, observer)
        if request.quiet:
            return checked, SendCounts()
        return checked, await send_due(library.store, means, world.holder)


def _delay(library: Context, wanted: list[Watch]) -> float:
    """Nobody waits for manners where there is only one page to ask for."""
    return library.settings.watch.host_delay if len(wanted) > 1 else 0.0


def _say(checked: CheckResult, request: CheckFlags) -> None:
    if not request.as_json:
        print_lines([checked_line(checked)])


def checked_line(checked: CheckResult) -> str:
    """One check on one line."""
    watch = checked.watch
    name = one_line(watch.name or watch.url_full, 70)
    version = f" v{checked.version}" if checked.version else ""
    why = f": {one_line(checked.reason, 120)}" if checked.reason else ""
    return f"{checked.outcome:<9} {watch.id:>4}  {name}{version}{why}"


def _print(checked: list[CheckResult], told: SendCounts, request: CheckFlags) -> None:
    if request.as_json:
        data = {"checked": [checked_data(each) for each in checked]}
        print_json({"success": True} | data | {"told": msgspec.to_builtins(told)})
        return
    for each in checked:
        if each.outcome == "skipped":
            print_lines([checked_line(each)])
    if not checked:
        print_lines(["Nothing is due. --all checks all watches."])
    if told.failed:
        print_lines([f"{told.failed} messages could not be sent; pageloom notify list says why."])


def checked_data(checked: CheckResult) -> dict[str, Any]:
    """One check as JSON shows it."""
    data: dict[str, Any] = {
        "watch": checked.watch.id,
        "url": checked.watch.url_full,
        "outcome": checked.outcome,
        "path": checked.path,
        "reason": checked.reason,
        "version": checked.version,
        "durationMs": checked.duration_ms,
        "nextDue": checked.next_due,
    }
    if checked.finding is not None:
        data["report"] = checked.finding.report.to_message()
        data["priceEvents"] = msgspec.to_builtins(checked.finding.prices.events)
    if checked.error is not None:
        data["error"] = checked.error.to_dict()
    return data


def _code(checked: list[CheckResult]) -> int:
    failed = [each.error for each in checked if each.error is not None]
    if not failed:
        return 0
    return exit_code(failed[0]) if len(checked) == 1 else 1


async def _loop(library: Context, request: CheckFlags) -> int:
    stop = asyncio.Event()
    signals: list[int] = []

    def ask_to_stop(number: int) -> None:
        signals.append(number)
        stop.set()

    running = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, ask_to_stop, number)
    means = library.notify_context(sys.stderr if request.as_json else sys.stdout)
    async with library.watch_context() as world:
        if not request.as_json:
            count = len(list_watches(library.store, library.owner))
            print_lines([f"Checking {count} {'watch' if count == 1 else 'watches'}."])
            sys.stdout.flush()
        await run_scheduler(world, means, stop, _observer(request))
    return INTERRUPTED if signal.SIGINT in signals else 0


def _observer(request: CheckFlags) -> Observer:
    def checked(each: CheckResult) -> None:
        if request.as_json:
            print(escape_json(msgspec.json.encode(checked_data(each)).decode()), flush=True)
        elif each.outcome != "unchanged":
            print(checked_line(each), flush=True)

    def trouble(error: StorageError | BrokerError) -> None:
        print(f"warning: {safe(error.message)}", file=sys.stderr, flush=True)

    return Observer(checked=checked, trouble=trouble)
