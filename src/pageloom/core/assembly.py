"""Make the Document of one page, field by field or all at once.

Every step is taken once, in the only order there is: metadata, links and choices are read while the
tree is whole, then it is cut down to the content, then the content is rendered. A field that is
read first brings about what has to come before it, so its value never depends on who asked when.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pageloom.core.enrich.insights import enrich
from pageloom.core.extract.by_feed import feed_claims, item_claims
from pageloom.core.extract.content import cut_content
from pageloom.core.extract.hero import hero_of
from pageloom.core.extract.links import gather_links
from pageloom.core.extract.media import picture_sources, read_images, read_media
from pageloom.core.extract.metadata import read_head, read_metadata
from pageloom.core.extract.naming import find_named
from pageloom.core.extract.offers import is_for_sale
from pageloom.core.extract.page_blocks import read_around
from pageloom.core.extract.variants import read_choices
from pageloom.core.normalize.choose import choose_fields, choose_title
from pageloom.core.normalize.html import clean_html
from pageloom.core.normalize.links import clean_hrefs, finish_links
from pageloom.core.normalize.urls import document_id, domain_of
from pageloom.core.options import MarkdownOptions
from pageloom.core.pictures import Pictures
from pageloom.core.render.markdown import to_markdown
from pageloom.core.rules import stage as rule_stage
from pageloom.core.snapshot.fingerprint import content_hash, with_hashes
from pageloom.core.visibility import reveal
from pageloom.errors import InvalidUrl
from pageloom.model import Document, FieldSource, Provenance, defer_fields, join_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.dom import Names
    from pageloom.core.enrich.insights import Insights
    from pageloom.core.extract.content import Found
    from pageloom.core.extract.metadata import HeadFacts
    from pageloom.core.extract.naming import Named
    from pageloom.core.options import Options
    from pageloom.core.parts import ChosenValue, Content, DecodedPage, LinkSite, PageFacts
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.stage import RuleRun
    from pageloom.model import Image, Link, Media, SourceHint

    Maker = Callable[[str], dict[str, Any] | Document]
    Deferral = Callable[[Maker], Maker]

PARSER_VERSION = "9"
"""Raised whenever the same bytes may give another Document."""
_CERTAIN = 0.7
_SOLD = 0.6
"""The confidence that a page is a product's because something is sold on it."""
_CHOSEN = frozenset(("scope", "rule"))
OPTIONAL = frozenset(
    ("blocks", "generated_tags", "html", "summary", "snapshot_hash", "change_hash")
)
"""Fields that can be left out; the hashes only together, and with the blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The arguments of one extraction, besides the content."""

    url: str
    final_url: str
    content_type: str
    fetched_at: str
    options: Options
    hint: SourceHint | None
    rules: RuleBook | None
    observe: Callable[[str], None]
    """Called with the name of each stage as it begins; the core itself has no clock."""
    defer: Deferral | None = None
    """Sees to it that fields are made one at a time; the core itself has no locks."""
    leave_out: frozenset[str] = frozenset()
    """Of ``OPTIONAL``: fields that stay empty, because nobody will read them."""


