"""The three hashes of a Document. Their serialisation is fixed; docs/hashes.md describes it.

Changing what goes in, or how it is written, makes every stored page look changed: add a new hash
instead.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.rotating import steady_address, steady_addresses
from pageloom.core.volatile import IGNORED_METADATA, steady_data, steady_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.model import Blocks, Document, Image, Link, Price, Rating


def with_hashes(document: Document) -> Document:
    """The Document with all three of what it says now."""
    snapshot = snapshot_hash(
        title=document.title,
        description=document.description,
        text=document.text,
        images=document.images,
        prices=document.price_candidates,
    )
    return replace(
        document,
        snapshot_hash=snapshot,
        change_hash=change_hash(document, snapshot),
        content_hash=content_hash(document.markdown),
    )


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
    """SHA-1 over title, description, text, image URLs and printed prices."""
    return _snapshot(title, description, text, [image.url for image in images], prices)


def _snapshot(
    title: str, description: str, text: str, urls: list[str], prices: Sequence[Price]
) -> str:
    return _sha1([title, description, text, urls, [price.raw for price in prices]])


def change_hash(document: Document, snapshot: str = "") -> str:
    """SHA-1 over the snapshot and what else may change with a meaning; what rotates is left out."""
    value = [
        _steady_snapshot(document, snapshot),
        meaningful_metadata(document.metadata),
        links_by_region(document.links),
        [_rating(rating) for rating in document.rating_candidates],
        document.availability,
        document.canonical_url,
        steady_data(document.metadata),
        visible_texts(document.blocks),
    ]
    if document.blocks.choices:
        value.append(sorted(document.blocks.choices.items()))
    return _sha1(value)


def _steady_snapshot(document: Document, snapshot: str) -> str:
    """The snapshot hash, without what rotates in the URLs of pictures."""
    urls = [image.url for image in document.images]
    steady = [steady_address(url) for url in urls]
    if steady == urls:
        return snapshot or document.snapshot_hash
    return _snapshot(
        document.title, document.description, document.text, steady, document.price_candidates
    )


def meaningful_metadata(metadata: dict[str, Any]) -> list[list[str]]:
    """Flat pairs of name and value, sorted, without what means nothing."""
    pairs: list[list[str]] = []
    for part in ("meta", "opengraph", "twitter"):
        for name, value in metadata.get(part, {}).items():
            if name.lower() not in IGNORED_METADATA:
                pairs.append([name, steady_text(value)])
    return sorted(pairs)


def visible_texts(blocks: Blocks) -> list[str]:
    """What stands around the content: bars, boxes and footers, but not the menus."""
    return [text for text, role in zip(blocks.texts, blocks.roles, strict=True) if role not in "mn"]


def links_by_region(links: Sequence[Link]) -> dict[str, list[str]]:
    """The URLs of each region, sorted, so that a new order is no change."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for link in links:
        found[link.region].add(link.url)
    return {region: sorted(steady_addresses(urls)) for region, urls in sorted(found.items())}


def _rating(rating: Rating) -> list[Any]:
    return [rating.raw, rating.value, rating.scale]


def _sha1(value: Any) -> str:
    return hashlib.sha1(msgspec.json.encode(value), usedforsecurity=False).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
