"""Feeds as they are met: every kind, and every disease."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pageloom.core.decode.source import decode

URL = "https://a.example/feeds/all.xml"


class Expected(NamedTuple):
    title: str
    link: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


RSS = '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>{}</channel></rss>'
ITEM = "<item><title>One</title><link>https://a.example/1</link></item>"

FEEDS: dict[str, tuple[str | bytes, list[Expected]]] = {
    "rss 2.0": (
        RSS.format(
            "<item><title>One</title><link>https://a.example/1</link><guid>x1</guid>"
            "<pubDate>Mon, 05 Jan 2026 10:00:00 +0100</pubDate>"
            "<author>ann@a.example (Ann Lee)</author>"
            "<category>Trees</category><category>Birds</category></item>"
            "<item><title>Two</title><link>https://a.example/2</link></item>"
        ),
        [
            Expected(
                "One",
                "https://a.example/1",
                "Mon, 05 Jan 2026 10:00:00 +0100",
                ("Ann Lee",),
                ("Trees", "Birds"),
            ),
            Expected("Two", "https://a.example/2"),
        ],
    ),
    "rss 0.91": (
        ('<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" '
        '"http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel>'
        f"<title>Old</title><language>en</language>{ITEM}</channel></rss>"),
        [Expected("One", "https://a.example/1")],
    ),
    "rss 0.92 without titles": (
        RSS.format("<item><description>Only words, no title.</description></item>"),
        [Expected("")],
    ),
    "rss 1.0": (
        ('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        '<channel rdf:about="https://a.example/"><title>R</title><items><rdf:Seq>'
        '<rdf:li rdf:resource="https://a.example/1"/></rdf:Seq></items></channel>'
        '<item rdf:about="https://a.example/1"><title>One</title><link>https://a.example/1</link>'
        "<dc:date>2026-01-05T10:00:00Z</dc:date><dc:creator>Ann Lee</dc:creator>"
        "<dc:subject>Trees</dc:subject></item></rdf:RDF>"),
        [
            Expected(
                "One", "https://a.example/1", "2026-01-05T10:00:00Z", ("Ann Lee",), ("Trees",)
            )
        ],
    ),
    "atom 1.0": (
        ('<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        '<title>A</title><link rel="self" href="/feed"/><link href="https://a.example/"/>'
        '<entry><title>One</title><link rel="edit" href="/edit/1"/><link href="https://a.example/1"/>'
        "<id>tag:a.example,2026:1</id><published>2026-01-05T10:00:00Z</published>"
        "<updated>2026-01-06T10:00:00Z</updated><author><name>Ann Lee</name></author>"
        '<author><name>Bo Ek</name></author><category term="trees" label="Trees"/>'
        '<category term="birds"/></entry></feed>'),
        [
            Expected(
                "One",
                "https://a.example/1",
                "2026-01-05T10:00:00Z",
                ("Ann Lee", "Bo Ek"),
                ("Trees", "birds"),
            )
        ],
    ),
    "atom with the author above": (
        ('<feed xmlns="http://www.w3.org/2005/Atom"><author><name>Ann Lee</name></author>'
        "<entry><title>One</title><updated>2026-01-06</updated></entry></feed>"),
        [Expected("One", "", "2026-01-06", ("Ann Lee",))],
    ),
    "atom 0.3": (
        ('<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>A</title><entry>'
        '<title mode="escaped">One &amp;amp; two</title>'
        '<link rel="alternate" type="text/html" href="https://a.example/1"/>'
        "<issued>2026-01-05</issued><modified>2026-01-06</modified></entry></feed>"),
        [Expected("One & two", "https://a.example/1", "2026-01-05")],
    ),
    "prefixed atom": (
        ('<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:entry><atom:title>One</atom:title>'
        '<atom:link href="https://a.example/1"/></atom:entry></atom:feed>'),
        [Expected("One", "https://a.example/1")],
    ),
    "raw ampersands": (
        RSS.format(
            "<item><title>Salt & Pepper</title><link>https://a.example/?a=1&b=2</link></item>"
        ),
        [Expected("Salt & Pepper", "https://a.example/?a=1&b=2")],
    ),
    "undefined entities": (
        RSS.format("<item><title>Caf&eacute; &ndash; open&nbsp;now &bogus; &copy;</title></item>"),
        [Expected("Café – open now &bogus; ©")],
    ),
    "html in the title": (
        RSS.format("<item><title>A &lt;b&gt;bold&lt;/b&gt; <i>claim</i></title></item>"),
        [Expected("A bold claim")],
    ),
    "title escaped twice": (
        RSS.format("<item><title>Tom &amp;amp; Ann&amp;#8217;s &amp;lt;3</title></item>"),
        [Expected("Tom & Ann’s <3")],
    ),
    "a tag that is meant": (
        '<feed><entry><title type="text">The &lt;b&gt; tag</title></entry></feed>',
        [Expected("The <b> tag")],
    ),
    "cdata": (
        RSS.format(
            "<item><title><![CDATA[ Salt & <em>Pepper</em> ]]></title>"
            "<link><![CDATA[https://a.example/1?x=1&y=2]]></link>"
            "<category><![CDATA[Food & Drink]]></category></item>"
        ),
        [Expected("Salt & Pepper", "https://a.example/1?x=1&y=2", "", (), ("Food & Drink",))],
    ),
    "undeclared namespaces": (
        RSS.format("<item><title>One</title><dc:creator>Ann Lee</dc:creator></item>"),
        [Expected("One", "", "", ("Ann Lee",))],
    ),
    "other titles before the title": (
        RSS.format("<item><media:title>Picture</media:title><title>One</title></item>"),
        [Expected("One")],
    ),
    "relative links": (
        RSS.format("<item><title>One</title><link>/1</link></item>"),
        [Expected("One", "https://a.example/1")],
    ),
    "xml:base": (
        ('<feed xml:base="https://b.example/blog/"><entry xml:base="2026/"><title>One</title>'
        '<link href="one.html"/></entry></feed>'),
        [Expected("One", "https://b.example/blog/2026/one.html")],
    ),
    "a permanent guid for a link": (
        RSS.format("<item><title>One</title><guid>https://a.example/1</guid></item>"),
        [Expected("One", "https://a.example/1")],
    ),
    "a guid that is no link": (
        RSS.format(
            '<item><title>One</title><guid isPermaLink="false">https://a.example/1</guid></item>'
        ),
        [Expected("One")],
    ),
    "feedburner": (
        RSS.format(
            "<item><title>One</title><link>https://feeds.example/~r/1</link>"
            "<feedburner:origLink>https://a.example/1</feedburner:origLink></item>"
        ),
        [Expected("One", "https://a.example/1")],
    ),
    "junk before the prolog": (
        "\n\n Warning: cannot connect in line 3\n" + RSS.format(ITEM),
        [Expected("One", "https://a.example/1")],
    ),
    "junk after the end": (
        RSS.format(ITEM) + "<!-- cached --><script>track()</script>",
        [Expected("One", "https://a.example/1")],
    ),
    "byte order mark": (
        b"\xef\xbb\xbf" + RSS.format(ITEM).encode(),
        [Expected("One", "https://a.example/1")],
    ),
    "truncated": (
        RSS.format(ITEM + "<item><title>Two</title><link>https://a.example/2</link><desc").split(
            "</channel>"
        )[0],
        [Expected("One", "https://a.example/1"), Expected("Two", "https://a.example/2")],
    ),
    "items not closed": (
        RSS.format("<item><title>One</title><item><title>Two</title><item><title>Three</title>"),
        [Expected("One"), Expected("Two"), Expected("Three")],
    ),
    "tags that do not match": (
        RSS.format(
            "<item><title>One</titel><link>https://a.example/1</link></item><item><title>Two</title></item>"
        ),
        [Expected("One", "https://a.example/1"), Expected("Two")],
    ),
    "upper case": (
        ("<RSS><CHANNEL><ITEM><TITLE>One</TITLE><LINK>https://a.example/1</LINK>"
        "<PUBDATE>2026-01-05</PUBDATE></ITEM></CHANNEL></RSS>"),
        [Expected("One", "https://a.example/1", "2026-01-05")],
    ),
    "an old encoding with a true label": (
        '<?xml version="1.0" encoding="windows-1251"?><rss><channel><item>'
        "<title>Утром на рынке было тихо</title></item></channel></rss>".encode("cp1251"),
        [Expected("Утром на рынке было тихо")],
    ),
    "an old encoding with a lying label": (
        '<?xml version="1.0" encoding="utf-8"?><rss><channel><item><title>Утром на рынке было '
        "тихо, и старый кот спал</title></item></channel></rss>".encode("koi8-r"),
        [Expected("Утром на рынке было тихо, и старый кот спал")],
    ),
    "a date nobody can read": (
        RSS.format("<item><title>One</title><pubDate>last Tuesday-ish</pubDate></item>"),
        [Expected("One", "", "last Tuesday-ish")],
    ),
    "several authors in several ways": (
        RSS.format(
            "<item><title>One</title><dc:creator>Ann Lee</dc:creator><dc:creator>Bo Ek</dc:creator>"
            "<author>bo@a.example</author><itunes:author>Ann Lee</itunes:author></item>"
        ),
        [Expected("One", "", "", ("Ann Lee", "Bo Ek"))],
    ),
    "keywords": (
        RSS.format("<item><title>One</title><media:keywords>trees, birds,</media:keywords></item>"),
        [Expected("One", categories=("trees", "birds"))],
    ),
    "attributes without quotes": (
        "<feed><entry><title>One</title><link rel=alternate href=https://a.example/1></link></entry>",
        [Expected("One", "https://a.example/1")],
    ),
    "items outside the channel": (
        f"<rss><channel><title>News</title></channel>{ITEM}</rss>",
        [Expected("One", "https://a.example/1")],
    ),
    "a link that a tool for HTML has closed": (
        RSS.format("<item><title>One</title><link/>https://a.example/1\n<guid>1</guid></item>"),
        [Expected("One", "https://a.example/1")],
    ),
    "no items": (RSS.format(""), []),
}  # fmt: skip


@pytest.mark.parametrize("name", FEEDS)
def test_every_item_is_read(name):
    content, expected = FEEDS[name]
    facts = decode(content, url=URL).feed
    found = [
        Expected(item.title, item.link, item.published, item.authors, item.categories)
        for item in facts.items
    ]
    assert found == expected


def read(content: str, url: str = URL):
    return decode(content, url=url).feed


def test_the_feed_itself():
    facts = read(
        "<rss><channel><title>Tree &amp; bird</title><link>https://a.example/</link><description>"
        "All &lt;b&gt;about&lt;/b&gt; them</description><language>en-gb</language>"
        "<lastBuildDate>Mon, 05 Jan 2026 10:00:00 GMT</lastBuildDate><category>Nature</category>"
        "<image><title>x</title><url>/logo.png</url></image></channel></rss>"
    )
    assert facts.kind == "rss"
    assert (facts.title, facts.description) == ("Tree & bird", "All about them")
    assert (facts.link, facts.language) == ("https://a.example/", "en-gb")
    assert facts.modified == "Mon, 05 Jan 2026 10:00:00 GMT"
    assert facts.categories == ("Nature",)
    assert facts.image == "https://a.example/logo.png"


@pytest.mark.parametrize(
    ("content", "html", "text", "summary"),
    [
        (
            (
                "<description>Short</description>"
                "<content:encoded><![CDATA[<p>Long &amp; full</p>]]></content:encoded>"
            ),
            "<p>Long &amp; full</p>",
            "",
            "Short",
        ),
        ("<description>&lt;p&gt;All&lt;/p&gt;</description>", "<p>All</p>", "", ""),
        ("<description>Words only</description>", "", "Words only", ""),
        ("<description></description>", "", "", ""),
    ],
)
def test_the_fullest_content_is_taken(content, html, text, summary):
    item = read(RSS.format(f"<item><title>One</title>{content}</item>")).items[0]
    assert (item.html, item.text, item.summary) == (html, text, summary)


def test_xhtml_content_comes_out_as_html():
    item = read(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title><content type="xhtml">'
        '<div xmlns="http://www.w3.org/1999/xhtml"><p class="x">A &amp; <b>b</b><br/>c</p></div>'
        "</content></entry></feed>"
    ).items[0]
    assert item.html == '<div><p class="x">A &amp; <b>b</b><br>c</p></div>'


def test_the_thumbnail_is_the_picture_of_an_item():
    item = read(
        RSS.format(
            '<item><title>One</title><enclosure url="/1.mp3" type="audio/mpeg" length="123"/>'
            '<media:content url="/1.jpg" medium="image"/><media:thumbnail url="/t.jpg"/></item>'
        )
    ).items[0]
    assert item.image == "https://a.example/t.jpg"


def test_hostile_feeds_are_harmless():
    bomb = (
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/hosts">]>'
        "<rss><channel><item><title>x&b;&f;</title></item></channel></rss>"
    )
    assert read(bomb).items[0].title == "x&b;&f;"
    assert len(read("<rss><channel>" + "<item>" * 12_000).items) == 10_000
    assert read("<rss>" + "<a>" * 30_000).items == ()
    assert read("<rss><channel><item><title>" + "<b>" * 30_000).items[0].title == ""
    assert read("<rss>" + "<![CDATA[" * 20_000).items == ()
    assert read("<rss " + 'a="' * 20_000).items == ()
    assert read("</><rss><channel><item><title>x</title></item>").items[0].title == "x"


def test_the_tree_of_a_feed_lists_its_items():
    tree = decode(RSS.format(ITEM), url=URL).tree
    assert tree.select_one("main h1").text == "News"
    assert tree.select_one("article h2 a").attr("href") == "https://a.example/1"


def test_content_has_its_own_base():
    item = read(
        '<feed xml:base="https://b.example/"><entry><title>One</title><link href="/1"/>'
        '<content type="html" xml:base="/deep/">&lt;b&gt;x&lt;/b&gt;</content></entry></feed>'
    ).items[0]
    assert (item.link, item.base) == ("https://b.example/1", "https://b.example/deep/")
