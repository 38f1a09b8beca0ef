"""Compare metadata: what a page says of itself that a reader would want to know.

Most metadata is written for machines and changes with every build: tokens, stamps, search indexes.
So a name has to be on the list below to count, and its value has to look like something said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pageloom.core.compare.identity import link_identity
from pageloom.core.compare.report import MetadataChange, TrivialDifference, ValueChange
from pageloom.core.compare.structured import flatten_pair
from pageloom.core.compare.values import (
    ValueVerdict,
    compare_paragraph,
    compare_title,
    compare_value,
    is_instant,
)

if TYPE_CHECKING:
    from pageloom.core.compare.movement import Movement
    from pageloom.core.compare.options import DiffOptions
    from pageloom.model import Document

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
        known = _is_stated(before) and _is_stated(after)
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


def _is_stated(document: Document) -> bool:
    """Whether the page names an author in its metadata or a byline, and we did not guess."""
    return bool(document.author)


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
    return _compare(key, " | ".join(one), " | ".join(two))


def _compare(key: str, one: str, two: str) -> ValueVerdict:
    if key in _TITLES:
        return compare_title(one, two)
    if key == "description":
        return compare_paragraph(one, two)
    return compare_value(key, one, two)
