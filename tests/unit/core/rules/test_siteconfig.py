"""Site configurations of other readers: each directive does here what it does there."""

from __future__ import annotations

import pytest
from tests.unit.core.rules.helpers import PARAGRAPHS, STORY, page

import pageloom
from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.compact import convert_compact
from pageloom.core.rules.load import load_rules
from pageloom.core.rules.siteconfig import Converted, convert_config
from pageloom.flows.rules.import_rules import write_yaml

URL = "https://www.site.example/story"


def as_book(converted: Converted) -> RuleBook:
    """The rules, by way of a file, without anything to complain about."""
    loaded = load_rules(write_yaml(converted.rules), lint=True)
    assert [str(each) for each in loaded.problems] == []
    return RuleBook(loaded.specs)


def read(config: str, body: str, *, name: str = "site.example.txt", url: str = URL, head: str = ""):
    converted = convert_config(config, name)
    assert converted.is_lossless, converted.dropped
    return pageloom.extract(page(body, head), url, rules=as_book(converted))


MAIN = f"<div id=main class='text wide'>{STORY}</div>"


def test_body_title_author_date():
    document = read(
        "title: //h2[@class='t']\nbody: //div[@id='nope']\nbody: //div[@id='main']\n"
        "author: //span[@class='by']\ndate: //span[@class='d']\n",
        f"<h2 class=t>Their own title</h2><span class=by>Nora Quist</span><span class=d>7 March 2026</span>{MAIN}"
        "<div>All about gulls and other birds of the coast.</div>",
    )
    assert document.title == "Their own title"
    assert document.authors == ("Nora Quist",)
    assert document.published.date == "2026-03-07"
    assert document.text.split("\n\n") == PARAGRAPHS


def test_several_bodies_of_one_expression_are_joined():
    parts = "".join(f"<div class=part><p>{text}</p></div><hr>" for text in PARAGRAPHS)
    document = read("body: //div[@class='part']\nprune: no", parts)
    assert document.text.split("\n\n") == PARAGRAPHS


def test_strip_strip_id_or_class_and_strip_image_src():
    body = MAIN.replace(
        "</p>",
        "</p><p class=ad>Buy rope</p><p class='box social-share-box'>Share it</p><p id=promo1>Subscribe</p>"
        "<img src='https://doubleclick.example/x.gif' width=400 height=300>",
        1,
    )
    config = (
        "body: //div[@id='main']\nprune: no\nstrip: //p[@class='ad']\nstrip_id_or_class: social-share\n"
        "strip_id_or_class: 'promo1'\nstrip_image_src: doubleclick.example\n"
    )
    document = read(config, body)
    assert document.text.split("\n\n") == PARAGRAPHS
    assert document.images == ()


def test_a_name_of_three_letters_is_a_whole_word():
    body = MAIN.replace("<p>", "<p class=lead>", 1).replace(
        "</p>", "</p><p class='x ad'>Buy rope</p>", 1
    )
    document = read("body: //div[@id='main']\nprune: no\nstrip_id_or_class: ad", body)
    assert document.text.split("\n\n") == PARAGRAPHS


def test_prune_no_keeps_all_of_the_body():
    body = MAIN.replace("</div>", "<ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul></div>")
    assert "One" in read("body: //div[@id='main']\nprune: no", body).text
    assert "One" not in read("body: //div[@id='main']\nprune: yes", body).text


def test_tidy_and_parser_need_nothing():
    assert PARAGRAPHS[0] in read("tidy: no\nparser: html5lib\nbody: //div[@id='main']", MAIN).text


def test_autodetect_on_failure():
    assert PARAGRAPHS[0] in read("body: //div[@id='nope']", MAIN).text
    assert (
        PARAGRAPHS[0] not in read("body: //div[@id='nope']\nautodetect_on_failure: no", MAIN).text
    )


def test_find_string_and_replace_string():
    config = "find_string: <aside\nreplace_string: <div\nfind_string: forty\nreplace_string: fifty\nreplace_string(swifts): martins\n"
    assert "fifty martins" in read(config, MAIN).text


