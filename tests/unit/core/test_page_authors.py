"""Authors of whole pages: who wins over whom, and who is nobody."""

import pytest

from pageloom import extract

PROSE = "".join(
    f"<p>It rained in the hills for the {day} day, and nobody who lives there was surprised, "
    "because it rains there every spring until the ferns are taller than the sheep.</p>"
    for day in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
)


def authors(head: str = "", lead: str = "", language: str = "en"):
    document = extract(
        f"<html lang={language}><head><title>Rain in the hills</title>{head}</head><body><main>"
        f"<article><h1>Rain in the hills</h1>{lead}{PROSE}</article></main></body></html>",
        "https://cloud.example/rain",
    )
    return document.authors


OWNER = '<meta name="author" content="Carla Nord"><meta name="copyright" content="Carla Nord">'


@pytest.mark.parametrize(
    ("head", "lead"),
    [
        ('<meta property="article:author" content="Ann Lee">', ""),
        ("", '<p class="byline">By Ann Lee</p>'),
        (
            (
                '<meta name="twitter:label1" content="Written by">'
                '<meta name="twitter:data1" content="Ann Lee">'
            ),
            "",
        ),
    ],
)
def test_the_owner_of_a_site_gives_way_to_an_author(head: str, lead: str):
    assert authors(OWNER + head, lead) == ("Ann Lee",)


def test_the_owner_of_a_site_signs_where_nobody_else_does():
    assert authors(OWNER) == ("Carla Nord",)


def test_a_company_gives_way_to_a_byline():
    head = '<meta name="author" content="Nordwind Verlag GmbH">'
    assert authors(head, '<p class="byline">By Ann Lee</p>') == ("Ann Lee",)


@pytest.mark.parametrize("name", ["Politik", "Wirtschaft", "Press release"])
def test_sections_are_no_people(name: str):
    assert authors(f'<meta name="author" content="{name}">') == ()


def test_a_role_gives_way_to_a_person():
    head = '<meta name="author" content="Senior Staff Writer">'
    assert authors(head, '<p class="byline">By Ann Lee</p>') == ("Ann Lee",)


@pytest.mark.parametrize("byline", ["取材・文：山田太郎", "著者：山田太郎，", "文／山田太郎"])
def test_japanese_bylines(byline: str):
    assert authors("", f'<p class="author">{byline}</p>', "ja") == ("山田太郎",)
