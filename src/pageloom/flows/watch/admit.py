"""Second step of a check: a login or a front page in the place of the page is never a change.

A page that is far poorer than the one that is stored is refused by ``judge``, which knows it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pageloom.core.normalize.urls import url_key
from pageloom.errors import FetchError, InvalidUrl

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from pageloom.model.capture import Capture
    from pageloom.model.library import VersionInfo

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


def admit(captured: Capture, known: VersionInfo | None) -> None:
    """Refuse a login page, or the site's front page, that came in the place of a watched page.

    Args:
        captured: what was fetched, with its original.
        known: the last version of the page; None for one that was never seen.

    Raises:
        FetchError: of kind ``challenge`` for a login, ``status`` for a front page.
    """
    asked, got = urlsplit(captured.url), urlsplit(captured.final_url)
    moved = not _is_same(captured.url, captured.final_url)
    if moved and _is_login(got) and not _is_login(asked):
        raise _login(captured)
    if _PASSWORD.search((captured.body or b"")[:_HEAD]) and _is_far_shorter(captured, known):
        raise _login(captured)
    if moved and known is not None and _is_front(got) and not _is_front(asked):
        raise FetchError(
            "The URL leads to the site's front page instead of the page.",
            kind="status",
            url=captured.final_url,
            suggestions=("Check whether the page has moved to another URL.",),
            status=404,
            answered=captured.status or 0,
        )


def _is_same(one: str, other: str) -> bool:
    try:
        return not other or url_key(one) == url_key(other)
    except InvalidUrl:
        return one == other


def _is_login(url: SplitResult) -> bool:
    steps = {step.lower().partition(".")[0] for step in url.path.split("/") if step}
    host = (url.hostname or "").partition(".")[0]
    return bool(steps & _LOGIN_STEPS) or host in _LOGIN_HOSTS


def _is_front(url: SplitResult) -> bool:
    return bool(_FRONT.fullmatch(url.path)) and not url.query


def _is_far_shorter(captured: Capture, known: VersionInfo | None) -> bool:
    words = captured.document.word_count
    return known is not None and words < _FEW_WORDS and words * 2 < known.word_count


def _login(captured: Capture) -> FetchError:
    return FetchError(
        "The site asks for a login instead of showing the page.",
        kind="challenge",
        url=captured.final_url,
        suggestions=("Give the site's session cookie in a rule (request.cookies).",),
        status=captured.status or 0,
    )
