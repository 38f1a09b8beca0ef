"""``pageloom pin``, ``archive``, ``delete`` and their opposites: the state of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.page_flags import PageNames
from pageloom.apps.cli.pages import open_library, require_pages
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from pageloom.flows.library.organize import Action


_DONE = {
    "pin": "Pinned",
    "unpin": "Unpinned",
    "archive": "Archived",
    "unarchive": "Unarchived",
    "delete": "Deleted",
    "restore": "Restored",
    "read": "Marked as read",
    "unread": "Marked as unread",
}


def pin(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Pin pages, so that they come first in lists."""
    change_state(user, "pin", pages, as_json=as_json)


def unpin(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Unpin pages."""
    change_state(user, "unpin", pages, as_json=as_json)


def archive(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Archive pages: hide them from lists and searches.

    --archived and --all show them.
    """
    change_state(user, "archive", pages, as_json=as_json)


def unarchive(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Move pages out of the archive."""
    change_state(user, "unarchive", pages, as_json=as_json)


def unread(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Mark pages as unread.

    Reading a page marks it as read.
    """
    change_state(user, "unread", pages, as_json=as_json)


def delete(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Delete pages; they can be restored until purged."""
    change_state(user, "delete", pages, as_json=as_json)


def change_state(user: str | None, action: Action, names: list[str], *, as_json: bool) -> None:
    """Pin, archive, delete and so on: all of the pages, or none when one is not there."""
    with open_library(user) as library:
        pages = require_pages(library, names)
        changed = {page.id for page in library.act(action, pages)}
    if as_json:
        items = [{"id": page.id, "changed": page.id in changed} for page in pages]
        print_json({"success": True, "items": items})
        return
    for page in pages:
        word = _DONE[action] if page.id in changed else "No change to"
        print_lines([f"{word} {page.id}: {one_line(page.title or page.url, 100)}"])
