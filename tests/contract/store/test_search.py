from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from tests.saving import save_document, save_many

from pageloom.edges.store import listing
from pageloom.edges.store import search as searching
from pageloom.edges.store.listing import list_pages, walk_pages
from pageloom.edges.store.search import search, suggest
from pageloom.edges.store.tags import add_note, add_tags, remove_note, remove_tags
from pageloom.errors import InvalidQuery
from pageloom.model import Document, Moment
from pageloom.model.capture import Capture
from pageloom.model.pages import SORTS, Filters, PageRef

pytestmark = pytest.mark.slow_file(seconds=30)


@pytest.fixture(params=["looked into", "asked of the index", "walked through"])
def way(request, monkeypatch):
    """How pages are found depends on how many there are; here each way is tried on the same."""
    if request.param != "looked into":
        monkeypatch.setattr(listing, "FEW", 0)
    if request.param == "walked through":
        monkeypatch.setattr(searching, "MANY", 0)


TEXTS = (
    (
        "swifts",
        "The swifts of Port Ellery",
        "Two hundred swifts nest in the old harbour crane.",
        "en",
    ),
    (
        "cranes",
        "Cranes and scrap value",
        "A crane is sold for scrap. No swift was hurt.",
        "en",
    ),
    ("cafe", "Das Café am Hafen", "Im Café über der Straße gibt es Kuchen. Naïve Gäste.", "de"),
    ("library", "島の図書館", "島の図書館は海の近くにあります。本がたくさんあります。", "ja"),
    ("korea", "도서관 소식", "도서관에서 새 책을 읽었습니다.", "ko"),
    ("thai", "ห้องสมุด", "ห้องสมุดบนเกาะเปิดทุกวัน", "th"),
    ("hindi", "पुस्तकालय", "द्वीप का पुस्तकालय हर दिन खुला है।", "hi"),
    (
        "mail",
        "E-mail and x86-64",
        "Send an e-mail about the C++ port to x86-64. It's O'Brien's 50% idea.",
        "en",
    ),
)


def fill(store, owner="local"):
    captures = []
    for number, (name, title, text, language) in enumerate(TEXTS):
        url = f"https://{language}.ellery.example/{name}"
        document = Document(
            url=url,
            final_url=url,
            id=name,
            title=title,
            text=text,
            markdown=text,
            language=language,
            description="About the port" if name == "cranes" else "",
            page_type="article" if number % 2 else "forum",
            published=Moment(date=f"2026-0{number + 1}-02"),
            snapshot_hash=name,
            quality_score=50 + number,
            word_count=number,
        )
        captures.append(Capture(document=document))
    save_many(store, captures, owner)


def found(store, text: str, **filters) -> list[str]:
    hits = search(store, "local", text, Filters(**filters)).hits
    return [hit.page.url.rpartition("/")[2] for hit in hits]


SEARCHES = [
    ("swifts", ["swifts", "cranes"]),
    ('"swifts"', ["swifts"]),
    ("nesting", ["swifts"]),
    ("nested swift", ["swifts"]),
    ("crane -swift", []),
    ('crane -"swifts"', ["cranes"]),
    ("sells OR hurting", ["cranes"]),
    ("hafens", ["cafe"]),
    ("sold -hurts", []),
    ("naiver gast", ["cafe"]),
    ("SWIFT*", ["swifts", "cranes"]),
    ("crane", ["cranes", "swifts"]),
    ('"crane"', ["cranes", "swifts"]),
    ("crane -scrap", ["swifts"]),
    ('"harbour crane"', ["swifts"]),
    ('"crane harbour"', []),
    ('crane -"harbour crane"', ["cranes"]),
    ('"harbour cra*"', ["swifts"]),
    ('"harbour scrap" OR "swifts nest"', ["swifts"]),
    ('"two hundred" OR scrap', ["cranes", "swifts"]),
    ('"swifts nest in the old harbour crane"', ["swifts"]),
    ('"swifts nest in the old crane"', []),
    ('"swifts nest in the old crane" OR kuchen', ["cafe"]),
    ('"nest in the old harbour cra*"', ["swifts"]),
    ('"nest in the old harbour craw*"', []),
    ('crane -"swifts nest in the old harbour crane"', ["cranes"]),
    ('crane -"swifts nest in the old crane"', ["cranes", "swifts"]),
    ('"port ellery"', ["swifts"]),
    ('"the port"', ["cranes"]),
    ("kuchen OR scrap", ["cranes", "cafe"]),
    ("port", ["swifts", "cranes", "mail"]),
    ("cafe", ["cafe"]),
    ("STRASSE", ["cafe"]),
    ("naive gaste", ["cafe"]),
    ("図書館", ["library"]),
    ("書図", []),
    ("島の図書館は海", ["library"]),
    ("島の図書館が海", []),
    ("海", ["library"]),
    ("図書*", ["library"]),
    ("도서관", ["korea"]),
    ("เกาะ", ["thai"]),
    ("पुस्तकालय", ["hindi"]),
    ("e-mail", ["mail"]),
    ("x86-64 C++", ["mail"]),
    ("O'Brien", ["mail"]),
    ("50%", ["mail"]),
    ("ellery.example", ["mail", "hindi", "thai", "korea", "library", "cafe", "cranes", "swifts"]),
    ("nowhere", []),
]


