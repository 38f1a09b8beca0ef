"""The picture of the story: evidence first, then what the page declares."""

import pytest

from pageloom import extract, views

URL = "https://www.cloud.example/hills/rain"
DECLARED = "https://www.cloud.example/big.jpg"
PROSE = "".join(
    f"<p>It rained in the hills for the {day} day, and nobody who lives there was surprised, "
    "because it rains there every spring until the ferns are taller than the sheep.</p>"
    for day in ("first", "second", "third", "fourth", "fifth")
)


def document(lead: str = "", *, end: str = "", declared: str = DECLARED):
    head = f'<meta property="og:image" content="{declared}">' if declared else ""
    return extract(
        f"<html><head><title>Rain in the hills</title>{head}</head><body><main><article>"
        f"<h1>Rain in the hills</h1>{lead}{PROSE}{end}</article></main></body></html>",
        URL,
    )


@pytest.mark.parametrize(
    "lead",
    [
        '<p><img src="/icons/share-twitter.svg"></p>',
        '<p><img src="/people/lee.jpg" width="140" height="140" alt="Ann Lee"></p>',
        '<div class="author-box"><img src="/people/lee.jpg" alt="Ann Lee"></div>',
        '<p><img src="/static/placeholder-wide.jpg" width="900"></p>',
        '<div class="promo"><img src="https://shop.example/boots.jpg" width="800"></div>',
        '<p><img src="/map.png" alt="A map"></p>',
        '<p><a href="/other"><img src="/other.jpg" width="800">Another story</a></p>',
        '<p><a href="https://shop.example/boots"><img src="/boots.jpg" width="800"></a></p>',
    ],
)
def test_a_picture_without_evidence_gives_way_to_the_declared_one(lead: str):
    assert document(lead).hero_image == DECLARED


@pytest.mark.parametrize(
    "lead",
    [
        '<figure><img src="/flood.jpg" width="1200" height="800" alt="The flood"></figure>',
        '<div class="post-hero"><img src="/flood.jpg" alt="The flood"></div>',
        '<img class="wp-post-image" src="/flood.jpg" alt="The flood">',
        '<p><a href="/flood-2400.jpg"><img src="/flood.jpg" width="800" alt="The flood"></a></p>',
    ],
)
def test_a_large_or_leading_picture_at_the_beginning_is_the_hero(lead: str):
    one = document(lead)
    assert one.hero_image == "https://www.cloud.example/flood.jpg"
    assert one.provenance.fields["hero_image"].source == "content"
    assert one.declared_image == DECLARED
    assert one.provenance.fields["declared_image"].source == "meta[og:image]"


def test_a_large_picture_far_down_is_not_the_picture_of_the_story():
    end = '<figure><img src="/flood.jpg" width="1200" height="800" alt="The flood"></figure>'
    assert document(end=end).hero_image == DECLARED


def test_the_same_picture_in_another_size_is_shown_once():
    one = document('<img src="/media/big-800x450.jpg" width="800" alt="The flood">')
    other = document(
        '<img src="/media/hill-fog-800x450.jpg" width="800" alt="Fog">',
        declared="https://cdn.cloud.example/media/hill-fog.jpg",
    )
    assert one.hero_image == "https://www.cloud.example/media/big-800x450.jpg"
    assert other.hero_image == "https://cdn.cloud.example/media/hill-fog.jpg"
    assert views.frontmatter(other).count("![") == 1


def test_a_declared_logo_gives_way_to_a_picture_at_the_beginning():
    one = document('<p><img src="/map.png" alt="A map"></p>', declared="/img/site-logo.png")
    assert one.hero_image == "https://www.cloud.example/map.png"
    assert one.declared_image == "https://www.cloud.example/img/site-logo.png"


def test_without_a_declared_picture_the_first_fit_one_is_the_hero():
    pictures = '<img src="/icons/star.png"><p>So it was.</p><img src="/hill.jpg" alt="A hill">'
    assert document(end=pictures, declared="").hero_image == "https://www.cloud.example/hill.jpg"
    assert document(declared="").hero_image == document(declared="").declared_image == ""
