"""The bodies that the API takes; names that are not known are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pageloom.model.highlights import Colour

Url = Annotated[str, Field(max_length=4000)]
Name = Annotated[str, Field(max_length=200)]
Tags = Annotated[list[Name], Field(max_length=100)]
Render = Literal["auto", "force", "never"]
Action = Literal[
    "pin",
    "unpin",
    "archive",
    "unarchive",
    "read",
    "unread",
    "delete",
    "restore",
    "tag",
    "untag",
]


class Body(BaseModel):
    """A body without any other names."""

    model_config = ConfigDict(extra="forbid")


class SaveBody(Body):
    """Pages to save: by URL, or one page as it was captured elsewhere."""

    url: Url = ""
    urls: Annotated[list[Url], Field(max_length=10_000)] = []
    html: Annotated[str, Field(max_length=50_000_000)] | None = None
    """The page as it was captured; nothing is fetched then."""
    content_type: Name = ""
    tags: Tags = []
    note: Annotated[str, Field(max_length=100_000)] = ""
    render: Render = "auto"
    archive: bool = False
    watch: bool = False
    """Check the page again and again, as the settings say how often."""


class PageBody(Body):
    """What can be changed of a page; what is left out stays."""

    pinned: bool | None = None
    archived: bool | None = None
    read: bool | None = None
    tags: Tags | None = None


class NoteBody(Body):
    """A note on a page."""

    text: Annotated[str, Field(min_length=1, max_length=100_000)]


class HighlightBody(Body):
    """A passage of a page to mark."""

    quote: Annotated[str, Field(min_length=1, max_length=40_000)]
    before: Name = ""
    after: Name = ""
    colour: Colour = "yellow"
    note: Annotated[str, Field(max_length=100_000)] = ""
    version: Annotated[int, Field(ge=1, le=10**9)] | None = None


class HighlightChangeBody(Body):
    """What can be changed of a highlight; what is left out stays."""

    colour: Colour | None = None
    note: Annotated[str, Field(max_length=100_000)] | None = None


class SearchBody(Body):
    """A search to keep under a name."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    query: Annotated[str, Field(min_length=1, max_length=1000)]
    targets: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=50)] = []


class TagsBody(Body):
    """Tags of a page."""

    tags: Annotated[list[Name], Field(min_length=1, max_length=100)]


class TagBody(Body):
    """The new name of a tag; that of another one merges the two."""

    name: Annotated[str, Field(min_length=1, max_length=200)]


class Select(Body):
    """Some pages: by their numbers, or all that a query string of the list matches."""

    ids: Annotated[list[int], Field(max_length=10_000)] = []
    query: Annotated[str, Field(max_length=4000)] | None = None


class BulkBody(Body):
    """The same for many pages."""

    select: Select
    do: Action
    tag: Name = ""
    dry_run: bool = False


class ContentBody(Body):
    """A page to read without keeping it: its content, or the URL that it is fetched from."""

    url: Url = ""
    html: Annotated[str, Field(max_length=50_000_000)] | None = None
    content_type: Name = ""
    render: Render = "auto"


class DiffBody(Body):
    """Two pages to compare without keeping them."""

    before: Annotated[str, Field(max_length=50_000_000)]
    after: Annotated[str, Field(max_length=50_000_000)]
    url: Url = ""


_Patterns = Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=50)]


class WatchSettingsBody(Body):
    """The settings of a watch; what is left out stays as it is."""

    name: Name | None = None
    every: str | int | None = None
    cron: Name | None = None
    zone: Name | None = None
    hours: Name | None = None
    scope: _Patterns | None = None
    ignore: _Patterns | None = None
    ignore_text: _Patterns | None = None
    only_if: _Patterns | None = None
    price_below: Annotated[float, Field(ge=0, le=1e12)] | None = None
    stock_back: bool | None = None
    min_importance: Annotated[float, Field(ge=0, le=1)] | None = None
    render: Render | None = None
    wait_for: Name | None = None
    targets: _Patterns | None = None
    digest_minutes: Annotated[float, Field(ge=0, le=1e6)] | None = None
    template: Annotated[str, Field(max_length=20_000)] | None = None
    respect_robots: bool | None = None


class WatchBody(WatchSettingsBody):
    """A page to watch."""

    url: Url


class PlaceBody(Body):
    """A part of a page, and whether it matters."""

    key: Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
    matters: Literal["never", "always", "usual"]


class RuleBody(Body):
    """A rule to try on a page of the library."""

    page: Annotated[int, Field(ge=1, le=10**15)]
    text: Annotated[str, Field(max_length=100_000)]
    """The rule as YAML."""
    version: Annotated[int, Field(ge=1, le=10**9)] | None = None
    prove: bool = False
    """Try it on the other pages of the host too."""


class KeepRuleBody(Body):
    """A rule to keep, with the page of the library that it was made on."""

    page: Annotated[int, Field(ge=1, le=10**15)]
    text: Annotated[str, Field(max_length=100_000)]
    version: Annotated[int, Field(ge=1, le=10**9)] | None = None
    anyway: bool = False
    """Keep it even where it makes other pages of the host worse."""


class ProgressBody(Body):
    """How far a page was read: the block at the top, of so many, of a version."""

    version: Annotated[int, Field(ge=1, le=10**9)]
    block: Annotated[int, Field(ge=0, le=10**6)]
    blocks: Annotated[int, Field(ge=1, le=10**6)]


class TokenBody(Body):
    """A token to make."""

    label: Name = ""
    days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    scopes: Annotated[
        list[Literal["read", "save", "write", "watch", "feed", "capture", "admin"]],
        Field(min_length=1, max_length=7),
    ] = ["read"]
    feed: Annotated[str, Field(max_length=4000)] = ""
    """With the scope `feed`: the one feed that it opens, such as `search?tag=birds`."""
