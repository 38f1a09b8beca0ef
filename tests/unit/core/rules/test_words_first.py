"""The words of a page spare it searches, and never cost a find."""

from __future__ import annotations

import pytest
from tests.unit.core.rules.helpers import STORY, book, page, read

from pageloom.core.dom import Element, parse
from pageloom.core.rules.selectors import Look, read_selector

PAGE = """<!doctype html><meta name=Generator content="Ghost 5.2"><meta content=x name=other>
<body id=Top><div class="Box wide-Card" title="(a"><p class=inner title="b)">one</p></div>
<section><b title="[k]" class="z">two</b></section></body>"""

SELECTORS = [
    ".Box",
    ".box",
    "#Top .inner",
    "#nope .inner",
    ".nope, .inner",
    "[class*='-Card']",
    "[class^=wide]",
    "[class~=wide-Card] p",
    "p:not(.nope)",
    "p:is(.nope, .inner)",
    ":has(> .nope), .z",
    "p /* .nope */ , b",
    ".inner/* .nope */",
    ".nope[title='('], b[title*=')'], p[title*=')']",
    "b[title='[k]'].z",
    ".in\\ner, .\\69nner",
    "meta[name=generator][content*=Ghost]",
    "meta[content^='Ghost 5'][name='generator' i]",
    "meta[name=generator i][content*=Hugo]",
    "meta[name=generator i] ~ meta[content=x]",
    ".Box-meta[name=generator] [content=x]",
    "xpath://p[@class='inner']",
    "xpath://p[@class='nope']",
]


@pytest.mark.parametrize("text", SELECTORS)
def test_a_look_that_knows_the_words_finds_the_same(text):
    selector = read_selector(text)
    plain, knowing = Look(parse(PAGE)), Look(parse(PAGE))
    assert knowing.words.single
    assert knowing.has(selector) == plain.has(selector)
    assert len(knowing.find(selector)) == len(plain.find(selector))


def test_a_part_of_a_page_may_be_found_by_what_is_around_it():
    inner = parse("<div class=around><section><p class=inner>x</p></section></div>")
    look = Look(inner.select("section")[0])
    assert look.words.single == {"inner"}
    assert look.has(read_selector(".around .inner"))


@pytest.mark.parametrize("probe", ["[data-kind='one']", "[data-kind=one]:not(b)", "p[data-kind]"])
def test_a_trigger_without_words_is_found_among_others(probe):
    rules = book(
        f'- id: r\n  trigger: {{dom: {{any: ["{probe}"]}}}}\n  remove: [x]\n'
        "- id: other\n  trigger: {dom: {any: ['[data-other]']}}\n  remove: [x]\n"
    )
    tree = parse("<p data-kind=one>text</p>")
    assert [match.rule.id for match in rules.match(tree, "https://site.example/")] == ["r"]
    assert not rules.match(parse("<p>text</p>"), "https://site.example/")


@pytest.mark.parametrize("phase", ["pre", "post"])
def test_what_an_action_names_can_be_removed_by_that_name(phase):
    rules = f"""
- id: namer
  phase: {phase}
  priority: 2
  trigger: {{dom: {{any: [.story]}}}}
  actions: [{{op: set_attr, selector: '.story > .aside', attr: class, value: made-up}}]
- id: remover
  phase: {phase}
  priority: 1
  trigger: {{dom: {{any: [.story]}}}}
  remove: [.made-up]
"""
    body = f"<article class=story>{STORY}<p class=aside>Buy a mug with a swift on it.</p></article>"
    document = read(page(f"<main>{body}</main>"), rules)
    assert "swifts over the old granary" in document.text
    assert "mug" not in document.text


def test_a_detached_tree_is_whole():
    holder = Element("div")
    holder.append(parse("<p class=inner>x</p>").select("p")[0].extract())
    look = Look(holder)
    assert look.words.single == {"inner"}
    assert look.has(read_selector("div > .inner"))
