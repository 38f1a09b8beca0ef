"""Prices, ratings, availability and paywalls, as the page states them."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from pageloom.core.buying import is_buy_label
from pageloom.core.dom import Element
from pageloom.core.extract.structured_data import nodes_of, resolve_node, text_of, types_of
from pageloom.core.extract.survey import flat_text
from pageloom.core.non_ascii import has_digit
from pageloom.core.parts import Claim, OfferFact, RatingFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Tree
    from pageloom.core.extract.structured_data import JsonNode
    from pageloom.core.extract.survey import Survey
    from pageloom.core.parts import PageFacts

_IDENTITY = {
    "sku": ("sku", "mpn"),
    "gtin": ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "isbn", "ean"),
    "brand": ("brand", "manufacturer"),
    "condition": ("itemCondition",),
}
_PROPS = {
    "sku": "sku",
    "mpn": "sku",
    "gtin": "gtin",
    "gtin8": "gtin",
    "gtin12": "gtin",
    "gtin13": "gtin",
    "gtin14": "gtin",
    "isbn": "gtin",
    "brand": "brand",
    "itemcondition": "condition",
}
_METAS = {
    "product:brand": "brand",
    "og:brand": "brand",
    "product:retailer_item_id": "sku",
    "product:retailer_part_no": "sku",
    "product:mfr_part_no": "sku",
    "product:condition": "condition",
    "product:ean": "gtin",
    "product:gtin": "gtin",
    "product:upc": "gtin",
    "product:isbn": "gtin",
}
_MOST_ROWS = 120
_ROW = re.compile(
    r"(?P<gtin>ean(?:-?code)?|gtin|upc|isbn(?:-1[03])?|barcode|jan)"
    r"|(?P<sku>sku|(?:item|product|part|model) (?:no\.?|number|code)|model|mpn"
    r"|art(?:ikel|icle)?\.?[- ]?(?:nr\.?|nummer|no\.?|number)|référence|referencia|артикул|型番)"
    r"|(?P<brand>brand|marke|hersteller|manufacturer|marque|marca|merk|märke|mærke|merke|marka"
    r"|бренд|ブランド|品牌)"
)
"""Labels of rows, in lower case."""
_OLD = re.compile(
    r"old|was\b|strike|struck|regular|list-?price|compare|rrp|uvp|before|original|statt|crossed|non-?sale|previous|barr"
)
_FROM_TYPES = frozenset(("AggregateOffer",))
MAX_OFFERS = 60
BUTTON = "buy button"
_MOST_BUTTONS = 80
_BUTTONS_OF_ONE = 3
"""More buttons to buy than this are those of a list."""
_BUTTONS = (
    'button,input[type="submit"],input[type="button"],[role="button"],a[class*="cart"],'
    'a[class*="basket"],a[class*="btn"],a[class*="button"]'
)
_HEADINGS: list[Any] = ["h1", "h2", "h3", "h4"]
_SOLD = re.compile(
    r"sold out|out of stock|ausverkauft|épuisé|agotado|esaurito|uitverkocht|売り切れ"
)
_PRICED = re.compile(
    r"[$€£¥￥₹₽₺₴₩]\s?\d|\d\s?(?:[€£₽₺₴₩円元원]|kr\b|zł|Kč|Ft\b|lei\b|руб|[A-Z]{3}\b)"
    r"|[A-Z]{3}\s?\d"
)
_PRICE_LENGTH = 24
_STRUCK: list[Any] = ["del", "s", "strike"]
_MOST_STRUCK = 20


def entity_offers(node: JsonNode, by_id: dict[str, JsonNode], source: str) -> Iterator[OfferFact]:
    """The prices of a node's offers; of its variants where it has none of its own."""
    offers = nodes_of(node.get("offers"))[:MAX_OFFERS]
    if "price" in node and not offers:
        offers = [node]
    for item in offers:
        yield from _offer_prices(resolve_node(item, by_id), by_id, source, 0)
    if not offers:
        for variant in nodes_of(node.get("hasVariant"))[:MAX_OFFERS]:
            yield from entity_offers(_without_variants(variant, by_id), by_id, source)


