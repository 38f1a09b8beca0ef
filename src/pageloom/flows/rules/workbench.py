"""Making a rule on a stored page: what it does there, selectors for it, proof on other pages.

Whatever reads a page runs in the sandbox, under the time limit of the settings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from pageloom.core.decode.charset import decode_bytes
from pageloom.core.rules.hosts import read_address
from pageloom.core.rules.load import load_rules
from pageloom.core.rules.problems import FileProblem
from pageloom.core.rules.schema import listed
from pageloom.core.rules.yaml_reader import YamlTrouble, read_yaml
from pageloom.edges.rulefiles import seal_rules, specs_of
from pageloom.edges.sandbox import shared_sandbox
from pageloom.errors import PageloomError, RuleError
from pageloom.flows.capture.extract import extract
from pageloom.flows.rules.cases import Expectation, document_troubles
from pageloom.flows.rules.import_rules import write_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.options import Options
    from pageloom.core.rules.picking import Picked
    from pageloom.core.rules.schema import RuleSpec
    from pageloom.edges.rulefiles import SealedRules
    from pageloom.model import Document, RuleEdit

Change = Literal["remove", "include", "article", "title", "author", "published", "only_page"]
LONGEST_RULE = 100_000
_PICKING = "pageloom.core.rules.picking"
_PICKING_MS = 20_000
_LARGEST = 5_000_000
"""Bytes of a page that can be pointed at."""
_FIELDS = ("title", "author", "published", "site_name", "description", "language")
_EXPECTED_LINES = 3
_SHORTEST_LINE = 12
_QUALITY_LOSS = 20
_LOST, _LOST_MORE = 0.3, 1.5
"""A page may lose so much of its words, or so much more of them than the first page lost."""
_NAME = re.compile(r"[\w][\w .:/-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page that rules are tried on."""

    url: str
    body: bytes
    content_type: str = ""
    page_id: int = 0
    title: str = ""

    @property
    def markup(self) -> str:
        """Its source text."""
        return decode_bytes(self.body[:_LARGEST], header=self.content_type).text


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTrial:
    """What a rule does to a page, or what is wrong with it."""

    text: str
    name: str = ""
    problems: tuple[FileProblem, ...] = ()
    before: Document | None = None
    after: Document | None = None
    gone: tuple[str, ...] = ()
    """Lines of the text that are there only without the rule."""
    new: tuple[str, ...] = ()
    """Lines that are there only with it."""
    fields: tuple[tuple[str, str, str], ...] = ()
    """Fields that differ: name, without, with."""
    edits: tuple[RuleEdit, ...] = ()
    trouble: str = ""
    """Why the page cannot be read with the rule."""

    @property
    def changes_anything(self) -> bool:
        """Whether the page is another with the rule."""
        return bool(self.gone or self.new or self.fields)

    @property
    def is_wrong(self) -> bool:
        """Whether there is more wrong than advice."""
        return any(each.level != "advice" for each in self.problems)


