"""What differs around the text of a page without saying anything new."""

from __future__ import annotations

from dataclasses import replace

import pytest

import pageloom

URL = "https://ferry-post.example/news/bridge"
STORY = "".join(
    f"<p>Part {number}: the bridge was closed on Monday after a routine inspection, and the "
    "engineers who had asked for it said that nobody was surprised by what they found.</p>"
    for number in ("one", "two", "three", "four")
)


def page(*, head: str = "", above: str = "", inside: str = "", below: str = "") -> str:
    return (
        f"<html lang=en><head><title>The bridge waits</title>{head}</head><body><nav><a href=/news>"
        f"News</a> <a href=/sport>Sport</a> {above}</nav><article><h1>The bridge waits</h1>{inside}"
        f"{STORY}{below}</article><footer>© The Ferry Post</footer></body></html>"
    )


def changed(before: str, after: str, url: str = URL) -> tuple[str, ...]:
    report = pageloom.diff(pageloom.extract(before, url), pageloom.extract(after, url))
    return report.changed_fields


def picture(url: str, alt: str = "The bridge") -> str:
    return f'<figure><img src="{url}" alt="{alt}" width=800 height=500></figure>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "https://m.example/cache/1a2b3c/b/bridge.jpg",
            "https://m.example/cache/99ffee/b/bridge.jpg",
        ),
        ("https://m.example/resizer/aa81/bridge.jpg", "https://m.example/resizer/bb92/bridge.jpg"),
        ("https://m.example/v1/b1/image;s=1080x720", "https://m.example/v1/b1/image;s=1280x800"),
        (
            "https://a.example/hotel/max500/312.jpg?k=1f",
            "https://b.example/hotel/max900x600/312.jpg",
        ),
        ("https://lh.example/aQx1=w332-h592-rw", "https://lh.example/aQx1=w480-h592-rw"),
        (
            "https://m.example/a8_room~mv2.jpg/v1/fill/w_640,h_480,q_80,quality_auto/a8_room~mv2.jpg",
            "https://m.example/a8_room~mv2.jpg/v1/fill/w_733,h_550,q_80,quality_auto/a8_room~mv2.jpg",
        ),
        ("https://m.example/ids/1558-800-auto?width=800", "https://m.example/ids/1558-1200-auto"),
        (
            "https://m.example/9/91/Pier.jpg/280px-Pier.jpg",
            "https://m.example/9/91/Pier.jpg/330px-Pier.jpg",
        ),
    ],
)
def test_another_cut_of_a_picture_is_the_same_picture(before, after):
    assert changed(page(inside=picture(before)), page(inside=picture(after))) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("https://m.example/2026/10/bridge.jpg", "https://m.example/2026/11/bridge.jpg"),
        ("https://m.example/a1b2/1041.jpg", "https://m.example/c3d4/1042.jpg"),
        ("https://m.example/a1b2/bridge.jpg", "https://m.example/a1b2/ferry.jpg"),
        ("https://lh.example/aQx1=w332-h592-rw", "https://lh.example/bRt8=w332-h592-rw"),
        ("https://m.example/ids/1558-800-auto", "https://m.example/ids/1559-800-auto"),
    ],
)
def test_another_picture_is_told(before, after):
    assert "images" in changed(page(inside=picture(before)), page(inside=picture(after)))


def test_a_picture_that_says_it_is_of_the_day_is_not_told():
    before = page(below=picture("https://m.example/p/014.jpg", "Photo of the day"))
    after = page(below=picture("https://m.example/p/015.jpg", "Photo of the day"))
    assert changed(before, after) == ()


def test_what_a_reader_sees_after_logging_in_is_not_told():
    guest = '<a href="/w?title=Special:UserLogin">Log in</a> <a href="/w?t=New">Create account</a>'
    known = '<a href="/wiki/User:Pipit">Pipit</a> <a href="/wiki/Alerts">Alerts (2)</a>'
    assert changed(page(above=guest), page(above=known)) == ()
    assert changed(page(above=known), page(above=guest)) == ()


def test_a_number_that_a_program_keeps_in_the_head_is_not_told_but_a_price_is():
    def head(name: str, value: str) -> str:
        return page(head=f'<meta name="{name}" content="{value}">')

    assert changed(head("next-head-count", "8"), head("next-head-count", "9")) == ()
    assert changed(head("book:edition", "8"), head("book:edition", "9")) == ("metadata",)


def test_who_updated_a_page_last_is_not_its_author():
    def updated(name: str) -> str:
        return page(inside=f"<div>Last updated on <b>3 May 2026</b> by <b>{name}</b></div>")

    assert pageloom.extract(updated("lena"), URL).authors == ()
    assert pageloom.extract(page(inside="<div>By <b>Lena Ott</b></div>"), URL).authors == (
        "Lena Ott",
    )


