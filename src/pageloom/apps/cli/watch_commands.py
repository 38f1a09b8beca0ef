"""The flags of ``watch``, ``check``, ``changes``, ``prices`` and ``notify``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, takes
from pageloom.apps.cli.library_flags import Limit, PageName, User
from pageloom.apps.cli.watch_flags import Views, WatchName, WatchNames, Wishes

watch = typer.Typer(name="watch", help="Watch pages, and hear of changes that matter.")
notify = typer.Typer(name="notify", help="Whom watches tell, and what is still to be told.")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(watch)
    app.add_typer(notify)
    app.command()(check)
    app.command()(changes)
    app.command()(prices)


@watch.command()
@takes(Wishes, "wishes")
def add(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page.")],
    *,
    wishes: Wishes,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Watch a page. Its first check is the baseline: nobody is told of it."""
    from pageloom.apps.cli.watch import run_add

    run_add(user, url, wishes, as_json=as_json)


@watch.command()
@takes(Wishes, "wishes")
def edit(
    name_or_id: WatchName, *, wishes: Wishes, user: User = None, as_json: Json = False
) -> None:
    """Change what a watch looks at or tells. An empty value takes a wish back: --scope ''."""
    from pageloom.apps.cli.watch import run_edit

    run_edit(user, name_or_id, wishes, as_json=as_json)


@watch.command()
@takes(Views, "views")
def preview(
    name_or_id: WatchName, *, views: Views, user: User = None, as_json: Json = False
) -> None:
    """Show what would be looked at and what passed over; nothing is kept, nobody is told."""
    from pageloom.apps.cli.watch import run_preview

    run_preview(user, name_or_id, views, as_json=as_json)


@watch.command(name="list")
def list_all(*, user: User = None, as_json: Json = False) -> None:
    """List your watches."""
    from pageloom.apps.cli.watch_show import run_list

    run_list(user, as_json=as_json)


@watch.command()
def show(name_or_id: WatchName, *, user: User = None, as_json: Json = False) -> None:
    """Show one watch: its wishes, its health, its runs, and what it passes over."""
    from pageloom.apps.cli.watch_show import run_show

    run_show(user, name_or_id, as_json=as_json)


@watch.command()
def pause(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Let watches rest."""
    from pageloom.apps.cli.watch import run_pause

    run_pause(user, names, paused=True, as_json=as_json)


@watch.command()
def resume(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Take watches up again; they are due at once."""
    from pageloom.apps.cli.watch import run_pause

    run_pause(user, names, paused=False, as_json=as_json)


@watch.command()
def remove(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Watch no more; the page and its versions stay in the library."""
    from pageloom.apps.cli.watch import run_remove

    run_remove(user, names, as_json=as_json)


@watch.command()
def unmute(
    name_or_id: WatchName,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY…", help="As watch show lists them; or all.")
    ] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Let parts count again that were passed over because they differed on every check."""
    from pageloom.apps.cli.watch import run_unmute

    run_unmute(user, name_or_id, keys or [], as_json=as_json)


def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|URL…]", help="Watches; all due if none.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="All watches, due or not.")] = False,
    loop: Annotated[
        bool, typer.Option("--loop", help="Run the scheduler in the foreground, until Ctrl-C.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--no-notify", help="Keep what is to be told for the next time.")
    ] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Check watches now: those that are due, those that are named, or all."""
    from pageloom.apps.cli.check import CheckRequest, run_check

    request = CheckRequest(
        names=tuple(names or ()),
        everything=everything,
        loop=loop,
        quiet=quiet,
        user=user,
        as_json=as_json,
    )
    raise typer.Exit(run_check(request))


def changes(  # noqa: PLR0913  one argument per flag
    page: Annotated[
        str | None, typer.Argument(metavar="[ID|URL]", help="Only of this page of the library.")
    ] = None,
    *,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="From then on: 2026-03-05, 7d.")
    ] = None,
    untold: Annotated[
        bool, typer.Option("--untold", help="Also those that no trigger asked for.")
    ] = False,
    min_importance: Annotated[
        float, typer.Option("--min-importance", help="Only what is so important (0 to 1).")
    ] = 0.0,
    full: Annotated[bool, typer.Option("--full", help="What changed, in some lines.")] = False,
    limit: Limit = 50,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List changes that were found, newest first."""
    from pageloom.apps.cli.changes import ChangesRequest, run_changes

    run_changes(
        ChangesRequest(
            page=page,
            since=since,
            untold=untold,
            min_importance=min_importance,
            full=full,
            limit=limit,
            user=user,
            as_json=as_json,
        )
    )


def prices(
    page: PageName,
    *,
    scope_of: Annotated[
        str | None, typer.Option("--watch", metavar="ID", help="Of this watch's scope.")
    ] = None,
    held: Annotated[
        bool, typer.Option("--held", help="Also prices that were too strange to be believed.")
    ] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show the prices of a page over time, and what happened to them."""
    from pageloom.apps.cli.prices import run_prices

    run_prices(user, page, watch_name=scope_of, held=held, as_json=as_json)


@notify.command(name="test")
def try_target(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET", help="https://…, mailto:…, feed:NAME, rss:NAME, console, Apprise."
        ),
    ],
    *,
    as_json: Json = False,
) -> None:
    """Tell a target that this is a test."""
    from pageloom.apps.cli.notify import run_test

    run_test(target, as_json=as_json)


@notify.command(name="list")
def list_messages(
    *,
    state: Annotated[
        str | None, typer.Option("--state", help="Only those: waiting, sent, failed, bundled.")
    ] = None,
    limit: Limit = 50,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List what was told, and what is still to be told."""
    from pageloom.apps.cli.notify import run_messages

    run_messages(user, state, limit=limit, as_json=as_json)


@notify.command()
def send(*, user: User = None, as_json: Json = False) -> None:
    """Send now what is due."""
    from pageloom.apps.cli.notify import run_send

    run_send(user, as_json=as_json)


@notify.command()
def retry(*, user: User = None, as_json: Json = False) -> None:
    """Give messages that failed for good another chance."""
    from pageloom.apps.cli.notify import run_retry

    run_retry(user, as_json=as_json)
