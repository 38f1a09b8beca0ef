"""The errors a caller can meet. Every one of them is a PageloomError.

PageloomError
├── InvalidUrl              the address cannot be read as an http(s) URL
├── FetchError              the page could not be had; .kind says how (see FETCH_KINDS)
├── RenderError             the browser could not show the page
├── ContentError            what came back is not something we can read
│   ├── EmptyContent            nothing, or only white space
│   ├── OversizedContent        larger than the limit
│   ├── UnsupportedContent      a PDF, an image, a binary
│   └── EncodingError           bytes that no encoding explains
├── ExtractionError         readable, but no Document came of it
│   ├── ParseError              the markup could not be turned into a tree
│   ├── ParseTimeout            the time for one page ran out
│   ├── NoContentFound          no visible text at all
│   ├── NotAnArticle            a home page, a listing, an error page (news view only)
│   └── LowQuality              a result under the asked-for score (strict only)
├── RuleError               a site rule that cannot be used
├── SettingsError           a setting with a wrong name or value
├── MissingExtra            a part of Pageloom that is not installed
├── StorageError            the library could not be read or written
├── NotInLibrary            what was named is not in the library
├── InvalidQuery            a search that asks for nothing
├── InvalidArgument         a call that cannot be followed
├── BrokerError             RabbitMQ cannot be reached, or the line to it broke
├── NotifyError             a message that its target did not take
├── InvalidSignature        a webhook that was not signed with the shared secret, or is too old
└── InternalError           our fault
"""

from __future__ import annotations

from typing import ClassVar

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


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (FileNotFoundError, "there is no such file or directory"),
    (IsADirectoryError, "it is a directory"),
    (NotADirectoryError, "part of its path is not a directory"),
    (PermissionError, "permission denied"),
    (FileExistsError, "it exists already"),
    (UnicodeDecodeError, "it is not UTF-8 text"),
)


def why_not(error: OSError | UnicodeDecodeError) -> str:
    """Why a file could not be read or written, in words."""
    return next(
        (why for kind, why in _REASONS if isinstance(error, kind)), "the disk reported an error"
    )


class PageloomError(Exception):
    """Something a caller can act on: a message for people, a code for programs, and what to try.

    Args:
        message: one sentence a person understands; never a path, a trace or a memory address.
        suggestions: what to do about it; the class's own advice when left out.
        retryable: whether the same call may succeed later; the class's own answer when left out.
        stage: the step of the way of a page that failed, such as ``decode``.
        url: the page's address, where known.
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
        """The shape of ``error`` in every JSON answer."""
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
        """Keep every part of the error when it crosses a process border."""
        return _rebuild, (type(self), self.__dict__ | {"message": self.message})


def _rebuild(kind: type[PageloomError], state: dict[str, object]) -> PageloomError:
    error = kind.__new__(kind)
    Exception.__init__(error, state["message"])
    error.__dict__.update(state)
    return error


class InvalidUrl(PageloomError):
    """The address cannot be read as an http(s) URL."""

    advice = ("Give a full URL such as https://example.com/page.",)


class FetchError(PageloomError):
    """The page could not be had; ``kind`` (one of FETCH_KINDS) says how."""

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
            raise ValueError(f"unknown kind of FetchError: {kind!r}")
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
    """The browser could not show the page."""

    retryable = True


class ContentError(PageloomError):
    """What came back is not something we can read."""


class EmptyContent(ContentError):
    """Nothing, or only white space."""

    advice = ("Check that the server returns a page and not an empty response.",)


class OversizedContent(ContentError):
    """Larger than the limit."""

    advice = ("Raise max_content_length if you trust this page.",)


class UnsupportedContent(ContentError):
    """A PDF, an image, a binary."""

    advice = ("Pageloom reads HTML, XML, feeds, JSON, Markdown and plain text.",)


class EncodingError(ContentError):
    """Bytes that no encoding explains."""

    advice = ("Decode the content yourself and pass text.",)


class ExtractionError(PageloomError):
    """Readable, but no Document came of it."""


class ParseError(ExtractionError):
    """The markup could not be turned into a tree."""

    retryable = True


class ParseTimeout(ExtractionError):
    """The time for one page ran out."""

    advice = ("Raise parse_timeout_ms, or pass a smaller page.",)


class NoContentFound(ExtractionError):
    """No visible text at all."""

    advice = ("If the page needs JavaScript, fetch it with a browser (--render force).",)


class NotAnArticle(ExtractionError):
    """A home page, a listing or an error page where an article was asked for."""


class LowQuality(ExtractionError):
    """A result under the asked-for score."""

    advice = ("Lower min_quality_score, or turn off strict mode.",)


class RuleError(PageloomError):
    """A site rule that cannot be used."""


class SettingsError(PageloomError):
    """A setting with a wrong name or value."""


class MissingExtra(PageloomError):
    """A part of Pageloom that is not installed."""


class StorageError(PageloomError):
    """The library could not be read or written."""

    retryable = True


class NotInLibrary(PageloomError):
    """What was named is not in the library."""

    advice = ("List the pages in the library with pageloom list.",)


class InvalidQuery(PageloomError):
    """A search that asks for nothing."""

    advice = ('Give at least one word: swifts "harbour crane" -scrap bird*',)


class InvalidArgument(PageloomError):
    """A call that cannot be followed: a wrong value, or values that contradict each other."""


class NotifyError(PageloomError):
    """A message that its target did not take."""


class InvalidSignature(PageloomError):
    """A webhook that was not signed with the shared secret, or is too old."""

    advice = (
        "Compare the secret with the sender's notify.webhook_secret.",
        "Verify the bytes of the body as they came, before anything reads them.",
    )


class BrokerError(PageloomError):
    """RabbitMQ cannot be reached, or the line to it broke."""

    retryable = True


class InternalError(PageloomError):
    """Our fault."""

    advice = ("This is a bug in Pageloom: please report it with the page that caused it.",)
