"""``pageloom purge``: remove deleted pages permanently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_pages

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, User


def purge(
    pages: Annotated[
        list[str] | None, typer.Argument(metavar="PAGE…", help="Deleted pages.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every deleted page.")] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Remove deleted pages permanently.

    All their versions, notes and originals are removed with them.
    """
    from pageloom.edges.store.page_state import deleted_before
    from pageloom.edges.store.page_state import purge as remove
    from pageloom.edges.store.retention import drop_unused_bodies
    from pageloom.edges.store.times import now

    if bool(pages) == everything:
        raise UsageTrouble("Name the pages to remove, or give --all; not both.")
    with open_library(user) as library:
        ids = [page.id for page in require_pages(library, pages or [])]

        def do(tx: Tx) -> list[int]:
            wanted = deleted_before(tx, library.owner, now()) if everything else ids
            gone = [id_ for id_ in wanted if remove(tx, library.owner, id_)]
            drop_unused_bodies(tx)
            return gone

        gone = library.store.transact(do)
    kept = [id_ for id_ in ids if id_ not in gone]
    if as_json:
        print_json({"purged": gone, "kept": kept})
        return
    print_lines([f"Removed {count(len(gone), 'page')} for good."])
    for id_ in kept:
        print_lines([f"Kept {id_}: it is not deleted. Delete it first: pageloom delete {id_}"])