class WholePage:
    """What is read of a page while its tree is whole, each when it is first asked for.

    Args:
        source: the page, which is only read.
        request: the arguments of the extraction.
        names: the class attributes and ids of the tree, where they were read already.
    """

    def __init__(self, source: DecodedPage, request: Request, names: Names | None = None) -> None:
        self._source = source
        self._request = request
        self._names = names

    @cached_property
    def _named(self) -> Named:
        marked = self._head.found.marked if "_head" in self.__dict__ else None
        return find_named(self._source.tree, self._names, marked)

    @cached_property
    def _head(self) -> HeadFacts:
        return read_head(self._source, self._request.hint)

    @cached_property
    def facts(self) -> PageFacts:
        """What the page, and the feed it comes from, say about it."""
        facts = read_metadata(self._source, self._request.hint, self._head, self._named)
        feed = self._source.feed
        if feed is None:
            return facts
        own = feed_claims(feed) if feed.is_list else item_claims(feed.items[0], feed)
        return replace(facts, claims=(*own, *facts.claims))

    def name_page(self) -> PageFacts:
        """What the title is chosen from; all facts where they are read, or a feed has a word."""
        if "facts" in self.__dict__ or self._source.feed is not None:
            return self.facts
        return self._head.name_page()

    @cached_property
    def links(self) -> list[LinkSite]:
        """The links where they stand."""
        if not self._request.options.extract_links:
            return []
        return gather_links(self._source.tree, self._named)

    @cached_property
    def choices(self) -> dict[str, bool]:
        """What can be chosen of a product, and whether it can be had."""
        if not self.facts.offers:
            return {}
        return read_choices(self._source.tree, self._named.names.spellings)

    @cached_property
    def is_for_sale(self) -> bool:
        """Whether the page itself, and no rule, says that something is sold on it."""
        return is_for_sale(self.facts)

    def read(self) -> None:
        """Read all of it, because the tree is about to be edited."""
        _ = self.facts, self.links, self.choices, self.is_for_sale
        self._names = None  # a large page needs the memory for its content
        for name in ("_head", "_named"):
            self.__dict__.pop(name, None)


