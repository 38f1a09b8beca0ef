"""Rules that only unwrap, retag and wrap leave the words of any page unchanged."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageloom.core.dom import parse
from pageloom.core.rules.apply import Desk, edit_tree
from pageloom.core.rules.compile import compile_rule
from pageloom.core.rules.schema import DomSpec, RuleSpec, TriggerSpec
from pageloom.core.rules.selectors import Look

TAGS = ("div", "section", "p", "span", "b", "li", "ul", "blockquote", "h2", "article")
SELECTORS = (
    *TAGS,
    "div > p",
    ".a",
    ".b .a",
    "p:first-child",
    "xpath://div[p]",
    "*",
    "body",
    "p + p",
)
_words = st.text(alphabet="abc ", min_size=1, max_size=8)


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, name, parts: f"<{tag} class={name}>{''.join(parts)}</{tag}>",
        st.sampled_from(TAGS),
        st.sampled_from("ab"),
        st.lists(inner, max_size=5),
    )


MARKUP = st.recursive(_words, _element, max_leaves=30)
ACTIONS = st.one_of(
    st.builds(lambda s: {"op": "unwrap", "selector": s}, st.sampled_from(SELECTORS)),
    st.builds(
        lambda s, t: {"op": "retag", "selector": s, "tag": t},
        st.sampled_from(SELECTORS),
        st.sampled_from((*TAGS, "hr", "img")),
    ),
    st.builds(
        lambda s, t: {"op": "wrap", "selector": s, "wrapper_tag": t},
        st.sampled_from(SELECTORS),
        st.sampled_from(TAGS),
    ),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(MARKUP, min_size=1, max_size=6), st.lists(ACTIONS, min_size=1, max_size=6))
def test_words_and_their_order_stay(parts: list[str], actions: list[dict[str, str]]):
    spec = RuleSpec(id="r", trigger=TriggerSpec(dom=DomSpec(any="body")), actions=actions)
    rule, problems = compile_rule(spec)
    assert rule is not None
    assert not problems
    tree = parse(f"<body>{''.join(parts)}</body>")
    before = tree.text
    edit_tree(Desk(Look(tree), "pre"), [rule], None)
    assert tree.text == before
    assert parse(tree.html).text.replace(" ", "") == before.replace(" ", "")
