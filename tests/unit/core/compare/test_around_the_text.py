"""What differs around the text of a page without saying anything new."""

from __future__ import annotations

import pytest

import pageloom

URL = "https://ferry-post.example/news/bridge"
MANUAL = "https://docs.ferry.example/queues"
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


def test_what_a_reader_sees_after_logging_in_is_not_told():
    guest = '<a href="/w?title=Special:UserLogin">Log in</a> <a href="/w?t=New">Create account</a>'
    known = '<a href="/wiki/User:Pipit">Pipit</a> <a href="/wiki/Alerts">Alerts (2)</a>'
    assert changed(page(above=guest), page(above=known)) == ()
    assert changed(page(above=known), page(above=guest)) == ()


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


def test_a_link_in_a_bar_of_announcements_is_not_told_but_one_in_the_text_is():
    bar = '<div class="announcementBar_x1"><p>Meet us in May. <a href="/may">Say hi!</a></p></div>'
    assert changed(page(below=""), page(below=bar)) == ()
    told = '<p>The report on the bridge <a href="/report.pdf">can be had here</a> since Monday.</p>'
    assert "links" in changed(page(below=""), page(below=told))


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


def manual(version: str, footer: str) -> str:
    return (
        "<html lang=en><head><title>Queues | Ferry docs</title><meta name=generator "
        "content='Docusaurus v3.1'></head><body><nav class=navbar><a href=/>Ferry</a></nav>"
        "<div class=theme-doc-sidebar-container><a href=/a>Start</a></div><main><article>"
        f"<span class='theme-doc-version-badge badge'>{version}</span>"
        "<div class='theme-doc-markdown markdown'><h1>Queues</h1><p>A queue holds messages until "
        "a worker takes them. Each is handed out once, and again only where the worker is gone."
        "</p><p>Create one with a name and a limit; both can be changed later.</p></div></article>"
        f"</main><footer class=theme-layout-footer><p>{footer}</p></footer>"
        "<script>window.__HASH__='7f3a91c2'</script></body></html>"
    )


def test_what_a_shipped_rule_takes_out_of_a_manual_is_compared_all_the_same():
    before = manual("Version: 5.x", "Support by e-mail: help@ferry.example")
    outdated = manual(
        "Version: 5.x (no longer maintained)", "Support by e-mail: help@ferry.example"
    )
    moved = manual("Version: 5.x", "Support by e-mail: desk@ferry.example")
    assert "no longer maintained" not in pageloom.extract(outdated, MANUAL).text
    assert "text" in changed(before, outdated, MANUAL)
    assert "text" in changed(before, moved, MANUAL)
    assert changed(before, before.replace("7f3a91c2", "0b1d44e7"), MANUAL) == ()


def test_what_a_rule_of_the_users_removes_is_not():
    rules = pageloom.parse_rules(
        "- id: mine\n  trigger: {host: {equals: docs.ferry.example}}\n"
        "  remove: [.theme-doc-version-badge]\n"
    )
    old, new = (
        pageloom.extract(manual(version, "Ferry"), MANUAL, rules=rules)
        for version in ("Version: 5.x", "Version: 5.x (no longer maintained)")
    )
    assert not pageloom.diff(old, new).has_changes
