"""The flags of the everyday commands of the library."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, ContentType, Json, Render, Strict, Url, takes
from pageloom.apps.cli.library_flags import (
    ChosenAnywhere,
    Limit,
    NewTags,
    Offset,
    PageName,
    PageNames,
    Restart,
    User,
)
from pageloom.apps.cli.minus_words import MinusWordsCommand


class Order(StrEnum):
    """How lists are sorted."""

    saved = "saved"
    published = "published"
    updated = "updated"
    opened = "opened"
    by_title = "title"
    words = "words"
    quality = "quality"
    domain = "domain"


class Form(StrEnum):
    """What ``read`` may print."""

    pretty = "pretty"
    markdown = "markdown"
    text = "text"
    html = "html"
    json = "json"


class Mode(StrEnum):
    """Which engine reads what is saved."""

    local = "local"
    external = "external"
    compare = "compare"


class TagAction(StrEnum):
    """What ``tag`` does."""

    add = "add"
    remove = "remove"
    list = "list"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(save)
    app.command("list")(list_)
    app.command(cls=MinusWordsCommand)(search)
    app.command()(read)
    app.command("open")(open_)
    for action in (
        pin,
        unpin,
        archive,
        unarchive,
        unread,
        delete,
        purge,
        tag,
        note,
        history,
        stats,
    ):
        app.command()(action)


def save(  # noqa: PLR0913  one argument per flag
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL…|FILE|-", help="Addresses, files with one on each line, or - for them."
        ),
    ] = None,
    *,
    captured: Annotated[
        str | None,
        typer.Option("--from", metavar="PAGE", help="A captured page (or -); needs --url."),
    ] = None,
    url: Url = None,
    content_type: ContentType = None,
    tag: NewTags = None,
    render: Render = None,
    mode: Annotated[
        Mode | None, typer.Option("--mode", help="Which engine: ours, a reader service, both.")
    ] = None,
    restart: Restart = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page as Markdown when it is saved.")
    ] = False,
    strict: Strict = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Save pages: fetched, cleaned, kept with all their versions.

    Saving a page again adds a version when it has changed, and keeps tags, notes, pins and the day
    it was first saved. A failed or much poorer fetch never replaces what is there. A run over many
    addresses that was interrupted goes on where it stopped when the same command is given again.
    """
    from pageloom.apps.cli.library_save import SaveRequest, run_save

    request = SaveRequest(
        sources=tuple(sources or ()),
        captured=captured,
        url=url,
        content_type=content_type,
        tags=tuple(tag or ()),
        render=render.value if render else "auto",
        mode=mode,
        restart=restart,
        markdown=markdown,
        strict=strict,
        user=user,
        as_json=as_json,
    )
    raise typer.Exit(run_save(request))


