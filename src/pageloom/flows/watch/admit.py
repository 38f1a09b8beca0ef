"""Pages that are not the page: a login or a front page in its place is a failure, not a change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pageloom.core.normalize.urls import url_key
from pageloom.errors import FetchError, InvalidUrl

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from pageloom.model import Document, RawPage

_LOGIN_STEPS = frozenset(
    "login log-in log_in logon signin sign-in sign_in sso saml oauth oauth2 authorize authenticate"
    " auth idp cas adfs anmelden anmeldung einloggen connexion identification acceso accedi"
    " inloggen logowanie kirjaudu giris".split()
)
_LOGIN_HOSTS = frozenset("login signin sso auth accounts account idp id passport adfs".split())
_FRONT = re.compile(r"/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?(?:index\.[a-z]{3,5})?", re.IGNORECASE)
_PASSWORD = re.compile(rb"<input[^>]{0,300}type\s{0,3}=\s{0,3}[\"']?password", re.IGNORECASE)
_HEAD = 400_000
_FEW_WORDS = 150


def refuse_other_page(page: RawPage, document: Document, words_before: int | None) -> None:
    """Refuse a login, or a front page, that came in the place of the page.

    Args:
        page: what was answered.
        document: what it became.
        words_before: how long the page was when it was last seen; None for one never seen.

    Raises:
        FetchError: of kind ``challenge`` for a login, ``status`` for a front page.
    """
    asked, got = urlsplit(page.url), urlsplit(page.final_url or page.url)
    moved = not _is_same(page.url, page.final_url)
    if moved and _is_login(got) and not _is_login(asked):
        raise _login(page)
    if _PASSWORD.search(page.body[:_HEAD]) and _is_far_shorter(document, words_before):
        raise _login(page)
    if moved and words_before is not None and _is_front(got) and not _is_front(asked):
        raise FetchError(
            "The address leads to the site's front page instead of the page.",
            kind="status",
            url=page.final_url,
            suggestions=("Look whether the page has moved.",),
            status=404,
            answered=page.status,
        )


def _is_same(one: str, other: str) -> bool:
    try:
        return not other or url_key(one) == url_key(other)
    except InvalidUrl:
        return one == other


def _is_login(address: SplitResult) -> bool:
    steps = {step.lower().partition(".")[0] for step in address.path.split("/") if step}
    host = (address.hostname or "").partition(".")[0]
    return bool(steps & _LOGIN_STEPS) or host in _LOGIN_HOSTS


def _is_front(address: SplitResult) -> bool:
    return bool(_FRONT.fullmatch(address.path)) and not address.query


def _is_far_shorter(document: Document, words_before: int | None) -> bool:
    if words_before is None:
        return False
    return document.word_count < _FEW_WORDS and document.word_count * 2 < words_before


def _login(page: RawPage) -> FetchError:
    return FetchError(
        "The site asks for a login instead of showing the page.",
        kind="challenge",
        url=page.final_url,
        suggestions=("Give the site's session cookie in a rule (request.cookies).",),
        status=page.status,
    )
