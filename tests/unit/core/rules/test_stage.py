"""What rules do to a page, seen in the Document."""

from __future__ import annotations

import pytest
from tests.unit.core.rules.helpers import PARAGRAPHS, STORY, book, page, read

from pageloom import views
from pageloom.model import Document

ON_SITE = "trigger: {host: {equals: site.example}}"


def rule(rest: str, name: str = "r", priority: int = 50) -> str:
    lines = "\n".join(f"  {line}" for line in rest.strip().splitlines())
    return f"- id: {name}\n  priority: {priority}\n  {ON_SITE}\n{lines}\n"


SIDE = (
    "<div class=side><p>Ten things you did not know about gulls, terns and other birds.</p></div>"
)
TWO = page(f"<div class=main>{STORY}</div>{SIDE}")


def test_remove_takes_elements_away_and_says_so():
    body = STORY.replace(
        "</p>", "</p><p class=promo>Subscribe to the Tidewatch letter today.</p>", 1
    )
    document = read(page(f"<article>{body}</article>"), rule("remove: [.promo]"))
    assert "Subscribe" not in document.text
    assert all(text in document.text for text in PARAGRAPHS)
    (edit,) = document.provenance.edits
    assert (edit.source, edit.phase, edit.what, edit.selector) == (
        "rule:r",
        "pre",
        "remove",
        ".promo",
    )
    assert (edit.count, edit.removed) == (1, len("Subscribe to the Tidewatch letter today."))
    assert edit.text == "Subscribe to the Tidewatch letter today."
    assert document.provenance.rules == ("r",)


def test_nothing_outside_the_article_reaches_the_result():
    body = f"<div class=main>{STORY}</div><div class=more>{STORY.replace('swifts', 'GULLS')}</div>"
    ship = f'<script type="application/json" id="__NEXT_DATA__">{{"body": "{PARAGRAPHS[0] * 9}"}}</script>'
    document = read(page(body, ship), rule("selector_overrides: {article: .main}"))
    assert "GULLS" not in document.html + document.text + document.markdown
    assert document.text.split("\n\n") == PARAGRAPHS
    assert document.provenance.fields["text"].source == "rule:r"


def test_of_a_list_of_articles_the_first_that_is_there_counts_and_all_its_matches_are_joined():
    parts = "".join(f"<div class=part><p>{text}</p></div>{SIDE}" for text in PARAGRAPHS)
    document = read(page(parts), rule("selector_overrides: {article: [.nope, .part, .side]}"))
    assert document.text.split("\n\n") == PARAGRAPHS


def test_nested_matches_are_not_doubled():
    nested = f"<div class=part>{STORY}<div class=part><p>And so the summer ended in the harbour.</p></div></div>"
    document = read(page(nested), rule("selector_overrides: {article: .part}\nclean: false"))
    assert document.text.count("And so the summer") == 1


def test_article_wins_over_wrapper_whatever_the_priority():
    low = rule("selector_overrides: {article: .main}", "low", 10)
    high = rule("selector_overrides: {wrapper: .side}", "high", 90)
    assert PARAGRAPHS[0] in read(TWO, low + high).text
    assert "gulls" not in read(TWO, low + high).text


def test_wrapper_counts_where_no_article_is_found():
    document = read(TWO, rule("selector_overrides: {article: .nope, wrapper: .side}"))
    assert "gulls" in document.text
    assert PARAGRAPHS[0] not in document.text


def test_the_first_rule_in_order_gives_the_article():
    low = rule("selector_overrides: {article: .side}", "low", 10)
    high = rule("selector_overrides: {article: .main}", "high", 90)
    assert "gulls" not in read(TWO, low + high).text


def test_an_article_that_is_not_there_leaves_the_page_whole_with_a_warning():
    document = read(TWO, rule("selector_overrides: {article: .nope}"))
    assert PARAGRAPHS[0] in document.text
    assert (
        "rule r: its article selector matches nothing on the page" in document.provenance.warnings
    )


