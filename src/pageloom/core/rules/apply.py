"""Apply rules to a tree: scope, removals and actions, each recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text
from pageloom.core.rules.fields import visible_text
from pageloom.core.rules.patterns import replace_text, substitute
from pageloom.model import RuleEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.dom import Node, Tree
    from pageloom.core.rules.actions import Action
    from pageloom.core.rules.book import RunPhase
    from pageloom.core.rules.compile import Rule
    from pageloom.core.rules.selectors import Look, Selector

_EXCERPT = 200
_SKELETON = frozenset(("html", "head", "body"))
_RUNNING = 60
"""Characters: a piece of text this long is one to be read, not a label."""
_LITTLE, _MUCH = 250, 400
"""Characters of such text: less is no content, more is worth keeping."""
_UNREAD = frozenset("script style noscript template nav footer aside dialog form".split())


@dataclass(frozen=True, slots=True)
class Scope:
    """The parts of a page that a rule says are the article."""

    rule: Rule
    kind: str
    selector: Selector
    elements: tuple[Element, ...]


@dataclass(slots=True)
class Desk:
    """A tree under edit, and the record of it."""

    look: Look
    phase: RunPhase
    edits: list[RuleEdit] = field(default_factory=list[RuleEdit])
    notes: list[str] = field(default_factory=list[str])
    """What was not done, and why."""
    left_out: list[Element] = field(default_factory=list[Element])
    """What was taken out of the content and is still compared."""

    def note(self, rule: Rule, what: str, selector: str = "", **figures: int | str) -> None:
        """Write down one edit."""
        self.edits.append(
            RuleEdit(
                source=rule.source,
                phase=self.phase,
                what=what,
                selector=selector,
                count=int(figures.get("count", 0)),
                removed=int(figures.get("removed", 0)),
                text=str(figures.get("text", "")),
            )
        )


def replace_source(rules: Iterable[Rule], text: str) -> tuple[str, list[RuleEdit]]:
    """The source text with the replacements of the rules made in it, in order."""
    edits: list[RuleEdit] = []
    for rule in rules:
        for each in rule.replace:
            make = substitute if each.regex else replace_text
            changed = make(each.find, each.replacement, text)
            if changed != text:
                edits.append(
                    RuleEdit(source=rule.source, phase="pre", what="replace", text=each.find[:80])
                )
                text = changed
    return text, edits


def find_scope(rules: Sequence[Rule], look: Look) -> Scope | None:
    """The first article in order that is on the page, else the first wrapper."""
    for kind in ("article", "wrapper"):
        for rule in rules:
            for selector in getattr(rule, kind):
                found = outermost(look.select(selector))
                if found:
                    return Scope(rule, kind, selector, tuple(found))
    return None


def outermost(elements: Iterable[Element]) -> list[Element]:
    """The elements that lie in no other of them, each once, in order."""
    once = list(dict.fromkeys(elements))
    chosen = set(once)
    return [element for element in once if chosen.isdisjoint(element.ancestors)]


def find_removals(rules: Iterable[Rule], look: Look) -> dict[Element, tuple[Rule, Selector]]:
    """All elements that the rules remove, each with the first rule that does."""
    found: dict[Element, tuple[Rule, Selector]] = {}
    for rule in rules:
        for selector in rule.remove:
            for element in look.select(selector):
                if element.tag not in _SKELETON:
                    found.setdefault(element, (rule, selector))
    return found


def edit_tree(desk: Desk, rules: Sequence[Rule], scope: Scope | None) -> None:
    """Make the removals and actions of the rules, rule by rule, nowhere outside the scope."""
    desk.look.protected = frozenset(scope.elements if scope else ())
    for rule in rules:
        for selector in rule.remove:
            _remove(desk, rule, selector)
        for action in rule.actions:
            _act(desk, rule, action)


def _remove(desk: Desk, rule: Rule, selector: Selector) -> None:
    found = [
        element
        for element in outermost(desk.look.select(selector))
        if element.tag not in _SKELETON and desk.look.holds(element)
    ]
    if not found:
        return
    texts = [" ".join(visible_text(element).split()) for element in found]
    if sum(map(len, texts)) >= _MUCH and _would_empty(desk.look, found):
        desk.notes.append(
            f"rule {rule.id}: {selector.text} would remove nearly all of the text; it was set aside"
        )
        return
    for element in found:
        element.extract()
    if rule.spec.compared:
        desk.left_out.extend(found)
    said = " … ".join(text for text in texts if text)[:_EXCERPT]
    removed = sum(map(len, texts))
    desk.note(rule, "remove", selector.text, count=len(found), removed=removed, text=said)


def _would_empty(look: Look, found: Sequence[Element]) -> bool:
    """Whether nearly all text that is there to be read is in these elements.

    A rule for the box in front of paid articles may meet a page where the free beginning of the
    story is in that box.
    """
    lost = sum(map(_running_text, found))
    if lost < _MUCH:
        return False
    left = sum(map(_running_text, look.protected or (look.root,))) - lost
    return left < min(_LITTLE, lost // 4)


def _running_text(root: Tree | Element) -> int:
    """The characters of longer pieces of text, outside of what is never read."""
    size = 0
    open_nodes: list[Node] = list(root.children)
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Text):
            length = len(node.data.strip())
            size += length if length >= _RUNNING else 0
        elif isinstance(node, Element) and node.tag not in _UNREAD:
            open_nodes.extend(node.children)
    return size


def _act(desk: Desk, rule: Rule, action: Action) -> None:
    found = [element for element in desk.look.select(action.selector) if desk.look.holds(element)]
    count = action.apply(found, desk.look) if found else 0
    if count:
        desk.look.forget_words()
        desk.note(rule, action.op, action.selector.text, count=count)


def empty(root: Tree | Element, body: Element) -> None:
    """Take all content out of a page; what its head says about it stays."""
    for element in root.select("head script, head noscript, head template"):
        element.extract()
    body.clear()


def narrow(desk: Desk, scope: Scope, body: Element) -> None:
    """Leave nothing in the page but the scope: not even scripts that ship another text."""
    parts = [each for each in scope.elements if each.parent is not None]
    if not any(part.tag in _SKELETON for part in parts):
        held = [part.extract() for part in parts]
        if scope.rule.spec.compared:
            rest = [each for each in body.children if isinstance(each, Element)]
            desk.left_out.extend(each.extract() for each in rest)
        empty(desk.look.root, body)
        body.extend(held)
    desk.note(scope.rule, scope.kind, scope.selector.text, count=len(parts))
