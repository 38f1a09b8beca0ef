# ruff: noqa: E501 - markup is easier to read on one line
"""Any tree of HTML, written as Markdown and rendered again, still says the same."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from operator import itemgetter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from pageloom.core.dom import Element, Text, parse
from pageloom.core.render.frontmatter import read_frontmatter, write_frontmatter
from pageloom.core.render.markdown import html_to_markdown

PIECES = (
    "alpha beta gamma 10 naïve x y snake_case _lead trail_ __init__ 重要 日本語 「 」 です、 。 שלום עולם مرحبا "
    "1. 12) 1986. - + * ** *** _ __ ` `` ``` ~ ~~ ~~~ # ## ###### > >> = === --- -- | || : :: "
    "! [ ] ( ) [x] [ ] [a](b) ![i](j) [^1] [^1]: [ref]: <b> </b> <!-- --> <script> <a@b.c> & &amp; &lt; &#35; &copy "
    "\\ \\\\ \\* \\n $ $5 $x$ $$ http://e.example/a_b www.e.example a@b.example e\u0301 \U0001f600 \u200d … — – “q” «g» "
    "%20 \xa0 \u3000 {.c} ^sup^ =mark= +++ @user #tag :smile: C# a*b*c 2*3 5>4 a<b"
).split(" ")
SETTINGS = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def spell_text(text: str) -> str:
    """Text as HTML, without the brackets that TeX puts around formulas: those change on purpose."""
    return escape(text.replace("\\(", "\\ (").replace("\\[", "\\ ["))


texts = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", " ", "\n", " \x1c "])),
    min_size=1,
    max_size=5,
).map(lambda pairs: spell_text("".join(piece + gap for piece, gap in pairs)))
addresses = st.sampled_from(
    [
        "https://e.example/",
        "https://e.example/a(b)c",
        "https://e.example/a(b",
        "https://e.example/a)b(c",
        "https://e.example/?a=1&amp;copy=2&amp;amp;x",
        "https://e.example/a%20b_c*d*e",
        "/relative|pipe",
        "mailto:a@b.example",
        "#part",
        "https://e.example/日本",
    ]
)


def wrap(tag: str, inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inner.map(lambda text: f"<{tag}>{text}</{tag}>")


pictures = st.tuples(addresses.filter(lambda url: url[0] not in "m#"), texts).map(
    lambda pair: f'<img src="{pair[0]}" alt="{pair[1]}">'
)


def make_phrases(depth: int, *, linked: bool = False) -> st.SearchStrategy[str]:
    kinds = [texts, texts, pictures, wrap("code", texts), wrap("kbd", texts), st.just("<br>")]
    if depth:
        inner = make_phrases(depth - 1, linked=linked)
        kinds += [wrap(tag, inner) for tag in ("em", "strong", "del", "span", "b", "i", "sub")]
        if not linked:
            deeper = make_phrases(depth - 1, linked=True)
            kinds.append(
                st.tuples(addresses, deeper).map(lambda pair: f'<a href="{pair[0]}">{pair[1]}</a>')
            )
    return st.lists(st.one_of(kinds), min_size=1, max_size=4).map("".join)


phrases = make_phrases(2)
codes = st.text(st.sampled_from("ab `~#-*\t\n\\<>&|1.日"), min_size=1, max_size=30).filter(
    lambda code: bool(code.strip())
)


def make_cells(rows: int, columns: int) -> st.SearchStrategy[str]:
    row = st.lists(wrap("td", phrases), min_size=columns, max_size=columns).map("".join)
    head = st.lists(wrap("th", phrases), min_size=columns, max_size=columns).map("".join)
    body = st.lists(wrap("tr", row), min_size=rows, max_size=rows).map("".join)
    return st.tuples(head, body).map(lambda pair: f"<table><tr>{pair[0]}</tr>{pair[1]}</table>")


def make_blocks(depth: int) -> st.SearchStrategy[str]:
    kinds = [
        wrap("p", phrases),
        wrap("p", phrases),
        phrases,
        wrap("h2", phrases),
        codes.map(lambda code: f"<pre><code>\n{escape(code)}</code></pre>"),
        st.just("<hr>"),
    ]
    if depth:
        inner = make_blocks(depth - 1)
        items = st.lists(wrap("li", st.one_of(phrases, inner)), min_size=1, max_size=3).map("".join)
        kinds += [
            wrap("ul", items),
            wrap("ol", items),
            items.map(lambda text: f'<ol start="7">{text}</ol>'),
            items.map(lambda text: f"<ol reversed>{text.replace('<li>', '<li value=4>', 1)}</ol>"),
            wrap("blockquote", inner),
            wrap("div", inner),
            make_cells(2, 2),
            st.tuples(phrases, inner).map(
                lambda pair: f"<dl><dt>{pair[0]}</dt><dd>{pair[1]}</dd></dl>"
            ),
        ]
    return st.lists(st.one_of(kinds), min_size=1, max_size=3).map("".join)


pages = make_blocks(3)


@pytest.fixture(scope="module")
def renderer() -> MarkdownIt:
    made = MarkdownIt("gfm-like", {"html": True, "linkify": False, "maxNesting": 200})
    return made.use(footnote_plugin).use(deflist_plugin).use(tasklists_plugin)


first = itemgetter(0)
BLOCKS = "p,div,li,h2,pre,td,th,blockquote,br,hr,ul,ol,dl,dt,dd,table,tr,img"


def words_of(tree: Element) -> list[str]:
    for element in tree.select(BLOCKS):
        element.insert_before(Text(" "))
        element.insert_after(Text(" "))
    return tree.text.split()


def body_of(html: str) -> Element:
    body = parse(html).find("body")
    assert body is not None
    return body


def spell(url: str) -> str:
    return "".join(
        char if char.isascii() and char != "|" else "".join(f"%{b:02X}" for b in char.encode())
        for char in url
    )


def links_of(body: Element) -> list[str]:
    """The addresses of links with something to click on, but for pictures that show themselves."""
    return [
        spell(link.attr("href") or "")
        for link in body.select("a[href]")
        if (link.text.strip() or link.find("img") is not None) and not is_way_to_picture(link)
    ]


def images_of(body: Element) -> list[str]:
    return [spell(img.attr("src") or "") for img in body.select("img")]


def code_of(body: Element) -> list[str]:
    return [pre.text.removesuffix("\n") for pre in body.select("pre")]


def is_shown(item: Element) -> bool:
    return bool(item.text.strip()) or item.find(["img", "hr"]) is not None


@SETTINGS
@given(pages)
def test_a_page_says_the_same_when_it_is_rendered_again(renderer: MarkdownIt, page: str) -> None:
    """All of it on the same pages: to draw and to render one takes longer than to look at it."""
    markdown = html_to_markdown(page)
    rendered, body = body_of(renderer.render(markdown)), body_of(page)
    assert code_of(rendered) == code_of(body), "code blocks are the same to the byte"
    assert images_of(rendered) == images_of(body), "pictures stay"
    check_items(rendered, body)
    # a link around several blocks may be written on more than one of them
    shown, meant = (list(map(first, groupby(links_of(each)))) for each in (rendered, body))
    assert shown == meant, "links stay"
    check_blank_lines(markdown)
    assert markdown == html_to_markdown(page), "the same every time"
    # last, because this puts spaces into the trees
    assert words_of(rendered) == words_of(body), "words keep their order"


def check_items(rendered: Element, body: Element) -> None:
    shown = [item for item in body.select("li") if is_shown(item)]
    # what a term means is written as an item too, for GFM has no lists of terms
    meanings = [item for item in body.select("dd") if is_shown(item)]
    assert len(shown) <= len(rendered.select("li")) <= len(shown) + len(meanings)


def check_blank_lines(markdown: str) -> None:
    outside = re.sub(r"`{3,}[^`]*`{3,}", "code", markdown, flags=re.DOTALL)
    assert not re.search(r"\n{3,}(?![^`]*```)", outside)


def is_way_to_picture(link: Element) -> bool:
    """The clickable form of a picture links to the picture itself."""
    img = link.find("img")
    return img is not None and img.attr("src") == link.attr("href") and not link.text.strip()


yaml_texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.dictionaries(
        yaml_texts,
        st.one_of(yaml_texts, st.integers(), st.booleans(), st.lists(yaml_texts, max_size=4)),
        max_size=6,
    )
)
def test_frontmatter_reads_back_what_was_written(fields: dict[str, object]) -> None:
    written = write_frontmatter(fields)  # type: ignore[arg-type]
    assert read_frontmatter(written + "\nbody\n---\nmore\n") == (fields, "body\n---\nmore\n")
