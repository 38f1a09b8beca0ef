"""What of a watched page never matters, and what always does: chosen by people, tried on the past.

A place of a page is named by the key of its blocks (``BlockChange.key``). A watch that looks at
chosen parts has no places of its own: there, a pattern of the text is ignored in their stead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pageloom.core.compare.change import diff
from pageloom.edges.store.changes import list_changes
from pageloom.edges.store.tracks import TrackState, read_track, write_track_state
from pageloom.edges.store.versions import version
from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.flows.watch.policy import masked, policy_of, why_filtered
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from pageloom.core.compare.options import DiffOptions
    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.watch.policy import WatchPolicy
    from pageloom.model.library import Change
    from pageloom.model.watch import Watch, WatchSettings

Matters = Literal["never", "always", "usual"]
_KEY = re.compile(r"[0-9a-f]{8}")
_PAST = 20
"""So many changes are compared again, the last ones."""
_LONGEST_PATTERN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class PastChange:
    """A change that was found, and whether it would be with other settings."""

    change: Change
    counts: bool


def set_matters(store: Store, watch: Watch, key: str, matters: Matters) -> None:
    """Say of a place that it never matters, that it always does, or neither.

    Raises:
        InvalidArgument: that is not the key of a place, or the watch looks at chosen parts.
        NotInLibrary: the page was not checked yet.
    """
    if not _KEY.fullmatch(key):
        raise InvalidArgument(f"{key[:40]!r} is not the key of a part of this page.")
    if watch.settings.scope and matters == "never":
        raise InvalidArgument(
            "Parts cannot be muted on a watch that has a scope.",
            suggestions=("Ignore text by a pattern (ignore_text), or change the scope.",),
        )
    page_id = watch.state.page_id

    def change(tx: Tx) -> None:
        track = read_track(tx, page_id, watch.track) if page_id else None
        if page_id is None or track is None:
            raise NotInLibrary(f"Watch {watch.id} has not checked its page yet.", suggestions=())
        state = with_matters(track.state, key, matters)
        write_track_state(tx, page_id, watch.track, state)

    store.transact(change)


def with_matters(state: TrackState, key: str, matters: Matters) -> TrackState:
    """The state of a track in which a place matters in another way."""
    muted = [each for each in state.muted if each != key] + [key] * (matters == "never")
    always = [each for each in state.always if each != key] + [key] * (matters == "always")
    return replace(state, muted=tuple(muted), always=tuple(always))


def state_of(store: Store, watch: Watch) -> TrackState:
    """What is known of the places of a watched page."""
    page_id = watch.state.page_id
    if page_id is None:
        return TrackState()
    with store.read() as tx:
        track = read_track(tx, page_id, watch.track)
    return track.state if track else TrackState()


def pattern_of(text: str) -> str:
    """The narrowest pattern that covers a text whatever its figures are; empty where it is long."""
    if not text.strip() or len(text) > _LONGEST_PATTERN:
        return ""
    return re.sub(r"\d+", r"\\d+", re.escape(text.strip()).replace(r"\ ", " "))


def try_on_past(
    store: Store, watch: Watch, settings: WatchSettings, state: TrackState, options: DiffOptions
) -> list[PastChange]:
    """The last changes of a watch, compared again as other settings would have compared them.

    Other parts of the page cannot be tried: what was stored are those that were chosen then.
    """
    page_id = watch.state.page_id
    if page_id is None:
        return []
    found = list_changes(store, watch.owner, page_id=page_id, track=watch.track, limit=_PAST)
    policy = policy_of(settings, watch.track, options)
    chosen = replace(policy.options, muted_blocks=state.muted, always_blocks=state.always)
    policy = replace(policy, options=chosen)
    return [PastChange(change=each, counts=_counts(store, each, policy)) for each in found]


def _counts(store: Store, change: Change, policy: WatchPolicy) -> bool:
    """Whether a change would be one; those whose versions are gone stay what they were."""
    first = change.baseline_version or change.from_version
    page = PageRef(change.owner, change.page_id)
    before = version(store, page, first, track=change.track) if first else None
    after = version(store, page, change.to_version, track=change.track)
    if before is None or after is None:
        return True
    old, new = (masked(each.document, policy.ignore_text) for each in (before, after))
    report = diff(old, new, policy.options)
    return report.has_changes and not why_filtered(report, policy)
