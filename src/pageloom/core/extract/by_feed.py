"""Metadata claims from feeds and their items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.parts import Claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.parts import FeedFacts, ItemFacts

SOURCE = "source:feed"


def feed_claims(feed: FeedFacts) -> Iterator[Claim]:
    """The claims of a feed about itself."""
    yield from _claims(
        title=[feed.title],
        description=[feed.description],
        author=feed.authors,
        published=[feed.published],
        modified=[feed.modified],
        language=[feed.language],
        image=[feed.image],
        category=feed.categories,
        canonical=[feed.link],
    )


def item_claims(item: ItemFacts, feed: FeedFacts) -> Iterator[Claim]:
    """The claims of an item; what it leaves open the feed answers."""
    yield from _claims(
        title=[item.title],
        description=[item.summary],
        author=item.authors or feed.authors,
        published=[item.published],
        modified=[item.modified],
        language=[item.language or feed.language],
        image=[item.image],
        tag=item.categories,
        site_name=[feed.title] if feed.is_list else [],
    )


def _claims(**values: Iterable[str]) -> Iterator[Claim]:
    for field, found in values.items():
        yield from (Claim(field=field, value=value, source=SOURCE) for value in found if value)
