"""``pageloom reparse``: stored originals extracted again with today's parser."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.flags import LARGEST, CommonStream, DryRun, Restart, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines
from pageloom.apps.cli.page_flags import ChosenAnywhere
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import resumable, show_progress
from pageloom.apps.cli.safe import one_line
from pageloom.views import results

if TYPE_CHECKING:
    from pageloom.flows.library.reparse import ReparseResult


@dataclass(frozen=True, kw_only=True)
class ReparseFlags(ChosenAnywhere, CommonStream):
    """The flags of ``reparse``."""

    dry_run: DryRun = False
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", min=1, max=LARGEST, help="At most this many pages."),
    ] = None
    outdated: Annotated[
        bool, typer.Option("--outdated", help="Only pages that an older parser extracted.")
    ] = False
    refetch: Annotated[
        bool, typer.Option("--refetch", help="Fetch pages whose original was not kept.")
    ] = False
    restart: Restart = False


@takes(ReparseFlags)
def reparse(*, flags: ReparseFlags) -> None:
    """Extract stored originals again with the current parser.

    Nothing is fetched, unless --refetch asks for it, and nobody is notified. Version numbers,
    tags, notes, pins and dates stay; where the new result fails or is much poorer, the old content
    stays too. If interrupted, the same command continues where it stopped. Archived pages are
    always included, deleted ones only with --deleted.
    """
    filters = flags.filters(**({} if flags.archived else {"archived": "all"}))
    counts: Counter[str] = Counter()
    items: list[dict[str, Any]] = []
    with (
        open_library(flags.user) as library,
        nullcontext() if flags.dry_run else resumable(),
        show_progress("reparsing", flags.limit, quiet=current.as_json) as advance,
    ):
        for result in library.reparse(
            filters,
            dry_run=flags.dry_run,
            limit=flags.limit,
            outdated=flags.outdated,
            refetch=flags.refetch,
            restart=flags.restart,
        ):
            advance()
            counts[result.outcome] += 1
            if current.as_lines:
                print_item(results.reparse(result))
            elif current.as_json:
                items.append(results.reparse(result))
            elif result.outcome != "done before":
                print_lines([_line(result, dry_run=flags.dry_run)])
    failed = bool(counts["failed"])
    if not current.as_json:
        print_lines([_summary(counts, dry_run=flags.dry_run)])
    elif not current.as_lines:
        whole = {"success": not failed, "dry_run": flags.dry_run, "counts": dict(counts)}
        print_json(whole | {"items": items})
    raise typer.Exit(1 if failed else 0)


def _line(result: ReparseResult, *, dry_run: bool) -> str:
    outcome = (
        f"would be {result.outcome}"
        if dry_run and result.outcome in {"reparsed", "refetched"}
        else result.outcome
    )
    title = one_line(result.page.title or result.page.url, 70)
    figures = ""
    if result.outcome in {"reparsed", "worse"} or (result.outcome == "refetched" and not dry_run):
        figures = (
            f"  {result.words_before:,} → {result.words_after:,} words,"
            f" quality {result.quality_before} → {result.quality_after}"
        )
    why = f"  {one_line(result.reason, 100)}" if result.reason else ""
    width = len("would be refetched" if dry_run else "done before")
    return f"{result.page.id:>6}  {outcome:<{width}}  {title}{figures}{why}"


def _summary(counts: Counter[str], *, dry_run: bool) -> str:
    parts = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(counts.items()))
    head = "Nothing was changed" if dry_run else "Done"
    return f"{head}: {count(counts.total(), 'page')}" + (f": {parts}" if parts else "")
