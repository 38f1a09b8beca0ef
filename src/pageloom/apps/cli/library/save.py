"""``pageloom save``: pages from the web, from lists of URLs, or captured elsewhere."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pageloom import views
from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import (
    CommonStream,
    ContentType,
    Render,
    Restart,
    Strict,
    Url,
    takes,
)
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines
from pageloom.apps.cli.page_flags import NewTags
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import resumable, show_progress
from pageloom.apps.cli.read.source import is_url, read_source
from pageloom.apps.cli.safe import one_line, safe
from pageloom.errors import with_scheme
from pageloom.flows.transfer.import_values import decode_text
from pageloom.views import results

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.flows.library.save import SaveResult
    from pageloom.library import Library
    from pageloom.model.capture import RenderMode

_LARGEST_LIST = 50_000_000
_MOST_HINTS = 3
_OUTCOMES = ("saved", "updated", "same", "kept", "skipped", "failed")


Mode = Literal["local", "external", "compare"]


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
    screenshot: Annotated[
        bool, typer.Option("--screenshot", help="Keep a screenshot of the whole page.")
    ] = False
    pdf: Annotated[bool, typer.Option("--pdf", help="Keep the page printed as PDF.")] = False
    single_file: Annotated[
        bool,
        typer.Option("--single-file", help="Keep the page as one HTML file, as it looks."),
    ] = False
    from_archive: Annotated[
        bool,
        typer.Option("--from-archive", help="Save the page as the web archive has it."),
    ] = False
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print each page as Markdown once it is saved.")
    ] = False
    strict: Strict = False

    @property
    def snapshots(self) -> list[str] | None:
        """Which snapshots are wanted; None for those of the settings."""
        wanted = {"screenshot": self.screenshot, "pdf": self.pdf, "html": self.single_file}
        return [kind for kind, is_wanted in wanted.items() if is_wanted] or None

    @property
    def rendering(self) -> RenderMode:
        """When a browser renders the page."""
        return self.render or "auto"


@takes(SaveFlags)
def save(*, flags: SaveFlags) -> None:
    """Save pages: fetch, extract and keep every version.

    Saving a page again adds a version if it has changed, and keeps tags, notes, pins and the date
    it was first saved. A failed or much poorer fetch never replaces what is saved. If a run over
    many URLs is interrupted, the same command continues where it stopped.
    """
    chosen = {
        "library.mode": flags.mode,
        "library.snapshots": flags.snapshots,
        "extraction.strict": flags.strict or None,
    }
    with open_library(flags.user, chosen) as library:
        if flags.captured is not None:
            _print_one(library, _save_captured(library, flags), flags)
            return
        urls = list(_urls(flags.sources or ()))
        if not urls:
            raise UsageTrouble("Nothing to save: give URLs, a file of URLs, or -.")
        if flags.from_archive:
            for url in urls:
                found = library.save_from_archive(url, tags=flags.tags or ())
                _print_one(library, found, flags)
            return
        if len(urls) > 1:
            raise typer.Exit(_save_many(library, flags, urls))
        saved = library.save(urls[0], tags=flags.tags or (), render=flags.rendering)
        _print_one(library, saved, flags)


def _save_captured(library: Library, flags: SaveFlags) -> SaveResult:
    if not flags.url:
        raise UsageTrouble("--from needs --url: the URL the page came from.")
    if flags.sources:
        raise UsageTrouble("--from saves one captured page; leave the other URLs out.")
    content = read_source(flags.captured or "-", library.settings.extraction.max_content_length)
    return library.save(
        flags.url, content=content, content_type=flags.content_type or "", tags=flags.tags or ()
    )


def _urls(sources: Iterable[str]) -> Iterator[str]:
    for source in sources:
        if is_url(source):
            yield source
        elif source == "-":
            yield from _lines(sys.stdin.buffer.read(_LARGEST_LIST))
        elif Path(source).is_file():
            yield from _listed(source)
        else:
            meant = with_scheme(source)
            raise UsageTrouble(
                f"{one_line(source, 80)} is neither a URL nor a file.",
                suggestions=(f"For a web page, write {meant}",) if meant else None,
            )


def _listed(source: str) -> list[str]:
    found = list(_lines(read_source(source, _LARGEST_LIST)))
    if found and not any(map(is_url, found)):
        raise UsageTrouble(
            f"{one_line(source, 80)} contains no URL.",
            suggestions=("Save a captured page with --from FILE --url URL.",),
        )
    return found


def _lines(content: bytes) -> Iterator[str]:
    """The URLs of a list: one per line; a line that starts with ``#`` is a comment."""
    for line in decode_text(content).splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            yield text.split()[0]


def _save_many(library: Library, flags: SaveFlags, urls: list[str]) -> int:
    with show_progress("saving", len(set(urls)), quiet=current.as_json) as advance, resumable():

        def take(result: SaveResult) -> None:
            advance()
            if current.as_lines:
                print_item(results.save(result))
            elif not current.as_json:
                _print(library, result, flags)

        saved = library.save_all(
            urls,
            tags=flags.tags or (),
            render=flags.rendering,
            restart=flags.restart,
            on_result=take,
        )
    return _sum_up(saved)


def _print_one(library: Library, saved: SaveResult, flags: SaveFlags) -> None:
    if current.as_lines:
        print_item(results.save(saved))
    elif current.as_json:
        print_json(results.save(saved))
    else:
        _print(library, saved, flags)


def _print(library: Library, saved: SaveResult, flags: SaveFlags) -> None:
    if flags.markdown and saved.document:
        page = library.find(saved)
        tags = library.tags(page) if page else ()
        text = views.frontmatter(saved.document, page.saved_at if page else None, tags)
        print_lines([safe(text).rstrip("\n")])
    else:
        print_lines([_line(saved)])


def _line(result: SaveResult) -> str:
    if result.error:
        return f"failed   {safe(result.url)}: {safe(result.error.message)}"
    if result.skipped or result.saved is None or result.document is None:
        return f"skipped  {safe(result.url)}: saved before"
    saved = result.saved
    title = one_line(result.document.title or result.url, 100)
    by = " (by the reader service)" if result.engine == "external" else ""
    if result.comparison and "similarity" in result.comparison:
        by = f" (similarity to the reader service: {result.comparison['similarity']:.2f})"
    why = ": the new result is much poorer, so the old one stays" if saved.kept_old else ""
    outcome = results.outcome_of(result)
    kept = f" (kept: {', '.join(result.snapshots)})" if result.snapshots else ""
    return f"{outcome:<8} {saved.page_id}  v{saved.version}  {title}{by}{kept}{why}"


def _sum_up(saved: list[SaveResult]) -> int:
    outcomes = [results.outcome_of(one) for one in saved]
    counts = {name: outcomes.count(name) for name in _OUTCOMES}
    failed = counts["failed"]
    if current.as_json:
        if not current.as_lines:
            items = [results.save(one) for one in saved]
            print_json({"success": not failed, "items": items} | counts)
        return 1 if failed else 0
    parts = [f"{number:,} {name}" for name, number in counts.items() if number]
    print_lines([f"{count(len(saved), 'page')}: {', '.join(parts)}"])
    if failed:
        print_lines(["Run the same command again to retry the failed ones."])
        advice = (line for one in saved if one.error for line in one.error.suggestions)
        print_lines([f"  Hint: {safe(line)}" for line in list(dict.fromkeys(advice))[:_MOST_HINTS]])
    return 1 if failed else 0
