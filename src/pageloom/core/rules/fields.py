"""Metadata fields of rules: read by selector, attribute and pattern, or given literally."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pageloom.core.dom import Element, Text
from pageloom.core.rules.patterns import find_group
from pageloom.core.rules.problems import meant

if TYPE_CHECKING:
    from pageloom.core.dom import Node
    from pageloom.core.rules.schema import FieldSpec
    from pageloom.core.rules.selectors import Look, Selector

FIELDS = {
    "title": "title",
    "description": "description",
    "author": "author",
    "authors": "author",
    "published": "published",
    "modified": "modified",
    "language": "language",
    "site_name": "site_name",
    "canonical_url": "canonical",
    "hero_image": "image",
    "image": "image",
    "tags": "tag",
    "categories": "category",
    "availability": "availability",
    "accessible_for_free": "free",
    "price": "price",
    "rating": "rating",
    "native_ad": "native_ad",
}
"""The names a rule may use, and the field each of them is a claim for."""

_MANY = frozenset(("author", "tag", "category", "image", "price"))
_DATES = frozenset(("published", "modified"))
_MOST_VALUES = 40
_LONGEST = 4_000
_SKIPPED = frozenset(("script", "style", "template", "noscript"))
_SPACES = re.compile(r"\s+")
_OFFSET = re.compile(r"[+-]\d\d:?\d\d|Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldReader:
    """How one field is read."""

    name: str
    """As the rule calls it."""
    field: str
    """What it is a claim for."""
    selectors: tuple[Selector, ...] = ()
    literal: tuple[str, ...] = ()
    attr: str = ""
    regex: str = ""
    join: str | None = None
    format: str = ""
    timezone: str = ""


def read_field_spec(name: str, spec: FieldSpec, selectors: tuple[Selector, ...]) -> FieldReader:
    """The reader of a field.

    Raises:
        ValueError: an unknown field, nothing to read, a date format or zone that does not exist.
    """
    if name not in FIELDS:
        raise ValueError(f"unknown field {name}{meant(name, FIELDS)}")
    literal = _literal(spec)
    if not selectors and not literal and not spec.selector:
        raise ValueError("needs a selector or a value")
    if spec.format and FIELDS[name] not in _DATES:
        raise ValueError("only date fields take a format")
    if spec.timezone:
        _check_zone(spec.timezone)
    return FieldReader(
        name=name,
        field=FIELDS[name],
        selectors=selectors,
        literal=literal,
        attr=spec.attr or "",
        regex=spec.regex or "",
        join=spec.join,
        format=spec.format or "",
        timezone=spec.timezone or "",
    )


def _literal(spec: FieldSpec) -> tuple[str, ...]:
    if spec.value is None:
        return ()
    if isinstance(spec.value, list):
        return tuple(spec.value)
    if isinstance(spec.value, bool):
        return ("true" if spec.value else "false",)
    return (str(spec.value),)


def _check_zone(name: str) -> None:
    if _OFFSET.fullmatch(name):
        return
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"unknown time zone {name}") from None


def read_values(reader: FieldReader, look: Look) -> list[str]:
    """What a reader finds on a page; the first selector that yields anything decides."""
    if reader.literal:
        return list(reader.literal)
    for selector in reader.selectors:
        found = [_value(each, reader) for each in look.find(selector)[:_MOST_VALUES]]
        values = [value for value in found if value]
        if values:
            return _joined(values, reader)
    return []


def _joined(values: list[str], reader: FieldReader) -> list[str]:
    if reader.join is not None:
        return [reader.join.join(values)[:_LONGEST]]
    return list(dict.fromkeys(values)) if reader.field in _MANY else values[:1]


def _value(found: Node | str, reader: FieldReader) -> str:
    text = _raw(found, reader)
    text = _SPACES.sub(" ", text[: _LONGEST * 4]).strip()
    if reader.regex:
        text = (find_group(reader.regex, text) or "").strip()
    if reader.field in _DATES and text:
        text = _dated(text, reader)
    return text[:_LONGEST]


def _raw(found: Node | str, reader: FieldReader) -> str:
    if isinstance(found, str):
        return found
    if not isinstance(found, Element):
        return found.text
    if reader.attr:
        return found.attr(reader.attr) or ""
    return _said(found, reader.field)


def _said(element: Element, field: str) -> str:
    """What an element says: the URL of a picture, the instant of a time, else its text."""
    if element.tag == "meta":
        return element.attr("content") or ""
    if field == "image" and element.tag == "img":
        return element.attr("src") or element.attr("data-src") or ""
    if field in _DATES and element.tag == "time" and element.attr("datetime"):
        return element.attr("datetime") or ""
    return visible_text(element)


def visible_text(element: Element) -> str:
    """The text of an element without that of scripts and styles in it."""
    if not any(element.iter_elements(_SKIPPED)):
        return element.text
    return "".join(
        node.data
        for node in element.descendants
        if isinstance(node, Text) and not _is_skipped(node)
    )


def _is_skipped(node: Text) -> bool:
    parent = node.parent
    return isinstance(parent, Element) and parent.tag in _SKIPPED


def _dated(text: str, reader: FieldReader) -> str:
    """A date by the format and zone of the rule, in ISO; as it stands where it does not fit."""
    moment = _parsed(text, reader.format)
    if moment is None:
        return text
    has_time = any(letter in reader.format for letter in ("%H", "%I", "%s", "%X", "%c", "%T"))
    if reader.format and not has_time:
        return moment.date().isoformat()
    if moment.tzinfo is None and reader.timezone:
        return moment.isoformat() + _offset(moment, reader.timezone)
    return moment.isoformat()


def _parsed(text: str, form: str) -> dt.datetime | None:
    try:
        if form:
            return dt.datetime.strptime(text, form)  # noqa: DTZ007  its zone comes after
        return dt.datetime.fromisoformat(text) if "T" in text else None
    except ValueError:
        return None


def _offset(moment: dt.datetime, zone: str) -> str:
    if _OFFSET.fullmatch(zone):
        return zone
    return moment.replace(tzinfo=ZoneInfo(zone)).strftime("%z")
