"""Who asks, and whether they may: sessions, tokens, a proxy's word."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from fastapi import Request

from pageloom.apps.web.errors import Forbidden, SignInNeeded, TooManyRequests
from pageloom.errors import PageloomError, SettingsError
from pageloom.model.library import ROLE_SCOPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.apps.web.server_state import Site
    from pageloom.library import Library
    from pageloom.model.library import Scope, Session, Token, User

COOKIE = "pageloom"


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Somebody who is known."""

    owner: str
    scopes: frozenset[str]
    via: Literal["session", "token", "proxy", "none"]
    session: Session | None = None
    token: Token | None = None


@dataclass(slots=True)
class Ask:
    """A request of somebody who may make it."""

    request: Request
    site: Site
    who: Who
    library: Library
    """Theirs; it does not wait long for other writers."""
    _user: User | None = None

    @property
    def user(self) -> User:
        """Their role and preferences."""
        if self._user is None:
            self._user = self.library.user()
        return self._user

    def picture(self, url: str) -> str:
        """Where a picture of one of their pages is shown."""
        return self.site.picture(self.who.owner, url)


def cookie_name(site: Site) -> str:
    """The name of the session's cookie; over TLS one that only this host can set."""
    own_path = site.origin.is_secure and not site.origin.prefix
    return f"__Host-{COOKIE}" if own_path else COOKIE


@cache
def needs(scope: Scope) -> Callable[[Request], Ask]:
    """A dependency: the request of somebody who may do what the scope says."""

    def ask(request: Request) -> Ask:
        site: Site = request.app.state.site
        with site.library.reading():
            who = identify(site, request)
        if who is None:
            raise SignInNeeded("You are not signed in.")
        if scope not in who.scopes:
            raise Forbidden(
                f"This needs the scope {scope}.",
                suggestions=(f"Use a token with the scope {scope}.",)
                if who.token
                else ("Ask an admin for another role.",),
            )
        request.state.who = who
        return Ask(request, site, who, site.library.for_requests(who.owner))

    return ask


def guess(site: Site, request: Request) -> Ask | None:
    """Whoever has a session, for the page of an error; None for others, and where that fails."""
    with suppress(PageloomError):
        who = _by_session(site, request) or _by_proxy(site, request) or _by_no_one(site)
        if who is not None:
            ask = Ask(request, site, who, site.library.for_requests(who.owner))
            _ = ask.user
            return ask
    return None


def identify(site: Site, request: Request) -> Who | None:
    """Who asks, by the first way that applies; None for a stranger.

    Whoever sends an Authorization header is known by it or not at all.
    """
    stated = request.headers.get("authorization")
    if stated is not None:
        return _by_token(site, stated)
    return _by_session(site, request) or _by_proxy(site, request) or _by_no_one(site)


def _by_token(site: Site, stated: str) -> Who | None:
    scheme, _, secret = stated.partition(" ")
    is_token = scheme.lower() in ("bearer", "token")  # linkding's clients say the latter
    found = site.library.find_token(secret.strip()) if is_token else None
    if found is None:
        return None
    scopes = frozenset(found.scopes) & _scopes_of(site, found.owner)
    count_request(site, found)
    return Who(owner=found.owner, scopes=scopes, via="token", token=found)


def _by_session(site: Site, request: Request) -> Who | None:
    secret = request.cookies.get(cookie_name(site))
    found = site.library.find_session(secret) if secret else None
    if found is None:
        return None
    scopes = _scopes_of(site, found.owner)
    return Who(owner=found.owner, scopes=scopes, via="session", session=found)


def _by_proxy(site: Site, request: Request) -> Who | None:
    if "proxy" not in site.options.auth or request.client is None:
        return None
    name = request.headers.get(site.options.proxy_header, "").strip()
    if not name or not site.is_trusted_proxy(request.client.host):
        return None
    try:
        site.library.for_user(name)
    except SettingsError:
        return None
    return Who(owner=name, scopes=_scopes_of(site, name), via="proxy")


def _by_no_one(site: Site) -> Who | None:
    if "none" not in site.options.auth:
        return None
    owner = site.library.owner
    return Who(owner=owner, scopes=_scopes_of(site, owner), via="none")


def _scopes_of(site: Site, owner: str) -> frozenset[str]:
    user = site.library.find_user(owner)
    return frozenset(ROLE_SCOPES[user.role if user else "member"])


def count_request(site: Site, token: Token) -> None:
    """Count a request of a token.

    Raises:
        TooManyRequests: it has used up this minute.
    """
    limit = site.options.rate_limit
    if limit:
        count_use(site, str(token.id), limit, f"This token may ask {limit} times a minute.")


def count_use(site: Site, key: str, limit: int, message: str) -> None:
    """Count a use of something that may be used so many times a minute.

    Raises:
        TooManyRequests: this minute is used up.
    """
    minute = int(time.time() // 60)
    known, used = site.used.get(key, (minute, 0))
    used = used + 1 if known == minute else 1
    site.used[key] = (minute, used)
    if used > limit:
        left = 60 - int(time.time() % 60)
        raise TooManyRequests(message, suggestions=(f"Wait {left} seconds.",), seconds=left)


def rate_headers(site: Site, who: Who) -> dict[str, str]:
    """How many requests a token has left in this minute."""
    limit = site.options.rate_limit
    if not limit or who.token is None:
        return {}
    _, used = site.used.get(str(who.token.id), (0, 0))
    left, resets = max(0, limit - used), 60 - int(time.time() % 60)
    return {
        "RateLimit-Policy": f'"token";q={limit};w=60',
        "RateLimit": f'"token";r={left};t={resets}',
    }
