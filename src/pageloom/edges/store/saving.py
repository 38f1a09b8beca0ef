"""A Document becomes a page of the library, and a version of it.

``prepare`` does what costs time (compressing, cutting words) before the transaction; ``save_in``
is what happens inside one, so that others can keep a version and what follows from it together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from pageloom.core.normalize.urls import domain_of, url_key
from pageloom.core.render.frontmatter import markdown_page
from pageloom.edges.store.bodies import body_hash, insert_body
from pageloom.edges.store.codec import keepable, pack, pack_document, read_json, write_json
from pageloom.edges.store.events import record_event
from pageloom.edges.store.highlights import follow_highlights
from pageloom.edges.store.identity import add_alias, key_of
from pageloom.edges.store.pages import host_key
from pageloom.edges.store.search_terms import refresh_own, write_findable
from pageloom.edges.store.tags import add_tags, tags_in
from pageloom.edges.store.times import now, stamp
from pageloom.edges.store.users import ensure_user
from pageloom.edges.store.words import Findable, make_findable
from pageloom.model.library import Saved
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from typing import Any

    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model import Document, Moment
    from pageloom.model.capture import Capture

GOOD = 60
POOR = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A Document ready to be kept."""

    document: Document
    key: str
    packed: bytes
    findable: Findable
    body: bytes | None
    """Compressed."""
    body_hash: str | None
    body_size: int
    content_type: str
    status: int | None
    used_js: bool
    fetched_at: str
    rules_version: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """What the server sent with it, without cookies."""


def prepare(captured: Capture, *, keep_original: bool = True) -> Prepared:
    """Everything about a page that can be made before a transaction.

    Args:
        captured: the Document, its original, and how they were obtained.
        keep_original: whether the original is stored too.

    Raises:
        InvalidUrl: the Document has no URL to be known by.
    """
    document = captured.document
    body = captured.body if keep_original else None
    return Prepared(
        document=document,
        key=url_key(document.final_url or document.url),
        packed=pack_document(document),
        findable=_findable(document),
        body=None if body is None else pack(body),
        body_hash=captured.body_hash or None if body is None else body_hash(body),
        body_size=0 if body is None else len(body),
        content_type=captured.content_type,
        status=captured.status,
        used_js=captured.used_browser,
        fetched_at=stamp(captured.fetched_at) or now(),
        rules_version=captured.rules_version,
        headers={name: text for name, text in captured.headers.items() if "cookie" not in name},
    )


def save_in(  # noqa: PLR0913  one argument for each thing that a caller may decide
    tx: Tx,
    owner: str,
    ready: Prepared,
    *,
    track: str = "",
    origin: str = "save",
    trivial: bool = False,
    keep_better: bool = True,
    always: bool = False,
    saved_at: str = "",
) -> Saved:
    """Save a prepared Document in a transaction of the caller's.

    Args:
        tx: the transaction; the page is locked in it until its end.
        owner: whose page it is.
        ready: from ``prepare``.
        track: the track of versions it belongs to.
        origin: who asked; ``save`` and ``import`` bring a deleted page back.
        trivial: mark the version as trivial.
        keep_better: refuse a result under 30 where one of at least 60 is kept.
        always: make a version even when the snapshot is that of the last.
        saved_at: when the user saved it, for a new page; now when left out.
    """
    page, is_new = _find_page(tx, owner, ready, saved_at)
    last = _last_version(tx, page["id"], track)
    if last and keep_better and is_worse(last["quality"], ready.document.quality_score):
        return _saved(page, last["number"], kept_old=True)
    if last and not always and last["snapshot_hash"] == ready.document.snapshot_hash:
        _see_again(tx, page, last, ready, track, revive=origin in _REVIVING)
        return _saved(page, last["number"])
    number = _add_version(tx, page["id"], track, ready, origin=origin, trivial=trivial)
    if not track:
        follow_highlights(tx, page["id"], ready.document, number)
        _update_page(tx, page, number, ready, revive=origin in _REVIVING)
    kind = "page.added" if is_new else "page.version"
    record_event(tx, owner, kind, page_id=page["id"], version=number, track=track, origin=origin)
    is_first = is_new or not (track or page["version"])  # nothing but its address was known
    return _saved(page, number, is_new=is_first, changed=last is not None)


_LEAD = 240
"""Characters of a page that lists show."""
_REVIVING = frozenset({"save", "import", "capture"})


def is_worse(old: int, new: int) -> bool:
    """Whether a result is so much poorer than what is there that it must not take its place."""
    return new < POOR and old >= GOOD


def _saved(
    page: Row, number: int, *, is_new: bool = False, changed: bool = False, kept_old: bool = False
) -> Saved:
    return Saved(
        page_id=page["id"],
        version=number,
        is_new=is_new,
        changed=changed,
        kept_old=kept_old,
        previous_version=number - 1 if changed else None,
    )


