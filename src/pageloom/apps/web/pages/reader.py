"""One page: read, its versions, what changed between them, its tags and notes, its pictures."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, Form, Query, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.charts import HEIGHT, WIDTH, draw_prices
from pageloom.apps.web.documents import ENDINGS, document_answer, original_answer
from pageloom.apps.web.errors import NotFound
from pageloom.apps.web.pages.entry import own_path
from pageloom.apps.web.query_params import Since
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import NotInLibrary, PageloomError
from pageloom.flows.library.compare import VersionPair, comparison_rows, comparison_text, word_rows
from pageloom.flows.library.reading import readable
from pageloom.model import Document, Moment
from pageloom.model.highlights import COLOURS
from pageloom.model.library import VersionInfo
from pageloom.model.pages import Page, ReadingProgress
from pageloom.model.watch import Watch
from pageloom.views.highlights import STATES
from pageloom.views.records import watch_ref

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
_SHOWN_VERSIONS = 6
_SHOWN_PRICES = 500
_SHOWN_BLOCKS = 300
_PRICE_COLUMNS = ("at", "amount", "currency", "availability", "held")
_PRICED = 8
"""So many pages share a chart at most."""
_VIEWS = ("changes", "side", "whole", "patch")
_PICTURE_POLICY = "default-src 'none'; sandbox"
SAVED = {
    "saved": "Saved.",
    "updated": "Saved: it has changed, and this is the new version.",
    "same": "You have this page already: nothing has changed.",
    "kept": "What came was poorer than what you have, which stays.",
}


@routes.add("GET", "/p/{page:int}", "read")
def reader_page(ask: Reads, page: int, saved: str = "") -> Response:
    """The last version, to read."""
    return _reader(ask, ask.library.get(page), None, saved)


@routes.add("GET", "/p/{page:int}/v/{number:int}", "read")
def version_page(ask: Reads, page: int, number: int) -> Response:
    """One version, to read."""
    return _reader(ask, ask.library.get(page), number)


def _reader(ask: Ask, page: Page, number: int | None, saved: str = "") -> Response:
    version = ask.library.version(page, number)
    document = version.document
    infos = ask.library.history(page, limit=200)
    marks = ask.library.highlights(page)
    return render(
        ask,
        "reader.html",
        place="library",
        page=page,
        document=document,
        text=readable(document, ask.picture, marks, version.info.number),
        marks=marks,
        colours=COLOURS,
        states=STATES,
        info=version.info,
        versions=infos[:_SHOWN_VERSIONS],
        newest=infos[0].number if infos else version.info.number,
        read_version=read_version(page, infos),
        tags=ask.library.tags(page),
        notes=ask.library.notes(page),
        saved=SAVED.get(saved, ""),
        twins=ask.library.near_duplicates(page) if saved == "saved" else [],
        progress=_place_in(ask, page, version.info.number),
        watches=ask.library.watches_of(page),
        ref=watch_ref,
    )


def _place_in(ask: Ask, page: Page, number: int) -> ReadingProgress | None:
    """Where the reader was in this very version, if somewhere in the middle."""
    found = ask.library.progress(page)
    is_between = found is not None and found.version == number and 0 < found.percent < 95
    return found if is_between else None


def read_version(page: Page, infos: list[VersionInfo]) -> int | None:
    """The version that was the last when the page was read; None if it never was."""
    if not page.read_at:
        return None
    last = max(page.read_at, page.last_opened_at or "")
    seen = [info.number for info in infos if info.fetched_at <= last]
    return max(seen, default=None)


@routes.add("GET", "/p/{page:int}.{ending}", "read")
def page_file(ask: Reads, page: int, ending: str) -> Response:
    """The page in another format: ``/p/12.md``."""
    if ending not in ENDINGS:
        raise NotFound("There is no such format.", suggestions=())
    return document_answer(ask, ask.library.get(page), None, ENDINGS[ending])


@routes.add("GET", "/p/{page:int}/original", "read")
def original(ask: Reads, page: int, v: Annotated[int | None, Query(ge=1)] = None) -> Response:
    """What the server sent, inert: nothing runs, nothing is loaded, it is of no origin."""
    return original_answer(ask, ask.library.get(page), v)


@routes.add("GET", "/p/{page:int}/history", "read")
def history_page(ask: Reads, page: int, cursor: str = "") -> Response:
    """The versions of a page, and the checks of it."""
    found = ask.library.get(page)
    infos = ask.library.history(found, limit=50, cursor=cursor)
    changes = {each.to_version: each for each in ask.library.changes(found, limit=200)}
    return render(
        ask,
        "history.html",
        place="library",
        page=found,
        versions=infos,
        changes=changes,
        runs=ask.library.runs(found, limit=30),
    )


@routes.add("GET", "/p/{page:int}/diff", "read")
def diff_page(
    ask: Reads,
    page: int,
    from_: Annotated[int | None, Query(alias="from", ge=1)] = None,
    to: Annotated[int | None, Query(ge=1)] = None,
    view: str = "changes",
    watch: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """What changed between two versions: from the one that was read to the last.

    With a watch, those of what it compares, and as it compares them.
    """
    found = ask.library.get(page)
    seen_by = _watch_of(ask, found, watch)
    infos = ask.library.history(found, watch=seen_by, limit=200)
    read = read_version(found, infos)
    start = from_ or (read if read and infos and read < infos[0].number else None)
    try:
        pair = ask.library.compare(found, start, to, watch=seen_by)
    except NotInLibrary as error:
        return render(
            ask, "diff.html", place="changes", page=found, pair=None, trouble=error.message
        )
    known = _compared(found, pair, infos, view)
    known["looks"] = ask.library.visual_changes(found, limit=3)
    return render(ask, "diff.html", **known, read=read, watch=seen_by, chosen_watch=watch)


def _watch_of(ask: Ask, page: Page, number: int | None) -> Watch | None:
    """The watch that was asked for, or the one of the whole page."""
    if number is not None:
        return ask.library.get_watch(number)
    return next((each for each in ask.library.watches_of(page) if not each.track), None)


@routes.add("GET", "/p/{page:int}/looks/{number:int}", "read")
def look_picture(ask: Reads, page: int, number: int) -> Response:
    """The screenshot of a visual change, with what differs outlined."""
    looks = ask.library.visual_changes(page)
    found = next((each for each in looks if each.id == number and each.outlined_hash), None)
    if found is None or found.outlined_hash is None:
        raise NotFound("There is no such picture.", suggestions=())
    headers = {"Content-Security-Policy": _PICTURE_POLICY}
    return Response(ask.library.file(found.outlined_hash), 200, headers, "image/png")


def _compared(page: Page, pair: VersionPair, infos: list[VersionInfo], view: str) -> dict[str, Any]:
    report, view = pair.report, view if view in _VIEWS else "changes"
    blocks = [block for block in report.text.blocks if not block.trivial]
    rows = comparison_rows(pair) if view in ("side", "whole", "patch") or not blocks else []
    return {
        "place": "changes",
        "page": page,
        "pair": pair,
        "report": report,
        "blocks": blocks,
        "ignored": [block for block in report.text.blocks if block.trivial][:100],
        "others": [each for each in report.trivial if each.field != "text"][:100],
        "rows": rows,
        "patch": comparison_text(rows, side_by_side=False, width=100) if view == "patch" else "",
        "facts": list(_facts(report)),
        "words": word_rows,
        "infos": {info.number: info for info in infos},
        "view": view,
        "trouble": "",
    }


def _raw(value: Any) -> str:
    """A price or a rating as printed, and the currency where that was left out."""
    if not value:
        return "none"
    currency = getattr(value, "currency", "")
    has_own = any(not (char.isdigit() or char in " .,'") for char in value.raw)
    return value.raw if has_own or not currency else f"{value.raw} {currency}"


def _facts(report: Any) -> Iterator[tuple[str, str, str]]:
    """What changed beside the text: name, before, after."""
    for name in ("title", "description", "availability"):
        change = getattr(report, name)
        if change.changed:
            yield name.capitalize(), change.before, change.after
    for name, change in (("Price", report.price), ("Rating", report.rating)):
        if change.changed:
            yield name, _raw(change.before), _raw(change.after)
    moves = [move.operation for move in report.links.moves]
    for name, added, removed in (
        ("images", len(report.images.added), len(report.images.removed)),
        ("links", moves.count("added"), moves.count("removed")),
    ):
        if name in report.changed_fields and (added or removed):
            yield name.capitalize(), "", f"{added} added, {removed} removed"


@routes.add("GET", "/p/{page:int}/why", "read")
def why_page(ask: Reads, page: int, v: Annotated[int | None, Query(ge=1)] = None) -> Response:
    """Where each field of a page came from, which rules applied, how it was fetched and read."""
    found = ask.library.get(page)
    version = ask.library.version(found, v)
    fields = {
        name: (value_of(version.document, name), source)
        for name, source in sorted(version.document.provenance.fields.items())
    }
    return render(
        ask,
        "why.html",
        place="library",
        page=found,
        info=version.info,
        document=version.document,
        made=version.document.provenance,
        fields=fields,
        blocks=_blocks(ask, found, v),
    )


def _blocks(ask: Ask, page: Page, number: int | None) -> list[Any]:
    """Every block of a page, kept or dropped; none where the original is gone."""
    try:
        again = ask.library.explain(page, number)
    except PageloomError:
        return []
    return list(again.provenance.blocks[:_SHOWN_BLOCKS]) if again else []


def value_of(document: Document, name: str) -> str:
    """A field of a Document by the name that its provenance has: ``product.sku``."""
    value: Any = document
    for part in name.split("."):
        value = getattr(value, part, None)
    match value:
        case Moment():
            return value.iso
        case (*values,):
            return ", ".join(str(getattr(each, "raw", each)) for each in values)
        case _:
            return "" if value is None else str(value)


@routes.add("GET", "/p/{page:int}/prices", "read")
def prices_page(ask: Reads, page: int, since: Since = "") -> Response:
    """The prices of a page: a chart for each currency, what happened, and all of them."""
    return _prices(ask, [ask.library.get(page)], since)


@routes.add("GET", "/p/{page:int}/prices.csv", "read")
def prices_file(ask: Reads, page: int) -> Response:
    """The prices of a page as a table for other programs."""
    found = ask.library.prices(page, held=True)
    rows = [(one.at, one.amount, one.currency, one.availability, int(one.held)) for one in found]
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_PRICE_COLUMNS, *rows])
    name = {"Content-Disposition": f'attachment; filename="prices-{page}.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=name)


@routes.add("GET", "/prices", "read")
def all_prices_page(
    ask: Reads,
    page: Annotated[list[int], Query(max_length=_PRICED)] = [],  # noqa: B006
    since: Since = "",
) -> Response:
    """The prices of several pages in one chart, or the pages that have any."""
    if page:
        return _prices(ask, [ask.library.get(number) for number in dict.fromkeys(page)], since)
    return render(ask, "priced.html", place="prices", pages=ask.library.priced())


def _prices(ask: Ask, pages: list[Page], since: str) -> Response:
    series = {page.id: ask.library.prices(page, held=True, since=since) for page in pages}
    rows = [(page, price) for page in pages for price in series[page.id]]
    rows.sort(key=lambda row: row[1].at)
    events = [(page, each) for page in pages for each in ask.library.price_events(page)]
    return render(
        ask,
        "prices.html",
        place="prices",
        pages=pages,
        since=since,
        chosen_pages=[("page", page.id) for page in pages] if len(pages) > 1 else [],
        charts=draw_prices([(_name(page), series[page.id]) for page in pages]),
        series=rows[-_SHOWN_PRICES:],
        events=sorted(events, key=lambda row: row[1].at, reverse=True)[:200],
        width=WIDTH,
        height=HEIGHT,
    )


def _name(page: Page) -> str:
    return f"{page.title} ({page.domain})" if page.title else page.url_full


@routes.add("POST", "/p/{page:int}/progress", "write")
def note_progress(
    ask: Writes,
    page: int,
    version: Annotated[int, Form(ge=1, le=10**9)],
    block: Annotated[int, Form(ge=0, le=10**6)],
    blocks: Annotated[int, Form(ge=1, le=10**6)],
) -> Response:
    """How far the page was read."""
    ask.library.note_progress(page, version, block, blocks)
    return Response(None, 204)


@routes.add("POST", "/p/{page:int}/read", "write")
def mark_read(ask: Writes, page: int, back: Annotated[str, Form(max_length=4000)] = "") -> Response:
    """The end of the page was seen: it counts as read."""
    ask.library.mark_opened(page)
    if "text/plain" in ask.request.headers.get("accept", ""):
        return Response(None, 204)
    return RedirectResponse(ask.site.link(own_path(back)), 303) if back else _back(ask, page)


@routes.add("POST", "/p/{page:int}/act", "write")
def act_on_page(ask: Writes, page: int, do: Annotated[str, Form(max_length=20)]) -> Response:
    """Pin, archive, delete … this page; deleted, it leads back to the list with the undo."""
    done = ask.library.act_on_many(do, [ask.library.get(page).id])  # pyright: ignore[reportArgumentType]  checked there
    if do in ("delete", "archive"):
        return RedirectResponse(ask.site.link(f"/?done={done.id}"), 303)
    return _back(ask, page)


@routes.add("POST", "/p/{page:int}/tags", "write")
def change_tags(
    ask: Writes,
    page: int,
    add: Annotated[str, Form(max_length=2000)] = "",
    remove: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Add tags, separated by commas, or remove one."""
    if add.strip():
        ask.library.tag(page, *(tag for tag in add.split(",") if tag.strip()))
    if remove:
        ask.library.untag(page, remove)
    return _back(ask, page)


