"""One page in the browser: go there, let it settle, scroll, and bring back what is shown."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from pageloom.edges.fetch.guard import read_target
from pageloom.edges.fetch.http import utc_now
from pageloom.edges.fetch.intercept import intercept
from pageloom.edges.fetch.page_scripts import (
    KEEP_SHADOWS,
    SCROLL,
    SERIALISE,
    SETTLE,
    SHORT_MARKUP,
    TO_TOP,
)
from pageloom.edges.fetch.shown import Shown
from pageloom.edges.fetch.verdict import WORTH_A_BROWSER, has_challenge_marker
from pageloom.errors import FetchError, PageloomError, RenderError
from pageloom.model import Hop, RawPage

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Page, Request, Response

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.fetch.relay import Visitor
    from pageloom.edges.fetch.request import FetchRequest, Rendering

_QUIET_MS = 250
_QUIET_AFTER_SCROLL_MS = 120
_SHORT_PAGE = 1_000
_HEAD = 300_000
_PATIENCE_MS = 1_200
_GLANCE_MS = 2_000
_SETTLE_SECONDS = 8.0
_OLD_REQUEST_SECONDS = 3.0
_CHALLENGE_SECONDS = 8.0
_SCROLL_PAUSE_MS = 40
_SCROLL_STEPS = 12
_SCROLL_ROUNDS = 6
_ENDLESS = frozenset(("websocket", "eventsource", "media", "ping", "image", "font"))
_BROWSER_TROUBLE = {
    "ERR_CERT": ("tls", "No encrypted connection could be made."),
    "ERR_SSL": ("tls", "No encrypted connection could be made."),
    "ERR_TOO_MANY_REDIRECTS": ("too_many_redirects", "The address redirects too many times."),
    "ERR_CONNECTION_TIMED_OUT": ("timeout", "The server did not answer in time."),
    "ERR_TUNNEL_CONNECTION_FAILED": ("refused", "The server could not be reached."),
    "ERR_CONNECTION": ("refused", "The server could not be reached."),
    "ERR_EMPTY_RESPONSE": ("protocol", "The server broke off or did not speak HTTP."),
    "ERR_INVALID_HTTP_RESPONSE": ("protocol", "The server broke off or did not speak HTTP."),
}


@dataclass(eq=False)  # no slots: the browser library keeps its marks on objects with handlers
class _Visit:
    """The state of one page under way."""

    page: Page
    visitor: Visitor
    request: FetchRequest
    rendering: Rendering
    options: FetchOptions
    end: float
    busy: dict[Request, float] = field(default_factory=dict["Request", float])
    answer: Response | None = None
    """The newest document of the main frame."""
    place: str = ""
    """Where the main frame last wanted to go."""

    @property
    def left(self) -> float:
        """Seconds until the page has to be done."""
        return self.end - time.monotonic()

    def watch(self) -> None:
        """Keep count of what is loading, and of which document is shown."""
        self.page.on("request", self._begin)
        self.page.on("requestfinished", self._finish)
        self.page.on("requestfailed", self._finish)
        self.page.on("response", self._keep)
        self.page.on("popup", _close)
        self.page.on("dialog", _dismiss)

    def _begin(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self.place = request.url
        if request.resource_type not in _ENDLESS:
            self.busy[request] = time.monotonic()

    def _finish(self, request: Request) -> None:
        self.busy.pop(request, None)

    def _keep(self, response: Response) -> None:
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.answer = response

    def gate_trouble(self) -> PageloomError | None:
        """Why the relay did not let the main frame go where it wanted."""
        if not self.place.startswith("http"):
            return None
        target = read_target(self.place)
        return self.visitor.trouble.get((target.host, target.port))

    def is_loading(self) -> bool:
        """Whether anything is still on its way that began only lately."""
        since = time.monotonic() - _OLD_REQUEST_SECONDS
        return any(began > since for began in self.busy.values())


async def _close(popup: Page) -> None:
    await popup.close()


async def _dismiss(dialog: Dialog) -> None:
    await dialog.dismiss()


async def show_page(
    context: BrowserContext,
    visitor: Visitor,
    request: FetchRequest,
    rendering: Rendering,
    options: FetchOptions,
) -> Shown:
    """Show one page in a fresh context and bring it back.

    Raises:
        RenderError: it could not be shown, or what it was to wait for never came.
        FetchError: its address is closed or cannot be reached.
    """
    seconds = options.render_timeout if rendering.timeout is None else rendering.timeout
    began = time.monotonic()
    await context.add_init_script(KEEP_SHADOWS)
    if request.cookies:
        pairs = request.cookies.items()
        await context.add_cookies(
            [{"name": name, "value": value, "url": request.url} for name, value in pairs]
        )
    page = await context.new_page()
    visit = _Visit(page, visitor, request, rendering, options, began + seconds)
    visit.watch()
    try:
        async with asyncio.timeout(seconds):
            await intercept(context, page, request, _blocked(visit))
            await _go(visit)
            await _wait(visit)
            return await _bring_back(visit, began)
    except (TimeoutError, Late):
        raise _too_slow(visit, seconds) from None


async def _go(visit: _Visit) -> None:
    url = visit.request.url
    try:
        await visit.page.goto(url, wait_until="commit", timeout=visit.left * 1000)
    except Late:
        raise
    except Error as error:
        # A status of refusal with nothing to read is an error to the browser; to us it is a page.
        if visit.gate_trouble() or not visit.answer or visit.answer.status < 400:
            raise _translate(visit, error) from None


async def _wait(visit: _Visit) -> None:
    await _settle(visit)
    await _outwait_challenge(visit)
    if visit.rendering.wait_for:
        selector = _selector(visit.rendering.wait_for)
        await visit.page.wait_for_selector(
            selector, state="attached", timeout=max(visit.left * 1000, 1)
        )
        await _settle(visit)
    if visit.rendering.scroll:
        await _scroll(visit)


def _selector(text: str) -> str:
    """Only CSS and XPath: the browser library's own selector engines are not for rules."""
    if text.startswith("xpath:"):
        return f"xpath={text.removeprefix('xpath:')}"
    return f"css={text}"


