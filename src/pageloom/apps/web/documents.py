"""A Document in the formats that it can be had in."""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import quote

import msgspec
from fastapi import Response

from pageloom.apps.web.api.answers import etag_of
from pageloom.apps.web.auth import Ask
from pageloom.errors import NotInLibrary
from pageloom.model.pages import Page
from pageloom.views import documents

TYPES = {
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "text": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "epub": "application/epub+zip",
    "pdf": "application/pdf",
}
ENDINGS = {
    "json": "json",
    "md": "markdown",
    "txt": "text",
    "html": "html",
    "epub": "epub",
    "pdf": "pdf",
}
_ACCEPTED = {
    "text/markdown": "markdown",
    "text/plain": "text",
    "text/html": "html",
    "application/epub+zip": "epub",
    "application/pdf": "pdf",
}
INERT = "default-src 'none'; img-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Nothing runs, nothing is loaded, and it is of no origin."""
_EXPORTED = ("epub", "pdf")


def form_of(accept: str) -> str:
    """The first format that an Accept header names; JSON when it names none of ours."""
    for part in accept.split(","):
        kind = part.partition(";")[0].strip().lower()
        if kind == "application/json":
            return "json"
        if kind in _ACCEPTED:
            return _ACCEPTED[kind]
    return "json"


def document_answer(ask: Ask, page: Page, version: int | None, form: str) -> Response:
    """A version of a page in a format; 304 for whoever has it already.

    Raises:
        NotInLibrary: there is no such version.
    """
    found = ask.library.version(page, version)
    mark = etag_of(f"{found.info.snapshot_hash} {found.info.number} {form}".encode())
    headers = {"ETag": mark, "Vary": "Accept"}
    if mark in ask.request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    if form == "html":
        headers["Content-Security-Policy"] = INERT
    if form in _EXPORTED:
        headers["Content-Disposition"] = _attachment(found.document.title, form)
    return Response(_body(ask, page, found.document, form), 200, headers, TYPES[form])


def original_answer(ask: Ask, page: Page, number: int | None) -> Response:
    """What the server sent, inert: nothing runs, nothing is loaded, it is of no origin.

    Raises:
        NotInLibrary: it was not kept.
    """
    body = ask.library.original(page, number)
    if body is None:
        raise NotInLibrary("The original of this version was not kept.", suggestions=())
    kind = ask.library.version(page, number).info.content_type
    shown = "text/html" if "html" in kind or not kind else "text/plain"
    charset = kind.partition("charset=")[2].strip(" \"';") or "utf-8"
    safe = charset if charset.replace("-", "").replace("_", "").isalnum() else "utf-8"
    headers = {"Content-Security-Policy": INERT}
    return Response(body, 200, headers, f"{shown}; charset={safe}")


def _body(ask: Ask, page: Page, document: Any, form: str) -> bytes:
    if form == "json":
        return msgspec.json.encode(document.to_dict())
    if form == "markdown":
        tags = ask.library.tags(page)
        return documents.frontmatter(document, saved_at=page.saved_at, tags=tags).encode()
    if form == "text":
        return document.text.encode()
    if form == "html":
        return document.html.encode()
    target = io.BytesIO()
    ask.library.export(target, "epub" if form == "epub" else "pdf", pages=[page])
    return target.getvalue()


def _attachment(title: str, ending: str) -> str:
    """A file name that cannot break out of its header."""
    plain = re.sub(r"[^A-Za-z0-9._ -]+", "", title)[:80].strip(" .") or "page"
    full = quote(f"{title[:80] or 'page'}.{ending}", safe="")
    return f"attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{full}"
