"""Places of a page that move by themselves: listed, muted and unmuted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.edges.store.tracks import TrackState, read_track, write_track_state
from pageloom.errors import NotInLibrary
from pageloom.model.watch import LivingPlace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.watch import Watch


def living_places(store: Store, watch: Watch) -> list[LivingPlace]:
    """The places of a page that move by themselves, and those that are muted."""
    state = _state(store, watch)
    if state is None:
        return []
    keys = [key for key, times in state.moved.items() if times > 1]
    keys += [key for key in state.muted if key not in keys]
    places = [
        LivingPlace(
            key=key,
            moved=state.moved.get(key, 0),
            visits=state.visits,
            text=state.moved_texts.get(key, ""),
            muted=key in state.muted,
        )
        for key in keys
    ]
    return sorted(places, key=lambda place: -place.moved)


def pending_evidence(store: Store, watch: Watch) -> list[str]:
    """The texts of differences that wait for the next check."""
    state = _state(store, watch)
    return list(state.pending.values()) if state else []


def _state(store: Store, watch: Watch) -> TrackState | None:
    if watch.state.page_id is None:
        return None
    with store.read() as tx:
        track = read_track(tx, watch.state.page_id, watch.track)
    return track.state if track else None


def mute_places(store: Store, watch: Watch, keys: Sequence[str], *, muted: bool) -> list[str]:
    """Mute places of a page, or let them count again; all that are muted where none is named.

    Raises:
        NotInLibrary: a key that is not known of the page.
    """
    page_id = watch.state.page_id
    if page_id is None:
        return []

    def change(tx: Tx) -> list[str]:
        track = read_track(tx, page_id, watch.track)
        state = track.state if track else TrackState()
        known = {*state.moved, *state.muted} if muted else {*state.muted}
        chosen = list(keys) or list(state.muted)
        for key in chosen:
            if key not in known:
                kind = "part" if muted else "muted part"
                raise NotInLibrary(
                    f"Watch w{watch.id} has no {kind} {key[:40]}.",
                    suggestions=(f"List the keys with pageloom watch show w{watch.id}.",),
                )
        left = [key for key in state.muted if key not in chosen]
        now = tuple(dict.fromkeys((*left, *chosen))) if muted else tuple(left)
        write_track_state(tx, page_id, watch.track, replace(state, muted=now))
        return chosen

    return store.transact(change)