@takes(ChosenAnywhere, "chosen")
def list_(
    *,
    chosen: ChosenAnywhere,
    sort: Annotated[Order, typer.Option("--sort", help="The order.")] = Order.saved,
    limit: Limit = 50,
    offset: Offset = 0,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List pages: pinned ones first, then the ones saved last.

    Signs: P pinned, A archived, D deleted, · not opened yet.
    """
    from pageloom.apps.cli.library_shelf import run_list

    filters = chosen.filters()
    run_list(user, filters, sort=sort.value, limit=limit, offset=offset, as_json=as_json)


@takes(ChosenAnywhere, "chosen")
def search(  # noqa: PLR0913
    query: Annotated[
        list[str],
        typer.Argument(metavar="WORDS…", help='swifts "old crane" -scrap bird* crane OR gantry'),
    ],
    *,
    chosen: ChosenAnywhere,
    sort: Annotated[
        Order | None, typer.Option("--sort", help="The best first unless given.")
    ] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Find pages by their words, in any language.

    All words must occur; "several words" side by side; -word must not occur; word* begins so;
    one OR other. Accents and letter case do not matter.
    """
    from pageloom.apps.cli.library_shelf import join_words, run_search

    order = sort.value if sort else None
    text, filters = join_words(query), chosen.filters()
    run_search(user, text, filters, sort=order, limit=limit, offset=offset, as_json=as_json)


def read(
    page: PageName,
    *,
    version: Annotated[
        int | None, typer.Option("--version", "-v", min=1, max=LARGEST, help="An older version.")
    ] = None,
    form: Annotated[
        Form | None,
        typer.Option("--format", "-f", help="On a terminal: pretty. Otherwise: markdown."),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Read a page of the library; it then counts as read."""
    from pageloom.apps.cli.library_read import run_read

    run_read(user, page, number=version, form=form, as_json=as_json)


def open_(
    page: PageName,
    *,
    show: Annotated[bool, typer.Option("--print", help="Only print the address.")] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Open a page's own address in the browser."""
    from pageloom.apps.cli.library_read import run_open

    run_open(user, page, show=show, as_json=as_json)


def pin(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Pin pages: they come first in lists."""
    _act(user, "pin", pages, as_json=as_json)


def unpin(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Unpin pages."""
    _act(user, "unpin", pages, as_json=as_json)


def archive(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Archive pages: they leave lists and searches, unless asked for with --archived or --all."""
    _act(user, "archive", pages, as_json=as_json)


def unarchive(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Take pages out of the archive."""
    _act(user, "unarchive", pages, as_json=as_json)


def unread(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Mark pages as not read; reading one marks it as read."""
    _act(user, "unread", pages, as_json=as_json)


def delete(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Delete pages; they can be restored until they are purged."""
    _act(user, "delete", pages, as_json=as_json)


def _act(user: str | None, action: str, pages: list[str], *, as_json: bool) -> None:
    from pageloom.apps.cli.library_shelf import run_act

    run_act(user, action, pages, as_json=as_json)


def purge(
    pages: Annotated[
        list[str] | None, typer.Argument(metavar="ID|URL…", help="Deleted pages.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every page that is deleted.")] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Remove deleted pages for good, with all their versions, notes and originals."""
    from pageloom.apps.cli.library_shelf import run_purge
    from pageloom.apps.cli.trouble import UsageTrouble

    if bool(pages) == everything:
        raise UsageTrouble("Name the pages to remove, or give --all; not both.")
    run_purge(user, pages or [], everything=everything, as_json=as_json)


def tag(
    action: Annotated[TagAction, typer.Argument(help="add, remove or list.")],
    page: Annotated[
        str | None, typer.Argument(metavar="[ID|URL]", help="A page; without one, all tags.")
    ] = None,
    tags: Annotated[list[str] | None, typer.Argument(metavar="[TAG…]")] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Put tags on a page, take them off, or list them."""
    from pageloom.apps.cli.library_shelf import run_tag
    from pageloom.apps.cli.trouble import UsageTrouble

    if action is not TagAction.list and not (page and tags):
        raise UsageTrouble(f"tag {action} takes a page and at least one tag.")
    run_tag(user, action, page or "", tags or [], as_json=as_json)


def note(
    page: PageName,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT…]", help="A new note; none: show them.")
    ] = None,
    *,
    remove: Annotated[
        int | None,
        typer.Option("--remove", min=1, max=LARGEST, metavar="NUMBER", help="Remove this note."),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Put a note on a page, or show the notes on it."""
    from pageloom.apps.cli.library_shelf import run_note

    run_note(user, page, " ".join(text) if text else None, remove=remove, as_json=as_json)


def history(
    page: PageName,
    *,
    runs: Annotated[
        bool, typer.Option("--runs", help="Every check instead, and those that failed.")
    ] = False,
    limit: Limit = 100,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show the versions of a page, newest first."""
    if runs:
        from pageloom.apps.cli.library_runs import run_runs

        run_runs(user, page, limit=limit, as_json=as_json)
        return
    from pageloom.apps.cli.library_shelf import run_history

    run_history(user, page, limit=limit, as_json=as_json)


def stats(*, user: User = None, as_json: Json = False) -> None:
    """Show the library in figures."""
    from pageloom.apps.cli.library_shelf import run_stats

    run_stats(user, as_json=as_json)
