"""Ways of fetching a page, tried in turn: HTTP, a Markdown variant, the browser.

The better result is used, and every decision is recorded.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pageloom.edges.fetch.alternates import markdown_variant
from pageloom.edges.fetch.challenges import WORTH_A_BROWSER, judge_answer, judge_content
from pageloom.edges.fetch.http import require_ok
from pageloom.errors import (
    EmptyContent,
    FetchError,
    LowQuality,
    MissingExtra,
    NoContentFound,
    PageloomError,
    RenderError,
)
from pageloom.flows.capture.extract import read_page

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.fetch.request import FetchRequest, Rendering
    from pageloom.flows.capture.extract import Rules
    from pageloom.model import Document, RawPage, RequestSettings, SourceHint
    from pageloom.model.capture import RenderMode

OnDecision = Callable[[str], None]

_FEW_WORDS = 50
_THIN = 0.01
_LEAST_MARKUP = 2_000
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
# Without any of these a page is the same in a browser.
_LIVELY = (b"<iframe", b"<frame", b'http-equiv="refresh', b"http-equiv=refresh")
_SCRIPT = re.compile(rb"<script\b([^>]*)")
_TYPE = re.compile(rb"""(?:^|[\s"'/])type\s*=\s*["']?\s*([^"'\s>;]*)""")
_RUN = frozenset((b"", b"module", b"text/babel", b"text/jsx"))
"""What browsers run, and what scripts compile; all other types are data for somebody."""
_SCREEN = 4_000_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one way of fetching the page."""

    page: RawPage
    document: Document | None = None
    trouble: PageloomError | None = None
    screenshot: bytes = b""
    pdf: bytes = b""
    mhtml: str = ""

    @property
    def words(self) -> int:
        """The number of words; -1 without a Document, less than an empty page."""
        return self.document.word_count if self.document and not self.trouble else -1


@dataclass(slots=True)
class FetchPlan:
    """Everything that the steps of one acquisition share."""

    request: FetchRequest
    fetcher: Fetcher
    rules: Rules
    options: Options
    mode: RenderMode
    rendering: Rendering
    source: SourceHint | None
    on_decision: OnDecision | None
    plan: RequestSettings | None = None
    """The request settings of the rules that match the URL, if any."""
    decisions: list[str] = field(default_factory=list[str])

    def decide(self, what: str) -> None:
        """Record a decision and pass it to ``on_decision``."""
        self.decisions.append(what)
        if self.on_decision:
            self.on_decision(what)


async def get_page(ask: FetchPlan) -> Attempt:
    """Fetch the page in the allowed ways, each only if it is needed."""
    if ask.mode == "force":
        shown = await _force(ask)
        if shown is not None:
            return shown
    plain = await over_http(ask, ask.request)
    if plain.page.not_modified:
        return plain
    if _is_poor(plain):
        plain = await _try_markdown(ask, plain)
    if ask.mode != "auto":
        return plain
    why = _why_render(plain) or _why_picture(ask.rendering)
    return await escalate(ask, plain, why) if why else plain


async def _force(ask: FetchPlan) -> Attempt | None:
    """Fetch the page in the browser; None if it is a file, which browsers do not show."""
    ask.decide("browser: requested")
    try:
        return await in_browser(ask)
    except RenderError as error:
        if error.retryable:
            raise
        ask.decide(f"HTTP: {error.message}")
        return None


async def over_http(ask: FetchPlan, request: FetchRequest) -> Attempt:
    """Fetch and extract a page without a browser."""
    page = await ask.fetcher.get(request)
    if page.not_modified:
        return Attempt(page)
    trouble = judge_answer(page) or _bad_status(page)
    if trouble is not None:
        return Attempt(page, trouble=trouble)
    return await read(ask, page)


def _bad_status(page: RawPage) -> FetchError | None:
    try:
        require_ok(page)
    except FetchError as error:
        return error
    return None


async def read(ask: FetchPlan, page: RawPage) -> Attempt:
    """Extract in the sandbox, without blocking the event loop."""
    document, error = await _extract(ask, page, ask.options)
    trouble = _judge(page, document)
    if trouble and ask.options.scope:  # that a part of a page is short says nothing about the page
        whole, _ = await _extract(ask, page, replace(ask.options, scope=(), ignore=()))
        trouble = _judge(page, whole)
    return Attempt(page, document, trouble or error)


async def _extract(
    ask: FetchPlan, page: RawPage, options: Options
) -> tuple[Document | None, PageloomError | None]:
    """The Document, or why there is none on a page that can be read."""
    try:
        document = await asyncio.to_thread(
            read_page, page, options, rules=ask.rules, source=ask.source
        )
    except (EmptyContent, NoContentFound, LowQuality) as error:
        return None, error
    return document, None


