from __future__ import annotations

import pageloom
from pageloom.core import dom
from pageloom.core.extract.metadata import read_metadata
from pageloom.core.normalize.choose import choose_fields
from pageloom.core.parts import Content, DecodedPage
from pageloom.model import SourceHint

URL = "https://www.dailycloud.example/weather/2026/02/01/rain"

ARTICLE = """
<html lang="en-GB" dir="ltr"><head>
<title>Rain again in the hills | Daily Cloud</title>
<base href="/weather/">
<meta name="description" content="It rains &amp;amp; rains.">
<meta property="og:title" content="Rain again in the hills">
<meta property="og:site_name" content="Daily Cloud">
<meta property="og:image" content="/rain.jpg">
<meta name="twitter:card" content="summary">
<meta property="article:tag" content="Rain"><meta property="article:tag" content="Hills">
<meta property="article:section" content="Weather">
<link rel="canonical" href="https://www.dailycloud.example/weather/rain">
<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
  {"@type": "NewsArticle", "headline": "Rain again in the hills",
   "author": [{"@id": "#ann"}, {"@type": "Person", "name": "Bo Ek"}],
   "datePublished": "2026-02-01T09:30:00+01:00", "dateModified": "2026-02-02",
   "isAccessibleForFree": "False", "keywords": ["Rain", "Rivers"],
   "publisher": {"@id": "#org"}},
  {"@type": "Person", "@id": "#ann", "name": "Ann Lee", "url": "https://x.example/ann"},
  {"@type": "Organization", "@id": "#org", "name": "Cloud Media"},
  {"@type": "BreadcrumbList", "itemListElement": [
    {"@type": "ListItem", "position": 2, "name": "Weather"},
    {"@type": "ListItem", "position": 1, "item": {"name": "Home", "@id": "/"}}]},
]}
</script></head>
<body><nav class="menu"><a href="/">Home</a></nav>
<article><h1>Rain again in the hills</h1>
<p class="byline">By <a rel="author" href="/ann">Ann Lee</a></p>
<p>The rain came back on Sunday, and with it the river rose over the old bridge again.</p>
</article></body></html>
"""


def understand(html: str, url: str = URL, page_type: str = "article", text: str = "", **more):
    tree = dom.parse(html)
    facts = read_metadata(DecodedPage(tree=tree, url=url), more.get("hint"))
    body = tree.find("body")
    assert body is not None
    content = Content(root=body, text=text or body.to_text(), method="body", page_type=page_type)
    return facts, choose_fields(facts, content, url=url, **more)


def test_every_declared_field_of_an_article_comes_through():
    _, chosen = understand(ARTICLE)
    assert chosen.title == "Rain again in the hills"
    assert chosen.description == "It rains & rains."
    assert chosen.authors == ("Ann Lee", "Bo Ek")
    assert chosen.published is not None
    assert (chosen.published.date, chosen.published.utc) == ("2026-02-01", "2026-02-01T08:30:00Z")
    assert chosen.modified is not None
    assert chosen.modified.date == "2026-02-02"
    assert (chosen.language, chosen.direction) == ("en", "ltr")
    assert chosen.site_name == "Daily Cloud"
    assert chosen.canonical_url == "https://www.dailycloud.example/weather/rain"
    assert chosen.images == ("https://www.dailycloud.example/rain.jpg",)
    assert chosen.tags == ("Rain", "Hills", "Rivers")
    assert chosen.categories == ("Weather",)
    assert chosen.accessible_for_free is False


def test_each_field_says_where_it_came_from():
    _, chosen = understand(ARTICLE)
    assert chosen.fields["title"].source == "h1"
    assert chosen.fields["published"].raw == "2026-02-01T09:30:00+01:00"
    assert chosen.fields["authors"].source == "json-ld"
    assert chosen.fields["description"].raw == "It rains &amp; rains."


def test_metadata_is_kept_as_printed():
    facts, _ = understand(ARTICLE)
    assert facts.metadata["opengraph"]["og:site_name"] == "Daily Cloud"
    assert facts.metadata["twitter"] == {"twitter:card": "summary"}
    assert facts.metadata["meta"]["article:section"] == "Weather"
    assert facts.metadata["jsonld"][0]["@graph"][0]["@type"] == "NewsArticle"
    assert "json-ld repaired" in facts.notes  # the comma before the closing bracket


def test_relative_addresses_follow_the_base_element():
    facts, _ = understand(ARTICLE)
    assert facts.base == "https://www.dailycloud.example/weather/"


def test_a_canonical_address_on_another_site_is_ignored_with_a_warning():
    html = '<link rel="canonical" href="https://elsewhere.example/x"><p>Rain</p>'
    _, chosen = understand(html)
    assert chosen.canonical_url == ""
    assert any("canonical" in warning for warning in chosen.warnings)


