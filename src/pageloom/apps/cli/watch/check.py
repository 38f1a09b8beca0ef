"""``pageloom check``: watches checked now, or the scheduler in the foreground."""

from __future__ import annotations

import asyncio
import signal
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from pageloom.apps.cli.errors import UsageTrouble, exit_code
from pageloom.apps.cli.flags import CommonStream, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines, require_stream
from pageloom.apps.cli.pages import hinted, open_library, watch_name
from pageloom.apps.cli.safe import one_line, safe
from pageloom.flows.notify.outbox_sender import SendCounts
from pageloom.flows.watch.scheduler import Observer
from pageloom.views import records, results

if TYPE_CHECKING:
    from pageloom.errors import PageloomError
    from pageloom.flows.watch.record_check import CheckResult
    from pageloom.library import Library


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
        bool,
        typer.Option("--no-notify", help="Send no messages now; they wait for the next check."),
    ] = False


@takes(CheckFlags)
def check(*, flags: CheckFlags) -> None:
    """Check watches now: those due, those you name, or all."""
    raise typer.Exit(_run(flags))


def _run(flags: CheckFlags) -> int:
    if flags.loop and (flags.names or flags.everything or flags.quiet):
        raise UsageTrouble(
            "--loop checks whatever is due: leave out watches, --all and --no-notify."
        )
    if flags.names and flags.everything:
        raise UsageTrouble("Name watches or give --all, not both.")
    if flags.loop:
        require_stream()
    names = flags.names or ()
    with open_library(flags.user) as library, hinted(library, *names):
        if flags.loop:
            return asyncio.run(_loop(library))
        checked = library.check(
            *map(watch_name, names), everything=flags.everything, notify=False, on_result=_print
        )
        # With --json standard output is for programs, so the target console is standard error.
        sent = SendCounts() if flags.quiet else library.send_messages(_console())
    _sum_up(checked, sent)
    return _code(checked)


def _console() -> TextIO:
    return sys.stderr if current.as_json else sys.stdout


def _print(checked: CheckResult) -> None:
    if current.as_lines:
        print_item(_data(checked))
    elif not current.as_json:
        print_lines([_line(checked)])


def _line(checked: CheckResult) -> str:
    watch = checked.watch
    name = one_line(watch.name or watch.url_full, 70)
    version = f" v{checked.version}" if checked.version else ""
    why = f": {one_line(checked.reason, 120)}" if checked.reason else ""
    if checked.visual:
        why += f" ({checked.visual.summary})"
    return f"{checked.outcome:<9} {records.watch_ref(watch.id):>4}  {name}{version}{why}"


def _data(checked: CheckResult) -> dict[str, Any]:
    found = checked.finding
    looks = {"visual": asdict(checked.visual)} if checked.visual else {}
    if found is None:
        return results.check(checked) | looks
    return results.check(checked, found.report, found.prices.events) | looks


def _sum_up(checked: list[CheckResult], sent: SendCounts) -> None:
    skipped = [each for each in checked if each.outcome == "skipped"]
    if current.as_lines:
        for each in skipped:
            print_item(_data(each))
        return
    if current.as_json:
        items = [_data(each) for each in checked]
        success = not any(each.error for each in checked)
        print_json({"success": success, "items": items, "notified": asdict(sent)})
        return
    print_lines([_line(each) for each in skipped])
    if not checked:
        print_lines(["No watch is due. --all checks all of them."])
    if sent.failed:
        what = count(sent.failed, "message")
        print_lines([f"{what} could not be sent; see pageloom notify list."])


def _code(checked: list[CheckResult]) -> int:
    failed = [each.error for each in checked if each.error is not None]
    if not failed:
        return 0
    return exit_code(failed[0]) if len(checked) == 1 else 1


async def _loop(library: Library) -> int:
    stop = asyncio.Event()
    signals: list[int] = []

    def ask_to_stop(number: int) -> None:
        signals.append(number)
        stop.set()

    running = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, ask_to_stop, number)
    if not current.as_json:
        print_lines([f"Checking {count(len(library.watches()), 'watch')}."])
        sys.stdout.flush()
    await library.run_scheduler(stop, Observer(checked=_print_news, trouble=_warn), _console())
    return INTERRUPTED if signal.SIGINT in signals else 0


def _print_news(checked: CheckResult) -> None:
    if current.as_json:
        print_item(_data(checked))
    elif checked.outcome != "unchanged" or checked.visual:
        print(_line(checked), flush=True)


def _warn(error: PageloomError) -> None:
    print(f"Warning: {safe(error.message)}", file=sys.stderr, flush=True)
