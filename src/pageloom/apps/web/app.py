"""The app: its routes, its gate, and the work that runs beside it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from pageloom.apps.web import agents
from pageloom.apps.web.api import (
    account,
    description,
    linkding,
    page_details,
    prefix,
    reading,
    scraping,
    watching,
)
from pageloom.apps.web.api import highlights as api_highlights
from pageloom.apps.web.api import pages as api_pages
from pageloom.apps.web.api import rules as api_rules
from pageloom.apps.web.api import searches as api_searches
from pageloom.apps.web.gate import Gate
from pageloom.apps.web.pages import (
    attention,
    capture,
    changes_jobs_tags,
    entry,
    feeds,
    highlights,
    library,
    live,
    offline,
    reader,
    rules,
    searches,
    settings,
)
from pageloom.apps.web.pages import (
    watching as watching_pages,
)
from pageloom.apps.web.problems import error_response, of_http, of_validation
from pageloom.apps.web.work import Worker
from pageloom.errors import InternalError, PageloomError
from pageloom.flows.events import emit

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from pageloom.apps.web.scoped_routes import Routes
    from pageloom.apps.web.server_state import Site

ROUTES: tuple[Routes, ...] = (
    entry.routes,
    library.routes,
    capture.routes,
    reader.routes,
    watching_pages.routes,
    changes_jobs_tags.routes,
    attention.routes,
    rules.routes,
    feeds.routes,
    highlights.routes,
    searches.routes,
    live.routes,
    offline.routes,
    settings.routes,
    api_pages.routes,
    api_highlights.routes,
    api_searches.routes,
    api_rules.routes,
    page_details.routes,
    watching.routes,
    reading.routes,
    prefix.routes,
    agents.routes,
    scraping.routes,
    linkding.routes,
    account.routes,
    description.routes,
    description.pages,
)


def make_app(site: Site, *, work: bool = False) -> ASGIApp:
    """The web app of a site; with ``work`` it also does what is due for all users."""
    app = FastAPI(
        title="Pageloom",
        version="1",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lambda _: _lifespan(site, work=work),
        redirect_slashes=False,
    )
    app.state.site = site
    for part in ROUTES:
        app.include_router(part.router)
    _handle_errors(app, site)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=5)
    return Gate(app, site)


def _handle_errors(app: FastAPI, site: Site) -> None:
    async def ours(request: Request, error: Any) -> Response:
        return await error_response(site, request.scope, error)

    async def http(request: Request, error: Any) -> Response:
        return await error_response(site, request.scope, of_http(error))

    async def invalid(request: Request, error: Any) -> Response:
        return await error_response(site, request.scope, of_validation(error))

    async def bug(request: Request, error: Any) -> Response:
        emit("web.failed", level="error", error_type=type(error).__name__, error=str(error))
        trouble = InternalError("Something went wrong here; it was logged.")
        return await error_response(site, request.scope, trouble)

    app.add_exception_handler(Exception, bug)
    app.add_exception_handler(PageloomError, ours)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)


@asynccontextmanager
async def _lifespan(site: Site, *, work: bool) -> AsyncGenerator[None]:
    site.loop = asyncio.get_running_loop()
    async with site.library.open_pictures() as fetch_picture:
        site.fetch_picture = fetch_picture
        site.worker = Worker(site.library.owner) if work else None
        site.agents = agents.AgentDoor(site)
        try:
            yield
        finally:
            await site.agents.close()
            await site.scrapes.close()
            if site.worker is not None:
                await asyncio.to_thread(site.worker.end)
