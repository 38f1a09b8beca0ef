"""The extraction pipeline: the stages in order, and why they are in this order.

    1 decode      bytes become text and a tree                       DecodedPage
    2 rules       declarative edits before extraction
    3 extract     what the page says of itself, and which part of
                  it is the page                                     PageFacts, Content
    4 rules       declarative edits after extraction
    5 normalize   one spelling for everything                        ChosenValue
    6 enrich      what can be said about it                          Insights
    7 render      Markdown
    8 snapshot    identity in time                                   Document
    9 compare     what changed (a function of its own)

Every stage is a pure function of what it is handed: no clock, no network, no disk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, TypeVar

from pageloom.core.decode.media_type import HTML, XHTML
from pageloom.core.decode.source import decode
from pageloom.core.dom import parse_fragment, parse_page
from pageloom.core.enrich.insights import enrich
from pageloom.core.enrich.quality import score_quality
from pageloom.core.extract.by_feed import feed_claims, item_claims
from pageloom.core.extract.content import (
    VISIBLE,
    extract_content,
    recount,
    whole_content,
    whole_page,
)
from pageloom.core.extract.continued import add_pages, headlines, take_pages
from pageloom.core.extract.focus import focus, pass_over
from pageloom.core.extract.hero import hero_of
from pageloom.core.extract.links import gather_links
from pageloom.core.extract.media import picture_sources, read_images, read_media
from pageloom.core.extract.metadata import read_metadata
from pageloom.core.extract.naming import find_named
from pageloom.core.extract.offers import is_for_sale
from pageloom.core.extract.variants import read_choices
from pageloom.core.mend import mend
from pageloom.core.normalize.choose import choose_fields
from pageloom.core.normalize.html import clean_html
from pageloom.core.normalize.links import clean_hrefs, finish_links
from pageloom.core.normalize.text import clean_passage
from pageloom.core.normalize.urls import clean_link, document_id, domain_of
from pageloom.core.options import DEFAULTS, MarkdownOptions, Options
from pageloom.core.parts import ChosenValue, Content, DecodedPage, PageFacts
from pageloom.core.pictures import Pictures
from pageloom.core.render.markdown import to_markdown
from pageloom.core.rules import stage as rule_stage
from pageloom.core.snapshot.fingerprint import with_hashes
from pageloom.core.visibility import reveal
from pageloom.core.words import count_words, split_sentences
from pageloom.errors import InternalError, InvalidUrl, LowQuality, NoContentFound, PageloomError
from pageloom.model import DISCARDED, Document, FieldSource, Provenance

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.dom import Element, Names, Tree
    from pageloom.core.enrich.insights import Insights
    from pageloom.core.parts import FeedFacts, ItemFacts, LinkSite
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.stage import RuleRun
    from pageloom.model import Image, RequestSettings, SourceHint

T = TypeVar("T")

PAGES = frozenset((HTML, XHTML))
"""The media types whose content has to be found among clutter."""

_CERTAIN = 0.7
_SOLD = 0.6
"""The confidence that a page is a product's because something is sold on it."""
_CHOSEN = frozenset(("scope", "rule"))

PARSER_VERSION = "8"
"""Raised whenever the same bytes may give another Document."""