def test_a_page_that_says_nothing_still_has_a_title_and_a_description():
    text = "The rain came back on Sunday and the river rose over the old bridge.\nMore follows."
    _, chosen = understand("<p>x</p>", text=text)
    assert chosen.title == "The rain came back on Sunday and the river rose over the old bridge."
    assert chosen.description.startswith("The rain came back")
    assert chosen.fields["title"].source == "text"


def test_the_domain_is_the_last_resort_and_counts_as_not_found():
    tree = dom.parse("")
    facts = read_metadata(DecodedPage(tree=tree, url=URL))
    root = tree.root
    assert root is not None
    chosen = choose_fields(facts, Content(root=root, text="", method="body"), url=URL)
    assert (chosen.title, chosen.title_found) == ("dailycloud.example", False)


def test_a_source_hint_comes_before_the_page():
    hint = SourceHint(
        id="cloud",
        name="The Cloud",
        language="cy",
        timezone="Europe/Paris",
        selectors={"title": ".kicker", "published": ".when"},
    )
    html = '<h1>Rain</h1><p class="kicker">Own title</p><p class="when">5 March 2026, 09:30</p>'
    _, chosen = understand(html, hint=hint)
    assert (chosen.title, chosen.site_name, chosen.language) == ("Own title", "The Cloud", "cy")
    assert chosen.published is not None
    assert chosen.published.utc == "2026-03-05T08:30:00Z"
    assert chosen.fields["title"].source == "source:cloud"


def test_bylines_of_comments_and_related_stories_are_not_the_author():
    html = """<article><h1>Rain again</h1><p>Text.</p></article>
    <div class="related"><span class="author">Cy Dee</span></div>
    <div id="comments"><span class="author">Di Eff</span></div>"""
    _, chosen = understand(html)
    assert chosen.authors == ()


def test_parts_that_are_switched_off_are_empty():
    _, chosen = understand(ARTICLE, categories=False, detect_language=False)
    assert (chosen.tags, chosen.categories) == ((), ())
    assert chosen.language == "en"


def test_a_headline_is_read_as_it_looks():
    drawn = "<svg><title>Artboard</title><path/></svg>"
    page = f"<title>x</title><body><h1>{drawn}Rebuilding the legacy<br>of H<sub>2</sub>O</h1>"
    tree = dom.parse(page)
    claims = read_metadata(DecodedPage(tree=tree, url="https://a.example/")).claims
    heads = [claim.value for claim in claims if claim.source == "h1"]
    assert heads == ["Rebuilding the legacy of H2O"]


def test_a_front_page_is_called_what_its_site_is_called():
    page = (
        "<title>Daily Cloud</title><meta property=og:site_name content='Daily Cloud'>"
        "<body><h2>Top stories</h2><p>Rain again.</p>"
    )
    assert pageloom.extract(page, "https://dailycloud.example/").title == "Daily Cloud"


def test_the_day_of_an_event_is_not_the_day_it_was_published():
    page = (
        '<html lang=en><head><title>Reading in the barn</title><script type="application/ld+json">'
        '{"@type": "Event", "name": "Reading in the barn", "startDate": "2026-05-17T19:30"}'
        "</script></head><body><h1>Reading in the barn</h1><p>Sunday, 17 May 2026, 7.30 pm</p>"
        "<p>She reads from her new novel, and afterwards there is soup from the stove.</p></body>"
    )
    assert understand(page)[1].published is None


def test_an_article_that_is_classed_by_its_tags_does_not_make_tags_of_its_links():
    row = '<p class="post-tags"><a href="/t/ropes">Ropes</a>, <a href="/t/knots">Knots</a></p>'
    story = (
        "<p>The rope was bought in <a href='/a'>the old chandlery</a> by the harbour, where "
        "<a href='/b'>three generations</a> had made and mended whatever a ship could ask for.</p>"
    )
    page = (
        f'<article class="post tag-ropes tag-knots"><h1>A good rope</h1>{story * 4}{row}</article>'
    )
    assert pageloom.extract(page, URL).tags == ("Ropes", "Knots")


def test_the_links_that_lead_to_the_tags_of_an_article_s_class_are_its_tags():
    story = "<p>A rope from <a href='/a'>the old chandlery</a> was all that they asked for.</p>"
    ends = '<p>In <a href="/tag/good-ropes/">Good ropes</a> by <a href="/ida">Ida</a></p>'
    page = f'<article class="post tag-good-ropes"><h1>A rope</h1>{story * 6}{ends}</article>'
    assert pageloom.extract(page, URL).tags == ("Good ropes",)
