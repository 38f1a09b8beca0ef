"""The registry of sources: who they are, how to read them, and how far they can be relied on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pageloom.core.normalize.urls import domain_of
from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.times import later, now
from pageloom.edges.store.users import ensure_user
from pageloom.errors import (
    EmptyContent,
    InvalidUrl,
    NoContentFound,
    NotAnArticle,
    PageloomError,
    ParseError,
    ParseTimeout,
)
from pageloom.model.library import Source

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row

WEIGHT = 0.1
"""How much the last outcome counts in the mean."""
PATIENCE = 3
"""Parse failures in a row from which on each counts against the source."""


_COLUMNS = tuple(Source.__dataclass_fields__)
_JSON = ("feeds", "hints", "state")
_GIVEN = ("name", "site", "feeds", "language", "timezone", "hints", "proxy", "poll_every")


def put_source(store: Store, owner: str, source: Source) -> bool:
    """Add a source, or change one; what was learnt of it stays. Whether it is new."""
    values = asdict(source)
    given = [_written(name, values[name]) for name in _GIVEN]

    def put(tx: Tx) -> bool:
        ensure_user(tx, owner)
        changes = ", ".join(f"{name} = ?" for name in _GIVEN)
        changed = tx.run(
            f"UPDATE sources SET {changes}, updated_at = ?, next_poll = coalesce(next_poll, ?)"
            " WHERE owner = ? AND id = ?",
            *given,
            now(),
            now() if source.feeds else None,
            owner,
            source.id,
        )
        if not changed:
            _insert(tx, owner, source)
        return not changed

    return store.transact(put)


def _insert(tx: Tx, owner: str, source: Source) -> None:
    values = asdict(source)
    values["next_poll"] = source.next_poll or (now() if source.feeds else None)
    marks = ", ".join("?" * (len(_COLUMNS) + 3))
    tx.run(
        f"INSERT INTO sources (owner, created_at, updated_at, {', '.join(_COLUMNS)})"
        f" VALUES ({marks})",
        owner,
        now(),
        now(),
        *(_written(name, values[name]) for name in _COLUMNS),
    )


def _written(name: str, value: Any) -> Any:
    return write_json(value) if name in _JSON else value


def list_sources(store: Store, owner: str, *, min_reliability: float = 0.0) -> list[Source]:
    """The sources of an owner, the most reliable first."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {', '.join(_COLUMNS)} FROM sources WHERE owner = ? AND reliability >= ?"
            " ORDER BY reliability DESC, id",
            owner,
            min_reliability,
        )
    return [_as_source(row) for row in rows]


def get_source(store: Store, owner: str, id_: str) -> Source | None:
    """The source of that name."""
    with store.read() as tx:
        row = tx.one(
            f"SELECT {', '.join(_COLUMNS)} FROM sources WHERE owner = ? AND id = ?", owner, id_
        )
    return _as_source(row) if row else None


def remove_source(store: Store, owner: str, id_: str) -> bool:
    """Remove a source; its pages stay. Whether there was one."""
    sql = "DELETE FROM sources WHERE owner = ? AND id = ?"
    return store.transact(lambda tx: tx.run(sql, owner, id_) == 1)


def source_of(store: Store, owner: str, url: str) -> Source | None:
    """The source that a page belongs to, by its host: the nearest one."""
    try:
        labels = domain_of(url).split(".")
    except InvalidUrl:
        return None
    hosts = [".".join(labels[start:]) for start in range(len(labels))][:10]
    marks = ", ".join("?" * len(hosts))
    with store.read() as tx:
        row = tx.one(
            f"SELECT {', '.join(_COLUMNS)} FROM sources WHERE owner = ? AND site IN ({marks})"
            " ORDER BY length(site) DESC, id LIMIT 1",
            owner,
            *hosts,
        )
    return _as_source(row) if row else None


def due_sources(store: Store, owner: str, at: str) -> list[Source]:
    """The sources whose feeds are to be looked at now."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {', '.join(_COLUMNS)} FROM sources WHERE owner = ? AND next_poll <= ?"
            " ORDER BY next_poll, id",
            owner,
            at,
        )
    return [_as_source(row) for row in rows if read_json(row["feeds"])]


def claim_source(store: Store, *, seconds: float) -> tuple[str, Source] | None:
    """The source, of any owner, whose feeds have waited longest; None when none is due.

    Nobody else gets it for these seconds: who polls it says by ``note_poll`` when it is due next.
    """

    def claim(tx: Tx) -> tuple[str, Source] | None:
        at = now()
        skip = " FOR UPDATE SKIP LOCKED" if tx.dialect == "postgres" else ""
        row = tx.one(
            f"SELECT owner, {', '.join(_COLUMNS)} FROM sources WHERE next_poll <= ?"
            f" ORDER BY next_poll, owner, id LIMIT 1{skip}",
            at,
        )
        if row is None:
            return None
        owner = row.pop("owner")
        until = later(at, seconds) if read_json(row["feeds"]) else None
        sql = "UPDATE sources SET next_poll = ? WHERE owner = ? AND id = ?"
        tx.run(sql, until, owner, row["id"])
        return owner, _as_source(row)

    return store.transact(claim)


def note_poll(store: Store, owner: str, source: Source, state: dict[str, Any]) -> None:
    """The feeds of a source were looked at."""
    at = now()
    store.transact(
        lambda tx: tx.run(
            "UPDATE sources SET state = ?, last_polled_at = ?, next_poll = ?"
            " WHERE owner = ? AND id = ?",
            write_json(state),
            at,
            later(at, source.poll_every),
            owner,
            source.id,
        )
    )


def outcome_of(error: PageloomError) -> str:
    """What a page that failed says of its source; nothing for a server that is down."""
    if isinstance(error, EmptyContent | NoContentFound | NotAnArticle):
        return "unrecoverable"
    return "parse" if isinstance(error, ParseError | ParseTimeout) else ""


def note_outcome(tx: Tx, owner: str, id_: str, outcome: str) -> None:
    """What came of a page of a source moves its reliability.

    Args:
        tx: the transaction.
        owner: whose registry.
        id_: the source.
        outcome: ``success``; ``unrecoverable`` (empty, not an article); ``parse`` (counts from the
            third in a row on); anything else, such as a server that is down, counts for nothing.
    """
    row = tx.one(
        "SELECT reliability, failures_in_row FROM sources WHERE owner = ? AND id = ?"
        + tx.for_update(),
        owner,
        id_,
    )
    if row is None or outcome not in {"success", "unrecoverable", "parse"}:
        return
    in_row = 0 if outcome == "success" else row["failures_in_row"] + (outcome == "parse")
    counts = outcome != "parse" or in_row >= PATIENCE
    reliability = row["reliability"]
    if counts:
        reliability += WEIGHT * ((outcome == "success") - reliability)
    tx.run(
        "UPDATE sources SET reliability = ?, failures_in_row = ?, successes = successes + ?,"
        " errors = errors + ? WHERE owner = ? AND id = ?",
        reliability,
        in_row,
        int(outcome == "success"),
        int(outcome != "success"),
        owner,
        id_,
    )


def _as_source(row: Row) -> Source:
    known = dict(row)
    for name in _JSON:
        known[name] = read_json(known[name])
    known["feeds"] = tuple(known["feeds"])
    return Source(**known)
