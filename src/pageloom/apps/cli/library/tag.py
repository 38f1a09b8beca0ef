"""``pageloom tag``: tags of pages."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import (
    Json,
    User,
)
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import safe
from pageloom.edges.store.tags import (
    add_tags,
    remove_tags,
    tag_name,
    tags_of,
)

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.edges.store.base import Tx


class TagAction(StrEnum):
    """What ``tag`` does."""

    add = "add"
    remove = "remove"
    list = "list"


def tag(
    action: Annotated[TagAction, typer.Argument(help="add, remove or list.")],
    page: Annotated[
        str | None, typer.Argument(metavar="[ID|URL]", help="A page; without one, all tags.")
    ] = None,
    tags: Annotated[list[str] | None, typer.Argument(metavar="[TAG…]")] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Add, remove or list tags."""
    if action is not TagAction.list and not (page and tags):
        raise UsageTrouble(f"tag {action} takes a page and at least one tag.")
    run_tag(user, action, page or "", tags or [], as_json=as_json)


def run_tag(user: str | None, action: str, name: str, tags: list[str], *, as_json: bool) -> None:
    """Add, remove or list tags."""
    from pageloom.edges.store.versions import refresh_content

    if empty := [tag for tag in tags if not tag_name(tag)]:
        raise UsageTrouble(f"{empty[0]!r} is no tag.", suggestions=("Give it at least a letter.",))
    with open_library(user) as library:
        if action == "list" and not name:
            _show_all_tags(library, as_json=as_json)
            return
        page = require_page(library, name)
        change = {"add": add_tags, "remove": remove_tags}.get(action)

        def do(tx: Tx) -> None:
            if change and change(tx, page, tags):
                refresh_content(tx, page)

        library.store.transact(do)
        found = tags_of(library.store, page)
    if as_json:
        print_json({"id": page.id, "tags": found})
    else:
        print_lines([f"{page.id}: {', '.join(map(safe, found)) or 'no tags'}"])


def _show_all_tags(library: Context, *, as_json: bool) -> None:
    from pageloom.edges.store.tags import all_tags

    found = all_tags(library.store, library.owner)
    if as_json:
        print_json({"tags": [{"tag": tag, "pages": pages} for tag, pages in found]})
        return
    print_lines([f"{pages:>6}  {safe(tag)}" for tag, pages in found] or ["No tags yet."])
