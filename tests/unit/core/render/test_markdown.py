# ruff: noqa: E501 - markup is easier to read on one line
from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from pageloom.core.dom import Element, Text, parse, parse_fragment
from pageloom.core.options import MarkdownOptions
from pageloom.core.render.markdown import html_to_markdown, to_markdown

CASES = re.findall(
    r"^=== (\w+)\n(.*?)\n---->\n(.*?)(?=^=== |\Z)",
    (Path(__file__).parent / "cases.txt").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
BLOCKS = "p,div,li,h1,h2,h3,h4,h6,pre,td,th,blockquote,br,hr,ul,ol,dl,dt,dd,table,figcaption,summary,address"
CHANGED_ON_PURPOSE = {
    # notes move to the end, formulas become TeX, callouts get a sign, embeds a title, some is noise
    "footnotes_classic", "footnotes_paragraphs", "math_mathml", "math_block", "math_katex_display",
    "math_mathjax_script", "math_source_brackets", "callouts", "embeds", "noise", "code_with_gutter",
    "heading_permalinks", "heading_that_is_its_own_permalink",
    "images_lazy", "figure_caption_first", "quotation_and_abbreviation",
    "ruby_with_and_without_parentheses", "code_of_breaks_and_divs", "code_lines_as_elements",
    "notes_in_a_quote_wait_for_its_end",
    "emoji_and_joiners", "tweet", "space_kept", "definitions",
    "notes_not_referred_to_keep_their_numbers", "notes_that_point_back_twice", "math_stacked_and_bold",
}  # fmt: skip


@pytest.fixture(scope="module")
def renderer() -> MarkdownIt:
    made = MarkdownIt("gfm-like", {"html": True, "linkify": False})
    return made.use(footnote_plugin).use(deflist_plugin).use(tasklists_plugin)


def convert(html: str, **options: object) -> str:
    return to_markdown(parse_fragment(html), MarkdownOptions(**options))  # type: ignore[arg-type]


def words_of(html: str) -> list[str]:
    body = parse(html).find("body")
    assert body is not None
    for element in body.select(BLOCKS):
        element.insert_before(Text(" "))
        element.insert_after(Text(" "))
    return body.text.split()


@pytest.mark.parametrize(
    ("html", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_each_construct_is_written_as_agreed(html: str, expected: str) -> None:
    assert html_to_markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [pytest.param(html, id=name) for name, html, _ in CASES if name not in CHANGED_ON_PURPOSE],
)
def test_each_construct_says_the_same_when_rendered(renderer: MarkdownIt, html: str) -> None:
    assert words_of(renderer.render(html_to_markdown(html))) == words_of(html)


def test_there_are_enough_cases() -> None:
    assert len(CASES) > 70


@pytest.mark.parametrize(
    ("images", "expected"),
    [
        ("clickable", "[![a](/i.jpg)](/i.jpg) [![b](/j.jpg)](/p)\n"),
        ("plain", "![a](/i.jpg) [![b](/j.jpg)](/p)\n"),
        ("none", ""),
    ],
)
def test_image_styles(images: str, expected: str) -> None:
    html = '<p><img src="/i.jpg" alt="a"> <a href="/p"><img src="/j.jpg" alt="b"></a></p>'
    assert convert(html, images=images) == expected


def test_reference_links_are_listed_once_at_the_end() -> None:
    html = '<p><a href="/a">x</a> <a href="/b" title="T">y</a> <a href="/a">z</a></p>'
    assert convert(html, links="reference") == '[x][1] [y][2] [z][1]\n\n[1]: /a\n[2]: /b "T"\n'


def test_links_can_be_left_out() -> None:
    html = '<p><a href="/a">x</a></p><iframe src="https://vimeo.com/1" title="F"></iframe>'
    assert convert(html, links="none") == "x\n\nF\n"
    assert convert('<img src="/i.jpg" alt="a">', links="none") == "![a](/i.jpg)\n"


def test_addresses_become_absolute_with_a_base() -> None:
    html = '<a href="b?c#d">x</a> <a href="#e">y</a> <a href="//o.example/">z</a> <img src="i.jpg" alt="i">'
    assert html_to_markdown(html, "https://e.example/dir/page") == (
        "[x](https://e.example/dir/b?c#d) [y](https://e.example/dir/page#e) [z](https://o.example/) "
        "[![i](https://e.example/dir/i.jpg)](https://e.example/dir/i.jpg)\n"
    )


def test_wrapping_breaks_only_where_nothing_changes(renderer: MarkdownIt) -> None:
    html = "<p>" + "word - 1. # and + then > more *stars* `code span` " * 8 + "</p>"
    wrapped = convert(html, wrap=30)
    assert max(map(len, wrapped.splitlines())) <= 40
    assert words_of(renderer.render(wrapped)) == words_of(html)


def test_wrapped_list_items_stay_in_their_list(renderer: MarkdownIt) -> None:
    html = "<ul><li>" + "some words to wrap " * 6 + "</li><li>next</li></ul>"
    assert renderer.render(convert(html, wrap=25)).count("<li>") == 2


@pytest.mark.parametrize("html", ["", " ", "<p></p>", "<!-- x -->", "<div><span> </span></div>"])
def test_nothing_gives_nothing(html: str) -> None:
    assert html_to_markdown(html) == ""


def test_the_tree_is_only_read() -> None:
    root = parse_fragment("<p>a<sup><a href='#fn1'>1</a></sup></p><ol><li id=fn1>n</ol><p hidden>h")
    before = root.html
    assert to_markdown(root) == to_markdown(root)
    assert root.html == before


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>x" * 10_000,
        "<blockquote>x" * 5_000,
        "<table><tr><td>x" * 2_000,
        "<div>x" * 50_000,
        "<b>x" * 20_000,
        "<details><summary>x</summary>" * 2_000,
        "<dl><dt>x<dd>" * 2_000,
        "<figure><figcaption>x" * 2_000,
        "<math><mrow>" * 2_000 + "x",
    ],
    ids=["lists", "quotes", "tables", "divs", "bold", "details", "definitions", "figures", "math"],
)
def test_depth_is_no_danger(html: str) -> None:
    assert "x" in html_to_markdown(html)


