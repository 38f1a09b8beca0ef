"""Renders one page in the browser: navigate, wait until it settles, scroll, serialise."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from pageloom.edges.fetch.challenges import WORTH_A_BROWSER, has_challenge_marker
from pageloom.edges.fetch.guard import read_url
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
from pageloom.edges.fetch.request import RenderedPage
from pageloom.errors import FetchError, PageloomError, RenderError
from pageloom.model import Hop, RawPage

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Page, Request, Response

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.fetch.relay import RelayClient
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
_BROWSER_ERRORS = {
    "ERR_CERT": ("tls", "Could not make a secure connection (TLS) to the server."),
    "ERR_SSL": ("tls", "Could not make a secure connection (TLS) to the server."),
    "ERR_TOO_MANY_REDIRECTS": ("too_many_redirects", "The URL redirects too many times."),
    "ERR_CONNECTION_TIMED_OUT": ("timeout", "The server did not respond in time."),
    "ERR_TUNNEL_CONNECTION_FAILED": ("refused", "Could not connect to the server."),
    "ERR_CONNECTION": ("refused", "Could not connect to the server."),
    "ERR_EMPTY_RESPONSE": (
        "protocol",
        "The server closed the connection or did not send valid HTTP.",
    ),
    "ERR_INVALID_HTTP_RESPONSE": (
        "protocol",
        "The server closed the connection or did not send valid HTTP.",
    ),
}


@dataclass(eq=False)  # no slots: the browser library keeps its marks on objects with handlers
class _Visit:
    """The state of one page while it is rendered."""

    page: Page
    client: RelayClient
    request: FetchRequest
    rendering: Rendering
    options: FetchOptions
    end: float
    busy: dict[Request, float] = field(default_factory=dict["Request", float])
    response: Response | None = None
    """The response with the newest document of the main frame."""
    navigating_to: str = ""
    """The URL that the main frame last requested."""

    @property
    def left(self) -> float:
        """Seconds left for rendering the page."""
        return self.end - time.monotonic()

    def watch(self) -> None:
        """Track the requests under way and the current document."""
        self.page.on("request", self._begin)
        self.page.on("requestfinished", self._finish)
        self.page.on("requestfailed", self._finish)
        self.page.on("response", self._note_response)
        self.page.on("popup", _close)
        self.page.on("dialog", _dismiss)

    def _begin(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self.navigating_to = request.url
        if request.resource_type not in _ENDLESS:
            self.busy[request] = time.monotonic()

    def _finish(self, request: Request) -> None:
        self.busy.pop(request, None)

    def _note_response(self, response: Response) -> None:
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.response = response

    def relay_error(self) -> PageloomError | None:
        """Why the relay could not or would not connect to the host of the main frame."""
        if not self.navigating_to.startswith("http"):
            return None
        target = read_url(self.navigating_to)
        return self.client.errors.get((target.host, target.port))

    def is_loading(self) -> bool:
        """Whether a request is under way that began only a moment ago."""
        since = time.monotonic() - _OLD_REQUEST_SECONDS
        return any(began > since for began in self.busy.values())


async def _close(popup: Page) -> None:
    await popup.close()


async def _dismiss(dialog: Dialog) -> None:
    await dialog.dismiss()


async def render_page(
    context: BrowserContext,
    client: RelayClient,
    request: FetchRequest,
    rendering: Rendering,
    options: FetchOptions,
) -> RenderedPage:
    """Render one page in a fresh browser context.

    Raises:
        RenderError: it could not be rendered, or ``wait_for`` never appeared.
        FetchError: its host must not be connected to, or cannot be reached.
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
    visit = _Visit(page, client, request, rendering, options, began + seconds)
    visit.watch()
    try:
        async with asyncio.timeout(seconds):
            await intercept(context, page, request, _blocked(visit))
            await _navigate(visit)
            await _wait(visit)
            return await _collect(visit, began)
    except (TimeoutError, Late):
        raise _not_ready(visit, seconds) from None


async def _navigate(visit: _Visit) -> None:
    url = visit.request.url
    try:
        await visit.page.goto(url, wait_until="commit", timeout=visit.left * 1000)
    except Late:
        raise
    except Error as error:
        # An error status with an empty body is an error to the browser; to us it is a response.
        if visit.relay_error() or not visit.response or visit.response.status < 400:
            raise _translate(visit, error) from None


async def _wait(visit: _Visit) -> None:
    await _settle(visit)
    await _wait_out_challenge(visit)
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
    """Wait until nothing loads and nothing changes, or until that has taken long enough."""
    until = min(time.monotonic() + _SETTLE_SECONDS, visit.end - 0.5)
    while True:
        glance = max(min(_GLANCE_MS, (until - time.monotonic()) * 1000), 1)
        calm = await _try(visit, SETTLE, [quiet, _PATIENCE_MS, glance])
        if (calm and not visit.is_loading()) or time.monotonic() >= until:
            return