async def _settle(visit: _Visit, quiet: int = _QUIET_MS) -> None:
    """Until nothing loads and nothing changes, or until that has gone on for long enough."""
    until = min(time.monotonic() + _SETTLE_SECONDS, visit.end - 0.5)
    while True:
        calm = await _try(visit, SETTLE, [quiet, _PATIENCE_MS, _GLANCE_MS])
        if (calm and not visit.is_loading()) or time.monotonic() >= until:
            return


async def _try(visit: _Visit, script: str, argument: object) -> Any:
    """Run a script in the page; a page that moves on meanwhile gets another chance later."""
    try:
        return await visit.page.evaluate(script, argument)
    except Error as error:
        if "context was destroyed" in error.message or "navigat" in error.message:
            await asyncio.sleep(0.05)
            return None
        raise


async def _outwait_challenge(visit: _Visit) -> None:
    """Some challenges let a browser through after a few seconds."""
    until = min(time.monotonic() + _CHALLENGE_SECONDS, visit.end - 1)
    while time.monotonic() < until and await _is_challenge(visit):
        await asyncio.sleep(0.25)
        await _settle(visit)


async def _is_challenge(visit: _Visit) -> bool:
    status = visit.answer.status if visit.answer else 200
    if status in WORTH_A_BROWSER and visit.busy:
        return True
    markup = await _try(visit, SHORT_MARKUP, [_SHORT_PAGE, _HEAD])
    return has_challenge_marker(str(markup or "").encode())


async def _scroll(visit: _Visit) -> None:
    for _ in range(_SCROLL_ROUNDS):
        moved = await _try(visit, SCROLL, [_SCROLL_PAUSE_MS, _SCROLL_STEPS])
        if not moved or not moved[2] or visit.left < 2:
            break
        await _settle(visit, _QUIET_AFTER_SCROLL_MS)
        height = await _try(visit, "() => document.documentElement.scrollHeight", None)
        if height == moved[0]:
            break
    await _try(visit, TO_TOP, None)


async def _bring_back(visit: _Visit, began: float) -> Shown:
    markup: str = await visit.page.evaluate(SERIALISE, visit.options.max_bytes)
    body = markup.encode("utf-8", "replace")
    if len(body) > visit.options.max_bytes:
        raise FetchError(
            f"The page is larger than {visit.options.max_bytes:,} bytes.",
            kind="too_large",
            maximum=visit.options.max_bytes,
        )
    page = _to_page(visit, body, began)
    _refuse_gate(visit, page)
    wanted = visit.rendering
    return Shown(
        page=page,
        screenshot=await visit.page.screenshot(full_page=True) if wanted.screenshot else b"",
        pdf=await visit.page.pdf(print_background=True) if wanted.pdf else b"",
        refused=tuple(sorted(host for host, _ in visit.visitor.trouble)),
    )


def _to_page(visit: _Visit, body: bytes, began: float) -> RawPage:
    answer = visit.answer
    headers = dict(answer.headers) if answer else {}
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    return RawPage(
        url=visit.request.url.strip(),
        final_url=_final_url(visit),
        status=answer.status if answer else 200,
        headers=headers,
        body=body,
        content_type="text/html; charset=utf-8",
        fetched_at=utc_now(),
        hops=_hops(answer),
        timings={"render": time.monotonic() - began, "total": time.monotonic() - began},
        protocol="browser",
    )


def _final_url(visit: _Visit) -> str:
    """Where the page is now, scripts included; the browser's own error pages are nowhere."""
    shown = visit.page.url
    answered = visit.answer.url if visit.answer else visit.request.url
    return (shown if shown.startswith("http") else answered).partition("#")[0]


def _hops(answer: Response | None) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    earlier = answer.request.redirected_from if answer else None
    while earlier is not None:
        hops.append(Hop(url=earlier.url, status=0))
        earlier = earlier.redirected_from
    return tuple(reversed(hops))


def _refuse_gate(visit: _Visit, page: RawPage) -> None:
    """A document that the relay itself had to answer for is no page."""
    trouble = visit.gate_trouble()
    if trouble is not None and page.status in (403, 502):
        raise trouble


def _translate(visit: _Visit, error: Error) -> Exception:
    """What the browser says went wrong, in our words; the relay often knows better."""
    trouble = visit.gate_trouble()
    if trouble is not None:
        return trouble
    text = error.message
    for sign, (kind, message) in _BROWSER_TROUBLE.items():
        if sign in text:
            return FetchError(message, kind=kind, url=visit.request.url, retryable=kind != "tls")
    if "Download is starting" in text or "ERR_ABORTED" in text:
        return RenderError(
            "The address leads to a file, not to a page.", retryable=False, suggestions=()
        )
    return RenderError("The browser could not show the page.", url=visit.request.url)


def _too_slow(visit: _Visit, seconds: float) -> RenderError:
    waited = f" ({visit.rendering.wait_for} did not appear)" if visit.rendering.wait_for else ""
    return RenderError(
        f"The page was not ready within {seconds:g} s{waited}.",
        url=visit.request.url,
        suggestions=("Raise the rendering timeout, or wait for something else.",),
        timeout_s=seconds,
    )


def _blocked(visit: _Visit) -> tuple[str, ...]:
    wanted = visit.rendering
    if wanted.block_resources is not None:
        return wanted.block_resources
    return () if wanted.screenshot or wanted.pdf else visit.options.block_resources
