"""The class and id names of a page, and its generator.

They are gathered once a page. A rule whose words are not among them is never looked at, so that
thousands of rules cost no more than the gathering.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Element, Names, Tree
    from pageloom.core.rules.selector_index import Key


class Words(NamedTuple):
    """The words of the class and id attributes of a page, in lower case."""

    single: frozenset[str]
    joined: str
    """Each of them once, to look for parts of words in."""
    generator: str
    """What the page says it was made with, in lower case."""

    def have_any(self, keys: Iterable[Key]) -> bool:
        """Whether one of the keys is among them."""
        for text, kind in keys:
            if kind == "word":
                if text in self.single:
                    return True
            elif text in (self.joined if kind == "part" else self.generator):
                return True
        return False


def read_words(root: Tree | Element, names: Names) -> Words:
    """Gather them.

    Args:
        root: the page, or a part of it.
        names: its class attributes and ids.
    """
    single = frozenset(" ".join([*names.spellings, *names.ids]).lower().split())
    generators = [meta.attr("content") or "" for meta in root.select("meta[name=generator i]")]
    return Words(single, " ".join(single), "\n".join(generators).lower())
