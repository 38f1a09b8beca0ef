"""Every action, and that none of them loses text, tails or order."""

from __future__ import annotations

import pytest

from pageloom.core.dom import parse
from pageloom.core.rules.actions import ACTIONS
from pageloom.core.rules.apply import Desk, edit_tree
from pageloom.core.rules.compile import compile_rule
from pageloom.core.rules.schema import DomSpec, RuleSpec, TriggerSpec
from pageloom.core.rules.selectors import Look


def act(body: str, **action: object) -> str:
    """The body of a page after one action."""
    spec = RuleSpec(id="r", trigger=TriggerSpec(dom=DomSpec(any="body")), actions=[action])
    rule, problems = compile_rule(spec)
    assert rule is not None, problems
    assert not problems
    tree = parse(f"<body>{body}</body>")
    edit_tree(Desk(Look(tree), "pre"), [rule], None)
    found = tree.select_one("body")
    assert found is not None
    return found.inner_html


def words(html: str) -> list[str]:
    return parse(html).text.split()


CASES: dict[str, list[tuple[dict[str, object], str, str]]] = {
    "retag": [
        ({"selector": ".t", "tag": "h2"}, "a<p class=t>b<i>c</i></p>d", 'a<h2 class="t">b<i>c</i></h2>d'),
        ({"selector": "amp-img", "tag": "img"}, "a<amp-img src=x>b</amp-img>c", 'a<img src="x">bc'),
        ({"selector": "body", "tag": "p"}, "a", "a"),
    ],
    "wrap": [
        ({"selector": "img", "wrapper_tag": "figure"}, "a<img src=x>b", 'a<figure><img src="x"></figure>b'),
        ({"selector": "p", "class": "k"}, "a<p>b</p>c", 'a<div class="k"><p>b</p></div>c'),
    ],
    "unwrap": [
        ({"selector": "div"}, "a<div>b<p>c</p>d<div>e</div>f</div>g", "ab<p>c</p>defg"),
        ({"selector": "body"}, "a", "a"),
    ],
    "remove_container": [({"selector": "div"}, "a<div>b<p>c</p>d</div>e", "ab<p>c</p>de")],
    "remove_children": [
        ({"selector": "div"}, "a<div>b<p>x</p>c<i>y</i>d</div>e", "a<div>bcd</div>e"),
    ],
    "remove_parent": [
        ({"selector": "i"}, "a<div>b<i>c</i>d</div>e", "ab<i>c</i>de"),
        ({"selector": "i"}, "<section><div><i>1</i><i>2</i>t</div></section>",
         "<section><i>1</i><i>2</i>t</section>"),
    ],
    "remove_outer_parent": [
        ({"selector": "i"}, "a<section>b<div>c<i>d</i>e</div>f</section>g",
         "ab<div>c<i>d</i>e</div>fg"),
        ({"selector": "i"}, "<section><div><i>1</i></div><div><i>2</i></div></section>",
         "<div><i>1</i></div><div><i>2</i></div>"),
    ],
    "remove_to_parent": [
        ({"selector": "i", "parent": "main"},
         "<main>a<section>b<div>c<i>d</i>e</div>f</section>g</main>", "<main>abc<i>d</i>efg</main>"),
        ({"selector": "i", "parent": ".none"}, "<div>a<i>b</i></div>", "<div>a<i>b</i></div>"),
    ],
    "move": [
        ({"selector": "i", "target": "div"}, "a<i>1</i>b<div>c<p>d</p></div>e<i>2</i>f",
         "ab<div>c<p>d</p><i>1</i><i>2</i></div>ef"),
        ({"selector": "i", "target": "div", "position": "prepend"},
         "a<i>1</i>b<i>2</i>c<div>d</div>e", "abc<div><i>1</i><i>2</i>d</div>e"),
        ({"selector": "i", "target": "div", "position": "before"},
         "<div>d</div>e<i>1</i>f<i>2</i>g", "<i>1</i><i>2</i><div>d</div>efg"),
        ({"selector": "i", "target": "div", "position": "after"},
         "a<i>1</i>b<i>2</i>c<div>d</div>e", "abc<div>d</div><i>1</i><i>2</i>e"),
        ({"selector": "i", "target": "div", "position": "index", "index": 1},
         "<i>1</i>t<div><p>a</p>b<p>c</p>d</div>", "t<div><p>a</p>b<i>1</i><p>c</p>d</div>"),
        ({"selector": "i", "target": "div", "index": 9},
         "<i>1</i><div><p>a</p>b</div>", "<div><p>a</p>b<i>1</i></div>"),
        ({"selector": "div", "target": "div i"}, "<div>a<i>b</i></div>", "<div>a<i>b</i></div>"),
        ({"selector": "i", "target": ".none"}, "a<i>b</i>", "a<i>b</i>"),
    ],
    "remove_attrs": [
        ({"selector": "p", "attrs": ["style", "id"]}, "<p style=a id=b lang=en>c</p>d",
         '<p lang="en">c</p>d'),
    ],
    "set_attr": [({"selector": "p", "attr": "lang", "value": "de"}, "<p>a</p>b", '<p lang="de">a</p>b')],
    "copy_attr": [
        ({"selector": "img", "from": "data-src", "to": "src"}, "<img src=x data-src=y>a<img src=z>",
         '<img src="y" data-src="y">a<img src="z">'),
    ],
    "replace_with_text": [
        ({"selector": "iframe", "template": "[Embedded: {src}]"},
         "<div>a<iframe src=//v></iframe>b</div>", "<div>a<p>[Embedded: //v]</p>b</div>"),
        ({"selector": "abbr", "template": "{text} ({title}{none})"},
         "<p>a <abbr title=T>b</abbr> c</p>", "<p>a b (T) c</p>"),
    ],
    "group_siblings": [
        ({"selector": "p.c", "wrapper_tag": "section", "class": "g"},
         "a<p class=c>1</p> <p class=c>2</p>b<p class=c>3</p>c",
         'a<section class="g"><p class="c">1</p> <p class="c">2</p></section>b<p class="c">3</p>c'),
        ({"selector": "i"}, "<i>1</i>x<i>2</i><i>3</i>", "<i>1</i>x<div><i>2</i><i>3</i></div>"),
    ],
    "reorder": [
        ({"selector": "i", "method": "move_to_top"}, "a<p>b</p><i>1</i>c<i>2</i>d",
         "<i>1</i><i>2</i>a<p>b</p>cd"),
        ({"selector": "i", "method": "move_to_bottom"}, "<i>1</i>a<i>2</i>b", "ab<i>1</i><i>2</i>"),
    ],
    "remove_after": [
        ({"selector": "hr"}, "<div>a<p>b</p>c<hr>d<p>e</p>f</div>g", "<div>a<p>b</p>c<hr></div>g"),
    ],
    "remove_before": [
        ({"selector": "hr"}, "g<div>a<p>b</p>c<hr>d<p>e</p>f</div>", "g<div><hr>d<p>e</p>f</div>"),
    ],
    "attr_to_text": [
        ({"selector": "b", "attr": "title"}, "a<b title=T>x</b>c", 'a<b title="T">x T</b>c'),
        ({"selector": "b", "attr": "title", "position": "prepend"}, "<b title=T>x</b>",
         '<b title="T">T x</b>'),
        ({"selector": "b", "attr": "title", "position": "before"}, "a<b title=T>x</b>",
         'aT <b title="T">x</b>'),
        ({"selector": "img", "attr": "alt"}, "a<img alt=T>b", 'a<img alt="T"> Tb'),
    ],
}  # fmt: skip


