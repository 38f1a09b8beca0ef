"""The three hashes of a Document. Their serialisation is fixed; docs/hashes.md describes it.

Changing what goes in, or how it is written, makes every stored page look changed: add a new hash
instead.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.volatile import IGNORED_METADATA, steady_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.model import Document, Image, Link, Price, Rating


def content_hash(markdown: str) -> str:
    """SHA-256 of the Markdown body."""
    return hashlib.sha256(_bytes(markdown)).hexdigest()


def snapshot_hash(
    *,
    title: str,
    description: str,
    text: str,
    images: Sequence[Image] = (),
    prices: Sequence[Price] = (),
) -> str:
    """SHA-1 over title, description, text, image addresses and printed prices."""
    value = [
        title,
        description,
        text,
        [image.url for image in images],
        [price.raw for price in prices],
    ]
    return hashlib.sha1(_serialise(value), usedforsecurity=False).hexdigest()


def change_hash(document: Document, snapshot: str = "") -> str:
    """SHA-1 over the snapshot hash and what else may change with a meaning."""
    value = [
        snapshot or document.snapshot_hash,
        meaningful_metadata(document.metadata),
        links_by_region(document.links),
        [_rating(rating) for rating in document.rating_candidates],
        document.availability,
        document.canonical_url,
        steady_data(document.metadata),
        document.provenance.margin,
    ]
    return hashlib.sha1(_serialise(value), usedforsecurity=False).hexdigest()


def meaningful_metadata(metadata: dict[str, Any]) -> list[list[str]]:
    """Flat pairs of name and value, sorted, without what means nothing."""
    pairs: list[list[str]] = []
    for part in ("meta", "opengraph", "twitter"):
        for name, value in metadata.get(part, {}).items():
            if name.lower() not in IGNORED_METADATA:
                pairs.append([name, value])
    return sorted(pairs)


def links_by_region(links: Sequence[Link]) -> dict[str, list[str]]:
    """The addresses of each region, sorted, so that a new order is no change."""
    found: dict[str, set[str]] = {}
    for link in links:
        found.setdefault(link.region, set()).add(link.url)
    return {region: sorted(urls) for region, urls in sorted(found.items())}


def _rating(rating: Rating) -> list[Any]:
    return [rating.raw, rating.value, rating.scale]


def _serialise(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
