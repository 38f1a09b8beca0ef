"""RuleBook: the rules that match a page, found by the index, in the order they apply."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, Self

import msgspec

from pageloom.core.dom import SelectorError, parse
from pageloom.core.rules.compile import compile_rule, host_keys
from pageloom.core.rules.hosts import read_address
from pageloom.core.rules.requests import join_requests
from pageloom.core.rules.schema import RuleSpec
from pageloom.core.rules.selector_index import Needs, dom_needs
from pageloom.core.rules.selectors import Look, Selector, read_selector
from pageloom.core.rules.triggers import Visit, needs_page, reasons_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Element, Tree
    from pageloom.core.rules.compile import Rule
    from pageloom.model import RequestSettings

RunPhase = Literal["pre", "post"]

_OWN_TAG = re.compile(r"[a-z]+(?:-[a-z]+)+")
"""An element that a site has made for itself; all of these are looked for at once."""
_PHASES = {"pre": ("pre", "both"), "post": ("post", "both")}


@dataclass(frozen=True, slots=True)
class _Index:
    """Rules for any host, by what has to be on a page before they are looked at."""

    by_word: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    by_part: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    by_generator: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    by_tag: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    by_query: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Selectors that take one look at each element."""
    by_probe: list[tuple[Selector, int]] = field(default_factory=list["tuple[Selector, int]"])
    """Selectors that may be too dear for a page."""
    anyway: list[int] = field(default_factory=list[int])

    def find(self, look: Look) -> set[int]:
        """The rules that may match a page."""
        found = set(self.anyway)
        if self.by_word or self.by_part or self.by_generator:
            words = look.words
            for word in words.single.intersection(self.by_word):
                found.update(self.by_word[word])
            found.update(number for part, number in self.by_part if part in words.joined)
            found.update(number for part, number in self.by_generator if part in words.generator)
        if self.by_tag:
            for element in look.root.iter_elements(tuple(self.by_tag)):
                found.update(self.by_tag[element.tag])
        find = look.root.select_one
        found.update(number for query, number in self.by_query if find(query) is not None)
        found.update(number for probe, number in self.by_probe if look.has(probe))
        return found


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that applies to a page, and why."""

    rule: Rule
    reasons: tuple[str, ...]


class RuleBook:
    """A set of rules, indexed by host and by what their selectors need; compiled on first use.

    Args:
        specs: the rules as written, valid; of two with one id the later counts.
    """

    def __init__(self, specs: Iterable[RuleSpec] = ()) -> None:
        by_id: dict[str, RuleSpec] = {}
        for spec in specs:
            by_id.pop(spec.id, None)
            by_id[spec.id] = spec
        self._all = tuple(by_id.values())
        ordered = sorted(by_id.values(), key=lambda spec: (-spec.priority, spec.id))
        self.specs: tuple[RuleSpec, ...] = tuple(spec for spec in ordered if spec.enabled)
        """The rules in the order they apply, without those switched off."""
        self._rules: dict[int, Rule | None] = {}
        self._by_host: dict[str, list[int]] = {}
        self._loose: list[int] = []
        self._key = ""
        self._has_sites = False
        self._has_late = any(spec.phase != "pre" for spec in self.specs)
        self.problems: list[str] = []
        """What was found wrong with rules when they were first used."""
        self._index()

    def _index(self) -> None:
        for number, spec in enumerate(self.specs):
            trigger = spec.trigger
            if trigger is None:
                continue
            keys = host_keys(trigger.host)
            for key in keys:
                self._by_host.setdefault(key, []).append(number)
            if trigger.dom is not None and (not keys or trigger.mode == "any"):
                self._loose.append(number)
        self._has_sites = any(key.startswith("site ") for key in self._by_host)

    def __len__(self) -> int:
        return len(self.specs)

    def for_host(self, host: str) -> set[int]:
        """The places of the rules that name a host."""
        return self._by_keys(self._visit(f"http://{host}/").keys)

    def rule(self, number: int) -> Rule | None:
        """The rule at a place in the order, compiled when first asked for."""
        if number not in self._rules:
            rule, problems = compile_rule(self.specs[number])
            self._rules[number] = rule
            self.problems.extend(
                f"rule {self.specs[number].id}: {each.path}: {each.message}" for each in problems
            )
        return self._rules[number]

    def rules(self) -> list[Rule]:
        """All rules that can be used, in order."""
        made = (self.rule(number) for number in range(len(self.specs)))
        return [rule for rule in made if rule is not None]

    def match(self, root: Tree | Element, url: str, phase: RunPhase = "pre") -> list[Match]:
        """The rules of a phase that apply to a page, in order."""
        return self._matches(Look(root), url, _PHASES[phase])

    def matches(self, look: Look, url: str, phase: RunPhase = "pre") -> list[Match]:
        """The same for a tree that is already looked at."""
        return self._matches(look, url, _PHASES[phase])

    def _matches(self, look: Look, url: str, phases: tuple[str, ...]) -> list[Match]:
        visit = self._visit(url, look)
        found = self._by_keys(visit.keys)
        found.update(self._loose_on(look, phases))
        return self._judge(sorted(found), visit, phases)

    def later(self, look: Look, url: str) -> list[Rule]:
        """The rules of the second phase that may match what is left of a page, in order."""
        if not self._has_late:
            return []
        visit = self._visit(url, look)
        found = self._by_keys(visit.keys)
        found.update(self._loose_on(look, _PHASES["post"]))
        late = (number for number in sorted(found) if self.specs[number].phase != "pre")
        rules = [rule for number in late if (rule := self.rule(number))]
        anywhere = Visit(visit.address, frozenset(), look)
        return [rule for rule in rules if rule.hosts or reasons_for(rule, anywhere)]

    def _judge(self, numbers: Iterable[int], visit: Visit, phases: tuple[str, ...]) -> list[Match]:
        matched: list[Match] = []
        for number in numbers:
            if self.specs[number].phase not in phases:
                continue
            rule = self.rule(number)
            reasons = reasons_for(rule, visit) if rule else None
            if rule and reasons:
                matched.append(Match(rule, tuple(reasons)))
        return matched

    def _visit(self, url: str, look: Look | None = None) -> Visit:
        address = read_address(url)
        keys = address.keys(with_site=self._has_sites) if self._by_host else frozenset[str]()
        return Visit(address, keys, look)

    def _by_keys(self, keys: Iterable[str]) -> set[int]:
        return {number for key in keys for number in self._by_host.get(key, ())}

    def _loose_on(self, look: Look, phases: tuple[str, ...]) -> list[int]:
        """Rules for any host whose words are on the page, or that have no words to look for."""
        if not self._loose:
            return []
        if look.candidates is None and phases == _PHASES["post"]:
            return list(self._late_words.find(look))
        if look.candidates is None:
            look.candidates = frozenset(self._words.find(look))
        return [each for each in look.candidates if self.specs[each].phase in phases]

    @cached_property
    def _words(self) -> _Index:
        return self._index_words(self._loose)

    @cached_property
    def _late_words(self) -> _Index:
        """For content, of which nobody asks more; the probes of all rules would cost it dearly."""
        return self._index_words(each for each in self._loose if self.specs[each].phase != "pre")

    def _index_words(self, numbers: Iterable[int]) -> _Index:
        index = _Index()
        for number in numbers:
            trigger = self.specs[number].trigger
            needs = dom_needs(trigger.dom) if trigger and trigger.dom else Needs()
            if needs.anything:
                index.anyway.append(number)
            for key in needs.keys:
                if key.kind == "word":
                    index.by_word.setdefault(key.text, []).append(number)
                else:
                    parts = index.by_part if key.kind == "part" else index.by_generator
                    parts.append((key.text, number))
            for probe in needs.probes:
                if _OWN_TAG.fullmatch(probe):
                    index.by_tag.setdefault(probe, []).append(number)
                    continue
                with suppress(SelectorError):  # then the rule cannot be compiled either
                    selector = read_selector(probe)
                    if selector.is_xpath or selector.reach.is_wide:
                        index.by_probe.append((selector, number))
                    else:
                        index.by_query.append((selector.query, number))
        return index

    def request_for(self, url: str) -> RequestSettings:
        """How to ask for a page, as far as its URL alone can tell."""
        visit = self._visit(url)
        rules = [self.rule(number) for number in sorted(self._by_keys(visit.keys))]
        known = [
            rule for rule in rules if rule and not needs_page(rule) and reasons_for(rule, visit)
        ]
        return join_requests(known, url)

    def request_for_page(self, page: Tree | Element | str, url: str) -> RequestSettings:
        """The same once the page is known: links to go on, and whether a browser is needed."""
        look = Look(parse(page) if isinstance(page, str) else page)
        matched = self._matches(look, url, ("pre", "post", "both"))
        return join_requests([match.rule for match in matched], url, look)

    def to_bytes(self) -> bytes:
        """The book as data: rules as written, nothing that runs."""
        return msgspec.msgpack.encode(self._all)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The book that ``to_bytes`` was called on.

        Raises:
            msgspec.MsgspecError: it is something else.
        """
        return cls(msgspec.msgpack.decode(data, type=tuple[RuleSpec, ...]))

    @property
    def key(self) -> str:
        """The same for books with the same rules."""
        if not self._key:
            self._key = sha256(self.to_bytes()).hexdigest()
        return self._key

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return RuleBook.from_bytes, (self.to_bytes(),)
