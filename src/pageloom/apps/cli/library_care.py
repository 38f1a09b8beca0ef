"""Caring for the library: backups, restoring, reading all pages again."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.library import (
    count,
    going_on_later,
    open_library,
    print_json,
    print_lines,
    spare_library,
)
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import one_line
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.edges.store.backup import back_up, is_backup, restore_backup

if TYPE_CHECKING:
    from collections.abc import Generator

    from pageloom.context import Context
    from pageloom.flows.library.reparse import Refetch, ReparseResult
    from pageloom.flows.library.save import SaveContext
    from pageloom.model.library import Filters

_VERBS = ("create", "restore")


def run_backup(words: list[str], *, replace: bool, as_json: bool) -> None:
    """``backup FILE``, ``backup create FILE`` or ``backup restore FILE``."""
    verb, names = (words[0], words[1:]) if words[0] in _VERBS else ("create", words)
    if len(names) != 1:
        raise UsageTrouble(f"backup {verb} takes one file.")
    if verb == "restore":
        restore_file(Path(names[0]), replace=replace, as_json=as_json)
    else:
        _create(Path(names[0]), as_json=as_json)


def _create(path: Path, *, as_json: bool) -> None:
    if path.exists() and not (path.is_file() and is_backup(path)):
        raise UsageTrouble(f"{path} is there already and is no backup; name another file.")
    with open_library(None) as library:
        spare_library(library, path)
        counts = back_up(library.store, path)
    _tell("Kept", counts, path, as_json=as_json)


def restore_file(path: Path, *, replace: bool, as_json: bool) -> None:
    """Put a backup in the place of what the library holds."""
    if not path.is_file():
        raise UsageTrouble(f"There is no file {one_line(str(path), 80)}.")
    with open_library(None) as library:
        counts = restore_backup(library.store, path, replace=replace)
    _tell("Restored", counts, path, as_json=as_json)


def _tell(done: str, counts: dict[str, int], path: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(path), "rows": counts})
        return
    pages, versions = count(counts["pages"], "page"), count(counts["versions"], "version")
    print_lines([f"{done} {pages} with {versions}: {path}"])


def is_backup_name(name: str) -> bool:
    """Whether an argument of ``restore`` means a backup and not a page."""
    return not name.isdigit() and (Path(name).is_file() or name.endswith(".zip"))


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
            nullcontext() if dry_run else going_on_later(),
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
