"""Watches, and the changes that they found."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Depends, Query, Response

from pageloom.apps.web.api.answers import api_routes, json_answer, list_answer, require_match
from pageloom.apps.web.api.bodies import PlaceBody, WatchBody, WatchSettingsBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.query_params import Cursor, Limit, Since
from pageloom.flows.watch.edit import WatchChoices
from pageloom.model.library import ChangeSort
from pageloom.views import records, results

routes = api_routes("watches and changes")
Reads = Annotated[Ask, Depends(needs("read"))]
Watches = Annotated[Ask, Depends(needs("watch"))]


def _choices(body: WatchSettingsBody) -> WatchChoices:
    """What was said of the settings, and nothing else."""
    chosen: dict[str, Any] = {
        name: value
        for name, value in body.model_dump(exclude_unset=True, exclude={"url", "name"}).items()
        if value is not None
    }
    return chosen  # pyright: ignore[reportReturnType]  the names are those of its keys


@routes.add("GET", "/watches", "read", summary="List watches")
def list_watches(ask: Reads) -> Response:
    """All watches, oldest first."""
    found = ask.library.watches()
    return list_answer(ask, map(records.watch, found), None, len(found), exact=True)


@routes.add(
    "POST",
    "/watches",
    "watch",
    summary="Watch a page",
    status_code=201,
    responses={200: {"description": "It was watched before."}},
)
def add_watch(ask: Watches, body: WatchBody) -> Response:
    """Watch a page; the watch that is there for the same page and scope is never changed."""
    watch, is_new = ask.library.add_watch(body.url, name=body.name or "", **_choices(body))
    location = {"Location": ask.site.link(f"/api/v1/watches/{watch.id}")}
    return json_answer(records.watch(watch), 201 if is_new else 200, headers=location)


@routes.add("GET", "/watches/{watch}", "read", summary="One watch")
def get_watch(ask: Reads, watch: int) -> Response:
    """A watch with its settings and its state."""
    return json_answer(records.watch(ask.library.get_watch(watch)), ask=ask)


@routes.add("PATCH", "/watches/{watch}", "watch", summary="Change a watch")
def edit_watch(ask: Watches, watch: int, body: WatchSettingsBody) -> Response:
    """Change settings; what is not named stays. It is due at once."""
    known = ask.library.get_watch(watch)
    require_match(ask, records.watch(known))
    changed = ask.library.edit_watch(known, name=body.name, **_choices(body))
    return json_answer(records.watch(changed), ask=ask)


@routes.add("DELETE", "/watches/{watch}", "watch", summary="Remove a watch", status_code=204)
def remove_watch(ask: Watches, watch: int) -> Response:
    """Stop watching; the versions and changes that were found stay."""
    ask.library.remove_watch(watch)
    return Response(None, 204)


@routes.add("POST", "/watches/{watch}/pause", "watch", summary="Pause a watch")
def pause_watch(ask: Watches, watch: int) -> Response:
    """Stop checking until it is resumed."""
    return json_answer(records.watch(ask.library.pause(watch)[0]))


@routes.add("POST", "/watches/{watch}/resume", "watch", summary="Resume a watch")
def resume_watch(ask: Watches, watch: int) -> Response:
    """Check a paused watch again."""
    return json_answer(records.watch(ask.library.resume(watch)[0]))


@routes.add("POST", "/watches/{watch}/check", "watch", summary="Check a watch now")
def check_watch(ask: Watches, watch: int) -> Response:
    """Fetch the page and compare it; a page that cannot be fetched is an outcome, not an error."""
    [checked] = ask.site.library.for_user(ask.who.owner).check(watch, notify=False)
    found = checked.finding
    if found is None:
        return json_answer(results.check(checked))
    return json_answer(results.check(checked, found.report, found.prices.events))


@routes.add("POST", "/watches/preview", "watch", summary="What a watch would see now")
async def preview(ask: Watches, body: WatchBody) -> Response:
    """The page as a watch with these settings would compare it; nothing is kept."""
    chosen = await asyncio.to_thread(ask.library.choose_settings, None, _choices(body))
    captured = await ask.site.previews.capture(ask, body.url, chosen)
    seen = await asyncio.to_thread(ask.library.read_for_preview, captured, body.url, chosen)
    times = ask.library.next_checks(chosen)
    return json_answer(results.preview(seen, chosen.scope) | {"next_checks": times})


@routes.add("POST", "/watches/{watch}/backtest", "watch", summary="Try settings on the past")
def backtest(ask: Watches, watch: int, body: WatchSettingsBody) -> Response:
    """The last changes of a watch, and which of them other settings would have found."""
    known = ask.library.get_watch(watch)
    chosen = ask.library.choose_settings(known, _choices(body))
    items = [results.past(each) for each in ask.library.try_on_past(known, chosen)]
    return json_answer({"items": items})


@routes.add("GET", "/watches/{watch}/places", "read", summary="Parts that change by themselves")
def list_places(ask: Reads, watch: int) -> Response:
    """The parts of a page that change by themselves, and which never or always matter."""
    known = ask.library.get_watch(watch)
    state = ask.library.track_state(known)
    items = [records.place(place) for place in ask.library.places(known)]
    answer = {"items": items, "never": list(state.muted), "always": list(state.always)}
    return json_answer(answer, ask=ask)


@routes.add("POST", "/watches/{watch}/places", "watch", summary="Say what matters")
def set_place(ask: Watches, watch: int, body: PlaceBody) -> Response:
    """Say of a part (`key` of a block in a report) that it never or always matters."""
    known = ask.library.get_watch(watch)
    ask.library.set_matters(known, body.key, body.matters)
    state = ask.library.track_state(known)
    return json_answer({"never": list(state.muted), "always": list(state.always)})


@routes.add("GET", "/changes", "read", summary="List changes")
def list_changes(
    ask: Reads,
    page: Annotated[str | None, Query(max_length=4000)] = None,
    watch: Annotated[int | None, Query(ge=1)] = None,
    since: Since = "",
    notified: bool | None = None,
    min_importance: Annotated[float, Query(ge=0, le=1)] = 0.0,
    unread: bool = False,
    sort: ChangeSort = "newest",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """The changes that checks found, newest or most important first."""
    found = ask.library.changes(
        page,
        watch=watch,
        since=since,
        notified=notified,
        min_importance=min_importance,
        unread=unread,
        sort=sort,
        limit=limit,
        cursor=cursor,
    )
    return list_answer(ask, map(records.change, found), found.next_cursor, found.total, exact=True)


@routes.add("GET", "/changes/{change}", "read", summary="One change")
def get_change(ask: Reads, change: str) -> Response:
    """One change with its report."""
    return json_answer(records.change(ask.library.get_change(change)), ask=ask)
