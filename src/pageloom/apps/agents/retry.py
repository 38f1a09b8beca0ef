"""What to do about a message that failed, in one place.

a message that keeps to no contract, content that
can never be read, an invalid URL                    dead letter at once
the library cannot be reached                        wait for it, not counted
all else that may pass, something that has to come
first, and our own faults                            three more attempts, then dead letter
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pageloom.errors import InternalError, PageloomError, ParseError, ParseTimeout, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORTH_IT = (InternalError, ParseError, ParseTimeout)
"""Tried again although the same bytes often fail the same way: the machine may have been busy."""


@dataclass(frozen=True, slots=True)
class RetryDecision:
    """What to do: give up, try again after so many seconds, or wait for the library."""

    action: Literal["dead", "retry", "wait"]
    seconds: float = 0.0


def decide_retry(error: PageloomError, attempt: int, delays: Sequence[float]) -> RetryDecision:
    """What to do about an error.

    Args:
        error: why the message failed.
        attempt: how often it failed before.
        delays: the pauses before each further attempt.
    """
    if isinstance(error, StorageError) and error.retryable:
        return RetryDecision("wait")
    return judge_attempt(error, attempt, delays)


def judge_attempt(error: PageloomError, attempt: int, delays: Sequence[float]) -> RetryDecision:
    """The same, where waiting would not help."""
    if (error.retryable or isinstance(error, _WORTH_IT)) and attempt < len(delays):
        return RetryDecision("retry", delays[attempt])
    return RetryDecision("dead")