def _without_variants(item: JsonNode, by_id: dict[str, JsonNode]) -> JsonNode:
    node = resolve_node(item, by_id)
    return {key: value for key, value in node.items() if key != "hasVariant"}


def _offer_prices(
    offer: JsonNode, by_id: dict[str, JsonNode], source: str, depth: int
) -> Iterator[OfferFact]:
    specs = nodes_of(offer.get("priceSpecification"))[:10]
    currency = text_of(offer.get("priceCurrency")) or _first_currency(specs)
    low, high = text_of(offer.get("lowPrice")), text_of(offer.get("highPrice"))
    price = text_of(offer.get("price"))
    if price:
        yield OfferFact(raw=price, currency=currency, source=source)
    elif low:
        kind = "range" if high and high != low else "from" if not high else "current"
        yield OfferFact(
            raw=low,
            high=high if kind == "range" else "",
            currency=currency,
            kind=kind,
            source=source,
        )
    else:
        yield from _specified_prices(specs, source)
    if not price and not low and depth < 2:
        for item in nodes_of(offer.get("offers"))[:MAX_OFFERS]:
            yield from _offer_prices(resolve_node(item, by_id), by_id, source, depth + 1)


def _first_currency(specs: list[JsonNode]) -> str:
    return next((text for item in specs if (text := text_of(item.get("priceCurrency")))), "")


def _specified_prices(specs: list[JsonNode], source: str) -> Iterator[OfferFact]:
    for spec in specs:
        if price := text_of(spec.get("price")):
            listed = "ListPrice" in text_of(spec.get("priceType")) or "Strikethrough" in text_of(
                spec.get("priceType")
            )
            currency = text_of(spec.get("priceCurrency"))
            yield OfferFact(
                raw=price, currency=currency, kind="old" if listed else "current", source=source
            )


def entity_stock(node: JsonNode, by_id: dict[str, JsonNode], source: str) -> Iterator[Claim]:
    """Availability of each offer of a node, and of its variants."""
    seen = 0
    stack: list[tuple[JsonNode, int]] = [(node, 0)]
    while stack and seen < MAX_OFFERS:
        value, depth = stack.pop()
        seen += 1
        inner = resolve_node(value, by_id)
        if text := text_of(inner.get("availability")):
            yield Claim(field="availability", value=text, source=source)
        if depth < 3:
            for key in ("hasVariant", "offers"):
                offers = nodes_of(inner.get(key))[:MAX_OFFERS]
                stack.extend((item, depth + 1) for item in offers[::-1])


def entity_identity(node: JsonNode, by_id: dict[str, JsonNode], source: str) -> Iterator[Claim]:
    """Identifiers, brand and condition of what a node sells."""
    for field, keys in _IDENTITY.items():
        for key in keys:
            value = node.get(key)
            inner = resolve_node(nodes_of(value)[0], by_id) if nodes_of(value) else value
            if text := text_of(inner):
                yield Claim(field=field, value=text, source=source)
    for offer in nodes_of(node.get("offers"))[:1]:
        full = resolve_node(offer, by_id)
        for field, keys in (("sku", ("sku",)), ("condition", ("itemCondition",))):
            if text := text_of(full.get(keys[0])):
                yield Claim(field=field, value=text, source=source)


def labelled_identity(found: Survey) -> Iterator[Claim]:
    """Identifiers and brand from ``itemprop`` and from rows such as ``EAN | 4006381333931``."""
    for prop, element in found.props:
        field = _PROPS.get(prop)
        if field and not found.is_aside(element) and (text := _content(element)):
            yield Claim(field=field, value=text, source=f"itemprop[{prop}]")
    for tag in ("dt", "th", "td"):
        for cell in found.tag(tag)[:_MOST_ROWS]:
            label = _ROW.fullmatch(flat_text(cell, 40).rstrip(" :").lower())
            beside = _cell_after(cell) if label else None
            if label and beside is not None and (text := flat_text(beside, 80)):
                field = next(name for name, value in label.groupdict().items() if value)
                yield Claim(field=field, value=text, source="labelled row")


