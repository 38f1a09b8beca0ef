from __future__ import annotations

from dataclasses import asdict, fields

from pageloom.core import dom
from pageloom.core.extract.links import gather_links
from pageloom.core.extract.media import read_images, read_media
from pageloom.core.extract.naming import find_named
from pageloom.core.normalize.links import finish_links
from pageloom.model import Link

URL = "https://www.cloud.example/a/b"

PAGE = """<nav><a href="/home">Home</a></nav>
<main><p><a href="/rain?utm_source=x&amp;id=3#top" rel="nofollow NOFOLLOW">Rain</a>
<a href="https://other.example/">Other</a> <a href="mailto:a@b.example">Mail</a>
<a href="javascript:void(0)">No</a> <a href="#x">Here</a>
<a href="/pic"><img alt="A cloud" src="c.jpg"></a></p>
<div class="ad"><a href="/ad">Ad</a></div></main>
<div class="pagination"><a href="?page=2">2</a></div>
<p><a rel="next" href="?page=3">More</a></p>
<footer><a href="/imprint">Imprint</a></footer>"""


def links(html: str = PAGE, prune: str = ".ad"):
    tree = dom.parse(html)
    sites = gather_links(tree)
    root = tree.find("main")
    assert root is not None
    root.remove(prune)
    return {link.text: link for link in finish_links(sites, root, URL, URL)}


def test_links_are_absolute_clean_and_only_of_the_web():
    found = links()
    assert found["Rain"].url == "https://www.cloud.example/rain?id=3#top"
    assert found["Rain"].rel == ("nofollow",)
    assert {"Mail", "No", "Here"}.isdisjoint(found)


def test_links_know_their_region():
    regions = {text: link.region for text, link in links().items()}
    assert regions == {
        "Home": "navigation",
        "Rain": "content",
        "Other": "content",
        "A cloud": "content",
        "Ad": "navigation",
        "2": "pagination",
        "More": "pagination",
        "Imprint": "footer",
    }


def test_links_know_whether_they_stay_on_the_site():
    found = links(
        '<main><a href="https://blog.cloud.example/">In</a><a href="//x.example">Out</a></main>'
    )
    assert (found["In"].internal, found["Out"].internal) == (True, False)


def test_links_are_what_their_constructor_makes():
    found = links()["Rain"]
    assert found == Link(**asdict(found))
    assert {field.name for field in fields(Link)} == set(asdict(found))


def test_regions_are_the_same_by_names_that_were_found_before():
    tree = dom.parse(PAGE)
    assert gather_links(tree, find_named(tree)) == gather_links(tree)


def test_a_region_is_known_by_the_last_of_very_many_classes():
    tree = dom.parse(f'<div class="{"x" * 500} pager"><a href="/2">More</a></div>')
    assert [site[-1] for site in gather_links(tree)] == ["pagination"]


def test_the_relation_of_a_link_is_its_own():
    tree = dom.parse(
        '<p><a href="#top" rel=up>Up</a><a href="/a">A</a><a href="/b" rel=me>B</a>'
        '<a rel=tag>no link</a><a href="/c">C</a></p>'
    )
    assert [(site[2], site[3]) for site in gather_links(tree)] == [
        ("A", ""),
        ("B", "me"),
        ("C", ""),
    ]


def test_a_link_that_stands_twice_counts_once_in_its_best_region():
    html = '<nav><a href="/x">X</a></nav><main><p><a href="/x">X</a></p></main>'
    assert [link.region for link in links(html).values()] == ["content"]


def test_broken_addresses_are_left_out():
    assert links('<main><a href="http://[">A</a><a href="https://">B</a></main>') == {}


def test_pictures_with_their_captions():
    tree = dom.parse(
        '<main><img src="/dot.gif" width="1" height="1">'
        '<img src="/icon.png" width="16" height="16">'
        '<figure><img src="data:image/gif;base64,R0" data-src="/big.jpg" alt="Hills" width="800">'
        "<figcaption>The hills.</figcaption></figure></main>"
    )
    root = tree.find("main")
    assert root is not None
    images = read_images(root, URL, ("https://www.cloud.example/og.jpg",))
    assert [image.url.rsplit("/", 1)[-1] for image in images] == ["icon.png", "big.jpg", "og.jpg"]
    assert (images[1].alt, images[1].caption, images[1].width) == ("Hills", "The hills.", 800)


def test_media_are_known_by_the_thing_itself():
    root = dom.parse_fragment(
        '<iframe src="https://www.youtube.com/embed/abc123def45" title="Rain"></iframe>'
        '<iframe src="https://www.youtube-nocookie.com/embed/abc123def45"></iframe>'
    )
    (media,) = read_media(root, URL)
    assert (media.kind, media.provider, media.title) == ("video", "youtube", "Rain")
    assert media.url == "https://www.youtube.com/watch?v=abc123def45"
