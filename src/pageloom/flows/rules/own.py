"""The rules that a user's pages are read with: everybody's, then the user's own."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pageloom.core.rules.load import load_rules
from pageloom.edges.rulefiles import ChosenRules, seal_rules, specs_of
from pageloom.edges.store.user_rules import rule_texts

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store


def join_own(shared: ChosenRules, store: Store, owner: str) -> ChosenRules:
    """The shared rules and those of a user; of two with one id the user's counts."""
    if shared.sealed is None:
        return shared
    texts = rule_texts(store, owner)
    return join_texts(shared, texts) if texts else shared


@lru_cache(maxsize=32)
def join_texts(shared: ChosenRules, texts: tuple[str, ...]) -> ChosenRules:
    """Rules, and more of them as YAML; what is wrong in these was said when they were kept."""
    if shared.sealed is None:
        return shared
    own = [spec for text in texts for spec in load_rules(text).specs]
    return ChosenRules(seal_rules([*specs_of(shared.sealed), *own]))
