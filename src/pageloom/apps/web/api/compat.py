"""Endpoints that speak as other services do: whether this server offers them."""

from __future__ import annotations

from fastapi import Request

from pageloom.apps.web.errors import NotFound
from pageloom.apps.web.server_state import Site


def is_offered(request: Request) -> None:
    """Refuse, as if it were not there, what ``web.compat`` switches off.

    Raises:
        NotFound: it does.
    """
    site: Site = request.app.state.site
    if not site.options.compat:
        raise NotFound("There is nothing at this URL.", suggestions=())
