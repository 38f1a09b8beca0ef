from __future__ import annotations

import pytest

from pageloom.flows.transfer.ebooks import make_chapter
from pageloom.model import Document


def body(html: str, title: str = "") -> str:
    return make_chapter(Document(url="https://a.example/", title=title, html=html)).body


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<ul>one<i>two</i><li>three</ul>", "<ul><li>one<i>two</i></li><li>three</li></ul>"),
        ("<li>one", "<div>one</div>"),
        ("<ol><ol><li>a</li></ol></ol>", "<ol><li><ol><li>a</li></ol></li></ol>"),
        ("<dl><dd>a</dd><dt>b</dt></dl>", "<dl><dt></dt><dd>a</dd><dt>b</dt></dl>"),
        ("<table>a<tr><td>b</table>", "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>"),
        ("<td colspan=2>a</td>", "<div>a</div>"),
        ("<figcaption>a</figcaption>", "<div>a</div>"),
        ("<em><p>a</p></em>", '<em><span class="block">a</span></em>'),
        ("<a href='https://b.example/'><p>a</p></a>", '<a href="https://b.example/"><p>a</p></a>'),
        ("<h2><a><h3>a</h3></a></h2>", '<h2><a><span class="block">a</span></a></h2>'),
        ("<ul>\n<li>a</li>\n</ul>", "<ul>\n<li>a</li>\n</ul>"),
        ("<ul><img alt='a sail'></ul>", "<ul><li><em>[a sail]</em></li></ul>"),
        ("<p>a<hr>b</p>", '<p>a<span class="block"/>b</p>'),
    ],
)
def test_every_element_of_a_chapter_stands_where_books_allow_it(html: str, written: str):
    assert body(html) == written


def test_the_heading_that_says_the_title_is_left_to_the_chapter():
    assert body("<p>By Maren</p><h2>Swifts &amp; <b>terns</b></h2><p>a</p>", "Swifts & terns") == (
        "<p>By Maren</p><p>a</p>"
    )
    assert body("<h1>Terns</h1>", "Swifts") == "<h1>Terns</h1>"
