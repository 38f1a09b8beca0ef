"""``pageloom reparse``: stored originals extracted again with today's parser."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import resumable, show_progress
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Generator

    from pageloom.context import Context
    from pageloom.flows.library.reparse import Refetch, ReparseResult
    from pageloom.flows.library.save import SaveContext
    from pageloom.model.library import Filters
from dataclasses import dataclass
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, CommonStream, DryRun, Restart, takes
from pageloom.apps.cli.page_flags import ChosenAnywhere


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
    """Extract stored originals again with today's parser.

    Nothing is fetched, unless --refetch asks for it, and nobody is notified. Version numbers,
    tags, notes, pins and dates stay; where the new result fails or is much poorer, the old content
    stays too. If interrupted, the same command continues where it stopped. Archived pages are
    always included, deleted ones only with --deleted.
    """
    raise typer.Exit(
        run_reparse(
            flags.user,
            flags.filters(everything=not flags.archived),
            dry_run=flags.dry_run,
            limit=flags.limit,
            restart=flags.restart,
            outdated=flags.outdated,
            refetch=flags.refetch,
            as_json=flags.as_json,
        )
    )


def run_reparse(  # noqa: PLR0913  one for each flag
    user: str | None,
    filters: Filters,
    *,
    dry_run: bool,
    limit: int | None,
    restart: bool,
    outdated: bool,
    refetch: bool,
    as_json: bool,
) -> int:
    """Read stored originals again with today's parser; a line for each page, then a summary."""
    from contextlib import nullcontext
    from dataclasses import replace
    from itertools import islice

    from pageloom.core.pipeline import PARSER_VERSION
    from pageloom.edges.store.jobs import finish_job, open_job
    from pageloom.edges.store.listing import count_pages, walk_pages
    from pageloom.flows.library.reparse import reparse_pages

    if outdated:
        filters = replace(filters, parser_version_not=PARSER_VERSION)
    with open_library(user) as library:
        settings = reparse_settings(filters, limit, refetch=refetch)
        job = None
        if not dry_run:
            job = open_job(library.store, library.owner, "reparse", settings, restart=restart)
        total = count_pages(library.store, library.owner, filters)
        pages = islice(walk_pages(library.store, library.owner, filters), limit)
        results: list[dict[str, Any]] = []
        counts: Counter[str] = Counter()
        keeper = library.save_context()
        with (
            nullcontext() if dry_run else resumable(),
            fetching(keeper, library) if refetch else nullcontext() as fetch,
            show_progress("reparsing", min(total, limit or total), quiet=as_json) as advance,
        ):
            for result in reparse_pages(
                keeper,
                pages,
                dry_run=dry_run,
                job=job,
                refetch=fetch,
                deleted=filters.deleted == "only",
            ):
                advance()
                counts[result.outcome] += 1
                if as_json:
                    results.append(_data(result))
                elif result.outcome != "done before":
                    print_lines([_line(result, dry_run=dry_run)])
        if job and not (refetch and counts["failed"]):  # those may be had another time
            finish_job(library.store, job)
    if as_json:
        print_json({"dry_run": dry_run, "pages": results, "counts": dict(counts)})
    else:
        print_lines([_summary(counts, dry_run=dry_run, resumed=bool(job and job.resumed))])
    return 1 if counts["failed"] else 0


@contextmanager
def fetching(keeper: SaveContext, library: Context) -> Generator[Refetch]:
    """A way to fetch one page after another."""
    import asyncio
    from contextlib import AsyncExitStack

    from pageloom.edges.fetch.fetcher import open_fetcher
    from pageloom.flows.library.save import read_url

    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        fetcher = runner.run(stack.enter_async_context(open_fetcher(library.settings.fetch)))
        try:
            yield lambda url: runner.run(read_url(keeper, url, fetcher=fetcher))
        finally:
            runner.run(stack.aclose())


def reparse_settings(
    filters: Filters, limit: int | None, *, refetch: bool = False
) -> dict[str, Any]:
    """What a reparse is known by: the same request goes on where it stopped."""
    from dataclasses import asdict

    from pageloom.core.pipeline import PARSER_VERSION

    known = {"filters": asdict(filters), "parser": PARSER_VERSION, "limit": limit}
    return known | ({"refetch": True} if refetch else {})


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


def _summary(counts: Counter[str], *, dry_run: bool, resumed: bool) -> str:
    parts = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(counts.items()))
    head = (
        "Nothing was changed" if dry_run else "Went on where it had stopped" if resumed else "Done"
    )
    return f"{head}: {count(counts.total(), 'page')}" + (f": {parts}" if parts else "")


def _data(result: ReparseResult) -> dict[str, Any]:
    return {
        "id": result.page.id,
        "url": result.page.url,
        "outcome": result.outcome,
        "words": [result.words_before, result.words_after],
        "quality": [result.quality_before, result.quality_after],
        "reason": result.reason,
    }
