"""The gate that every request passes: host, origin, size, request id, headers, errors, log."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from pageloom.apps.web.errors import CrossSite, NotFound, TooSlow, WrongHost
from pageloom.apps.web.problems import FOR_PROGRAMS, error_response
from pageloom.errors import OversizedContent, PageloomError
from pageloom.flows.events import emit, named

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pageloom.apps.web.server_state import Site

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LARGEST_UPLOAD = 100_000_000
_LARGEST_FORM = 2_000_000
_FORM_SECONDS, _UPLOAD_SECONDS = 30.0, 300.0
_LARGEST_CAPTURE = 20_000_000
_CAPTURES = ("/capture", "/capture/form")
_FOREIGN_FORM = "/capture/form"
"""The one address that takes forms of other sites: it holds them until somebody confirms."""
_UPLOADS = ("/save", "/api/v1/pages", "/api/v1/extract", "/api/v1/diff", "/api/v1/markdown")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src {images};"
    " connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self';"
    " form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_KEY = re.compile(r"^(/(?:feeds|first|capture/held)/)[^/]+")
"""What of a path is a secret, and stays out of logs."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Robots-Tag": "noindex, nofollow",
}
"""Of every answer, unless it brings its own."""


class Gate:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site
        images = "'self' https: http:" if site.options.media == "direct" else "'self'"
        self.policy = _POLICY.format(images=images)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        self._drop_prefix(scope)
        started, answered, method = time.perf_counter(), [0], scope["method"]
        if method == "HEAD":
            scope["method"], send = "GET", _only_head(send)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered[0] = message["status"]
                self._complete(message, request_id)
                if "who" in scope["state"]:  # strangers learn nothing about how long things take
                    took = 1000 * (time.perf_counter() - started)
                    MutableHeaders(scope=message)["Server-Timing"] = f"app;dur={took:.1f}"
            await send(message)

        with named(request_id):
            await self._admit(scope, receive, answer, headers, answered)
            emit(
                "web.request",
                method=method,
                path=_KEY.sub(r"\1…", scope["path"]),
                status=answered[0],
                seconds=time.perf_counter() - started,
            )

    async def _admit(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, answered: list[int]
    ) -> None:
        try:
            self._check(scope, headers)
            limited = _limited(receive, _limit_of(scope["path"]), headers)
            await self.app(scope, limited, send)
        except PageloomError as error:
            if answered[0]:
                raise
            await (await error_response(self.site, scope, error))(scope, receive, send)
        except Exception:
            if not answered[0]:
                raise
            # The app has answered, and logged it: see ``bug`` there.

    def _drop_prefix(self, scope: Scope) -> None:
        """Take off the path under which the app is published, where a proxy has left it on."""
        prefix = self.site.origin.prefix
        if prefix and (scope["path"] + "/").startswith(prefix + "/"):
            scope["path"] = scope["path"][len(prefix) :] or "/"
            scope["raw_path"] = scope.get("raw_path", b"")[len(prefix) :] or b"/"

    def _check(self, scope: Scope, headers: Headers) -> None:
        if headers.get("host", "").lower() not in self.site.hosts:
            raise WrongHost("This server does not answer for that host.")
        if "\x00" in scope["path"]:
            raise NotFound("There is nothing at this URL.", suggestions=())
        if headers.get("authorization"):
            return  # no browser sends it by itself: nothing can be forged with it
        if scope["method"] in SAFE:
            if scope["path"].startswith(FOR_PROGRAMS) and _is_foreign(
                headers, str(self.site.origin)
            ):
                raise CrossSite("Other sites may not read the API with your session.")
            return
        if scope["path"] == _FOREIGN_FORM:
            return
        is_silent = "cookie" in headers and not _says_where(headers)
        if is_silent or _is_foreign(headers, str(self.site.origin)):
            raise CrossSite("The request does not come from a page of this app.")

    def _complete(self, message: Message, request_id: str) -> None:
        headers = MutableHeaders(scope=message)
        headers["X-Request-Id"] = request_id
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("Content-Security-Policy", self.policy)
        headers.setdefault("Cache-Control", "private, no-cache")


def _only_head(send: Send) -> Send:
    """Send the head of an answer, and end it where its body would begin."""
    ended = [False]

    async def without_body(message: Message) -> None:
        if message["type"] == "http.response.body":
            if ended[0]:
                return
            ended[0] = True
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(message)

    return without_body


def _is_foreign(headers: Headers, origin: str) -> bool:
    """Whether a browser says that the request was made by another site."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    stated = headers.get("origin")
    return stated is not None and stated.lower() != origin


def _says_where(headers: Headers) -> bool:
    return headers.get("sec-fetch-site") == "same-origin" or "origin" in headers


def _limit_of(path: str) -> int:
    if path in _CAPTURES:
        return _LARGEST_CAPTURE
    return _LARGEST_UPLOAD if path in _UPLOADS else _LARGEST_FORM


def _limited(receive: Receive, most: int, headers: Headers) -> Receive:
    """A body that ends with an error where it is too large or too slow, whatever its head said."""
    stated = headers.get("content-length", "0")
    if not stated.isdigit() or int(stated) > most:
        raise _too_large(most)
    read, ended = [0], [False]
    seconds = _FORM_SECONDS if most == _LARGEST_FORM else _UPLOAD_SECONDS
    deadline = asyncio.get_running_loop().time() + seconds

    async def bounded() -> Message:
        if ended[0]:  # what comes is that whoever asked has left
            return await receive()
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise TooSlow("The request came too slowly.") from None
        ended[0] = not message.get("more_body", False)
        read[0] += len(message.get("body", b""))
        if read[0] > most:
            raise _too_large(most)
        return message

    return bounded


def _too_large(most: int) -> OversizedContent:
    return OversizedContent(
        f"The request is larger than {most // 1_000_000} MB.", suggestions=(), maximum=most
    )
