"""Extract a Document from content: the public functions, in this process or in the sandbox."""

from __future__ import annotations

import re
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from pageloom.core.options import DEFAULTS, Options, read_options
from pageloom.edges.memory import gc_paused, one_at_a_time
from pageloom.errors import PageloomError
from pageloom.flows.capture.pdf import is_pdf, pdf_to_html
from pageloom.flows.events import ExtractionRun, has_subscribers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.core.rules.book import RuleBook
    from pageloom.edges.rulefiles import SealedRules
    from pageloom.model import Document, RawPage, RequestSettings, SourceHint

    GivenOptions = Options | Mapping[str, Any] | None
    Rules = RuleBook | SealedRules | None | EllipsisType

_HALF_PAIRS = re.compile("[\ud800-\udfff]")


def extract(  # noqa: PLR0913  the names are the public API
    content: bytes | str,
    url: str | None = None,
    *,
    content_type: str | None = None,
    rules: Rules = ...,
    options: GivenOptions = DEFAULTS,
    timeout_ms: int | None = None,
    final_url: str | None = None,
    fetched_at: str | None = None,
    source: SourceHint | None = None,
    timings: dict[str, float] | None = None,
) -> Document:
    """Extract one Document from the content of a page.

    Args:
        content: the page as bytes (preferred: the encoding is then detected) or as text.
        url: the URL that was requested; relative links are resolved against it.
        content_type: the Content-Type header of the response.
        rules: a rule book; the shipped one when left out, none at all for None.
        options: an Options, or a mapping of some of its fields.
        timeout_ms: extract in a separate process that is killed after this time.
        final_url: the URL after redirects, if it differs.
        fetched_at: when it was fetched, as a UTC instant.
        source: what a source registry knows about the page.
        timings: a dict that receives the seconds each stage took.

    Returns:
        The Document; for a feed, that of the feed itself.

    Raises:
        PageloomError: the page cannot be extracted; see ``pageloom.errors``.
        TypeError: an argument has the wrong type.
    """
    hints = _hints(content_type, rules, final_url, fetched_at, source)
    call = _Call("extract", content, url, read_options(options), hints)
    return call.run(timeout_ms, timings)


def extract_all(  # noqa: PLR0913  the names are the public API
    content: bytes | str,
    url: str | None = None,
    *,
    content_type: str | None = None,
    rules: Rules = ...,
    options: GivenOptions = DEFAULTS,
    timeout_ms: int | None = None,
    final_url: str | None = None,
    fetched_at: str | None = None,
    source: SourceHint | None = None,
    timings: dict[str, float] | None = None,
) -> list[Document]:
    """One Document for each item of a feed or of a JSON list; otherwise a list of the one page.

    Takes the same arguments as ``extract``.
    """
    hints = _hints(content_type, rules, final_url, fetched_at, source)
    call = _Call("extract_all", content, url, read_options(options), hints)
    return list(call.run(timeout_ms, timings))


def _hints(
    content_type: str | None,
    rules: Rules,
    final_url: str | None,
    fetched_at: str | None,
    source: SourceHint | None,
) -> dict[str, Any]:
    given = {
        "content_type": _writable(content_type, "content_type"),
        "final_url": _writable(final_url, "final_url"),
        "fetched_at": _writable(fetched_at, "fetched_at"),
        "source": _checked_hint(source),
    }
    return given | {"rules": _rule_book(rules)}


def _rule_book(rules: Rules) -> RuleBook | SealedRules | None:
    """The rules to use: the shipped ones by default."""
    if not isinstance(rules, EllipsisType):
        return rules
    from pageloom.edges.rulefiles import SHIPPED_RULES

    return SHIPPED_RULES


def _writable(text: str | None, name: str) -> str | None:
    """The text without lone surrogates, which could not be encoded as UTF-8."""
    if text is not None and not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{name} must be a str or None, not {type(text).__name__}")
    return _HALF_PAIRS.sub("\ufffd", text) if text else text


def _checked_hint(source: SourceHint | None) -> SourceHint | None:
    if source is not None:
        from pageloom.model import SourceHint

        if not isinstance(source, SourceHint):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"source must be a SourceHint or None, not {type(source).__name__}")
    return source


def _checked_content(content: object) -> bytes | str:
    """Bytes or text; bytearrays and memoryviews are copied, so that they cannot change."""
    if isinstance(content, bytes | str):
        return content
    if isinstance(content, bytearray | memoryview):
        return bytes(content)  # pyright: ignore[reportUnknownArgumentType]
    raise TypeError(f"content must be bytes or str, not {type(content).__name__}")


