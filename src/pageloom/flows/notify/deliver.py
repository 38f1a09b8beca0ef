"""Deliver one notice to one target: webhook, e-mail, feed, console or Apprise."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TextIO

from pageloom.edges.fetch.guard import Guard
from pageloom.edges.notify.console import show_notice
from pageloom.edges.notify.target import Target, read_target
from pageloom.errors import FetchError, MissingExtra, NotifyError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.notify.notice import Notice
    from pageloom.edges.notify.options import NotifyOptions


_PLAIN_NAME = re.compile("[a-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifyContext:
    """What sending needs: options, limits of fetching, the feed directory, a clock, a stream."""

    options: NotifyOptions
    fetch: FetchOptions
    feed_directory: Path
    """Where feeds are written; each user but ``local`` has a directory of their own in it."""
    owner: str = "local"
    """Whose notices are sent."""
    now: Callable[[], float]
    """Seconds since the epoch."""
    stream: TextIO = sys.stdout

    @property
    def own_feed_directory(self) -> Path:
        """Where the owner's feeds are: two users may both have a ``feed:walks``.

        A name that a file system could read in another way (case, dots, slashes, length) is
        replaced by its hash.
        """
        if self.owner == "local":
            return self.feed_directory
        if _PLAIN_NAME.fullmatch(self.owner):
            return self.feed_directory / self.owner
        return self.feed_directory / f"~{sha256(self.owner.encode()).hexdigest()[:32]}"


async def deliver(
    notice: Notice, target: str, context: NotifyContext, *, earlier: Sequence[Notice] = ()
) -> None:
    """Send one notice to one target, within the time for one message.

    Args:
        notice: the notice to send.
        target: the target as the user wrote it.
        context: what sending needs.
        earlier: the notices that the feed already has.

    Raises:
        NotifyError: the target rejected it; ``retryable`` says whether to try again.
        SettingsError, MissingExtra, FetchError: it could not be sent.
    """
    found = read_target(target)
    try:
        async with asyncio.timeout(context.options.timeout + 5):
            await _DELIVER[found.kind](notice, found, context, earlier)
    except TimeoutError:
        raise NotifyError(
            "The notification target did not answer in time.", retryable=True
        ) from None


async def send_test(target: str, context: NotifyContext) -> str:
    """Send a test notice to a target, past the outbox; its id.

    Raises:
        SettingsError, MissingExtra, FetchError: it could not be sent.
        NotifyError: the target did not accept it.
    """
    from pageloom.edges.notify.notice import Notice

    check_target(target, context)
    notice = Notice(
        id=f"test-{secrets.token_hex(8)}",
        kind="test",
        title="A test of Pageloom",
        text="If you can read this, changes will reach you here.",
        url="https://example.com/",
        at=datetime.fromtimestamp(context.now(), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    )
    await deliver(notice, target, context)
    return notice.id


def check_target(target: str, context: NotifyContext) -> Target:
    """Raise an error for a target that can never work, as far as that shows without sending."""
    found = read_target(target)
    if found.kind == "webhook":
        from pageloom.edges.notify.webhook import secret_for

        host = Guard(context.fetch.allowed_hosts).check(found.address).host
        secret_for(host, context.options)
    elif found.kind == "mail":
        from pageloom.edges.notify.mail import make_message
        from pageloom.edges.notify.notice import Notice

        make_message(Notice(id="check", kind="test", title="check"), found.address, context.options)
    return found


async def _to_webhook(
    notice: Notice, target: Target, context: NotifyContext, _: Sequence[Notice]
) -> None:
    from pageloom.edges.fetch.post import post_http
    from pageloom.edges.notify.webhook import secret_for, send_webhook

    limits = replace(context.fetch, timeout=min(context.fetch.timeout, context.options.timeout))
    host = Guard(limits.allowed_hosts).check(target.address).host

    async def post(url: str, body: bytes, headers: dict[str, str]) -> int:
        return await post_http(url, body, headers, options=limits)

    await send_webhook(
        notice,
        target.address,
        secret=secret_for(host, context.options),
        post=post,
        timestamp=int(context.now()),
    )


async def _to_mail(
    notice: Notice, target: Target, context: NotifyContext, _: Sequence[Notice]
) -> None:
    from pageloom.edges.notify.mail import send_mail

    await send_mail(notice, target.address, context.options)


async def _to_feed(
    notice: Notice, target: Target, context: NotifyContext, earlier: Sequence[Notice]
) -> None:
    from pageloom.edges.notify.feed import write_feed

    kept = {each.id: each for each in (*earlier, notice)}
    newest = sorted(kept.values(), key=lambda each: each.at)[-context.options.feed_entries :]
    form = target.form or "atom"
    await write_feed(newest, context.own_feed_directory, name=target.address, form=form)


async def _to_console(
    notice: Notice, _: Target, context: NotifyContext, __: Sequence[Notice]
) -> None:
    await show_notice(notice, context.stream)


async def _to_apprise(
    notice: Notice, target: Target, context: NotifyContext, _: Sequence[Notice]
) -> None:
    request: dict[str, Any] = {
        "notice": notice.to_dict() | {"data": {}},
        "url": target.address,
        "allowed_hosts": list(context.fetch.allowed_hosts),
    }
    answer = await _ask_child(json.dumps(request).encode(), context.options.timeout)
    if not answer.get("ok"):
        raise _from_child(answer.get("error", {}))


async def _ask_child(request: bytes, seconds: float) -> dict[str, Any]:
    """Run the child process until it ends or the time is up; it is always stopped."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "pageloom.flows.notify.apprise_child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_child_environment(),
    )
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await child.communicate(request)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    try:
        return json.loads(answer)
    except ValueError:
        raise NotifyError(
            "The notification process ended without a result.", retryable=True
        ) from None


def _child_environment() -> dict[str, str]:
    """Our environment without secrets, with the path to this package."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAGELOOM_")}
    return kept | {"PYTHONPATH": os.pathsep.join(place for place in sys.path if place)}


_FROM_CHILD = {"SettingsError": SettingsError, "MissingExtra": MissingExtra}


def _from_child(error: dict[str, Any]) -> Exception:
    code = str(error.get("code", ""))
    message = str(error.get("message", "The service rejected the message."))
    advice = tuple(map(str, error.get("suggestions", ())))
    if code.startswith("FetchError."):
        return FetchError(message, kind=code.partition(".")[2], suggestions=advice)
    kind = _FROM_CHILD.get(code)
    if kind is not None:
        return kind(message, suggestions=advice)
    return NotifyError(message, retryable=bool(error.get("retryable")), suggestions=advice)


_DELIVER: dict[
    str, Callable[[Notice, Target, NotifyContext, Sequence[Notice]], Awaitable[None]]
] = {
    "webhook": _to_webhook,
    "mail": _to_mail,
    "feed": _to_feed,
    "console": _to_console,
    "apprise": _to_apprise,
}
"""To add a kind of target: ``edges/notify/<kind>.py``, its ``TargetKind`` and its reader before
``_read_address`` (which takes every ``scheme://``) in ``target.py``, and a line here."""
