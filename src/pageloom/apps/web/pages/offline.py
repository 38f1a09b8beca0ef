"""The app on a phone: its manifest, its service worker, and what it shows without network."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any

import msgspec
from fastapi import Depends, Form, Request, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.assets import assets
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.pages.entry import site_of
from pageloom.apps.web.render import query, render_stranger
from pageloom.apps.web.scoped_routes import OPEN, Routes
from pageloom.apps.web.server_state import Site

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Saves = Annotated[Ask, Depends(needs("save"))]
_MOST = 50
_SHELL = ("loom.css", "loom.js", "highlights.js", "offline.js", "icon.svg", "vendor/htmx.min.js")


@routes.add("GET", "/manifest.webmanifest", OPEN)
def manifest(request: Request) -> Response:
    """What a phone needs to install the app."""
    body = msgspec.json.encode(_manifest(site_of(request)))
    return Response(body, 200, None, "application/manifest+json")


def _manifest(site: Site) -> dict[str, Any]:
    icon = {"src": site.link(f"/static/{assets()['icon.svg'].name}"), "type": "image/svg+xml"}
    accept = ["text/html", ".html", ".htm", ".xhtml", "text/markdown", "application/pdf"]
    return {
        "name": "Pageloom",
        "short_name": "Pageloom",
        "id": site.link("/"),
        "start_url": site.link("/"),
        "scope": site.link("/"),
        "display": "standalone",
        "background_color": "#fbfaf7",
        "theme_color": "#0f5f6b",
        "icons": [icon | {"sizes": "any", "purpose": "any"}],
        "shortcuts": [
            {"name": "Save a page", "url": site.link("/save")},
            {"name": "Unread", "url": site.link("/?q=is%3Aunread")},
            {"name": "Changes", "url": site.link("/changes")},
        ],
        "share_target": {
            "action": site.link("/share"),
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {
                "title": "title",
                "text": "text",
                "url": "url",
                "files": [{"name": "file", "accept": accept}],
            },
        },
    }


@routes.add("GET", "/sw.js", OPEN)
def service_worker(request: Request) -> Response:
    """The service worker: for the whole app, and anew with every release of it."""
    site = site_of(request)
    script = (files("pageloom.apps.web") / "service_worker.js").read_text(encoding="utf-8")
    shell = [site.link(f"/static/{assets()[name].name}") for name in _SHELL]
    shell.append(site.link("/offline"))
    listed = msgspec.json.encode(shell).decode()
    version = sha256(f"{script}{listed}".encode()).hexdigest()[:10]
    values = {"__ROOT__": site.link(""), "__SHELL__": listed, "__VERSION__": version}
    for name, value in values.items():
        script = script.replace(name, value)
    return Response(script, 200, {"Cache-Control": "no-cache"}, "text/javascript; charset=utf-8")


@routes.add("GET", "/offline", OPEN)
def offline_page(request: Request) -> Response:
    """What is shown without network; the pages that are on the device are listed there."""
    return render_stranger(site_of(request), "offline.html")


@routes.add("GET", "/offline/pages", "read")
def offline_pages(ask: Reads) -> Response:
    """The pages that a device keeps: those that were read last."""
    found = ask.library.list(sort="opened", limit=_MOST).pages
    items = [
        {"path": ask.site.link(f"/p/{page.id}"), "title": page.title or page.url_full}
        for page in found
        if page.version
    ]
    return Response(msgspec.json.encode({"items": items}), 200, None, "application/json")


@routes.add("POST", "/share", "save")
def share(
    ask: Saves,
    title: Annotated[str, Form(max_length=4000)] = "",
    text: Annotated[str, Form(max_length=10_000)] = "",
    url: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """What was shared with the app, where its service worker is not there to take it."""
    where = query([("url", url), ("title", title), ("text", text)])
    return RedirectResponse(ask.site.link(f"/save?{where}"), 303)
