"""Apply rules to a page before and after extraction (stages 2 and 4).

The order matters. Metadata and what is to be included are read from the page before any edit;
removals and actions are made while the page is whole, because selectors may name what is around the
article; then the page is narrowed to its scope.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pageloom.core.dom import Element
from pageloom.core.parts import Claim, OfferFact, RatingFact
from pageloom.core.rules.apply import (
    Desk,
    Scope,
    edit_tree,
    empty,
    find_removals,
    find_scope,
    narrow,
    replace_source,
)
from pageloom.core.rules.fields import read_values
from pageloom.core.rules.include import put_back, set_aside
from pageloom.core.rules.selectors import Look
from pageloom.model import DISCARDED, FieldSource, SourceHint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.core.dom import Names, Tree
    from pageloom.core.parts import ChosenValue, DecodedPage, PageFacts
    from pageloom.core.rules.book import Match, RuleBook
    from pageloom.core.rules.compile import Rule
    from pageloom.core.rules.include import WantedElement
    from pageloom.model import Document, Provenance, RuleEdit

_CHOSEN = {
    "author": "authors",
    "canonical": "canonical_url",
    "tag": "tags",
    "category": "categories",
    "image": "hero_image",
    "free": "accessible_for_free",
    "price": "price_candidates",
    "rating": "rating_candidates",
}
"""What a field of claims is called once it is chosen."""
_TEXTS = frozenset(("title", "description", "author", "site_name", "language", "tag", "category"))
_LISTS = frozenset(("author", "tag", "category"))
_DATES = frozenset(("published", "modified"))
_NEVER_CONTENT = ("nav", "footer", "dialog")
"""Kinds of element that extraction passes over, unless a rule keeps all."""
_FACTS = frozenset(("price", "rating", "native_ad"))
"""Fields that are no claims: they have a place of their own among the facts."""


@dataclass(frozen=True, slots=True)
class RuleReading:
    """One field as one rule reads it."""

    rule: Rule
    name: str
    field: str
    values: tuple[str, ...]
    timezone: str = ""


@dataclass(slots=True)
class RuleRun:
    """The rules of one page at work."""

    book: RuleBook
    url: str
    look: Look
    pre: list[Match]
    late: list[Rule]
    """Rules of the second phase that may match: what they want of the page is read beforehand."""
    edits: list[RuleEdit] = field(default_factory=list["RuleEdit"])
    notes: list[str] = field(default_factory=list[str])
    readings: dict[str, RuleReading] = field(default_factory=dict[str, RuleReading])
    scope: Scope | None = None
    discarded_by: Rule | None = None
    is_missing: bool = False
    """Whether content may only be where an article is that is not there."""
    ids: list[str] = field(default_factory=list[str])
    late_readings: dict[str, list[RuleReading]] = field(
        default_factory=dict[str, list[RuleReading]]
    )
    left_out: list[Element] = field(default_factory=list["Element"])
    """What rules took out of the content and is still compared."""
    wanted: list[WantedElement] = field(default_factory=list["WantedElement"])
    late_wanted: list[WantedElement] = field(default_factory=list["WantedElement"])

    @property
    def rules(self) -> list[Rule]:
        """The rules of the first phase, in order."""
        return [match.rule for match in self.pre]

    @property
    def keeps_all(self) -> bool:
        """Whether all of the article is kept, without looking for clutter in it."""
        if self.scope is None or self.scope.kind != "article":
            return False
        said = next((rule.spec.clean for rule in self.rules if rule.spec.clean is not None), True)
        return not said

    @property
    def edits_content(self) -> bool:
        """Whether anything is to be done once the content is found."""
        return bool(self.late or self.wanted)


def start(
    book: RuleBook, source: DecodedPage, reparse: Callable[[str], Tree]
) -> tuple[DecodedPage, RuleRun | None, Names | None]:
    """Find the rules of a page; None where there are none. Replacements in its source are made.

    Args:
        book: the rules.
        source: the page.
        reparse: the tree of a changed source text.

    Returns:
        The page, its rules, and the class attributes and ids of its tree, where they were read.
    """
    look = Look(source.tree)
    matched = book.matches(look, source.url, "pre")
    late = book.later(look, source.url)
    names = look.names
    if not matched and not late:
        return source, None, names
    text, edits = replace_source((match.rule for match in matched), source.markup)
    if edits:
        source = replace(source, tree=reparse(text), markup=text)
        names, look = None, Look(source.tree)
        matched = _rematch(book, look, source.url, matched)
        late = book.later(look, source.url)
    run = RuleRun(book, source.url, look, matched, late, edits)
    run.ids = [match.rule.id for match in matched]
    run.discarded_by = next((rule for rule in run.rules if rule.spec.discard), None)
    _read_page(run)
    return source, run, names


def _rematch(book: RuleBook, look: Look, url: str, before: list[Match]) -> list[Match]:
    """The rules on the changed page, and those that changed it even if they match no longer."""
    now = book.matches(look, url, "pre")
    known = {match.rule.id for match in now}
    kept = [match for match in before if match.rule.replace and match.rule.id not in known]
    return sorted((*now, *kept), key=lambda match: (-match.rule.spec.priority, match.rule.id))


def _read_page(run: RuleRun) -> None:
    """Everything that must be read before the first edit."""
    for reading in _readings(run.rules, run.look):
        run.readings.setdefault(reading.field, reading)
    for rule in run.late:
        run.late_readings[rule.id] = list(_readings([rule], run.look))
    if any(rule.include for rule in (*run.rules, *run.late)):
        removed = find_removals((*run.rules, *run.late), run.look)
        run.wanted = set_aside(run.rules, run.look, removed)
        run.late_wanted = set_aside(run.late, run.look, removed)


def _readings(rules: Iterable[Rule], look: Look) -> Iterable[RuleReading]:
    for rule in rules:
        for reader in rule.fields:
            values = read_values(reader, look)
            if values:
                yield RuleReading(rule, reader.name, reader.field, tuple(values), reader.timezone)


def edit(run: RuleRun) -> None:
    """Remove, act and narrow; the page's tree is changed in place."""
    body = run.look.root.select_one("body")
    run.scope = find_scope(run.rules, run.look)
    desk = Desk(run.look, "pre", run.edits, run.notes, run.left_out)
    edit_tree(desk, run.rules, run.scope)
    if run.scope is not None and body is not None:
        narrow(desk, run.scope, body)
        if run.keeps_all:
            for element in body.iter_elements(_NEVER_CONTENT):
                element.tag = "div"
    elif scoping := [rule for rule in run.rules if rule.article or rule.wrapper]:
        run.notes.extend(
            f"rule {rule.id}: its article selector matches nothing on the page" for rule in scoping
        )
        run.is_missing = any(_is_required(rule) for rule in scoping)
        if run.is_missing and body is not None:
            empty(run.look.root, body)


