"""The flags of ``export`` and ``import``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, takes
from pageloom.apps.cli.library_flags import ChosenAnywhere, NewTags, Restart, User


class Export(StrEnum):
    """What ``export`` writes."""

    markdown = "markdown"
    jsonl = "jsonl"
    epub = "epub"
    bookmarks = "bookmarks"
    html = "html"
    pdf = "pdf"


class Import(StrEnum):
    """What ``import`` reads."""

    jsonl = "jsonl"
    markdown = "markdown"
    bookmarks = "bookmarks"
    pocket = "pocket"
    instapaper = "instapaper"
    omnivore = "omnivore"
    readwise = "readwise"
    wallabag = "wallabag"
    urls = "urls"
    websites = "websites"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(export)
    app.command("import")(import_)


@takes(ChosenAnywhere, "chosen")
def export(  # noqa: PLR0913  one argument per flag
    form: Annotated[
        Export, typer.Argument(metavar="FORMAT", help="markdown, jsonl, epub, bookmarks, html, pdf")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A file, a folder for markdown, or -.")
    ],
    pages: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID|URL…]", help="These pages; none: all that match."),
    ] = None,
    *,
    originals: Annotated[
        bool, typer.Option("--originals", help="jsonl: with what the servers answered.")
    ] = False,
    title: Annotated[
        str, typer.Option("--title", help="epub: the title of the book.")
    ] = "Saved pages",
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there and are not ours.")
    ] = False,
    chosen: ChosenAnywhere,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write pages for other programs, or for reading elsewhere.

    markdown: a folder of files with frontmatter, ready for Obsidian. jsonl: everything, with all
    versions. epub: a book. bookmarks: for browsers. html, pdf: one clean article.
    """
    from pageloom.apps.cli.library_export import ExportRequest, run_export

    is_all = chosen.everything or (form is Export.jsonl and not chosen.archived)
    run_export(
        ExportRequest(
            form=form.value,
            target="-" if target == "/dev/stdout" else target,
            names=tuple(pages or ()),
            filters=chosen.filters(everything=is_all),
            originals=originals,
            title=title,
            force=force,
            user=user,
            as_json=as_json,
        )
    )


def import_(  # noqa: PLR0913
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER|DATABASE", help="An export, or postgresql://… with websites."
        ),
    ],
    *,
    form: Annotated[
        Import | None, typer.Option("--format", "-f", help="Found out unless given.")
    ] = None,
    tag: NewTags = None,
    fetch: Annotated[
        bool, typer.Option("--fetch/--no-fetch", help="Fetch pages that come as an address only.")
    ] = True,
    restart: Restart = False,
    from_user: Annotated[
        str, typer.Option("--from-user", help="websites: only rows of this user_id.")
    ] = "",
    make_view: Annotated[
        bool,
        typer.Option("--make-view", help="websites: put our view in the place of the table."),
    ] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Bring pages of another library in.

    Reads our own jsonl and Markdown, browser bookmarks, Pocket, Instapaper, Omnivore, Readwise,
    wallabag, lists of addresses, and the older websites table. A page that is there already is
    not there twice: it keeps its content and state, and gets the tags and notes. What cannot be
    read is named, and loses nothing else. Interrupted, it goes on where it stopped.
    """
    from pageloom.apps.cli.library_import import ImportRequest, run_import

    request = ImportRequest(
        source=source,
        form=form,
        tags=tuple(tag or ()),
        fetch=fetch,
        restart=restart,
        from_user=from_user,
        make_view=make_view,
        user=user,
        as_json=as_json,
    )
    raise typer.Exit(run_import(request))
