"""Users, and the tokens by which programs speak for them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from pageloom.apps.cli.library import date_of, open_library, print_json, print_lines, print_table
from pageloom.apps.cli.safe import one_line
from pageloom.edges.store.times import write_time
from pageloom.edges.store.users import list_tokens, make_token, revoke_token, user_figures
from pageloom.errors import NotInLibrary


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


def list_everybody(*, as_json: bool) -> None:
    """All users with their pages and tokens."""
    with open_library(None) as library:
        figures = user_figures(library.store)
    if as_json:
        print_json({"users": figures})
        return
    rows = [
        (
            one_line(one["name"], 80),
            date_of(one["created_at"]),
            str(one["pages"]),
            str(one["tokens"]),
        )
        for one in figures
    ]
    print_table(("name", "since", ">pages", ">tokens"), rows, flexible=0)