def test_every_action_is_tried():
    assert set(CASES) == set(ACTIONS)


@pytest.mark.parametrize(
    ("op", "arguments", "before", "after"),
    [(op, *case) for op, cases in CASES.items() for case in cases],
)
def test_action(op, arguments, before, after):
    assert act(before, op=op, **arguments) == after


RICH = """lead<article id=a>one<h1>two</h1>three<div class=w>four<p class=t>five<b>six</b>seven</p>
eight<p class=t>nine</p>ten</div>eleven<ul><li>twelve</li><li>thirteen</li></ul>fourteen</article>end"""
KEEPING = [
    {"op": "retag", "selector": ".t", "tag": "blockquote"},
    {"op": "retag", "selector": ".w", "tag": "hr"},
    {"op": "wrap", "selector": ".t", "wrapper_tag": "section"},
    {"op": "unwrap", "selector": ".w, .t, ul"},
    {"op": "remove_container", "selector": "article"},
    {"op": "remove_parent", "selector": "b, li"},
    {"op": "remove_outer_parent", "selector": "b, li"},
    {"op": "remove_to_parent", "selector": "b", "parent": "article"},
    {"op": "remove_attrs", "selector": "*", "attrs": ["class", "id"]},
    {"op": "set_attr", "selector": "p", "attr": "lang", "value": "en"},
    {"op": "copy_attr", "selector": "p", "from": "class", "to": "title"},
    {"op": "group_siblings", "selector": "li"},
    {"op": "group_siblings", "selector": ".t"},
]


@pytest.mark.parametrize(
    "action", KEEPING, ids=lambda action: f"{action['op']}-{action['selector']}"
)
def test_no_word_is_lost_and_their_order_stays(action):
    assert words(act(RICH, **action)) == words(RICH)


@pytest.mark.parametrize(
    "action",
    [
        *(
            {"op": "move", "selector": ".t", "target": "ul", "position": position}
            for position in ("append", "prepend", "before", "after")
        ),
        {"op": "move", "selector": "li", "target": "h1", "position": "index", "index": 0},
        {"op": "move", "selector": "h1, .t, b", "target": "li"},
        {"op": "reorder", "selector": ".t, li", "method": "move_to_top"},
        {"op": "reorder", "selector": ".t, h1", "method": "move_to_bottom"},
    ],
    ids=str,
)
def test_moving_loses_nothing_and_takes_nothing_along(action):
    moved = act(RICH, **action)
    assert sorted(words(f"{moved} ")) == sorted(words(RICH)) or sorted(
        "".join(words(moved))
    ) == sorted("".join(words(RICH)))


def test_what_is_removed_with_the_neighbours_is_only_that():
    after = act(RICH, op="remove_after", selector=".w")
    assert parse(after).text.split() == RICH_UNTIL_W
    assert "end" in after


RICH_UNTIL_W = parse(RICH[: RICH.index("eleven")] + "</article>end").text.split()
