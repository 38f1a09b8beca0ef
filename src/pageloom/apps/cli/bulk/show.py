"""What ``pageloom bulk`` shows: progress while it works, then a summary worth looking at."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines, size_of
from pageloom.apps.cli.safe import one_line, safe
from pageloom.flows.bulk.progress import Progress
from pageloom.flows.bulk.tally import commonest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from pageloom.flows.bulk.plan import Plan
    from pageloom.flows.bulk.report import BulkReport

_LINE_SECONDS = 60.0
_JSON_SECONDS = 10.0
_BAR = 24
_MOST_SHOWN = 8


@contextmanager
def showing(metrics_port: int | None) -> Generator[tuple[Progress, Callable[[], None]]]:
    """The progress of a run, and what shows it when it is called."""
    progress = Progress()
    with ExitStack() as stack:
        if metrics_port is not None:
            from pageloom.apps.cli.bulk.metrics import serve_bulk

            stack.callback(serve_bulk(progress, metrics_port))
        if current.as_lines:
            yield progress, _every(_JSON_SECONDS, lambda: print_item(_facts(progress)))
        elif current.as_json:
            yield progress, lambda: None
        elif sys.stderr.isatty():
            yield progress, stack.enter_context(_live(progress))
        else:
            yield progress, _every(_LINE_SECONDS, lambda: _print_line(progress))


def _every(seconds: float, act: Callable[[], None]) -> Callable[[], None]:
    last = time.monotonic()

    def look() -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            act()

    return look


@contextmanager
def _live(progress: Progress) -> Generator[Callable[[], None]]:
    """A line that is drawn again and again, and is gone at the end."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False, markup=False)
    with Live(Text(), console=console, auto_refresh=False, transient=True) as live:

        def draw() -> None:
            text = f"{_bar(progress)} {_line(progress)}"
            live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

        yield _every(0.5, draw)


def _bar(progress: Progress) -> str:
    filled = _BAR * progress.done // max(1, progress.shards)
    return "━" * filled + "╌" * (_BAR - filled)


def _print_line(progress: Progress) -> None:
    sys.stderr.write(_line(progress) + "\n")
    sys.stderr.flush()


def _line(progress: Progress) -> str:
    tally = progress.tally
    parts = [
        f"{progress.done:,}/{progress.shards:,} shards",
        f"{progress.started_with + tally.read:,} pages",
        f"{progress.rate:,.0f}/s now, {progress.mean_rate:,.0f}/s mean",
        f"{progress.workers} at work",
    ]
    parts += [f"{reason} {number:,}" for reason, number in commonest(tally.rejected, 3).items()]
    left = progress.seconds_left()
    return " · ".join(parts + ([f"{_clock(left)} left"] if left is not None else []))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"


def _facts(progress: Progress) -> dict[str, Any]:
    left = progress.seconds_left()
    return {
        "shards": progress.shards,
        "shards_done": progress.done,
        "pages": progress.started_with + progress.tally.read,
        "pages_per_second": round(progress.rate, 1),
        "mean_pages_per_second": round(progress.mean_rate, 1),
        "rejected": commonest(progress.tally.rejected, 1000),
        "workers": progress.workers,
        "seconds_left": None if left is None else round(left),
    }


def show_plan(plan: Plan, out: str) -> None:
    """What would be done."""
    size = sum(file.size for file in plan.inputs)
    if current.as_json:
        data: dict[str, Any] = {"success": True, "inputs": len(plan.inputs), "bytes": size}
        print_json(data | {"shards": len(plan.shards), "columns": plan.options.columns, "out": out})
        return
    told = ", ".join(count(number, kind) for kind, number in plan.kinds().items())
    print_lines(
        [
            f"Input:    {told}; {size_of(size)}",
            f"Shards:   {len(plan.shards):,}",
            f"Columns:  {', '.join(plan.options.columns)}",
            f"Output:   {safe(out) or 'none given'} ({plan.options.format})",
            "Nothing was done.",
        ]
    )


def show_report(report: BulkReport) -> None:
    """The summary of a run."""
    data = report.to_dict()
    if current.as_lines:
        print_item({"success": not report.failed, "report": data})
    elif current.as_json:
        print_json({"success": not report.failed, "report": data})
    else:
        print_lines(_summary(report, data))


def _summary(report: BulkReport, data: Mapping[str, Any]) -> list[str]:
    rejected = sum(report.rejected.values())
    state = "Done" if report.is_complete else "Not finished"
    shards = f"{report.shards_done:,} of {count(report.shards, 'shard')}"
    lines = [
        f"{state}: {shards}, {count(report.parts, 'part')} in {safe(report.out)}",
        f"  read      {report.read:>12,}"
        + (f"  and {report.damaged:,} damaged stretches" if report.damaged else ""),
        f"  kept      {report.kept:>12,}",
        f"  rejected  {rejected:>12,}",
        *_bars(report.rejected, rejected, "    "),
        *_section("Languages", data["languages"], report.kept),
        *_section("Types of pages", data["page_types"], report.kept),
    ]
    if data["pages_per_cpu_second"]:
        lines.append(
            f"{data['pages_per_cpu_second']:,} pages a CPU second;"
            f" {size_of(data['bytes_in'])} in, {size_of(data['bytes_out'])} out"
        )
    lines += [
        f"Failed: shard {shard}: {one_line(why, 200)}" for shard, why in report.failed.items()
    ]
    return [*lines, f"More in {safe(report.out)}/report.html"]


def _section(title: str, counts: Mapping[str, int], whole: int) -> list[str]:
    return [f"{title}:", *_bars(counts, whole, "    ")] if counts else []


def _bars(counts: Mapping[str, int], whole: int, indent: str) -> list[str]:
    """A bar for each of the commonest."""
    shown = list(counts.items())[:_MOST_SHOWN]
    width = max((len(key) for key, _ in shown), default=0)
    return [
        f"{indent}{one_line(key, 40):<{width}} {number:>12,}  "
        f"{'▇' * max(1, round(30 * number / max(1, whole)))}"
        for key, number in shown
    ]
