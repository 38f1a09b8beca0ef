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

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, TypeVar

from pageloom.core.assembly import Assembly, Request, WholePage, has_plain_style
from pageloom.core.decode.media_type import HTML, XHTML
from pageloom.core.decode.source import decode
from pageloom.core.dom import parse_fragment, parse_page
from pageloom.core.enrich.quality import score_quality
from pageloom.core.extract.by_feed import item_claims
from pageloom.core.extract.content import (
    VISIBLE,
    describe_content,
    extract_content,
    find_content,
    recount,
    whole_content,
    whole_page,
)
from pageloom.core.extract.continued import add_pages, headlines, take_pages
from pageloom.core.extract.focus import focus, pass_over
from pageloom.core.mend import mend
from pageloom.core.normalize.text import clean_passage
from pageloom.core.normalize.urls import clean_link
from pageloom.core.options import DEFAULTS, Options
from pageloom.core.parts import Content, DecodedPage, PageFacts
from pageloom.core.rules import stage as rule_stage
from pageloom.core.words import count_words, split_sentences
from pageloom.errors import InternalError, InvalidUrl, LowQuality, NoContentFound, PageloomError
from pageloom.model import DISCARDED, Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.assembly import Deferral
    from pageloom.core.dom import Names, Tree
    from pageloom.core.parts import FeedFacts, ItemFacts
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.stage import RuleRun
    from pageloom.model import RequestSettings, SourceHint

T = TypeVar("T")

PAGES = frozenset((HTML, XHTML))
"""The media types whose content has to be found among clutter."""
_LARGE = 500_000
"""Characters of a page that needs the memory of what was read of its tree for its content."""


def _ignore(stage: str) -> None:
    """The observer that does nothing."""


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
    defer: Deferral | None = None,
    leave_out: frozenset[str] = frozenset(),
) -> Document:
    """Turn content into one Document; for a feed, the feed's own.

    Args:
        content: the page as bytes or as text.
        url: the URL that was requested.
        content_type: the Content-Type header of the response.
        rules: the rules that may match.
        options: limits and switches.
        final_url: the URL after redirects.
        fetched_at: when it was fetched.
        source: what a source registry knows about the page.
        observe: called with the name of each stage as it begins.
        defer: lets fields be made when they are first read: given what makes them, returns what is
            called for them, one at a time. All fields are made at once when left out.
        leave_out: fields that nobody will read (of ``assembly.OPTIONAL``); they stay empty.

    Raises:
        PageloomError: and nothing else, whatever the content; also when a field is read.
    """
    request = _request(
        url,
        final_url,
        content_type,
        fetched_at,
        options,
        source,
        rules=rules,
        observe=observe,
        defer=defer,
        leave_out=leave_out,
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
    defer: Deferral | None = None,
    leave_out: frozenset[str] = frozenset(),
) -> Request:
    return Request(
        url=url or final_url or "",
        final_url=final_url or url or "",
        content_type=content_type or "",
        fetched_at=fetched_at or "",
        options=options,
        hint=hint,
        rules=rules,
        observe=observe,
        defer=defer,
        leave_out=leave_out,
    )


def _guarded(work: Callable[[], T], request: Request) -> T:
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


def _decode(content: bytes | str, request: Request) -> DecodedPage:
    request.observe("decode")
    return decode(
        content,
        url=request.final_url,
        content_type=request.content_type,
        options=request.options,
    )


def _page(source: DecodedPage, request: Request) -> Document:
    """Stages 2 to 8 for one page."""
    options = request.options
    mend(source.tree)
    source, run, names = _find_rules(source, request)
    request.observe("extract")
    further = take_pages(source.tree, source.markup)
    titles = headlines(source.tree) if further else set[str]()
    if further or options.scope or options.ignore:
        source, names = _chosen_part(source, options), None
    whole = WholePage(source, request, names)
    del names
    can_wait = request.defer is not None and not options.strict and has_plain_style(options)
    if run is not None or not can_wait or len(source.markup) > _LARGE:
        whole.read()  # before the tree is edited: bylines and menus go with the clutter
    if run is not None and not options.scope:  # what somebody chose is content as it stands
        rule_stage.edit(run)
    found = None
    if not further and _is_found_by_blocks(source, options, run):
        found = find_content(source, options, _quality_of)
        content = describe_content(found, options)
    else:
        whole.read()
        content = _content_of(source, request, run, whole.facts.base)
        content = _content_by_rules(content, options, run, whole.facts.base)
        if further:
            content = add_pages(content, further, titles, alts=options.image_alt_in_text)
    if run is not None:
        whole.facts = rule_stage.with_readings(whole.facts, run)
        hint = rule_stage.with_hints(request.hint, run)
        request = request if hint is request.hint else replace(request, hint=hint)
    page = Assembly(source, request, _tidied(content), whole, run=run, found=found)
    can_wait = can_wait and (run is None or run.discarded_by is None)
    return _finish(page, request, can_wait=can_wait)


def _finish(page: Assembly, request: Request, *, can_wait: bool) -> Document:
    """The Document of a page, all of it or as far as it was asked for."""
    if can_wait and request.defer is not None:
        make = request.defer(page.make)
        return page.defer(lambda name: _guarded(lambda: make(name), request))
    document = page.document()
    _refuse_poor(document, request.options)
    return document


def _is_found_by_blocks(source: DecodedPage, options: Options, run: RuleRun | None) -> bool:
    """Whether the content is what the engine finds, and no rule edits it afterwards."""
    if options.scope or source.media_type not in PAGES:
        return False
    return run is None or not (run.keeps_all or run.edits_content or run.discarded_by)


def _find_rules(
    source: DecodedPage, request: Request
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


def _content_of(source: DecodedPage, request: Request, run: RuleRun | None, base: str) -> Content:
    """Pages have clutter around their content; what came as a feed, JSON or text has none."""
    options = request.options
    if options.scope:
        return whole_content(source.tree, "scope", VISIBLE, base)
    if run is not None and run.keeps_all:
        return whole_page(source, "rule", VISIBLE)
    if source.media_type in PAGES:
        blocks = "blocks" not in request.leave_out
        return extract_content(source, options, _quality_of, base, blocks=blocks)
    content = whole_content(source.tree, source.media_type.rpartition("/")[2])
    if source.feed is None or not source.feed.is_list:
        return content
    return replace(content, page_type="feed", page_type_confidence=1.0)


def _tidied(content: Content) -> Content:
    """Normalize the text; HTML entities stay in manuals, which may be about them."""
    text = clean_passage(content.text, decode=content.page_type != "documentation")
    return replace(content, text=text) if text != content.text else content


def _item(item: ItemFacts, feed: FeedFacts, source: DecodedPage, request: Request) -> Document:
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
    own = replace(request, url=address, final_url=address)
    whole = WholePage(one, own)
    whole.facts = PageFacts(base=item.base or address, claims=tuple(item_claims(item, feed)))
    whole.read()
    content = _tidied(replace(whole_content(parsed.tree, "feed-item"), page_type="article"))
    return Assembly(one, own, content, whole).document()


def _quality_of(text: str) -> int:
    """The score of a bare text: no title, no Markdown."""
    return score_quality(
        has_title=False,
        text=text,
        markdown="",
        words=count_words(text),
        sentences=len(split_sentences(text)),
    )


def _clean(link: str) -> str:
    """An item's link without tracking parameters; as it stands where it is no URL."""
    try:
        return clean_link(link) if link else ""
    except InvalidUrl:
        return link


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
