"""What a page and its server say about its reuse: robots directives and text-and-data mining."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TERMS = ("noindex", "none", "noarchive", "nosnippet", "noai", "noimageai", "tdm-reservation")
"""The terms that are told, in this order."""


def reuse_terms(metadata: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[str, ...]:
    """The terms that apply to every robot.

    Args:
        metadata: the ``metadata`` of a Document.
        headers: those of the response, names in lower case.
    """
    meta = {name.lower(): value for name, value in metadata.get("meta", {}).items()}
    found = {word for text in _texts(meta.get("robots")) for word in _words(text)}
    found |= set(_header_words(headers.get("x-robots-tag", "")))
    reserved = [*_texts(meta.get("tdm-reservation")), headers.get("tdm-reservation", "")]
    if any(text.strip() == "1" for text in reserved):
        found.add("tdm-reservation")
    return tuple(term for term in TERMS if term in found)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return [str(each) for each in value] if isinstance(value, list | tuple) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _words(text: str) -> list[str]:
    return [word.strip().lower() for word in text.split(",")]


def _header_words(text: str) -> list[str]:
    """The directives of the header; those after the name of one robot are for that one alone."""
    words: list[str] = []
    for part in _words(text):
        robot, colon, _ = part.partition(":")
        if colon and robot not in ("max-snippet", "max-image-preview", "unavailable_after"):
            return words
        words.append(part)
    return words
