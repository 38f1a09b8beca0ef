"""``/mcp``: the Model Context Protocol over HTTP, by tokens and their scopes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Response

from pageloom.apps.web.auth import Ask, identify, needs
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import MissingExtra

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import Receive, Scope, Send

    from pageloom.apps.mcp.door import Door
    from pageloom.apps.mcp.server import PageloomServer
    from pageloom.apps.web.auth import Who
    from pageloom.apps.web.server_state import Site

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
_MOST_SESSIONS, _IDLE_SECONDS = 500, 1800.0


class AgentDoor:
    """The server of the protocol, opened by the first who asks: it takes a second to load."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._opening = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._server: PageloomServer | None = None
        self._running: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    async def open(self) -> StreamableHTTPSessionManager:
        """What answers requests.

        Raises:
            MissingExtra: the protocol's package is not there.
        """
        async with self._opening:
            if self._manager is None:
                self._manager = await self._start()
            return self._manager

    async def _start(self) -> StreamableHTTPSessionManager:
        try:
            ours = await asyncio.to_thread(import_module, "pageloom.apps.mcp.server")
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("pageloom"):
                raise  # ours: it is broken, not missing
            raise MissingExtra(
                "This needs the extra [mcp].", suggestions=("Run pip install 'pageloom[mcp]'.",)
            ) from None
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        server: PageloomServer = ours.PageloomServer(self._door)
        self._server = server
        manager = StreamableHTTPSessionManager(
            server, max_sessions=_MOST_SESSIONS, session_idle_timeout=_IDLE_SECONDS
        )
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(manager, ready))
        await ready.wait()
        return manager

    async def _run(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        async with manager.run():
            ready.set()
            await self._ended.wait()

    def _door(self, context: Any) -> Door:
        """The library of whoever sent this very request; a session says nothing about that."""
        from pageloom.apps.mcp.door import Door

        request = context.request
        who: Who = request.scope["state"]["who"]
        library = self._site.library.for_user(who.owner)
        return Door(
            library=library,
            scopes=who.scopes,
            is_valid=lambda: identify(self._site, request) is not None,
        )

    def end_streams(self) -> None:
        """Let subscriptions end, because the server is about to."""
        if self._server is not None:
            self._server.end_streams()

    async def close(self) -> None:
        """End all sessions."""
        self._ended.set()
        if self._running is not None:
            with suppress(asyncio.CancelledError):
                await self._running


class _Handed(Response):
    """An answer that the protocol's own server gives."""

    def __init__(self, manager: StreamableHTTPSessionManager, who: Who) -> None:
        super().__init__()
        self._manager, self._who = manager, who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
        from mcp.server.auth.provider import AccessToken

        # A session belongs to the user, and to the way in, that it was opened by.
        way = f"{self._who.via} {self._who.token.id if self._who.token else ''}"
        known = AccessToken(token="", client_id=way, scopes=[], subject=self._who.owner)
        scope["user"] = AuthenticatedUser(known)
        await self._manager.handle_request(scope, receive, send)


@routes.add("POST", "/mcp", "read")
@routes.add("GET", "/mcp", "read")
@routes.add("DELETE", "/mcp", "read")
async def serve_agent(ask: Reads) -> Response:
    """A message of an agent, its stream of events, or the end of its session."""
    assert ask.site.agents is not None  # noqa: S101  there while the server runs
    return _Handed(await ask.site.agents.open(), ask.who)
