"""``pageloom rules test``: the cases of all rules, or one page."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Rules, Url
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.rules.shared import get_page, load_all, user_directory
from pageloom.apps.cli.safe import one_line, safe
from pageloom.errors import RuleError
from pageloom.flows.capture.extract import extract
from pageloom.flows.rules.cases import (
    Case,
    CaseResult,
    read_cases,
    run_case,
    run_named_tests,
    shipped_cases,
)


def prove(
    page: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|URL]", help="Only this page; default: the test cases of all rules."
        ),
    ] = None,
    *,
    url: Url = None,
    directory: Rules = None,
    rule: Annotated[
        str | None, typer.Option("--rule", help="Only the test cases of this rule.")
    ] = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="Only the rules that you keep in the library.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Test rules against their example pages.

    Each example page must be extracted correctly with the rule, and incorrectly without it. Given
    a page, the tests that rules contain for its URL are run on it.
    """
    if mine:
        raise typer.Exit(run_mine(as_json=as_json))
    if page is None:
        raise typer.Exit(run_test(directory, rule=rule, as_json=as_json))
    raise typer.Exit(run_page(page, url, directory, as_json=as_json))


def run_test(directory: str | None, *, rule: str | None, as_json: bool) -> int:
    """Run all cases; 1 if any of them fails."""
    from pageloom.apps.cli.progress import show_progress

    book = load_all(directory).book
    cases = [case for case in _cases(directory) if rule is None or _is_of(case, rule)]
    if not cases:
        raise RuleError("There are no test cases to run.", stage="rules")
    results: list[CaseResult] = []
    with show_progress("rules", len(cases), quiet=as_json) as step:
        for case in cases:
            results.append(run_case(case, book))
            step()
    return _report(results, as_json=as_json)


def run_mine(*, as_json: bool) -> int:
    """Run the cases of the rules that the user keeps in the library; 1 if any of them fails."""
    with open_library(None) as library:
        return _report(library.test_user_rules(), as_json=as_json)


def _report(results: list[CaseResult], *, as_json: bool) -> int:
    failed = [result for result in results if not result.passed]
    if as_json:
        print_json({"success": not failed, "items": results})
    else:
        _tell(results)
    return 1 if failed else 0


def _is_of(case: Case, rule: str) -> bool:
    return case.rule in (rule, rule.replace("/", "-")) or case.rule.startswith(f"{rule}--")


def _cases(directory: str | None) -> list[Case]:
    place = user_directory(directory)
    own = list(read_cases(place / "cases")) if place else []
    return [*shipped_cases(), *own]


def _tell(results: list[CaseResult]) -> None:
    for result in results:
        print_lines([f"{'ok  ' if result.passed else 'FAIL'} {one_line(result.rule, 80)}"])
        print_lines(f"       {one_line(trouble, 200)}" for trouble in result.troubles)
    passed = sum(result.passed for result in results)
    print_lines([f"{passed} of {len(results)} test cases passed"])


def run_page(source: str, url: str | None, directory: str | None, *, as_json: bool) -> int:
    """Extract one page and run the tests that its rules name for its URL."""
    book = load_all(directory).book
    content, address = get_page(source, url)
    document = extract(content, address or None, rules=book)
    tests, failures = run_named_tests(book, document)
    if as_json:
        print_json(
            {
                "success": not failures,
                "rules": document.provenance.rules,
                "tests": tests,
                "failures": failures,
                "title": document.title,
                "text": document.text,
            }
        )
        return 1 if failures else 0
    rules = ", ".join(document.provenance.rules) or "none"
    print_lines([f"rules:  {safe(rules)}", f"title:  {one_line(document.title, 200)}"])
    print_lines([f"text:   {len(document.text):,} characters"])
    print_lines(f"FAIL    {one_line(failure, 200)}" for failure in failures)
    print_lines([f"{count(tests, 'test')} for this URL, {count(len(failures), 'failure')}"])
    return 1 if failures else 0