@routes.add("POST", "/p/{page:int}/notes", "write")
def change_notes(
    ask: Writes,
    page: int,
    text: Annotated[str, Form(max_length=100_000)] = "",
    remove: Annotated[int, Form()] = 0,
) -> Response:
    """Add a note, or remove one."""
    if text.strip():
        ask.library.note(page, text.strip())
    if remove:
        ask.library.remove_note(page, remove)
    return _back(ask, page)


def _back(ask: Ask, page: int) -> Response:
    return RedirectResponse(ask.site.link(f"/p/{page}"), 303)


@routes.add("GET", "/media/{mac}/{name}", "read")
async def picture(ask: Reads, mac: str, name: str) -> Response:
    """A picture of a page, fetched for its reader: only what the server itself has named."""
    url = ask.site.picture_url(ask.who.owner, mac, name)
    if url is None or ask.site.fetch_picture is None:
        raise NotFound("There is no such picture.", suggestions=())
    try:
        kept = await asyncio.to_thread(ask.library.picture, url)
        found = kept or await ask.site.fetch_picture(url)
    except PageloomError as error:
        raise NotFound(f"The picture cannot be shown: {error.message}", suggestions=()) from None
    headers = {
        "Content-Security-Policy": _PICTURE_POLICY,
        "Content-Disposition": "inline",
        "Cache-Control": "private, max-age=604800, immutable",
    }
    return Response(found.body, 200, headers, found.media_type)