def test_a_replacement_with_signs_in_it_is_read_as_meant():
    converted = convert_config(
        'replace_string(<a href="http://x.example/">): <b>', "site.example.txt"
    )
    assert converted.rules[0]["replace"] == [
        {"find": '<a href="http://x.example/">', "with": "<b>"}
    ]


def test_single_page_next_page_and_their_condition():
    config = (
        "single_page_link: //a[@class='print']\nif_page_contains: //div[@id='paged']\n"
        "next_page_link: //a[@class='next']/@href\n"
    )
    rules = as_book(convert_config(config, "site.example.txt"))
    links = '<a class=print href="/print">all</a><a class=next href="/2">2</a>'
    plain = rules.request_for_page(page(links), URL)
    assert (plain.single_page_url, plain.next_page_url) == ("", "https://www.site.example/2")
    paged = rules.request_for_page(page(f"<div id=paged></div>{links}"), URL)
    assert paged.single_page_url == "https://www.site.example/print"


def test_an_expression_may_make_an_address():
    config = (
        "single_page_link: concat(substring-before(//link[@rel='canonical']/@href, '_s'), '_print')"
    )
    rules = as_book(convert_config(config, "site.example.txt"))
    head = '<link rel=canonical href="https://www.site.example/a_s.html">'
    asked = rules.request_for_page(page("", head), URL)
    assert asked.single_page_url == "https://www.site.example/a_print"


def test_http_header():
    config = "http_header(User-Agent): Reader/1\nhttp_header(cookie): consent=1; b=x|y\nhttp_header(referer): https://s.example/"
    asked = as_book(convert_config(config, "site.example.txt")).request_for(URL)
    assert asked.headers == {"user-agent": "Reader/1", "referer": "https://s.example/"}
    assert asked.cookies == {"consent": "1", "b": "x|y"}


def test_wrap_in_move_into_dissolve_and_strip_attr():
    body = MAIN.replace("<p>", "<p class=q>", 1).replace(
        "</div>",
        "<h4><i>Twelve boxes</i></h4><p class=late>Last words of the keeper</p><img class=w src=/w.jpg srcset='/big.jpg 900w' width=900 height=600></div>",
    )
    config = (
        "body: //div[@id='main']\nprune: no\nwrap_in(blockquote): //p[@class='q']\ndissolve: //h4\n"
        "move_into(//div[@id='main']/blockquote): //p[@class='late']\nstrip_attr: //img/@srcset\n"
    )
    document = read(config, body)
    assert document.markdown.startswith("> The harbour master")
    assert "> Last words of the keeper" in document.markdown
    assert "#### " not in document.markdown
    assert "Twelve boxes" in document.text
    assert [image.url for image in document.images] == ["https://www.site.example/w.jpg"]


def test_move_into_body_brings_something_from_outside():
    document = read(
        "body: //div[@id='main']\nmove_into(body): //div[@id='photo']",
        f"{MAIN}<div id=photo><p>The granary in May, seen from the water.</p></div>",
    )
    assert "The granary in May" in document.text


def test_native_ad_clue_marks_the_page():
    config = "native_ad_clue: //meta[@property='og:url' and contains(@content, '/sponsored/')]"
    head = '<meta property="og:url" content="https://www.site.example/sponsored/x">'
    assert read(config, MAIN, head=head).metadata["native_ad"] is True
    assert "native_ad" not in read(config, MAIN).metadata


def test_skip_json_ld_and_double_breaks_and_lazy_pictures():
    head = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "From the script"}</script>'
    body = f"<div id=main>{'<br><br>'.join(PARAGRAPHS)}<img src=/blank.gif data-x-src=/real.jpg width=800 height=600></div>"
    config = "body: //div[@id='main']\nprune: no\nskip_json_ld: yes\nconvert_double_br_tags: yes\nsrc_lazy_load_attr: data-x-src"
    document = read(config, body, head=head)
    assert document.title != "From the script"
    assert document.text.split("\n\n") == PARAGRAPHS
    assert document.images[0].url == "https://www.site.example/real.jpg"


