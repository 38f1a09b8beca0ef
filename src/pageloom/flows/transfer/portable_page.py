"""Portable: a page for import and export, the same for every format."""

from __future__ import annotations

from dataclasses import dataclass, field

from pageloom.errors import UnsupportedContent
from pageloom.model import Document  # noqa: TC001  msgspec reads the annotations
from pageloom.model.highlights import Highlight  # noqa: TC001  the same


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableVersion:
    """One version of a page."""

    number: int
    document: Document | None = None
    """None if its content is no longer kept."""
    fetched_at: str = ""
    last_seen_at: str = ""
    trivial: bool = False
    origin: str = ""
    content_type: str = ""
    status: int | None = None
    used_js: bool = False
    body: str | None = None
    """The original response in base64, if requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableNote:
    """A remark of the user's."""

    text: str
    created_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortablePicture:
    """A picture of a page."""

    url: str
    body: str
    """In base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableText:
    """A text of a page that another program kept."""

    html: str
    fetched_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableWatch:
    """A watch of another program; what is empty is as the settings say."""

    url: str
    name: str = ""
    every: int = 0
    """Seconds."""
    hours: str = ""
    zone: str = ""
    scope: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    ignore_text: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    render: str = "auto"
    paused: bool = False
    left_out: tuple[str, ...] = ()
    """Settings of it that have no counterpart here, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableSource:
    """A site with its feeds."""

    id: str
    name: str
    site: str
    feeds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Portable:
    """One page with everything a format may contain; the rest is empty."""

    url: str
    key: str = ""
    """The page's key, if it differs from its URL (after a redirect)."""
    aliases: tuple[str, ...] = ()
    """Other URLs of the page, as keys."""
    title: str = ""
    content: str = ""
    """Content that another program extracted: Markdown or HTML."""
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
    """The user's tags."""
    page_tags: tuple[str, ...] = ()
    """The page's own tags, if its content comes without a Document."""
    keywords: tuple[str, ...] = ()
    """Tags that were generated for it, if its content comes without a Document."""
    notes: tuple[PortableNote, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    metadata: dict[str, object] = field(default_factory=dict[str, object])
    versions: tuple[PortableVersion, ...] = ()
    texts: tuple[PortableText, ...] = ()
    """Its versions, oldest first, if another program kept only what it says."""
    watch: PortableWatch | None = None
    """How another program watched it."""
    pictures: tuple[PortablePicture, ...] = ()
    """Those that are kept, if requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """An entry of a file that could not be read as a page; the rest of the file is read."""

    where: str
    """Its position, such as ``line 3``, or the name of a file in an archive."""
    why: str
    what: str = ""
    """How it begins."""
    is_other: bool = False
    """Whether it is valid but not a page, such as another kind of file."""


Found = Portable | PortableSource | Unread


def with_address(page: Portable, where: str) -> Found:
    """The page, or an Unread entry if it has no URL."""
    if page.url.strip():
        return page
    return Unread(where=where, why="it has no URL", what=page.title, is_other=True)


def no_import(why: str) -> UnsupportedContent:
    """The error for a file that does not match its format."""
    return UnsupportedContent(
        why,
        suggestions=(
            "Check the file, or name its format with --format (see pageloom import --help).",
        ),
    )
