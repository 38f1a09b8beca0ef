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


@pytest.mark.parametrize("role", ["Staff Writer", "Senior Editor"])
def test_a_role_alone_is_nobody(role: str):
    assert authors("", f'<p class="byline">By {role}</p>') == ()


@pytest.mark.parametrize("byline", ["取材・文：山田太郎", "著者：山田太郎，", "文／山田太郎"])
def test_japanese_bylines(byline: str):
    assert authors("", f'<p class="author">{byline}</p>', "ja") == ("山田太郎",)


def test_a_company_in_the_meta_of_a_site_is_no_author():
    assert authors('<meta name="author" content="Webwerk Agentur GmbH">') == ()


def test_the_whole_name_wins_over_a_first_name():
    node = '{"@type": "NewsArticle", "headline": "Rain in the hills", "author": {"name": "Ann"}}'
    head = f'<script type="application/ld+json">{node}</script>'
    assert authors(head, '<p class="byline">By Ann Lee</p>') == ("Ann Lee",)


def test_the_sign_of_copyright_is_no_part_of_a_name():
    assert authors("", '<p class="byline">© Ann Lee</p>') == ("Ann Lee",)


def story(title: str, name: str, day: int) -> str:
    return (
        f"<li><h3><a href=/{day}>{title}</a></h3><p><span>by</span> <a href=/p>{name}</a></p>"
        f"<p>What we found in {day} weeks in the hills.</p></li>"
    )


def test_a_page_that_lists_the_stories_of_others_has_no_author():
    stories = "".join(
        story(title, name, day)
        for day, (title, name) in enumerate(
            [
                ("The best umbrellas", "Ann Lee"),
                ("The best boots", "Bo Ek"),
                ("The best hats", "Cy Orr"),
            ],
            2,
        )
    )
    page = extract(
        "<html lang=en><head><title>Rain gear</title><meta property=og:type content=article></head>"
        "<body><main><h1>Rain gear</h1>"
        f"<p>All that keeps you dry.</p><ul>{stories}</ul></main></body></html>",
        "https://cloud.example/gear",
    )
    assert page.authors == ()


def test_a_keyword_after_by_is_no_author():
    page = extract(
        "<html lang=en><head><title>SELECT</title><meta property=og:type content=article></head>"
        "<body><h1>SELECT</h1><p>Rows are chosen from tables, grouped and put in order.</p>"
        "<table><tr><td>ORDER<td>BY<td>LIMIT</table><p>The rest of the statement is explained on "
        "other pages of this manual.</p></body></html>",
        "https://quern.example/select",
    )
    assert page.authors == ()


def test_a_clear_byline_counts_though_the_type_of_the_page_is_a_guess():
    page = extract(
        "<html lang=en><title>Rain</title><h1>Rain</h1><p class=byline>By Nora Quist</p>"
        "<p>It rained a while in the hills and then it stopped.</p><p>The sheep did not mind.</p>",
        "https://cloud.example/rain",
    )
    assert page.page_type != "article"
    assert page.authors == ("Nora Quist",)
