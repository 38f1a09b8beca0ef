"""``pageloom token``: API tokens, by which programs act for a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import LARGEST, Json, User
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import date_of, print_items, print_json, print_lines, print_table
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.library import Library


TokenAction = Literal["new", "list", "revoke"]


def token(  # noqa: PLR0913  each is a flag
    action: Annotated[TokenAction, typer.Argument(help="new, list or revoke.")],
    number: Annotated[
        int | None,
        typer.Argument(
            min=1, max=LARGEST, metavar="[NUMBER]", help="revoke: the number of the token."
        ),
    ] = None,
    *,
    label: Annotated[str, typer.Option("--label", help="new: what the token is for.")] = "",
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, max=36_500, help="new: expires after this many days."),
    ] = None,
    scopes: Annotated[
        str,
        typer.Option(
            "--scopes",
            metavar="LIST",
            help="new: scopes from read,save,write,watch,admin; default: all but admin.",
        ),
    ] = "read,save,write,watch",
    user: User = None,
    as_json: Json = False,
) -> None:
    """Create, list or revoke API tokens.

    A new token is shown once and never again: the library keeps only its hash. A user that
    does not exist yet is created.
    """
    if (number is not None) != (action == "revoke"):
        raise UsageTrouble("token revoke takes the number of a token; new and list take none.")
    with open_library(user) as library:
        if action == "new":
            _make(library, label=label, days=days, scopes=scopes)
        elif number is not None:
            _revoke(library, number)
        else:
            _list(library)


def _make(library: Library, *, label: str, days: int | None, scopes: str) -> None:
    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    token = library.make_token(label, days=days, scopes=wanted)
    if current.as_json:
        ends = library.tokens()[-1].expires_at if days else None
        print_json({"success": True, "token": token, "user": library.owner, "expires_at": ends})
        return
    print_lines([token, "Copy it now: it is not shown again."])


def _list(library: Library) -> None:
    tokens = library.tokens()
    if current.as_json:
        print_items(map(records.token, tokens), user=library.owner)
    elif not tokens:
        print_lines([f"{one_line(library.owner, 80)} has no tokens."])
    else:
        rows = [
            (
                str(token.id),
                date_of(token.created_at),
                date_of(token.last_used_at) or "never",
                date_of(token.expires_at) or "never",
                " ".join(token.scopes),
                one_line(token.label, 80),
            )
            for token in tokens
        ]
        print_table((">id", "created", "used", "expires", "scopes", "label"), rows, flexible=5)


def _revoke(library: Library, number: int) -> None:
    library.revoke_token(number)
    if current.as_json:
        print_json({"success": True, "revoked": number})
    else:
        print_lines([f"Revoked token {number}: it is refused from now on."])
