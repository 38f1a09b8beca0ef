"""Add imported pages to the library: without duplicates, and resumable."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.normalize.urls import url_key
from pageloom.edges.fetch.guard import without_login
from pageloom.edges.store.files import make_file
from pageloom.edges.store.highlights import import_highlights
from pageloom.edges.store.identity import add_alias, row_at
from pageloom.edges.store.import_rows import (
    add_bare,
    add_thinned,
    bring_state,
    find_by_key,
    has_versions,
    note_last_seen,
    stay_deleted,
    uuid_is_free,
)
from pageloom.edges.store.jobs import mark_done, stop_if_cancelled
from pageloom.edges.store.pictures import keep_picture, want_pictures
from pageloom.edges.store.saving import Prepared, prepare, save_in
from pageloom.edges.store.sources import get_source, put_source
from pageloom.edges.store.tags import add_note, add_tags, notes_in
from pageloom.edges.store.times import stamp_past
from pageloom.edges.store.versions import refresh_content
from pageloom.errors import InvalidUrl, PageloomError, UnsupportedContent
from pageloom.flows.capture.fetch_picture import check_picture
from pageloom.flows.capture.foreign_documents import Known, known_instant, make_document
from pageloom.flows.library.sources import SourceFields, changed_source
from pageloom.flows.transfer.portable_page import PortableSource, PortableWatch, Unread
from pageloom.model.capture import Capture
from pageloom.model.pages import PageRef
from pageloom.model.watch import track_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.connection import Row
    from pageloom.flows.library.save import SaveContext
    from pageloom.flows.transfer.portable_page import Found, Portable, PortableVersion
    from pageloom.model import Document
    from pageloom.model.library import Job

_TIMES = ("saved_at", "created_at", "updated_at", "last_opened_at", "read_at")
_LARGEST_NUMBER = 2**31 - 1
"""The largest integer a database column holds."""
Outcome = Literal["imported", "merged", "skipped", "failed", "done before"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What came of one page."""

    url: str
    outcome: Outcome
    page_id: int | None = None
    where: str = ""
    """The position in the file, for an entry without a URL."""
    needs_content: bool = False
    """Only the URL was imported; the page is still to be fetched."""
    reason: str = ""
    watch: PortableWatch | None = None
    """How another program watched it; the watch is not made here."""


def import_pages(
    context: SaveContext, pages: Iterable[Found], *, job: Job | None = None
) -> Iterator[Imported]:
    """Import pages, each in its own transaction together with the job's progress.

    A page that already exists keeps its content and state; tags, notes and highlights are added.
    """
    done = job.done if job else frozenset[str]()
    seen: set[str] = set()
    for page in pages:
        if stop_if_cancelled(context.store, job):
            return
        if isinstance(page, Unread):
            yield _unread(page)
            continue
        if isinstance(page, PortableSource):
            yield _import_source(context, page)
            continue
        plain = replace(page, url=without_login(page.url))
        try:
            key = url_key(plain.url)
        except InvalidUrl:
            yield Imported(url=plain.url, outcome="skipped", reason="not a web URL")
            continue
        before = _done_before(context, plain, key) if key in done else None
        result = before or _import(context, plain, key, job)
        needs_content = result.needs_content and key not in seen
        yield replace(result, needs_content=needs_content, watch=plain.watch)
        seen.add(key)


def _unread(part: Unread) -> Imported:
    return Imported(
        url=part.what,
        where=part.where,
        outcome="skipped" if part.is_other else "failed",
        reason=part.why,
    )


def _import_source(context: SaveContext, found: PortableSource) -> Imported:
    """Add a site with its feeds; one that is there only gets the feeds."""
    known = get_source(context.store, context.owner, found.id)
    feeds = tuple(dict.fromkeys((*(known.feeds if known else ()), *found.feeds)))
    fields: SourceFields = {"feeds": feeds}
    if known is None:
        fields |= {"name": found.name, "site": found.site}
    try:
        is_new = put_source(context.store, context.owner, changed_source(found.id, fields, known))
    except PageloomError as error:
        return Imported(url=found.feeds[0], outcome="failed", reason=error.message)
    return Imported(url=found.feeds[0], outcome="imported" if is_new else "merged")