def _is_required(rule: Rule) -> bool:
    scope = rule.spec.selector_overrides
    return scope is not None and scope.required


def finish(run: RuleRun, root: Element) -> tuple[Element, bool]:
    """Put back what was wanted, then run the second phase on the content.

    Returns:
        The content, and whether anything in it changed.
    """
    before = len(run.edits)
    root, put = put_back(root, run.wanted)
    _note_included(run, put)
    if not run.late:
        return root, len(run.edits) > before
    holder = Element("div")
    if root.parent is None:
        holder.append(root)
    else:
        root.wrap(holder)  # moved to a holder of its own, all of it would be copied
        holder.extract()
    _second_phase(run, holder)
    return holder, len(run.edits) > before


def _note_included(run: RuleRun, put: list[WantedElement]) -> None:
    for each in put:
        desk = Desk(run.look, "pre", run.edits)
        desk.note(each.rule, "include", each.selector.text, count=1, text=each.text[:200])


def _second_phase(run: RuleRun, holder: Element) -> None:
    look = Look(holder)
    matched = run.book.matches(look, run.url, "post")
    rules = [match.rule for match in matched]
    run.ids.extend(rule.id for rule in rules if rule.id not in run.ids)
    first = next((rule for rule in rules if rule.spec.discard), None)
    run.discarded_by = run.discarded_by or first
    _read_content(run, rules, look)
    ids = {rule.id for rule in rules}
    whole, put = put_back(holder, [each for each in run.late_wanted if each.rule.id in ids])
    if whole is not holder:
        holder.clear()
        holder.append(whole)
    if put:
        _note_included(run, put)
        look.forget_words()
    edit_tree(Desk(look, "post", run.edits, run.notes), rules, None)
    run.notes.extend(f"selector skipped: {each}" for each in look.skipped)


def _read_content(run: RuleRun, rules: list[Rule], look: Look) -> None:
    """Fields of the second phase: from the content, or else from the page before any edit."""
    early = {rule.id for rule in run.rules}
    for rule in rules:
        if rule.id in early:  # of phase both: it has read the whole page
            continue
        found = {reading.field: reading for reading in _readings([rule], look)}
        whole = {reading.field: reading for reading in run.late_readings.get(rule.id, [])}
        for name, reading in (whole | found).items():
            known = run.readings.get(name)
            if known is None or rule.spec.priority > known.rule.spec.priority:
                run.readings[name] = reading


