"""Compare metadata: what a page says of itself that a reader would want to know.

Most metadata is written for machines and changes with every build: tokens, stamps, search indexes.
So a name has to be on the list below to count, and its value has to look like something said.
Structured data is compared as flat paths: order, nesting and lists of one make no difference.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from pageloom.core.compare.report import MetadataChange, TrivialDifference, ValueChange
from pageloom.core.compare.values import (
    ValueVerdict,
    compare_paragraph,
    compare_title,
    is_instant,
)
from pageloom.core.identity import link_identity
from pageloom.core.volatile import VOLATILE_KEYS

if TYPE_CHECKING:
    from pageloom.core.compare.movement import Movement
    from pageloom.core.compare.options import DiffOptions
    from pageloom.model import Document

_SKIPPED_TYPES = frozenset(
    "BreadcrumbList SiteNavigationElement SearchAction WPHeader WPFooter WPSideBar ItemList "
    "ReadAction ListItem Review Comment UserComments".split()
)
_LONG_TEXTS = frozenset("articlebody text reviewbody transcript".split())
"""The page's own text says these better."""
_NAMED_BY = ("@id", "sku", "productID", "identifier", "url", "name", "headline")
_DEEPEST = 8
_MOST = 2_000

Leaves = dict[str, tuple[str, ...]]


