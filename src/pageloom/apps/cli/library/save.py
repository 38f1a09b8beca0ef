"""``pageloom save``: pages from the web, from lists of URLs, or captured elsewhere."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import (
    ContentType,
    Render,
    Restart,
    Strict,
    Url,
    takes,
)
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.page_flags import NewTags
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import resumable, show_progress
from pageloom.apps.cli.read.source import is_url, read_source
from pageloom.apps.cli.safe import one_line, safe
from pageloom.edges.store.jobs import finish_job, open_job
from pageloom.flows.library.save import SaveContext, SaveResult, engine_for, save_content, save_urls
from pageloom.flows.transfer.import_values import decode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pageloom.context import Context
    from pageloom.model import Document
    from pageloom.model.library import Job
from pageloom.apps.cli.flags import CommonStream

_LARGEST_LIST = 50_000_000


class Mode(StrEnum):
    """Which engine reads what is saved."""

    local = "local"
    external = "external"
    compare = "compare"


@dataclass(frozen=True, kw_only=True)
class SaveFlags(CommonStream):
    """The flags of ``save``."""

    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL…|FILE|-",
            help="URLs, files with one URL per line, or - to read URLs from standard input.",
        ),
    ] = None
    captured: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Save this captured page (or -); needs --url."),
    ] = None
    url: Url = None
    content_type: ContentType = None
    tags: NewTags = None
    render: Render = None
    mode: Annotated[
        Mode | None,
        typer.Option(
            "--mode", help="Engine: Pageloom (local), a reader service, or both compared."
        ),
    ] = None
    restart: Restart = False
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print each page as Markdown once it is saved.")
    ] = False
    strict: Strict = False


@takes(SaveFlags)
def save(*, flags: SaveFlags) -> None:
    """Save pages: fetch, extract and keep every version.

    Saving a page again adds a version if it has changed, and keeps tags, notes, pins and the date
    it was first saved. A failed or much poorer fetch never replaces what is saved. If a run over
    many URLs is interrupted, the same command continues where it stopped.
    """
    raise typer.Exit(_save(flags))


def _save(request: SaveFlags) -> int:
    flags = {"library.mode": request.mode, "extraction.strict": request.strict or None}
    with open_library(request.user, flags) as library:
        keeper = library.save_context(
            tags=tuple(request.tags or ()),
            render=request.render.value if request.render else "auto",
        )
        if request.captured is not None:
            kept = _save_captured(request, keeper)
            _tell(kept, request, keeper)
            if request.as_json:
                print_json(_data(kept))
            return 0
        library.housekeep()
        urls = list(_addresses(request.sources or ()))
        if not urls:
            raise UsageTrouble("There is nothing to save: give an address, a file of them, or -.")
        if len(urls) == 1:
            return _save_one(request, keeper, library, urls[0])
        return _save_many(request, keeper, library, urls)


def _save_captured(request: SaveFlags, keeper: SaveContext) -> SaveResult:
    if not request.url:
        raise UsageTrouble("--from needs --url: the address the page came from.")
    if request.sources:
        raise UsageTrouble("--from saves one captured page; leave the other addresses out.")
    content = read_source(request.captured or "-", keeper.options.max_content_length)
    return save_content(keeper, content, request.url, content_type=request.content_type or "")


def _addresses(sources: Iterable[str]) -> Iterator[str]:
    for source in sources:
        if is_url(source):
            yield source
        elif source == "-":
            yield from _lines(sys.stdin.buffer.read(_LARGEST_LIST))
        elif Path(source).is_file():
            yield from _listed(source)
        else:
            raise UsageTrouble(
                f"{one_line(source, 80)} is neither an address nor a file.",
                suggestions=(f"For a page of the web write https://{one_line(source, 80)}",),
            )


def _listed(source: str) -> list[str]:
    found = list(_lines(read_source(source, _LARGEST_LIST)))
    if found and not any(map(is_url, found)):
        raise UsageTrouble(
            f"There is no address in {one_line(source, 80)}.",
            suggestions=("A captured page is saved with --from FILE --url ADDRESS.",),
        )
    return found


def _lines(content: bytes) -> Iterator[str]:
    """The addresses of a list: one on each line, behind ``#`` a remark."""
    for line in decode_text(content).splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            yield text.split()[0]


def _save_one(request: SaveFlags, keeper: SaveContext, library: Context, url: str) -> int:
    results: list[SaveResult] = []
    fetch_pages(keeper, library, [url], None, results.append)
    kept = results[0]
    if kept.error:
        raise kept.error
    _tell(kept, request, keeper)
    if request.as_json:
        print_json(_data(kept))
    return 0


def _save_many(request: SaveFlags, keeper: SaveContext, library: Context, urls: list[str]) -> int:
    job = open_job(
        library.store,
        library.owner,
        "save",
        {"urls": urls, "tags": tuple(request.tags or ())},
        restart=request.restart,
    )
    results: list[SaveResult] = []
    with show_progress("saving", len(set(urls)), quiet=request.as_json) as advance:

        def tell(kept: SaveResult) -> None:
            advance()
            results.append(kept)
            _tell(kept, request, keeper)

        with resumable():
            fetch_pages(keeper, library, urls, job, tell)
    failed = [kept for kept in results if kept.error]
    if not failed:
        finish_job(library.store, job)
    _sum_up(results, request)
    return 1 if failed else 0