def _ignore(stage: str) -> None:
    """The observer that does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """The arguments of one extraction, besides the content."""

    url: str
    final_url: str
    content_type: str
    fetched_at: str
    options: Options
    hint: SourceHint | None
    rules: RuleBook | None = None
    observe: Callable[[str], None] = _ignore
    """Called with the name of each stage as it begins; the core itself has no clock."""


def extract(  # noqa: PLR0913  the names are the public API
    content: bytes | str,
    url: str | None = None,
    *,
    content_type: str | None = None,
    rules: RuleBook | None = None,
    options: Options = DEFAULTS,
    final_url: str | None = None,
    fetched_at: str | None = None,
    source: SourceHint | None = None,
    observe: Callable[[str], None] = _ignore,
) -> Document:
    """Turn content into one Document; for a feed, the feed's own.

    Raises:
        PageloomError: and nothing else, whatever the content.
    """
    request = _request(
        url, final_url, content_type, fetched_at, options, source, rules=rules, observe=observe
    )
    return _guarded(lambda: _page(_decode(content, request), request), request)


def extract_all(  # noqa: PLR0913  the names are the public API
    content: bytes | str,
    url: str | None = None,
    *,
    content_type: str | None = None,
    rules: RuleBook | None = None,
    options: Options = DEFAULTS,
    final_url: str | None = None,
    fetched_at: str | None = None,
    source: SourceHint | None = None,
    observe: Callable[[str], None] = _ignore,
) -> list[Document]:
    """One Document for each item of a feed or a JSON list; otherwise a list of the one page."""
    request = _request(
        url, final_url, content_type, fetched_at, options, source, rules=rules, observe=observe
    )

    def documents() -> list[Document]:
        decoded = _decode(content, request)
        if decoded.feed is None or not decoded.feed.is_list:
            return [_page(decoded, request)]
        return [_item(item, decoded.feed, decoded, request) for item in decoded.feed.items]

    return _guarded(documents, request)


def plan_request(url: str, *, rules: RuleBook) -> RequestSettings:
    """The request settings of the rules that match the URL, before the page is fetched."""
    return rules.request_for(url)


def plan_further(
    content: bytes | str,
    url: str,
    *,
    content_type: str = "",
    rules: RuleBook,
    options: Options = DEFAULTS,
) -> RequestSettings:
    """The request settings of the fetched page: its next page, whether it needs a browser."""
    request = _request(url, url, content_type, "", options, None)
    return _guarded(lambda: rules.request_for_page(_decode(content, request).tree, url), request)


def _request(  # noqa: PLR0913  what the caller may say
    url: str | None,
    final_url: str | None,
    content_type: str | None,
    fetched_at: str | None,
    options: Options,
    hint: SourceHint | None,
    *,
    rules: RuleBook | None = None,
    observe: Callable[[str], None] = _ignore,
) -> _Request:
    return _Request(
        url=url or final_url or "",
        final_url=final_url or url or "",
        content_type=content_type or "",
        fetched_at=fetched_at or "",
        options=options,
        hint=hint,
        rules=rules,
        observe=observe,
    )


def _guarded(work: Callable[[], T], request: _Request) -> T:
    """Let PageloomErrors through; any other exception becomes an InternalError."""
    try:
        return work()
    except PageloomError:
        raise
    except Exception as error:
        raise InternalError(
            "An internal error occurred while extracting this page.",
            url=request.url,
            cause=type(error).__name__,
        ) from error


def _decode(content: bytes | str, request: _Request) -> DecodedPage:
    request.observe("decode")
    return decode(
        content,
        url=request.final_url,
        content_type=request.content_type,
        options=request.options,
    )


def _page(source: DecodedPage, request: _Request) -> Document:
    """Stages 3 to 8 for one page."""
    options = request.options
    mend(source.tree)
    source, run, names = _find_rules(source, request)
    request.observe("extract")
    further = take_pages(source.tree, source.markup)
    titles = headlines(source.tree) if further else set[str]()
    if further or options.scope or options.ignore:
        source, names = _chosen_part(source, options), None
    # before the tree is cut: bylines and menus go with the clutter
    named = find_named(source.tree, names)
    facts = _with_feed(read_metadata(source, request.hint, named), source.feed)
    links = gather_links(source.tree, named) if options.extract_links else []
    choices = read_choices(source.tree, named.names.spellings) if facts.offers else {}
    del named, names  # a large page needs the memory for its content
    if run is not None and not options.scope:  # what somebody chose is content as it stands
        rule_stage.edit(run)
    content = _content_of(source, options, run, facts.base)
    content = _content_by_rules(content, options, run, facts.base)
    if further:
        content = add_pages(content, further, titles, alts=options.image_alt_in_text)
    content = _sold(_tidied(content), facts)
    if choices and content.page_type == "product":
        content = replace(content, blocks=replace(content.blocks, choices=choices))
    if run is not None:
        facts = rule_stage.with_readings(facts, run)
        hint = rule_stage.with_hints(request.hint, run)
        request = request if hint is request.hint else replace(request, hint=hint)
    document = _assemble(source, request, facts, content, links, run)
    _refuse_poor(document, options)
    return document


def _find_rules(
    source: DecodedPage, request: _Request
) -> tuple[DecodedPage, RuleRun | None, Names | None]:
    """Stage 2: the rules that match the page; what they replace in its source is replaced.

    With them come the class attributes and ids of the tree, where they were read for it.
    """
    if request.rules is None or source.media_type not in PAGES:
        return source, None, None
    request.observe("rules")
    options = request.options

    def parse_again(markup: str) -> Tree:
        tree = parse_page(markup, max_depth=options.max_depth, max_nodes=options.max_nodes).tree
        mend(tree)
        return tree

    return rule_stage.start(request.rules, source, parse_again)


def _content_by_rules(
    content: Content, options: Options, run: RuleRun | None, base: str
) -> Content:
    """Stage 4: restore what rules include, and run post rules on the content."""
    if run is None or options.scope:
        return content
    root, changed = rule_stage.finish(run, content.root)
    if run.discarded_by is not None:
        return replace(content, root=parse_fragment(f"<p>{DISCARDED}</p>"), text=DISCARDED)
    return recount(content, root, alts=options.image_alt_in_text, base=base) if changed else content


def _chosen_part(source: DecodedPage, options: Options) -> DecodedPage:
    """What the caller chose of the page; ignored parts go first, so that none comes back."""
    source = pass_over(source, options.ignore)
    return focus(source, options.scope) if options.scope else source


def _content_of(source: DecodedPage, options: Options, run: RuleRun | None, base: str) -> Content:
    """Pages have clutter around their content; what came as a feed, JSON or text has none."""
    if options.scope:
        return whole_content(source.tree, "scope", VISIBLE, base)
    if run is not None and run.keeps_all:
        return whole_page(source, "rule", VISIBLE)
    if source.media_type in PAGES:
        return extract_content(source, options, _quality_of, base)
    content = whole_content(source.tree, source.media_type.rpartition("/")[2])
    if source.feed is None or not source.feed.is_list:
        return content
    return replace(content, page_type="feed", page_type_confidence=1.0)


def _tidied(content: Content) -> Content:
    """Normalize the text; HTML entities stay in manuals, which may be about them."""
    text = clean_passage(content.text, decode=content.page_type != "documentation")
    return replace(content, text=text) if text != content.text else content


def _sold(content: Content, facts: PageFacts) -> Content:
    """A page of an uncertain type that sells one thing is a product's."""
    is_certain = content.page_type_confidence >= _CERTAIN or content.page_type == "product"
    if is_certain or content.method in _CHOSEN or not is_for_sale(facts):
        return content
    return replace(content, page_type="product", page_type_confidence=_SOLD)


