"""An address becomes a page and its Document: over HTTP, and in the browser where that is needed.

1. HTTP. Noscript and preloaded state cost nothing: the engine looks there by itself.
2. Where the result is poor: a Markdown variant that the page offers.
3. Where it is still poor, or the site turned a program away: the browser, once.
4. Of the results the better one is kept. A challenge, a consent wall, an error page or a soft 404
   is a failed fetch, never content.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pageloom.core.options import DEFAULTS, Options
from pageloom.edges.fetch.alternates import markdown_variant
from pageloom.edges.fetch.http import require_ok
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.edges.fetch.verdict import WORTH_A_BROWSER, judge_answer, judge_content
from pageloom.errors import (
    EmptyContent,
    FetchError,
    LowQuality,
    MissingExtra,
    NoContentFound,
    PageloomError,
    RenderError,
)
from pageloom.flows.reading import read_page

if TYPE_CHECKING:
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.flows.reading import Rules
    from pageloom.model import Document, Hop, RawPage, SourceHint

RenderMode = Literal["auto", "force", "never"]
Tell = Callable[[str], None]

_FEW_WORDS = 50
_THIN = 0.01
_LEAST_MARKUP = 2_000
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
# Without any of these a page is the same in a browser.
_LIVELY = (b"<script", b"<iframe", b"<frame", b'http-equiv="refresh', b"http-equiv=refresh")
_SCREEN = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquired:
    """A page as it was had, and what became of it."""

    page: RawPage
    document: Document | None
    """None when the page is ``not_modified``."""
    decisions: tuple[str, ...] = ()
    used_browser: bool = False
    screenshot: bytes = b""
    """PNG, if asked for."""
    pdf: bytes = b""

    @property
    def not_modified(self) -> bool:
        """Whether the server says that nothing changed since the given validators."""
        return self.page.not_modified

    @property
    def timings(self) -> dict[str, float]:
        """Seconds, by step."""
        return self.page.timings

    @property
    def hops(self) -> tuple[Hop, ...]:
        """The redirects on the way."""
        return self.page.hops


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What came of one way of getting the page."""

    page: RawPage
    document: Document | None = None
    trouble: PageloomError | None = None
    screenshot: bytes = b""
    pdf: bytes = b""

    @property
    def words(self) -> int:
        return self.document.word_count if self.document and not self.trouble else -1


@dataclass(slots=True)
class _Ask:
    """Everything that the steps of one acquisition share."""

    request: FetchRequest
    fetcher: Fetcher
    rules: Rules
    options: Options
    mode: RenderMode
    rendering: Rendering
    source: SourceHint | None
    tell: Tell | None
    decisions: list[str] = field(default_factory=list[str])

    def decide(self, what: str) -> None:
        """Keep a decision, and tell whoever is watching."""
        self.decisions.append(what)
        if self.tell:
            self.tell(what)


async def acquire(  # noqa: PLR0913  all but two have defaults
    request: FetchRequest,
    *,
    fetcher: Fetcher,
    rules: Rules = ...,
    options: Options = DEFAULTS,
    render: RenderMode = "auto",
    rendering: Rendering | None = None,
    source: SourceHint | None = None,
    tell: Tell | None = None,
) -> Acquired:
    """Get a page and read it.

    Args:
        request: the page, and how to ask for it.
        fetcher: an open Fetcher.
        rules: a rule book; the shipped one when left out, none at all for None.
        options: of extraction.
        render: ``auto`` uses the browser on evidence, ``force`` always, ``never`` never.
        rendering: what to wait for, how long, and whether pictures of the page are wanted.
        source: what a source registry knows about the page.
        tell: called with each decision as it is made.

    Raises:
        InvalidUrl: the address is no http(s) URL.
        FetchError: the page could not be had, or is a challenge, an error page or a soft 404.
        PageloomError: what came could not be read.
    """
    ask = _Ask(request, fetcher, rules, options, render, rendering or Rendering(), source, tell)
    best = await _get(ask)
    if best.trouble is not None:
        raise best.trouble
    document = best.document and _with_decisions(best.document, tuple(ask.decisions))
    return Acquired(
        page=best.page,
        document=document,
        decisions=tuple(ask.decisions),
        used_browser=best.page.protocol == "browser",
        screenshot=best.screenshot,
        pdf=best.pdf,
    )


def capture(  # noqa: PLR0913  all but one have defaults
    url: str | FetchRequest,
    *,
    settings: FetchOptions | None = None,
    rules: Rules = ...,
    options: Options = DEFAULTS,
    render: RenderMode = "auto",
    rendering: Rendering | None = None,
    tell: Tell | None = None,
) -> Acquired:
    """The same for one page, for callers without an event loop."""
    from pageloom.edges.fetch.fetcher import open_fetcher

    request = FetchRequest(url=url) if isinstance(url, str) else url

    async def run() -> Acquired:
        async with open_fetcher(settings) as fetcher:
            return await acquire(
                request,
                fetcher=fetcher,
                rules=rules,
                options=options,
                render=render,
                rendering=rendering,
                tell=tell,
            )

    return asyncio.run(run())


