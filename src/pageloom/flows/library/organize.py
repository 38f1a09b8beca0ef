"""What a user does with pages: pin, archive, delete, tag, remove for good."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_hex
from typing import TYPE_CHECKING, Literal

from pageloom.core.normalize.urls import url_key
from pageloom.edges.fetch.guard import without_login
from pageloom.edges.store.files import drop_unused_files
from pageloom.edges.store.idempotency import find_result, store_result
from pageloom.edges.store.import_rows import add_bare, find_by_key
from pageloom.edges.store.pages import ACTIONS, act, deleted_before, purge
from pageloom.edges.store.retention import drop_unused_bodies
from pageloom.edges.store.tags import (
    add_tags,
    pages_with_tag,
    remove_tags,
    tag_label,
    tag_name,
    tags_in,
)
from pageloom.edges.store.times import now
from pageloom.edges.store.versions import refresh_content
from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import Page

Action = Literal["pin", "unpin", "archive", "unarchive", "read", "unread", "delete", "restore"]
BulkAction = Action | Literal["tag", "untag"]
_REVERSE: dict[str, BulkAction] = {
    "pin": "unpin",
    "unpin": "pin",
    "archive": "unarchive",
    "unarchive": "archive",
    "read": "unread",
    "unread": "read",
    "delete": "restore",
    "restore": "delete",
    "tag": "untag",
    "untag": "tag",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkResult:
    """What was done to several pages at once, and the id by which it is undone."""

    id: str
    action: BulkAction
    pages: tuple[int, ...]
    """The numbers of the pages that it changed."""
    tag: str = ""


def act_on_many(
    store: Store, owner: str, action: BulkAction, page_ids: Sequence[int], *, tag: str = ""
) -> BulkResult:
    """Do the same to many pages in one transaction; what is not there is left out.

    Raises:
        InvalidArgument: an action that is not known, or a tag without a name.
    """
    if action not in _REVERSE:
        raise InvalidArgument(
            f"There is no action {action[:40]}.",
            suggestions=(f"Choose one of {', '.join(_REVERSE)}.",),
        )
    if action in ("tag", "untag"):
        _require_tags((tag,))
    return store.transact(lambda tx: _act_on_many(tx, owner, action, page_ids, tag_label(tag)))


def _act_on_many(
    tx: Tx, owner: str, action: BulkAction, page_ids: Sequence[int], tag: str
) -> BulkResult:
    changed = tuple(page for page in page_ids if _act_on_one(tx, owner, action, page, tag))
    result = BulkResult(id=token_hex(8), action=action, pages=changed, tag=tag)
    noted = {"action": action, "pages": list(changed), "tag": tag}
    store_result(tx, _undo_list(owner), result.id, noted)
    return result


def _act_on_one(tx: Tx, owner: str, action: BulkAction, page_id: int, tag: str) -> bool:
    if action not in ("tag", "untag"):
        return act(tx, owner, action, page_id)
    page = PageRef(owner, page_id)
    try:
        changed = (add_tags if action == "tag" else remove_tags)(tx, page, [tag])
    except NotInLibrary:
        return False
    if changed:
        refresh_content(tx, page)
    return bool(changed)


def _undo_list(owner: str) -> str:
    return f"undo of {owner}"


def find_done(store: Store, owner: str, undo_id: str) -> BulkResult | None:
    """What was done under this id, for as long as it can be undone."""
    with store.read() as tx:
        noted = find_result(tx, _undo_list(owner), undo_id[:64])
    if noted is None:
        return None
    return BulkResult(
        id=undo_id, action=noted["action"], pages=tuple(noted["pages"]), tag=noted["tag"]
    )


def undo(store: Store, owner: str, undo_id: str) -> BulkResult:
    """Undo what was done under this id; the result can be undone too.

    Raises:
        NotInLibrary: nothing was done under this id, or too long ago.
    """
    done = find_done(store, owner, undo_id)
    if done is None:
        raise NotInLibrary("There is nothing to undo.", suggestions=())
    return act_on_many(store, owner, _REVERSE[done.action], done.pages, tag=done.tag)


def rename_tag(store: Store, owner: str, old: str, new: str) -> int:
    """Give all pages with a tag another one in its place, or none; how many pages that were.

    Raises:
        InvalidArgument: a tag without a letter or a digit.
    """
    _require_tags((new,) if new else ())

    def do(tx: Tx) -> int:
        pages = [PageRef(owner, number) for number in pages_with_tag(tx, owner, old)]
        for page in pages:
            remove_tags(tx, page, [old])
            add_tags(tx, page, [new] if new else [])
            refresh_content(tx, page)
        return len(pages)

    return store.transact(do)


def _require_tags(tags: Iterable[str]) -> None:
    if empty := [tag for tag in tags if not tag_name(tag)]:
        raise InvalidArgument(
            f"{empty[0]!r} cannot be a tag.",
            suggestions=("A tag needs at least one letter or digit.",),
        )


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
        drop_unused_files(tx)
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
    _require_tags((*added, *removed))

    def do(tx: Tx) -> tuple[str, ...]:
        changed = add_tags(tx, page, added) + remove_tags(tx, page, removed)
        if changed:
            refresh_content(tx, page)
        return tags_in(tx, page.id)

    return store.transact(do)


def note_url(store: Store, owner: str, url: str, title: str) -> int:
    """The number of the page with this URL, which is added without content if it is not there.

    Raises:
        InvalidUrl: not a URL of the web.
    """
    plain = without_login(url.strip())
    key = url_key(plain)

    def note(tx: Tx) -> int:
        known = find_by_key(tx, owner, key) or add_bare(tx, owner, key, plain, title)
        return known["id"]

    return store.transact(note)
