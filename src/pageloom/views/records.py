"""The JSON of pages, versions, changes, watches, sources, prices, runs and messages.

One shape each, in snake_case, for the command line, the API and webhooks. Reports of changes keep
the camelCase of the queue contract. What an edit changed of a watch is told in words.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from pageloom.redaction import redact_address, redact_target, redact_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.model.library import (
        Change,
        JobInfo,
        JobItem,
        LibraryEvent,
        OutboxMessage,
        Run,
        Session,
        Source,
        StoredPrice,
        StoredPriceEvent,
        Token,
        User,
        VersionInfo,
    )
    from pageloom.model.pages import Hit, Note, Page
    from pageloom.model.searches import SavedSearch
    from pageloom.model.watch import LivingPlace, Watch, WatchSettings


class BulkOutcome(Protocol):
    """What was done to several pages."""

    @property
    def id(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def pages(self) -> Sequence[int]: ...


_UNITS = (("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_FLAGS = {"targets": "to", "digest_minutes": "digest", "respect_robots": "robots"}
"""Settings whose flag has another name than they have."""


def page(value: Page, tags: Sequence[str] | None = None) -> dict[str, Any]:
    """A page without its content; ``key`` is what its URL is compared by."""
    known = {} if tags is None else {"tags": list(tags)}
    return _with_url(asdict(value)) | known


def _with_url(data: dict[str, Any]) -> dict[str, Any]:
    """The URL as it is requested under ``url``, as everywhere; what it is found by as ``key``."""
    return data | {"url": data.pop("url_full"), "key": data["url"]}


def hit(value: Hit, tags: Sequence[str] | None = None) -> dict[str, Any]:
    """A page that a search found, with the piece of text that shows why."""
    return page(value.page, tags) | {"snippet": asdict(value.snippet)}


def version(value: VersionInfo) -> dict[str, Any]:
    """A version without its Document."""
    return asdict(value)


def note(value: Note) -> dict[str, Any]:
    """A note on a page."""
    return asdict(value)


def saved_search(value: SavedSearch) -> dict[str, Any]:
    """A saved search; tokens in its targets stay hidden."""
    return {
        "id": value.id,
        "name": value.name,
        "query": value.query,
        "targets": [redact_target(target) for target in value.targets],
        "created_at": value.created_at,
    }


def token(value: Token) -> dict[str, Any]:
    """An API token; the secret itself is not stored."""
    return asdict(value)


def run(value: Run) -> dict[str, Any]:
    """One check of a URL."""
    return asdict(value)


def change(value: Change) -> dict[str, Any]:
    """A change; ``report`` is the detailed comparison of the queue contract."""
    from pageloom.core.compare.report import ChangeReport

    return {
        "id": value.id,
        "page_id": value.page_id,
        "url": value.url,
        "title": value.title,
        "track": value.track,
        "at": value.created_at,
        "notified_at": value.notified_at,
        "from_version": value.from_version,
        "to_version": value.to_version,
        "baseline_version": value.baseline_version,
        "importance": value.importance,
        "unread": value.unread,
        "summary": value.summary,
        "report": ChangeReport.from_dict(value.report).to_detailed(),
    }


def watch(value: Watch) -> dict[str, Any]:
    """A watch; tokens in its targets stay hidden."""
    data = _with_url(msgspec.to_builtins(value))
    data["settings"]["targets"] = [redact_target(target) for target in value.settings.targets]
    del data["lease_owner"], data["lease_until"]
    return data | watch_names(value) | {"schedule": schedule(value)}


def place(value: LivingPlace) -> dict[str, Any]:
    """A place of a watched page that changes by itself."""
    return asdict(value)


def watch_names(value: Watch) -> dict[str, Any]:
    """How a watch is named, in its own JSON and in that of its checks."""
    return {"id": value.id, "watch": watch_ref(value.id), "url": value.url_full}


def watch_ref(number: int) -> str:
    """The name of a watch that cannot be mistaken for a page: ``w7``."""
    return f"w{number}"


def schedule(value: Watch) -> str:
    """When a watch is checked, in words: ``every 6h, mon-fri 08:00-18:00 (Europe/Vienna)``."""
    chosen = value.settings
    when = f"every {duration(chosen.every)}" if chosen.every else f"cron {chosen.cron}"
    if chosen.hours:
        when += f", {chosen.hours}"
    return f"{when} ({chosen.zone})" if chosen.cron or chosen.hours else when


def duration(seconds: int) -> str:
    """``6h``, ``1h30m``."""
    parts: list[str] = []
    for unit, size in _UNITS:
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts[:2]) or "0s"


def event(value: LibraryEvent) -> dict[str, Any]:
    """Something that happened in a library; secrets in it stay hidden."""
    known = {"id": value.id, "at": value.at, "kind": value.kind, "page_id": value.page_id}
    return known | {"detail": redact_value(value.detail)}


def job(value: JobInfo) -> dict[str, Any]:
    """A job: its state, its progress, and its result once it is done; not who runs it."""
    data = asdict(value)
    del data["lease_owner"], data["lease_until"]
    return data


def job_item(value: JobItem) -> dict[str, Any]:
    """One item of a job, and what came of it."""
    return asdict(value)


def session(value: Session) -> dict[str, Any]:
    """A browser that is signed in."""
    return asdict(value)


def user(value: User) -> dict[str, Any]:
    """A user, without the password."""
    return asdict(value)


def bulk(value: BulkOutcome) -> dict[str, Any]:
    """What was done to several pages, and the id by which it is undone."""
    return {
        "undo": value.id,
        "action": value.action,
        "tag": value.tag,
        "count": len(value.pages),
        "pages": list(value.pages),
    }


def source(value: Source) -> dict[str, Any]:
    """A source; its proxy may hold a password, so only whether there is one."""
    feeds = tuple(map(redact_address, value.feeds))
    return asdict(value) | {"feeds": feeds, "proxy": "(set)" if value.proxy else ""}


def prices(
    series: Sequence[StoredPrice], events: Sequence[StoredPriceEvent]
) -> dict[str, list[dict[str, Any]]]:
    """The prices of a page over time, and what happened to them."""
    return {"items": msgspec.to_builtins(series), "events": msgspec.to_builtins(events)}


def message(value: OutboxMessage) -> dict[str, Any]:
    """A notice in the outbox; tokens in its target stay hidden."""
    data: dict[str, Any] = msgspec.to_builtins(value)
    del data["lease_owner"]
    return data | {"target": redact_target(value.target)}


class SettingDifference(NamedTuple):
    """A setting that differs, called as its flag is, with its values in words."""

    setting: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.setting}: {self.before} → {self.after}"


def watch_differences(before: Watch, after: Watch) -> list[SettingDifference]:
    """What differs between two states of a watch, its name included."""
    names = [SettingDifference("name", before.name or "none", after.name or "none")]
    named = names if before.name != after.name else []
    return [*named, *settings_differences(before.settings, after.settings)]


def settings_differences(before: WatchSettings, after: WatchSettings) -> list[SettingDifference]:
    """The settings that differ, in the order in which they are declared."""
    return [
        SettingDifference(
            _FLAGS.get(name, name).replace("_", "-"),
            _in_words(name, getattr(before, name)),
            _in_words(name, getattr(after, name)),
        )
        for name in before.__dataclass_fields__
        if getattr(before, name) != getattr(after, name)
    ]


def _in_words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in (None, "", ()) or (name == "every" and not value):
        return "none"
    if name == "every":
        return duration(value)
    if name == "targets":
        return ", ".join(map(redact_target, value))
    if isinstance(value, tuple):
        return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType]
    return f"{value:g}" if isinstance(value, float) else str(value)
