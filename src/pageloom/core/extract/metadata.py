"""Gather all metadata claims of a page (add sources here), before its tree is edited."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from pageloom.core.dom import SelectorError, css
from pageloom.core.extract import entities, head_claims, offers, visible_claims
from pageloom.core.extract.naming import find_named
from pageloom.core.extract.structured_data import (
    index_by_id,
    main_nodes,
    read_json_ld,
    read_microdata,
    read_rdfa,
    types_of,
    walk_nodes,
)
from pageloom.core.extract.survey import add_kinds, flat_text, survey
from pageloom.core.parts import Claim, OfferFact, PageFacts, RatingFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Element, Tree
    from pageloom.core.extract.naming import Named
    from pageloom.core.extract.structured_data import JsonNode
    from pageloom.core.extract.survey import Survey
    from pageloom.core.parts import DecodedPage
    from pageloom.model import SourceHint


class HeadFacts(NamedTuple):
    """What a page says in its head, its structured data and its headings."""

    found: Survey
    flat: dict[str, str]
    """The metas by name, the first of each."""
    pairs: list[tuple[str, str]]
    """All metas."""
    data: dict[str, list[Any]]
    notes: list[str]
    headline: Element | None
    about: _EntityFacts
    hinted: list[Claim]
    titles: list[Claim]

    def name_page(self) -> PageFacts:
        """What the title is chosen from, and nothing else."""
        metas = head_claims.meta_claims(self.pairs)
        claims = (*self.hinted, *self.about.claims, *metas, *self.titles)
        return PageFacts(claims=claims, types=self.about.types)


def read_head(source: DecodedPage, hint: SourceHint | None = None) -> HeadFacts:
    """Read what needs no look at the rest of the page; its tree is only read."""
    found = survey(source.tree)
    flat, pairs = head_claims.read_metas(found)
    data, notes = _read_structured(source.tree, found)
    title_claims = list(head_claims.title_claims(found))
    titles = [claim.value for claim in title_claims if claim.source == "title"]
    titles += [text for name, text in pairs if name.lower() in ("og:title", "twitter:title")]
    headline = visible_claims.find_headline(found, titles)
    headlines = [*titles, flat_text(headline) if headline is not None else ""]
    about = _EntityFacts(data, source.url, headlines)
    hinted = list(_hint_claims(source.tree, hint))
    return HeadFacts(found, flat, pairs, data, notes, headline, about, hinted, title_claims)


def read_metadata(
    source: DecodedPage,
    hint: SourceHint | None = None,
    head: HeadFacts | None = None,
    named: Named | None = None,
) -> PageFacts:
    """All claims of a page about itself; call it before anything is removed from the tree.

    Args:
        source: the page; its tree is only read.
        hint: what a source registry knows; its selectors are read first.
        head: what its head says, where it was read already.
        named: the elements of the tree with telling names, where they were found already.
    """
    tree = source.tree
    head = head or read_head(source, hint)
    found, about, pairs, headline = head.found, head.about, head.pairs, head.headline
    add_kinds(found, named or find_named(tree, marked=found.marked))
    links = list(head_claims.link_claims(found))
    claims = [
        *chain(
            head.hinted,
            about.claims,
            head_claims.meta_claims(pairs),
            links,
            head_claims.root_claims(found),
            head.titles,
            _visible_claims(tree, found, headline),
        )
    ]
    if not any(claim.field == "published" and claim.source != "far time" for claim in claims):
        language = next((claim.value for claim in claims if claim.field == "language"), "")
        claims.extend(visible_claims.labelled_dates(source.markup, language))
    nearby = visible_claims.nearby_texts(headline)
    prices = tuple(chain(about.offers, offers.meta_offers(pairs), _found_offers(found, headline)))
    if prices or offers.has_price(nearby):
        claims.extend(offers.meta_identity(pairs))
        claims.extend(offers.labelled_identity(found))
        claims.extend(offers.buy_claims(tree, found, headline))
    claims.extend(offers.stock_claims(found))
    return PageFacts(
        base=base_address(found, source.url),
        claims=tuple(claims),
        nearby=nearby,
        offers=prices,
        ratings=tuple(chain(about.ratings, offers.visible_ratings(found))),
        types=about.types,
        metadata=_metadata(head.flat, head.data, links),
        notes=tuple(head.notes),
    )


def base_address(found: Survey, url: str) -> str:
    """``<base href>`` against the page's own URL; only http(s) counts."""
    for element in found.tag("base"):
        href = (element.attr("href") or "").strip()
        if href:
            joined = _join(url, href)
            return joined if joined.startswith(("http://", "https://")) else url
    return url


