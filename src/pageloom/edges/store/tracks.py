"""Tracks: the version history of a page, or of one scope of it, and what its checks have learnt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.store.codec import pack_document, write_json
from pageloom.edges.store.versions import COLUMNS, as_info

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx
    from pageloom.model import Document
    from pageloom.model.library import VersionInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackState:
    """The memory of one track."""

    baseline: int | None = None
    """The version that was last notified; today's page is compared with it."""
    visits: int = 0
    """How many checks have been compared with the one before them."""
    moved: dict[str, int] = field(default_factory=dict[str, int])
    """By place of the page: in how many of these something differed there."""
    moved_texts: dict[str, str] = field(default_factory=dict[str, str])
    """What stood last in the places that move, for people."""
    muted: tuple[str, ...] = ()
    """Places that somebody does not want to hear of."""
    always: tuple[str, ...] = ()
    """Places of which somebody wants to hear everything."""
    pending: dict[str, str] = field(default_factory=dict[str, str])
    """Differences on weak evidence, with their texts: they are notified if they are still there at
    the next check."""
    known: tuple[int, ...] = ()
    """Versions that were notified, oldest first: going back to one is no news."""
    held: dict[str, Any] | None = None
    """A price too strange to be believed until it is seen again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A track as it was read: whoever writes to it later checks that it is still so."""

    page_id: int
    track: str
    last_number: int
    state: TrackState
    raw: str


_read_state = msgspec.json.Decoder(TrackState).decode


def page_id_of(tx: Tx, owner: str, key: str, *, lock: bool = False) -> int:
    """The number of the page at an address, 0 when there is none; locked if asked for."""
    query = "SELECT id FROM pages WHERE owner = ? AND url = ?"
    return tx.value(query + (tx.for_update() if lock else ""), owner, key) or 0


def read_track(tx: Tx, page_id: int, track: str) -> Track | None:
    """The track of that name; None before its first version."""
    row = tx.one(
        "SELECT last_number, state FROM tracks WHERE page_id = ? AND track = ?",
        page_id,
        track,
    )
    if row is None:
        return None
    raw = row["state"] or "{}"
    try:
        state = _read_state(raw)
    except msgspec.MsgspecError:
        state = TrackState()
    return Track(page_id=page_id, track=track, last_number=row["last_number"], state=state, raw=raw)


def write_track_state(tx: Tx, page_id: int, track: str, state: TrackState) -> None:
    """Remember something else of a track."""
    tx.run(
        "UPDATE tracks SET state = ? WHERE page_id = ? AND track = ?",
        write_json(state),
        page_id,
        track,
    )


def note_still(tx: Tx, page_id: int, track: str) -> None:
    """Nothing differed this time: one more visit on which every place was still."""
    known = read_track(tx, page_id, track)
    if known is not None:
        state = replace(known.state, visits=known.state.visits + 1, pending={})
        write_track_state(tx, page_id, track, state)


def version_at(tx: Tx, page_id: int, track: str, number: int) -> VersionInfo | None:
    """The version of that number, or the newest older one that still has its Document."""
    row = tx.one(
        "SELECT " + COLUMNS + " FROM versions WHERE page_id = ? AND track = ? AND number <= ?"
        " AND document IS NOT NULL ORDER BY number DESC LIMIT 1",
        page_id,
        track,
        number,
    )
    return as_info(row) if row else None


def replace_document(
    tx: Tx, page_id: int, track: str, number: int, document: Document, rules_version: str
) -> None:
    """Replace the Document of a version by today's reading; number, original and times stay."""
    tx.run(
        "UPDATE versions SET document = ?, snapshot_hash = ?, change_hash = ?,"
        " content_hash = ?, parser_version = ?, rules_version = ?, quality = ?, word_count = ?"
        " WHERE page_id = ? AND track = ? AND number = ?",
        pack_document(document),
        document.snapshot_hash,
        document.change_hash,
        document.content_hash,
        document.provenance.parser_version,
        rules_version,
        document.quality_score,
        document.word_count,
        page_id,
        track,
        number,
    )
