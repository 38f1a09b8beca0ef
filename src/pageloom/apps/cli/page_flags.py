"""Flags and arguments that name or choose pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.flags import LARGEST

if TYPE_CHECKING:
    from pageloom.model.pages import FilterChoice, Filters


PageName = Annotated[
    str,
    typer.Argument(
        metavar="PAGE", help="A page: its number, its URL, or w7 (the page of watch 7)."
    ),
]
PageNames = Annotated[
    list[str],
    typer.Argument(metavar="PAGE…", help="Pages: numbers, URLs, or w7 (the page of watch 7)."),
]
Domain = Annotated[
    str | None, typer.Option("--domain", help="Only pages of this host and its subdomains.")
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag", help="Only pages with this tag. May be repeated: pages must have all of them."
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="DATE", help="Saved on or after a date (2026-03-05) or age (7d, 3w, 6m)."
    ),
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="Saved before this date or age.")
]
Language = Annotated[
    str | None, typer.Option("--language", help="Only pages in this language: en, de, ja.")
]
Kind = Annotated[
    str | None, typer.Option("--type", help="Only pages of this type: article, product, recipe …")
]
SourceName = Annotated[str | None, typer.Option("--source", help="Only pages of this source.")]
Reliable = Annotated[
    float | None,
    typer.Option(
        "--min-reliability", min=0, max=1, help="Only pages of sources at least this reliable."
    ),
]
Pinned = Annotated[bool, typer.Option("--pinned", help="Only pinned pages.")]
Unread = Annotated[bool, typer.Option("--unread", help="Only unread pages.")]
Archived = Annotated[bool, typer.Option("--archived", help="Only archived pages.")]
Deleted = Annotated[bool, typer.Option("--deleted", help="Only deleted pages.")]
Everything = Annotated[bool, typer.Option("--all", help="Include archived pages.")]
Offset = Annotated[int, typer.Option("--offset", min=0, max=LARGEST, help="Skip this many pages.")]
NewTags = Annotated[
    list[str] | None, typer.Option("--tag", help="Add this tag to every page. May be repeated.")
]


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Which pages a command is about."""

    domain: Domain = None
    tags: Tags = None
    since: Since = None
    until: Until = None
    language: Language = None
    kind: Kind = None
    source: SourceName = None
    reliable: Reliable = None
    pinned: Pinned = False
    unread: Unread = False
    archived: Archived = False

    @property
    def shown(self) -> FilterChoice:
        """Whether archived pages are among them."""
        return "only" if self.archived else "no"

    def filters(self, **more: Any) -> Filters:
        """These flags as the library takes them.

        Raises:
            InvalidArgument: a date that cannot be read.
        """
        from pageloom.flows.library.read_dates import read_date
        from pageloom.model.pages import Filters

        chosen: dict[str, Any] = {
            "domain": self.domain or "",
            "tags": tuple(self.tags or ()),
            "since": read_date(self.since, "--since"),
            "until": read_date(self.until, "--until"),
            "language": self.language or "",
            "page_type": self.kind or "",
            "source_id": self.source or "",
            "min_reliability": self.reliable,
            "pinned": True if self.pinned else None,
            "unread": True if self.unread else None,
            "archived": self.shown,
        }
        return Filters(**chosen | more)


@dataclass(frozen=True, kw_only=True)
class ChosenAnywhere(Chosen):
    """Which pages, deleted ones too."""

    deleted: Deleted = False
    everything: Everything = False

    @property
    def shown(self) -> FilterChoice:
        """Whether archived pages are among them; deleted ones are shown whatever else they are."""
        return "only" if self.archived else "all" if self.everything or self.deleted else "no"

    def filters(self, **more: Any) -> Filters:
        """These flags as the library takes them."""
        return super().filters(**{"deleted": "only" if self.deleted else "no"} | more)
