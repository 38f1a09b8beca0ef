"""Requests of a page on their way out: what is not needed, and what its own site is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error

from pageloom.edges.fetch.guard import read_target

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
class _Desk:
    """Where paused requests are decided about."""

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
            return  # the page has gone; so has the question

    def _headers_for(self, request: dict[str, Any]) -> list[dict[str, str]]:
        """Overrides hold for this hop only: after a redirect the browser asks again."""
        headers: dict[str, str] = request["headers"]
        if f"{request['url']}/".startswith(f"{self.origin}/"):
            headers = headers | self.headers
        return [{"name": name, "value": value} for name, value in headers.items()]


async def intercept(
    context: BrowserContext, page: Page, request: FetchRequest, unwanted: tuple[str, ...]
) -> None:
    """Leave out unwanted kinds of resources; add the request's headers for its own origin only."""
    blocked = [_TYPES[kind] for kind in unwanted if kind in _TYPES]
    patterns = [{"urlPattern": "*", "resourceType": kind} for kind in blocked]
    origin = "/".join(read_target(request.url).url.split("/")[:3])
    if request.headers:
        patterns.append({"urlPattern": f"{origin}/*"})
    if not patterns:
        return
    session = cast("Any", await context.new_cdp_session(page))
    desk = _Desk(session, origin, request.headers, frozenset(blocked))
    session.on("Fetch.requestPaused", desk.decide)
    await session.send("Fetch.enable", {"patterns": patterns})
