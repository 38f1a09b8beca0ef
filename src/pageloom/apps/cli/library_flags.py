"""Flags that the commands of the library share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.flags import LARGEST

if TYPE_CHECKING:
    from pageloom.model.library import Filters

PageName = Annotated[
    str, typer.Argument(metavar="ID|URL", help="A page: its number in lists, or its address.")
]
PageNames = Annotated[
    list[str],
    typer.Argument(metavar="ID|URL…", help="Pages: their numbers in lists, or addresses."),
]
User = Annotated[
    str | None, typer.Option("--user", help="Whose library; library.user unless given.")
]
Domain = Annotated[
    str | None, typer.Option("--domain", help="Only pages of this host, and of those below it.")
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", help="Only pages with this tag; again for more tags.")
]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="DATE", help="Saved on or after: 2026-03-05, or 7d, 3w, 6m."),
]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Saved before.")]
Language = Annotated[str | None, typer.Option("--language", help="Only pages in it: en, de, ja.")]
Kind = Annotated[str | None, typer.Option("--type", help="Only pages of this type: article, …")]
SourceName = Annotated[str | None, typer.Option("--source", help="Only pages of this source.")]
Reliable = Annotated[
    float | None,
    typer.Option(
        "--min-reliability", min=0, max=1, help="Only pages of sources at least so reliable."
    ),
]
Pinned = Annotated[bool, typer.Option("--pinned", help="Only pinned pages.")]
Unread = Annotated[bool, typer.Option("--unread", help="Only pages not opened yet.")]
Archived = Annotated[bool, typer.Option("--archived", help="Only archived pages.")]
Deleted = Annotated[bool, typer.Option("--deleted", help="Only deleted pages.")]
Everything = Annotated[bool, typer.Option("--all", help="Archived pages too.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="How many.")]
Offset = Annotated[int, typer.Option("--offset", min=0, max=LARGEST, help="How many to pass over.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
NewTags = Annotated[
    list[str] | None, typer.Option("--tag", help="Put this tag on every page; again for more.")
]
Restart = Annotated[
    bool, typer.Option("--restart", help="Forget what an interrupted run has done.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def filters(self, **more: Any) -> Filters:
        """These flags as the store reads them.

        Raises:
            UsageTrouble: one of them makes no sense.
        """
        from pageloom.apps.cli.library_filters import make_filters

        return make_filters(**{flag.name: getattr(self, flag.name) for flag in fields(self)} | more)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenAnywhere(Chosen):
    """Which pages, deleted ones too."""

    deleted: Deleted = False
    everything: Everything = False