def test_a_large_table_keeps_every_row() -> None:
    rows = "".join(f"<tr><td>{number}</td><td>b|c</td></tr>" for number in range(5_000))
    markdown = html_to_markdown(f"<table><tr><th>a</th><th>b</th></tr>{rows}</table>")
    assert markdown.count("\n") == 5_002
    assert "| 4999 | b\\|c |" in markdown


def test_dishonest_spans_do_not_blow_the_table_up() -> None:
    row = '<tr><td colspan="1000" rowspan="60000">a</td></tr>'
    markdown = html_to_markdown(f"<table><tr><th>h</th><th>i</th></tr>{row * 300}</table>")
    assert len(markdown) < 100_000


def test_many_notes_stay_apart() -> None:
    count = 2_000
    text = "".join(f"<p>x<sup><a href='#fn{n}'>{n}</a></sup></p>" for n in range(count))
    notes = "".join(f"<li id='fn{n}'>note {n}</li>" for n in range(count))
    markdown = html_to_markdown(f"{text}<ol>{notes}</ol>")
    assert markdown.count("\n[^") == count
    assert "[^1999]: note 1999" in markdown


def test_code_in_a_html_table_survives(renderer: MarkdownIt) -> None:
    html = "<table><tr><th>a</th></tr><tr><td><pre>x\n\n  y\n</pre></td></tr><tr><td>b</td></tr></table>"
    body = parse(renderer.render(html_to_markdown(html))).find("body")
    assert isinstance(body, Element)
    assert [pre.text for pre in body.select("td pre")] == ["x\n\n  y\n"]


def test_code_beside_its_line_numbers_is_code_alone():
    table = (
        "<table><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a = b()\nc = 1</pre>"
    )
    assert (
        html_to_markdown(f"<div class=highlight>{table}</table></div>")
        == "```\na = b()\nc = 1\n```\n"
    )
