"""Choose one value per metadata field from the claims, and record its source."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pageloom.core.non_ascii import has_digit, only_alnum
from pageloom.core.normalize import (
    languages,
    money,
    parse_dates,
    people,
    products,
    ratings,
    stock,
    titles,
    topics,
)
from pageloom.core.normalize.choose_dates import choose_dates
from pageloom.core.normalize.text import clean_text, cut_at_word, fold_text
from pageloom.core.normalize.urls import domain_of, site_of
from pageloom.core.page_urls import absolute
from pageloom.core.parts import ChosenValue
from pageloom.errors import InvalidUrl
from pageloom.model import FieldSource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.parts import Claim, Content, PageFacts
    from pageloom.model import Availability, Price, Product, Rating, SourceHint

MAX_DESCRIPTION = 2_000
_PRICE_ALONE = 24
"""Characters of a text that is a price and little else."""
_OWNER_METAS = frozenset(("copyright", "publisher", "dc.publisher", "dc.rights", "owner"))
_FEED = "source:feed"
_TRUSTED = ("rule", "source:")
_MISTAKEN = frozenset(("other", "service", "listing", "collection", "video"))
"""Types that a page which declares itself an article may be taken for."""
_DOUBT = 0.36
_CERTAIN = 0.7
_WITH_COUNTRY = re.compile(r"^[a-z]{2}[-_]([A-Za-z]{2})$")
_ARTICLES = ("Article", "BlogPosting", "ForumPosting", "MediaPosting")


@dataclass(slots=True)
class _Desk:
    """The claims by field, and what has been decided so far."""

    facts: PageFacts
    by_field: dict[str, list[Claim]]
    url: str
    text: str
    page_type: str
    fetched_at: str
    hint: SourceHint | None
    domain: str
    """The host of the URL without ``www.``."""
    certain: bool
    """Whether the type of the page is."""
    has_trusted: bool
    """Whether any claim is a rule's or a source hint's."""
    sources: dict[str, FieldSource] = field(default_factory=dict[str, FieldSource])
    warnings: list[str] = field(default_factory=list[str])

    def claims(self, *names: str) -> list[Claim]:
        """The claims of some fields, what rules and source hints say first."""
        found = [claim for name in names for claim in self.by_field.get(name, ())]
        if self.has_trusted:
            found.sort(key=lambda claim: not claim.source.startswith(_TRUSTED))
        return found

    def note(self, name: str, source: str, raw: str) -> None:
        """Remember where a field's value came from."""
        if source:
            self.sources[name] = FieldSource(source=source, raw=raw[:300])


def choose_fields(  # noqa: PLR0913 - two of them switch parts off
    facts: PageFacts,
    content: Content,
    *,
    url: str = "",
    fetched_at: str = "",
    hint: SourceHint | None = None,
    detect_language: bool = True,
    categories: bool = True,
) -> ChosenValue:
    """The chosen value of every metadata field.

    Args:
        facts: what the page says about itself.
        content: the content that was found; its type decides where a date belongs.
        url: the URL that answered.
        fetched_at: the ISO instant of the fetch, for relative dates.
        hint: what a source registry knows; it comes before the page.
        detect_language: whether to look at the text for its language.
        categories: whether to choose tags and categories.
    """
    desk = _open_desk(facts, content, url, hint, fetched_at)
    kind = desk.page_type
    language, sure = _language(desk, detect=detect_language)
    site = _site_name(desk)
    title, found = _title(desk, site)
    authors = _authors(desk, site)
    published, modified = _dates(desk, language, _date_kind(facts, kind, content))
    declared = next((claim.value for claim in desk.claims("direction")), "")
    is_product = content.page_type == "product"
    available, available_source, available_raw = stock.choose_availability(
        desk.claims("availability"), for_sale=is_product
    )
    prices = _prices(desk, language)
    product = _product(desk, prices, available) if is_product else None
    desk.note("availability", available_source, available_raw)
    images, declared_image = _images(desk)
    free, free_source, free_raw = stock.read_free(desk.claims("free", "tier"), content.text)
    desk.note("accessible_for_free", free_source, free_raw)
    return ChosenValue(
        title=title,
        description=_description(desk),
        authors=authors,
        published=published,
        modified=modified,
        language=language,
        language_confidence=sure,
        direction=languages.direction_of(language, declared, content.text),
        site_name=site,
        canonical_url=_canonical(desk),
        tags=_tags(desk, title) if categories else (),
        categories=_categories(desk, title) if categories else (),
        availability=available,
        accessible_for_free=free,
        price_candidates=prices,
        product=product,
        rating_candidates=_ratings(desk),
        images=images,
        declared_image=declared_image,
        metadata=_metadata(desk),
        fields=desk.sources,
        title_found=found,
        warnings=(*facts.notes, *desk.warnings),
    )