def with_readings(facts: PageFacts, run: RuleRun) -> PageFacts:
    """The facts of a page with what the rules read in place of what it says itself."""
    if not run.readings:
        return facts
    # A date that cannot be read must not cost the one that the page states.
    taken = {each.field for each in run.readings.values()} - _DATES
    taken |= {f"page_{name}" for name in taken}
    claims = [claim for claim in facts.claims if claim.field not in taken]
    own = [
        Claim(field=each.field, value=value, source=each.rule.source)
        for each in run.readings.values()
        if each.field not in _FACTS
        for value in each.values
    ]
    return replace(
        facts,
        claims=(*own, *claims),
        offers=_offers(run) or facts.offers,
        ratings=_ratings(run) or facts.ratings,
        nearby=() if "author" in taken else facts.nearby,
    )


def with_hints(hint: SourceHint | None, run: RuleRun) -> SourceHint | None:
    """What a source registry knows, behind what the rules say of language, site and zone."""
    told = {
        name: run.readings[field].values[0]
        for name, field in (("language", "language"), ("name", "site_name"))
        if field in run.readings
    }
    zone = next((each.timezone for each in run.readings.values() if each.timezone), "")
    if zone:
        told["timezone"] = zone
    return replace(hint or SourceHint(), **told) if told else hint


def insist(chosen: ChosenValue, run: RuleRun) -> ChosenValue:
    """What the rules read wins, also where the choice of values had its doubts about it."""
    if not run.readings:
        return chosen
    fields = dict(chosen.fields)
    values: dict[str, Any] = {}
    for reading in run.readings.values():
        name = _CHOSEN.get(reading.field, reading.field)
        known = fields.get(name)
        if name in _DATES and (known is None or known.source != reading.rule.source):
            run.notes.append(f"rule {reading.rule.id}: {name} is not a date")
            continue
        fields[name] = FieldSource(source=reading.rule.source, raw=", ".join(reading.values)[:300])
        if reading.field in _TEXTS and (known is None or known.source != reading.rule.source):
            values[name] = reading.values if reading.field in _LISTS else reading.values[0]
    values |= _figures(chosen, run)
    return replace(chosen, fields=fields, **values)


def _figures(chosen: ChosenValue, run: RuleRun) -> dict[str, Any]:
    """Prices and ratings that a rule reads stand alone; a native advertisement is marked."""
    values: dict[str, Any] = {}
    for field_name, name in (("price", "price_candidates"), ("rating", "rating_candidates")):
        if reading := run.readings.get(field_name):
            own = [each for each in getattr(chosen, name) if each.source == reading.rule.source]
            values[name] = tuple(own)
    if "native_ad" in run.readings:
        values["metadata"] = chosen.metadata | {"native_ad": True}
    return values


def record_rules(provenance: Provenance, run: RuleRun) -> Provenance:
    """The provenance with what the rules did."""
    fields = dict(provenance.fields)
    if picture := run.readings.get("image"):
        fields["hero_image"] = FieldSource(source=picture.rule.source, raw=picture.values[0])
    if run.scope is not None:
        fields["text"] = FieldSource(source=run.scope.rule.source, raw=run.scope.selector.text)
    return replace(
        provenance,
        fields=fields,
        rules=tuple(run.ids),
        edits=tuple(run.edits),
        warnings=(*provenance.warnings, *all_notes(run)),
    )


def discard(document: Document, rule: Rule) -> Document:
    """The Document of a page that a rule discards."""
    return replace(
        document,
        markdown=DISCARDED if document.markdown else "",
        discarded=True,
        discard_reason=rule.spec.discard_reason or f"Discarded by rule {rule.id}.",
    )


def _offers(run: RuleRun) -> tuple[OfferFact, ...]:
    reading = run.readings.get("price")
    if reading is None:
        return ()
    return tuple(OfferFact(raw=value, source=reading.rule.source) for value in reading.values)


def _ratings(run: RuleRun) -> tuple[RatingFact, ...]:
    reading = run.readings.get("rating")
    if reading is None:
        return ()
    return tuple(RatingFact(raw=value, source=reading.rule.source) for value in reading.values)


def all_notes(run: RuleRun) -> tuple[str, ...]:
    """What went wrong with the rules of this page."""
    used = set(run.ids) | {rule.id for rule in run.late}
    known = [
        f"{each} (skipped)"
        for each in run.book.problems
        if each.split(":", 1)[0].removeprefix("rule ") in used
    ]
    skipped = [f"selector skipped: {each}" for each in run.look.skipped]
    return tuple(dict.fromkeys((*run.notes, *skipped, *known)))
