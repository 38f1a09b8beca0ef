"""What the web refuses by itself, and the HTTP status of every error of Pageloom."""

from __future__ import annotations

from typing import Any

from pageloom import errors
from pageloom.errors import FetchError, PageloomError
from pageloom.redaction import redact, redact_value
from pageloom.views.advice import advice_of


class SignInNeeded(PageloomError):
    """Nobody is signed in, or the token is not valid."""

    advice = ("Sign in, or send a token: the header Authorization with Bearer and the token.",)


class Forbidden(PageloomError):
    """Signed in, but not allowed to do this."""


class CrossSite(Forbidden):
    """A request from another site that would change something."""

    advice = ("Open the page here and try again, or use a token.",)


class WrongHost(PageloomError):
    """Asked for under a host that is not ours."""

    advice = ("Add the host to web.hosts, or set web.url.",)


class NotFound(PageloomError):
    """There is nothing at this URL."""


class NotAllowed(PageloomError):
    """This URL has no such method."""


class TooManyRequests(PageloomError):
    """Too many requests in a short time; ``seconds`` says how long to wait."""

    retryable = True


class TooSlow(PageloomError):
    """A request whose body did not come in time."""

    retryable = True


class Superseded(PageloomError):
    """Somebody asked for the same again, with other settings, before it was there."""

    advice = ("Nothing needs to be done: the later request is being answered.",)


class Outdated(PageloomError):
    """What is to be changed has changed meanwhile (If-Match)."""

    advice = ("Read it again, then repeat the change.",)


class InvalidRequest(PageloomError):
    """A request whose body or parameters cannot be used; ``places`` says which."""

    def __init__(self, message: str, places: list[dict[str, str]] | None = None) -> None:
        super().__init__(message)
        self.places = places or []


STATUS: dict[type[PageloomError], int] = {
    SignInNeeded: 401,
    Forbidden: 403,
    CrossSite: 403,
    NotFound: 404,
    NotAllowed: 405,
    TooSlow: 408,
    Superseded: 409,
    Outdated: 412,
    WrongHost: 421,
    InvalidRequest: 422,
    TooManyRequests: 429,
    errors.InvalidUrl: 422,
    errors.RenderError: 502,
    errors.ContentError: 422,
    errors.EmptyContent: 422,
    errors.OversizedContent: 413,
    errors.UnsupportedContent: 415,
    errors.DamagedInput: 422,
    errors.EncodingError: 422,
    errors.ExtractionError: 422,
    errors.ParseError: 422,
    errors.ParseTimeout: 504,
    errors.NoContentFound: 422,
    errors.NotAnArticle: 422,
    errors.LowQuality: 422,
    errors.RuleError: 422,
    errors.SettingsError: 422,
    errors.MissingExtra: 501,
    errors.StorageError: 503,
    errors.NotInLibrary: 404,
    errors.InvalidQuery: 422,
    errors.InvalidArgument: 422,
    errors.NotifyError: 502,
    errors.InvalidSignature: 422,
    errors.BrokerError: 503,
    errors.InternalError: 500,
}
"""One row for each error; FetchError has one for each of its kinds."""
FETCH_STATUS = {
    "dns": 502,
    "refused": 502,
    "timeout": 504,
    "tls": 502,
    "status": 502,
    "too_many_redirects": 502,
    "blocked_address": 422,
    "blocked_by_robots": 422,
    "challenge": 502,
    "too_large": 413,
    "protocol": 502,
}


def error_from(data: dict[str, Any]) -> PageloomError:
    """The error that ``to_dict`` was called on."""
    kind, _, detail = str(data.get("code", "InternalError")).partition(".")
    facts: dict[str, Any] = {
        "suggestions": tuple(data.get("suggestions", ())),
        "retryable": data.get("retryable", False),
        "stage": data.get("stage", ""),
        "url": data.get("url", ""),
        **data.get("figures", {}),
    }
    if kind == "FetchError":
        return FetchError(data["message"], kind=detail, **facts)
    known = getattr(errors, kind, errors.InternalError)
    return known(data["message"], **facts)


def status_of(error: PageloomError) -> int:
    """The HTTP status that says what kind of error it is."""
    if isinstance(error, FetchError):
        return FETCH_STATUS[error.kind]
    return next(STATUS[each] for each in type(error).__mro__ if each in STATUS)


def problem_of(error: PageloomError, request_id: str) -> dict[str, Any]:
    """The error as a problem of RFC 9457."""
    status = status_of(error)
    answer: dict[str, Any] = {
        "type": "about:blank",
        "title": redact(error.message),
        "status": status,
        "code": error.code,
        "retryable": error.retryable,
        "suggestions": advice_of(error),
        "request_id": request_id,
    }
    if isinstance(error, InvalidRequest) and error.places:
        answer["errors"] = error.places
    if error.url:
        answer["url"] = error.url
    if error.figures:
        answer["figures"] = redact_value(dict(error.figures))
    return answer
