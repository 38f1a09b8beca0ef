"""Test cases for rules: each page must pass with its rule and fail without it.

A case is a directory named after the rule, with the page and the expected result.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.schema import TestSpec, listed
from pageloom.errors import PageloomError, RuleError
from pageloom.flows.capture.extract import extract

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.model import Document

PAGE = "page.html"
EXPECTED = "expect.json"


class Expectation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a case expects of the page; fields left out are not checked."""

    url: str
    contains: list[str] = []
    """Texts that must be in the content, or in its Markdown."""
    excludes: list[str] = []
    """Texts that must not be in the content or its Markdown."""
    order: list[str] = []
    """Texts that must appear in the Markdown in this order."""
    fields: dict[str, Any] = {}
    """Document fields by name; a date is compared only as precisely as it is given."""
    prices: list[str] | None = None
    """The amounts of all prices."""
    request: dict[str, Any] = {}
    """Fields of the rules' request settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test page of one rule."""

    rule: str
    page: bytes
    expected: Expectation


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The result of one case."""

    rule: str
    passed: bool
    troubles: tuple[str, ...] = ()


def shipped_cases() -> list[Case]:
    """The cases that come with Pageloom."""
    with_pages = Path(str(files("pageloom.rulebook"))) / "cases"
    return list(read_cases(with_pages))


def read_cases(directory: Path) -> Iterator[Case]:
    """The cases of a directory, by name."""
    for page in sorted(directory.glob(f"*/{PAGE}")):
        try:
            expected = msgspec.json.decode((page.parent / EXPECTED).read_bytes(), type=Expectation)
            yield Case(rule=page.parent.name, page=page.read_bytes(), expected=expected)
        except (OSError, msgspec.MsgspecError) as error:
            raise RuleError(
                f"The test case {page.parent.name} cannot be read: {error}.", stage="rules"
            ) from None


def run_case(case: Case, book: RuleBook) -> CaseResult:
    """Extract the page with all rules, and with all but its own."""
    name = case_rule(case.rule, book)
    if name is None:
        return CaseResult(rule=case.rule, passed=False, troubles=("there is no such rule",))
    troubles = find_troubles(case, book)
    if not troubles and not find_troubles(case, without(book, name)):
        troubles = ["the page passes without the rule too: the rule is not needed or not tested"]
    return CaseResult(rule=case.rule, passed=not troubles, troubles=tuple(troubles))


def case_rule(name: str, book: RuleBook) -> str | None:
    """The rule a case is named after; ``id--more`` is another case of rule ``id``."""
    known = {spec.id for spec in book.specs}
    return next((each for each in (name, name.partition("--")[0]) if each in known), None)


def without(book: RuleBook, rule: str) -> RuleBook:
    """The book without one of its rules."""
    return RuleBook(spec for spec in book.specs if spec.id != rule)


def find_troubles(case: Case, book: RuleBook | None) -> list[str]:
    """The differences between the page and what the case expects."""
    expected = case.expected
    try:
        document = extract(case.page, expected.url, rules=book)
    except PageloomError as error:
        return [f"{error.code}: {error.message}"]
    troubles = document_troubles(document, expected)
    if expected.request and book is not None:
        html = case.page.decode("utf-8", "replace")
        asked = book.request_for_page(html, expected.url)
        troubles.extend(_differences(asked, expected.request))
    elif expected.request:
        troubles.append("there are no rules, so there are no request settings")
    return troubles


def document_troubles(document: Document, expected: Expectation) -> list[str]:
    """The differences between a Document and what is expected of it."""
    return [*_in_text(document, expected), *_in_fields(document, expected)]


def _in_text(document: Document, expected: Expectation) -> Iterator[str]:
    said = f"{document.text}\n{document.markdown}"
    for text in expected.contains:
        if text not in said:
            yield f"missing: {text}"
    for text in expected.excludes:
        if text in said:
            yield f"unexpected: {text}"
    places = [document.markdown.find(text) for text in expected.order]
    if -1 in places or places != sorted(places):
        yield f"not in the expected order: {' … '.join(expected.order)}"


def _in_fields(document: Document, expected: Expectation) -> Iterator[str]:
    yield from _differences(document, expected.fields)
    amounts = [str(price.amount) for price in document.price_candidates]
    if expected.prices is not None and amounts != expected.prices:
        yield f"prices are {amounts!r}, not {expected.prices!r}"


def _differences(value: object, wanted: dict[str, Any]) -> Iterator[str]:
    for name, want in wanted.items():
        have = msgspec.json.decode(msgspec.json.encode(getattr(value, name)))
        if name in ("published", "modified"):
            moment = getattr(value, name)
            have = moment.iso[: len(want)] if moment else ""
        if have != want:
            yield f"{name} is {have!r}, not {want!r}"


def run_named_tests(book: RuleBook, document: Document) -> tuple[int, list[str]]:
    """Run the tests that the rules of a Document name for its URL; how many, and what failed."""
    tests = _tests(book, document)
    return len(tests), [each for test in tests for each in _troubles(document, test)]


def _tests(book: RuleBook, document: Document) -> list[TestSpec]:
    applied = set(document.provenance.rules)
    addresses = {document.url, document.final_url}
    return [
        test
        for spec in book.specs
        if spec.id in applied
        for test in spec.tests or ()
        if test.url in addresses
    ]


def _troubles(document: Document, test: TestSpec) -> list[str]:
    missing = [each for each in listed(test.contains) if each not in document.text]
    extra = [each for each in listed(test.excludes) if each in document.text]
    return [f"is missing: {each}" for each in missing] + [
        f"should not be there: {each}" for each in extra
    ]