@pytest.mark.usefixtures("way")
def test_the_same_pages_are_found_in_the_same_order(store):
    fill(store)
    for text, names in SEARCHES:
        assert found(store, text) == names, text


def test_forms_are_those_of_the_language_of_the_page(store):
    for number, (language, text) in enumerate(
        (("en", "The swift dies"), ("de", "Das ist die Frage"), ("", "the dying swift"))
    ):
        url = f"https://a.example/{number}"
        document = Document(url=url, final_url=url, text=text, language=language, snapshot_hash=url)
        save_document(store, "local", document)
    assert found(store, "dying") == ["2", "0"]  # not the German article
    assert found(store, "died") == ["0"]  # nothing is known of the third page's language
    assert found(store, "die", language="en") == ["0"]
    assert found(store, "fragen") == ["1"]


def test_forms_of_tags_and_notes_are_found_and_gone_with_them(store):
    fill(store)
    with store.write() as tx:
        add_tags(tx, PageRef("local", 2), ["lighthouses"])
    assert found(store, "lighthouse") == ["cranes"]
    with store.write() as tx:
        remove_tags(tx, PageRef("local", 2), ["lighthouses"])
    assert found(store, "lighthouse") == []


def test_a_snippet_shows_the_form_that_was_found(store):
    fill(store)
    (hit,) = search(store, "local", "nesting").hits
    ((start, end),) = hit.snippet.marks
    assert hit.snippet.text[start:end] == "nest"


def test_where_nothing_is_found_beginnings_of_the_words_are_suggested(store):
    fill(store)
    assert suggest(store, "local", "harb crane") == "harb* crane*"
    assert suggest(store, "local", 'harborless "crane"') == ""
    assert suggest(store, "local", "harbors -scrap") == "harbo* -scrap"
    assert suggest(store, "local", "harbouxy") == "harbou*"
    assert suggest(store, "local", "zeppelin") == ""


ODD = [
    "swifts'; DROP TABLE pages; --",
    'swifts " AND (',
    "swifts NEAR( : * ^ {title} :",
    "swifts & | ! <-> 'x':A",
    "swifts \\ \x00 \ud800",
    "title:swifts",
    "swifts " * 500,
]


@pytest.mark.usefixtures("way")
def test_nothing_that_can_be_typed_breaks_the_search(store):
    fill(store)
    for text in ODD:
        search(store, "local", text)
    assert list_pages(store, "local").total == len(TEXTS)


def test_a_search_without_a_word_says_so(store):
    for text in ("", "   ", "-swifts", '""', "!!!", "OR"):
        with pytest.raises(InvalidQuery):
            search(store, "local", text)


