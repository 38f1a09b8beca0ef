"""Watches: their list, the editor with its preview, and what of a page matters."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Depends, Form, Query, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.apps.web.watch_form import WatchForm, in_words, shown_targets
from pageloom.errors import InvalidArgument, PageloomError
from pageloom.flows.watch.edit import Preview
from pageloom.flows.watch.matters import Matters, pattern_of
from pageloom.model.watch import Watch, WatchSettings
from pageloom.views.records import schedule, watch_ref

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Watches = Annotated[Ask, Depends(needs("watch"))]
Filled = Annotated[WatchForm, Form()]
_SHOWN_TEXT = 20_000


@routes.add("GET", "/watches", "read")
def watches_page(ask: Reads) -> Response:
    """All watches, with their health and their next check."""
    return _watches(ask)


def _watches(ask: Ask, status: int = 200, **values: Any) -> Response:
    known: dict[str, Any] = {"url": "", "every": "", "name": "", "trouble": None} | values
    return render(
        ask,
        "watches.html",
        status,
        place="watches",
        watches=ask.library.watches(),
        schedule=schedule,
        ref=watch_ref,
        default=ask.library.settings.watch.every,
        **known,
    )


@routes.add("POST", "/watches", "watch")
def add_watch(
    ask: Watches,
    url: Annotated[str, Form(max_length=4000)] = "",
    every: Annotated[str, Form(max_length=40)] = "",
    name: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Watch a page, with nothing chosen but how often."""
    try:
        ask.library.watch(url.strip(), name=name.strip(), every=every.strip() or None)
    except PageloomError as error:
        return _watches(ask, 422, url=url, every=every, name=name, trouble=error)
    return RedirectResponse(ask.site.link("/watches"), 303)


