"""How routes are made: each says what it needs, so that none is open by oversight."""

from __future__ import annotations

from functools import wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.convertors import IntegerConvertor, register_url_convertor

from pageloom.model.library import SCOPES

if TYPE_CHECKING:
    from collections.abc import Callable

OPEN = "open"
"""The scope of routes that strangers may use."""


class _Number(IntegerConvertor):
    regex = "[0-9]{1,18}"
    """Python refuses to read very long ones, which would be a fault of ours."""


register_url_convertor("int", _Number())


class Routes:
    """The routes of one subject, and the scope that each of them needs."""

    def __init__(self, prefix: str = "", *, documented: bool = False, **settings: Any) -> None:
        self.router = APIRouter(prefix=prefix, include_in_schema=documented, **settings)
        self.scopes: dict[tuple[str, str], str] = {}

    def add(
        self, method: str, path: str, scope: str, **settings: Any
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator: the function answers this method and path, for those with the scope."""
        if scope not in (*SCOPES, OPEN):
            raise ValueError(f"unknown scope {scope}")
        self.scopes[method, self.router.prefix + path] = scope
        extra = {"x-scope": scope, **settings.pop("body", {})}

        def register(handler: Callable[..., Any]) -> Callable[..., Any]:
            only_reads = method == "GET" and not iscoroutinefunction(handler)
            self.router.add_api_route(
                path,
                _with_one_state(handler) if only_reads else handler,
                methods=[method],
                openapi_extra=extra,
                response_model=None,
                **settings,
            )
            return handler

        return register


def _with_one_state(handler: Callable[..., Any]) -> Callable[..., Any]:
    """All that a page shows is of one moment, read in one transaction."""

    @wraps(handler)
    def answer(**given: Any) -> Any:
        ask = given.get("ask")
        if ask is None:
            return handler(**given)
        with ask.library.reading():
            return handler(**given)

    return answer