def _item(item: ItemFacts, feed: FeedFacts, source: DecodedPage, request: _Request) -> Document:
    """Stages 3 to 8 for one item of a feed: its content is clean, and the feed says the rest."""
    address = _clean(item.link) or request.final_url
    markup = item.html or "".join(f"<p>{escape(part)}</p>" for part in item.text.split("\n\n"))
    parsed = parse_page(
        markup or f"<p>{escape(item.summary)}</p>",
        max_depth=request.options.max_depth,
        max_nodes=request.options.max_nodes,
    )
    mend(parsed.tree)
    one = replace(source, tree=parsed.tree, url=address, feed=None, notes=parsed.notes)
    facts = PageFacts(base=item.base or address, claims=tuple(item_claims(item, feed)))
    links = gather_links(parsed.tree) if request.options.extract_links else []
    content = _tidied(replace(whole_content(parsed.tree, "feed-item"), page_type="article"))
    own = replace(request, url=address, final_url=address)
    return _assemble(one, own, facts, content, links)


def _with_feed(facts: PageFacts, feed: FeedFacts | None) -> PageFacts:
    """A feed's own metadata takes precedence over what its items look like."""
    if feed is None:
        return facts
    if feed.is_list:
        return replace(facts, claims=(*feed_claims(feed), *facts.claims))
    return replace(facts, claims=(*item_claims(feed.items[0], feed), *facts.claims))


def _quality_of(text: str) -> int:
    """The score of a bare text: no title, no Markdown."""
    return score_quality(
        has_title=False,
        text=text,
        markdown="",
        words=count_words(text),
        sentences=len(split_sentences(text)),
    )


def _assemble(
    source: DecodedPage,
    request: _Request,
    facts: PageFacts,
    content: Content,
    links: list[LinkSite],
    run: RuleRun | None = None,
) -> Document:
    options = request.options
    request.observe("normalize")
    chosen = choose_fields(
        facts,
        content,
        url=request.final_url,
        fetched_at=request.fetched_at,
        hint=request.hint,
        detect_language=options.detect_language,
        categories=options.extract_categories,
    )
    if run is not None:
        chosen = rule_stage.insist(chosen, run)
    base = facts.base or request.final_url
    found_links = finish_links(links, content.root, base, request.final_url) if links else ()
    reveal(content.root)
    clean_hrefs(content.root, base)  # after the links were told apart by the spelling of the page
    request.observe("render")
    pictures = Pictures(base)
    markdown = _markdown(content, base, pictures) if options.enable_markdown else ""
    images = (
        read_images(content.root, base, chosen.images, pictures) if options.extract_media else ()
    )
    hero = _hero(content.root, images, chosen, pictures, run) if options.extract_media else ""
    request.observe("enrich")
    insights = enrich(
        title=chosen.title,
        text=content.text,
        markdown=markdown,
        language=chosen.language,
        domain=_domain(request.final_url),
        tags=chosen.tags,
        title_found=chosen.title_found,
    )
    request.observe("render")
    provenance = _provenance(source, content, chosen, insights, (images, hero))
    document = Document(
        url=request.url,
        final_url=request.final_url,
        canonical_url=chosen.canonical_url,
        id=_identity(request.final_url),
        source_id=request.hint.id if request.hint else "",
        title=chosen.title,
        description=chosen.description,
        author=", ".join(chosen.authors),
        authors=chosen.authors,
        published=chosen.published,
        modified=chosen.modified,
        language=chosen.language,
        language_confidence=chosen.language_confidence,
        direction=chosen.direction,
        site_name=chosen.site_name,
        text=content.text,
        html=clean_html(content.root, base, pictures, revealed=True),
        markdown=markdown,
        blocks=content.blocks,
        images=images,
        hero_image=hero,
        declared_image=chosen.declared_image if options.extract_media else "",
        links=found_links,
        media=read_media(content.root, base) if options.extract_media else (),
        tags=chosen.tags,
        categories=chosen.categories,
        generated_tags=tuple(tag.name for tag in insights.generated_tags),
        metadata=chosen.metadata,
        availability=chosen.availability,
        accessible_for_free=chosen.accessible_for_free,
        price_candidates=chosen.price_candidates,
        rating_candidates=chosen.rating_candidates,
        product=chosen.product,
        page_type=content.page_type,
        page_type_confidence=content.page_type_confidence,
        word_count=insights.word_count,
        reading_time=insights.reading_time,
        reading_level=insights.reading_level,
        summary=insights.summary,
        near_duplicate=insights.near_duplicate,
        quality_score=insights.quality_score,
        provenance=rule_stage.record_rules(provenance, run) if run is not None else provenance,
    )
    if run is not None and run.discarded_by is not None:
        document = rule_stage.discard(document, run.discarded_by)
    request.observe("snapshot")
    return _restyle(with_hashes(document), content, base, options)


