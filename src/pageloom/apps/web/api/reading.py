"""Pages read without keeping them: as Documents, as Markdown, compared."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends, Response

from pageloom.apps.web.api.answers import api_routes, as_types, json_answer
from pageloom.apps.web.api.bodies import ContentBody, DiffBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.errors import InvalidRequest
from pageloom.flows.capture.extract import extract
from pageloom.flows.library.compare import compare_files
from pageloom.library.fetch import fetch_async
from pageloom.model import Document
from pageloom.views import documents

routes = api_routes("without keeping")
Saves = Annotated[Ask, Depends(needs("save"))]


async def _document(ask: Ask, body: ContentBody) -> Document:
    if body.html is None and not body.url:
        raise InvalidRequest("Send html, or a url to fetch.")
    settings = ask.library.settings
    if body.html is None:
        return await fetch_async(body.url, render=body.render, settings=settings)
    return await asyncio.to_thread(
        extract,
        body.html.encode(),
        body.url or None,
        content_type=body.content_type or None,
        rules=ask.library.context.own_rules.sealed,
        options=settings.extraction,
        timeout_ms=settings.extraction.parse_timeout_ms,
    )


@routes.add("POST", "/extract", "save", summary="A page as a Document")
async def extract_page(ask: Saves, body: ContentBody) -> Response:
    """Content, or a URL that is fetched, as a Document; nothing is kept."""
    return json_answer((await _document(ask, body)).to_dict())


@routes.add("POST", "/markdown", "save", summary="A page as Markdown", **as_types("text/markdown"))
async def markdown_page(ask: Saves, body: ContentBody) -> Response:
    """Content, or a URL that is fetched, as Markdown; nothing is kept."""
    text = documents.markdown(await _document(ask, body))
    return Response(text, media_type="text/markdown; charset=utf-8")


@routes.add("POST", "/diff", "save", summary="Compare two pages")
def diff_pages(ask: Saves, body: DiffBody) -> Response:
    """What changed between two pages, and whether it matters; nothing is kept."""
    settings = ask.library.settings
    pair = compare_files(
        body.before.encode(),
        body.after.encode(),
        body.url or None,
        extraction=settings.extraction,
        comparing=settings.changes,
    )
    return json_answer(pair.report.to_detailed())