@pytest.mark.usefixtures("way")
def test_filters_narrow_lists_and_searches_alike(store):
    fill(store)
    with store.write() as tx:
        add_tags(tx, PageRef("local", 1), ["Birds", "#Harbour"])
        add_tags(tx, PageRef("local", 2), ["harbour"])
        tx.run("UPDATE pages SET archived = 1 WHERE id = 3")
        tx.run("UPDATE pages SET deleted_at = saved_at WHERE id = 4")
        tx.run("UPDATE pages SET pinned = 1, saved_at = '2020-01-01T00:00:00.000Z' WHERE id = 5")
    cases = {
        "tags": ({"tags": ("HARBOUR",)}, {1, 2}),
        "two tags": ({"tags": ("harbour", "birds")}, {1}),
        "language": ({"language": "en"}, {1, 2, 8}),
        "type": ({"page_type": "forum"}, {1, 5, 7}),
        "archived": ({"archived": "only"}, {3}),
        "deleted": ({"deleted": "only"}, {4}),
        "pinned": ({"pinned": True}, {5}),
        "since": ({"since": "2021"}, {1, 2, 6, 7, 8}),
        "until": ({"until": "2021"}, {5}),
        "domain": ({"domain": "en.ellery.example"}, {1, 2, 8}),
        "site": ({"domain": "www.Ellery.example"}, {1, 2, 5, 6, 7, 8}),
        "no site": ({"domain": "llery.example"}, set()),
        "no pattern": ({"domain": "%"}, set()),
        "quality": ({"min_quality": 56}, {7, 8}),
        "everything": ({"archived": "all", "deleted": "all"}, set(range(1, 9))),
    }
    for name, (given, ids) in cases.items():
        filters = Filters(**given)
        assert {page.id for page in list_pages(store, "local", filters).pages} == ids, name
        hits = search(store, "local", "example", filters).hits
        assert {hit.page.id for hit in hits} == ids, name
        assert {page.id for page in walk_pages(store, "local", filters, batch=2)} == ids, name


def test_lists_are_sorted_and_come_in_pages(store):
    fill(store)
    with store.write() as tx:
        tx.run("UPDATE pages SET pinned = 1 WHERE id = 3")
    assert [page.id for page in list_pages(store, "local", limit=3).pages] == [3, 8, 7]
    second = list_pages(store, "local", limit=3, offset=3)
    assert ([page.id for page in second.pages], second.total) == ([6, 5, 4], 8)
    by_title = [page.title for page in list_pages(store, "local", sort="title").pages]
    assert by_title[:4] == [
        "Cranes and scrap value",
        "Das Café am Hafen",
        "E-mail and x86-64",
        "The swifts of Port Ellery",
    ]
    by_date = [page.id for page in list_pages(store, "local", sort="published").pages]
    assert by_date == list(range(8, 0, -1))


@pytest.mark.usefixtures("way")
def test_lists_come_in_pages_without_repeat_or_gap_to_their_end(store):
    fill(store)
    with store.write() as tx:
        tx.run("UPDATE pages SET pinned = 1, quality = 7 WHERE id IN (2, 3, 5)")
    for sort in SORTS:
        whole = [page.id for page in list_pages(store, "local", sort=sort).pages]
        assert len(whole) == 8
        for start in range(10):
            part = list_pages(store, "local", sort=sort, limit=3, offset=start)
            assert [page.id for page in part.pages] == whole[start : start + 3], (sort, start)


@pytest.mark.usefixtures("way")
def test_hits_come_in_pages_without_repeat_or_gap_across_the_tiers(store):
    fill(store)
    whole = [hit.page.id for hit in search(store, "local", "port OR library OR crane*").hits]
    pieces = [
        hit.page.id
        for offset in range(0, 8, 2)
        for hit in search(store, "local", "port OR library OR crane*", limit=2, offset=offset).hits
    ]
    assert pieces == whole
    assert search(store, "local", "port", limit=1).more
    assert search(store, "local", "port", limit=1).total <= 3
    assert search(store, "local", "port", offset=5).total <= 3
    for text, total in (("port", 3), ('"harbour c*"', 1), ('"harbour s*"', 0)):
        found = search(store, "local", text)
        assert (found.total, found.is_exact, found.more) == (total, True, False), text


WORDS = ("ann", "bo", "cedar", "dove", "elderberry", "fig", "goose", "hawk")


def scatter(store) -> dict[int, tuple[list[str], list[str], list[str]]]:
    """Pages of words thrown together: what their titles, descriptions and texts say."""
    chance = random.Random(7)  # noqa: S311  the same pages in every run
    said, captures = [], []
    for number in range(1, 61):
        parts = tuple(chance.choices(WORDS, k=size) for size in (3, 5, 9))
        title, about, text = map(" ".join, parts)
        url = f"https://example.org/{number}"
        document = Document(
            url=url, final_url=url, title=title, description=about, text=text, snapshot_hash=url
        )
        said.append(parts)
        captures.append(Capture(document=document))
    saved = save_many(store, captures)
    return {each.page_id: parts for each, parts in zip(saved, said, strict=True)}


def tier_of(parts, words: list[str], without: list[str]) -> int | None:
    """Where a page with these words belongs, as the documentation says."""
    title, about, text = parts
    if set(without) & {*title, *about, *text}:
        return None
    scopes = (title, [*title, *about], [*title, *about, *text])
    return next((tier for tier, scope in enumerate(scopes) if set(words) <= set(scope)), None)