def choose_title(facts: PageFacts, content: Content, url: str, hint: SourceHint | None) -> str:
    """The title alone, the same as with all other fields."""
    desk = _open_desk(facts, content, url, hint)
    return _title(desk, _site_name(desk))[0]


def _open_desk(
    facts: PageFacts, content: Content, url: str, hint: SourceHint | None, fetched_at: str = ""
) -> _Desk:
    return _Desk(
        facts,
        _by_field(facts.claims),
        url,
        content.text,
        _kind(facts, content.page_type),
        fetched_at,
        hint,
        domain=_domain(url),
        certain=content.page_type_confidence >= _CERTAIN,
        has_trusted=any(claim.source.startswith(_TRUSTED) for claim in facts.claims),
    )


def _kind(facts: PageFacts, page_type: str) -> str:
    """The page's type for dates and authors: what calls itself an article may have both."""
    if page_type in _MISTAKEN and any(kind.endswith(_ARTICLES) for kind in facts.types):
        return "forum" if "DiscussionForumPosting" in facts.types else "article"
    return page_type


def _date_kind(facts: PageFacts, kind: str, content: Content) -> str:
    """The type that decides where a date belongs: in doubt, a page is read as an article.

    The date that a page of an event shows is the event's.
    """
    if any(each.endswith("Event") for each in facts.types):
        return "event"
    sure = content.page_type_confidence
    return "article" if kind in _MISTAKEN and 0.0 < sure < _DOUBT else kind


def _domain(url: str) -> str:
    """The host of a URL without ``www.``; nothing for what is no URL."""
    try:
        return domain_of(url) if url else ""
    except InvalidUrl:
        return ""


def _site(url: str) -> str:
    try:
        return site_of(url) if url else ""
    except InvalidUrl:
        return ""


def _rank(claim: Claim, ranks: dict[str, int]) -> int:
    """The place of a source in a field's cascade: rules and hints first, the unknown last."""
    return -1 if claim.source.startswith(_TRUSTED) else ranks.get(claim.source, 9)


def _by_field(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.field, []).append(claim)
    return found


def _language(desk: _Desk, *, detect: bool) -> tuple[str, float]:
    declared = sorted(desk.claims("language"), key=lambda claim: _rank(claim, _LANGUAGE_RANK))
    pairs = tuple((claim.value, claim.source) for claim in declared)
    hint = desk.hint.language if desk.hint else ""
    code, sure, source, raw = languages.choose_language(desk.text if detect else "", pairs, hint)
    desk.note("language", source, raw)
    if source == "text" and raw:
        desk.warnings.append(
            f"declared language {languages.language_code(raw)} but the text is {code}"
        )
    return code, sure


_LANGUAGE_RANK = {
    "html[lang]": 0,
    "html[xml:lang]": 1,
    "meta[content-language]": 2,
    "meta[og:locale]": 3,
    "body[lang]": 4,
}


def _site_name(desk: _Desk) -> str:
    if desk.hint and desk.hint.name:
        desk.note("site_name", "source", desk.hint.name)
        return desk.hint.name
    ranked = sorted(desk.claims("site_name"), key=lambda claim: _rank(claim, _SITE_RANK))
    for claim in ranked:
        name = clean_text(claim.value)
        if name and len(name) <= 100 and not name.startswith(("http", "@")):
            desk.note("site_name", claim.source, claim.value)
            return name
    for claim in desk.claims("title"):
        if (
            claim.source == "title"
            and (name := titles.split_site(claim.value))
            and _akin(name, desk.domain)
        ):
            desk.note("site_name", "title", claim.value)
            return name
    desk.note("site_name", "url" if desk.domain else "", desk.url)
    return desk.domain