def _done_before(context: SaveContext, page: Portable, key: str) -> Imported | None:
    """The result for a page that an interrupted run imported, perhaps without its content.

    None if it was purged since: then it is imported again.
    """
    with context.store.read() as tx:
        row = row_at(tx, context.owner, key)
    if row is None:
        return None
    needs_content = not row["version"] and not row["deleted_at"]
    return Imported(url=page.url, outcome="done before", needs_content=needs_content)


def _import(context: SaveContext, page: Portable, key: str, job: Job | None) -> Imported:
    ready, reason = _prepare(context, page)
    return context.store.transact(lambda tx: _bring(tx, context, page, key, ready, job, reason))


Ready = tuple["PortableVersion | None", Prepared | None]


def _prepare(context: SaveContext, page: Portable) -> tuple[list[Ready], str]:
    """What to store of a page, and why part of it could not be read.

    The page's metadata is imported in any case; its content can be fetched later.
    """
    if page.versions:
        return _prepare_versions(page)
    if page.texts:
        return _prepare_texts(context, page)
    if not page.content.strip():
        return [], ""
    try:
        return [(None, _prepare_content(context, page))], ""
    except PageloomError as error:
        return [], f"{error.code}: {error.message}"


def _prepare_versions(page: Portable) -> tuple[list[Ready], str]:
    ready: list[Ready] = []
    reasons: list[str] = []
    for version in page.versions:
        try:
            body = b64decode(version.body, validate=True) if version.body else None
        except ValueError:
            body = None
            reasons.append(f"the original of version {version.number} is damaged")
        try:
            made = _ready(version.document, version, body) if version.document else None
        except PageloomError as error:
            made = None
            reasons.append(f"version {version.number}: {error.code}: {error.message}")
        except OverflowError:
            made = None
            reasons.append(f"version {version.number} has a version number that is too large")
        ready.append((version, made))
    return ready, "; ".join(reasons)


def _prepare_texts(context: SaveContext, page: Portable) -> tuple[list[Ready], str]:
    """Versions of which another program kept the text; one without any is left out."""
    ready: list[Ready] = []
    unread = 0
    for text in page.texts:
        known = Known(title=page.title, generated_tags=())
        at = stamp_past(known_instant(text.fetched_at))
        try:
            document = make_document(text.html, page.url, context.options, known, html=True)
            ready.append((None, prepare(Capture(document=document, fetched_at=at))))
        except PageloomError:
            unread += 1
    return ready, f"{unread} of its texts could not be read" if unread else ""


def _prepare_content(context: SaveContext, page: Portable) -> Prepared:
    known = Known(
        title=page.title,
        author=page.author,
        published=page.published,
        description=page.description,
        language=page.language,
        site_name=page.site_name,
        page_type=page.page_type,
        hero_image=page.hero_image,
        word_count=page.word_count if page.word_count <= _LARGEST_NUMBER else 0,
        reading_time=page.reading_time if page.reading_time <= _LARGEST_NUMBER else 0,
        tags=page.page_tags,
        # Where somebody chose tags, none are added.
        generated_tags=page.keywords or (() if page.tags or page.page_tags else None),
    )
    html = page.content_is_html
    document = make_document(page.content, page.url, context.options, known, html=html)
    return prepare(
        Capture(
            document=document,
            body=page.content.encode("utf-8", "replace") if html else None,
            content_type="text/html; charset=utf-8" if html else "",
            fetched_at=stamp_past(known_instant(page.updated_at) or known_instant(page.saved_at)),
        )
    )


def _ready(document: Document, version: PortableVersion, body: bytes | None) -> Prepared:
    return prepare(
        Capture(
            document=_fitting(document, version.status or 0),
            body=body,
            fetched_at=stamp_past(version.fetched_at),
            content_type=version.content_type,
            status=version.status,
            protocol="browser" if version.used_js else "",
        )
    )