def fetch_pages(
    keeper: SaveContext,
    library: Context,
    urls: list[str],
    job: Job | None,
    tell: Callable[[SaveResult], None],
) -> None:
    """Fetch and keep pages; each result is told as it comes. Ctrl-C ends all that is under way."""
    here = urls
    if library.settings.library.through_workers and keeper.library.mode == "local":
        outside = {url: engine_for(url, keeper.library) == "external" for url in urls}
        here = [url for url in urls if outside[url]]
        theirs = [url for url in urls if not outside[url]]
        library.save_through_workers(keeper, theirs, job, tell)
    if here:
        _fetch_here(keeper, library, here, job, tell)


def _fetch_here(
    keeper: SaveContext,
    library: Context,
    urls: list[str],
    job: Job | None,
    tell: Callable[[SaveResult], None],
) -> None:
    from contextlib import aclosing

    from pageloom.edges.fetch.fetcher import open_fetcher

    async def run() -> None:
        async with (
            open_fetcher(library.settings.fetch) as fetcher,
            aclosing(save_urls(keeper, urls, fetcher=fetcher, job=job)) as results,
        ):
            async for kept in results:
                tell(kept)

    try:
        asyncio.run(run())
    except asyncio.CancelledError:  # nobody cancels this but Ctrl-C
        raise KeyboardInterrupt from None


def _tell(kept: SaveResult, request: SaveFlags, keeper: SaveContext) -> None:
    if request.as_json:
        return
    if request.markdown and kept.document:
        print_lines([_markdown(kept, kept.document, keeper)])
        return
    print_lines([_line(kept)])


def _line(kept: SaveResult) -> str:
    if kept.error:
        return f"failed   {safe(kept.url)}: {safe(kept.error.message)}"
    if kept.skipped or kept.saved is None or kept.document is None:
        return f"skipped  {safe(kept.url)}: saved before"
    saved = kept.saved
    what = _outcome(kept)
    title = one_line(kept.document.title or kept.url, 100)
    by = " (by the reader service)" if kept.engine == "external" else ""
    if kept.comparison and "similarity" in kept.comparison:
        by = f" (similarity to the reader service: {kept.comparison['similarity']:.2f})"
    why = ": the new result is much poorer; the old one stays" if saved.kept_old else ""
    return f"{what:<8} {saved.page_id}  v{saved.version}  {title}{by}{why}"


_OUTCOMES = ("saved", "updated", "same", "kept", "skipped", "failed")


def _outcome(kept: SaveResult) -> str:
    if kept.error:
        return "failed"
    if kept.skipped or kept.saved is None:
        return "skipped"
    if kept.saved.is_new:
        return "saved"
    if kept.saved.changed:
        return "updated"
    return "kept" if kept.saved.kept_old else "same"


def _markdown(kept: SaveResult, document: Document, keeper: SaveContext) -> str:
    """The page as ``read`` shows it: with the day it was first saved, and its user's tags."""
    from pageloom.core.render.frontmatter import markdown_page
    from pageloom.edges.store.pages import get_page
    from pageloom.edges.store.tags import tags_of

    page = get_page(keeper.store, keeper.owner, kept.saved.page_id) if kept.saved else None
    tags = tags_of(keeper.store, page) if page else ()
    return safe(markdown_page(document, page.saved_at if page else None, tags)).rstrip("\n")


def _sum_up(results: list[SaveResult], request: SaveFlags) -> None:
    outcomes = [_outcome(kept) for kept in results]
    counts = {name: outcomes.count(name) for name in _OUTCOMES}
    if request.as_json:
        success = not counts["failed"]
        print_json({"success": success, "pages": [_data(kept) for kept in results]} | counts)
        return
    parts = [f"{number:,} {name}" for name, number in counts.items() if number]
    print_lines([f"{count(len(results), 'page')}: {', '.join(parts)}"])
    if counts["failed"]:
        print_lines(["The same command again tries the failed ones; what is saved is passed over."])


def _data(kept: SaveResult) -> dict[str, Any]:
    data: dict[str, Any] = {"url": kept.url, "success": kept.error is None}
    if kept.error:
        return data | {"error": kept.error.to_dict()}
    if kept.skipped:
        return data | {"skipped": True}
    if kept.saved and kept.document:
        data |= {
            "id": kept.saved.page_id,
            "version": kept.saved.version,
            "is_new": kept.saved.is_new,
            "changed": kept.saved.changed,
            "kept_old": kept.saved.kept_old,
            "engine": kept.engine,
            "title": kept.document.title,
            "final_url": kept.document.final_url,
            "word_count": kept.document.word_count,
            "quality_score": kept.document.quality_score,
            "discarded": kept.document.discarded,
        }
    return data | ({"comparison": kept.comparison} if kept.comparison else {})
