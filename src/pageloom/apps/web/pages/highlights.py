"""Highlights: made in the reader, listed and taken along here."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Form, Query, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.model.highlights import COLOURS, Colour
from pageloom.views.highlights import STATES, TYPES, HighlightFormat, write_highlights

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
Words = Annotated[str, Query(max_length=1000)]
Note = Annotated[str, Form(max_length=100_000)]
_MOST = 100_000


@routes.add("GET", "/highlights", "read")
def highlights_page(
    ask: Reads, q: Words = "", cursor: Annotated[str, Query(max_length=4000)] = ""
) -> Response:
    """All highlights, newest first; those with some words."""
    found = ask.library.all_highlights(q, limit=50, cursor=cursor)
    return render(
        ask,
        "highlights.html",
        place="highlights",
        words=q,
        found=found,
        cursor=cursor,
        colours=COLOURS,
        states=STATES,
    )


@routes.add("GET", "/highlights.{form}", "read")
def highlights_file(ask: Reads, form: HighlightFormat, q: Words = "") -> Response:
    """All highlights as a file."""
    text = write_highlights(ask.library.all_highlights(q, limit=_MOST), form)
    headers = {"Content-Disposition": f'attachment; filename="highlights.{form}"'}
    return Response(text, 200, headers, TYPES[form])


@routes.add("POST", "/p/{page:int}/highlights", "write")
def add_highlight(
    ask: Writes,
    page: int,
    quote: Annotated[str, Form(max_length=40_000)],
    before: Annotated[str, Form(max_length=200)] = "",
    after: Annotated[str, Form(max_length=200)] = "",
    colour: Annotated[Colour, Form()] = "yellow",
    note: Note = "",
    version: Annotated[int | None, Form(ge=1, le=10**9)] = None,
) -> Response:
    """Mark the words that were selected."""
    made = ask.library.highlight(
        page, quote, before=before, after=after, colour=colour, note=note, version=version
    )
    where = f"/v/{version}" if version and made.found_version != version else ""
    return RedirectResponse(ask.site.link(f"/p/{page}{where}#h-{made.id}"), 303)


@routes.add("POST", "/p/{page:int}/highlights/{highlight:int}", "write")
def change_highlight(
    ask: Writes,
    page: int,
    highlight: int,
    do: Annotated[Literal["keep", "remove"], Form()] = "keep",
    colour: Annotated[Colour | None, Form()] = None,
    note: Note = "",
    back: Annotated[Literal["", "list"], Form()] = "",
) -> Response:
    """Give a highlight another colour or note, or remove it."""
    if do == "remove":
        ask.library.remove_highlight(page, highlight)
    else:
        ask.library.change_highlight(page, highlight, colour=colour, note=note)
    path = "/highlights" if back else f"/p/{page}"
    return RedirectResponse(ask.site.link(f"{path}#h-{highlight}"), 303)
