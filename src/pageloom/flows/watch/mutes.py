"""Muted parts of a page, which differ on every check: listed, and unmuted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.edges.store.tracks import read_track, write_track_state
from pageloom.errors import NotInLibrary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.tracks import TrackState
    from pageloom.model.watch import Watch


def muted_blocks(store: Store, watch: Watch) -> dict[str, str]:
    """The muted parts of a watch, by key, with their text."""
    state = _state(store, watch)
    return {key: state.muted_texts.get(key, "") for key in state.muted} if state else {}


def _state(store: Store, watch: Watch) -> TrackState | None:
    if watch.state.page_id is None:
        return None
    with store.read() as tx:
        track = read_track(tx, watch.state.page_id, watch.track)
    return track.state if track else None


def unmute_blocks(store: Store, watch: Watch, keys: Sequence[str] = ()) -> list[str]:
    """Let parts count again, all of them where none is named; they are not muted a second time.

    Raises:
        NotInLibrary: a key that is not muted.
    """
    page_id = watch.state.page_id
    if page_id is None:
        return []

    def unmute(tx: Tx) -> list[str]:
        track = read_track(tx, page_id, watch.track)
        state = track.state if track else None
        if state is None:
            return []
        chosen = list(keys) or list(state.muted)
        for key in chosen:
            if key not in state.muted:
                raise NotInLibrary(f"Watch {watch.id} has no muted part {key[:40]}.")
        left = tuple(key for key in state.muted if key not in chosen)
        changed = replace(
            state,
            muted=left,
            muted_texts={key: state.muted_texts.get(key, "") for key in left},
            refused=tuple(dict.fromkeys((*state.refused, *chosen))),
            streaks={key: n for key, n in state.streaks.items() if key not in chosen},
        )
        write_track_state(tx, page_id, watch.track, changed)
        return chosen

    return store.transact(unmute)