async def _try(visit: _Visit, script: str, argument: object) -> Any:
    """Run a script in the page; None when the page navigated away meanwhile."""
    try:
        return await visit.page.evaluate(script, argument)
    except Error as error:
        if "context was destroyed" in error.message or "navigat" in error.message:
            await asyncio.sleep(0.05)
            return None
        raise


async def _wait_out_challenge(visit: _Visit) -> None:
    """Some challenges let a browser through after a few seconds."""
    until = min(time.monotonic() + _CHALLENGE_SECONDS, visit.end - 1)
    while time.monotonic() < until and await _is_challenge(visit):
        await asyncio.sleep(0.25)
        await _settle(visit)


async def _is_challenge(visit: _Visit) -> bool:
    status = visit.response.status if visit.response else 200
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


async def _collect(visit: _Visit, began: float) -> RenderedPage:
    markup: str = await visit.page.evaluate(SERIALISE, visit.options.max_bytes)
    body = markup.encode("utf-8", "replace")
    if len(body) > visit.options.max_bytes:
        raise FetchError(
            f"The page is larger than {visit.options.max_bytes:,} bytes.",
            kind="too_large",
            maximum=visit.options.max_bytes,
        )
    page = _to_page(visit, body, began)
    _refuse_relay_answer(visit, page)
    wanted = visit.rendering
    return RenderedPage(
        page=page,
        screenshot=await visit.page.screenshot(full_page=True) if wanted.screenshot else b"",
        pdf=await visit.page.pdf(print_background=True) if wanted.pdf else b"",
        mhtml=await _capture_mhtml(visit) if wanted.snapshot else "",
        refused=tuple(sorted(host for host, _ in visit.client.errors)),
    )


async def _capture_mhtml(visit: _Visit) -> str:
    session = cast("Any", await visit.page.context.new_cdp_session(visit.page))
    answer = await session.send("Page.captureSnapshot", {"format": "mhtml"})
    return str(answer["data"])


def _to_page(visit: _Visit, body: bytes, began: float) -> RawPage:
    response = visit.response
    headers = dict(response.headers) if response else {}
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    return RawPage(
        url=visit.request.url.strip(),
        final_url=_final_url(visit),
        status=response.status if response else 200,
        headers=headers,
        body=body,
        content_type="text/html; charset=utf-8",
        fetched_at=utc_now(),
        hops=_hops(response),
        timings={"render": time.monotonic() - began, "total": time.monotonic() - began},
        protocol="browser",
    )


def _final_url(visit: _Visit) -> str:
    """The URL that the page has now, after scripts; browser error pages keep the requested one."""
    shown = visit.page.url
    responded = visit.response.url if visit.response else visit.request.url
    return (shown if shown.startswith("http") else responded).partition("#")[0]


def _hops(response: Response | None) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    earlier = response.request.redirected_from if response else None
    while earlier is not None:
        hops.append(Hop(url=earlier.url, status=0))
        earlier = earlier.redirected_from
    return tuple(reversed(hops))


def _refuse_relay_answer(visit: _Visit, page: RawPage) -> None:
    """An error response of the relay itself is not the page."""
    failure = visit.relay_error()
    if failure is not None and page.status in (403, 502):
        raise failure


def _translate(visit: _Visit, error: Error) -> Exception:
    """The error for what went wrong in the browser; the relay often knows the real cause."""
    failure = visit.relay_error()
    if failure is not None:
        return failure
    text = error.message
    for sign, (kind, message) in _BROWSER_ERRORS.items():
        if sign in text:
            return FetchError(message, kind=kind, url=visit.request.url, retryable=kind != "tls")
    if "Download is starting" in text or "ERR_ABORTED" in text:
        return RenderError(
            "The URL is a file download, not a page.", retryable=False, suggestions=()
        )
    return RenderError("The browser could not load the page.", url=visit.request.url)


def _not_ready(visit: _Visit, seconds: float) -> RenderError:
    waited = f" ({visit.rendering.wait_for} did not appear)" if visit.rendering.wait_for else ""
    return RenderError(
        f"The page was not ready within {seconds:g} s{waited}.",
        url=visit.request.url,
        suggestions=("Raise fetch.render_timeout, or wait for another element.",),
        timeout_s=seconds,
    )


def _blocked(visit: _Visit) -> tuple[str, ...]:
    wanted = visit.rendering
    if wanted.block_resources is not None:
        return wanted.block_resources
    shown = wanted.screenshot or wanted.pdf or wanted.snapshot
    return () if shown else visit.options.block_resources
