"""All errors of Pageloom. Every one of them is a PageloomError.

PageloomError
├── InvalidUrl              not an http(s) URL
├── FetchError              the page could not be fetched; .kind says why (see FETCH_KINDS)
├── RenderError             the browser could not render the page
├── ContentError            the response is not something Pageloom can read
│   ├── EmptyContent            no content, or only white space
│   ├── OversizedContent        larger than the limit
│   ├── UnsupportedContent      an image or another binary file, a PDF without text
│   ├── DamagedInput            an archive that cannot be read from here on
│   └── EncodingError           the text's encoding cannot be determined
├── ExtractionError         the content was read, but no Document could be extracted
│   ├── ParseError              the HTML could not be parsed
│   ├── ParseTimeout            extraction took longer than the time limit
│   ├── NoContentFound          no visible text at all
│   ├── NotAnArticle            a home page, a listing, an error page (news view only)
│   └── LowQuality              the quality score is below the minimum (strict mode only)
├── RuleError               a site rule that cannot be used
├── SettingsError           a setting with a wrong name or value
├── MissingExtra            an optional part of Pageloom is not installed
├── StorageError            the library could not be read or written
├── NotInLibrary            the page, version or other item is not in the library
├── InvalidQuery            a search without any words
├── InvalidArgument         an argument with an invalid value
├── BrokerError             RabbitMQ cannot be reached, or the connection was lost
├── NotifyError             a notification target rejected a message
├── InvalidSignature        a webhook that was not signed with the shared secret, or is too old
└── InternalError           a bug in Pageloom
"""

from __future__ import annotations

import errno
import re
from typing import ClassVar, Self

from pageloom.redaction import redact

Figure = int | float | str

FETCH_KINDS = (
    "dns",
    "refused",
    "timeout",
    "tls",
    "status",
    "too_many_redirects",
    "blocked_address",
    "blocked_by_robots",
    "challenge",
    "too_large",
    "protocol",
)


_BARE_HOST = re.compile(
    r"(?:(?:[\w-]{1,63}\.){1,10}[\w-]{1,63}|[\w-]{1,63}(?=:\d)|localhost|\[[\da-fA-F:.]+\])"
    r"(?::(\d{1,5}))?(?:[/?#].*)?",
    re.DOTALL,
)
_TLS_PORTS = (None, "443", "8443")


def with_scheme(text: str) -> str:
    """A host, perhaps with port and path, as the URL that was probably meant; else empty."""
    found = _BARE_HOST.fullmatch(text.strip()[:500])
    if not found:
        return ""
    scheme = "https" if found[1] in _TLS_PORTS and "localhost" not in found[0][:9] else "http"
    return f"{scheme}://{found[0]}"


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (FileNotFoundError, "there is no such file or directory"),
    (IsADirectoryError, "it is a directory"),
    (NotADirectoryError, "part of its path is not a directory"),
    (PermissionError, "permission denied"),
    (FileExistsError, "it exists already"),
    (UnicodeDecodeError, "it is not UTF-8 text"),
)


def why_not(error: OSError | UnicodeDecodeError) -> str:
    """Why a file could not be read or written, as a phrase for messages."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return "the disk is full"
    return next(
        (why for kind, why in _REASONS if isinstance(error, kind)), "the disk reported an error"
    )


class PageloomError(Exception):
    """An error with a message for people, a code for programs, and suggestions.

    Args:
        message: one plain sentence; never a stack trace or a memory address.
        suggestions: what the user can do; the class's own advice when left out.
        retryable: whether the same call may succeed later; the class's own value when left out.
        stage: the step of processing a page that failed, such as ``decode``.
        url: the page's URL, if known.
        figures: the numbers behind the message, such as ``size`` and ``maximum``.
    """

    retryable: bool = False
    advice: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        message: str,
        *,
        suggestions: tuple[str, ...] | None = None,
        retryable: bool | None = None,
        stage: str = "",
        url: str = "",
        **figures: Figure,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestions = self.advice if suggestions is None else suggestions
        if retryable is not None:
            self.retryable = retryable
        self.stage = stage
        self.url = redact(url)
        self.figures = figures

    @property
    def code(self) -> str:
        """The stable name that programs compare with."""
        return type(self).__name__

    def to_dict(self) -> dict[str, object]:
        """The error as a dict, as in every JSON output."""
        answer: dict[str, object] = {
            "type": type(self).__name__,
            "code": self.code,
            "message": self.message,
            "suggestions": list(self.suggestions),
            "retryable": self.retryable,
        }
        if self.stage:
            answer["stage"] = self.stage
        if self.url:
            answer["url"] = self.url
        if self.figures:
            answer["figures"] = dict(self.figures)
        return answer

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Keep all fields when the error is pickled to another process."""
        return _rebuild, (type(self), self.__dict__ | {"message": self.message})


