"""``pageloom token``: API tokens, by which programs act for a user."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import LARGEST, Json, User
from pageloom.apps.cli.output import date_of, print_json, print_lines, print_table
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.edges.store.times import write_time
from pageloom.edges.store.users import list_tokens, make_token, revoke_token
from pageloom.errors import NotInLibrary


class TokenAction(StrEnum):
    """What ``token`` does."""

    new = "new"
    list = "list"
    revoke = "revoke"


def token(
    action: Annotated[TokenAction, typer.Argument(help="new, list or revoke.")],
    number: Annotated[
        int | None,
        typer.Argument(min=1, max=LARGEST, metavar="[NUMBER]", help="revoke: the token to end."),
    ] = None,
    *,
    label: Annotated[str, typer.Option("--label", help="new: what it is for.")] = "",
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, max=36_500, help="new: expires after this many days."),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Create, list or revoke API tokens.

    A new token is shown once and never again: the library keeps only its hash. An unknown user is
    created by it.
    """
    if (number is not None) != (action is TokenAction.revoke):
        raise UsageTrouble("token revoke takes the number of a token; new and list take none.")
    if action is TokenAction.new:
        make_one(user, label=label, days=days, as_json=as_json)
    elif number is not None:
        revoke_one(user, number, as_json=as_json)
    else:
        list_them(user, as_json=as_json)


def make_one(user: str | None, *, label: str, days: int | None, as_json: bool) -> None:
    """Make a token, and show it this once."""
    ends = write_time(datetime.now(UTC) + timedelta(days=days)) if days else ""
    with open_library(user) as library:
        token = make_token(library.store, library.owner, label=label, expires_at=ends)
    if as_json:
        print_json({"token": token, "user": library.owner, "expires_at": ends or None})
        return
    print_lines([token, "Keep it now: it is not shown again."])


def list_them(user: str | None, *, as_json: bool) -> None:
    """The tokens of a user that are still good."""
    with open_library(user) as library:
        tokens = list_tokens(library.store, library.owner)
    if as_json:
        print_json({"user": library.owner, "tokens": [asdict(token) for token in tokens]})
    elif not tokens:
        print_lines([f"{one_line(library.owner, 80)} has no tokens."])
    else:
        rows = [
            (
                str(token.id),
                date_of(token.created_at),
                date_of(token.last_used_at) or "never",
                date_of(token.expires_at) or "never",
                one_line(token.label, 80),
            )
            for token in tokens
        ]
        print_table((">id", "made", "used", "ends", "for"), rows, flexible=4)


def revoke_one(user: str | None, number: int, *, as_json: bool) -> None:
    """End a token.

    Raises:
        NotInLibrary: this user has none of that number.
    """
    with open_library(user) as library:
        if not revoke_token(library.store, library.owner, number):
            raise NotInLibrary(
                f"{one_line(library.owner, 80)} has no token {number}.",
                suggestions=("See which there are with pageloom token list.",),
            )
    if as_json:
        print_json({"revoked": number})
    else:
        print_lines([f"Revoked {number}: whoever uses it is refused from now on."])