def _find_page(tx: Tx, owner: str, ready: Prepared, saved_at: str) -> tuple[Row, bool]:
    """The page that the Document belongs to, found by all its URLs, and whether it is new."""
    key = key_of(tx, owner, ready.key, ready.document)
    page, is_new = _find_or_add(tx, owner, replace(ready, key=key), saved_at)
    asked = url_key(ready.document.url) if ready.document.url else key
    for address in {ready.key, asked} - {key}:
        _take_in(tx, owner, address, page)
        add_alias(tx, owner, address, page["id"])
    return page, is_new


def _take_in(tx: Tx, owner: str, address: str, page: Row) -> None:
    """What the user noted on a bare address that turns out to lead to a page that is there."""
    bare = tx.one(
        "SELECT id, saved_at FROM pages WHERE owner = ? AND url = ? AND version = 0"
        " AND deleted_at IS NULL" + tx.for_update(),
        owner,
        address,
    )
    if bare is None:
        return
    tx.run("UPDATE notes SET page_id = ? WHERE page_id = ?", page["id"], bare["id"])
    add_tags(tx, PageRef(owner, page["id"]), tags_in(tx, bare["id"]))
    refresh_own(tx, page["id"])
    earlier = min(page["saved_at"], bare["saved_at"])
    tx.run("UPDATE pages SET saved_at = ? WHERE id = ?", earlier, page["id"])
    tx.run("DELETE FROM pages WHERE id = ?", bare["id"])
    record_event(tx, owner, "page.joined", page_id=page["id"], joined=bare["id"])


def _find_or_add(tx: Tx, owner: str, ready: Prepared, saved_at: str) -> tuple[Row, bool]:
    """The page, locked until the end of the transaction, and whether it is new."""
    query = "SELECT * FROM pages WHERE owner = ? AND url = ?" + tx.for_update()
    found = tx.one(query, owner, ready.key)
    if found:
        return found, False
    ensure_user(tx, owner)
    added = _add_page(tx, owner, ready, saved_at)
    page = tx.one(query, owner, ready.key)
    if page is None:
        raise RuntimeError("a page that was just added is not there")
    return page, added


def _add_page(tx: Tx, owner: str, ready: Prepared, saved_at: str) -> bool:
    document, at = ready.document, now()
    full = document.final_url or document.url
    made = tx.run(
        "INSERT INTO pages (uuid, owner, url, url_full, final_url, document_id, domain,"
        " host_key, title, title_sort, saved_at, created_at, updated_at, metadata)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}') ON CONFLICT (owner, url) DO NOTHING",
        str(uuid4()),
        owner,
        ready.key,
        document.url or full,
        full,
        document.id,
        domain_of(full),
        host_key(domain_of(full)),
        document.title,
        title_sort(document.title),
        stamp(saved_at) or at,
        at,
        at,
    )
    return made == 1


def _last_version(tx: Tx, page_id: int, track: str) -> Row | None:
    return tx.one(
        "SELECT v.id, v.number, v.snapshot_hash, v.quality FROM tracks l JOIN versions v"
        " ON v.page_id = l.page_id AND v.track = l.track AND v.number = l.last_number"
        " WHERE l.page_id = ? AND l.track = ?",
        page_id,
        track,
    )


def _see_again(tx: Tx, page: Row, last: Row, ready: Prepared, track: str, *, revive: bool) -> None:
    """The same as last time: only ``last_seen_at`` moves."""
    at = ready.fetched_at
    tx.run(
        "UPDATE versions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?",
        at,
        last["id"],
        at,
    )
    if not track:
        tx.run("UPDATE pages SET last_seen_at = ? WHERE id = ?", at, page["id"])
    if revive and page["deleted_at"]:
        tx.run("UPDATE pages SET deleted_at = NULL WHERE id = ?", page["id"])


def _add_version(
    tx: Tx, page_id: int, track: str, ready: Prepared, *, origin: str, trivial: bool
) -> int:
    """The next number of the track, given and used in one transaction: none is lost or repeated."""
    document = ready.document
    if ready.body is not None and ready.body_hash:
        insert_body(tx, ready.body_hash, ready.body, ready.body_size)
    number = next_number(tx, page_id, track)
    tx.run(
        "INSERT INTO versions (page_id, track, number, snapshot_hash, change_hash, content_hash,"
        " parser_version, rules_version, document, body_hash, content_type, status, used_js,"
        " trivial, origin, quality, word_count, fetched_at, created_at, last_seen_at, headers)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        page_id,
        track,
        number,
        document.snapshot_hash,
        document.change_hash,
        document.content_hash,
        document.provenance.parser_version,
        ready.rules_version,
        ready.packed,
        ready.body_hash,
        ready.content_type,
        ready.status,
        int(ready.used_js),
        int(trivial),
        origin,
        document.quality_score,
        document.word_count,
        ready.fetched_at,
        now(),
        ready.fetched_at,
        write_json(ready.headers) if ready.headers else None,
    )
    return number


