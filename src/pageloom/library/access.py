"""Who may use a library over the web: users, passwords, sessions, sign-in links, tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.library.base import LibraryPart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.model.library import Role, Session, Token, User

_DAY = 86_400
_LINK_SECONDS = 600


class Access(LibraryPart):
    """The methods of a Library that are about signing in."""

    def users(self) -> list[dict[str, Any]]:
        """All users of this database, with how many pages and tokens each has."""
        from pageloom.edges.store.users import user_figures

        return user_figures(self._store)

    def user(self) -> User:
        """This user: role, preferences, and whether there is a password."""
        from pageloom.edges.store.users import find_user
        from pageloom.model.library import User

        return find_user(self._store, self.owner) or User(name=self.owner)

    def find_user(self, name: str) -> User | None:
        """The user of that name, if there is one."""
        from pageloom.edges.store.users import find_user

        return find_user(self._store, name)

    def set_role(self, role: Role) -> None:
        """Make this user a reader, a member or an admin; their sessions end.

        Raises:
            InvalidArgument: a role that is not known.
        """
        from pageloom.edges.store.sessions import end_sessions
        from pageloom.edges.store.users import set_role
        from pageloom.model.library import ROLE_SCOPES

        if role not in ROLE_SCOPES:
            raise InvalidArgument(
                f"There is no role {role[:40]}.",
                suggestions=(f"Choose one of {', '.join(ROLE_SCOPES)}.",),
            )
        set_role(self._store, self.owner, role)
        end_sessions(self._store, self.owner)

    def set_preferences(self, **preferences: Any) -> None:
        """Remember how this user wants to see things; what is not named stays."""
        from pageloom.edges.store.users import set_preferences

        set_preferences(self._store, self.owner, self.user().preferences | preferences)

    def set_password(self, password: str) -> None:
        """Give this user a password; all their sessions end.

        Raises:
            InvalidArgument: it is too short.
        """
        from pageloom.flows.access.passwords import change_password

        change_password(self._store, self.owner, password)

    def is_password(self, name: str, password: str) -> bool:
        """Whether this is the password of that user."""
        from pageloom.flows.access.passwords import is_password

        return is_password(self._store, name, password)

    def has_passwords(self) -> bool:
        """Whether any user can sign in with a password."""
        from pageloom.edges.store.users import has_passwords

        return has_passwords(self._store)

    def make_link(self) -> str:
        """The secret of a link that signs this user in: once, within ten minutes."""
        from pageloom.edges.store.sessions import add_session

        return add_session(self._store, self.owner, kind="link", seconds=_LINK_SECONDS)

    def use_link(self, secret: str) -> str | None:
        """The user whom a link signs in, which is then used up; None when it is not valid."""
        from pageloom.edges.store.sessions import use_link

        return use_link(self._store, secret)

    def open_session(self, label: str = "") -> str:
        """Sign this user in: the secret of a new session."""
        from pageloom.edges.store.sessions import add_session

        days = self.settings.web.session_days
        return add_session(self._store, self.owner, label=label, seconds=days * _DAY)

    def find_session(self, secret: str) -> Session | None:
        """The session with this secret; None when it has ended."""
        from pageloom.edges.store.sessions import find_session

        return find_session(self._store, secret, seconds=self.settings.web.session_days * _DAY)

    def sessions(self) -> list[Session]:
        """The browsers in which this user is signed in, the last used first."""
        from pageloom.edges.store.sessions import list_sessions

        return list_sessions(self._store, self.owner)

    def end_session(self, session_id: int) -> None:
        """Sign this user out of one browser.

        Raises:
            NotInLibrary: this user has no such session.
        """
        from pageloom.edges.store.sessions import end_session

        if not end_session(self._store, self.owner, session_id):
            raise NotInLibrary(f"There is no session {session_id}.", suggestions=())

    def server_key(self, name: str) -> bytes:
        """A key of the server's own, the same for all servers of a library."""
        from pageloom.edges.store.sessions import server_key

        return server_key(self._store, name)

    def token_user(self, token: str) -> str | None:
        """The user whom a token belongs to; None when it is unknown, revoked or expired."""
        found = self.find_token(token)
        return found.owner if found else None

    def find_token(self, token: str) -> Token | None:
        """A token by its secret; None when it is unknown, revoked or expired."""
        from pageloom.edges.store.users import find_token

        return find_token(self._store, token)

    def tokens(self) -> list[Token]:
        """The tokens of this user that are still good; never the secrets themselves."""
        from pageloom.edges.store.users import list_tokens

        return list_tokens(self._store, self.owner)

    def make_token(
        self,
        label: str = "",
        *,
        days: int | None = None,
        scopes: Iterable[str] = ("read", "save", "write", "watch"),
        feed: str = "",
    ) -> str:
        """Make a token for this user; the secret, which is never shown again.

        Args:
            label: what it is for.
            days: how long it is good; for ever when left out.
            scopes: what it may do: ``read``, ``save``, ``write``, ``watch``, ``feed``,
                ``capture``, ``admin``.
            feed: the one feed that it opens; with the scope ``feed``.
        """
        from pageloom.edges.store.times import later, now
        from pageloom.edges.store.users import make_token
        from pageloom.model.library import SCOPES

        if days is not None and days <= 0:
            raise InvalidArgument("A token must be valid for at least one day.")
        wanted = tuple(dict.fromkeys(scopes))
        if not wanted or set(wanted) - set(SCOPES):
            raise InvalidArgument(
                "A token needs scopes that exist.",
                suggestions=(f"Choose from {', '.join(SCOPES)}.",),
            )
        ends = later(now(), days * _DAY) if days else ""
        return make_token(
            self._store, self.owner, label=label, expires_at=ends, scopes=wanted, feed=feed
        )

    def revoke_token(self, token_id: int) -> None:
        """Make a token of this user useless.

        Raises:
            NotInLibrary: this user has no such token.
        """
        from pageloom.edges.store.users import revoke_token

        if not revoke_token(self._store, self.owner, token_id):
            raise NotInLibrary(f"{self.owner[:80]} has no token {token_id}.", suggestions=())