def _fitting(document: Document, status: int) -> Document:
    numbers = (document.word_count, document.reading_time, document.quality_score, status)
    if any(abs(number) > _LARGEST_NUMBER for number in numbers):
        raise OverflowError
    return document


def _bring(  # noqa: PLR0913, PLR0917  one for each part
    tx: Tx,
    context: SaveContext,
    page: Portable,
    key: str,
    ready: list[Ready],
    job: Job | None,
    reason: str,
) -> Imported:
    own = _own_key(page, key)
    there = find_by_key(tx, context.owner, key) or find_by_key(tx, context.owner, own)
    row = there or add_bare(tx, context.owner, own, page.url, page.title)
    track = track_of(page.watch.scope, page.watch.ignore) if page.watch else ""
    if not (has_versions(tx, row["id"], track) if track else row["version"]):
        _add_versions(tx, context, row, ready, track)
        for alias in page.aliases:
            if alias != row["url"] and find_by_key(tx, context.owner, alias) is None:
                add_alias(tx, context.owner, alias, row["id"])
    if there is None:
        bring_state(tx, row["id"], _state(tx, page))
    elif there["deleted_at"]:
        stay_deleted(tx, row["id"], there["deleted_at"])
        reason = (
            reason
            or f"it was deleted from this library; pageloom restore {row['id']} brings it back"
        )
    _add_remarks(tx, PageRef(context.owner, row["id"]), page, context.tags)
    _add_pictures(tx, PageRef(context.owner, row["id"]), page)
    if job:
        mark_done(tx, job, key)
    has_content = row["version"] or any(prepared for _, prepared in ready)
    return Imported(
        url=page.url,
        outcome="merged" if there else "imported",
        page_id=row["id"],
        needs_content=not (has_content or row["deleted_at"] or page.deleted_at),
        reason=reason,
    )


def _own_key(page: Portable, key: str) -> str:
    """The page's key: the one in the import file, if it is valid."""
    try:
        return page.key if page.key and url_key(page.key) == page.key else key
    except InvalidUrl:
        return key


def _state(tx: Tx, page: Portable) -> dict[str, Any]:
    state = asdict(replace(page, versions=(), texts=(), pictures=(), content=""))
    state |= {name: known_instant(state[name]) for name in _TIMES}
    if not uuid_is_free(tx, page.uuid):
        state["uuid"] = ""
    return state


def _add_versions(
    tx: Tx, context: SaveContext, page: Row, ready: list[Ready], track: str = ""
) -> None:
    """Add the versions with their original numbers."""
    for version, prepared in ready:
        if prepared is None:
            add_thinned(tx, page["id"], version.fetched_at if version else "")
            continue
        saved = save_in(
            tx,
            context.owner,
            replace(prepared, key=page["url"]),
            track=track,
            origin=(version.origin if version else "") or "import",
            trivial=bool(version and version.trivial),
            keep_better=False,
            always=True,
        )
        if version and version.last_seen_at:
            note_last_seen(tx, saved.page_id, saved.version, version.last_seen_at)


def _add_remarks(tx: Tx, kept: PageRef, page: Portable, tags: tuple[str, ...]) -> None:
    add_tags(tx, kept, (*page.tags, *tags))
    known = {note.text for note in notes_in(tx, kept.id)}
    for note in page.notes:
        if note.text not in known:
            add_note(tx, kept, note.text, at=note.created_at)
    import_highlights(tx, kept, page.highlights)
    refresh_content(tx, kept)


def _add_pictures(tx: Tx, kept: PageRef, page: Portable) -> None:
    """Keep the pictures that came with a page; what is no picture by its bytes is left out."""
    for picture in page.pictures:
        try:
            found = check_picture(b64decode(picture.body, validate=True), picture.url)
        except (ValueError, UnsupportedContent):
            continue
        want_pictures(tx, kept, [picture.url])
        file = make_file(found.body, found.media_type, found.size)
        keep_picture(tx, kept, picture.url, file)