@routes.add("GET", "/watches/new", "watch")
def new_watch(
    ask: Watches,
    url: Annotated[str, Query(max_length=4000)] = "",
    price_below: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """The editor of a new watch."""
    settings = replace(ask.library.choose_settings(None, {}), zone=_zone(ask))
    form = WatchForm.of(None, settings)
    return _editor(ask, form.model_copy(update={"url": url, "price_below": price_below}), None)


def _zone(ask: Ask) -> str:
    return str(ask.user.preferences.get("zone") or ask.library.settings.watch.timezone)


@routes.add("GET", "/watches/{watch:int}", "read")
def watch_page(ask: Reads, watch: int) -> Response:
    """The editor of a watch."""
    found = ask.library.get_watch(watch)
    return _editor(ask, WatchForm.of(found, found.settings), found)


def _editor(
    ask: Ask, form: WatchForm, watch: Watch | None, status: int = 200, **values: Any
) -> Response:
    places = ask.library.places(watch) if watch else []
    state = ask.library.track_state(watch) if watch else None
    known: dict[str, Any] = {"trouble": None, "seen": None, "said": ""} | values
    return render(
        ask,
        "watch.html",
        status,
        place="watches",
        form=form,
        watch=watch,
        targets=shown_targets(watch),
        places=places,
        always=state.always if state else (),
        schedule=schedule,
        ref=watch_ref,
        **known,
    )


@routes.add("POST", "/watches/new", "watch")
def save_new(ask: Watches, form: Filled) -> Response:
    """Add the watch that was filled in."""
    try:
        made, is_new = ask.library.add_watch(
            form.url.strip(), name=form.name.strip(), **form.choices(None)
        )
    except PageloomError as error:
        return _editor(ask, form, None, 422, trouble=error)
    if not is_new:
        return RedirectResponse(ask.site.link(f"/watches/{made.id}"), 303)
    return RedirectResponse(ask.site.link("/watches"), 303)


@routes.add("POST", "/watches/{watch:int}/edit", "watch")
def save_watch(ask: Watches, watch: int, form: Filled) -> Response:
    """Change a watch; it is due at once."""
    known = ask.library.get_watch(watch)
    try:
        ask.library.edit_watch(known, name=form.name.strip(), **form.choices(known))
    except PageloomError as error:
        return _editor(ask, form.model_copy(update={"watch": watch}), known, 422, trouble=error)
    return RedirectResponse(ask.site.link("/watches"), 303)


@routes.add("POST", "/watches/preview", "watch")
async def preview(ask: Watches, form: Filled) -> Response:
    """What a watch with these settings would see now; nothing is kept."""
    known = await asyncio.to_thread(ask.library.get_watch, form.watch) if form.watch else None
    seen = await _see(ask, form, known)
    if ask.request.headers.get("hx-request") == "true":
        return await asyncio.to_thread(render, ask, "preview.html", seen=seen)
    return await asyncio.to_thread(_editor, ask, form, known, seen=seen)


async def _see(ask: Ask, form: WatchForm, watch: Watch | None) -> dict[str, Any]:
    """What the preview shows; where that fails, why."""
    empty: dict[str, Any] = {"trouble": None, "preview": None, "times": [], "past": [], "now": []}
    url = watch.url_full if watch else form.url.strip()
    if not url:
        return empty
    try:
        chosen = await asyncio.to_thread(_settings, ask, form, watch)
        times = ask.library.next_checks(chosen)
        captured = await ask.site.previews.capture(ask, url, chosen)
        shown = await asyncio.to_thread(ask.library.read_for_preview, captured, url, chosen)
        past = await asyncio.to_thread(_past, ask, watch, chosen)
    except PageloomError as error:
        return empty | {"trouble": error}
    return empty | past | _facts(shown, chosen) | {"preview": shown, "times": times}


def _settings(ask: Ask, form: WatchForm, watch: Watch | None) -> WatchSettings:
    return ask.library.choose_settings(watch, form.choices(watch))


def _past(ask: Ask, watch: Watch | None, chosen: WatchSettings) -> dict[str, Any]:
    """What the settings would have made of the last changes, and what today's make of them."""
    if watch is None:
        return {}
    past = ask.library.try_on_past(watch, chosen)
    now = ask.library.try_on_past(watch) if past else []
    return {"past": past, "now": now}


def _facts(preview: Preview, chosen: WatchSettings) -> dict[str, Any]:
    document = preview.document
    return {
        "text": document.text[:_SHOWN_TEXT],
        "cut": len(document.text) > _SHOWN_TEXT,
        "words": in_words(chosen),
        "prices": [price.raw for price in document.price_candidates[:3]],
        "is_part": bool(chosen.scope),
    }


@routes.add("POST", "/watches/{watch:int}", "watch")
def act_on_watch(
    ask: Watches,
    watch: int,
    do: Annotated[Literal["pause", "resume", "check", "remove", "test"], Form()],
    stay: Annotated[bool, Form()] = False,
) -> Response:
    """Pause, resume, check or remove a watch; or send a test to its targets.

    With ``stay``, its editor says what came of it; otherwise the list of watches does.
    """
    library = ask.library
    found = library.get_watch(watch)
    if do == "test":
        return _send_tests(ask, found)
    said = {"pause": "Paused.", "resume": "It is checked again."}.get(do, "")
    if do == "check":
        [result] = ask.site.library.for_user(ask.who.owner).check(found, notify=False)
        said = f"Checked just now: {result.reason or result.outcome}"
    else:
        {"pause": library.pause, "resume": library.resume, "remove": library.remove_watch}[do](
            found
        )
    if not stay or do == "remove":
        return RedirectResponse(ask.site.link("/watches"), 303)
    now = library.get_watch(watch)
    return _editor(ask, WatchForm.of(now, now.settings), now, said=said)


def _send_tests(ask: Ask, watch: Watch) -> Response:
    form = WatchForm.of(watch, watch.settings)
    try:
        for target in watch.settings.targets:
            ask.library.notify_test(target)
    except PageloomError as error:
        return _editor(ask, form, watch, 422, trouble=error)
    number = len(watch.settings.targets)
    said = f"A test was sent to {number} target{'' if number == 1 else 's'}."
    return _editor(ask, form, watch, said=said)


@routes.add("GET", "/watches/{watch:int}/matters", "read")
def matters_page(
    ask: Reads,
    watch: int,
    key: Annotated[str, Query(max_length=8)],
    how: Matters = "never",
    text: Annotated[str, Query(max_length=2000)] = "",
    back: Annotated[str, Query(max_length=400)] = "",
) -> Response:
    """What would follow if a place never, or always, mattered: tried on the changes so far."""
    found = ask.library.get_watch(watch)
    past = ask.library.try_on_past(found, key=key, matters=how)
    pattern = pattern_of(text) if how == "never" else ""
    by_text = []
    if pattern:
        ignored = (*found.settings.ignore_text, pattern)
        by_text = ask.library.try_on_past(found, replace(found.settings, ignore_text=ignored))
    return render(
        ask,
        "matters.html",
        place="watches",
        watch=found,
        key=key,
        how=how,
        text=text,
        past=past,
        pattern=pattern,
        by_text=by_text,
        back=back,
        has_places=not found.settings.scope,
    )


@routes.add("POST", "/watches/{watch:int}/matters", "watch")
def set_matters(
    ask: Watches,
    watch: int,
    how: Annotated[Matters, Form()],
    key: Annotated[str, Form(max_length=8)] = "",
    pattern: Annotated[str, Form(max_length=2000)] = "",
    back: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Keep that a place never or always matters, or ignore a pattern of the text."""
    from pageloom.apps.web.pages.entry import own_path

    found = ask.library.get_watch(watch)
    if pattern:
        ignored = [*found.settings.ignore_text, pattern]
        ask.library.edit_watch(found, ignore_text=ignored)
    elif key:
        ask.library.set_matters(found, key, how)
    else:
        raise InvalidArgument("Say what matters: a place, or a pattern.")
    path = own_path(back) if back else f"/watches/{found.id}"
    return RedirectResponse(ask.site.link(path), 303)
