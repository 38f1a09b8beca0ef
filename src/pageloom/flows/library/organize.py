"""What a user does with pages: pin, archive, delete, tag, remove for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pageloom.edges.store.pages import ACTIONS, act, deleted_before, purge
from pageloom.edges.store.retention import drop_unused_bodies
from pageloom.edges.store.tags import add_tags, remove_tags, tag_name, tags_in
from pageloom.edges.store.times import now
from pageloom.edges.store.versions import refresh_content
from pageloom.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import Page

Action = Literal["pin", "unpin", "archive", "unarchive", "read", "unread", "delete", "restore"]


def act_on_pages(store: Store, owner: str, action: Action, pages: Sequence[Page]) -> list[int]:
    """Do the same to several pages in one transaction; the numbers of those that it changed.

    Raises:
        InvalidArgument: an action that is not known.
    """
    if action not in ACTIONS:
        raise InvalidArgument(
            f"There is no action {action[:40]}.",
            suggestions=(f"Choose one of {', '.join(ACTIONS)}.",),
        )

    def do(tx: Tx) -> list[int]:
        return [page.id for page in pages if act(tx, owner, action, page.id)]

    return store.transact(do)


def purge_pages(store: Store, owner: str, pages: Sequence[Page] | None = None) -> list[int]:
    """Remove deleted pages for good, all of them where none are named; the numbers of the gone."""

    def do(tx: Tx) -> list[int]:
        named = [page.id for page in pages] if pages is not None else None
        wanted = deleted_before(tx, owner, now()) if named is None else named
        gone = [number for number in wanted if purge(tx, owner, number)]
        drop_unused_bodies(tx)
        return gone

    return store.transact(do)


def change_tags(
    store: Store, page: Page, *, add: Iterable[str] = (), remove: Iterable[str] = ()
) -> tuple[str, ...]:
    """Add tags to a page and remove others; the tags that it has then.

    Raises:
        InvalidArgument: a tag without a letter or a digit.
    """
    added, removed = tuple(add), tuple(remove)
    if empty := [tag for tag in (*added, *removed) if not tag_name(tag)]:
        raise InvalidArgument(
            f"{empty[0]!r} cannot be a tag.",
            suggestions=("A tag needs at least one letter or digit.",),
        )

    def do(tx: Tx) -> tuple[str, ...]:
        changed = add_tags(tx, page, added) + remove_tags(tx, page, removed)
        if changed:
            refresh_content(tx, page)
        return tags_in(tx, page.id)

    return store.transact(do)
