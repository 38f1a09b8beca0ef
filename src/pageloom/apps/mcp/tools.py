"""The table of tools: what each is for, what it needs, and which act of the library it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.mcp import arguments as args
from pageloom.apps.mcp.door import Answer
from pageloom.apps.mcp.page_text import outline_of, page_answer, read_fetched
from pageloom.model.pages import Filters
from pageloom.views import records, results
from pageloom.views.comparison import render_diff

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import BaseModel

    from pageloom.apps.mcp.door import Door
    from pageloom.flows.watch.edit import WatchChoices
    from pageloom.model.library import Scope
    from pageloom.model.pages import Page

Act = Callable[["Door", Any], Awaitable[Answer]]
_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_OBJECT = {"type": "object"}
_MAYBE = {"type": ["string", "null"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool."""

    description: str
    scope: Scope
    takes: type[BaseModel]
    gives: dict[str, Any]
    """The schema of its data."""
    act: Act
    changes: bool = False
    """Whether it changes the library."""
    fetches: bool = False
    """Whether it asks other sites."""


def _shape(**fields: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that has these fields, and may have others."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def _list_of(item: dict[str, Any]) -> dict[str, Any]:
    return _shape(items={"type": "array", "items": item}, next=_MAYBE, total=_NUMBER)


PAGE = _shape(id=_NUMBER, url=_TEXT, title=_TEXT, version=_NUMBER)
READING = _shape(
    title=_TEXT,
    url=_TEXT,
    page_text=_TEXT,
    start=_NUMBER,
    end=_NUMBER,
    total_chars=_NUMBER,
    next=_MAYBE,
    notice=_TEXT,
)
WATCH = _shape(id=_NUMBER, url=_TEXT, schedule=_TEXT)


def _here(act: Callable[[Door, Any], Answer]) -> Act:
    """An act that only asks the database, in a thread."""

    async def run(door: Door, given: Any) -> Answer:
        return await asyncio.to_thread(act, door, given)

    return run


def _listed(
    items: Iterable[dict[str, Any]], next_cursor: str | None, total: int, pages: Sequence[Page] = ()
) -> Answer:
    return Answer({"items": list(items), "next": next_cursor, "total": total}, pages=pages)


def _filters(given: args.Which) -> Filters:
    return Filters(
        tags=tuple(given.tags),
        domain=given.site,
        page_type=given.type,
        language=given.language,
        since=given.since,
        until=given.until,
        unread=given.unread,
        pinned=given.pinned if isinstance(given, args.ListPages) else None,
        archived=given.archived if isinstance(given, args.ListPages) else "no",
    )


def _search(door: Door, given: args.Search) -> Answer:
    library = door.library
    found = library.search(given.query, _filters(given), limit=given.limit, cursor=given.cursor)
    pages = [hit.page for hit in found.hits]
    tags = library.tags_of_all(pages)
    items = [records.hit(hit, tags.get(hit.page.id, ())) for hit in found.hits]
    return _listed(items, found.next_cursor, found.total, pages)


def _list(door: Door, given: args.ListPages) -> Answer:
    library = door.library
    found = library.list(_filters(given), sort=given.sort, limit=given.limit, cursor=given.cursor)
    tags = library.tags_of_all(found.pages)
    items = [records.page(page, tags.get(page.id, ())) for page in found.pages]
    return _listed(items, found.next_cursor, found.total, found.pages)


def _read(door: Door, given: args.ReadPage) -> Answer:
    page = door.library.get(given.page)
    found = door.library.version(page, given.version)
    facts = {"page": page.id, "version": found.info.number}
    return page_answer(found.document, given, facts)


async def _read_url(door: Door, given: args.ReadUrl) -> Answer:
    return page_answer(await read_fetched(door, given.url, given.render), given, {})


def _outline(door: Door, given: args.OneVersion) -> Answer:
    return Answer(outline_of(door.library.document(given.page, given.version)))


def _history(door: Door, given: args.History) -> Answer:
    found = door.library.history(given.page, limit=given.limit, cursor=given.cursor)
    return _listed(map(records.version, found), found.next_cursor, found.total)


def _compare(door: Door, given: args.Compare) -> Answer:
    pair = door.library.compare(given.page, given.from_version, given.to_version)
    diff = render_diff(pair.before.text, pair.after.text)
    data = pair.report.to_detailed() | {"text_diff": diff}
    return Answer(data, text=f"{pair.report.summary}\n\n{diff}")


def _changes(door: Door, given: args.Changes) -> Answer:
    found = door.library.changes(
        given.page or None,
        since=given.since,
        min_importance=given.min_importance,
        limit=given.limit,
        cursor=given.cursor,
    )
    return _listed(map(records.change, found), found.next_cursor, found.total)


def _prices(door: Door, given: args.OnePage) -> Answer:
    library = door.library
    return Answer(records.prices(library.prices(given.page), library.price_events(given.page)))


def _similar(door: Door, given: args.Similar) -> Answer:
    found = door.library.similar(given.page, limit=given.limit)
    items = [
        records.page(each.page) | {"is_duplicate": each.is_duplicate, "words": list(each.words)}
        for each in found
    ]
    return _listed(items, None, len(items), [each.page for each in found])


def _explain(door: Door, given: args.OneVersion) -> Answer:
    found = door.library.version(given.page, given.version)
    return Answer(results.explanation(found.document, found.info))


def _watches(door: Door, given: args.Nothing) -> Answer:
    found = door.library.watches()
    return _listed(map(records.watch, found), None, len(found))


async def _save(door: Door, given: args.Save) -> Answer:
    library = door.library
    await door.progress(0, 1, f"Fetching {given.url[:200]}")
    if given.html:
        saved = await asyncio.to_thread(
            library.save, given.url, content=given.html, tags=given.tags
        )
    else:
        saved = await library.save_async(given.url, tags=given.tags, render=given.render)
    if given.note:
        await asyncio.to_thread(library.note, saved, given.note)
    await door.progress(1, 1, "Saved")
    page = await asyncio.to_thread(library.get, saved)
    return Answer(results.save(saved), pages=[page])


def _annotate(door: Door, given: args.Annotate) -> Answer:
    library = door.library
    page = library.get(given.page)
    library.untag(page, *given.remove_tags)
    library.tag(page, *given.add_tags)
    if given.note:
        library.note(page, given.note)
    notes = [records.note(note) for note in library.notes(page)]
    return Answer(records.page(library.get(page), library.tags(page)) | {"notes": notes})


def _watch(door: Door, given: args.Watch) -> Answer:
    chosen: dict[str, Any] = {
        name: value
        for name, value in given.model_dump(exclude_unset=True, exclude={"url", "name"}).items()
        if value not in (None, "", [])
    }
    choices: WatchChoices = chosen  # pyright: ignore[reportAssignmentType]  the names are its keys
    watch, is_new = door.library.add_watch(given.url, name=given.name, **choices)
    return Answer(records.watch(watch) | {"is_new": is_new})


def _check(door: Door, given: args.OneWatch) -> Answer:
    watch = door.library.get_watch(given.watch)
    [checked] = door.library.check(watch, notify=False)
    found = checked.finding
    if found is None:
        return Answer(results.check(checked))
    return Answer(results.check(checked, found.report, found.prices.events))


def _pause(door: Door, given: args.Pause) -> Answer:
    library = door.library
    watch = library.get_watch(given.watch)
    [now] = library.resume(watch) if given.resume else library.pause(watch)
    return Answer(records.watch(now))


TOOLS: dict[str, Tool] = {
    "read_url": Tool(
        description="Read a page of the web as clean Markdown, in parts; nothing is kept.",
        scope="save",  # it makes this server ask another, as saving does
        takes=args.ReadUrl,
        gives=READING,
        act=_read_url,
        fetches=True,
    ),
    "search_library": Tool(
        description="Search the text of all saved pages, best first.",
        scope="read",
        takes=args.Search,
        gives=_list_of(PAGE),
        act=_here(_search),
    ),
    "list_pages": Tool(
        description="List saved pages, newest first, by tag, site, date and more.",
        scope="read",
        takes=args.ListPages,
        gives=_list_of(PAGE),
        act=_here(_list),
    ),
    "read_page": Tool(
        description="Read a saved page as Markdown: head, outline and text, in parts; or one"
        " section, or the place where words stand.",
        scope="read",
        takes=args.ReadPage,
        gives=READING,
        act=_here(_read),
    ),
    "page_outline": Tool(
        description="The sections of a saved page, with their numbers and lengths.",
        scope="read",
        takes=args.OneVersion,
        gives=_shape(title=_TEXT, outline={"type": "array"}, total_chars=_NUMBER),
        act=_here(_outline),
    ),
    "page_history": Tool(
        description="The versions of a saved page, newest first.",
        scope="read",
        takes=args.History,
        gives=_list_of(_shape(number=_NUMBER, fetched_at=_TEXT)),
        act=_here(_history),
    ),
    "compare_versions": Tool(
        description="What changed between two versions of a page, and whether it matters.",
        scope="read",
        takes=args.Compare,
        gives=_shape(summary=_TEXT, changes=_OBJECT, version=_OBJECT, text_diff=_TEXT),
        act=_here(_compare),
    ),
    "list_changes": Tool(
        description="Changes of watched pages, newest first, with summaries and importance.",
        scope="read",
        takes=args.Changes,
        gives=_list_of(_shape(id=_TEXT, page_id=_NUMBER, summary=_TEXT, importance={})),
        act=_here(_changes),
    ),
    "price_history": Tool(
        description="The prices of a page over time, and what happened to them.",
        scope="read",
        takes=args.OnePage,
        gives=_shape(items={"type": "array"}, events={"type": "array"}),
        act=_here(_prices),
    ),
    "find_similar": Tool(
        description="Saved pages like one: with nearly the same text, or shared words.",
        scope="read",
        takes=args.Similar,
        gives=_list_of(PAGE),
        act=_here(_similar),
    ),
    "explain_page": Tool(
        description="Where each field of a page came from, and how it was fetched and read.",
        scope="read",
        takes=args.OneVersion,
        gives=_shape(version=_OBJECT),
        act=_here(_explain),
    ),
    "list_watches": Tool(
        description="List watches: what is checked, how often, and how it went.",
        scope="read",
        takes=args.Nothing,
        gives=_list_of(WATCH),
        act=_here(_watches),
    ),
    "save_page": Tool(
        description="Save a page to the library; saving it again adds a version if it changed.",
        scope="save",
        takes=args.Save,
        gives=_shape(success={"type": "boolean"}, id=_NUMBER, version=_NUMBER, outcome=_TEXT),
        act=_save,
        changes=True,
        fetches=True,
    ),
    "annotate_page": Tool(
        description="Add or remove tags of a saved page, or add a note.",
        scope="write",
        takes=args.Annotate,
        gives=PAGE,
        act=_here(_annotate),
        changes=True,
    ),
    "watch_page": Tool(
        description="Watch a page: it is checked regularly, and changes that matter are kept.",
        scope="watch",
        takes=args.Watch,
        gives=WATCH,
        act=_here(_watch),
        changes=True,
        fetches=True,
    ),
    "check_watch": Tool(
        description="Check a watch now and say what changed.",
        scope="watch",
        takes=args.OneWatch,
        gives=_shape(success={"type": "boolean"}, outcome=_TEXT, url=_TEXT),
        act=_here(_check),
        changes=True,
        fetches=True,
    ),
    "pause_watch": Tool(
        description="Stop checking a watch, or resume it.",
        scope="watch",
        takes=args.Pause,
        gives=WATCH,
        act=_here(_pause),
        changes=True,
    ),
}


def tools_for(door: Door) -> dict[str, Tool]:
    """The tools that somebody may use."""
    return {
        name: tool
        for name, tool in TOOLS.items()
        if tool.scope in door.scopes and not (door.read_only and tool.changes)
    }