class _Call:
    """One call of the pipeline: watched by subscribers, in this process or in the sandbox."""

    def __init__(
        self,
        function: str,
        content: bytes | str,
        url: str | None,
        options: Options,
        hints: dict[str, Any],
    ) -> None:
        self.function = function
        self.content = _checked_content(content)
        self.url = _writable(url, "url")
        self.given: dict[str, Any] = hints | {"options": options}

    def _decode(self) -> None:
        """Make HTML of a PDF; anything else is the pipeline's."""
        content = self.content
        if isinstance(content, str) and content.startswith("%PDF-") and content.isascii():
            content = content.encode()  # a few are nothing but text
        if isinstance(content, bytes) and is_pdf(content):
            self.content = pdf_to_html(content, self.url or "", self.given["options"])
            self.given["content_type"] = "application/pdf"

    def run(self, timeout_ms: int | None, timings: dict[str, float] | None) -> Any:
        if not has_subscribers():
            return self._run(timeout_ms, timings)
        reading = ExtractionRun(self.given["final_url"] or self.url or "", len(self.content))
        try:
            answer: Any = self._run(timeout_ms, reading.timings)
        except PageloomError as error:
            reading.failed(error)
            raise
        finally:
            if timings is not None:
                timings.update(reading.timings)
        documents: list[Document] = answer if self.function == "extract_all" else [answer]
        for document in documents:
            reading.done(document)
        return answer

    def _run(self, timeout_ms: int | None, timings: dict[str, float] | None) -> Any:
        self._decode()
        if timeout_ms is None:
            with gc_paused():
                return self._run_here(timings)
        from pageloom.edges.sandbox import SharedArgument, shared_sandbox

        given: dict[str, Any] = self.given | {"timings": timings}
        if book := given["rules"]:  # each rule book is sent to a child process only once
            given["rules"] = SharedArgument(book.key, book)
        sandbox = shared_sandbox()
        return sandbox.run(self.function, self.content, self.url, timeout_ms=timeout_ms, **given)

    def _run_here(self, timings: dict[str, float] | None) -> Any:
        from pageloom.core import pipeline
        from pageloom.edges.rulefiles import SealedRules

        given, run = self.given, getattr(pipeline, self.function)
        if isinstance(given["rules"], SealedRules):
            given = given | {"rules": given["rules"].open()}
        if timings is None and self.function == "extract":
            return run(self.content, self.url, defer=one_at_a_time, **given)
        if timings is None:
            return run(self.content, self.url, **given)
        from pageloom.edges.stopwatch import Stopwatch

        watch = Stopwatch()
        try:
            return run(self.content, self.url, observe=watch.mark, **given)
        finally:
            timings.update(watch.stop())


def plan_request(url: str, *, rules: Rules = ...) -> RequestSettings:
    """The request settings of the rules that match the URL, before the page is fetched."""
    book = _rule_book(rules)
    if book is None:
        from pageloom.model import RequestSettings

        return RequestSettings(url=url)
    return _ask_rules("plan_request", (url,), book, {})


def plan_further(page: RawPage, options: Options = DEFAULTS, *, rules: Rules) -> RequestSettings:
    """The request settings of the fetched page: its next page, whether it needs a browser."""
    book = _rule_book(rules)
    given = {"content_type": page.content_type, "options": options}
    return _ask_rules("plan_further", (page.body, page.final_url), book, given)


def _ask_rules(
    function: str, args: tuple[object, ...], rules: Any, given: dict[str, Any]
) -> RequestSettings:
    """Run in the sandbox: rule selectors on untrusted pages may take long."""
    from pageloom.edges.sandbox import SharedArgument, shared_sandbox

    kept: dict[str, Any] = given | {"rules": SharedArgument(rules.key, rules)}
    return shared_sandbox().run(function, *args, timeout_ms=DEFAULTS.parse_timeout_ms, **kept)


def read_page(
    page: RawPage,
    options: Options = DEFAULTS,
    *,
    rules: Rules = ...,
    source: SourceHint | None = None,
) -> Document:
    """Extract a fetched page in the sandbox, within the time limit of the options."""
    return extract(
        page.body,
        page.url,
        rules=rules,
        source=source,
        options=options,
        timeout_ms=options.parse_timeout_ms,
        content_type=page.content_type,
        final_url=page.final_url,
        fetched_at=page.fetched_at,
    )
