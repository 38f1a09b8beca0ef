"""``pageloom notify``: trying targets, and the messages to them."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import Json, JsonLines, Limit, User, Utc
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import (
    count,
    print_items,
    print_json,
    print_lines,
    print_table,
    time_of,
)
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.model.library import MessageState
from pageloom.redaction import redact_target
from pageloom.views import records

if TYPE_CHECKING:
    pass


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
    with open_library(None) as library:
        id_ = library.notify_test(target, sys.stderr if as_json else sys.stdout)
    shown = redact_target(target)
    if as_json:
        print_json({"success": True, "target": shown, "id": id_})
    else:
        print_lines([f"{shown} accepted the test message."])


def list_(
    *,
    state: Annotated[
        MessageState | None, typer.Option("--state", help="Only messages in this state.")
    ] = None,
    limit: Limit = 50,
    user: User = None,
    utc: Utc = False,
    as_json: Json = False,
    as_lines: JsonLines = False,
) -> None:
    """List messages that were sent or are waiting."""
    with open_library(user) as library:
        found = library.messages(state, limit=limit)
    if current.as_json:
        print_items(map(records.message, found))
        return
    if not found:
        print_lines(["No messages."])
        return
    rows = [
        (
            time_of(message.created_at),
            message.state,
            str(message.attempts),
            one_line(redact_target(message.target), 40),
            one_line(message.payload.get("title", ""), 80),
            one_line(message.error, 80),
        )
        for message in found
    ]
    headers = ("created", "state", ">attempts", "target", "title", "error")
    print_table(headers, rows, flexible=4)


def send(*, user: User = None, as_json: Json = False) -> None:
    """Send the messages that are due now."""
    with open_library(user) as library:
        counts = library.send_messages(sys.stderr if as_json else sys.stdout)
    if as_json:
        print_json({"success": not counts.failed} | asdict(counts))
    else:
        print_lines([f"{counts.sent} sent, {counts.failed} failed, {counts.postponed} postponed."])


def retry(*, user: User = None, as_json: Json = False) -> None:
    """Mark failed messages to be sent again."""
    with open_library(user) as library:
        waiting = library.retry_messages()
    if as_json:
        print_json({"success": True, "waiting": waiting})
    else:
        print_lines([f"{count(waiting, 'message')} will be sent again."])
