"""The browser's own requests: blocks unwanted resources, adds headers for the page's own site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error

from pageloom.edges.fetch.guard import read_url

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

    from pageloom.edges.fetch.request import FetchRequest

_TYPES = {
    "image": "Image",
    "media": "Media",
    "font": "Font",
    "stylesheet": "Stylesheet",
    "script": "Script",
    "xhr": "XHR",
    "fetch": "Fetch",
    "websocket": "WebSocket",
}


@dataclass(eq=False)  # no slots: the browser library keeps its marks on objects with handlers
class _RequestFilter:
    """Decides about each request that the browser has paused."""

    session: Any
    origin: str
    headers: dict[str, str]
    blocked: frozenset[str]

    async def decide(self, event: dict[str, Any]) -> None:
        paused = {"requestId": event["requestId"]}
        try:
            if event["resourceType"] in self.blocked:
                refusal = paused | {"errorReason": "BlockedByClient"}
                await self.session.send("Fetch.failRequest", refusal)
                return
            pairs = self._headers_for(event["request"])
            await self.session.send("Fetch.continueRequest", paused | {"headers": pairs})
        except Error:
            return  # the page was closed, and its request with it

    def _headers_for(self, request: dict[str, Any]) -> list[dict[str, str]]:
        """Overrides hold for this hop only: a redirected request is paused again."""
        headers: dict[str, str] = request["headers"]
        if f"{request['url']}/".startswith(f"{self.origin}/"):
            headers = headers | self.headers
        return [{"name": name, "value": value} for name, value in headers.items()]


async def intercept(
    context: BrowserContext, page: Page, request: FetchRequest, unwanted: tuple[str, ...]
) -> None:
    """Block unwanted kinds of resources; send the request's headers to its own origin only."""
    blocked = [_TYPES[kind] for kind in unwanted if kind in _TYPES]
    patterns = [{"urlPattern": "*", "resourceType": kind} for kind in blocked]
    origin = "/".join(read_url(request.url).url.split("/")[:3])
    if request.headers:
        patterns.append({"urlPattern": f"{origin}/*"})
    if not patterns:
        return
    session = cast("Any", await context.new_cdp_session(page))
    filtered = _RequestFilter(session, origin, request.headers, frozenset(blocked))
    session.on("Fetch.requestPaused", filtered.decide)
    await session.send("Fetch.enable", {"patterns": patterns})
