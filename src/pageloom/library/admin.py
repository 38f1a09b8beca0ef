"""Users of a library, and the tokens by which programs act for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.library.base import LibraryPart

if TYPE_CHECKING:
    from pageloom.model.library import LibraryEvent, Token


class Admin(LibraryPart):
    """The methods of a Library that are about users and tokens."""

    def users(self) -> list[dict[str, Any]]:
        """All users of this database, with how many pages and tokens each has."""
        from pageloom.edges.store.users import user_figures

        return user_figures(self._store)

    def token_user(self, token: str) -> str | None:
        """The user whom a token belongs to; None when it is unknown, revoked or expired."""
        from pageloom.edges.store.users import token_owner

        return token_owner(self._store, token)

    def events(self, after: int = 0, *, limit: int = 100) -> list[LibraryEvent]:
        """What happened in this library, oldest first: saves, changes, deletions and more.

        Args:
            after: the number of the last event that you have seen; follow the log with it.
            limit: at most so many.
        """
        from pageloom.edges.store.events import events_after

        return events_after(self._store, self.owner, after, limit=limit)

    def tokens(self) -> list[Token]:
        """The tokens of this user that are still good; never the secrets themselves."""
        from pageloom.edges.store.users import list_tokens

        return list_tokens(self._store, self.owner)

    def make_token(self, label: str = "", *, days: int | None = None) -> str:
        """Make a token for this user; the secret, which is never shown again.

        Args:
            label: what it is for.
            days: how long it is good; for ever when left out.
        """
        from pageloom.edges.store.times import later, now
        from pageloom.edges.store.users import make_token

        if days is not None and days <= 0:
            raise InvalidArgument("A token must be valid for at least one day.")
        ends = later(now(), days * 86_400) if days else ""
        return make_token(self._store, self.owner, label=label, expires_at=ends)

    def revoke_token(self, token_id: int) -> None:
        """Make a token of this user useless.

        Raises:
            NotInLibrary: this user has no such token.
        """
        from pageloom.edges.store.users import revoke_token

        if not revoke_token(self._store, self.owner, token_id):
            raise NotInLibrary(f"{self.owner[:80]} has no token {token_id}.", suggestions=())
