"""``pageloom rules list``, ``show`` and ``lint``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.rules_shared import (
    load_all,
    print_json,
    print_lines,
    print_table,
    require_place,
    user_directory,
)
from pageloom.apps.cli.safe import one_line
from pageloom.errors import RuleError

if TYPE_CHECKING:
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.problems import FileProblem
    from pageloom.core.rules.schema import RuleSpec


def run_list(directory: str | None, *, host: str | None, as_json: bool) -> None:
    """Print the rules in the order they apply."""
    from pageloom.edges.rulefiles import shipped_specs

    book = load_all(directory).book
    shipped = {spec.id: spec for spec in shipped_specs()}
    wanted = _for_host(book, host) if host else set(range(len(book.specs)))
    chosen = [spec for number, spec in enumerate(book.specs) if number in wanted]
    rows = [(spec, "shipped" if shipped.get(spec.id) == spec else "yours") for spec in chosen]
    if as_json:
        print_json([_listed(spec, origin) for spec, origin in rows])
        return
    print_table(
        ("id", "phase", ">priority", "from", "applies to"),
        [
            (one_line(spec.id, 60), spec.phase, str(spec.priority), origin, _applies_to(spec))
            for spec, origin in rows
        ],
        flexible=4,
    )


def _for_host(book: RuleBook, host: str) -> set[int]:
    """Rules for a host, and those for any host."""
    named = book.for_host(host)
    loose = {number for number, spec in enumerate(book.specs) if not _has_host(spec)}
    return named | loose


def _has_host(spec: RuleSpec) -> bool:
    return bool(spec.trigger and spec.trigger.host)


def _listed(spec: RuleSpec, origin: str) -> dict[str, Any]:
    return {
        "id": spec.id,
        "phase": spec.phase,
        "priority": spec.priority,
        "origin": origin,
        "trigger": msgspec.to_builtins(spec.trigger),
    }


def _applies_to(spec: RuleSpec) -> str:
    from pageloom.core.rules.schema import listed

    trigger = spec.trigger
    if trigger is None:
        return ""
    host, dom = trigger.host, trigger.dom
    hosts = [
        each
        for texts in (
            (host.equals, host.equals_www, host.ends_with, host.etld_plus_one) if host else ()
        )
        for each in listed(texts)
    ]
    texts = (dom.any, dom.all, dom.any_text_contains) if dom else ()
    signs = [each for group in texts for each in listed(group)]
    return one_line(", ".join((*hosts, *signs)), 200)


def run_show(rule: str, directory: str | None, *, as_json: bool) -> None:
    """Print one rule."""
    from pageloom.flows.rules.import_rules import write_yaml

    book = load_all(directory).book
    spec = next((each for each in book.specs if each.id == rule), None)
    if spec is None:
        raise no_rule(rule, book)
    data = msgspec.to_builtins(spec)
    if as_json:
        print_json(data)
    else:
        print_lines(write_yaml([data]).splitlines())


def no_rule(rule: str, book: RuleBook) -> RuleError:
    """There is no such rule; perhaps one like it."""
    import difflib

    near = difflib.get_close_matches(rule, [spec.id for spec in book.specs], n=3, cutoff=0.4)
    advice = (f"Did you mean {', '.join(near)}?",) if near else ("See pageloom rules list.",)
    return RuleError(f"There is no rule {one_line(rule, 80)}.", suggestions=advice, stage="rules")


def run_lint(paths: list[str], directory: str | None, *, as_json: bool) -> int:
    """Check files and tell all that is wrong; 1 if anything is."""
    places = [require_place(Path(path)) for path in paths] or _default_places(directory)
    from pageloom.edges.rulefiles import list_files, read_files

    found = [each for place in places for each in list_files(place)]
    loaded = read_files(found, lint=True)
    failed = any(problem.level != "advice" for problem in loaded.problems)
    if as_json:
        print_json(
            {
                "success": not failed,
                "files": len(found),
                "rules": len(loaded.specs),
                "problems": loaded.problems,
            }
        )
    else:
        print_lines(f"{problem.level}: {problem}" for problem in loaded.problems)
        print_lines([_summary(len(found), len(loaded.specs), loaded.problems)])
    return 1 if failed else 0


def _default_places(directory: str | None) -> list[Path]:
    from importlib.resources import files

    place = user_directory(directory)
    return [place] if place else [Path(str(files("pageloom.rulebook")))]


def _summary(files: int, rules: int, problems: list[FileProblem]) -> str:
    errors = sum(problem.level != "advice" for problem in problems)
    advice = len(problems) - errors
    return f"{files} files, {rules} rules in order, {errors} mistakes, {advice} pieces of advice"
