"""``pageloom users``: who has pages in the library, and how they sign in to the web app."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated, Literal

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.output import date_of, print_items, print_json, print_lines, print_table
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.flows.access.options import WebOptions
from pageloom.model.library import Role

UsersAction = Literal["list", "role", "password", "link"]


def users(
    action: Annotated[UsersAction, typer.Argument(help="list, role, password or link.")] = "list",
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The user; a new one is created.")
    ] = "",
    role: Annotated[str, typer.Argument(help="role: reader, member or admin.")] = "",
    *,
    as_json: Json = False,
) -> None:
    """List users; give them a role, a password or a sign-in link.

    password asks for it, or reads it from standard input. link prints a link that signs the user
    in once, within ten minutes, on the machine where the server runs.
    """
    if (action == "list") == bool(name) or (action == "role") != bool(role):
        raise UsageTrouble(
            "Write users list, users role NAME ROLE, users password NAME or users link NAME."
        )
    if action == "list":
        _list(as_json=as_json)
        return
    with open_library(name) as library:
        said: dict[str, str] = {"user": library.owner}
        if action == "role":
            library.set_role(_role(role))
            said |= {"role": role}
        elif action == "password":
            library.set_password(_read_password())
        else:
            said |= {"link": f"{_home(library.settings.web)}/first/{library.make_link()}"}
    if as_json:
        print_json({"success": True, **said})
    else:
        shown = one_line(name, 80)
        done = {"role": f"{shown} is now {role}.", "password": f"{shown} has a new password."}
        print_lines([said.get("link", "") or done[action]])


def _role(text: str) -> Role:
    if text == "reader" or text == "member" or text == "admin":  # noqa: PLR1714  for types
        return text
    raise UsageTrouble(f"There is no role {one_line(text, 40)}; choose reader, member or admin.")


def _read_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("New password: ")
    if getpass.getpass("Again: ") != first:
        raise UsageTrouble("The two passwords differ.")
    return first


def _home(web: WebOptions) -> str:
    return web.url.rstrip("/") or f"http://{web.listen}"


def _list(*, as_json: bool) -> None:
    with open_library(None) as library:
        figures = library.users()
    if as_json:
        print_items(figures)
        return
    rows = [
        (
            one_line(one["name"], 80),
            date_of(one["created_at"]),
            one["role"],
            str(one["pages"]),
            str(one["tokens"]),
        )
        for one in figures
    ]
    print_table(("name", "since", "role", ">pages", ">tokens"), rows, flexible=0)