@pytest.mark.parametrize("many", [0, 3])
def test_searches_for_phrases_and_words_find_what_the_pages_say(store, monkeypatch, many):
    monkeypatch.setattr(listing, "FEW", 0)
    monkeypatch.setattr(searching, "MANY", many)
    said = {id_: [f" {' '.join(part)} " for part in parts] for id_, parts in scatter(store).items()}
    chance = random.Random(9)  # noqa: S311
    for _ in range(40):
        phrases = [" ".join(chance.choices(WORDS, k=2)) for _ in range(chance.randrange(1, 3))]
        runs = [*phrases, *chance.sample(WORDS, k=chance.randrange(3))]
        hits = []
        for id_, (title, about, text) in said.items():
            scopes = ((title,), (title, about), (title, about, text))
            fits = [
                all(any(f" {run} " in part for part in scope) for run in runs) for scope in scopes
            ]
            hits += [(fits.index(True), -id_)] if any(fits) else []
        found = search(store, "local", " ".join(f'"{run}"' for run in runs), limit=60).hits
        assert [-hit.page.id for hit in found] == [number for _, number in sorted(hits)], runs


@pytest.mark.parametrize("is_common", [False, True])
def test_searches_for_many_words_find_what_the_words_say(store, monkeypatch, is_common):
    monkeypatch.setattr(listing, "FEW", 0)
    if is_common:  # by the figures of a database that has any
        monkeypatch.setattr(searching, "_FEW_WORDS", 0)
        monkeypatch.setattr(searching, "_MOST", -1)
    said = scatter(store)
    for many, newest in product((0, 3, 12), (200, 8)):
        monkeypatch.setattr(searching, "MANY", many)
        monkeypatch.setattr(searching, "_NEWEST", newest)
        check_searches(store, said)


def check_searches(store, said) -> None:
    chance = random.Random(8)  # noqa: S311
    for _ in range(40):
        chosen = chance.sample(WORDS, k=chance.randrange(1, 8))
        words, without = chosen[:6], chosen[6:]
        text = " ".join([*words, *(f"-{word}" for word in without)])
        text += f' "{words[0]}"' if chance.random() < 0.2 else ""
        tiers = {id_: tier_of(parts, words, without) for id_, parts in said.items()}
        hits = sorted((tier, -id_) for id_, tier in tiers.items() if tier is not None)
        offset = chance.choice((0, 0, 1, 5, 30))
        part = search(store, "local", text, limit=7, offset=offset)
        assert [hit.page.id for hit in part.hits] == [
            -number for _, number in hits[offset : offset + 7]
        ], (text, offset)
        assert part.more == (len(hits) > offset + 7)
        assert part.total <= len(hits) if not part.is_exact else part.total == len(hits)


@pytest.mark.usefixtures("way")
def test_hits_are_sorted_as_lists_are(store):
    fill(store)
    for sort in SORTS:
        listed = [page.id for page in list_pages(store, "local", sort=sort).pages]
        hits = search(store, "local", "ellery", sort=sort).hits
        assert [hit.page.id for hit in hits] == listed, sort
        part = search(store, "local", "ellery", sort=sort, limit=2, offset=3).hits
        assert [hit.page.id for hit in part] == listed[3:5], sort


@pytest.mark.usefixtures("way")
def test_a_page_is_found_by_the_tags_and_notes_of_its_user(store):
    fill(store)
    with store.write() as tx:
        add_tags(tx, PageRef("local", 1), ["Wish list"])
        note = add_note(tx, PageRef("local", 2), "Ask Ann about the lighthouse")
    assert found(store, '"wish list"') == ["swifts"]
    assert found(store, "lighthouse") == ["cranes"]
    [hit] = search(store, "local", "lighthouse").hits
    assert "Ann about the lighthouse" in hit.snippet.text
    url = "https://en.ellery.example/cranes"
    document = Document(url=url, final_url=url, title="Gantries", text="New.", snapshot_hash="2")
    save_document(store, "local", document)
    assert found(store, "gantries lighthouse") == ["cranes"]
    with store.write() as tx:
        remove_note(tx, PageRef("local", 2), note)
        remove_tags(tx, PageRef("local", 1), ["wish list"])
    assert found(store, "lighthouse OR wish") == []


def test_a_snippet_shows_the_words_where_they_stand(store):
    fill(store)
    [hit] = search(store, "local", "kuchen gaste").hits
    text = hit.snippet.text
    assert [text[start:end] for start, end in hit.snippet.marks] == ["Kuchen", "Gäste"]


