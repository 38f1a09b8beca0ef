"""``pageloom rules new``: a draft of a rule, and of the page that proves it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import get_page, require_directory
from pageloom.core.dom import Element, parse
from pageloom.core.rules.hosts import read_address
from pageloom.errors import RuleError, why_not
from pageloom.flows.capture.extract import extract
from pageloom.flows.rules.cases import EXPECTED, PAGE, Expectation
from pageloom.flows.rules.import_rules import write_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from pageloom.core.dom import Tree
    from pageloom.model import Document
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Source, Url
from pageloom.apps.cli.rules.shared import Directory

_NAME = re.compile(r"[A-Za-z][\w-]{1,60}")


_MACHINE = re.compile(r"\d{3,}|[0-9a-f]{6,}|^css-|^sc-|__[\w-]{5}$")
"""Names that a build tool made up: they are others after the next build."""


_FIELDS = {"title": "h1", "author": "[rel='author']", "published": "time[datetime]"}


def new(
    source: Source,
    *,
    url: Url = None,
    rule: Annotated[str | None, typer.Option("--id", help="The id of the new rule.")] = None,
    directory: Directory = None,
    as_json: Json = False,
) -> None:
    """Draft a rule and its test from a page.

    Both are written to your directory of rules.
    """
    place = require_directory(directory)
    content, address = get_page(source, url)
    host = read_address(address).bare
    if not host:
        raise UsageTrouble("The address of the page is not known.", suggestions=("Give --url.",))
    name = rule or host
    document = extract(content, address, rules=None)
    draft = _draft(name, host, parse(content.decode("utf-8", "replace")), document)
    stem = re.sub(r"[^\w.-]+", "-", name).strip(".")
    file, case = place / f"{stem}.yaml", place / "cases" / stem
    _write(file, case, draft, content, _expected(address, document))
    if as_json:
        print_json({"rule": draft, "file": str(file), "case": str(case)})
    else:
        print_lines([f"rule: {file}", f"test: {case}", ""])
        print_lines(write_yaml([draft]).splitlines())
        print_lines(["", f"Edit both, then: pageloom rules test --rule {name} --rules {place}"])


def _draft(name: str, host: str, tree: Tree, document: Document) -> dict[str, Any]:
    """What is seen at a glance: where the text stands, and fields that are marked."""
    draft: dict[str, Any] = {"id": name, "trigger": {"host": {"equals": host}}}
    article = _article(tree, document.text)
    if article:
        draft["selector_overrides"] = {"article": article}
    draft["remove"] = [f".{each}" for each in _side_matters(tree)] or [".advertisement"]
    fields = {field: {"selector": css} for field, css in _FIELDS.items() if tree.select(css)}
    if fields:
        draft["metadata"] = fields
    return draft


def _article(tree: Tree, text: str) -> str:
    """A selector of the smallest element that has most of the text in it."""
    lines = [" ".join(line.split()) for line in text.splitlines() if len(line) > 40][:40]
    best = ""
    for element in tree.select("body, main, article, section, div"):
        inside = " ".join(element.text.split())
        if sum(line in inside for line in lines) * 10 >= len(lines) * 8 and lines:
            best = _selector(element) or best
    return best


def _selector(element: Element) -> str:
    ident = element.attr("id") or ""
    if _NAME.fullmatch(ident) and not _MACHINE.search(ident):
        return f"#{ident}"
    names = (element.attr("class") or "").split()
    kept = next((n for n in names if _NAME.fullmatch(n) and not _MACHINE.search(n)), "")
    if kept:
        return f"{element.tag}.{kept}"
    return element.tag if element.tag in ("article", "main") else ""


def _side_matters(tree: Tree) -> list[str]:
    """Classes that name what is hardly ever content."""
    found: dict[str, None] = {}
    wanted = re.compile(r"(?:^|[-_])(?:share|social|related|newsletter|promo|advert|ad)(?:$|[-_])")
    for element in tree.select("[class]"):
        for name in (element.attr("class") or "").split():
            if wanted.search(name) and _NAME.fullmatch(name):
                found.setdefault(name)
    return list(found)[:10]


def _expected(url: str, document: Document) -> Expectation:
    lines = [line for line in document.text.splitlines() if len(line) > 40]
    return Expectation(
        url=url,
        contains=[line[:80].rstrip() for line in (*lines[:1], *lines[-1:])],
        excludes=["put here what the rule must remove"],
        fields={"title": document.title},
    )


def _write(
    file: Path, case: Path, draft: dict[str, Any], content: bytes, expected: Expectation
) -> None:
    import msgspec

    if file.exists() or case.exists():
        raise RuleError(
            f"{file.name} or its case exists already.",
            suggestions=("Choose another --id, or edit the file.",),
            stage="rules",
        )
    try:
        case.mkdir(parents=True)
        file.write_text(write_yaml([draft]), encoding="utf-8")
        (case / PAGE).write_bytes(content)
        data = msgspec.json.format(msgspec.json.encode(expected), indent=2)
        (case / EXPECTED).write_bytes(data + b"\n")
    except OSError as error:
        raise RuleError(
            f"{file.parent} cannot be written: {why_not(error)}.", stage="rules"
        ) from None
