"""Settings of one user: how things look, tokens, sessions, the password; and the keys."""

from __future__ import annotations

from typing import Annotated, Any
from zoneinfo import available_timezones

from fastapi import Depends, Form, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.errors import Forbidden
from pageloom.apps.web.pages.entry import own_path, sign_in
from pageloom.apps.web.render import PREFERENCES, render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import InvalidArgument

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
KEYS: dict[str, tuple[tuple[str, str], ...]] = {
    "Lists": (
        ("j k", "next and previous page"),
        ("o", "open"),
        ("x", "select"),
        ("a", "archive"),
        ("d", "delete"),
        ("p", "pin"),
        ("t", "tag"),
        ("w", "watch"),
        ("m", "mark as read"),
        ("u", "undo"),
    ),
    "Reader and differences": (
        ("e", "why it reads as it does"),
        ("v", "versions"),
        ("[ ]", "older and newer version"),
        ("+ -", "larger and smaller text"),
        ("n p", "next and previous difference or highlight"),
        ("h", "mark the selected words, or choose some with the arrows"),
        ("1 2 3 4", "mark what was chosen, in one of four colours"),
    ),
    "Everywhere": (
        ("/", "search"),
        ("g l", "library"),
        ("g c", "changes"),
        ("g w", "watches"),
        ("g j", "jobs"),
        ("g t", "tags"),
        ("g h", "highlights"),
        ("g s", "settings"),
        ("?", "this table"),
    ),
}


def _settings(ask: Ask, status: int = 200, **values: Any) -> Response:
    known = {"secret": "", "trouble": ""} | values
    headers = {"Cache-Control": "no-store"} if known["secret"] else None
    return render(
        ask,
        "settings.html",
        status,
        headers=headers,
        place="settings",
        choices=PREFERENCES,
        zone=ask.user.preferences.get("zone", ""),
        tokens=ask.library.tokens(),
        sessions=ask.library.sessions(),
        **known,
    )


@routes.add("GET", "/settings", "read")
def settings_page(ask: Reads) -> Response:
    """The settings."""
    return _settings(ask)


@routes.add("POST", "/settings", "read")
def change_settings(
    ask: Reads,
    theme: Annotated[str, Form()] = "",
    size: Annotated[str, Form()] = "",
    face: Annotated[str, Form()] = "",
    width: Annotated[str, Form()] = "",
    lines: Annotated[str, Form()] = "",
    edges: Annotated[str, Form()] = "",
    view: Annotated[str, Form()] = "",
    keys: Annotated[str, Form()] = "",
    zone: Annotated[str | None, Form(max_length=60)] = None,
    next: Annotated[str, Form(max_length=4000)] = "/settings",  # noqa: A002  as in the form
) -> Response:
    """Change how things look; what is left out stays."""
    given = {
        "theme": theme,
        "size": size,
        "face": face,
        "width": width,
        "lines": lines,
        "edges": edges,
        "view": view,
        "keys": keys,
    }
    chosen = {name: value for name, value in given.items() if value in PREFERENCES[name]}
    if zone is not None:
        if zone and zone not in available_timezones():
            return _settings(ask, 422, trouble=f"{zone[:60]} is not a time zone.")
        chosen["zone"] = zone
    ask.library.set_preferences(**chosen)
    return RedirectResponse(ask.site.link(own_path(next)), 303)


@routes.add("POST", "/settings/tokens", "write")
def change_tokens(
    ask: Writes,
    label: Annotated[str, Form(max_length=200)] = "",
    days: Annotated[str, Form(max_length=6)] = "",
    scope: Annotated[list[str], Form()] = [],  # noqa: B006  FastAPI copies it
    revoke: Annotated[int, Form()] = 0,
) -> Response:
    """Make a token, whose secret is shown once; or revoke one."""
    if revoke:
        ask.library.revoke_token(revoke)
        return RedirectResponse(ask.site.link("/settings#tokens"), 303)
    if not set(scope) <= ask.who.scopes:
        raise Forbidden("A token cannot have scopes that you do not have.")
    try:
        number = int(days) if days.strip().isdigit() else None
        secret = ask.library.make_token(label, days=number, scopes=scope)
    except InvalidArgument as error:
        return _settings(ask, 422, trouble=error.message)
    return _settings(ask, secret=secret)


@routes.add("POST", "/settings/sessions", "write")
def end_session(ask: Writes, end: Annotated[int, Form()]) -> Response:
    """Sign out of another browser."""
    ask.library.end_session(end)
    return RedirectResponse(ask.site.link("/settings#sessions"), 303)


@routes.add("POST", "/settings/password", "write")
def change_password(
    ask: Writes,
    password: Annotated[str, Form(max_length=2000)] = "",
    again: Annotated[str, Form(max_length=2000)] = "",
    current: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Set or change the password; all other browsers are signed out."""
    library, owner = ask.library, ask.who.owner
    if ask.user.has_password and not library.is_password(owner, current):
        return _settings(ask, 422, trouble="The present password is wrong.")
    if password != again:
        return _settings(ask, 422, trouble="The two passwords differ.")
    try:
        library.set_password(password)
    except InvalidArgument as error:
        return _settings(ask, 422, trouble=error.message)
    return sign_in(ask.site, ask.request, owner, "/settings")


@routes.add("GET", "/keys", "read")
def keys_page(ask: Reads) -> Response:
    """The keys."""
    return render(ask, "keys.html", keys=KEYS)