POINTED = {
    "arabic": "كان مُحَمَّدٌ فِي المَكْتَبَة. محـــمود سأل أحمد.",
    "hebrew": "הַסִּפְרִיָּה בָּאִי פְּתוּחָה",
    "hindi": "हिन्दी की किताब",
    "thai": "น้ำในบ้าน",
    "kana": "がっこうのガラス",
    "latin": "Crème brûlée a\u030a❤\ufe0f",
}


def keep_texts(store, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        url = f"https://ellery.example/{name}"
        document = Document(
            url=url, final_url=url, title=name, text=text, markdown=text, snapshot_hash=name
        )
        save_document(store, "local", document)


@pytest.mark.usefixtures("way")
def test_marks_that_people_leave_out_do_not_matter_and_letters_do(store):
    keep_texts(store, POINTED)
    for text, names in (
        ("محمد", ["arabic"]),
        ("مُحمّد المكتبة", ["arabic"]),
        ("محمود", ["arabic"]),
        ("احمد", []),  # another letter
        ("أحمد", ["arabic"]),
        ("הספריה", ["hebrew"]),
        ("ספרי", []),
        ("הספ*", ["hebrew"]),
        ("हिन्दी", ["hindi"]),
        ("हनद", []),
        ("कताब", []),
        ("น้ำ", ["thai"]),
        ("นำ", []),
        ("が", ["kana"]),
        ("か", []),
        ("creme brulee å", ["latin"]),
    ):
        assert found(store, text) == names, text


def test_a_snippet_shows_words_with_the_marks_that_were_left_out(store):
    keep_texts(store, POINTED | {"korea": "도서관에서 새 책을"})
    for text, shown in (
        ("محمد", ["مُحَمَّدٌ"]),
        ("أحمد", ["أحمد"]),
        ("הספריה", ["הַסִּפְרִיָּה"]),
        ("が", ["が"]),
        ("책", ["책"]),
        ("brulee", ["brûlée"]),
    ):
        [hit] = search(store, "local", text).hits
        marks = [hit.snippet.text[start:end] for start, end in hit.snippet.marks]
        assert marks == shown, text


def test_a_new_version_replaces_what_a_page_is_found_by(store):
    fill(store)
    url = "https://en.ellery.example/swifts"
    save_document(
        store,
        "local",
        Document(url=url, final_url=url, title="Gulls", text="Only gulls now.", snapshot_hash="2"),
    )
    assert found(store, '"swifts"') == ["swifts"]  # by its address only
    assert found(store, '"hundred swifts"') == []
    assert found(store, "gulls") == ["swifts"]


def test_hits_far_behind_the_first_are_those_of_the_owner_on_the_shelf(store, monkeypatch):
    monkeypatch.setattr(listing, "FEW", 0)
    monkeypatch.setattr(searching, "MANY", 0)
    fill(store)
    with store.write() as tx:
        tx.run("UPDATE pages SET archived = 1 WHERE id = 7")
        tx.run("UPDATE pages SET deleted_at = saved_at WHERE id = 4")
    alone = search(store, "local", "ellery", offset=1).hits
    fill(store, "ann")
    beside = search(store, "local", "ellery", offset=1).hits
    assert [hit.page.id for hit in alone] == [hit.page.id for hit in beside] == [8, 6, 5, 3, 2]
    english = search(store, "local", "ellery", Filters(language="en"), offset=1).hits
    assert [hit.page.id for hit in english] == [8, 2]


def test_one_owner_does_not_find_the_pages_of_another(store):
    fill(store, "ann")
    assert search(store, "bob", "swifts").hits == ()
    assert list_pages(store, "bob").total == 0


def test_a_text_with_more_words_than_a_database_keeps_is_found_by_its_first(store):
    text = " ".join(f"w{number:060d}" for number in range(30_000))
    document = Document(url="https://a.example/", final_url="https://a.example/", text=text)
    save_document(store, "local", replace(document, title="Long"))
    assert found(store, "w" + "0" * 60) == [""]
    assert found(store, f"w{29_999:060d}") == []


def test_a_list_never_promises_more_pages_than_there_are(store, monkeypatch):
    fill(store)
    monkeypatch.setattr(listing, "FEW", 2)
    english = Filters(language="en")
    for offset in (0, 2, 3, 50):
        found = list_pages(store, "local", english, limit=2, offset=offset)
        assert found.total <= 3, offset