def test_a_title_that_is_only_cut_elsewhere_is_not_told():
    def titled(head: str) -> str:
        whole = "<title>The bridge waits - University of Valley New</title>"
        return page(head=head).replace("<title>The bridge waits</title>", whole)

    named = '<meta property="og:site_name" content="University of Valley New">'
    assert changed(titled(named), titled("")) == ()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("118 candles lit", "143 candles lit", False),
        ("2.1k stars", "2.2k stars", False),
        ("API response time 139 ms", "API response time 151 ms", False),
        ("Anna: 44% · Bo: 31% · other: 25%", "Anna: 43% · Bo: 33% · other: 24%", False),
        ("Chest 112 cm", "Chest 115 cm", True),
        ("Salary £48,500 a year", "Salary £51,000 a year", True),
        ("Telephone 0300 555 0142", "Telephone 0300 555 0164", True),
        ("Open 9:00–16:30", "Open 10:00–16:30", True),
        ("Only 5 left in stock", "Only 2 left in stock", True),
        ("Closing date 27 November", "Closing date 4 December", True),
    ],
)
def test_beside_the_content_only_what_people_go_by_is_told(before, after, told):
    def beside(text: str) -> pageloom.Document:
        document = pageloom.extract(page(), URL)
        told = replace(document.provenance, margin=("A line that stays", text))
        return replace(document, provenance=told, change_hash=text)

    assert pageloom.diff(beside(before), beside(after)).has_changes is told


@pytest.mark.parametrize(
    "name",
    ["testimonial", "elementor-testimonial", "poll", "tweets", "Logos_root__ocU7V", "online-list"],
)
def test_a_box_named_for_what_rotates_is_not_told(name):
    def box(text: str) -> str:
        return page(below=f'<div class="{name}"><p>{text}</p></div>')

    assert changed(box("A small house that does one thing well."), box("I shall come back.")) == ()


def test_a_link_in_a_bar_of_announcements_is_not_told_but_one_in_the_text_is():
    bar = '<div class="announcementBar_x1"><p>Meet us in May. <a href="/may">Say hi!</a></p></div>'
    assert changed(page(below=""), page(below=bar)) == ()
    told = '<p>The report on the bridge <a href="/report.pdf">can be had here</a> since Monday.</p>'
    assert "links" in changed(page(below=""), page(below=told))


def test_other_brackets_and_a_label_of_how_many_are_not_told():
    narrow, wide = "<p>真鍮の文鎮 4,180円(税込)</p>", "<p>真鍮の文鎮 4,180円（税込）</p>"
    assert changed(page(inside=narrow), page(inside=wide)) == ()
    asked = "<div>Quantity of The bridge waits</div>"
    assert changed(page(inside=asked), page(inside="")) == ()
    offered = "<div>Quantity discounts from 50 copies</div>"
    assert "text" in changed(page(inside=offered), page(inside=""))


def test_cards_and_sounds_under_another_code_are_the_same():
    def head(name: str, value: str) -> str:
        return page(head=f'<meta property="og:{name}" content="https://m.example/{value}">')

    assert changed(head("image", "0b6a17d9/anna/pier"), head("image", "91ffab20/anna/pier")) == ()
    assert changed(head("audio", "ep88.mp3?aid=f0a9"), head("audio", "ep88.mp3?aid=11c7")) == ()
    assert "metadata" in changed(head("audio", "ep88.mp3"), head("audio", "ep89.mp3"))


ROOMS = "https://pier-house.example/rooms"
SHOP = "".join(
    f"<section><h2>Room {number}</h2><p>A bed under the roof, a desk by the window and a kettle, "
    f"with breakfast for {number * 20} euros a night, from March to October.</p></section>"
    for number in range(2, 7)
)


def guest_house(below: str) -> str:
    return (
        "<html lang=en><head><title>Rooms | The Pier House</title></head><body><nav><a href=/>Home"
        f"</a> <a href=/rooms>Rooms</a></nav><main><h1>Rooms and prices</h1>{SHOP}{below}</main>"
        "<footer>© The Pier House</footer></body></html>"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "<p>“I came for a night and stayed a week.”</p><h3>Anna T.</h3>",
            "<p>“Soft beds, and a very warm stove in the hall.”</p><h3>Marcus A.</h3>",
        ),
        (
            "<blockquote>I spent more time in the garden than in town.</blockquote><p>Ifeoma</p>",
            "<blockquote>The crossing made up my mind about boats.</blockquote><p>Tomasz</p>",
        ),
        ("<p>16°C, wind 4 (updated 10:05)</p>", "<p>14°C, wind 6 (updated 13:35)</p>"),
        ("<p>Wait about 45 minutes, as of 9:12</p>", "<p>Wait about 70 minutes, as of 14:31</p>"),
    ],
)
def test_what_guests_say_and_readings_of_the_hour_are_not_told(before, after):
    assert changed(guest_house(before), guest_house(after), ROOMS) == ()


def test_a_rate_is_told_though_its_hour_stands_beside_it():
    before, after = (
        "<p>1 EUR = 1.084 USD, updated 10:05</p>",
        "<p>1 EUR = 1.102 USD, updated 13:35</p>",
    )
    assert "text" in changed(guest_house(before), guest_house(after), ROOMS)


def test_a_time_of_a_programme_beside_the_text_is_told_but_not_a_clock():
    def beside(*times: str) -> pageloom.Document:
        document = pageloom.extract(page(), URL)
        told = replace(document.provenance, margin=times)
        return replace(document, provenance=told, change_hash="".join(times))

    programme = beside("14:15", "17:30", "20:20", "22:10")
    assert pageloom.diff(programme, beside("14:15", "17:30", "19:50", "22:10")).has_changes
    assert not pageloom.diff(beside("14:15"), beside("16:20")).has_changes