def _cell_after(cell: Element) -> Element | None:
    beside = cell.next_sibling
    while beside is not None and not isinstance(beside, Element):
        beside = beside.next_sibling
    return beside


def entity_ratings(node: JsonNode, by_id: dict[str, JsonNode], source: str) -> Iterator[RatingFact]:
    """The aggregate rating of a node, or its single review's rating."""
    for key in ("aggregateRating", "reviewRating"):
        for item in nodes_of(node.get(key))[:3]:
            rating = resolve_node(item, by_id)
            if value := text_of(rating.get("ratingValue")):
                count = text_of(rating.get("ratingCount")) or text_of(rating.get("reviewCount"))
                scale = text_of(rating.get("bestRating"))
                yield RatingFact(raw=value, value=value, scale=scale, count=count, source=source)


def meta_offers(pairs: list[tuple[str, str]]) -> Iterator[OfferFact]:
    """``product:price:amount`` and its kin."""
    flat = {name.lower(): text for name, text in reversed(pairs)}
    for prefix, kind in (
        ("product:sale_price:", "current"),
        ("product:price:", "current"),
        ("og:price:", "current"),
        ("product:original_price:", "old"),
    ):
        if amount := flat.get(f"{prefix}amount"):
            old = (
                kind == "current"
                and prefix != "product:sale_price:"
                and "product:sale_price:amount" in flat
            )
            currency = flat.get(f"{prefix}currency", "")
            yield OfferFact(
                raw=amount,
                currency=currency,
                kind="old" if old else kind,
                source=f"meta[{prefix}amount]",
            )


def prop_offers(found: Survey) -> Iterator[OfferFact]:
    """Loose ``itemprop=price`` elements, outside any item that was read."""
    currency = next(
        (_content(element) for prop, element in found.props if prop == "pricecurrency"), ""
    )
    for prop, element in found.props:
        if (
            prop in ("price", "lowprice")
            and not found.is_aside(element)
            and (text := _content(element))
        ):
            yield OfferFact(raw=text, currency=currency, source=f"itemprop[{prop}]")


def _content(element: Element) -> str:
    return (element.attr("content") or flat_text(element, 60)).strip()


def visible_offers(found: Survey, headline: Element | None) -> Iterator[OfferFact]:
    """The texts of price elements outside related items, nearest the headline first.

    Where nothing is named so, a price that is crossed out and the one beside it are such.
    """
    elements = found.kind("price") or _around_struck(found)
    places = found.steps(elements, headline)
    for _, element in sorted(places, key=lambda place: (place[0] < 0, abs(place[0]))):
        text = flat_text(element, 61)
        if text and len(text) <= 60 and has_digit(text) and not found.is_aside(element):
            yield from _read_visible(element, text)


def _around_struck(found: Survey) -> list[Element]:
    """The elements that hold a price that is crossed out, and another one."""
    around: list[Element] = []
    for struck in found.tree.find_all(_STRUCK)[:_MOST_STRUCK]:
        text, parent = flat_text(struck, _PRICE_LENGTH), struck.parent
        if not _PRICED.search(text) or not isinstance(parent, Element):
            continue
        if _PRICED.search(flat_text(parent, 61).replace(text, " ", 1)) and parent not in around:
            around.append(parent)
    return around


def _read_visible(element: Element, text: str) -> Iterator[OfferFact]:
    """One price, or the crossed-out one and the one beside it."""
    inner = element.find("del") or element.find("s") or element.find("strike")
    struck = flat_text(inner, 61) if inner is not None else ""
    rest = text.replace(struck, " ", 1).strip() if struck else ""
    if has_digit(struck) and has_digit(rest):
        yield OfferFact(raw=rest, kind="current", source="price class")
        yield OfferFact(raw=struck, kind="old", source="price class")
        return
    yield OfferFact(raw=text, kind="old" if is_struck(element) else "current", source="price class")


