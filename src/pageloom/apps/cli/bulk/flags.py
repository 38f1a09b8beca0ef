"""The flags of ``pageloom bulk``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from pageloom.apps.cli.flags import Json, JsonLines, Restart, Rules, Timeout

BulkFormat = Literal["parquet", "jsonl"]
Compression = Literal["zstd", "gzip", "none"]
Rejects = Literal["rows", "counts"]
DedupChoice = Literal["off", "exact", "near"]
UrlSource = Literal["none", "name", "sidecar", "canonical"]
On = Literal["cores", "ray"]


@dataclass(frozen=True, kw_only=True)
class OutputFlags:
    """What is written."""

    form: Annotated[BulkFormat, typer.Option("--format", help="What to write.")] = "parquet"
    compress: Annotated[
        Compression, typer.Option("--compress", help="jsonl: how files are packed.")
    ] = "zstd"
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAMES",
            help="Columns, separated by commas; +NAME adds one to the defaults; all: every column.",
        ),
    ] = None
    rejects: Annotated[
        Rejects, typer.Option("--rejects", help="Pages that are not kept: a row each, or counts.")
    ] = "rows"
    part_records: Annotated[
        int, typer.Option("--part-records", min=1, help="Pages of the input in one part.")
    ] = 10_000
    dedup: Annotated[
        DedupChoice,
        typer.Option("--dedup", help="Leave out pages with the same or nearly the same text."),
    ] = "off"
    keep_duplicates: Annotated[
        bool,
        typer.Option("--keep-duplicates", help="Keep duplicates, with the column duplicate_of."),
    ] = False
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="OUT",
            help="With --dedup: also leave out pages whose text is in this earlier output.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class FilterFlags:
    """Which pages are kept."""

    language: Annotated[
        str | None, typer.Option("--language", metavar="CODES", help="Only these: en,de")
    ] = None
    min_words: Annotated[
        int, typer.Option("--min-words", min=0, help="Only pages with at least this many words.")
    ] = 0
    min_quality: Annotated[
        int,
        typer.Option(
            "--min-quality",
            min=0,
            max=100,
            help="Only pages with at least this quality score (0 to 100).",
        ),
    ] = 0
    page_type: Annotated[
        str | None, typer.Option("--page-type", metavar="TYPES", help="Only these: article,forum")
    ] = None
    status: Annotated[
        str,
        typer.Option(
            "--status",
            metavar="CODES",
            help="Only pages with these status codes: 200,203; any: all."
            " Pages without a status are kept.",
        ),
    ] = "200"
    media_type: Annotated[
        str | None, typer.Option("--media-type", metavar="TYPES", help="Only these: text/html")
    ] = None
    respect: Annotated[
        str | None,
        typer.Option(
            "--respect", metavar="TERMS", help="Leave out pages that say noarchive, noai, tdm …"
        ),
    ] = None
    url_match: Annotated[
        str | None,
        typer.Option("--url-match", metavar="REGEX", help="Only URLs that contain this."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class InputFlags:
    """What is read."""

    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT…",
            help="WARC, WET, JSON lines or Parquet files, directories, or lists of paths.",
        ),
    ] = None
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="PLACE",
            help="Prefix of the paths in path lists: a directory, or s3://…",
        ),
    ] = ""
    names: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FIELD=NAME",
            help="Names of the fields in JSON lines and Parquet: url=link,html=raw",
        ),
    ] = None
    url_from: Annotated[
        UrlSource, typer.Option("--url-from", help="Where the URLs of page files come from.")
    ] = "none"


@dataclass(frozen=True, kw_only=True)
class WorkFlags:
    """Who does the work."""

    on: Annotated[On, typer.Option("--on", help="All cores here, or a Ray cluster.")] = "cores"
    address: Annotated[
        str | None, typer.Option("--address", help="Where the Ray cluster is: HOST:PORT, or auto.")
    ] = None
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="How many work at once; default: all cores."),
    ] = None
    max_workers: Annotated[
        int | None,
        typer.Option("--max-workers", min=1, help="Ray: the most tasks that wait or run at once."),
    ] = None
    ship: Annotated[
        str | None,
        typer.Option("--ship", metavar="WHEEL", help="Ray: send this wheel to the nodes."),
    ] = None
    no_fork: Annotated[
        bool, typer.Option("--no-fork", help="Start workers as new programs, which is slower.")
    ] = False
    memory: Annotated[
        int | None,
        typer.Option(
            "--memory",
            min=1,
            metavar="MB",
            help="Memory for deduplication; default: a quarter of the memory of this machine.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class BulkFlags(InputFlags, OutputFlags, FilterFlags, WorkFlags):
    """The flags of ``bulk``."""

    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="Where to write: a directory, or s3://…"),
    ] = None
    plan: Annotated[
        bool, typer.Option("--plan", help="Show what would be done without doing it.")
    ] = False
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="OUT", help="Go on with an interrupted run.")
    ] = None
    report: Annotated[
        str | None, typer.Option("--report", metavar="OUT", help="Show how far a run is.")
    ] = None
    extend: Annotated[
        bool, typer.Option("--extend", help="Add inputs to a run that has others already.")
    ] = False
    restart: Restart = False
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Go on although another run seems to be at work.")
    ] = False
    max_rejects: Annotated[
        float | None,
        typer.Option(
            "--max-rejects",
            metavar="PERCENT",
            help="Exit with 1 if more than this percentage of pages is rejected for reasons other"
            " than filters.",
        ),
    ] = None
    metrics: Annotated[
        int | None,
        typer.Option("--metrics", metavar="PORT", help="Serve metrics on this port, locally."),
    ] = None
    rules: Rules = None
    timeout: Timeout = None
    as_json: Json = False
    as_lines: JsonLines = False
