"""Reparse many pages as a job that can be interrupted and resumed."""

from __future__ import annotations

from contextlib import AsyncExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from pageloom.core.pipeline import PARSER_VERSION
from pageloom.edges.store.jobs import end_job, open_job
from pageloom.edges.store.listing import count_pages, walk_pages
from pageloom.flows.blocking import blocking_runner
from pageloom.flows.library.reparse import reparse_pages
from pageloom.model.pages import DEFAULT_FILTERS, Filters

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.flows.library.reparse import Refetch, ReparseResult
    from pageloom.flows.library.save import SaveContext
    from pageloom.model.library import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class ReparseRequest:
    """Which pages are read again, and how."""

    filters: Filters = DEFAULT_FILTERS
    dry_run: bool = False
    limit: int | None = None
    outdated: bool = False
    """Only pages that another version of the parser read."""
    refetch: bool = False
    """Fetch pages whose original was not kept."""
    restart: bool = False

    @property
    def wanted(self) -> Filters:
        """The filters, with what ``outdated`` adds."""
        if not self.outdated:
            return self.filters
        return replace(self.filters, parser_version_not=PARSER_VERSION)

    @property
    def identity(self) -> dict[str, Any]:
        """What the job is known by: the same request goes on where it stopped."""
        known = {
            "filters": asdict(self.wanted),
            "parser": PARSER_VERSION,
            "limit": self.limit,
        }
        return known | ({"refetch": True} if self.refetch else {})


def run_reparse(
    context: SaveContext, fetch: FetchOptions, request: ReparseRequest
) -> Iterator[ReparseResult]:
    """Reparse pages one after another; the job is finished when all came out well."""
    job = None
    if not request.dry_run:
        job = _open(context, request)
    pages = islice(walk_pages(context.store, context.owner, request.wanted), request.limit)
    failed = 0
    with _fetching(context, fetch) if request.refetch else nullcontext() as refetch:
        for result in reparse_pages(
            context,
            pages,
            dry_run=request.dry_run,
            job=job,
            refetch=refetch,
            deleted=request.filters.deleted == "only",
        ):
            failed += result.outcome == "failed"
            yield result
    if job:  # what could not be fetched may be another time
        end_job(context.store, job, failed if request.refetch else 0)


def _open(context: SaveContext, request: ReparseRequest) -> Job:
    total = count_pages(context.store, context.owner, request.wanted)
    return open_job(
        context.store,
        context.owner,
        "reparse",
        request.identity,
        restart=request.restart,
        total=total if request.limit is None else min(total, request.limit),
    )


@contextmanager
def _fetching(context: SaveContext, fetch: FetchOptions) -> Generator[Refetch]:
    """A way to fetch one page after another."""
    from pageloom.edges.fetch.fetcher import open_fetcher
    from pageloom.flows.library.save import read_url

    with blocking_runner() as run:
        stack = AsyncExitStack()
        fetcher = run(lambda: stack.enter_async_context(open_fetcher(fetch)))
        try:
            yield lambda url: run(lambda: read_url(context, url, fetcher=fetcher))
        finally:
            run(stack.aclose)