def next_number(tx: Tx, page_id: int, track: str) -> int:
    """The next number of a track of versions; used in the same transaction, or given again."""
    return tx.value(
        "INSERT INTO tracks (page_id, track, last_number) VALUES (?, ?, 1)"
        " ON CONFLICT (page_id, track) DO UPDATE SET last_number = tracks.last_number + 1"
        " RETURNING last_number",
        page_id,
        track,
    )


def _update_page(tx: Tx, page: Row, number: int, ready: Prepared, *, revive: bool) -> None:
    """What is shown of the page; what its user did with it stays."""
    columns: dict[str, Any] = {
        "version": number,
        "archived": 1 if ready.document.discarded else page["archived"],
        "last_seen_at": ready.fetched_at,
        "updated_at": now(),
        "deleted_at": None if revive else page["deleted_at"],
    }
    _write_page(tx, page, ready, columns)


def refresh_page(tx: Tx, page_id: int, number: int, ready: Prepared) -> None:
    """What is shown of a page after its last version was read anew; nothing else of it moves."""
    page = tx.one("SELECT * FROM pages WHERE id = ? AND version = ?", page_id, number)
    if page:
        _write_page(tx, page, ready, {})


def _write_page(tx: Tx, page: Row, ready: Prepared, more: dict[str, Any]) -> None:
    known = {"metadata": write_json(_metadata(page, ready))}
    columns = page_columns(ready.document) | known | more
    names = " = ?, ".join(columns) + " = ?"
    tx.run("UPDATE pages SET " + names + " WHERE id = ?", *columns.values(), page["id"])
    write_content(tx, page["id"], ready.document, page["saved_at"])
    write_findable(tx, page["id"], ready.findable)


def page_columns(document: Document) -> dict[str, Any]:
    """The columns of a page that repeat what its Document says, for lists and filters."""
    full = document.final_url or document.url
    return {
        "final_url": full,
        "document_id": document.id,
        "title": document.title,
        "title_sort": title_sort(document.title),
        "author": document.author,
        "source": document.site_name or domain_of(full),
        "source_id": document.source_id,
        "language": document.language,
        "page_type": document.page_type,
        "word_count": document.word_count,
        "reading_time": document.reading_time,
        "quality": document.quality_score,
        "signature": document.near_duplicate,
        "content_hash": document.content_hash,
        "parser_version": document.provenance.parser_version,
        "discarded": int(document.discarded),
        "published_at": _instant(document.published),
    }


def write_content(tx: Tx, page_id: int, document: Document, saved_at: str) -> None:
    """The page as one Markdown file, for whoever reads the database itself."""
    tags = tx.all("SELECT label FROM tags WHERE page_id = ? ORDER BY name", page_id)
    content = markdown_page(document, saved_at, [tag["label"] for tag in tags])
    tx.run(
        "INSERT INTO contents (page_id, content) VALUES (?, ?)"
        " ON CONFLICT (page_id) DO UPDATE SET content = excluded.content",
        page_id,
        content,
    )


def title_sort(title: str) -> str:
    """The title as lists sort it: without regard to case, and not longer than an index takes."""
    return keepable(title).casefold()[:200]


def _metadata(page: Row, ready: Prepared) -> dict[str, Any]:
    document = ready.document
    known: dict[str, Any] = read_json(page["metadata"]) or {}
    known |= {
        "parser_version": document.provenance.parser_version,
        "used_js_rendering": ready.used_js,
        "content_hash": document.content_hash,
        "lead": _lead(document),
    }
    flags = {"discarded": document.discarded, "teaser": document.accessible_for_free is False}
    for name, is_set in flags.items():
        known.pop(name, None)
        known |= {name: True} if is_set else {}
    return known


def _lead(document: Document) -> str:
    """What a list shows below the title."""
    text = " ".join((document.description or document.text[:_LEAD]).split())
    return text if len(text) <= _LEAD else text[:_LEAD].rpartition(" ")[0] + " …"


def _instant(moment: Moment | None) -> str | None:
    """A date as an instant: one that is bare begins its day in UTC."""
    return (stamp(moment.utc or moment.date) or None) if moment else None


def _findable(document: Document) -> Findable:
    about = (
        document.description,
        *document.tags,
        *document.categories,
        *document.generated_tags,
        document.author,
        document.site_name,
        document.final_url or document.url,
    )
    return make_findable(document.title, "\n".join(about), document.text, document.language)
