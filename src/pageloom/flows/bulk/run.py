"""Bulk runs from beginning to end: plan or resume, own the output, carry out, report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib.metadata import version
from os import PathLike
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from pageloom.core.assembly import PARSER_VERSION
from pageloom.core.options import Options, read_options
from pageloom.edges.archive.places import names_in, remove, require_pyarrow
from pageloom.edges.rulefiles import SHIPPED_RULES, SealedRules, rules_key
from pageloom.errors import InternalError, InvalidArgument
from pageloom.flows.bulk.dedup import remove_duplicates
from pageloom.flows.bulk.on_cores import run_on_cores, spread_on_cores
from pageloom.flows.bulk.options import BulkOptions, read_filters
from pageloom.flows.bulk.owner import owned
from pageloom.flows.bulk.plan import (
    changed_inputs,
    differences,
    extend_plan,
    make_plan,
    read_plan,
    write_plan,
)
from pageloom.flows.bulk.progress import Progress
from pageloom.flows.bulk.read import use_web
from pageloom.flows.bulk.report import build_report, write_report
from pageloom.flows.bulk.runner import ENGINE, RunnerSetup
from pageloom.flows.bulk.shard import Left, Output, each_marker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pageloom.core.rules.book import RuleBook
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.flows.bulk.on_ray import Cluster
    from pageloom.flows.bulk.options import BulkFilters, Dedup
    from pageloom.flows.bulk.plan import Plan
    from pageloom.flows.bulk.report import BulkReport

Executor = Literal["cores", "ray"]


@dataclass(frozen=True, kw_only=True)
class Work:
    """Who does the work: nothing of this changes the output."""

    on: Executor = "cores"
    workers: int | None = None
    address: str | None = None
    """Of a Ray cluster."""
    max_workers: int | None = None
    """Ray: tasks that wait or run, at most."""
    ship: str | None = None
    """Ray: a wheel for the nodes."""
    fork: bool = True
    memory: int | None = None
    """Bytes for deduplication; a quarter of the machine's by default."""
    progress: Progress = field(default_factory=Progress)
    on_look: Callable[[], None] = lambda: None
    """Called several times a second while others work."""
    engine: str = ENGINE


@dataclass(frozen=True, kw_only=True)
class BulkRun:
    """A run: where it writes, its plan, and its rules."""

    out: str
    plan: Plan
    rules: RuleBook | SealedRules | None
    fetch: FetchOptions | None = None
    """How inputs on the web are read."""

    @property
    def output(self) -> Output:
        """The files of the run."""
        plan = self.plan
        metadata = {
            "pageloom.version": plan.pageloom,
            "pageloom.parser": plan.parser,
            "pageloom.rules": plan.rules,
            "pageloom.options": msgspec.json.encode(plan.options).decode(),
        }
        return Output(self.out, plan, metadata)


def plan_run(
    inputs: Sequence[str],
    out: str,
    options: BulkOptions,
    rules: RuleBook | SealedRules | None,
    *,
    base: str = "",
    fetch: FetchOptions | None = None,
) -> BulkRun:
    """The run that these arguments mean, without any look at the output."""
    use_web(fetch)
    versions = (version("pageloom"), PARSER_VERSION, _rules_version(rules))
    plan = make_plan(inputs, options.checked(), base=base, versions=versions)
    return BulkRun(out=out.rstrip("/"), plan=plan, rules=rules, fetch=fetch)


def _rules_version(rules: RuleBook | SealedRules | None) -> str:
    if rules is None:
        return ""
    return rules_key(rules) if isinstance(rules, SealedRules) else rules.key


def open_run(out: str) -> BulkRun:
    """The run of an output, only to look at.

    Raises:
        InvalidArgument: there is none.
    """
    plan = read_plan(out.rstrip("/"))
    if plan is None:
        raise InvalidArgument(f"There is no bulk run in {out}.")
    return BulkRun(out=out.rstrip("/"), plan=plan, rules=None)


def resume_run(
    out: str, rules: RuleBook | SealedRules | None, *, fetch: FetchOptions | None = None
) -> BulkRun:
    """The run of an output, as its plan says.

    Raises:
        InvalidArgument: there is none, or what it depends on has changed.
    """
    require_pyarrow()
    plan = open_run(out).plan
    out = out.rstrip("/")
    use_web(fetch)
    now = msgspec.structs.replace(
        changed_inputs(plan),
        pageloom=version("pageloom"),
        parser=PARSER_VERSION,
        rules=_rules_version(rules),
    )
    _refuse_if_different(out, plan, now)
    return BulkRun(out=out, plan=plan, rules=rules, fetch=fetch)


def settle(run: BulkRun, *, restart: bool = False, extend: bool = False) -> BulkRun:
    """Make the run that of its output: begin it, go on with it, or begin anew.

    Raises:
        InvalidArgument: the output has another plan.
    """
    old = None if restart else read_plan(run.out)
    if restart:
        for name in ("documents", "rejects", "_run", "report.json", "report.html"):
            remove(f"{run.out}/{name}")
    if old is None:
        write_plan(run.out, run.plan)
        return run
    plan = run.plan
    if extend and run.plan.options.dedup != "off":
        raise InvalidArgument(
            "--extend cannot be used with --dedup.",
            suggestions=("Choose another --out, and compare with this one by --against.",),
        )
    if extend:
        plan = extend_plan(changed_inputs(old), [file.path for file in run.plan.inputs])
        plan = msgspec.structs.replace(
            plan, **{name: getattr(run.plan, name) for name in ("pageloom", "parser", "rules")}
        )
        plan = msgspec.structs.replace(plan, options=run.plan.options)
        _refuse_if_different(run.out, old, _without_new(plan, old))
        write_plan(run.out, plan)
    else:
        _refuse_if_different(run.out, old, plan)
        plan = old
    return replace(run, plan=plan)


