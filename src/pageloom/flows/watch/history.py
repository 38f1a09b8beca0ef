"""What the library knows of a page before it is compared, read in today's way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.prices import series_in
from pageloom.edges.store.times import now
from pageloom.edges.store.tracks import Track, TrackState, page_id_of, read_track, version_at
from pageloom.edges.store.versions import version
from pageloom.errors import InternalError, PageloomError, StorageError
from pageloom.flows.capture.foreign_documents import is_imported
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.saving import Prepared
    from pageloom.model import Document
    from pageloom.model.library import StoredPrice, VersionInfo

Reread = Callable[[bytes, "VersionInfo"], "Document"]
"""Reads an original with today's parser, rules and scope."""

_SERIES = 5_000
_OLDEST = 20
"""So many versions are tried before all are taken to be damaged."""


@dataclass(slots=True, kw_only=True)
class PageHistory:
    """One track of a page as it was read; Documents are loaded when they are asked for."""

    read_at: str = ""
    """When it was read from the library."""
    page_id: int = 0
    track: Track | None = None
    latest: VersionInfo | None = None
    """The newest version that can be read."""
    baseline_info: VersionInfo | None = None
    series: tuple[StoredPrice, ...] = ()
    unreadable: str = ""
    """Why the baseline cannot be compared with; empty when it can."""
    reread: dict[int, Document] = field(default_factory=dict[int, "Document"])
    """Versions that were read again, by number."""
    load_stored: Callable[[int], Document | None] = lambda _: None
    loaded: dict[int, Document | None] = field(default_factory=dict[int, "Document | None"])

    @property
    def state(self) -> TrackState:
        """What was learnt so far."""
        return self.track.state if self.track else TrackState()

    @property
    def last_number(self) -> int:
        """The highest number that was given."""
        return self.track.last_number if self.track else 0

    @property
    def baseline_is_latest(self) -> bool:
        """Whether the last version is also the baseline."""
        known = self.latest and self.baseline_info
        return bool(known and self.latest and self.latest.number == known.number)

    def load(self, number: int) -> Document | None:
        """A version's Document, read in today's way where it was read again."""
        if number in self.reread:
            return self.reread[number]
        if number not in self.loaded:
            self.loaded[number] = self.load_stored(number)
        return self.loaded[number]

    def is_damaged(self) -> bool:
        """Whether neither the baseline nor a version before it can be read."""
        return self._readable() is None

    def baseline(self) -> Document:
        """What was last notified; where that is damaged, the newest readable version before it.

        Raises:
            InternalError: there is none; ask ``is_damaged`` first.
        """
        found = self._readable()
        if found is None:
            raise InternalError("The version of the last notification cannot be read.")
        return found

    def last(self) -> Document:
        """What the last check saw; where that is damaged, the baseline."""
        found = self.load(self.latest.number) if self.latest else None
        return found or self.baseline()

    def is_same(self, document: Document) -> bool:
        """Whether the hashes alone say that nothing changed since the last check."""
        if self.latest is None or not document.change_hash:
            return False
        again = self.reread.get(self.latest.number)
        return document.change_hash == (again.change_hash if again else self.latest.change_hash)

    def has_snapshot(self, document: Document) -> bool:
        """Whether the last check saw the very same snapshot."""
        if self.latest is None:
            return False
        again = self.reread.get(self.latest.number)
        return document.snapshot_hash == (again or self.latest).snapshot_hash

    def _readable(self) -> Document | None:
        newest = self.baseline_info.number if self.baseline_info else 0
        numbers = range(newest, max(newest - _OLDEST, 0), -1)
        return next((found for number in numbers if (found := self.load(number))), None)


def load_history(
    store: Store,
    owner: str,
    ready: Prepared,
    track: str,
    reread: Reread | None,
) -> PageHistory:
    """What is known of the page that a Document belongs to."""
    with store.read() as tx:
        history = _read(tx, owner, ready.key, track)
    if history.latest is None:
        return history
    # Not through the history itself: what refers to itself is not let go of at once.
    page = PageRef(owner, history.page_id)
    history.load_stored = lambda number: _load(store, page, number, track)
    _bring_up_to_date(store, page, history, ready, reread)
    return history


def _read(tx: Tx, owner: str, key: str, track: str) -> PageHistory:
    page_id = page_id_of(tx, owner, key)
    if not page_id:
        return PageHistory(read_at=now())
    known = read_track(tx, page_id, track)
    history = PageHistory(read_at=now(), page_id=page_id, track=known)
    if known is None:
        return history
    history.latest = version_at(tx, page_id, track, known.last_number)
    wanted = known.state.baseline
    history.baseline_info = (
        history.latest
        if wanted is None
        else version_at(tx, page_id, track, wanted) or history.latest
    )
    history.series = tuple(series_in(tx, page_id, track=track, limit=_SERIES))
    return history


def _bring_up_to_date(
    store: Store,
    page: PageRef,
    history: PageHistory,
    ready: Prepared,
    reread: Reread | None,
) -> None:
    """Extract again what another parser or other rules extracted: an upgrade is never a change."""
    today = (ready.document.provenance.parser_version, ready.rules_version)
    infos = {info.number: info for info in (history.latest, history.baseline_info) if info}
    for number, info in infos.items():
        if (info.parser_version, info.rules_version) == today:
            continue
        again = _read_again(store, page, info, reread)
        if again is None:
            history.unreadable = (
                "made by another parser or other rules, and its original was deleted"
            )
            return
        history.reread[number] = again


def _read_again(
    store: Store,
    page: PageRef,
    info: VersionInfo,
    reread: Reread | None,
) -> Document | None:
    body = read_body(store, page, info.body_hash) if info.body_hash and reread else None
    if body is None or reread is None:
        return None
    stored = _load(store, page, info.number, info.track)
    if stored and is_imported(stored):
        return stored  # no parser of ours cleaned it, so none would clean it otherwise
    try:
        return reread(body, info)
    except StorageError:
        raise
    except PageloomError:
        return None  # today's parser makes nothing of it


def _load(store: Store, page: PageRef, number: int, track: str) -> Document | None:
    try:
        found = version(store, page, number, track=track)
    except StorageError as error:
        if error.retryable:
            raise
        return None  # damaged: the caller goes on without it
    return found.document if found else None
