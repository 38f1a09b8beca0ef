"""Compare metadata, the canonical URL and JSON-LD."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.report import MetadataChange, TrivialDifference, ValueChange
from pageloom.core.compare.structured import flatten_pair
from pageloom.core.compare.tokens import read_tokens
from pageloom.core.compare.values import ValueVerdict, compare_title, compare_value
from pageloom.core.volatile import IGNORED_METADATA

if TYPE_CHECKING:
    from pageloom.core.compare.options import DiffOptions
    from pageloom.model import Document

_PARTS = ("meta", "opengraph", "twitter")
_MACHINE = re.compile(
    r"csrf|xsrf|nonce|token|session|request|verif|(?:^|[-_:.])(?:build|rev|revision|commit|deploy\w*|release|etag|uuid|uid"
    r"|sid|hash|bucket|experiment\w*|variant|ab|cache|server|node|trace|rendering|renderer|application|sentry|newrelic|visitor|generated|rendered|served)(?:$|[-_:.])"
    r"|modified|updated|last-?mod|published_?time|pubdate|timestamp|apple-|msapplication|mobile-web|shopify|optimizely|csp|baggage"
    r"|traceparent|(?:content|page|post|object|node)-?_?id$|og:(?:image|video|audio):(?:width|height|type)|twitter:(?:site|creator)(?::id)?$|viewport|charset|theme|generator",
    re.IGNORECASE,
)
_MEASURES = re.compile(
    r"price|amount|cost|rating|score|salary|geo|lat|lon|year|volume|issue|edition|version|duration|size|data|level|label",
    re.IGNORECASE,
)
"""Names whose bare numbers say something of the page; those of others count its own parts."""
_LONGEST = 500
_LONGEST_READ = 5_000
_MOST_NAMES = 300
"""Of a page that says more of itself than this, the rest is not read."""


def compare_metadata(
    before: Document, after: Document, options: DiffOptions
) -> tuple[MetadataChange, list[TrivialDifference]]:
    """Every name whose value differs with a meaning, and what differs without."""
    changes: dict[str, ValueChange] = {}
    trivial: list[TrivialDifference] = []
    ignored = frozenset(name.lower() for name in options.ignored_metadata)
    old, new = _named(before), _named(after)
    names = [*old, *(name for name in new if name not in old)]
    differing = (name for name in names if old.get(name) != new.get(name))
    for name in islice(differing, _MOST_NAMES):
        one, two = old.get(name, "")[:_LONGEST_READ], new.get(name, "")[:_LONGEST_READ]
        if name.lower() in ignored:
            continue
        verdict = _judge(name, one, two, (old, new), options)
        if name == "author" and _names_stayed(before, after):
            verdict = ValueVerdict(changed=False, kind="placement")
        if verdict.changed:
            changes[name] = ValueChange(before=one[:_LONGEST], after=two[:_LONGEST], changed=True)
        elif verdict.kind:
            trivial.append(
                TrivialDifference(
                    field="metadata",
                    kind=verdict.kind,
                    before=f"{name}: {one}"[:200],
                    after=two[:200],
                )
            )
    return MetadataChange(changes=changes, changed=bool(changes)), trivial


def _names_stayed(before: Document, after: Document) -> bool:
    """Whether authors were recognised on one visit only, though both texts name them."""
    one, two = frozenset(before.authors), frozenset(after.authors)
    if one and two:
        return False
    return all(name in before.text and name in after.text for name in one | two)


def _named(document: Document) -> dict[str, str]:
    named = {
        name: " ".join(str(value).split())
        for part in _PARTS
        for name, value in _mapping(document.metadata.get(part)).items()
    }
    # one that leads to another site is not believed, but that it does is news
    named["canonical"] = document.canonical_url or str(document.metadata.get("canonical") or "")
    named["author"] = ", ".join(sorted(document.authors, key=str.casefold))
    return {name: value for name, value in named.items() if value}


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _judge(
    name: str,
    one: str,
    two: str,
    sides: tuple[dict[str, str], dict[str, str]],
    options: DiffOptions,
) -> ValueVerdict:
    lowered = name.lower()
    if lowered in IGNORED_METADATA or _MACHINE.search(lowered):
        return ValueVerdict(changed=False, kind="irrelevant")
    if lowered.endswith("title"):
        return compare_title(one, two, case_matters=options.title_case_matters)
    if lowered == "canonical" and not (one and two):
        return ValueVerdict(changed=False, kind="irrelevant")
    if one.isdecimal() and two.isdecimal() and not _MEASURES.search(lowered):
        return ValueVerdict(changed=False, kind="counter")
    if lowered.startswith("twitter:data") and _is_reading_time(lowered, sides):
        return ValueVerdict(changed=False, kind="reading-time")
    return compare_value(name, one, two)


def _is_reading_time(name: str, sides: tuple[dict[str, str], dict[str, str]]) -> bool:
    label = name.replace("data", "label")
    spoken = sides[0].get(label, "") + " " + sides[1].get(label, "")
    return (
        any(group.READING in token.groups for token in read_tokens(spoken))
        or "read" in spoken.lower()
    )


def compare_structured(
    before: Document, after: Document, options: DiffOptions
) -> tuple[MetadataChange, list[TrivialDifference]]:
    """The JSON-LD of two pages, by paths such as ``jsonld:Product.brand.name``."""
    changes: dict[str, ValueChange] = {}
    trivial: list[TrivialDifference] = []
    old: Any = before.metadata.get("jsonld")
    new: Any = after.metadata.get("jsonld")
    if old == new:
        return MetadataChange(), []
    ignored = frozenset(name.lower() for name in options.ignored_metadata)
    for path, (one, two) in flatten_pair(old, new).items():
        name = f"jsonld:{path}"
        if one == two or name.lower() in ignored:
            continue
        verdict = compare_leaf(path, one, two)
        if verdict.changed:
            changes[name] = ValueChange(
                before=" | ".join(one)[:_LONGEST], after=" | ".join(two)[:_LONGEST], changed=True
            )
        elif verdict.kind:
            spelt = f"{name}: {' | '.join(one)}"
            trivial.append(
                TrivialDifference(
                    field="metadata",
                    kind=verdict.kind,
                    before=spelt[:200],
                    after=" | ".join(two)[:200],
                )
            )
    return MetadataChange(changes=changes, changed=bool(changes)), trivial


_SCHEMA = re.compile(r"^https?://schema\.org/", re.IGNORECASE)
_FIGURES = frozenset(
    "price lowprice highprice ratingvalue bestrating value minvalue maxvalue".split()
)
_NAMES = frozenset("name headline alternativeheadline".split())
_SILENT = frozenset(
    "@id @type id mainentityofpage width height inlanguage position encodingformat "
    "isaccessibleforfree".split()
)


def compare_leaf(path: str, one: tuple[str, ...], two: tuple[str, ...]) -> ValueVerdict:
    """The values of one key of JSON-LD, whatever their order."""
    key = path.rsplit(".", 1)[-1].lower()
    if key in _SILENT:
        return ValueVerdict(changed=False, kind="irrelevant")
    left = sorted(_SCHEMA.sub("", value) for value in one)
    right = sorted(_SCHEMA.sub("", value) for value in two)
    if key in _FIGURES:
        left, right = [_figure(key, v) for v in left], [_figure(key, v) for v in right]
    if left == right:
        return ValueVerdict(changed=False, kind="reordered")
    if len(left) == len(right):
        verdicts = [_leaf(key, a, b) for a, b in zip(left, right, strict=True)]
        return next((v for v in verdicts if v.changed), verdicts[0])
    verdicts = [compare_value(key, "", value) for value in sorted({*left} ^ {*right})]
    return next((v for v in verdicts if v.changed), ValueVerdict(changed=False, kind="irrelevant"))


def _figure(key: str, value: str) -> str:
    try:
        number = float(value.replace(",", ".")) if value.count(",") <= 1 else None
    except ValueError:
        return value
    if number is None:
        return value
    return f"{number:.1f}" if key == "ratingvalue" else f"{number:g}"


def _leaf(key: str, one: str, two: str) -> ValueVerdict:
    if key == "url" and one.partition("?")[0] == two.partition("?")[0]:
        return ValueVerdict(changed=False, kind="session")  # of an offer: what is chosen at first
    return compare_title(one, two) if key in _NAMES else compare_value(key, one, two)