def test_a_required_article_that_is_not_there_leaves_nothing():
    document = read(TWO, rule("selector_overrides: {article: .nope, required: true}"))
    assert PARAGRAPHS[0] not in document.text
    assert (
        "rule r: its article selector matches nothing on the page" in document.provenance.warnings
    )


CLUTTERED = page(
    f"<div class=main>{STORY}<nav><a href=/1>One</a> <a href=/2>Two</a></nav>"
    "<p class=share>Share this on every network</p></div>"
)


def test_clean_false_keeps_everything_inside_the_article():
    kept = read(CLUTTERED, rule("selector_overrides: {article: .main}\nclean: false"))
    assert "Share this on every network" in kept.text
    assert "One" in kept.text
    assert "One" in kept.markdown
    assert kept.page_type != "other"
    cleaned = read(CLUTTERED, rule("selector_overrides: {article: .main}"))
    assert "One" not in cleaned.text


def test_removals_and_actions_know_what_is_around_the_article():
    body = f"<div id=outer class=blog><div class=main>{STORY}<p class=ad>Buy more rope now</p></div></div>"
    rules = rule("selector_overrides: {article: .main}\nclean: false\nremove: ['.blog .main .ad']")
    assert "rope" not in read(page(body), rules).text


def test_an_action_brings_nothing_into_the_scope():
    rules = rule(
        "selector_overrides: {article: .main}\nclean: false\n"
        "actions: [{op: move, selector: .side, target: .main}]"
    )
    assert "gulls" not in read(TWO, rules).text


def test_an_action_takes_nothing_out_of_the_scope():
    rules = rule(
        "selector_overrides: {article: .main}\nclean: false\n"
        "actions: [{op: move, selector: '.main p', target: .side}, {op: unwrap, selector: .main}]"
    )
    assert read(TWO, rules).text.split("\n\n") == PARAGRAPHS


def test_actions_work_in_order_and_are_told():
    body = f"<article><div class=h>A new year for the swifts</div>{STORY}</article>"
    rules = rule(
        "actions: [{op: retag, selector: .h, tag: h3}, {op: retag, selector: h3.h, tag: h2}]"
    )
    document = read(page(body), rules)
    assert "## A new year for the swifts" in document.markdown
    assert [(edit.what, edit.count) for edit in document.provenance.edits] == [("retag", 1)] * 2


def test_an_unknown_action_is_skipped_and_the_rest_of_the_rule_applies():
    from pageloom import extract
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.load import load_rules

    text = rule("actions: [{op: explode, selector: p}]\nremove: [.side]")
    loaded = load_rules(text)
    assert [each.level for each in loaded.problems] == ["warning"]
    document = extract(TWO, "https://site.example/", rules=RuleBook(loaded.specs))
    assert "gulls" not in document.text
    assert any("explode" in warning for warning in document.provenance.warnings)


def test_source_text_is_replaced_before_parsing():
    body = f"<article>{STORY}<!-- HIDDEN <p>The last chick flew on the second of August.</p> --></article>"
    rules = rule(
        "replace: [{find: '<!-- HIDDEN', with: ''}, {find: 'swift(s?)', with: 'martin\\1', regex: true}]"
    )
    document = read(page(body), rules)
    assert "The last chick flew" in document.text
    assert "martins" in document.text
    assert "swifts" not in document.text


def test_a_replacement_may_hang_on_what_is_on_the_page():
    rules = (
        "- id: r\n  trigger: {dom: {any: [.main]}}\n"
        "  replace: [{find: forty swifts, with: fifty swifts}]\n"
    )
    assert "fifty swifts" in read(TWO, rules).text
    assert "forty swifts" in read(TWO.replace("class=main", "class=other"), rules).text


@pytest.mark.parametrize("rules", [None, book("- {id: r, trigger: {host: {equals: no.example}}}")])
def test_without_a_matching_rule_the_document_is_the_same(rules):
    import pageloom

    plain = pageloom.extract(TWO, "https://site.example/", rules=None)
    assert pageloom.extract(TWO, "https://site.example/", rules=rules) == plain


