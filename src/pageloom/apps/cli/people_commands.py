"""The flags of ``token`` and ``users``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json
from pageloom.apps.cli.library_flags import User


class TokenAction(StrEnum):
    """What ``token`` does."""

    new = "new"
    list = "list"
    revoke = "revoke"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(token)
    app.command()(users)


def token(
    action: Annotated[TokenAction, typer.Argument(help="new, list or revoke.")],
    number: Annotated[
        int | None,
        typer.Argument(min=1, max=LARGEST, metavar="[NUMBER]", help="revoke: which one."),
    ] = None,
    *,
    label: Annotated[str, typer.Option("--label", help="new: what it is for.")] = "",
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, max=36_500, help="new: it ends after so many days."),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Tokens by which programs speak for a user.

    A new one is shown once and never again: the library keeps only its hash. A user who is not
    known yet is made known by it.
    """
    from pageloom.apps.cli.people import list_them, make_one, revoke_one
    from pageloom.apps.cli.trouble import UsageTrouble

    if (number is not None) != (action is TokenAction.revoke):
        raise UsageTrouble("token revoke takes the number of a token; new and list take none.")
    if action is TokenAction.new:
        make_one(user, label=label, days=days, as_json=as_json)
    elif number is not None:
        revoke_one(user, number, as_json=as_json)
    else:
        list_them(user, as_json=as_json)


def users(*, as_json: Json = False) -> None:
    """Show whose pages are in the library."""
    from pageloom.apps.cli.people import list_everybody

    list_everybody(as_json=as_json)
