"""``pageloom bulk``: archives in, Documents out."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from pageloom.apps.cli.bulk.flags import BulkFlags
from pageloom.apps.cli.bulk.show import show_plan, show_report, showing
from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import takes
from pageloom.apps.cli.pages import warn_of_rules
from pageloom.apps.cli.safe import safe
from pageloom.context import site_rules
from pageloom.flows.bulk.options import BulkFilters, BulkOptions
from pageloom.flows.bulk.report import build_report
from pageloom.flows.bulk.run import BulkRun, Work, carry_out, open_run, plan_run, resume_run
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Generator

    from pageloom.settings import Settings


@takes(BulkFlags)
def bulk(*, flags: BulkFlags) -> None:
    """Extract whole archives of pages, on all cores or on Ray.

    Interrupted runs go on where they stopped: run the same command again.
    """
    if flags.report:
        show_report(build_report(open_run(flags.report).output))
        return
    settings = _settings(flags)
    run = _run(flags, settings)
    if flags.plan:
        show_plan(run.plan, run.out)
        return
    with _terminable(), showing(flags.metrics) as (progress, look):
        work = Work(
            on=flags.on,
            workers=flags.workers,
            address=flags.address,
            max_workers=flags.max_workers,
            ship=flags.ship,
            fork=not flags.no_fork,
            memory=flags.memory * 1_000_000 if flags.memory else None,
            progress=progress,
            on_look=look,
        )
        try:
            report = carry_out(
                run,
                work,
                restart=flags.restart,
                extend=flags.extend,
                take_over=flags.take_over,
            )
        except KeyboardInterrupt:
            sys.stderr.write(f"Interrupted. Go on with: pageloom bulk --resume {safe(run.out)}\n")
            raise
    show_report(report)
    most = flags.max_rejects
    too_many = most is not None and 100 * report.trouble_share > most
    if report.failed or not report.is_complete or too_many:
        raise typer.Exit(1)


@contextmanager
def _terminable() -> Generator[None]:
    """Let SIGTERM do what Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not in the main thread: somebody else sees to signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _settings(flags: BulkFlags) -> Settings:
    timeout = flags.timeout
    if timeout is not None and not 0 < timeout <= 3600:
        raise UsageTrouble("--timeout must be greater than 0 and at most 3600 seconds.")
    return load_settings(
        flags={
            "rules.directory": flags.rules,
            "rules.enabled": True if flags.rules else None,
            "extraction.parse_timeout_ms": None if timeout is None else max(1, int(timeout * 1000)),
        }
    )


def _run(flags: BulkFlags, settings: Settings) -> BulkRun:
    rules = site_rules(settings, warn_of_rules).sealed
    if flags.resume:
        if flags.inputs or flags.out:
            raise UsageTrouble(
                "--resume takes everything from the plan of the run.",
                suggestions=("Leave out the inputs and --out.",),
            )
        return resume_run(flags.resume, rules, fetch=settings.fetch)
    if not flags.inputs or not (flags.out or flags.plan):
        raise UsageTrouble(
            "A bulk run needs inputs and --out.",
            suggestions=("pageloom bulk crawl.warc.gz --out docs/",),
        )
    if flags.on != "ray" and (flags.address or flags.ship or flags.max_workers):
        raise UsageTrouble(
            "--address, --max-workers and --ship need --on ray.", suggestions=("Add --on ray.",)
        )
    options = _options(flags, settings)
    return plan_run(
        flags.inputs, flags.out or "", options, rules, base=flags.base, fetch=settings.fetch
    )


def _options(flags: BulkFlags, settings: Settings) -> BulkOptions:
    return BulkOptions(
        format=flags.form,
        compress=flags.compress,
        columns=_words(flags.columns),
        filters=BulkFilters(
            language=_words(flags.language),
            min_words=flags.min_words,
            min_quality=flags.min_quality,
            page_type=_words(flags.page_type),
            status=_statuses(flags.status),
            media_type=_words(flags.media_type),
            respect=_words(flags.respect),
            url_match=flags.url_match or "",
        ),
        dedup=flags.dedup,
        keep_duplicates=flags.keep_duplicates,
        against=flags.against or "",
        reject_rows=flags.rejects == "rows",
        names=_pairs(flags.names),
        url_from=flags.url_from,
        part_records=flags.part_records,
        extraction=settings.extraction,
    )


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def _statuses(text: str) -> tuple[int, ...]:
    if text == "any":
        return ()
    if not all(word.isdecimal() for word in _words(text)):
        raise UsageTrouble(
            f"--status takes HTTP status codes or any, not {text}.",
            suggestions=("Write 200,203, or any.",),
        )
    return tuple(int(word) for word in _words(text))


def _pairs(text: str | None) -> tuple[tuple[str, str], ...]:
    pairs = [word.partition("=") for word in _words(text)]
    if not all(name and equals and there for name, equals, there in pairs):
        raise UsageTrouble(
            f"--map takes FIELD=NAME pairs, not {text}.", suggestions=("Write url=link,html=raw.",)
        )
    return tuple((name, there) for name, _, there in pairs)
