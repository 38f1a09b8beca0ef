"""Triggers: whether a rule matches a page, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.rules.fields import visible_text
from pageloom.core.rules.patterns import contains

if TYPE_CHECKING:
    from pageloom.core.rules.compile import Rule
    from pageloom.core.rules.hosts import Address
    from pageloom.core.rules.selectors import Look

_SAID = {
    "is": "host equals",
    "www": "host equals_www",
    "in": "host ends_with",
    "below": "host ends_with .",
    "site": "host etld_plus_one",
}


class Visit:
    """A page under the eyes of triggers: its URL, and its tree where it is known.

    Args:
        address: the URL after redirects.
        keys: the names under which rules for its host are indexed.
        look: the tree; None before the page was fetched.
    """

    __slots__ = ("_text", "address", "keys", "look")

    def __init__(self, address: Address, keys: frozenset[str], look: Look | None = None) -> None:
        self.address = address
        self.keys = keys
        self.look = look
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The words of the page in lower case, gathered when first asked for."""
        if self._text is None:
            root = self.look.root if self.look else None
            body = root.select_one("body") if root is not None else None
            element = body if body is not None else root
            said = visible_text(element) if element is not None else ""  # type: ignore[arg-type]
            self._text = " ".join(said.casefold().split())
        return self._text


def reasons_for(rule: Rule, visit: Visit) -> list[str] | None:
    """Why a rule applies to a page, or None where it does not."""
    if rule.paths and not any(contains(each, visit.address.path) for each in rule.paths):
        return None
    host = _host_reason(rule, visit)
    if rule.mode == "all" and rule.hosts and not host:
        return None
    dom = _dom_reason(rule, visit)
    if rule.mode == "all" and not rule.dom.is_empty and not dom:
        return None
    reasons = [reason for reason in (host, dom) if reason]
    if not reasons or _is_vetoed(rule, visit):
        return None
    return [*reasons, *(f"path matches {each}" for each in rule.paths[:1])]


def needs_page(rule: Rule) -> bool:
    """Whether host and path alone cannot tell that a rule applies."""
    if rule.dom.none:
        return True
    return not rule.hosts or (rule.mode == "all" and not rule.dom.is_empty)


def _host_reason(rule: Rule, visit: Visit) -> str:
    found = sorted(rule.hosts & visit.keys)
    if not found:
        return ""
    kind, _, name = found[0].partition(" ")
    said = _SAID[kind]
    return f"{said}{name}" if said.endswith(".") else f"{said} {name}"


def _dom_reason(rule: Rule, visit: Visit) -> str:
    look, dom = visit.look, rule.dom
    if look is None:
        return ""
    for selector in dom.any:
        if look.has(selector):
            return f"dom.any {selector.text}"
    if dom.all and all(look.has(selector) for selector in dom.all):
        return f"dom.all {' & '.join(selector.text for selector in dom.all)}"
    found = next((text for text in dom.texts if text in visit.text), None)
    return f"dom.any_text_contains {found}" if found else ""


def _is_vetoed(rule: Rule, visit: Visit) -> bool:
    look = visit.look
    return look is not None and any(look.has(selector) for selector in rule.dom.none)
