"""Compare two captured pages, or two versions of a saved one; show it as text, rows or HTML."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pageloom.core.compare.change import diff
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.tracks import TrackState, read_track
from pageloom.edges.store.versions import history, version
from pageloom.errors import NotInLibrary, PageloomError
from pageloom.flows.capture.extract import extract
from pageloom.flows.capture.foreign_documents import is_imported
from pageloom.views.folding import fold_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.compare.report import ChangeReport
    from pageloom.core.options import Options
    from pageloom.flows.library.save import SaveContext
    from pageloom.model import Document
    from pageloom.model.library import Version, VersionInfo
    from pageloom.model.pages import Page
    from pageloom.model.watch import Watch
    from pageloom.views.comparison import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionPair:
    """Two versions of a page, and the report of what changed between them."""

    before: Document
    after: Document
    report: ChangeReport


def compare_versions(
    context: SaveContext,
    page: Page,
    options: DiffOptions,
    *,
    from_version: int | None = None,
    to_version: int | None = None,
    watch: Watch | None = None,
) -> VersionPair:
    """Compare two versions of a page: the last and the one before it, unless others are named.

    Raises:
        NotInLibrary: there is no such version, or its content is no longer kept.
    """
    infos = history(context.store, page, track=watch.track if watch else "")
    last = _choose(infos, to_version, "last")
    earlier = [info for info in infos if info.number < last.number and not info.thinned]
    first = _choose(earlier if from_version is None else infos, from_version, "earlier")
    before, after = _documents(context, page, watch, (first, last))
    chosen = _as_watched(context, page, watch, options) if watch else options
    report = replace(
        diff(before, after, chosen),
        previous_version=first.number,
        current_version=last.number,
        baseline_version=first.number,
    )
    return VersionPair(before=before, after=after, report=report)


def _as_watched(
    context: SaveContext, page: Page, watch: Watch, options: DiffOptions
) -> DiffOptions:
    """The options with what the owner of a watch has said of it: its parts, and what matters."""
    with context.store.read() as tx:
        track = read_track(tx, page.id, watch.track)
    state = track.state if track else TrackState()
    return replace(
        options,
        scoped=bool(watch.settings.scope),
        muted_blocks=(*options.muted_blocks, *state.muted),
        always_blocks=(*options.always_blocks, *state.always),
    )


def _choose(infos: list[VersionInfo], number: int | None, what: str) -> VersionInfo:
    """The version of a number, or the newest."""
    found = [info for info in infos if number is None or info.number == number]
    if found:
        return found[0]
    which = f"{what} version" if number is None else f"version {number}"
    raise NotInLibrary(
        f"There is no {which} of this page.",
        suggestions=("List the versions with pageloom history.",),
    )


def _documents(
    context: SaveContext, page: Page, watch: Watch | None, infos: tuple[VersionInfo, VersionInfo]
) -> list[Document]:
    """Both read in one way: where parser or rules differ, both originals are read again."""
    before, after = infos
    same = (before.parser_version, before.rules_version) == (
        after.parser_version,
        after.rules_version,
    )
    stored = [_load(context, page, info) for info in infos]
    if same:
        return [each.document for each in stored]
    again = [
        each.document
        if is_imported(each.document)
        else _read_again(context, page, watch, each.info)
        for each in stored
    ]
    read = [each for each in again if each is not None]
    return read if len(read) == len(infos) else [each.document for each in stored]


def _load(context: SaveContext, page: Page, info: VersionInfo) -> Version:
    found = version(context.store, page, info.number, track=info.track)
    if found is None:
        raise NotInLibrary(
            f"The content of version {info.number} is no longer kept.",
            suggestions=("pageloom history shows which versions still have content.",),
        )
    return found


def _read_again(
    context: SaveContext, page: Page, watch: Watch | None, info: VersionInfo
) -> Document | None:
    body = read_body(context.store, page, info.body_hash) if info.body_hash else None
    if body is None:
        return None
    options = context.options
    if watch is not None:
        options = replace(options, scope=watch.settings.scope, ignore=watch.settings.ignore)
    try:
        return extract(
            body,
            page.url_full,
            final_url=page.final_url,
            content_type=info.content_type,
            rules=context.rules,
            options=options,
            timeout_ms=options.parse_timeout_ms,
            fetched_at=info.fetched_at,
        )
    except PageloomError:
        return None  # then as it was read


def compare_files(
    before: bytes, after: bytes, url: str | None, *, extraction: Options, comparing: DiffOptions
) -> VersionPair:
    """Extract two pages and compare them.

    Raises:
        PageloomError: one of them cannot be extracted.
    """
    old, new = (
        extract(content, url, options=extraction, timeout_ms=extraction.parse_timeout_ms)
        for content in (before, after)
    )
    return VersionPair(before=old, after=new, report=diff(old, new, comparing))


def comparison_rows(pair: VersionPair, *, folded: bool = False) -> list[Row]:
    """The texts line by line: the same, removed, added; folded, only what is near a change."""
    from pageloom.views.comparison import make_rows

    rows = list(make_rows(pair.before.text, pair.after.text))
    return fold_rows(rows) if folded else rows


def word_rows(before: str, after: str) -> list[Row]:
    """Two texts of one place, with the words that differ."""
    from pageloom.views.comparison import make_rows

    return list(make_rows(before, after, context=10**6))


def comparison_text(rows: Sequence[Row], *, side_by_side: bool, width: int) -> str:
    """The rows of a comparison as plain text."""
    from pageloom.views.comparison import render_text

    return render_text(rows, side_by_side=side_by_side, width=width)


def comparison_page(pair: VersionPair, *, side_by_side: bool) -> str:
    """The comparison as one page of HTML."""
    from pageloom.views.comparison import render_html_page

    title = pair.after.title or pair.before.title or "Comparison"
    rows = comparison_rows(pair)
    return render_html_page(title, pair.report.summary, rows, side_by_side=side_by_side)
