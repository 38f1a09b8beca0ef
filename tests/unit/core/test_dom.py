"""Trees stay within their bounds, whatever the page."""

from __future__ import annotations

import html

import pytest

from pageloom.core.dom import escape, parse, parse_fragment, parse_page


def depth_of(tree) -> int:
    depth, level = 0, [tree.root]
    while level:
        depth += 1
        level = [child for element in level for child in element if hasattr(child, "tag")]
    return depth


def test_an_ordinary_page_is_left_alone():
    page = parse_page("<title>T</title><p>Hello <b>you</b></p>")
    assert page.notes == ()
    assert page.tree.select_one("p").text == "Hello you"


def test_noscript_is_markup():
    assert parse("<p><noscript><i>in</i></noscript>").select_one("noscript i").text == "in"


def test_a_fragment_keeps_its_pieces_under_one_element():
    assert [child.tag for child in parse_fragment("<p>a</p><ul></ul>")] == ["p", "ul"]


def test_deep_nesting_is_flattened_with_text_and_order_kept():
    count = 100_000
    page = parse_page("".join(f"<div>w{i}" for i in range(count)))
    assert depth_of(page.tree) <= 256
    assert page.tree.root.text.replace("w", " w").split() == [f"w{i}" for i in range(count)]
    assert any("flattened" in note for note in page.notes)


def test_flattened_blocks_do_not_glue_their_words_together():
    page = parse_page("<div>one<div>two<div>three<b>four</b></div></div></div>", max_depth=4)
    assert page.tree.root.text.split() == ["one", "two", "threefour"]


def test_pictures_survive_flattening():
    page = parse_page("<div>" * 300 + "<img src=a.png>tail")
    assert [image.attr("src") for image in page.tree.select("img")] == ["a.png"]


def test_what_is_over_the_node_budget_is_cut_with_a_note():
    page = parse_page("".join(f"<p>p{i}</p>" for i in range(50)), max_nodes=23)
    assert [p.text for p in page.tree.select("p")] == [f"p{i}" for i in range(10)]
    assert page.notes == ("page truncated after 23 nodes",)


@pytest.mark.parametrize(
    "markup",
    [
        "<p>" * 1_000_000,
        "<div " + " ".join(f"a{i}=1" for i in range(100_000)) + ">x</div>",
        "<table>" * 50_000,
        "<b><div>" * 50_000 + "</b>" * 50_000,
        "<!--" * 50_000,
        "<svg>" * 50_000 + "<p>x",
    ],
    ids=["flat", "attributes", "tables", "misnested", "comments", "foreign"],
)
def test_hostile_pages_become_bounded_trees(markup):
    tree = parse_page(markup).tree
    assert depth_of(tree) <= 256
    assert tree.xpath("count(//node())") <= 1_000_000


@pytest.mark.parametrize("border", ["", "<object></font></object>", "<table></font></table>"])
def test_formatting_left_open_does_not_multiply_the_page(border):
    opened = "".join(f"<font a{i}>{border}" for i in range(600))
    page = parse_page(f"<p>{opened}</p>" + "<p>x</p>" * 20_000)
    assert page.tree.xpath("count(//node())") < 50_000
    assert any("formatting" in note for note in page.notes)


def test_formatting_that_is_closed_stays_on_a_large_page():
    page = parse_page("<p>say <b class=x>it</b> <i>again</i></p>" * 10_000)
    assert page.notes == ()
    assert len(page.tree.select("p > b")) == 10_000


def test_spans_that_a_style_makes_lines_of_are_parted():
    styled = "<p>a<span style='color:red;display:block'>b</span> <span style='display: block'>c"
    assert parse(f"{styled}</span>d</p>").select_one("p").html.count("<br>") == 3
    inline = "<p>a<span style='display:inline-block'>b</span>c</p>"
    assert parse(inline).select_one("br") is None


def test_text_is_escaped_as_the_standard_library_does():
    for text in ("", "".join(map(chr, range(0x180))), "&amp; <b>“x”</b> 'y' \U0001f600 \ud800&"):
        assert escape(text) == html.escape(text)
        assert escape(text, quote=False) == html.escape(text, quote=False)
