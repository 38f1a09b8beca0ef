from __future__ import annotations

import pytest

from pageloom.core import dom
from pageloom.core.extract.entities import main_entities
from pageloom.core.extract.structured_data import (
    index_by_id,
    main_nodes,
    read_json_ld,
    read_microdata,
    read_rdfa,
    text_of,
    types_of,
    walk_nodes,
)


@pytest.mark.parametrize(
    "script",
    [
        '{"a": "b",}',
        '<!-- {"a": "b"} -->',
        '//<![CDATA[\n{"a": "b"}\n//]]>',
        '{"a": "b"};',
        "{&quot;a&quot;: &quot;b&quot;}",
        '{"a": "b"',
        '{"a": "b"} {"c": 1}',
        '{"a": "b"\n"c": 1}',
    ],
)
def test_slightly_broken_json_is_repaired(script):
    values, notes = read_json_ld([script])
    assert values[0]["a"] == "b"
    assert notes == ["json-ld repaired"]


def test_line_breaks_and_wrong_escapes_inside_strings_are_repaired():
    values, _ = read_json_ld(['{"a": "one\ntwo", "b": "it\\\'s"}'])
    assert values[0]["a"] == "one two"
    assert values[0]["b"].endswith("s")


def test_garbage_is_left_out_and_told():
    assert read_json_ld(["window.x = 1", ""]) == ([], ["json-ld unreadable, ignored"])


def test_deep_nesting_is_no_danger():
    values, notes = read_json_ld(["[" * 100_000])
    assert values == []
    assert notes == ["json-ld unreadable, ignored"]


def test_references_are_resolved_by_their_identifier():
    data = [{"@graph": [{"@id": "#a", "name": "Ann", "@type": "Person"}, {"@id": "#a"}]}]
    assert index_by_id(walk_nodes(data))["#a"]["name"] == "Ann"


def test_a_graph_that_refers_to_itself_ends():
    loop = {"@id": "#a", "@type": "WebPage", "mainEntity": {"@id": "#a"}}
    assert len(main_nodes([loop], index_by_id(walk_nodes([loop])))) == 1


def test_the_article_of_this_page_is_chosen_among_many():
    nodes = [
        {"@type": "NewsArticle", "headline": "One"},
        {"@type": "NewsArticle", "headline": "Two", "url": "https://x.example/two"},
        {"@type": "NewsArticle", "headline": "Three"},
    ]
    assert main_entities(nodes, "https://x.example/two", ())[0]["headline"] == "Two"
    assert main_entities(nodes, "", ("Three",))[0]["headline"] == "Three"
    assert main_entities(nodes, "", ()) == []


def test_values_in_every_shape_become_text():
    values = ["a ", 5, 5.50, {"@value": "b"}, {"name": "c"}, ["d", "e"], None, True, [], {}]
    assert [text_of(value) for value in values] == ["a", "5", "5.5", "b", "c", "d", "", "", "", ""]


def test_types_lose_their_vocabulary():
    assert types_of({"@type": ["http://schema.org/Product", "schema:Car"]}) == ("Product", "Car")


def test_microdata_and_rdfa_become_plain_data():
    tree = dom.parse(
        '<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ann  Lee</b></div>'
        '<div vocab="https://schema.org/" typeof="Person"><b property="name">Bo Ek</b></div>'
    )
    assert read_microdata(tree) == [{"@type": "Person", "name": "Ann Lee"}]
    assert read_rdfa(tree)[0]["name"] == "Bo Ek"