Verdict = Literal["worse", "better", "same"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What a rule does to another page of the host."""

    page_id: int
    title: str
    url: str
    verdict: Verdict
    words: tuple[int, int] = (0, 0)
    """Without the rule, and with it."""
    quality: tuple[int, int] = (0, 0)
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What rules are tried with."""

    rules: SealedRules | None
    """All rules but the one that is being made, and that one too where it was kept before."""
    options: Options


def read_rule(text: str) -> tuple[RuleSpec | None, tuple[FileProblem, ...]]:
    """The one rule of a text, and what is wrong with it by line and field."""
    if len(text) > LONGEST_RULE:
        message = f"longer than {LONGEST_RULE:,} characters"
        return None, (FileProblem(file="rule", line=1, message=message),)
    loaded = load_rules(text, "rule", lint=True)
    problems = [*loaded.problems]
    if len(loaded.specs) > 1:
        problems.append(FileProblem(file="rule", message="there is more than one rule"))
    spec = loaded.specs[0] if len(loaded.specs) == 1 else None
    if spec is None and not problems:
        problems.append(FileProblem(file="rule", line=1, message="there is no rule"))
    if spec is not None and not _NAME.fullmatch(spec.id):
        problems.append(FileProblem(file="rule", line=1, field="id", message="not a usable name"))
    return spec, tuple(problems)


def try_rule(text: str, page: StoredPage, bench: Workbench) -> RuleTrial:
    """What a rule does to a page; nothing is kept."""
    spec, problems = read_rule(text)
    trial = RuleTrial(text=text, name=spec.id if spec else "", problems=problems)
    without, with_it = _both(spec, bench)
    try:
        trial = replace(trial, before=_read(page, without, bench.options))
        if spec is None or trial.is_wrong:
            return trial
        after = _read(page, with_it, bench.options)
    except PageloomError as error:
        return replace(trial, trouble=error.message)
    before = cast("Document", trial.before)
    gone, new = _lines(before, after)
    source = f"rule:{spec.id}"
    edits = tuple(edit for edit in after.provenance.edits if edit.source == source)
    fields = tuple(_fields(before, after))
    return replace(trial, after=after, gone=gone, new=new, fields=fields, edits=edits)


def _both(spec: RuleSpec | None, bench: Workbench) -> tuple[SealedRules, SealedRules]:
    """The rules without one of them, and with it."""
    known = specs_of(bench.rules) if bench.rules else []
    others = [each for each in known if spec is None or each.id != spec.id]
    return seal_rules(others), seal_rules([*others, *([spec] if spec else [])])


def _read(page: StoredPage, rules: SealedRules, options: Options) -> Document:
    return extract(
        page.body,
        page.url,
        content_type=page.content_type or None,
        rules=rules,
        options=options,
        timeout_ms=options.parse_timeout_ms,
    )


def _lines(before: Document, after: Document) -> tuple[tuple[str, ...], tuple[str, ...]]:
    old = [line.strip() for line in before.text.splitlines() if line.strip()]
    now = [line.strip() for line in after.text.splitlines() if line.strip()]
    kept, known = set(now), set(old)
    gone = tuple(line for line in old if line not in kept)
    return gone, tuple(line for line in now if line not in known)


def _fields(before: Document, after: Document) -> Iterable[tuple[str, str, str]]:
    for name in _FIELDS:
        old, new = _shown(before, name), _shown(after, name)
        if old != new:
            yield name, old, new


def _shown(document: Document, name: str) -> str:
    value = getattr(document, name)
    return str(value.iso if hasattr(value, "iso") else value or "")


def prove_rule(
    text: str, first: StoredPage, pages: Iterable[StoredPage], bench: Workbench
) -> list[Proof]:
    """What a rule does to other pages, those that it makes worse first.

    Args:
        text: the rule as YAML.
        first: the page that it was made on, where what it takes away is meant.
        pages: the others.
        bench: what rules are tried with.

    Raises:
        RuleError: the rule has a mistake.
    """
    spec, problems = read_rule(text)
    wrong = [each for each in problems if each.level != "advice"]
    if spec is None or wrong:
        raise mistake_in(wrong)
    without, with_it = _both(spec, bench)
    meant = _prove(first, without, with_it, bench.options, 1.0)
    allowed = max(_LOST, _LOST_MORE * _lost(meant.words))
    found = [_prove(page, without, with_it, bench.options, allowed) for page in pages]
    order = {"worse": 0, "better": 1, "same": 2}
    return sorted(found, key=lambda one: (order[one.verdict], one.words[1] - one.words[0]))


def mistake_in(problems: Sequence[FileProblem]) -> RuleError:
    """One error for what is wrong with a rule."""
    shown = "; ".join(str(each) for each in problems[:5])
    return RuleError(
        f"The rule has a mistake: {shown}.",
        suggestions=("Correct what the line says, and try again.",),
        stage="rules",
    )


def _prove(
    page: StoredPage,
    without: SealedRules,
    with_it: SealedRules,
    options: Options,
    allowed: float,
) -> Proof:
    known: dict[str, Any] = {"page_id": page.page_id, "title": page.title, "url": page.url}
    try:
        before = _read(page, without, options)
    except PageloomError as error:  # then nothing can be lost
        return Proof(**known, verdict="same", trouble=error.message)
    try:
        after = _read(page, with_it, options)
    except PageloomError as error:
        words = (before.word_count, 0)
        return Proof(**known, verdict="worse", words=words, trouble=error.message)
    gone, new = _lines(before, after)
    words = (before.word_count, after.word_count)
    quality = (before.quality_score, after.quality_score)
    changed = bool(gone or new or list(_fields(before, after)))
    is_worse = _lost(words) > allowed or quality[1] < quality[0] - _QUALITY_LOSS
    return Proof(
        **known,
        verdict="same" if not changed else "worse" if is_worse else "better",
        words=words,
        quality=quality,
        gone=gone[:5],
        new=new[:5],
    )


def _lost(words: tuple[int, int]) -> float:
    """The share of the words that is lost."""
    return max(0.0, 1 - words[1] / words[0]) if words[0] else 0.0


def expect_of(trial: RuleTrial, url: str) -> Expectation:
    """What the page gives with the rule and not without it.

    Raises:
        RuleError: the rule changes nothing that could be checked.
    """
    after = cast("Document", trial.after)
    said = f"{after.text}\n{after.markdown}"
    gone = [line for line in trial.gone if len(line) >= _SHORTEST_LINE and line not in said]
    new = [line for line in trial.new if len(line) >= _SHORTEST_LINE]
    fields = {name: value for name, _, value in trial.fields if name != "published"}
    dates = {name: value[:10] for name, _, value in trial.fields if name == "published" and value}
    kept = [line for line in after.text.splitlines() if len(line) > 40][:1]
    expected = Expectation(
        url=url,
        contains=[*(line[:80].rstrip() for line in kept), *new[:_EXPECTED_LINES]],
        excludes=gone[:_EXPECTED_LINES],
        fields=fields | dates,
    )
    if not document_troubles(cast("Document", trial.before), expected):
        raise RuleError(
            "The rule changes nothing on this page.",
            suggestions=("Choose what it removes, adds or names, and try it before keeping it.",),
            stage="rules",
        )
    return expected


def write_expected(expected: Expectation) -> str:
    """An expectation as JSON."""
    return msgspec.json.format(msgspec.json.encode(expected), indent=2).decode()


def change_rule(text: str, url: str, what: Change, selector: str = "") -> str:
    """A rule with one thing more: a selector that it removes, includes, or reads a field from.

    Args:
        text: the rule as YAML; empty for a new one.
        url: the page.
        what: what is added; ``only_page`` lets it apply to this page alone.
        selector: of what.

    Raises:
        RuleError: the text cannot be read.
    """
    address = read_address(url)
    rule = _first_rule(text) or {
        "id": address.bare or "page",
        "trigger": {"host": {"equals": address.bare}},
    }
    if what == "only_page":
        path = f"^{re.escape(address.path)}$"
        rule["trigger"] = {**(rule.get("trigger") or {}), "path": {"matches": path}}
    elif what == "article":
        scope: Any = rule.get("selector_overrides")
        rule["selector_overrides"] = {**(scope or {}), "article": selector}
    elif what in ("remove", "include"):
        known = listed(cast("Any", rule.get(what)))
        rule[what] = [*known, *([] if selector in known else [selector])]
    else:
        rule["metadata"] = {**(rule.get("metadata") or {}), what: {"selector": selector}}
    return write_yaml([rule])


def _first_rule(text: str) -> dict[str, Any]:
    try:
        value: Any = read_yaml(text[:LONGEST_RULE])[0] if text.strip() else None
    except YamlTrouble as trouble:
        problem = FileProblem(file="rule", line=trouble.line, message=trouble.message)
        raise mistake_in([problem]) from None
    rules = cast("list[Any]", value) if isinstance(value, list) else [value]
    return dict(cast("dict[str, Any]", rules[0])) if rules and isinstance(rules[0], dict) else {}


def pick_element(
    page: StoredPage, number: int, versions: Sequence[StoredPage], others: Sequence[StoredPage]
) -> Picked | None:
    """Selectors for an element of a page, scored on its versions and on other pages."""
    past, beside = [each.markup for each in versions], [each.markup for each in others]
    return _picking("pick", page.markup, number, past, beside)


def find_places(page: StoredPage, selectors: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """The numbers of the elements that selectors find on a page."""
    return _picking("find_places", page.markup, list(selectors))


def number_texts(page: StoredPage, texts: Sequence[str]) -> list[int]:
    """The number of the element that says each text; -1 where there is none."""
    return _picking("number_texts", page.markup, list(texts))


def show_numbered(page: StoredPage) -> str:
    """The page as inert markup whose elements have numbers."""
    return _picking("show_numbered", page.markup)


def _picking(function: str, *given: object) -> Any:
    return shared_sandbox(_PICKING).run(function, *given, timeout_ms=_PICKING_MS)
