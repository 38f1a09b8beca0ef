"""Recognises responses that are not the page: challenges, consent walls, error pages, soft 404s."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pageloom.errors import FetchError

if TYPE_CHECKING:
    from pageloom.model import RawPage

WORTH_A_BROWSER = frozenset({401, 403, 429, 503})
"""Statuses that an HTTP client may get where a browser gets the page."""

_HEAD = 300_000
_FEW_WORDS = 150
_SOME_WORDS = 350

_CHALLENGE_HEADERS = (
    ("cf-mitigated", "challenge"),
    ("x-amzn-waf-action", ""),
    ("x-vercel-mitigated", "challenge"),
)
# Only where there is little else on the page: articles write about these things too, and
# comment forms have captchas.
_CHALLENGE_MARKERS = (
    b"/cdn-cgi/challenge-platform/",
    b"__cf_chl_",
    b"cf-browser-verification",
    b"captcha-delivery.com",
    b"px-captcha",
    b"_incapsula_resource",
    b"awswafintegration",
    b"challenges.cloudflare.com/turnstile",
    b"ddos-guard/js-challenge",
    b"sucuri_cloudproxy_js",
    b"/.within.website/x/cmd/anubis",
    b"kpsdk",
    b"geetest_",
    b"hcaptcha.com/1/api.js",
    b"recaptcha/api.js",
    b"recaptcha/enterprise.js",
)
_CHALLENGE_TITLES = frozenset(
    (
        "just a moment",
        "attention required!",
        "access denied",
        "please wait",
        "one moment, please",
        "checking your browser",
        "security check",
        "security checkpoint",
        "vercel security checkpoint",
        "are you a robot?",
        "are you human?",
        "robot check",
        "robot or human?",
        "human verification",
        "verify you are human",
        "verifying you are human",
        "please verify you are a human",
        "making sure you're not a bot!",
        "ddos-guard",
        "pardon our interruption",
        "request rejected",
        "unusual traffic",
        "captcha",
    )
)
_CONSENT_TITLES = frozenset(
    (
        "before you continue",
        "bevor sie fortfahren",
        "avant de continuer",
        "antes de continuar",
        "prima di continuare",
        "voordat je verdergaat",
        "cookie consent",
        "consent",
        "your privacy choices",
        "we value your privacy",
        "privacy settings",
        "datenschutzeinstellungen",
    )
)
_CONSENT_MARKERS = (b"consent", b"cookie")
_MISSING_TITLES = frozenset(
    (
        "404",
        "404 error",
        "404 not found",
        "404 page not found",
        "error 404",
        "not found",
        "page not found",
        "page not found 404",
        "page cannot be found",
        "the page cannot be found",
        "page does not exist",
        "page doesn't exist",
        "this page doesn't exist",
        "this page does not exist",
        "this page isn't available",
        "this page is not available",
        "page no longer available",
        "page unavailable",
        "nothing found",
        "sorry, page not found",
        "oops! page not found",
        "oops! that page can't be found",
        "seite nicht gefunden",
        "seite wurde nicht gefunden",
        "diese seite existiert nicht",
        "page introuvable",
        "page non trouvée",
        "página no encontrada",
        "pagina no encontrada",
        "página não encontrada",
        "pagina non trovata",
        "pagina niet gevonden",
        "strona nie została znaleziona",
        "nie znaleziono strony",
        "страница не найдена",
        "сторінку не знайдено",
        "sidan hittades inte",
        "siden blev ikke fundet",
        "sivua ei löytynyt",
        "sayfa bulunamadı",
        "stránka nenalezena",
        "ページが見つかりません",
        "页面不存在",
        "找不到页面",
        "페이지를 찾을 수 없습니다",
    )
)
_ERROR_TITLES = frozenset(
    (
        "500 internal server error",
        "internal server error",
        "502 bad gateway",
        "bad gateway",
        "503 service unavailable",
        "503 service temporarily unavailable",
        "service unavailable",
        "service temporarily unavailable",
        "504 gateway timeout",
        "504 gateway time-out",
        "gateway timeout",
        "403 forbidden",
        "forbidden",
        "401 unauthorized",
        "429 too many requests",
        "too many requests",
        "application error",
        "database error",
        "error establishing a database connection",
        "site under maintenance",
        "under maintenance",
        "down for maintenance",
        "scheduled maintenance",
        "an error occurred",
        "server error",
    )
)
_TITLE_PARTS = re.compile(r"\s+[|·•»–—-]\s+|\s*[|·•»—]\s*")
_TRIM = " \t\r\n.…!"


def judge_answer(page: RawPage) -> FetchError | None:
    """What is wrong with a response, by its status and headers alone; None when nothing is."""
    for name, value in _CHALLENGE_HEADERS:
        if value in page.headers.get(name, "\0").lower() and name in page.headers:
            return challenge(page)
    if page.status < 400:
        return None
    if page.status in WORTH_A_BROWSER and has_challenge_marker(page.body):
        return challenge(page)
    return None


def judge_content(page: RawPage, *, title: str, words: int, opening: str = "") -> FetchError | None:
    """What a page is instead of content, by its title, markers and length; None for content.

    Args:
        page: the response.
        title: the title that was found, as printed.
        words: the length of the text that was found.
        opening: the first line of the text: some sites keep their own name as title.
    """
    parts = _title_parts(title) | _title_parts(opening)
    if words < _FEW_WORDS and (parts & _CHALLENGE_TITLES or has_challenge_marker(page.body)):
        return challenge(page)
    if words < _SOME_WORDS and _is_consent(page, parts):
        return consent(page)
    if words < _SOME_WORDS and parts & _MISSING_TITLES:
        return _no_page(page, "The site says that this page does not exist.", 404, retryable=False)
    if words < _FEW_WORDS and parts & _ERROR_TITLES:
        return _no_page(page, "The site responded with an error page.", 500, retryable=True)
    return None


def has_challenge_marker(body: bytes) -> bool:
    """Whether the HTML has the markers of a bot challenge."""
    head = body[:_HEAD].lower()
    return any(marker in head for marker in _CHALLENGE_MARKERS)


def _title_parts(title: str) -> set[str]:
    whole = title[:300].replace("’", "'").lower().strip(_TRIM)
    parts = {part.strip(_TRIM) for part in _TITLE_PARTS.split(whole)}
    # "404: Not found", but not "Not found: the story of an error".
    number, colon, rest = whole.partition(":")
    if colon and number.strip() in ("404", "error 404", "error"):
        parts.add(rest.strip(_TRIM))
    # Some of the phrases end with a mark that trimming takes from all.
    return {spelt for part in (*parts, whole) for spelt in (part, f"{part}!")}


def _is_consent(page: RawPage, parts: set[str]) -> bool:
    host = urlsplit(page.final_url).hostname or ""
    asked = urlsplit(page.url).hostname or ""
    moved = host != asked and host.split(".")[0] in ("consent", "guce", "cmp", "privacywall")
    head = page.body[:_HEAD].lower()
    return moved or bool(parts & _CONSENT_TITLES and all(m in head for m in _CONSENT_MARKERS))


def challenge(page: RawPage) -> FetchError:
    """The error for a bot challenge."""
    return FetchError(
        "The site responded with a bot challenge (captcha) instead of the page.",
        kind="challenge",
        url=page.final_url,
        retryable=True,
        suggestions=("Open the page in your own browser, or try again later.",),
        status=page.status,
    )


def consent(page: RawPage) -> FetchError:
    """The error for a consent wall."""
    return FetchError(
        "The site responded with a consent wall instead of the page.",
        kind="challenge",
        url=page.final_url,
        suggestions=("Set the site's consent cookie in a rule (request.cookies).",),
        status=page.status,
    )


def _no_page(page: RawPage, message: str, status: int, *, retryable: bool) -> FetchError:
    return FetchError(
        message,
        kind="status",
        url=page.final_url,
        retryable=retryable,
        suggestions=("Open the URL in a browser to check it.",),
        status=status,
        answered=page.status,
    )