# metadata


META = page(
    "<article><h1>The page's own title</h1><p class=by>by <b>Nora Quist</b> and <b>Ole Dam</b></p>"
    f"<p class=when>Published: 07/03/2026 21:15</p><img class=lead src=/lead.jpg>{STORY}"
    "<ul class=tags><li>Birds</li><li>Harbours</li></ul><span class=price>12,50 €</span></article>",
    '<meta property="og:title" content="Declared title"><meta name=author content="Somebody Else">'
    '<meta property="og:image" content="/og.jpg"><script type="application/ld+json">'
    '{"@type": "NewsArticle", "headline": "Structured title", "datePublished": "2020-01-01",'
    ' "author": {"name": "Third Person"}}</script>',
)


def test_metadata_of_rules_wins_over_everything():
    document = read(
        META,
        rule("""
metadata:
  title: {selector: h1}
  author: {selector: .by b}
  published: {selector: .when, regex: '(\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d)', format: '%d/%m/%Y %H:%M', timezone: Europe/Copenhagen}
  tags: {selector: .tags li}
  hero_image: {selector: .lead, attr: src}
  site_name: {value: The Tide}
  language: {value: da}
  description: {selector: ".tags li", join: ' & '}
  price: {selector: .price}
"""),
    )
    assert document.title == "The page's own title"
    assert document.authors == ("Nora Quist", "Ole Dam")
    assert document.published.utc == "2026-03-07T20:15:00Z"
    assert document.tags == ("Birds", "Harbours")
    assert document.hero_image == "https://site.example/lead.jpg"
    assert document.site_name == "The Tide"
    assert document.language == "da"
    assert document.description == "Birds & Harbours"
    assert [str(price.amount) for price in document.price_candidates] == ["12.50"]
    sources = document.provenance.fields
    for name in "title authors published tags hero_image site_name language description".split():
        assert sources[name].source == "rule:r", name


def test_metadata_is_read_before_any_edit():
    document = read(META, rule("remove: [.by, h1]\nmetadata: {title: h1, author: .by b}"))
    assert document.title == "The page's own title"
    assert document.authors == ("Nora Quist", "Ole Dam")


def test_metadata_looks_beyond_the_scope():
    rules = rule("selector_overrides: {article: .main}\nmetadata: {title: .side p}")
    assert read(TWO, rules).title.startswith("Ten things")


def test_the_first_rule_that_yields_a_value_gives_the_field():
    high = rule("metadata: {title: .nope, author: .by b}", "high", 90)
    low = rule("metadata: {title: h1, author: {value: Nobody}}", "low", 10)
    document = read(META, high + low)
    assert document.title == "The page's own title"
    assert document.authors == ("Nora Quist", "Ole Dam")


def test_a_list_of_selectors_is_tried_in_order_and_xpath_may_give_values():
    rules = rule(
        "metadata: {title: {selector: [.nope, \"xpath://meta[@property='og:title']/@content\"]}}"
    )
    assert read(META, rules).title == "Declared title"


def test_a_name_that_looks_like_none_is_taken_at_its_word():
    assert read(META, rule("metadata: {author: {value: Staff}}")).authors == ("Staff",)


def test_a_date_that_is_none_is_a_warning_and_no_error():
    document = read(META, rule("metadata: {published: h1}"))
    assert document.published.date == "2020-01-01"
    assert document.provenance.fields["published"].source == "json-ld"
    assert "rule r: published is not a date" in document.provenance.warnings


def test_post_rules_read_the_content_first_and_then_the_page():
    rules = rule("phase: post\nmetadata: {title: {selector: p}, author: {selector: .side p}}")
    document = read(TWO, rules)
    assert document.title.startswith("The harbour master")
    assert document.author.startswith("Ten things") or document.authors


