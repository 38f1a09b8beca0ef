"""Starts and restarts Chromium; every page is rendered in a browser context of its own.

The browser is not trusted with the network: it runs without name resolution, QUIC and WebRTC
outside of proxies, and the relay is its only way out, loopback included.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.edges.fetch.proxies import read_proxy
from pageloom.edges.fetch.relay import Relay, RelayClient, port_cookies
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import MissingExtra, RenderError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from playwright.async_api import Browser, BrowserContext, Playwright

    from pageloom.edges.fetch.dial import Dialler
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.fetch.request import RenderedPage, Rendering

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_SWITCHES = (
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The relay resolves host names; whatever bypasses it finds nothing.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    "--deny-permission-prompts",
    "--mute-audio",
)
_UNREACHABLE = "<-loopback>,content-autofill.googleapis.com"
"""Whom the browser would tell about every form. Around the relay it finds no such name. (To disable
the feature itself would replace the features that Playwright disables.)"""
_CLOSING_SECONDS = 5.0
_PAGES_PER_BROWSER = 500
_TRAFFIC_FACTOR = 5
_VIEWPORT = {"width": 1280, "height": 900}


@dataclass(slots=True)
class _Running:
    """A running browser, with all that has to be closed with it."""

    browser: Browser
    relay: Relay
    stack: AsyncExitStack
    pages: int = 0
    open: int = 0


@dataclass(slots=True)
class Chromium:
    """Starts the browser when it is first needed, and again when it has crashed."""

    dialler: Dialler
    _running: _Running | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _slots: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(max(self.options.browser_pages, 1))

    @property
    def options(self) -> FetchOptions:
        """The ``[fetch]`` settings."""
        return self.dialler.options

    async def render(self, request: FetchRequest, rendering: Rendering) -> RenderedPage:
        """Render a page; a browser that crashes is restarted once.

        Raises:
            MissingExtra: Playwright or the browser is not installed.
            RenderError: the page could not be rendered.
            FetchError: its host must not be connected to, or cannot be reached.
        """
        async with self._slots:
            try:
                return await self._render_once(request, rendering)
            except _BrowserCrashed:
                pass
            try:
                return await self._render_once(request, rendering)
            except _BrowserCrashed:
                raise RenderError("The browser crashed twice while loading the page.") from None

    async def print_html(self, html: str, url: str) -> bytes:
        """Print HTML of our own as PDF; its images are loaded through the relay too.

        Raises:
            MissingExtra: Playwright or the browser is not installed.
            RenderError: the page could not be printed.
        """
        running = await self._start()
        wait = self.options.render_timeout * 1000
        async with (
            self._slots,
            _open_context(running, FetchRequest(url=url), self.options) as (context, _),
        ):
            page = await context.new_page()
            await page.set_content(html, timeout=wait, wait_until="load")
            margin = {"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"}
            return await page.pdf(format="A4", margin=margin)  # pyright: ignore[reportArgumentType]

    async def _render_once(self, request: FetchRequest, rendering: Rendering) -> RenderedPage:
        running = await self._start()
        from pageloom.edges.fetch.visit import render_page  # which needs what has just been found

        try:
            async with _open_context(running, request, self.options) as (context, client):
                return await render_page(context, client, request, rendering, self.options)
        except RenderError:
            if await _is_alive(running.browser):
                raise
            await self._discard(running)
            raise _BrowserCrashed from None

    async def _start(self) -> _Running:
        async with self._lock:
            running = self._running
            if running and (not running.browser.is_connected() or _needs_restart(running)):
                await self._end()
            if self._running is None:
                self._running = await _launch(self.dialler)
            return self._running

    async def _discard(self, running: _Running) -> None:
        """Close a crashed browser, unless another task has replaced it already."""
        async with self._lock:
            if self._running is running:
                await self._end()

    async def _end(self) -> None:
        running, self._running = self._running, None
        if running:
            await running.stack.aclose()

    async def close(self) -> None:
        """Close the browser, if one was started."""
        async with self._lock:
            await self._end()


class _BrowserCrashed(Exception):
    """The browser crashed; the page is not to blame."""


async def _is_alive(browser: Browser) -> bool:
    """Whether the browser still responds."""
    from playwright.async_api import Error

    if not browser.is_connected():
        return False
    try:
        async with asyncio.timeout(_CLOSING_SECONDS):
            await (await browser.new_context()).close()
    except (Error, TimeoutError):
        return False
    return True


def _needs_restart(running: _Running) -> bool:
    """Browsers grow; after many pages a fresh one uses less memory."""
    return running.pages >= _PAGES_PER_BROWSER and not running.open


async def _launch(dialler: Dialler) -> _Running:
    start = _load_playwright()
    async with AsyncExitStack() as stack:
        relay = await stack.enter_async_context(Relay(dialler))
        playwright = await start().start()
        stack.push_async_callback(playwright.stop)
        browser = await _launch_browser(playwright, relay, dialler.options)
        stack.push_async_callback(_close_browser, browser)
        return _Running(browser, relay, stack.pop_all())
    raise AssertionError("the block above returns")


def _load_playwright() -> Any:
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        raise MissingExtra(
            "Rendering needs Playwright, which is not installed.",
            suggestions=("pip install 'pageloom[browser]'",),
        ) from None
    return async_playwright


async def _launch_browser(playwright: Playwright, relay: Relay, options: FetchOptions) -> Browser:
    from playwright.async_api import Error

    try:
        return await playwright.chromium.launch(
            executable_path=find_browser(options.browser),
            # Chromium's own sandbox does not work for root; everybody else keeps it.
            chromium_sandbox=os.geteuid() != 0,
            proxy={"server": relay.url},
            args=list(_SWITCHES),
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except Error as error:
        if "Executable doesn't exist" in error.message:
            raise MissingExtra(
                "Rendering needs Chromium, which is not installed.",
                suggestions=("Run apt-get install chromium, or playwright install chromium.",),
            ) from None
        raise RenderError(
            "The browser could not be started.",
            suggestions=("Run pageloom doctor, or set fetch.browser to another executable.",),
        ) from None


def find_browser(chosen: str = "") -> str | None:
    """The executable: the chosen one, the system's, or None for Playwright's own."""
    if chosen and shutil.which(chosen) is None:
        raise MissingExtra(
            "The browser in fetch.browser was not found.",
            suggestions=("Correct fetch.browser, or remove it.",),
        )
    return chosen or next(filter(None, map(shutil.which, NAMES)), None)


async def _close_browser(browser: Browser) -> None:
    from playwright.async_api import Error

    with suppress(Error, TimeoutError):
        async with asyncio.timeout(_CLOSING_SECONDS):
            await browser.close()


@asynccontextmanager
async def _open_context(
    running: _Running, request: FetchRequest, options: FetchOptions
) -> AsyncGenerator[tuple[BrowserContext, RelayClient]]:
    """A browser context of its own, with its own credentials for the relay."""
    from playwright.async_api import Error

    way = request.proxy or options.proxy
    proxy = read_proxy(way) if way else None
    cookies = port_cookies(request.url, request.cookies) if request.cookies else None
    client = running.relay.register(proxy, options.max_bytes * _TRAFFIC_FACTOR, cookies)
    running.open += 1
    running.pages += 1
    context = None
    try:
        context = await running.browser.new_context(
            proxy={
                "server": running.relay.url,
                "username": client.name,
                "password": client.password,
                "bypass": _UNREACHABLE,
            },
            user_agent=request.user_agent or _agent(running.browser.version, options.user_agent),
            viewport=_VIEWPORT,  # pyright: ignore[reportArgumentType]
            service_workers="block",
            accept_downloads=False,
            locale="en-US",
        )
        yield context, client
    except Error as error:
        raise RenderError(f"The browser could not load the page ({_first_line(error)}).") from None
    finally:
        running.open -= 1
        await running.relay.unregister(client)
        if context:
            with suppress(Error, TimeoutError):
                async with asyncio.timeout(_CLOSING_SECONDS):
                    await context.close()


def _first_line(error: Exception) -> str:
    text = str(error).partition("\n")[0].rpartition("net::")[2]
    return text.partition(" at ")[0][:100]


def _agent(version: str, name: str) -> str:
    """The User-Agent of the browser, with our name in it."""
    major = version.partition(".")[0]
    ours = name.partition(" ")[0]
    return (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{major}.0.0.0 Safari/537.36 {ours}"
    )
