"""The shipped rules: each is needed, and each is proven by a page that is wrong without it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tools.make_rulebook import RULEBOOK, build

from pageloom.core.rules.load import load_rules
from pageloom.edges.rulefiles import SHIPPED, shipped_rulebook, shipped_specs
from pageloom.flows.rules.cases import find_troubles, run_case, shipped_cases, without

CASES = shipped_cases()


def test_there_are_enough_of_them_in_every_group():
    groups = {
        path.stem: len(load_rules(path.read_text(encoding="utf-8")).specs)
        for path in Path(RULEBOOK).glob("*.yaml")
    }
    assert set(groups) == {"platforms", "news", "docs", "social", "commerce"}
    assert min(groups.values()) >= 5
    assert sum(groups.values()) == len(shipped_specs()) >= 60


def test_the_file_that_loads_fast_says_what_the_others_say():
    assert (RULEBOOK / SHIPPED).read_bytes() == build(), "run tools/make_rulebook.py"


def test_every_rule_has_a_page():
    known = {case.rule.partition("--")[0] for case in CASES}
    assert known == {spec.id for spec in shipped_specs()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_the_page_is_right_with_the_rule_and_wrong_without(case):
    book = shipped_rulebook()
    assert find_troubles(case, book) == []
    assert find_troubles(case, without(book, case.rule)) != []
    assert run_case(case, book).passed


def test_no_two_rules_have_one_name():
    assert Counter(spec.id for spec in shipped_specs()).most_common(1)[0][1] == 1


@pytest.mark.parametrize(
    "name",
    "wordpress squarespace medium substack ghost blogger discourse phpbb vbulletin xenforo "
    "stackexchange reddit hackernews github gitlab docusaurus sphinx mkdocs-material readthedocs "
    "notion confluence intercom-articles zendesk shopify woocommerce swiper lazy-load "
    "cookie-banners chat-widgets newsletter-boxes share-bars mntl amp theguardian nytimes wsj cnn "
    "bbc devto react.dev developer.mozilla.org docs.python.org".split(),
)
def test_the_systems_that_were_asked_for_are_known(name):
    assert name in {spec.id for spec in shipped_specs()}


def test_the_schema_for_editors_is_that_of_the_rules():
    from tools.make_rule_schema import PLACE, build

    assert PLACE.read_text(encoding="utf-8") == build(), "run tools/make_rule_schema.py"