class Assembly:
    """One page on its way to a Document.

    Args:
        source: the page; its tree belongs to the assembly.
        request: the arguments of the extraction.
        content: the content; without root and blocks as long as the tree is not cut.
        whole: what is read while the tree is whole.
        run: the rules of the page, after their work on its tree.
        found: where the content is, if the tree is not cut yet.
    """

    def __init__(
        self,
        source: DecodedPage,
        request: Request,
        content: Content,
        whole: WholePage,
        *,
        run: RuleRun | None = None,
        found: Found | None = None,
    ) -> None:
        self._source = source
        self._request = request
        self._content = content
        self._whole = whole
        self._run = run
        self._found = found
        self._chosen: ChosenValue | None = None
        self._rendered: _Rendered | None = None
        self._document: Document | None = None
        self._failure: Exception | None = None

    def defer(self, make: Maker) -> Document:
        """The Document with nothing but its addresses and its text; ``make`` gives the rest."""
        return defer_fields(self._known(), make)

    def make(self, name: str) -> dict[str, Any] | Document:
        """A field and others that come with it, or the whole Document."""
        if self._failure is not None:  # the tree may be cut by half: whoever asks again is told so
            raise self._failure
        try:
            if self._document is not None or name not in _PARTS:
                return self.document()
            return _PARTS[name](self)
        except Exception as error:
            self._failure = error
            raise

    def document(self) -> Document:
        """The whole Document."""
        if self._document is None:
            self._document = self._assemble()
        return self._document

    def _known(self) -> dict[str, Any]:
        request = self._request
        return {
            "url": request.url,
            "final_url": request.final_url,
            "source_id": request.hint.id if request.hint else "",
            "text": self._content.text,
        }

    @property
    def identity(self) -> str:
        """The id; nothing without a URL."""
        try:
            return document_id(self._request.final_url) if self._request.final_url else ""
        except InvalidUrl:
            return ""

    def facts(self) -> PageFacts:
        """What the page says of itself; with it the type of the page is settled."""
        self._content = _sold(self._content, self._whole)
        return self._whole.facts

    def title(self) -> dict[str, Any]:
        """The title alone, where no rule reads it."""
        by_rule = self._run is not None and "title" in self._run.readings
        if self._chosen is not None or by_rule:
            return self.about()
        request = self._request
        facts = self._whole.name_page() if _is_settled(self._content) else self.facts()
        return {"title": choose_title(facts, self._content, request.final_url, request.hint)}

    def choose(self) -> ChosenValue:
        """The metadata."""
        if self._chosen is None:
            request, facts = self._request, self.facts()
            request.observe("normalize")
            chosen = choose_fields(
                facts,
                self._content,
                url=request.final_url,
                fetched_at=request.fetched_at,
                hint=request.hint,
                detect_language=request.options.detect_language,
                categories=request.options.extract_categories,
            )
            if self._run is not None:
                chosen = rule_stage.insist(chosen, self._run)
            self._chosen = chosen
        return self._chosen

    def render(self) -> _Rendered:
        """The content, cut out of the page, and what is made of it."""
        if self._rendered is None:
            chosen, whole = self.choose(), self._whole
            options, url = self._request.options, self._request.final_url
            if self._found is not None:
                whole.read()
                where = whole.facts.base or self._source.url
                blocks = "blocks" not in self._request.leave_out
                self._content = cut_content(self._content, self._found, where, blocks=blocks)
                self._found = None
            if whole.choices and self._content.page_type == "product":
                blocks = replace(self._content.blocks, choices=whole.choices)
                self._content = replace(self._content, blocks=blocks)
            base = whole.facts.base or url
            if self._run is not None and self._run.left_out:
                around = read_around(self._run.left_out, base)
                blocks = join_blocks(self._content.blocks, around)
                self._content = replace(self._content, blocks=blocks)
            rendered = _Rendered(self._content, base, chosen, options, self._run)
            rendered.read_links(whole.links, url)
            self._request.observe("render")
            self._rendered = rendered
        return self._rendered

    def about(self) -> dict[str, Any]:
        """The fields that come from what the page says of itself."""
        chosen = self.choose()
        return {
            "canonical_url": chosen.canonical_url,
            "title": chosen.title,
            "description": chosen.description,
            "author": ", ".join(chosen.authors),
            "authors": chosen.authors,
            "published": chosen.published,
            "modified": chosen.modified,
            "language": chosen.language,
            "language_confidence": chosen.language_confidence,
            "direction": chosen.direction,
            "site_name": chosen.site_name,
            "declared_image": chosen.declared_image if self._request.options.extract_media else "",
            "tags": chosen.tags,
            "categories": chosen.categories,
            "metadata": chosen.metadata,
            "availability": chosen.availability,
            "accessible_for_free": chosen.accessible_for_free,
            "price_candidates": chosen.price_candidates,
            "rating_candidates": chosen.rating_candidates,
            "product": chosen.product,
            "page_type": self._content.page_type,
            "page_type_confidence": self._content.page_type_confidence,
        }

    def _assemble(self) -> Document:
        request, chosen, rendered, run = self._request, self.choose(), self.render(), self._run
        markdown, images, hero = rendered.markdown, rendered.images, rendered.hero
        request.observe("enrich")
        insights = enrich(
            title=chosen.title,
            text=self._content.text,
            markdown=markdown,
            language=chosen.language,
            domain=_domain(request.final_url),
            tags=chosen.tags,
            title_found=chosen.title_found,
            leave_out=request.leave_out,
        )
        request.observe("render")
        provenance = _provenance(self._source, self._content, chosen, insights, (images, hero))
        document = Document(
            **self._known(),
            **self.about(),
            id=self.identity,
            html="" if "html" in request.leave_out else rendered.html,
            markdown=markdown,
            blocks=self._content.blocks,
            images=images,
            hero_image=hero,
            links=rendered.links,
            media=rendered.media,
            generated_tags=tuple(tag.name for tag in insights.generated_tags),
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
        if "change_hash" in request.leave_out:
            hashed = replace(document, content_hash=content_hash(document.markdown))
        else:
            hashed = with_hashes(document)
        return rendered.restyle(hashed)


class _Rendered:
    """What is made of the content, each when it is first asked for; the tree is only read."""

    def __init__(
        self,
        content: Content,
        base: str,
        chosen: ChosenValue,
        options: Options,
        run: RuleRun | None,
    ) -> None:
        self._root = content.root
        self._base = base
        self._chosen = chosen
        self._options = options
        self._run = run
        self._pictures = Pictures(base)
        self.blocks = content.blocks
        self.links: tuple[Link, ...] = ()

    def read_links(self, sites: list[LinkSite], url: str) -> None:
        """The links of the page; then those of the content are cleaned, and nothing is hidden."""
        self.links = finish_links(sites, self._root, self._base, url) if sites else ()
        reveal(self._root)
        clean_hrefs(self._root, self._base)  # the links were told apart by the page's own spelling

    @cached_property
    def markdown(self) -> str:
        if not self._options.enable_markdown:
            return ""
        style = MarkdownOptions(base_url=self._base)
        return to_markdown(self._root, style, self._pictures, revealed=True)

    @cached_property
    def html(self) -> str:
        return clean_html(self._root, self._base, self._pictures, revealed=True)

    @cached_property
    def images(self) -> tuple[Image, ...]:
        if not self._options.extract_media:
            return ()
        return read_images(self._root, self._base, self._chosen.images, self._pictures)

    @cached_property
    def hero(self) -> str:
        """The picture that a rule names, before what the content has and the page declares."""
        declared = self._chosen.images
        if not self._options.extract_media:
            return ""
        if self._run is not None and "image" in self._run.readings and declared:
            return declared[0]
        return hero_of(self._root, self.images, declared, self._pictures)

    @cached_property
    def media(self) -> tuple[Media, ...]:
        return read_media(self._root, self._base) if self._options.extract_media else ()

    def restyle(self, document: Document) -> Document:
        """The Markdown as the caller likes it. Score and hashes stay: they are for comparing."""
        options = self._options
        if has_plain_style(options) or not options.enable_markdown or document.discarded:
            return document
        wanted = MarkdownOptions(
            images=options.markdown_images,
            links=options.markdown_links,
            wrap=options.markdown_wrap or None,
            base_url=self._base,
        )
        return replace(document, markdown=to_markdown(self._root, wanted))


def has_plain_style(options: Options) -> bool:
    """Whether the caller likes the Markdown as it is compared and scored."""
    plain = MarkdownOptions()
    liked = (options.markdown_images, options.markdown_links, options.markdown_wrap or None)
    return liked == (plain.images, plain.links, plain.wrap)


def _sold(content: Content, whole: WholePage) -> Content:
    """A page of an uncertain type that sells one thing is a product's."""
    if _is_settled(content) or not whole.is_for_sale:
        return content
    return replace(content, page_type="product", page_type_confidence=_SOLD)


def _is_settled(content: Content) -> bool:
    """Whether nothing that the page says of itself changes its type."""
    is_certain = content.page_type_confidence >= _CERTAIN or content.page_type == "product"
    return is_certain or content.method in _CHOSEN


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


def _domain(url: str) -> str:
    try:
        return domain_of(url) if url else ""
    except InvalidUrl:
        return ""


_ABOUT = (
    "canonical_url title description author authors published modified language "
    "language_confidence direction site_name declared_image tags categories metadata availability "
    "accessible_for_free price_candidates rating_candidates product page_type page_type_confidence"
)
_PARTS: dict[str, Callable[[Assembly], dict[str, Any]]] = {
    **dict.fromkeys(_ABOUT.split(), Assembly.about),
    "id": lambda page: {"id": page.identity},
    "title": Assembly.title,
    "blocks": lambda page: {"blocks": page.render().blocks},
    "html": lambda page: {"html": page.render().html},
    "images": lambda page: {"images": page.render().images},
    "hero_image": lambda page: {"hero_image": page.render().hero},
    "links": lambda page: {"links": page.render().links},
    "markdown": lambda page: {"markdown": page.render().markdown},
    "media": lambda page: {"media": page.render().media},
}
"""How to make the fields that can be had without all others."""