_SITE_RANK = {"meta[og:site_name]": 0, "json-ld": 1, "microdata": 1, "meta[application-name]": 2}


def _akin(name: str, domain: str) -> bool:
    """Whether a name could be the one a domain was made of."""
    squashed = only_alnum(fold_text(name))
    label = only_alnum(domain.lower())
    return len(squashed) > 2 and (squashed in label or label.startswith(squashed[:4]))


def _title(desk: _Desk, site: str) -> tuple[str, bool]:
    domain = desk.domain
    names = tuple(
        dict.fromkeys(
            [
                site,
                domain,
                domain.split(".")[0],
                *(claim.value for claim in desk.claims("site_name")),
            ]
        )
    )
    value, source, raw = titles.choose_title(
        desk.claims("title"), desk.claims("page_title"), names, desk.page_type
    )
    if value:
        desk.note("title", source, raw)
        return value, True
    if desk.page_type != "feed" and any(claim.source == _FEED for claim in desk.facts.claims):
        return "", False
    first = next((line.strip() for line in desk.text.splitlines() if line.strip()), "")
    if first:
        desk.note("title", "text", first)
        return cut_at_word(clean_text(first), titles.MAX_HEADLINE), True
    desk.note("title", "url" if domain else "", desk.url)
    return domain, False


_DESCRIPTION_RANK = (
    "meta[description]",
    "meta[og:description]",
    "meta[twitter:description]",
    "json-ld",
)


def _description(desk: _Desk) -> str:
    rank = {source: number for number, source in enumerate(_DESCRIPTION_RANK)}
    claims = sorted(
        desk.claims("description"),
        key=lambda claim: _rank(claim, rank),
    )
    for claim in claims:
        if text := clean_text(claim.value[: MAX_DESCRIPTION * 2]):
            desk.note("description", claim.source, claim.value)
            return text[:MAX_DESCRIPTION]
    for line in desk.text.splitlines():
        if len(line.strip()) > 50:
            desk.note("description", "paragraph", line)
            return cut_at_word(clean_text(line), 500)
    text = clean_text(desk.text[:600])
    desk.note("description", "text" if text else "", text)
    return cut_at_word(text, 150)


def _authors(desk: _Desk, site: str) -> tuple[str, ...]:
    name = _site(desk.url).partition(".")[0]
    sites = (site, *(claim.value for claim in desk.claims("site_name")[:2]), desk.domain, name)
    meta: dict[str, str] = desk.facts.metadata.get("meta", {})
    owners = tuple(text for name, text in meta.items() if name.lower() in _OWNER_METAS)
    names, source, raw = people.choose_authors(
        desk.claims("author"),
        desk.facts.nearby,
        desk.page_type,
        sites,
        owners,
        certain=desk.certain,
    )
    desk.note("authors", source, raw)
    return names


def _dates(desk: _Desk, language: str, kind: str) -> tuple[Any, Any]:
    zone = desk.hint.timezone if desk.hint else ""
    tag = next(
        (
            claim.value
            for claim in desk.claims("language")
            if languages.language_code(claim.value) == language
        ),
        language,
    )
    context = parse_dates.DateContext(language=tag, zone=zone, fetched_at=desk.fetched_at)
    published, modified = choose_dates(
        desk.by_field,
        desk.facts.nearby,
        desk.url,
        kind,
        context,
        text=desk.text,
        certain=desk.certain,
    )
    for name, moment in (("published", published), ("modified", modified)):
        if moment is not None:
            desk.note(name, moment.source, moment.raw)
    return published, modified


def _canonical(desk: _Desk) -> str:
    for claim in desk.claims("canonical"):
        address = absolute(claim.value, desk.facts.base)
        if not address:
            continue
        if desk.url and _site(address) != _site(desk.url):
            desk.warnings.append("canonical URL ignored: it is on another site")
            continue
        desk.note("canonical_url", claim.source, claim.value)
        return address
    return ""


