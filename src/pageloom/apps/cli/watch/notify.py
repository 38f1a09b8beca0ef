"""``pageloom notify``: trying targets, and the messages to them."""

from __future__ import annotations

import asyncio
import secrets
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.output import print_json, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.context import notify_context, worker_id
from pageloom.edges.notify.notice import Notice
from pageloom.edges.notify.target import show_target
from pageloom.edges.store import outbox
from pageloom.edges.store.times import now
from pageloom.flows.notify.deliver import check_target, deliver
from pageloom.flows.notify.outbox_sender import send_due
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from pageloom.model.library import OutboxMessage
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Limit, User


def try_target(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="https://…, mailto:…, feed:NAME, rss:NAME, console, or an Apprise URL.",
        ),
    ],
    *,
    as_json: Json = False,
) -> None:
    """Send a test message to a target."""
    means = notify_context(load_settings(), sys.stderr if as_json else sys.stdout)
    check_target(target, means)
    notice = Notice(
        id=f"test-{secrets.token_hex(8)}",
        kind="test",
        title="A test of Pageloom",
        text="If you can read this, changes will reach you here.",
        url="https://example.com/",
        at=now(),
    )
    asyncio.run(deliver(notice, target, means))
    if as_json:
        print_json({"success": True, "target": show_target(target), "id": notice.id})
    else:
        print_lines([f"{show_target(target)} took the test message."])


def list_(
    *,
    state: Annotated[
        str | None,
        typer.Option("--state", help="Only in this state: waiting, sent, failed, bundled."),
    ] = None,
    limit: Limit = 50,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List messages that were sent or are waiting."""
    with open_library(user) as library:
        found = outbox.list_messages(library.store, library.owner, state=state, limit=limit)
    if as_json:
        print_json({"success": True, "messages": [_data(message) for message in found]})
        return
    if not found:
        print_lines(["No messages."])
        return
    rows = [
        (
            time_of(message.created_at),
            message.state,
            str(message.attempts),
            one_line(show_target(message.target), 40),
            one_line(message.payload.get("title", ""), 80),
            one_line(message.error, 80),
        )
        for message in found
    ]
    print_table(("made", "state", ">tries", "to", "what", "error"), rows, flexible=4)


def _data(message: OutboxMessage) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(message)
    data["target"] = show_target(message.target)
    data.pop("lease_owner")
    return data


def send(*, user: User = None, as_json: Json = False) -> None:
    """Send the messages that are due now."""
    with open_library(user) as library:
        means = library.notify_context(sys.stderr if as_json else sys.stdout)
        told = asyncio.run(send_due(library.store, means, worker_id()))
    if as_json:
        print_json({"success": True} | msgspec.to_builtins(told))
    else:
        print_lines([f"{told.sent} sent, {told.failed} failed, {told.postponed} put off."])


def retry(*, user: User = None, as_json: Json = False) -> None:
    """Try messages again that had failed for good."""
    with open_library(user) as library:
        waiting = outbox.retry_failed(library.store, library.owner, now())
    if as_json:
        print_json({"success": True, "waiting": waiting})
    else:
        print_lines([f"{waiting} messages will be tried again."])
