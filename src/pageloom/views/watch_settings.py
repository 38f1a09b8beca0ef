"""The settings of a watch in words, and what an edit changed of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pageloom.redaction import redact_target
from pageloom.views.records import duration

if TYPE_CHECKING:
    from pageloom.model.watch import Watch, WatchSettings

_FLAGS = {"targets": "to", "digest_minutes": "digest", "respect_robots": "robots"}
"""Settings whose flag has another name than they have."""


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
