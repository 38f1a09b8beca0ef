"""Where a notice goes, as a person writes it: one line, read once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pageloom.errors import SettingsError
from pageloom.redaction import redact, redact_address

TargetKind = Literal["webhook", "mail", "feed", "console", "apprise"]

EXAMPLES = (
    "https://example.com/hook",
    "mailto:me@example.com",
    "feed:changes",
    "rss:changes",
    "console",
    "ntfy://topic (any Apprise URL)",
)
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
    """One place to tell things."""

    kind: TargetKind
    address: str
    """The URL, the mailbox, the feed's name; for the console nothing."""
    form: Literal["", "atom", "rss"] = ""
    spelt: str = ""
    """As it was written; the name that deliveries are counted by."""


def read_target(text: str) -> Target:
    """The target that a line means.

    Raises:
        SettingsError: it means none.
    """
    spelt = text.strip()
    if len(spelt) > _MAX or not spelt.isprintable():
        raise _unreadable(spelt)
    for read in (_read_simple, _read_mail, _read_feed, _read_address):
        found = read(spelt)
        if found is not None:
            return found
    raise _unreadable(spelt)


def show_target(text: str) -> str:
    """The target without what may be a secret: tokens live in the paths of hooks."""
    scheme, mark, rest = redact(text).partition("://")
    if not mark:
        return text
    host = re.split(r"[/?#]", rest.removeprefix("…@"), maxsplit=1)[0]
    known_open = scheme.lower() in ("http", "https")
    return f"{scheme}://{host}/…" if known_open else f"{scheme}://…"


def _read_simple(spelt: str) -> Target | None:
    return Target(kind="console", address="", spelt="console") if spelt == "console" else None


def _read_mail(spelt: str) -> Target | None:
    address = spelt.removeprefix("mailto:")
    if "://" in spelt or not _MAILBOX.fullmatch(address):
        return None
    return Target(kind="mail", address=address, spelt=f"mailto:{address}")


def _read_feed(spelt: str) -> Target | None:
    scheme, mark, name = spelt.partition(":")
    if scheme not in ("feed", "atom", "rss") or not mark or name.startswith("//"):
        return None
    if not _FEED_NAME.fullmatch(name):
        raise SettingsError(
            "A feed has a name of letters, digits, - and _.",
            suggestions=("Write feed:changes; notify.feed_directory says where it is kept.",),
        )
    form = "rss" if scheme == "rss" else "atom"
    return Target(kind="feed", address=name, form=form, spelt=f"{form}:{name}")


def _read_address(spelt: str) -> Target | None:
    scheme = _SCHEME.match(spelt)
    if scheme is None or len(spelt) == scheme.end():
        return None
    is_hook = scheme[1].lower() in ("http", "https")
    return Target(kind="webhook" if is_hook else "apprise", address=spelt, spelt=spelt)


def _unreadable(spelt: str) -> SettingsError:
    shown = show_target(spelt) if "://" in spelt else redact_address(spelt)
    return SettingsError(
        f"{shown[:60]!r} is no place to tell things.",
        suggestions=(f"Known: {', '.join(EXAMPLES)}.",),
    )
