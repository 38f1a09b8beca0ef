"""``pageloom import``: pages of other libraries, and the outcome of each."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Restart, takes
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.page_flags import NewTags
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import resumable, show_progress
from pageloom.apps.cli.safe import one_line
from pageloom.edges.store.backup import is_backup
from pageloom.errors import StorageError, why_not

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pageloom.context import Context
    from pageloom.flows.library.save import SaveContext, SaveResult
    from pageloom.flows.transfer.import_pages import Imported
    from pageloom.flows.transfer.portable_page import Found
    from pageloom.model.library import Job
from pageloom.apps.cli.flags import CommonStream

_SHOWN = 20
"""So many troubles are shown one by one."""


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


@dataclass(frozen=True, kw_only=True)
class ImportFlags(CommonStream):
    """The flags of ``import``."""

    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER|DATABASE",
            help="An export; or the postgresql:// URL of a database with a table websites.",
        ),
    ]
    form: Annotated[Import | None, typer.Option("--format", "-f", help="Default: detected.")] = None
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
        typer.Option("--make-view", help="websites: replace the table by a view of the library."),
    ] = False


@takes(ImportFlags)
def import_(*, flags: ImportFlags) -> None:
    """Import pages from another library or reader.

    Reads Pageloom's own jsonl and Markdown, browser bookmarks, Pocket, Instapaper, Omnivore,
    Readwise, wallabag, lists of URLs, and the older websites table. A page that exists already is
    not added twice: it keeps its content and state, and gets the tags and notes. Entries that
    cannot be read are listed and do not stop the others. If interrupted, the same command
    continues where it stopped.
    """
    raise typer.Exit(_import(flags))


def _import(request: ImportFlags) -> int:
    from pageloom.edges.store.jobs import finish_job, open_job

    tags = tuple(request.tags or ())
    with open_library(request.user) as library:
        form, identity, pages = _source(request)
        asked = {"source": identity, "format": form, "tags": tags}
        asked |= {"from_user": request.from_user} if request.from_user else {}
        job = open_job(library.store, library.owner, "import", asked, restart=request.restart)
        keeper = library.save_context(tags=tags, origin="import")
        with resumable():
            results = _bring(keeper, pages, job, request)
            fetched = _fetch_missing(library, keeper, results, request) if request.fetch else []
        if not any(kept.error for kept in fetched):
            finish_job(library.store, job)
        if request.make_view:
            _make_view(library)
    _tell(results, fetched, request, form)
    broken = any(result.outcome == "failed" for result in results)
    return 1 if broken or any(kept.error for kept in fetched) else 0


@dataclass(frozen=True, slots=True)
class _Trouble:
    outcome: str
    url: str
    reason: str
    where: str = ""

    @property
    def name(self) -> str:
        return f"{self.where} ({self.url})" if self.where and self.url else self.where or self.url

    def as_dict(self) -> dict[str, str]:
        known = {"url": self.url, "reason": self.reason}
        return known | ({"where": self.where} if self.where else {})


def _bring(
    keeper: SaveContext, pages: Iterator[Found], job: Job, request: ImportFlags
) -> list[Imported]:
    from pageloom.flows.transfer.import_pages import import_pages

    results: list[Imported] = []
    with _reading(), show_progress("importing", None, quiet=request.as_json) as advance:
        for result in import_pages(keeper, pages, job=job):
            advance()
            results.append(result)
    return results


def _source(request: ImportFlags) -> tuple[str, str, Iterator[Found]]:
    """The format, what the source is known by, and its pages."""
    from pageloom.flows.transfer.import_formats import guess_format, read_library
    from pageloom.flows.transfer.import_websites import read_websites

    if request.source.startswith(("postgresql://", "postgres://")):
        pages = read_websites(request.source, user=request.from_user)
        return "websites", sha256(request.source.encode()).hexdigest(), pages
    path = Path(request.source)
    if not path.exists():
        raise UsageTrouble(f"There is no file {one_line(request.source, 80)}.")
    with _reading():
        form = request.form or guess_format(path)
        if not form:
            raise _unclear(path)
        if path.is_dir() and form in {"jsonl", "websites"}:
            raise UsageTrouble(f"A folder is not read as {form}; name a file.")
        identity = _fingerprint(path)
    return form, identity, read_library(path, form, user=request.from_user)


@contextmanager
def _reading() -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise UsageTrouble(f"The import cannot be read: {why_not(error)}.") from None


def _unclear(path: Path) -> UsageTrouble:
    if is_backup(path):
        return UsageTrouble(
            "This is a backup of a whole library.",
            suggestions=("Restore it: pageloom restore FILE",),
        )
    return UsageTrouble("The format of this file is not clear.", suggestions=("Add --format.",))


def _fingerprint(path: Path) -> str:
    if path.is_dir():
        return str(path.resolve())
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _fetch_missing(
    library: Context, keeper: SaveContext, results: list[Imported], request: ImportFlags
) -> list[SaveResult]:
    """Fetch what came as a bare address; its own trouble is no trouble of the import."""
    from pageloom.apps.cli.library.save import fetch_pages

    urls = [result.url for result in results if result.needs_content]
    fetched: list[SaveResult] = []
    if not urls:
        return fetched
    with show_progress("fetching", len(urls), quiet=request.as_json) as advance:

        def tell(kept: SaveResult) -> None:
            advance()
            fetched.append(kept)

        fetch_pages(keeper, library, urls, None, tell)
    return fetched


def _make_view(library: Context) -> None:
    """Put our view in the place of the older table, which is kept under another name."""
    from pageloom.edges.store.websites_view import replace_table

    if not replace_table(library.store):
        raise StorageError("There is no older table websites in this library.", retryable=False)


def _tell(
    results: list[Imported], fetched: list[SaveResult], request: ImportFlags, form: str
) -> None:
    counts = Counter(result.outcome for result in results)
    troubles = [
        _Trouble(one.outcome, one.url, one.reason, one.where) for one in results if one.reason
    ]
    failed = [_Trouble("not had", kept.url, kept.error.message) for kept in fetched if kept.error]
    bare = sum(result.needs_content for result in results)
    had = len(fetched) - len(failed)
    if request.as_json:
        named = [trouble.as_dict() for trouble in troubles + failed]
        figures = {"without_content": bare, "fetched": had, "fetch_failed": len(failed)}
        whole = {"format": form, "pages": len(results)} | dict(counts) | figures
        print_json(whole | {"troubles": named})
        return
    print_lines(_trouble_lines(troubles) + _trouble_lines(failed))
    parts = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()))
    print_lines([f"{count(len(results), 'page')} from {form}: {parts or 'nothing'}"])
    if bare:
        what = f"{had:,} fetched, {len(failed):,} failed" if request.fetch else "not fetched"
        print_lines([f"{bare:,} came as an address only: {what}"])
    if failed:
        print_lines(["The same command again tries the failed ones."])


def _trouble_lines(troubles: list[_Trouble]) -> list[str]:
    shown = [
        f"{one.outcome:<9} {one_line(one.name, 100)}: {one_line(one.reason, 120)}"
        for one in troubles[:_SHOWN]
    ]
    more = len(troubles) - len(shown)
    return shown + ([f"… and {more:,} more; see them all with --json"] if more else [])
