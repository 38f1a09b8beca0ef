"""Notice: the message about one event, which every notifier receives."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

NoticeKind = Literal["change", "price", "health", "muted", "visual", "search", "digest", "test"]
MAX_TITLE = 200
MAX_TEXT = 20_000

# Control characters, lone surrogates, and marks that change the direction of text.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One notification. Its texts may come from a web page: control characters are removed."""

    id: str
    """The same for every attempt to send it to one target, so that receivers can drop repeats."""
    kind: NoticeKind
    title: str
    """One line."""
    text: str = ""
    url: str = ""
    at: str = ""
    """A UTC instant."""
    importance: float = 0.0
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    """The same as data, for programs."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", one_line(self.title, MAX_TITLE))
        object.__setattr__(self, "text", plain(self.text)[:MAX_TEXT])
        object.__setattr__(self, "url", one_line(self.url, 8_192).replace(" ", "%20"))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as it is stored in the outbox."""
        return asdict(self)


def delivery_id(event_id: str, target: str) -> str:
    """The id of an event's message to one target: the same for every attempt."""
    joined = f"{event_id}\n{target}".encode("utf-8", "replace")
    return hashlib.sha256(joined).hexdigest()[:32]


def plain(text: str) -> str:
    """The text without control characters other than tab and newline."""
    return _UNSEEN.sub("", text)


def one_line(text: str, width: int) -> str:
    """The beginning of a text on one line."""
    joined = " ".join(plain(text[: width * 4]).split())
    return joined if len(joined) <= width else joined[: width - 1] + "…"
