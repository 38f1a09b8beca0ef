"""``pageloom rules explain``: which rules match a page, why, and what each changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import get_page, load_all
from pageloom.apps.cli.safe import one_line, safe
from pageloom.flows.rules.explain import PageReport, RuleReport, explain_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.model import RuleEdit
from pageloom.apps.cli.flags import Json, Rules, Source, Url


def explain(
    source: Source, *, url: Url = None, directory: Rules = None, as_json: Json = False
) -> None:
    """Show which rules match a page and what they do."""
    book = load_all(directory).book
    content, address = get_page(source, url)
    report = explain_rules(content, address, book)
    if as_json:
        print_json(_data(report))
    else:
        print_lines(map(safe, _lines(report)))


def _data(report: PageReport) -> dict[str, Any]:
    document = report.document
    return {
        "success": True,
        "url": document.url,
        "title": document.title,
        "discarded": document.discarded,
        "characters_without_rules": report.characters_without,
        "characters": len(document.text),
        "rules": report.rules,
        "warnings": document.provenance.warnings,
    }


def _lines(report: PageReport) -> Iterator[str]:
    document = report.document
    if not report.rules:
        yield "No rule matches this page."
    for rule in report.rules:
        yield from _rule(rule)
        yield ""
    yield (
        f"text: {report.characters_without:,} characters without rules, "
        f"{len(document.text):,} with them"
    )
    if document.discarded:
        yield f"discarded: {one_line(document.discard_reason, 200)}"
    for warning in document.provenance.warnings:
        yield f"warning: {one_line(warning, 200)}"


def _rule(rule: RuleReport) -> Iterator[str]:
    yield f"{rule.id}"
    yield f"  because: {one_line('; '.join(rule.reasons), 200)}"
    for edit in rule.edits:
        yield f"  {_edit(edit)}"
    if rule.fields:
        yield f"  gives: {', '.join(rule.fields)}"
    yield (
        f"  text: {rule.characters_without:,} characters without it, {rule.characters_with:,} with"
    )


def _edit(edit: RuleEdit) -> str:
    parts = [f"{edit.phase} {edit.what}", one_line(edit.selector, 100)]
    if edit.count:
        parts.append(f"×{edit.count}")
    if edit.removed:
        parts.append(f"-{edit.removed:,} characters")
    if edit.text:
        parts.append(f"“{one_line(edit.text, 60)}”")
    return " ".join(part for part in parts if part)
