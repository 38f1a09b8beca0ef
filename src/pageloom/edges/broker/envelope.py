"""What travels beside a body: how often it was tried, and why it was given up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

ATTEMPT = "attempt"
REASON = "reason"
DETAIL = "detail"
AGENT = "agent"
ORIGIN = "queue"
FAILED_AT = "failedAt"
_NEVER_SO_OFTEN = 1_000
_OF_FAILURE = (ATTEMPT, REASON, DETAIL, AGENT, ORIGIN, FAILED_AT)
_OF_BROKER = ("x-death", "x-delivery-count", "x-first-death-exchange", "x-first-death-queue")
_GIVEN_UP = {"delivery_limit": "DeliveryLimit", "maxlen": "QueueFull", "rejected": "Rejected"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A message with its headers."""

    body: bytes
    headers: dict[str, Any] = field(default_factory=dict[str, Any])
    id: str = ""
    kind: str = ""
    """The contract it keeps to, such as ``html.parsed/1``."""

    @property
    def attempt(self) -> int:
        """How often it failed before."""
        found = self.headers.get(ATTEMPT, 0)
        return found if isinstance(found, int) and 0 <= found < _NEVER_SO_OFTEN else 0

    @property
    def reason(self) -> str:
        """Why it is a dead letter: ours, or what the broker wrote."""
        ours = self.headers.get(REASON)
        if isinstance(ours, str):
            return ours
        word = str(_first_death(self.headers).get("reason", "unknown"))
        return _GIVEN_UP.get(word, word)

    @property
    def origin(self) -> str:
        """The queue it failed in."""
        ours = self.headers.get(ORIGIN)
        return ours if isinstance(ours, str) else str(_first_death(self.headers).get("queue", ""))


def _first_death(headers: dict[str, Any]) -> dict[str, Any]:
    deaths: Any = headers.get("x-death")
    known = cast("list[Any]", deaths) if isinstance(deaths, list) else []
    found = [cast("dict[str, Any]", each) for each in known if isinstance(each, dict)]
    return found[0] if found else {}


def next_attempt(envelope: Envelope) -> Envelope:
    """The envelope for a further attempt."""
    return replace(envelope, headers=envelope.headers | {ATTEMPT: envelope.attempt + 1})


def as_dead_letter(envelope: Envelope, **why: str | int) -> Envelope:
    """The envelope as a dead one. ``why`` is written into its headers."""
    return replace(envelope, headers=envelope.headers | why)


def without_history(envelope: Envelope) -> Envelope:
    """The envelope without its history, to be tried from the beginning."""
    gone = {*_OF_FAILURE, *_OF_BROKER, "x-first-death-reason"}
    return replace(envelope, headers={k: v for k, v in envelope.headers.items() if k not in gone})
