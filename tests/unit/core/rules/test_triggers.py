"""When a rule matches: host and page, any and all, path, veto, text."""

from __future__ import annotations

import pytest
from tests.unit.core.rules.helpers import book

from pageloom.core.dom import parse
from pageloom.core.rules.book import RuleBook

WITH = parse(
    '<!doctype html><body><div class="box wide" id=main>Sponsored <b>CONTENT</b></div></body>'
)
WITHOUT = parse("<body><p>plain</p></body>")
HERE = "https://here.example/news/2026/story"
THERE = "https://there.example/"


def matched(rules: RuleBook, tree, url: str) -> list[str]:
    return [match.rule.id for match in rules.match(tree, url)]


def one(trigger: str) -> RuleBook:
    return book(f"- id: r\n  trigger: {trigger}\n  remove: [x]\n")


@pytest.mark.parametrize(
    ("trigger", "both", "host", "dom", "neither"),
    [
        ("{host: {equals: here.example}, dom: {any: [.box]}}", 1, 0, 0, 0),
        ("{mode: all, host: {equals: here.example}, dom: {any: [.box]}}", 1, 0, 0, 0),
        ("{mode: any, host: {equals: here.example}, dom: {any: [.box]}}", 1, 1, 1, 0),
        ("{host: {equals: here.example}}", 1, 1, 0, 0),
        ("{dom: {any: [.box]}}", 1, 0, 1, 0),
        ("{host: {equals: here.example}, dom: {none: [.box]}}", 0, 1, 0, 0),
        ("{mode: any, host: {equals: here.example}, dom: {any: [.x], none: [.box]}}", 0, 1, 0, 0),
    ],
)
def test_mode(trigger, both, host, dom, neither):
    rules = one(trigger)
    found = [
        len(matched(rules, tree, url))
        for tree, url in ((WITH, HERE), (WITHOUT, HERE), (WITH, THERE), (WITHOUT, THERE))
    ]
    assert found == [both, host, dom, neither]


@pytest.mark.parametrize(
    ("dom", "expected"),
    [
        ("{any: [.nope, '#main']}", True),
        ("{any: .box}", True),
        ("{all: [.box, b]}", True),
        ("{all: [.box, .nope]}", False),
        ("{all: [.box, .nope], any: [b]}", True),
        ("{any: [.nope], any_text_contains: [sponsored content]}", True),
        ("{any_text_contains: ['Sponsored  Content']}", False),
        ("{any_text_contains: [nothing of the kind]}", False),
        ("{any: [\"xpath://div[contains(@class, 'wide')]\"]}", True),
        ("{any: [\"xpath://div[contains(., 'nope')]\"]}", False),
        ("{any: [.BOX]}", False),
        ("{any: [\"[class*='wid']\"]}", True),
        ('{any: ["div:not(.narrow)"]}', True),
        ('{any: [".nope, div > b"]}', True),
        ("{any: [.box], none: ['#main']}", False),
    ],
)
def test_dom(dom, expected):
    assert bool(matched(one(f"{{dom: {dom}}}"), WITH, THERE)) is expected


def test_path_is_required_as_well():
    rules = one("{host: {equals: here.example}, path: {matches: '^/news/\\d{4}/'}}")
    assert matched(rules, WITH, HERE)
    assert not matched(rules, WITH, "https://here.example/about")
    rules = one(
        "{mode: any, host: {equals: no.example}, dom: {any: [.box]}, path: {matches: story$}}"
    )
    assert matched(rules, WITH, HERE)
    assert not matched(rules, WITH, THERE)


def test_a_rule_without_host_or_dom_never_matches():
    rules = book(
        "- id: r\n  trigger: {path: {matches: '.'}}\n  remove: [p]\n- id: s\n  remove: [p]\n"
    )
    assert matched(rules, WITH, HERE) == []


def test_priority_first_then_id():
    rules = book("""
- {id: b, trigger: {dom: {any: body}}, remove: [x]}
- {id: a, trigger: {dom: {any: body}}, remove: [x]}
- {id: z, priority: 90, trigger: {dom: {any: body}}, remove: [x]}
- {id: c, priority: 10, trigger: {dom: {any: body}}, remove: [x]}
""")
    assert matched(rules, WITH, HERE) == ["z", "a", "b", "c"]


def test_reasons_are_given():
    rules = one("{host: {ends_with: example}, dom: {any: [.nope, .box]}, path: {matches: news}}")
    assert rules.match(WITH, HERE)[0].reasons == (
        "host ends_with example",
        "dom.any .box",
        "path matches news",
    )


def test_phases_are_apart():
    rules = book("""
- {id: first, phase: pre, trigger: {dom: {any: body}}, remove: [x]}
- {id: second, phase: post, trigger: {dom: {any: body}}, remove: [x]}
- {id: twice, phase: both, trigger: {dom: {any: body}}, remove: [x]}
""")
    assert [match.rule.id for match in rules.match(WITH, HERE, "pre")] == ["first", "twice"]
    assert [match.rule.id for match in rules.match(WITH, HERE, "post")] == ["second", "twice"]


def test_a_later_rule_takes_the_place_of_one_with_its_id_or_switches_it_off():
    rules = book("- {id: a, trigger: {dom: {any: body}}, remove: [x]}")
    other = book("- {id: a, trigger: {dom: {any: .nope}}, remove: [x]}")
    off = book("- {id: a, enabled: false}")
    assert matched(rules, WITH, HERE) == ["a"]
    assert matched(RuleBook((*rules.specs, *other.specs)), WITH, HERE) == []
    assert len(RuleBook((*rules.specs, *off._all))) == 0