def flatten_pair(before: Any, after: Any) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The leaves of two graphs by path, nodes of the same thing together.

    A node that only one side has is left out where the page has several of its type: pages list
    other products and other stories beside their own.
    """
    old, new = _by_thing(_nodes(before)), _by_thing(_nodes(after))
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for label, one, two in _couples(old, new):
        left, right = _leaves(one, label), _leaves(two, label)
        for path in [*left, *(path for path in right if path not in left)]:
            found[path] = left.get(path, ()), right.get(path, ())
    return found


def _nodes(value: Any) -> list[dict[str, Any]]:
    """The nodes at the top, those of a ``@graph`` among them."""
    stack: list[Any] = [value]
    nodes: list[dict[str, Any]] = []
    while stack and len(nodes) < 100:
        item = stack.pop(0)
        if isinstance(item, list):
            stack = [*cast("list[Any]", item)[:100], *stack]
        elif isinstance(item, dict):
            node = cast("dict[str, Any]", item)
            if "@graph" in node:
                stack = [node["@graph"], *stack]
            elif _type_of(node) not in _SKIPPED_TYPES:
                nodes.append(node)
    return nodes


def _type_of(node: dict[str, Any]) -> str:
    kind = node.get("@type", "")
    if isinstance(kind, list):
        kind = "+".join(sorted(str(each) for each in cast("list[Any]", kind)))
    return str(kind).rpartition("/")[2]


def _by_thing(nodes: list[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Nodes by type, then by what names them."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for node in nodes:
        same = found.setdefault(_type_of(node), {})
        same.setdefault(_name_of(node) or f"#{len(same)}", node)
    return found


def _name_of(node: dict[str, Any]) -> str:
    for key in _NAMED_BY:
        value = node.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _couples(
    old: dict[str, dict[str, dict[str, Any]]], new: dict[str, dict[str, dict[str, Any]]]
) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    couples: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for kind in [*old, *(kind for kind in new if kind not in old)]:
        left, right = old.get(kind, {}), new.get(kind, {})
        shared = [name for name in left if name in right]
        couples += [(kind, left[name], right[name]) for name in shared]
        lone = [node for name, node in left.items() if name not in right]
        others = [node for name, node in right.items() if name not in left]
        if len(lone) <= 1 and len(others) <= 1 and (not shared or (lone and others)):
            couples.append((kind, lone[0] if lone else {}, others[0] if others else {}))
    return couples


def _leaves(node: dict[str, Any], label: str) -> Leaves:
    found: dict[str, list[str]] = {}
    stack: list[tuple[str, Any, int]] = [(label, node, 0)]
    seen = 0
    while stack and seen < _MOST:
        path, value, depth = stack.pop()
        seen += 1
        if isinstance(value, dict):
            if depth < _DEEPEST:
                stack += _children(path, cast("dict[str, Any]", value), depth)
        elif isinstance(value, list):
            stack += [(path, item, depth) for item in cast("list[Any]", value)[:200]]
        elif value is not None and value != "":
            found.setdefault(path, []).append(" ".join(str(value).split()))
    return {path: tuple(sorted(values)) for path, values in sorted(found.items())}


def _children(path: str, node: dict[str, Any], depth: int) -> list[tuple[str, Any, int]]:
    if depth and _type_of(node) in _SKIPPED_TYPES:
        return []
    return [
        (f"{path}.{key}", item, depth + 1)
        for key, item in node.items()
        if key.lower() not in VOLATILE_KEYS
        and key.lower() not in _LONG_TEXTS
        and key not in ("@type", "@id")
    ]


_LONGEST = 500
_OF_MACHINES = frozenset(
    "WebSite WebPage Organization ImageObject SearchAction BreadcrumbList ListItem Person "
    "CollectionPage AboutPage ContactPage ProfilePage SiteNavigationElement Corporation "
    "NewsMediaOrganization EntryPoint SpeakableSpecification".split()
)
"""Types whose nodes describe the site and not the page."""
_FACTS = frozenset(
    "brand.name manufacturer.name sku mpn gtin gtin8 gtin12 gtin13 gtin14 model color size "
    "material "
    "itemcondition eventstatus eventattendancemode startdate enddate doortime previousstartdate "
    "location.name location.address.streetaddress location.address.addresslocality performer.name "
    "organizer.name validthrough employmenttype title hiringorganization.name "
    "joblocation.address.addresslocality joblocationtype basesalary.value.value "
    "basesalary.value.minvalue basesalary.value.maxvalue basesalary.currency applicationdeadline "
    "recipeingredient recipeyield totaltime cooktime preptime softwareversion version "
    "operatingsystem "
    "openinghours openinghoursspecification.opens openinghoursspecification.closes telephone email "
    "address.streetaddress address.postalcode address.addresslocality duration coursemode "
    "numberofrooms floorsize.value occupancy.value departuretime arrivaltime flightnumber "
    "name headline description license".split()
)
"""Properties of structured data that say something to a reader."""
_DATES = frozenset(
    "startdate enddate doortime previousstartdate validthrough applicationdeadline departuretime "
    "arrivaltime openinghoursspecification.opens openinghoursspecification.closes".split()
)
_SHORT = 120
"""Characters of two values that are no paragraph."""
_TITLES = frozenset(("name", "headline", "title"))
_TOKEN = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9+/=_.:-]{16,}|[0-9a-f]{12,}|\d{9,}")
_SCHEMA = re.compile(r"^https?://schema\.org/", re.IGNORECASE)


def compare_metadata(
    before: Document, after: Document, options: DiffOptions, movement: Movement | None
) -> tuple[MetadataChange, list[TrivialDifference]]:
    """Author, canonical URL and the facts of structured data, by name."""
    ignored = frozenset(name.lower() for name in options.ignored_metadata)
    pairs = _named(before, after) | _structured(before, after)
    changes: dict[str, ValueChange] = {}
    noise: list[TrivialDifference] = []
    for name, (one, two, verdict) in pairs.items():
        if one == two or name.lower() in ignored:
            continue
        moved = movement is not None and movement.moves_metadata(name)
        if verdict.changed and not moved:
            changes[name] = ValueChange(before=one[:_LONGEST], after=two[:_LONGEST], changed=True)
        else:
            kind = verdict.kind or ("living" if moved else "irrelevant")
            noise.append(
                TrivialDifference(
                    field="metadata", kind=kind, before=f"{name}: {one}"[:200], after=two[:200]
                )
            )
    return MetadataChange(changes=changes, changed=bool(changes)), noise


Pairs = dict[str, tuple[str, str, ValueVerdict]]


def _named(before: Document, after: Document) -> Pairs:
    found: Pairs = {}
    one, two = before.author, after.author
    if one != two:
        known = bool(one and two)
        same = sorted(one.casefold().split()) == sorted(two.casefold().split())
        verdict = ValueVerdict(changed=known and not same, kind="" if known else "unstated")
        found["author"] = one, two, verdict
    one, two = (str(page.metadata.get("canonical") or "") for page in (before, after))
    if one != two:
        changed = bool(one and two) and link_identity(one) != link_identity(two)
        found["canonical"] = one, two, ValueVerdict(changed=changed, kind="")
    for name, (old, new) in _other_names(before, after).items():
        found[name] = old, new, ValueVerdict(changed=False, kind="irrelevant")
    return found


def _other_names(before: Document, after: Document) -> dict[str, tuple[str, str]]:
    old, new = _flat(before), _flat(after)
    return {
        name: (old.get(name, ""), new.get(name, ""))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name) and name not in ("author", "canonical")
    }


def _flat(document: Document) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in ("meta", "opengraph", "twitter"):
        values: Any = document.metadata.get(part) or {}
        found |= {name: str(value) for name, value in values.items()}
    return found


def _structured(before: Document, after: Document) -> Pairs:
    old, new = before.metadata.get("jsonld"), after.metadata.get("jsonld")
    if old == new:
        return {}
    found: Pairs = {}
    for path, (left, right) in flatten_pair(old, new).items():
        if left != right:
            joined = " | ".join(left), " | ".join(right)
            found[f"jsonld:{path}"] = *joined, _judge(path, left, right)
    return found


def _judge(path: str, left: tuple[str, ...], right: tuple[str, ...]) -> ValueVerdict:
    kind, _, name = path.partition(".")
    key = name.lower()
    if kind in _OF_MACHINES or key not in _FACTS:
        return ValueVerdict(changed=False, kind="irrelevant")
    one = [_SCHEMA.sub("", value) for value in sorted(left)]
    two = [_SCHEMA.sub("", value) for value in sorted(right)]
    if one == two:
        return ValueVerdict(changed=False, kind="reordered")
    if key in _DATES or not one or not two:
        stated = bool(one and two)
        return ValueVerdict(changed=stated, kind="" if stated else "unstated")
    if any(_TOKEN.fullmatch(value) for value in (*one, *two)) and key not in ("sku", "mpn"):
        return ValueVerdict(changed=False, kind="session")
    if all(map(is_instant, (*one, *two))):
        return ValueVerdict(changed=False, kind="timestamp")
    before, after = " | ".join(one), " | ".join(two)
    long = key == "description" or len(before) + len(after) > _SHORT
    return (compare_paragraph if long and key not in _TITLES else compare_title)(before, after)
