"""Explain rules on pages: why each matches, what it changes, which selectors find nothing.

Pages come from files, or are the originals of a library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.core.dom import parse
from pageloom.core.rules.selectors import Look
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.listing import walk_pages
from pageloom.edges.store.versions import latest_version
from pageloom.flows.capture.extract import extract
from pageloom.flows.rules.cases import without
from pageloom.model.pages import WITH_ARCHIVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pageloom.core.rules.book import Match, RuleBook
    from pageloom.core.rules.compile import Rule
    from pageloom.core.rules.selectors import Selector
    from pageloom.edges.store.base import Store
    from pageloom.model import Document, RuleEdit

_HTML = re.compile(r"\.x?html?$", re.IGNORECASE)
_STATED = (
    ("link[rel='canonical'][href]", "href"),
    ("meta[property='og:url'][content]", "content"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReport:
    """What one rule did to a page."""

    id: str
    reasons: tuple[str, ...]
    characters_without: int
    """Characters of text with all rules but this one."""
    characters_with: int
    edits: tuple[RuleEdit, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReport:
    """What the rules did to a page."""

    document: Document
    characters_without: int
    """Characters of text without any rules."""
    rules: tuple[RuleReport, ...] = ()


def explain_rules(content: bytes, url: str, book: RuleBook) -> PageReport:
    """Extract a page with all rules, with none, and without each rule that matched."""
    document = extract(content, url, rules=book)
    plain = extract(content, url, rules=None)
    html = content.decode("utf-8", "replace")
    reasons = {match.rule.id: match.reasons for match in book.match(parse(html), url)}
    reports = tuple(
        _report(rule, content, url, book, document, reasons.get(rule, ("on the content",)))
        for rule in document.provenance.rules
    )
    return PageReport(document=document, characters_without=len(plain.text), rules=reports)


def _report(
    rule: str,
    content: bytes,
    url: str,
    book: RuleBook,
    document: Document,
    reasons: tuple[str, ...],
) -> RuleReport:
    source = f"rule:{rule}"
    provenance = document.provenance
    return RuleReport(
        id=rule,
        reasons=reasons,
        characters_without=len(extract(content, url, rules=without(book, rule)).text),
        characters_with=len(document.text),
        edits=tuple(edit for edit in provenance.edits if edit.source == source),
        fields=tuple(name for name, each in provenance.fields.items() if each.source == source),
    )


@dataclass(slots=True)
class RuleHealth:
    """How often the selectors of one rule matched, over many pages."""

    id: str
    pages: int = 0
    idle: dict[str, int] = field(default_factory=dict[str, int])
    """Its selectors by their place in the rule, and on how many pages each matched."""

    @property
    def dead(self) -> list[str]:
        """The selectors that found nothing on any page."""
        return [place for place, count in self.idle.items() if not count]


def check_health(pages: Iterable[tuple[str, str]], book: RuleBook) -> list[RuleHealth]:
    """Count what the selectors of rules match on pages, given as URL and HTML."""
    health: dict[str, RuleHealth] = {}
    for url, html in pages:
        look = Look(parse(html))
        for match in book.matches(look, url, "pre") + _late(book, look, url):
            found = health.setdefault(match.rule.id, RuleHealth(match.rule.id))
            found.pages += 1
            for place, selector in selectors_of(match.rule):
                found.idle[place] = found.idle.get(place, 0) + look.has(selector)
    return sorted(health.values(), key=lambda each: each.id)


def _late(book: RuleBook, look: Look, url: str) -> list[Match]:
    return [each for each in book.matches(look, url, "post") if each.rule.spec.phase == "post"]


def selectors_of(rule: Rule) -> list[tuple[str, Selector]]:
    """The selectors of a rule, by their place in it."""
    found = [
        (f"{name}: {selector.text}", selector)
        for name, group in (
            ("article", rule.article),
            ("wrapper", rule.wrapper),
            ("remove", rule.remove),
            ("include", rule.include),
            ("next_page", rule.next_page),
            ("single_page", rule.single_page),
        )
        for selector in group
    ]
    found += [(f"{each.op}: {each.selector.text}", each.selector) for each in rule.actions]
    found += [
        (f"{reader.name}: {selector.text}", selector)
        for reader in rule.fields
        for selector in reader.selectors
    ]
    return found


def html_files(folder: Path, url: str, max_bytes: int) -> Iterator[tuple[str, str]]:
    """The HTML files below a folder, each with the URL that it states.

    Args:
        folder: where they are.
        url: of those that state none.
        max_bytes: larger files are left out.
    """
    for path in sorted(folder.rglob("*")):
        if _HTML.search(path.name) and path.is_file() and path.stat().st_size <= max_bytes:
            html = path.read_bytes().decode("utf-8", "replace")
            yield _stated_url(html) or url, html


def _stated_url(html: str) -> str:
    tree = parse(html)
    for selector, name in _STATED:
        element = tree.select_one(selector)
        found = element.attr(name) if element is not None else None
        if found and found.startswith("http"):
            return found
    return ""


def library_originals(store: Store, owner: str) -> Iterator[tuple[str, str]]:
    """The last original of every page of a library that has one, with its URL."""
    for page in walk_pages(store, owner, WITH_ARCHIVED):
        last = latest_version(store, page)
        body_hash = last.info.body_hash if last else ""
        body = read_body(store, page, body_hash) if body_hash else None
        if last is not None and body:
            yield last.document.final_url, body.decode("utf-8", "replace")