# the second phase


def test_post_rules_match_and_edit_the_extracted_content():
    rules = "- id: r\n  phase: post\n  trigger: {dom: {any: [.main .x]}}\n  remove: [.main .x]\n"
    body = STORY.replace("<p>", "<p class=x>", 1)
    document = read(page(f"<div class=main>{body}</div>"), rules)
    assert PARAGRAPHS[0] not in document.text + document.markdown + document.html
    assert PARAGRAPHS[1] in document.text
    assert document.provenance.edits[0].phase == "post"


def test_post_rules_do_not_see_what_extraction_dropped():
    rules = "- id: r\n  phase: post\n  trigger: {dom: {any: [footer]}}\n  discard: true\n"
    assert not read(TWO, rules).discarded


def test_a_rule_of_both_phases_runs_twice():
    rules = rule(
        "phase: both\nactions: [{op: retag, selector: blockquote, tag: p}, {op: wrap, selector: '.main > p:first-child', wrapper_tag: blockquote}]"
    )
    assert {edit.phase for edit in read(TWO, rules).provenance.edits} == {"pre", "post"}


# discarding


def check_discarded(document: Document, reason: str) -> None:
    assert document.discarded
    assert document.discard_reason == reason
    assert document.text == document.markdown.strip() == "[Content discarded by parsing rule]"
    assert document.html == "<p>[Content discarded by parsing rule]</p>"
    assert "granary" not in document.to_json()
    assert document.to_dict()["discarded"] is True


def test_a_discarded_page_says_so_and_why_in_every_shape():
    plain = page(f"<div class=main>{STORY}</div>")
    document = read(plain, rule("discard: true\ndiscard_reason: a wall of cookies"))
    check_discarded(document, "a wall of cookies")
    assert document.provenance.rules == ("r",)
    assert "discarded: true" in views.frontmatter(document)
    assert "[Content discarded by parsing rule]" in views.frontmatter(document)
    assert views.parsed(document)["discarded"] is True
    assert views.extracted(document)["discarded"] is True
    assert views.article(document)["discarded"] is True


def test_a_post_rule_may_discard_too():
    rules = "- id: late\n  phase: post\n  trigger: {dom: {any: [.main]}}\n  discard: true\n"
    check_discarded(read(page(f"<div class=main>{STORY}</div>"), rules), "Discarded by rule late.")


def test_strictness_does_not_make_an_error_of_a_discarded_page():
    document = read(TWO, rule("discard: true"), options={"strict": True, "min_quality_score": 90})
    assert document.discarded


# through the sandbox


def test_rules_work_in_the_sandbox_as_here():
    rules = rule("remove: [.side]\nmetadata: {title: {value: Boxed}}")
    here = read(TWO, rules)
    boxed = read(TWO, rules, timeout_ms=30_000)
    assert boxed == here
    assert boxed.title == "Boxed"
    assert read(TWO, rules, timeout_ms=30_000) == here


def test_a_removal_that_would_leave_no_text_is_set_aside_and_says_so():
    """The free beginning of a paid story may stand in the very box that a rule takes away."""
    footer = "<footer><p>The Tidewatch is printed on the quay and sold in all shops.</p></footer>"
    box = f"<div class=paywall>{STORY}<p>Subscribe to read on.</p></div>"
    document = read(page(f"<article>{box}</article>{footer}"), rule("remove: [.paywall]"))
    assert all(text in document.text for text in PARAGRAPHS)
    assert [note for note in document.provenance.warnings if "set aside" in note] == [
        "rule r: .paywall would remove nearly all of the text; it was set aside"
    ]


def test_comments_may_be_removed_however_long_they_are():
    comments = "".join(f"<p>{text} And {text}</p>" for text in PARAGRAPHS * 5)
    body = f"<article>{STORY}</article><div class=talk>{comments}</div>"
    document = read(page(body), rule("remove: [.talk]"))
    assert document.text.split("\n\n") == PARAGRAPHS