def _tags(desk: _Desk, title: str) -> tuple[str, ...]:
    tags, source = topics.choose_tags(desk.claims("tag"), title)
    desk.note("tags", source, ", ".join(tags))
    return tags


def _categories(desk: _Desk, title: str) -> tuple[str, ...]:
    found, source = topics.choose_categories(desk.claims("category", "crumb"), title)
    desk.note("categories", source, ", ".join(found))
    return found


def _images(desk: _Desk) -> tuple[tuple[str, ...], str]:
    """The pictures declared, as absolute URLs, and the first that the page itself declares."""
    rank = {
        "meta[og:image:secure_url]": 1,
        "meta[og:image]": 0,
        "meta[og:image:url]": 1,
        "meta[twitter:image]": 2,
    }
    found: dict[str, str] = {}
    for claim in sorted(desk.claims("image"), key=lambda claim: _rank(claim, rank)):
        address = absolute(claim.value, desk.facts.base)
        if address:
            found.setdefault(address, claim.source)
    if found:
        source = next(iter(found.values()))
        desk.sources["images"] = FieldSource(source=source, raw="\n".join(tuple(found)[:20]))
    own = (address for address, source in found.items() if not source.startswith(_TRUSTED))
    stated = next(own, "")
    desk.note("declared_image", found.get(stated, ""), stated)
    return tuple(found), stated


def _country(desk: _Desk, language: str) -> str:
    """The country that owns a shared sign: the language tag's, else the domain's ending."""
    for claim in desk.claims("language"):
        found = _WITH_COUNTRY.match(claim.value.strip())
        if found and found[1].lower() != "us":
            return found[1].lower()
    ending = desk.domain.rsplit(".", 1)[-1]
    return ending if len(ending) == 2 else language


def _prices(desk: _Desk, language: str) -> tuple[Price, ...]:
    country = _country(desk, language)
    found: dict[tuple[Any, ...], Price] = {}
    for fact in desk.facts.offers:
        price = money.parse_price(
            fact.raw, fact.currency, country=country, kind=fact.kind, source=fact.source
        )
        if price.amount is None or (not price.currency and fact.source == "price class"):
            continue
        if fact.high:
            price = replace(price, high=money.read_amount(fact.high))
        found.setdefault((price.amount, price.currency, price.high), price)
    beside = _price_beside(desk.facts.nearby, country) if not found else None
    for price in (*filter(None, (beside,)), *money.find_prices(desk.text, country=country)):
        found.setdefault((price.amount, price.currency, price.high), price)
    prices = tuple(found.values())[: money.MAX_PRICES]
    if prices:
        desk.note("price_candidates", prices[0].source or "text", prices[0].raw)
    return prices


def _product(desk: _Desk, prices: tuple[Price, ...], availability: Availability) -> Product:
    product, sources = products.describe_product(desk.by_field, prices, availability)
    desk.sources |= sources
    return product


def _price_beside(nearby: tuple[str, ...], country: str) -> Price | None:
    """The first price that stands alone near the headline, where nothing marks one as such."""
    for text in nearby:
        if len(text) <= _PRICE_ALONE and has_digit(text):
            found = money.find_prices(money.respell(text), country=country)
            if len(found) == 1 and 2 * len(found[0].raw) > len(text):
                return found[0]
    return None


def _ratings(desk: _Desk) -> tuple[Rating, ...]:
    found: dict[tuple[Any, ...], Rating] = {}
    for fact in desk.facts.ratings:
        rating = ratings.parse_rating(fact)
        if rating.value is not None:
            found.setdefault((rating.value, rating.scale), rating)
    for rating in ratings.find_ratings(desk.text):
        found.setdefault((rating.value, rating.scale), rating)
    rated = tuple(found.values())[: ratings.MAX_RATINGS]
    if rated:
        desk.note("rating_candidates", rated[0].source or "text", rated[0].raw)
    return rated


def _metadata(desk: _Desk) -> dict[str, Any]:
    return desk.facts.metadata