def _rebuild(kind: type[PageloomError], state: dict[str, object]) -> PageloomError:
    error = kind.__new__(kind)
    Exception.__init__(error, state["message"])
    error.__dict__.update(state)
    return error


class InvalidUrl(PageloomError):
    """Not an http(s) URL."""

    advice = ("Give a full URL such as https://example.com/page.",)

    @classmethod
    def of(cls, url: str, message: str, *, stage: str = "") -> Self:
        """The error for a text that is no URL; says so where only ``https://`` is missing."""
        meant = with_scheme(url)
        if not meant:
            return cls(message, stage=stage)
        return cls(
            "The URL does not begin with http:// or https://.",
            suggestions=(f"For a web page, write {meant}",),
            stage=stage,
        )


class FetchError(PageloomError):
    """The page could not be fetched; ``kind`` (one of FETCH_KINDS) says why."""

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        suggestions: tuple[str, ...] | None = None,
        retryable: bool | None = None,
        stage: str = "fetch",
        url: str = "",
        **figures: Figure,
    ) -> None:
        if kind not in FETCH_KINDS:
            raise ValueError(f"unknown FetchError kind: {kind!r}")
        super().__init__(
            message,
            suggestions=suggestions,
            retryable=retryable,
            stage=stage,
            url=url,
            **figures,
        )
        self.kind = kind

    @property
    def code(self) -> str:
        """``FetchError.`` and the kind."""
        return f"FetchError.{self.kind}"


class RenderError(PageloomError):
    """The browser could not render the page."""

    retryable = True


class ContentError(PageloomError):
    """The response is not something Pageloom can read."""


class EmptyContent(ContentError):
    """There is no content, or only white space."""

    advice = ("Check that the server returns a page and not an empty response.",)


class OversizedContent(ContentError):
    """The content is larger than the limit."""

    advice = ("Raise extraction.max_content_length if you trust this page.",)


class UnsupportedContent(ContentError):
    """The content is an image, another binary file, or a PDF without text."""

    advice = ("Pageloom reads HTML, XML, feeds, JSON, Markdown and plain text.",)


class DamagedInput(ContentError):
    """An archive is damaged here."""

    advice = ("Download the archive again, or continue without the damaged records.",)


class EncodingError(ContentError):
    """The text's encoding cannot be determined."""

    advice = ("Decode the content yourself and pass it as text.",)


class ExtractionError(PageloomError):
    """The content was read, but no Document could be extracted."""


class ParseError(ExtractionError):
    """The HTML could not be parsed."""

    retryable = True


class ParseTimeout(ExtractionError):
    """Extraction took longer than the time limit."""

    advice = ("Raise parse_timeout_ms, or pass a smaller page.",)


class NoContentFound(ExtractionError):
    """The page has no visible text."""

    advice = ("If the page needs JavaScript, fetch it with a browser (--render force).",)


class NotAnArticle(ExtractionError):
    """A home page, a listing or an error page where an article was asked for."""


class LowQuality(ExtractionError):
    """The quality score is below the minimum."""

    advice = ("Lower min_quality_score, or turn off strict mode.",)


class RuleError(PageloomError):
    """A site rule that cannot be used."""


class SettingsError(PageloomError):
    """A setting with a wrong name or value."""


class MissingExtra(PageloomError):
    """An optional part of Pageloom is not installed."""


class StorageError(PageloomError):
    """The library could not be read or written."""

    retryable = True


class NotInLibrary(PageloomError):
    """The page, version or other item is not in the library."""

    advice = ("List the pages in the library with pageloom list.",)


class InvalidQuery(PageloomError):
    """A search without any words."""

    advice = ('Give at least one word: swifts "harbour crane" -scrap bird*',)


class InvalidArgument(PageloomError):
    """An argument with an invalid value, or arguments that contradict each other."""


class NotifyError(PageloomError):
    """A notification target rejected a message."""


class InvalidSignature(PageloomError):
    """A webhook that was not signed with the shared secret, or is too old."""

    advice = (
        "Compare the secret with the sender's notify.webhook_secret.",
        "Pass the raw bytes of the request body, before anything decodes them.",
    )


class BrokerError(PageloomError):
    """RabbitMQ cannot be reached, or the connection was lost."""

    retryable = True


class InternalError(PageloomError):
    """A bug in Pageloom."""

    advice = ("This is a bug in Pageloom: please report it with the page that caused it.",)