def test_tests_of_the_file_are_kept():
    converted = convert_config(
        "body: //p\ntest_url: https://site.example/1\ntest_contains: swifts\ntest_url: https://site.example/2",
        "site.example.txt",
    )
    assert converted.rules[0]["tests"] == [
        {"url": "https://site.example/1", "contains": ["swifts"]},
        {"url": "https://site.example/2"},
    ]


@pytest.mark.parametrize(
    ("name", "url", "applies"),
    [
        ("site.example.txt", "https://www.site.example/", True),
        ("site.example.txt", "https://sport.site.example/", False),
        (".site.example.txt", "https://sport.site.example/", True),
        (".site.example.txt", "https://www.site.example/", False),
        (".site.example.txt", "https://site.example/", False),
        ("sport.site.example.txt", "https://sport.site.example/", True),
        ("global.txt", "https://anything.example/", True),
    ],
)
def test_the_name_of_the_file_says_where_it_applies(name, url, applies):
    document = read(
        "strip: //p[@class='zz9']", MAIN.replace("<p>", "<p class=zz9>", 1), name=name, url=url
    )
    assert (PARAGRAPHS[0] not in document.text) is applies


def test_fingerprints():
    config = "strip: //p[@class='zz9']"
    body = MAIN.replace("<p>", "<p class=zz9>", 1)
    head = '<meta name="generator" content="WordPress 6.1">'
    made = read(config, body, name="fingerprint.wordpress.com.txt", head=head)
    assert PARAGRAPHS[0] not in made.text
    assert PARAGRAPHS[0] in read(config, body, name="fingerprint.wordpress.com.txt").text
    unknown = convert_config(config, "fingerprint.nobody.example.txt")
    assert not unknown.is_lossless


def test_what_is_dropped_is_told_by_line_and_directive():
    config = (
        "# a comment\nbody: //p\nrequires_login: yes\nlogin_uri: https://site.example/in\n"
        "not_logged_in_xpath: //div[@id='wall']\nfootnotes: no\ntitl: //h1\nauthor: ///span\nnonsense\n"
    )
    converted = convert_config(config, "site.example.txt")
    assert [(each.line, each.directive, each.lost) for each in converted.dropped] == [
        (3, "requires_login", True),
        (4, "login_uri", True),
        (6, "footnotes", False),
        (7, "titl", False),
        (8, "author", False),
        (9, "", False),
    ]
    closed = pageloom.extract(page(f"<div id=wall></div>{MAIN}"), URL, rules=as_book(converted))
    assert closed.accessible_for_free is False


COMPACT = {
    "site.example": {
        "a": "#main",
        "e": [".ad"],
        "i": ".facts",
        "ac": [{"s": ".h", "rt": "h2"}, {"s": ".x", "rc": True}, {"s": "p", "ra": ["style"]}],
        "m": {"author": ".by", "date": {"s": "time", "a": "datetime"}},
    },
    ".dup-slide": {"e": ".dup-slide", "ea": True},
    "spam.example": {"d": True},
}


def test_compact_json_rules():
    converted = convert_compact(COMPACT, "mine")
    assert converted.is_lossless
    rules = as_book(converted)
    body = MAIN.replace("<p>", "<div class=h>First boxes</div><p class=ad>Buy</p><p>", 1)
    body += "<span class=by>Nora Quist</span><time datetime=2026-03-07>x</time><div class=facts><p>Facts: eleven boxes are in use now.</p></div>"
    document = pageloom.extract(page(body), URL, rules=rules)
    assert "## First boxes" in document.markdown
    assert "Buy" not in document.text
    assert "Facts: eleven" in document.text
    assert document.authors == ("Nora Quist",)
    assert document.published.date == "2026-03-07"
    assert pageloom.extract(page(MAIN), "https://spam.example/", rules=rules).discarded


def test_compact_rules_that_name_only_a_hash_are_lost():
    converted = convert_compact({"0" * 32: {"a": "p"}, "b.example": {"zz": 1}}, "mine")
    assert [(each.directive, each.lost) for each in converted.dropped] == [
        ("0" * 32, True),
        ("zz", True),
    ]
