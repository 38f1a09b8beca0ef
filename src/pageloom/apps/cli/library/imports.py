"""``pageloom import``: pages of other libraries, and the outcome of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom.apps.cli.flags import CommonStream, Restart, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines
from pageloom.apps.cli.page_flags import NewTags
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import resumable, show_progress
from pageloom.apps.cli.safe import one_line
from pageloom.flows.library.save import SaveResult
from pageloom.flows.transfer.import_formats import ImportFormat
from pageloom.views import results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.flows.transfer.import_files import ImportResult
    from pageloom.flows.transfer.import_pages import Imported


_SHOWN = 20
"""So many problems are shown one by one."""


@dataclass(frozen=True, kw_only=True)
class ImportFlags(CommonStream):
    """The flags of ``import``."""

    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|DIR|DATABASE",
            help="An export; or the postgresql:// URL of a database with a websites table.",
        ),
    ]
    form: Annotated[
        ImportFormat | None,
        typer.Option("--format", "-f", help="The format of the input; default: detected."),
    ] = None
    tags: NewTags = None
    fetch: Annotated[
        bool, typer.Option("--fetch/--no-fetch", help="Fetch pages that come without content.")
    ] = True
    restart: Restart = False
    from_user: Annotated[
        str, typer.Option("--from-user", help="websites: only rows with this user_id.")
    ] = ""
    make_view: Annotated[
        bool,
        typer.Option("--make-view", help="websites: replace the table with a view of the library."),
    ] = False


@takes(ImportFlags)
def import_(*, flags: ImportFlags) -> None:
    """Import pages from another library or reader.

    Reads Pageloom's own jsonl and Markdown, browser bookmarks, Pocket, Instapaper, Omnivore,
    Readwise, wallabag, Karakeep, linkding, backups of changedetection.io with their watches, feeds
    as OPML, WARC files, lists of URLs, and the older websites table. A page that exists already is
    not added twice: it keeps its content and state, and gets the tags and notes. Entries that
    cannot be read are listed and do not stop the others. If interrupted, the same command
    continues where it stopped.
    """
    with (
        open_library(flags.user) as library,
        show_progress("importing", None, quiet=current.as_json) as advance,
        resumable(),
    ):

        def take(one: Imported | SaveResult) -> None:
            advance()
            if current.as_lines:
                print_item(_data(one))

        result = library.import_(
            flags.source,
            flags.form,
            tags=flags.tags or (),
            fetch=flags.fetch,
            restart=flags.restart,
            from_user=flags.from_user,
            on_result=take,
        )
        if flags.make_view:
            library.replace_websites_table()
    _print(result, fetch=flags.fetch)
    raise typer.Exit(0 if result.complete else 1)


def _data(one: Imported | SaveResult) -> dict[str, Any]:
    if isinstance(one, SaveResult):
        return results.save(one)
    return {"success": one.outcome != "failed"} | asdict(one)


def _problem(one: Imported | SaveResult) -> tuple[str, str, str]:
    """The outcome of an entry that failed, its name, and the reason."""
    if isinstance(one, SaveResult):
        return "not fetched", one.url, one.error.message if one.error else ""
    name = f"{one.where} ({one.url})" if one.where and one.url else one.where or one.url
    return one.outcome, name, one.reason


def _print(result: ImportResult, *, fetch: bool) -> None:
    failed = [one for one in result.fetched if one.error]
    named = [*(one for one in result.pages if one.reason), *failed]
    counts = Counter(page.outcome for page in result.pages)
    bare = sum(page.needs_content for page in result.pages)
    fetched = len(result.fetched) - len(failed)
    if current.as_json:
        if not current.as_lines:
            figures = {"without_content": bare, "fetched": fetched, "fetch_failed": len(failed)}
            figures |= {"watches": result.watches} if result.watches else {}
            whole = {"success": result.complete, "format": result.form}
            named_counts = {name.replace(" ", "_"): number for name, number in counts.items()}
            whole |= {"pages": len(result.pages)} | named_counts | figures
            print_json(whole | {"items": [_data(one) for one in named]})
        return
    print_lines(_problem_lines(named))
    parts = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()))
    head = f"{count(len(result.pages), 'page')} from {result.form}"
    print_lines([f"{head}: {parts or 'nothing'}"])
    if result.watches:
        print_lines([f"{count(result.watches, 'watch')} added"])
    if bare:
        what = f"{fetched:,} fetched, {len(failed):,} failed" if fetch else "not fetched"
        print_lines([f"{bare:,} came without content: {what}"])
    if failed:
        print_lines(["Run the same command again to retry the failed ones."])


def _problem_lines(named: Sequence[Imported | SaveResult]) -> list[str]:
    problems = [_problem(one) for one in named[:_SHOWN]]
    shown = [
        f"{outcome:<11} {one_line(name, 100)}: {one_line(reason, 120)}"
        for outcome, name, reason in problems
    ]
    more = len(named) - len(shown)
    return shown + ([f"… and {more:,} more; --json shows them all"] if more else [])