def _judge(page: RawPage, document: Document | None) -> FetchError | None:
    if document is None:
        return judge_content(page, title="", words=0)
    opening = document.text[:200].partition("\n")[0]
    return judge_content(page, title=document.title, words=document.word_count, opening=opening)


async def _try_markdown(ask: FetchPlan, plain: Attempt) -> Attempt:
    place = markdown_variant(plain.page)
    if not place:
        return plain
    try:
        target = ask.fetcher.client.guard.check(place, plain.page.final_url)
        other = await over_http(ask, replace(ask.request, url=target.url, etag=""))
    except PageloomError as error:
        ask.decide(f"Markdown variant: not used ({error.code})")
        return plain
    if other.words <= plain.words:
        ask.decide("Markdown variant: not better")
        return plain
    ask.decide("Markdown variant: used, the page itself has little text")
    return replace(other, page=replace(other.page, url=ask.request.url))


async def escalate(ask: FetchPlan, plain: Attempt, why: str) -> Attempt:
    """Try the browser, once; if it fails, the HTTP result is used."""
    ask.decide(f"browser: {why}")
    try:
        shown = await in_browser(ask)
    except (RenderError, MissingExtra, FetchError) as error:
        ask.decide(f"used: HTTP, the browser failed ({error.code}: {error.message})")
        return replace(plain, trouble=_with_advice(plain.trouble, error))
    if shown.words > plain.words:
        ask.decide(f"used: browser ({_describe(shown)} against {_describe(plain)})")
        return shown
    ask.decide(f"used: HTTP ({_describe(plain)} against {_describe(shown)})")
    return replace(plain, screenshot=shown.screenshot, pdf=shown.pdf, mhtml=shown.mhtml)


async def in_browser(ask: FetchPlan) -> Attempt:
    """Render and extract a page in the browser."""
    shown = await ask.fetcher.render(ask.request, ask.rendering)
    trouble = judge_answer(shown.page) or _bad_status(shown.page)
    if trouble is not None:
        attempt = Attempt(shown.page, trouble=trouble)
    else:
        attempt = await read(ask, shown.page)
    return replace(attempt, screenshot=shown.screenshot, pdf=shown.pdf, mhtml=shown.mhtml)


def _why_render(plain: Attempt) -> str:
    """Why the browser would see more than HTTP did; empty when nothing suggests it."""
    trouble = plain.trouble
    if isinstance(trouble, FetchError):
        turned_away = trouble.kind == "challenge" or plain.page.status in WORTH_A_BROWSER
        return f"HTTP was blocked (status {plain.page.status})" if turned_away else ""
    if not _may_change(plain):
        return ""
    if plain.document is None or trouble is not None:
        return "HTTP returned no text"
    if plain.document.word_count < _FEW_WORDS:
        return f"HTTP returned only {plain.document.word_count} words"
    if _is_thin(plain):
        return "the text is less than 1% of the markup"
    return ""


def _is_poor(plain: Attempt) -> bool:
    if plain.trouble is not None:
        return not isinstance(plain.trouble, FetchError)
    return plain.words < _FEW_WORDS


def _is_thin(plain: Attempt) -> bool:
    size = len(plain.page.body)
    text = plain.document.text if plain.document else ""
    return size >= _LEAST_MARKUP and len(text.encode()) < size * _THIN


def _may_change(plain: Attempt) -> bool:
    """Whether the page has anything (such as scripts) that could change it in a browser."""
    if plain.document and plain.document.provenance.media_type not in _PAGES:
        return False
    head = plain.page.body[:_SCREEN].lower()
    return any(sign in head for sign in _LIVELY) or any(map(_is_run, _SCRIPT.findall(head)))


def _is_run(attributes: bytes) -> bool:
    """Whether a browser runs such a script element, so that it is no block of data (JSON-LD)."""
    kind = _TYPE.search(attributes)
    return kind is None or kind[1] in _RUN or b"javascript" in kind[1] or b"ecmascript" in kind[1]


def _why_picture(rendering: Rendering) -> str:
    wanted = rendering.screenshot or rendering.pdf or rendering.snapshot
    return "a screenshot, PDF or snapshot was requested" if wanted else ""


def _describe(attempt: Attempt) -> str:
    if attempt.trouble is not None:
        return attempt.trouble.code
    return f"{attempt.words} words"


def _with_advice(trouble: PageloomError | None, error: PageloomError) -> PageloomError | None:
    """Advice to install a browser, for a page that one might have shown."""
    if trouble is not None and isinstance(error, MissingExtra):
        trouble.suggestions = (*trouble.suggestions, *error.suggestions)
    return trouble