def is_struck(element: Element) -> bool:
    """Whether a price is crossed out, or its class says it is the former one."""
    if _OLD.search((element.attr("class") or "").lower()):
        return True
    if element.closest("del,s,strike") is not None:
        return True
    struck = element.find("del") or element.find("s")
    return struck is not None and len(struck.text.strip()) >= len(element.text.strip()) - 2


def visible_ratings(found: Survey) -> Iterator[RatingFact]:
    """The texts and labels of rating elements."""
    for element in found.kind("rating")[:30]:
        if found.is_aside(element):
            continue
        text = element.attr("aria-label") or element.attr("title") or flat_text(element, 61)
        if text and len(text) <= 60:
            yield RatingFact(raw=text.strip(), source="rating class")


def stock_claims(found: Survey) -> Iterator[Claim]:
    """The texts of elements whose class speaks of stock."""
    for element in found.kind("stock")[:10]:
        if not found.is_aside(element) and (text := flat_text(element, 80)):
            yield Claim(field="availability", value=text, source="stock class")
    for prop, element in found.props:
        if prop == "availability" and not found.is_aside(element):
            text = element.attr("href") or element.attr("content") or flat_text(element, 80)
            if text:
                yield Claim(field="availability", value=text, source="itemprop[availability]")


def buy_claims(tree: Tree, found: Survey, headline: Element | None) -> Iterator[Claim]:
    """The labels of buttons with which the page's own thing is bought, or could be.

    Those between the headline and the next heading are its own; where there are such, others belong
    to what else is offered.
    """
    buttons = [
        button
        for button in tree.select(_BUTTONS)[:_MOST_BUTTONS]
        if _may_sell(button) and not found.is_aside(button)
    ]
    for button in _own(found, buttons, headline) or buttons:
        yield Claim(field="availability", value=_label_of(button), source=BUTTON)


def _may_sell(button: Element) -> bool:
    label = _label_of(button)
    if is_buy_label(label):
        return "disabled" not in button.attrs
    return _SOLD.search(label.lower()) is not None


def _label_of(button: Element) -> str:
    return (button.attr("value") or "") if button.tag == "input" else flat_text(button, 60)


def _own(found: Survey, buttons: list[Element], headline: Element | None) -> list[Element]:
    """The buttons between the headline and the next heading."""
    if headline is None or not buttons:
        return []
    headings = found.steps(found.tree.find_all(_HEADINGS), headline)
    end = min((step for step, _ in headings if step > 0), default=sys.maxsize)
    return [button for step, button in found.steps(buttons, headline) if 0 < step < end]


def is_for_sale(facts: PageFacts) -> bool:
    """Whether one thing is sold on a page: it has a price, and a button to buy it or two."""
    labels = [claim.value for claim in facts.claims if claim.source == BUTTON]
    if not 0 < len(labels) <= _BUTTONS_OF_ONE or not any(map(is_buy_label, labels)):
        return False
    return bool(facts.offers) or has_price(facts.nearby)


def has_price(nearby: tuple[str, ...]) -> bool:
    """Whether a text near the headline is a price and little else."""
    return any(len(text) <= _PRICE_LENGTH and _PRICED.search(text) for text in nearby)


def paywall_claims(found: Survey) -> Iterator[Claim]:
    """A sign of a paywall in the markup; weaker than what the structured data says."""
    for element in found.kind("paywall")[:1]:
        yield Claim(
            field="paywall",
            value=(element.attr("class") or element.attr("id") or "")[:80],
            source="paywall class",
        )


def meta_identity(pairs: list[tuple[str, str]]) -> Iterator[Claim]:
    """Identifiers, brand and condition that previews and catalogues read."""
    for name, text in pairs:
        if field := _METAS.get(name.lower()):
            yield Claim(field=field, value=text, source=f"meta[{name.lower()}]")


def is_priced(node: JsonNode) -> bool:
    """Whether a node is something that is sold."""
    return "offers" in node or "hasVariant" in node or not _FROM_TYPES.isdisjoint(types_of(node))