async def _get(ask: _Ask) -> _Attempt:
    if ask.mode == "force":
        ask.decide("browser: asked for")
        return await _in_browser(ask)
    plain = await _over_http(ask, ask.request)
    if plain.page.not_modified:
        return plain
    if _is_poor(plain):
        plain = await _try_markdown(ask, plain)
    if ask.mode == "never":
        return plain
    why = _why_render(plain) or _why_picture(ask.rendering)
    return await _escalate(ask, plain, why) if why else plain


async def _over_http(ask: _Ask, request: FetchRequest) -> _Attempt:
    page = await ask.fetcher.get(request)
    if page.not_modified:
        return _Attempt(page)
    trouble = judge_answer(page) or _bad_status(page)
    if trouble is not None:
        return _Attempt(page, trouble=trouble)
    return await _read(ask, page)


def _bad_status(page: RawPage) -> FetchError | None:
    try:
        require_ok(page)
    except FetchError as error:
        return error
    return None


async def _read(ask: _Ask, page: RawPage) -> _Attempt:
    """Read in the sandbox, without holding up the event loop."""
    try:
        document = await asyncio.to_thread(
            read_page, page, ask.options, rules=ask.rules, source=ask.source
        )
    except (EmptyContent, NoContentFound, LowQuality) as error:
        return _Attempt(page, trouble=judge_content(page, title="", words=0) or error)
    opening = document.text[:200].partition("\n")[0]
    trouble = judge_content(page, title=document.title, words=document.word_count, opening=opening)
    return _Attempt(page, document, trouble)


async def _try_markdown(ask: _Ask, plain: _Attempt) -> _Attempt:
    place = markdown_variant(plain.page)
    if not place:
        return plain
    try:
        target = ask.fetcher.client.guard.check(place, plain.page.final_url)
        other = await _over_http(ask, replace(ask.request, url=target.url, etag=""))
    except PageloomError as error:
        ask.decide(f"Markdown variant: not used ({error.code})")
        return plain
    if other.words <= plain.words:
        ask.decide("Markdown variant: not better")
        return plain
    ask.decide("Markdown variant: used, the page itself has little text")
    return replace(other, page=replace(other.page, url=ask.request.url))


async def _escalate(ask: _Ask, plain: _Attempt, why: str) -> _Attempt:
    """The browser, once; whatever goes wrong there, what HTTP gave is not lost."""
    ask.decide(f"browser: {why}")
    try:
        shown = await _in_browser(ask)
    except (RenderError, MissingExtra, FetchError) as error:
        ask.decide(f"kept: HTTP, the browser failed ({error.code}: {error.message})")
        return replace(plain, trouble=_with_advice(plain.trouble, error))
    if shown.words > plain.words:
        ask.decide(f"kept: browser ({_describe(shown)} against {_describe(plain)})")
        return shown
    ask.decide(f"kept: HTTP ({_describe(plain)} against {_describe(shown)})")
    return replace(plain, screenshot=shown.screenshot, pdf=shown.pdf)


async def _in_browser(ask: _Ask) -> _Attempt:
    shown = await ask.fetcher.render(ask.request, ask.rendering)
    trouble = judge_answer(shown.page) or _bad_status(shown.page)
    if trouble is not None:
        attempt = _Attempt(shown.page, trouble=trouble)
    else:
        attempt = await _read(ask, shown.page)
    return replace(attempt, screenshot=shown.screenshot, pdf=shown.pdf)


def _why_render(plain: _Attempt) -> str:
    """The evidence that a browser would see more; empty when there is none."""
    trouble = plain.trouble
    if isinstance(trouble, FetchError):
        turned_away = trouble.kind == "challenge" or plain.page.status in WORTH_A_BROWSER
        return f"HTTP was turned away (status {plain.page.status})" if turned_away else ""
    if not _may_change(plain):
        return ""
    if plain.document is None or trouble is not None:
        return "HTTP gave no text"
    if plain.document.word_count < _FEW_WORDS:
        return f"HTTP gave only {plain.document.word_count} words"
    if _is_thin(plain):
        return "the text is under 1% of the markup"
    return ""


def _is_poor(plain: _Attempt) -> bool:
    if plain.trouble is not None:
        return not isinstance(plain.trouble, FetchError)
    return plain.words < _FEW_WORDS


def _is_thin(plain: _Attempt) -> bool:
    size = len(plain.page.body)
    text = plain.document.text if plain.document else ""
    return size >= _LEAST_MARKUP and len(text.encode()) < size * _THIN


def _may_change(plain: _Attempt) -> bool:
    """Whether anything in the page could make it different in a browser."""
    if plain.document and plain.document.provenance.media_type not in _PAGES:
        return False
    head = plain.page.body[:_SCREEN].lower()
    return any(sign in head for sign in _LIVELY)


def _why_picture(rendering: Rendering) -> str:
    return "a picture of the page is asked for" if rendering.screenshot or rendering.pdf else ""


def _describe(attempt: _Attempt) -> str:
    if attempt.trouble is not None:
        return attempt.trouble.code
    return f"{attempt.words} words"


def _with_advice(trouble: PageloomError | None, error: PageloomError) -> PageloomError | None:
    """What to do about a page that a browser might have shown, if there had been one."""
    if trouble is not None and isinstance(error, MissingExtra):
        trouble.suggestions = (*trouble.suggestions, *error.suggestions)
    return trouble


def _with_decisions(document: Document, decisions: tuple[str, ...]) -> Document:
    return replace(document, provenance=replace(document.provenance, fetching=decisions))
