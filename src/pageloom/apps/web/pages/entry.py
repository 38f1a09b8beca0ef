"""Coming in and going out: sign in, the first link, sign out; health and static files."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Form, Request, Response
from starlette.responses import PlainTextResponse, RedirectResponse

from pageloom.apps.web.assets import assets_by_url
from pageloom.apps.web.auth import Ask, cookie_name, identify, needs
from pageloom.apps.web.errors import Forbidden, NotFound, TooManyRequests
from pageloom.apps.web.render import render_stranger
from pageloom.apps.web.scoped_routes import OPEN, Routes
from pageloom.apps.web.server_state import Site, is_loopback

routes = Routes()
_OWN_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\x7f\\]*")
_FOR_GOOD = "public, max-age=31536000, immutable"


def site_of(request: Request) -> Site:
    """The server that was asked."""
    return request.app.state.site


def own_path(text: str) -> str:
    """A path of this app; the front page for anything that a browser might take elsewhere."""
    return text if _OWN_PATH.fullmatch(text) else "/"


@routes.add("GET", "/login", OPEN)
def login_page(request: Request, next: str = "/") -> Response:  # noqa: A002  as in the URL
    """The form to sign in."""
    site = site_of(request)
    if identify(site, request):
        return RedirectResponse(site.link(own_path(next)), 303)
    return render_stranger(site, "login.html", next=own_path(next), name="", trouble="")


@routes.add("POST", "/login", OPEN)
def login(
    request: Request,
    name: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=2000)] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002  as in the form
) -> Response:
    """Sign in with a name and a password."""
    site = site_of(request)
    if "password" not in site.options.auth:
        raise Forbidden("Nobody signs in with a password here.")
    keys = (f"name {name}", f"from {_address(site, request)}")
    left = site.waits.seconds(*keys)
    if left > 0:
        raise TooManyRequests(
            "Too many wrong passwords.",
            suggestions=(f"Wait {left:.0f} seconds, then try again.",),
            seconds=int(left) + 1,
        )
    is_right = site.library.is_password(name, password)
    site.waits.note(*keys, right=is_right)
    if not is_right:
        trouble = "Name or password is wrong."
        return render_stranger(
            site, "login.html", 401, next=own_path(next), name=name, trouble=trouble
        )
    return sign_in(site, request, name, own_path(next))


def sign_in(site: Site, request: Request, name: str, path: str) -> Response:
    """A new session for a user, whose browser is sent to a page; an older session ends."""
    known = identify(site, request)
    if known and known.session:
        site.library.for_user(known.owner).end_session(known.session.id)
    label = request.headers.get("user-agent", "")[:200]
    secret = site.library.for_user(name).open_session(label)
    answer = RedirectResponse(site.link(path), 303, {"Cache-Control": "no-store"})
    answer.set_cookie(
        cookie_name(site),
        secret,
        max_age=site.options.session_days * 86_400,
        path=f"{site.origin.prefix}/",
        secure=site.origin.is_secure,
        httponly=True,
        samesite="lax",
    )
    return answer


@routes.add("GET", "/first/{secret}", OPEN)
def first_page(request: Request, secret: str) -> Response:
    """Where the link of the terminal leads: a button, so that no preview of it uses it up."""
    site = site_of(request)
    _require_this_machine(request)
    return render_stranger(site, "first.html", secret=secret)


@routes.add("POST", "/first", OPEN)
def first(request: Request, secret: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Sign in with the link of the terminal, once."""
    site = site_of(request)
    _require_this_machine(request)
    owner = site.library.use_link(secret)
    if owner is None:
        raise Forbidden(
            "This link was used already, or is older than ten minutes.",
            suggestions=("Start the server again for a new one, or sign in with a password.",),
        )
    return sign_in(site, request, owner, "/")


def _require_this_machine(request: Request) -> None:
    if request.client is None or not is_loopback(request.client.host):
        raise Forbidden("This link works only on the machine where the server runs.")


def _address(site: Site, request: Request) -> str:
    """The IP address of whoever asks: behind a trusted proxy, the one that it names last."""
    peer = request.client.host if request.client else ""
    if not site.is_trusted_proxy(peer):
        return peer
    return request.headers.get("x-forwarded-for", peer).rpartition(",")[2].strip()


@routes.add("POST", "/logout", "read")
def logout(ask: Annotated[Ask, Depends(needs("read"))]) -> Response:
    """End this session."""
    if ask.who.session:
        ask.library.end_session(ask.who.session.id)
    answer = RedirectResponse(ask.site.link("/login"), 303)
    answer.delete_cookie(cookie_name(ask.site), path=f"{ask.site.origin.prefix}/")
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer


@routes.add("GET", "/static/{name}", OPEN)
async def static_file(request: Request, name: str) -> Response:
    """A static file by its name with the hash."""
    asset = assets_by_url().get(name)
    if asset is None:
        raise NotFound("There is no such file.", suggestions=())
    headers = {"Cache-Control": _FOR_GOOD, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.packed, 200, headers, asset.content_type)
    return Response(asset.body, 200, headers, asset.content_type)


@routes.add("GET", "/healthz", OPEN)
async def healthz() -> Response:
    """The process answers."""
    return PlainTextResponse("ok\n")


@routes.add("GET", "/readyz", OPEN)
def readyz(request: Request) -> Response:
    """The database answers too."""
    site_of(request).library.for_requests(site_of(request).library.owner).context.store.ping()
    return PlainTextResponse("ok\n")