def _without_new(plan: Plan, old: Plan) -> Plan:
    return msgspec.structs.replace(plan, inputs=plan.inputs[: len(old.inputs)])


def _refuse_if_different(out: str, old: Plan, new: Plan) -> None:
    found = differences(old, new)
    if found:
        raise InvalidArgument(
            f"{out} contains a different run. Differences: {'; '.join(found)}.",
            suggestions=(
                "Add --restart to start over, --extend for more inputs, or choose another --out.",
            ),
        )


def carry_out(
    run: BulkRun,
    work: Work,
    *,
    restart: bool = False,
    extend: bool = False,
    take_over: bool = False,
) -> BulkReport:
    """Carry out what is left of a run.

    Raises:
        PageloomError: the run cannot go on; what is done stays.
        KeyboardInterrupt: it was interrupted; the report was written.
    """
    failed: dict[int, str] = {}
    with owned(run.out, take_over=take_over):
        run = settle(run, restart=restart, extend=extend)
        output = run.output
        try:
            failed = _do_all(run, output, work)
        finally:
            report = build_report(output, failed)
            write_report(report)
            if report.is_complete:
                _sweep(run.out)
    if not report.tally.adds_up:
        raise InternalError("The counts of the run do not add up.")
    return report


def _sweep(out: str) -> None:
    """Remove what killed processes had begun to write: all parts are whole now."""
    for folder in ("documents", "rejects", "_run", "_run/parts", "_run/signatures"):
        for name in names_in(f"{out}/{folder}"):
            if name.startswith(".") and name.endswith(".part"):
                remove(f"{out}/{folder}/{name}")


def _do_all(run: BulkRun, output: Output, work: Work) -> dict[int, str]:
    """Carry out the shards, then leave out duplicates: here or on a cluster."""
    is_deduplicated = run.plan.options.dedup != "off"
    if work.on == "cores":
        failed = _extract(run, output, work)
        if is_deduplicated and not failed:
            spread = spread_on_cores(work.workers)
            remove_duplicates(output, spread=spread, memory=work.memory)
        return failed
    from pageloom.flows.bulk.on_ray import Cluster, RayWork

    asked = RayWork(
        address=work.address,
        workers=work.workers,
        max_workers=work.max_workers,
        ship=work.ship,
        memory=work.memory,
    )
    with Cluster(asked) as cluster:
        failed = _extract(run, output, work, cluster)
        if is_deduplicated and not failed:
            remove_duplicates(output, spread=cluster.spread, memory=asked.piece)
    return failed


def _extract(
    run: BulkRun, output: Output, work: Work, cluster: Cluster | None = None
) -> dict[int, str]:
    left, read = Left(run.plan), 0
    for marker in each_marker(output):
        left.note(marker)
        read += marker.tally.read
    todo = left.parts
    work.progress.shards = len(run.plan.shards)
    work.progress.done = work.progress.done_before = len(run.plan.shards) - len(todo)
    work.progress.started_with = read
    if not todo:
        return {}
    setup = RunnerSetup(run.plan.options, run.rules, output.metadata, work.engine, run.fetch)
    if cluster is not None:
        from pageloom.flows.bulk.on_ray import run_on_ray

        return run_on_ray(
            output,
            setup,
            sorted(todo),
            cluster=cluster,
            progress=work.progress,
            on_look=work.on_look,
        )
    return run_on_cores(
        output,
        setup,
        todo,
        workers=work.workers,
        progress=work.progress,
        fork=work.fork,
        on_look=work.on_look,
    )


def bulk(  # noqa: PLR0913  the names are the public API
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    options: Options | Mapping[str, Any] | None = None,
    rules: RuleBook | SealedRules | EllipsisType | None = ...,
    columns: Sequence[str] = (),
    filters: BulkFilters | Mapping[str, Any] | None = None,
    dedup: Dedup = "off",
    on: Executor = "cores",
    workers: int | None = None,
    address: str | None = None,
    fetch: FetchOptions | None = None,
    **more: Any,
) -> BulkReport:
    """Extract all pages of archives; run it again to go on where it was interrupted.

    Args:
        inputs: files, directories, patterns or lists of paths.
        out: the directory of the output, or an address in an object store.
        options: options of extraction.
        rules: a rule book; the shipped one when left out, none at all for None.
        columns: the columns of the output; names with ``+`` are added to the usual ones.
        filters: which pages are kept.
        dedup: whether duplicates are left out: ``off``, ``exact`` or ``near``.
        on: ``cores`` of this machine, or ``ray``.
        workers: how many work at once; as many as there are cores by default.
        address: of the Ray cluster.
        fetch: how inputs on the web are read: the ``fetch`` of ``Settings``.
        more: further fields of ``BulkOptions``.

    Raises:
        PageloomError: wrong arguments, another plan in ``out``, or a run that cannot go on.
    """
    asked = BulkOptions(
        columns=tuple(columns),
        filters=read_filters(filters),
        dedup=dedup,
        extraction=read_options(options),
        **more,
    )
    book = SHIPPED_RULES if isinstance(rules, EllipsisType) else rules
    given = [inputs] if isinstance(inputs, str | PathLike) else inputs
    run = plan_run([str(each) for each in given], str(out), asked, book, fetch=fetch)
    return carry_out(run, Work(on=on, workers=workers, address=address))
