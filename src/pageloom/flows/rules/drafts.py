"""A draft of a rule from a page, with the case that proves it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.dom import Element, parse
from pageloom.core.rules.hosts import read_address
from pageloom.core.rules.names import NAME, is_generated
from pageloom.errors import InvalidArgument, RuleError, why_not
from pageloom.flows.capture.extract import extract
from pageloom.flows.rules.cases import EXPECTED, PAGE, Expectation
from pageloom.flows.rules.import_rules import write_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pageloom.core.dom import Tree
    from pageloom.model import Document

_FIELDS = {"title": "h1", "author": "[rel='author']", "published": "time[datetime]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDraft:
    """A rule to be edited, and where it and its case were written."""

    name: str
    rule: dict[str, Any]
    file: Path
    case: Path

    @property
    def text(self) -> str:
        """The rule as YAML."""
        return write_yaml([self.rule])


def draft_rule(content: bytes, url: str, place: Path, *, name: str = "") -> RuleDraft:
    """Draft a rule and its case from a page, and write both.

    Args:
        content: the page.
        url: its URL.
        place: the directory of the user's rules.
        name: the id of the rule; the page's host when left out.

    Raises:
        InvalidArgument: the URL has no host.
        RuleError: the files exist already, or cannot be written.
    """
    host = read_address(url).bare
    if not host:
        raise InvalidArgument("The URL of the page is not known.", suggestions=("Give --url.",))
    document = extract(content, url, rules=None)
    rule = _draft(name or host, host, parse(content.decode("utf-8", "replace")), document)
    stem = re.sub(r"[^\w.-]+", "-", name or host).strip(".")
    draft = RuleDraft(
        name=name or host, rule=rule, file=place / f"{stem}.yaml", case=place / "cases" / stem
    )
    _write(draft, content, _expected(url, document))
    return draft


def _draft(name: str, host: str, tree: Tree, document: Document) -> dict[str, Any]:
    """What is seen at a glance: where the text stands, and fields that are marked."""
    draft: dict[str, Any] = {"id": name, "trigger": {"host": {"equals": host}}}
    article = _article(tree, document.text)
    if article:
        draft["selector_overrides"] = {"article": article}
    removed = [f".{each}" for each in _side_matters(tree)]
    if removed:
        draft["remove"] = removed
    fields = {field: {"selector": css} for field, css in _FIELDS.items() if _says(tree, css)}
    if fields:
        draft["metadata"] = fields
    return draft


def _says(tree: Tree, css: str) -> bool:
    """Whether the first element that a selector finds says anything."""
    found = tree.select(css)
    return bool(found) and bool(found[0].text.strip())


def _article(tree: Tree, text: str) -> str:
    """A selector of the smallest element that has most of the text in it."""
    lines = [" ".join(line.split()) for line in text.splitlines() if len(line) > 40][:40]
    best = ""
    for element in tree.select("main, article, section, div"):
        inside = " ".join(element.text.split())
        if sum(line in inside for line in lines) * 10 >= len(lines) * 8 and lines:
            best = _selector(tree, element) or best
    return best


def _selector(tree: Tree, element: Element) -> str:
    """A selector of this element and of no other on the page; empty where there is none."""
    return next((css for css in _selectors(element) if len(tree.select(css)) == 1), "")


def _selectors(element: Element) -> Iterator[str]:
    """How the element may be called, by what lasts longest: id, tag, one class, all of them."""
    ident = element.attr("id") or ""
    if NAME.fullmatch(ident) and not is_generated(ident):
        yield f"#{ident}"
    if element.tag in ("article", "main"):
        yield element.tag
    names = (element.attr("class") or "").split()
    kept = [n for n in names if NAME.fullmatch(n) and not is_generated(n)]
    yield from (f"{element.tag}.{name}" for name in kept)
    if kept:
        yield ".".join([element.tag, *kept])


def _side_matters(tree: Tree) -> list[str]:
    """Classes that name what is hardly ever content."""
    found: dict[str, None] = {}
    wanted = re.compile(r"(?:^|[-_])(?:share|social|related|newsletter|promo|advert|ad)(?:$|[-_])")
    for element in tree.select("[class]"):
        for name in (element.attr("class") or "").split():
            if wanted.search(name) and NAME.fullmatch(name) and not is_generated(name):
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


def _write(draft: RuleDraft, content: bytes, expected: Expectation) -> None:
    if draft.file.exists() or draft.case.exists():
        raise RuleError(
            f"{draft.file.name} or its test case already exists.",
            suggestions=("Choose another --id, or edit the file.",),
            stage="rules",
        )
    try:
        draft.case.mkdir(parents=True)
        draft.file.write_text(draft.text, encoding="utf-8")
        (draft.case / PAGE).write_bytes(content)
        data = msgspec.json.format(msgspec.json.encode(expected), indent=2)
        (draft.case / EXPECTED).write_bytes(data + b"\n")
    except OSError as error:
        raise RuleError(
            f"{draft.file.parent} cannot be written: {why_not(error)}.", stage="rules"
        ) from None
