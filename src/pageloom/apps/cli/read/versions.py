"""Two versions of one page of the library, to be compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pageloom.apps.cli.pages import open_library, require_page
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.versions import history, version
from pageloom.errors import NotInLibrary, PageloomError
from pageloom.flows.capture.extract import extract
from pageloom.flows.capture.foreign_documents import is_imported
from pageloom.flows.watch.edit import find_watch

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.core.compare.options import DiffOptions
    from pageloom.model import Document
    from pageloom.model.library import Page, Version, VersionInfo
    from pageloom.model.watch import Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two versions of a page, and how they are to be compared."""

    before: Document
    after: Document
    from_version: int
    to_version: int
    options: DiffOptions


def load_pair(
    user: str | None,
    name: str,
    *,
    from_version: int | None,
    to_version: int | None,
    watch_name: str | None,
) -> Pair:
    """Two versions of a page: the last and the one before it, unless others are named.

    Raises:
        NotInLibrary: there is no such page, or no such version.
    """
    with open_library(user) as library:
        page = require_page(library, name)
        watch = find_watch(library.store, library.owner, watch_name) if watch_name else None
        track = watch.track if watch else ""
        infos = history(library.store, page, track=track)
        after = _choose(infos, to_version, "last")
        earlier = [info for info in infos if info.number < after.number and not info.thinned]
        before = _choose(earlier if from_version is None else infos, from_version, "earlier")
        documents = _documents(library, page, watch, (before, after))
        options = library.settings.changes
    if watch and watch.settings.scope:
        options = replace(options, scoped=True)
    return Pair(
        before=documents[0],
        after=documents[1],
        from_version=before.number,
        to_version=after.number,
        options=options,
    )


def _choose(infos: list[VersionInfo], number: int | None, what: str) -> VersionInfo:
    """The version of a number, or the newest."""
    found = [info for info in infos if number is None or info.number == number]
    if found:
        return found[0]
    which = f"{what} version" if number is None else f"version {number}"
    raise NotInLibrary(
        f"There is no {which} of this page.", suggestions=("pageloom history lists them.",)
    )


def _documents(
    library: Context, page: Page, watch: Watch | None, infos: tuple[VersionInfo, VersionInfo]
) -> list[Document]:
    """Both in one way of reading: where parser or rules differ, both are read again."""
    before, after = infos
    same = (before.parser_version, before.rules_version) == (
        after.parser_version,
        after.rules_version,
    )
    stored = [_load(library, page, info) for info in infos]
    if same:
        return [each.document for each in stored]
    again = [
        each.document
        if is_imported(each.document)
        else _read_again(library, page, watch, each.info)
        for each in stored
    ]
    read = [each for each in again if each is not None]
    return read if len(read) == len(infos) else [each.document for each in stored]


def _load(library: Context, page: Page, info: VersionInfo) -> Version:
    found = version(library.store, page, info.number, track=info.track)
    if found is None:
        raise NotInLibrary(
            f"The content of version {info.number} is no longer kept.",
            suggestions=("pageloom history shows which versions are.",),
        )
    return found


def _read_again(
    library: Context, page: Page, watch: Watch | None, info: VersionInfo
) -> Document | None:
    body = read_body(library.store, page, info.body_hash) if info.body_hash else None
    if body is None:
        return None
    options = library.settings.extraction
    if watch is not None:
        options = replace(options, scope=watch.settings.scope, ignore=watch.settings.ignore)
    try:
        return extract(
            body,
            page.url_full,
            final_url=page.final_url,
            content_type=info.content_type,
            options=options,
            timeout_ms=options.parse_timeout_ms,
            fetched_at=info.fetched_at,
        )
    except PageloomError:
        return None  # then as it was read