def _hero(
    root: Element,
    images: tuple[Image, ...],
    chosen: ChosenValue,
    pictures: Pictures,
    run: RuleRun | None,
) -> str:
    """The picture that a rule names, before what the content has and the page declares."""
    if run is not None and "image" in run.readings and chosen.images:
        return chosen.images[0]
    return hero_of(root, images, chosen.images, pictures)


def _markdown(content: Content, base: str, pictures: Pictures) -> str:
    return to_markdown(content.root, MarkdownOptions(base_url=base), pictures, revealed=True)


def _restyle(document: Document, content: Content, base: str, options: Options) -> Document:
    """The Markdown as the caller likes it. Score and hashes stay: they are for comparing."""
    default = MarkdownOptions(base_url=base)
    wanted = MarkdownOptions(
        images=options.markdown_images,
        links=options.markdown_links,
        wrap=options.markdown_wrap or None,
        base_url=base,
    )
    if wanted == default or not options.enable_markdown or document.discarded:
        return document
    return replace(document, markdown=to_markdown(content.root, wanted))


def _provenance(
    source: DecodedPage,
    content: Content,
    chosen: ChosenValue,
    insights: Insights,
    shown: tuple[tuple[Image, ...], str],
) -> Provenance:
    """Where everything comes from; ``shown`` are the pictures and the hero among them."""
    engine = FieldSource(source=f"engine:{content.method}")
    made = {
        "text": engine,
        "page_type": FieldSource(source="engine:kinds"),
    }
    if insights.generated_tags:
        reasons = "; ".join(f"{tag.name}: {tag.reason}" for tag in insights.generated_tags)
        made["generated_tags"] = FieldSource(source="engine:keywords", raw=reasons)
    fields = chosen.fields | made
    declared = fields.pop("images", None)
    return Provenance(
        fields=fields | picture_sources(*shown, declared),
        strategy=content.method,
        fallbacks=content.fallbacks,
        warnings=(*source.notes, *content.notes, *chosen.warnings),
        media_type=source.media_type,
        charset=source.charset,
        parser_version=PARSER_VERSION,
        blocks=content.traces,
    )


def _identity(url: str) -> str:
    try:
        return document_id(url) if url else ""
    except InvalidUrl:
        return ""


def _clean(link: str) -> str:
    """An item's link without tracking parameters; as it stands where it is no URL."""
    try:
        return clean_link(link) if link else ""
    except InvalidUrl:
        return link


def _domain(url: str) -> str:
    try:
        return domain_of(url) if url else ""
    except InvalidUrl:
        return ""


def _refuse_poor(document: Document, options: Options) -> None:
    """In strict mode, raise an error for too little text or too low a score."""
    if not options.strict or document.discarded:
        return
    if len(document.text) < options.text_min_length:
        raise NoContentFound(
            f"The page has {len(document.text)} characters of text; "
            f"strict mode needs at least {options.text_min_length}.",
            stage="extract",
            url=document.url,
            length=len(document.text),
            minimum=options.text_min_length,
        )
    if document.quality_score < options.min_quality_score:
        raise LowQuality(
            f"The result scores {document.quality_score} of 100; "
            f"strict mode needs at least {options.min_quality_score}.",
            stage="enrich",
            url=document.url,
            score=document.quality_score,
            minimum=options.min_quality_score,
        )
