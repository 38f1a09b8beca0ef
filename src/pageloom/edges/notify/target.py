"""Notification targets: read mailto:, webhook, feed:, console and Apprise URLs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pageloom.errors import SettingsError
from pageloom.redaction import redact_address, redact_target

TargetKind = Literal["webhook", "mail", "feed", "console", "apprise"]

EXAMPLES = (
    "https://example.com/hook",
    "mailto:me@example.com",
    "feed:changes",
    "rss:changes",
    "console",
    "ntfy://topic (any Apprise URL)",
)
_FEEDS = ("feed", "atom", "rss")
_MAX = 2_000
# Printable ASCII in both parts, one @, a host with dots or a bare name: what mail servers accept
# without quoting. Nothing in it can begin a header.
_MAILBOX = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}"
)
_FEED_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]{0,30})://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where notices are sent."""

    kind: TargetKind
    address: str
    """The URL, the mailbox, the feed's name; for the console nothing."""
    form: Literal["", "atom", "rss"] = ""


def read_target(text: str) -> Target:
    """Read a target as a user writes it.

    The reader of a new kind comes before ``_read_address``, which takes every ``scheme://``.

    Raises:
        SettingsError: it is not a notification target.
    """
    as_written = text.strip()
    if len(as_written) > _MAX or not as_written.isprintable():
        raise _unreadable(as_written)
    for read in (_read_simple, _read_mail, _read_feed, _read_address):
        found = read(as_written)
        if found is not None:
            return found
    raise _unreadable(as_written)


def is_feed(target: str) -> bool:
    """Whether a target is a feed: it is written anew each time, so it knows no hourly limit."""
    return target.partition(":")[0] in _FEEDS


def _read_simple(as_written: str) -> Target | None:
    return Target(kind="console", address="") if as_written == "console" else None


def _read_mail(as_written: str) -> Target | None:
    address = as_written.removeprefix("mailto:")
    if "://" in as_written or not _MAILBOX.fullmatch(address):
        return None
    return Target(kind="mail", address=address)


def _read_feed(as_written: str) -> Target | None:
    scheme, mark, name = as_written.partition(":")
    if scheme not in _FEEDS or not mark or name.startswith("//"):
        return None
    if not _FEED_NAME.fullmatch(name):
        raise SettingsError(
            "A feed name may contain only letters, digits, - and _.",
            suggestions=(
                "Write for example feed:changes; the file is written to notify.feed_directory.",
            ),
        )
    form = "rss" if scheme == "rss" else "atom"
    return Target(kind="feed", address=name, form=form)


def _read_address(as_written: str) -> Target | None:
    """A webhook, or what Apprise may know: every other scheme."""
    scheme = _SCHEME.match(as_written)
    if scheme is None or len(as_written) == scheme.end():
        return None
    is_hook = scheme[1].lower() in ("http", "https")
    return Target(kind="webhook" if is_hook else "apprise", address=as_written)


def _unreadable(as_written: str) -> SettingsError:
    shown = redact_target(as_written) if "://" in as_written else redact_address(as_written)
    return SettingsError(
        f"{shown[:60]!r} is not a notification target.",
        suggestions=(f"Give a target such as {', '.join(EXAMPLES)}.",),
    )
