"""Find content in preloaded state (JSON for scripts), for pages with nearly no visible text."""

from __future__ import annotations

import re
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, cast

from pageloom.core.dom import parse_fragment
from pageloom.core.json_text import load_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Element, Tree

    Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

_MARKUP = re.compile(
    r"<(?:p|div|h[1-6]|ul|ol|li|br|blockquote|pre|table|a|strong|em|span)\b[^>]*>", re.IGNORECASE
)
_ASSIGNED = re.compile(r"(?:window|self|globalThis)\.?[\w.$\[\]'\"]{0,60}\s*=\s*(?=[{\[])")
_HELD = re.compile(r"\A\s*\{\s*\"|\A\s*\[\s*[\[{\"]")
_TEXT_NAMES = frozenset(
    "articlebody body content contents cooked copy description excerpt headline html intro lead "
    "message paragraph plaintext post summary text title value markdown subtitle caption answer "
    "question bio standfirst raw rendered".split()
)
_NOISE_NAMES = frozenset(
    "css style styles script class classname classnames url src href query querystring gtm seo "
    "meta tracking analytics config translations messages i18n locale buildid".split()
)
# a string that is never closed takes the rest, so that its end is looked for only once
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_MOST_SCRIPT = 4_000_000
_MOST_ASSIGNED = 20
"""Each may be read to the end of its script."""
_MOST_STRINGS = 2_000
_MOST_NODES = 200_000
_SHORTEST_TEXT = 40


def read_preloaded(tree: Tree) -> Element | None:
    """A tree of the text in preloaded state, or None where there is none worth reading.

    Read are Discourse's ``data-preloaded``, JSON in script elements (``__NEXT_DATA__``,
    ``__NUXT_DATA__``, Apollo and the like) and JSON that an inline script assigns to a global.
    """
    seen: set[str] = set()
    pieces: list[str] = []
    for state in _states(tree):
        for text in _strings(state):
            if text not in seen and len(pieces) < _MOST_STRINGS:
                seen.add(text)
                pieces.append(text if _MARKUP.search(text) else f"<p>{escape(text)}</p>")
    return parse_fragment("\n".join(pieces)) if pieces else None


def _states(tree: Tree) -> Iterator[Json]:
    for element in tree.select("[data-preloaded]"):
        yield from _decode(element.attr("data-preloaded") or "")
    for script in tree.select("script"):
        kind = (script.attr("type") or "").lower()
        if kind in ("application/ld+json", "importmap", "speculationrules"):
            continue
        text = script.text[:_MOST_SCRIPT]
        if kind.endswith("json") or _HELD.match(text):
            yield from _decode(text)
        else:
            yield from _assigned(text)


def _assigned(script: str) -> Iterator[Json]:
    for found in islice(_ASSIGNED.finditer(script), _MOST_ASSIGNED):
        value = _first_value(script, found.end())
        if value:
            yield from _decode(value)
            return


def _first_value(script: str, start: int) -> str:
    """The JSON object or list that starts here, by counting brackets outside strings."""
    depth = 0
    for token in _TOKEN.finditer(script, start):
        mark = token[0]
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
            if depth == 0:
                return script[start : token.end()]
    return ""


def _decode(text: str) -> Iterator[Json]:
    value = load_json(text)
    if value is not None:
        yield cast("Json", value)


def _strings(state: Json) -> Iterator[str]:
    """The texts of a value in document order, those under telling names or with markup in them."""
    waiting: list[tuple[str, Json]] = [("", state)]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(
                (key.lower(), value[key])
                for key in reversed(value)
                if key.lower() not in _NOISE_NAMES
            )
        elif isinstance(value, list):
            waiting.extend((name, item) for item in reversed(value))
        elif isinstance(value, str) and len(value) >= _SHORTEST_TEXT:
            if _HELD.match(value):
                waiting.extend(("", inner) for inner in _decode(value))
            elif _is_text(name, value):
                yield value


def _is_text(name: str, value: str) -> bool:
    if value.startswith(
        ("http://", "https://", "/", "data:", "{", "function", "var ", "<svg", "<script")
    ):
        return False
    words = value.count(" ") + 1
    if len(value) > 400 * words:
        return False
    return words >= 6 and (name in _TEXT_NAMES or _MARKUP.search(value) is not None or words >= 20)
