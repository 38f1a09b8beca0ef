"""The JSON of what long work comes to: saves, checks, reparses, polls, imports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from pageloom.views.records import watch_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.report import ChangeReport
    from pageloom.errors import PageloomError
    from pageloom.model import Document
    from pageloom.model.library import Change, Saved, Source, VersionInfo
    from pageloom.model.pages import Page
    from pageloom.model.watch import Watch


class SaveOutcome(Protocol):
    """A page that was saved, or not."""

    @property
    def url(self) -> str: ...
    @property
    def error(self) -> PageloomError | None: ...
    @property
    def skipped(self) -> bool: ...
    @property
    def saved(self) -> Saved | None: ...
    @property
    def document(self) -> Document | None: ...
    @property
    def engine(self) -> str: ...
    @property
    def comparison(self) -> dict[str, Any] | None: ...
    @property
    def pictures(self) -> PicturesOutcome: ...


class PicturesOutcome(Protocol):
    """How many pictures were kept, and how many could not be fetched."""

    @property
    def kept(self) -> int: ...
    @property
    def missing(self) -> int: ...


def outcome_of(value: SaveOutcome) -> str:
    """What became of a page; ``kept``: the new result was poorer, so the old one stays."""
    if value.error:
        return "failed"
    if value.skipped or value.saved is None:
        return "skipped"
    if value.saved.is_new:
        return "saved"
    if value.saved.changed:
        return "updated"
    return "kept" if value.saved.kept_old else "same"


class PreviewOutcome(Protocol):
    """What a watch would look at."""

    @property
    def document(self) -> Document: ...
    @property
    def ignored(self) -> Sequence[str]: ...
    @property
    def ignored_text(self) -> Sequence[str]: ...
    @property
    def used_browser(self) -> bool: ...
    @property
    def decisions(self) -> Sequence[str]: ...


def preview(value: PreviewOutcome, scope: Sequence[str]) -> dict[str, Any]:
    """What a watch would compare and ignore."""
    document = value.document
    return {
        "success": True,
        "title": document.title,
        "words": document.word_count,
        "selected": document.text,
        "prices": [price.raw for price in document.price_candidates],
        "availability": document.availability,
        "scope": scope,
        "ignored": value.ignored,
        "ignored_text": value.ignored_text,
        "used_browser": value.used_browser,
        "decisions": value.decisions,
    }


class PastOutcome(Protocol):
    """A change, and whether other settings would have found it."""

    @property
    def change(self) -> Change: ...
    @property
    def counts(self) -> bool: ...


def past(value: PastOutcome) -> dict[str, Any]:
    """A change, and whether other settings would have found it."""
    change = value.change
    return {
        "id": change.id,
        "at": change.created_at,
        "summary": change.summary,
        "importance": change.importance,
        "counts": value.counts,
    }


def explanation(document: Document, info: VersionInfo) -> dict[str, Any]:
    """Where each field of a Document came from, and how it was fetched and read."""
    made: dict[str, Any] = msgspec.to_builtins(document.provenance)
    facts = ("number", "origin", "status", "content_type", "used_js", "rules_version", "fetched_at")
    return made | {"version": {name: getattr(info, name) for name in facts}}


def save(value: SaveOutcome) -> dict[str, Any]:
    """The outcome of saving one page."""
    data: dict[str, Any] = {
        "success": value.error is None,
        "url": value.url,
        "outcome": outcome_of(value),
    }
    if value.error:
        return data | {"error": value.error.to_dict()}
    if value.saved and value.document:
        data |= {
            "id": value.saved.page_id,
            "version": value.saved.version,
            "is_new": value.saved.is_new,
            "changed": value.saved.changed,
            "kept_old": value.saved.kept_old,
            "engine": value.engine,
            "title": value.document.title,
            "final_url": value.document.final_url,
            "word_count": value.document.word_count,
            "quality_score": value.document.quality_score,
            "discarded": value.document.discarded,
        }
    if value.pictures.kept or value.pictures.missing:
        pictures = value.pictures
        data["pictures"] = {"kept": pictures.kept, "missing": pictures.missing}
    return data | ({"comparison": value.comparison} if value.comparison else {})


class CheckOutcome(Protocol):
    """A check of a watch."""

    @property
    def watch(self) -> Watch: ...
    @property
    def outcome(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def version(self) -> int | None: ...
    @property
    def duration_ms(self) -> int: ...
    @property
    def next_due(self) -> str | None: ...
    @property
    def error(self) -> PageloomError | None: ...


def check(
    value: CheckOutcome, report: ChangeReport | None = None, events: Sequence[object] = ()
) -> dict[str, Any]:
    """The outcome of one check; ``report`` is the detailed one, as in ``records.change``."""
    data: dict[str, Any] = {
        "success": value.error is None,
        **watch_names(value.watch),
        "outcome": value.outcome,
        "path": value.path,
        "reason": value.reason,
        "version": value.version,
        "duration_ms": value.duration_ms,
        "next_due": value.next_due,
    }
    if report is not None:
        data |= {"report": report.to_detailed(), "price_events": msgspec.to_builtins(events)}
    return data | ({"error": value.error.to_dict()} if value.error else {})


class ReparseOutcome(Protocol):
    """A page that was extracted again, or not."""

    @property
    def page(self) -> Page: ...
    @property
    def outcome(self) -> str: ...
    @property
    def words_before(self) -> int: ...
    @property
    def words_after(self) -> int: ...
    @property
    def quality_before(self) -> int: ...
    @property
    def quality_after(self) -> int: ...
    @property
    def reason(self) -> str: ...


def reparse(value: ReparseOutcome) -> dict[str, Any]:
    """The outcome of extracting one stored page again."""
    return {
        "success": value.outcome != "failed",
        "id": value.page.id,
        "url": value.page.url_full,
        "outcome": value.outcome,
        "words_before": value.words_before,
        "words_after": value.words_after,
        "quality_before": value.quality_before,
        "quality_after": value.quality_after,
        "reason": value.reason,
    }


class PollOutcome(Protocol):
    """A look at the feeds of a source."""

    @property
    def source(self) -> Source: ...
    @property
    def new(self) -> Sequence[str]: ...
    @property
    def known(self) -> int: ...
    @property
    def errors(self) -> Sequence[str]: ...


def poll(value: PollOutcome) -> dict[str, Any]:
    """The outcome of polling one source."""
    return {
        "success": not value.errors,
        "source": value.source.id,
        "new": list(value.new),
        "known": value.known,
        "errors": list(value.errors),
    }