def _join(url: str, href: str) -> str:
    try:
        return urljoin(url, href)
    except ValueError:
        return url


def _read_structured(tree: Tree, found: Survey) -> tuple[dict[str, list[Any]], list[str]]:
    scripts = [element.text for element in found.tag("script") if _is_json_ld(element.attr("type"))]
    values, notes = read_json_ld(scripts)
    microdata = read_microdata(tree) if found.props else []
    return {"json-ld": values, "microdata": microdata, "rdfa": read_rdfa(tree)}, notes


def _is_json_ld(kind: str | None) -> bool:
    return kind is not None and "ld+json" in kind.lower()


class _EntityFacts:
    """What the three kinds of structured data say, JSON-LD first."""

    def __init__(self, data: dict[str, list[Any]], url: str, headlines: list[str]) -> None:
        self.claims: list[Claim] = []
        self.offers: list[OfferFact] = []
        self.ratings: list[RatingFact] = []
        kinds: list[str] = []
        for source, values in data.items():
            if values:
                kinds.extend(self._read(source, values, url, headlines))
        self.types = tuple(dict.fromkeys(kinds))

    def _read(
        self, source: str, values: list[Any], url: str, headlines: list[str]
    ) -> Iterator[str]:
        every = walk_nodes(values)
        by_id = index_by_id(every)
        nodes = main_nodes(values, by_id)
        mains = entities.main_entities(nodes, url, headlines)
        for node in mains:
            self._read_entity(node, by_id, source)
            yield from types_of(node)
        self.claims.extend(entities.site_claims(nodes, source))
        self.claims.extend(entities.crumb_claims(every, by_id, source))

    def _read_entity(self, node: JsonNode, by_id: dict[str, JsonNode], source: str) -> None:
        self.claims.extend(entities.entity_claims(node, by_id, source))
        self.ratings.extend(offers.entity_ratings(node, by_id, source))
        if offers.is_priced(node):
            self.offers.extend(offers.entity_offers(node, by_id, source))
            self.claims.extend(offers.entity_stock(node, by_id, source))
            self.claims.extend(offers.entity_identity(node, by_id, source))


def _hint_claims(tree: Tree, hint: SourceHint | None) -> Iterator[Claim]:
    if hint is None:
        return
    for field, selector in sorted(hint.selectors.items()):
        for element in _hinted(tree, selector):
            value = element.attr("content") or element.attr("datetime") or flat_text(element)
            if value:
                yield Claim(field=field, value=value.strip(), source=f"source:{hint.id}")


def _hinted(tree: Tree, selector: str) -> list[Element]:
    try:
        return css(tree, selector)[:40]
    except SelectorError:  # a hint that cannot be understood says nothing
        return []


def _visible_claims(tree: Tree, found: Survey, headline: Element | None) -> Iterator[Claim]:
    yield from visible_claims.rel_author_claims(tree, found)
    yield from visible_claims.byline_claims(found, headline)
    yield from visible_claims.time_claims(found, headline)
    yield from visible_claims.dated_texts(found, headline)
    yield from visible_claims.topic_claims(tree, found)
    yield from offers.paywall_claims(found)


def _found_offers(found: Survey, headline: Element | None) -> Iterator[OfferFact]:
    yield from offers.prop_offers(found)
    yield from offers.visible_offers(found, headline)


def _metadata(
    flat: dict[str, str], data: dict[str, list[Any]], links: list[Claim]
) -> dict[str, Any]:
    """What becomes ``Document.metadata``: names as printed; empty parts left out."""
    og = {name: text for name, text in flat.items() if name.lower().startswith("og:")}
    twitter = {name: text for name, text in flat.items() if name.lower().startswith("twitter:")}
    rest = {name: text for name, text in flat.items() if name not in og and name not in twitter}
    canonical = next((claim.value for claim in links if claim.field == "canonical"), "")
    parts: dict[str, Any] = {
        "opengraph": og,
        "twitter": twitter,
        "meta": rest,
        "canonical": canonical,
        "jsonld": data["json-ld"],
        "microdata": data["microdata"],
        "rdfa": data["rdfa"],
    }
    return {name: part for name, part in parts.items() if part}
