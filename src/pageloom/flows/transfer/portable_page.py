"""One page on its way into or out of a library: the same value for every format."""

from __future__ import annotations

from dataclasses import dataclass, field

from pageloom.errors import UnsupportedContent
from pageloom.model import Document  # noqa: TC001  msgspec reads the annotations


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableVersion:
    """One version of a page."""

    number: int
    document: Document | None = None
    """None for one that was thinned out."""
    fetched_at: str = ""
    last_seen_at: str = ""
    trivial: bool = False
    origin: str = ""
    content_type: str = ""
    status: int | None = None
    used_js: bool = False
    body: str | None = None
    """The original in base64, if it was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableNote:
    """A remark of the user's."""

    text: str
    created_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Portable:
    """One page with everything a format can say of it; what it cannot say is left out."""

    url: str
    key: str = ""
    """What the page is known by, where that is not its address: that of the place it led to."""
    aliases: tuple[str, ...] = ()
    """Other addresses it is found by, as keys."""
    title: str = ""
    content: str = ""
    """Cleaned by somebody else: Markdown, or HTML."""
    content_is_html: bool = False
    author: str = ""
    published: str = ""
    description: str = ""
    language: str = ""
    site_name: str = ""
    page_type: str = ""
    hero_image: str = ""
    word_count: int = 0
    reading_time: int = 0
    uuid: str = ""
    saved_at: str = ""
    created_at: str = ""
    updated_at: str = ""
    last_opened_at: str = ""
    read_at: str = ""
    deleted_at: str = ""
    pinned: bool = False
    archived: bool = False
    tags: tuple[str, ...] = ()
    """Those of the user."""
    page_tags: tuple[str, ...] = ()
    """Those of the page itself, where its content comes without a Document."""
    notes: tuple[PortableNote, ...] = ()
    metadata: dict[str, object] = field(default_factory=dict[str, object])
    versions: tuple[PortableVersion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A part of a file that could not be read as a page; the rest of the file is read."""

    where: str
    """Such as ``line 3``, or the name of a file in an archive."""
    why: str
    what: str = ""
    """How it begins."""
    is_other: bool = False
    """It is something else, and whole: a line or a file that never was a page."""


Found = Portable | Unread


def with_address(page: Portable, where: str) -> Found:
    """The page; one without any address is named by its place, for there is nothing else."""
    if page.url.strip():
        return page
    return Unread(where=where, why="it has no URL", what=page.title, is_other=True)


def no_import(why: str) -> UnsupportedContent:
    """The error of a file that is not what its format says."""
    return UnsupportedContent(
        why,
        suggestions=(
            "Check the file, or name its format with --format (see pageloom import --help).",
        ),
    )
