from __future__ import annotations

import json
import zipfile

import pytest

from pageloom.flows.transfer.import_formats import guess_format, read_library
from pageloom.flows.transfer.portable_page import Portable, Unread


@pytest.fixture
def read(tmp_path):
    """What a file of that name and content, or an archive of several, is read as."""

    def run(name: str, content: str | bytes | dict[str, str], form: str = "") -> list:
        path = tmp_path / name
        if isinstance(content, dict):
            with zipfile.ZipFile(path, "w") as archive:
                for member, text in content.items():
                    archive.writestr(member, text)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        guessed = guess_format(path)
        assert guessed == form or not form or not guessed, guessed
        return list(read_library(path, form or guessed))

    return run


def addresses(found: list) -> list[str]:
    return [one.url for one in found if isinstance(one, Portable)]


POCKET = "title,url,time_added,tags,status\n"
POCKET_HTML = """<!DOCTYPE html><html><head><title>Pocket Export</title></head><body>
<h1>Unread</h1><ul><li><a href="https://a.example/1" time_added="1480000000" tags="x,y">A</a></ul>
<h1>Read Archive</h1><ul><li><a href="https://a.example/2" time_added="1480000000">B</a></ul>
</body></html>"""
INSTAPAPER_HTML = """<!DOCTYPE html><html><head><title>Instapaper: Export</title></head><body>
<h1>Unread</h1><ol><li><a href="https://a.example/1">A</a></ol>
<h1>Archive</h1><ol><li><a href="https://a.example/2">B</a></ol>
<h1>Recipes</h1><ol><li><a href="https://a.example/3">C</a></ol></body></html>"""


def test_the_html_of_pocket_and_instapaper_tells_what_was_archived(read):
    pocket = read("ril_export.html", POCKET_HTML, "pocket")
    assert [(page.archived, page.tags) for page in pocket] == [(False, ("x", "y")), (True, ())]
    pages = read("instapaper.html", INSTAPAPER_HTML, "instapaper")
    assert [page.archived for page in pages] == [False, True, False]
    assert pages[2].tags == ("Recipes",)


def test_a_folder_of_bookmarks_that_is_called_archive_archives_nothing(read):
    text = (
        "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Archive</H1><DL><DT><H3>Archive</H3>"
        '<DT><A HREF="https://a.example/1" TAGS="a|b,semi;colon">A</A></DL>'
    )
    [page] = read("b.html", text, "bookmarks")
    assert (page.archived, page.tags) == (False, ("a|b", "semi;colon"))


def test_a_mark_in_a_list_of_links_that_no_parser_knows_ends_nothing(read):
    text = '<a href="https://a.example/1">A</a><![foo[ x ]]><a href="https://a.example/2">B</a>'
    assert addresses(read("b.html", text)) == ["https://a.example/1", "https://a.example/2"]


def test_pockets_archive_of_several_tables_is_read_as_one(read):
    parts = {
        "part_000000.csv": POCKET + "One,https://a.example/1,1700000000,a|b c,unread\n",
        "part_000001.csv": POCKET + "Two,https://a.example/2,1700000000,,archive\n",
        "collections/none.json": "[]",
        "__MACOSX/._part_000000.csv": "\0\1",
    }
    found = read("pocket.zip", parts, "pocket")
    assert addresses(found) == ["https://a.example/1", "https://a.example/2"]
    assert (found[1].tags, found[2].archived) == (("a", "b c"), True)
    assert (found[0].where, found[0].is_other) == ("collections/none.json", True)


OMNIVORE = {
    "metadata_0_to_20.json": json.dumps([{"slug": "one", "url": "https://a.example/1"}]),
    "content/one.html": "<p>Nests</p>",
    "highlights/one.md": "> nest",
}


@pytest.mark.parametrize("root", ["", "omnivore-export/"])
def test_omnivores_export_is_read_packed_and_unpacked_and_in_a_folder(read, tmp_path, root):
    [page] = read("o.zip", {root + name: text for name, text in OMNIVORE.items()}, "omnivore")
    assert (page.content, page.notes[0].text) == ("<p>Nests</p>", "> nest")
    for name, text in OMNIVORE.items():
        place = tmp_path / "unpacked" / root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    assert guess_format(tmp_path / "unpacked") == "omnivore"
    assert list(read_library(tmp_path / "unpacked", "omnivore")) == [page]


def test_a_damaged_file_of_an_archive_is_named_and_the_others_are_read(read, tmp_path):
    read("o.zip", OMNIVORE | {"content/two.html": "<p>Terns</p>"})
    packed = (tmp_path / "o.zip").read_bytes().replace(b"<p>Nests</p>", b"<p>Nosts</p>")
    (tmp_path / "o.zip").write_bytes(packed)
    damaged, page = read_library(tmp_path / "o.zip", "omnivore")
    assert damaged.where == "content/one.html"
    assert (page.url, page.content) == ("https://a.example/1", "")


def test_markdown_files_that_are_no_pages_are_named(read):
    page = "---\nsource: https://a.example/1\nword_count: ' '\nnotes: one, whole\n---\nText."
    found = read("vault.zip", {"a.md": page, "diary.md": "Dear diary."}, "markdown")
    assert addresses(found) == ["https://a.example/1"]
    assert [note.text for note in found[0].notes] == ["one, whole"]
    assert (found[1].where, found[1].is_other) == ("diary.md", True)


URLS = """# list
https://a.example/1

- [Two (or three)](https://a.example/2)
<https://a.example/3>
https://a.example/4 A title
HTTPS://A.example/5
a.example/6
* [Nest](https://a.example/nest_(bird)) and more
(see https://a.example/8)
"""


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_list_of_addresses_is_read_in_every_spelling(read, charset):
    found = read("urls.txt", URLS.encode(charset), "urls")
    assert [(one.url, one.title) for one in found if isinstance(one, Portable)] == [
        ("https://a.example/1", ""),
        ("https://a.example/2", "Two (or three)"),
        ("https://a.example/3", ""),
        ("https://a.example/4", "A title"),
        ("https://A.example/5", ""),
        ("https://a.example/nest_(bird)", "Nest"),
        ("https://a.example/8", ""),
    ]
    [other] = [one for one in found if isinstance(one, Unread)]
    assert (other.where, other.what) == ("line 8", "a.example/6")


def test_a_table_of_an_older_windows_program_keeps_its_letters(read):
    [page] = read("p.csv", (POCKET + "Möwen,https://a.example/1,,,\n").encode("cp1252"))
    assert page.title == "Möwen"


READWISE = "Title,URL,Document tags,Saved date,Reading progress,Location\n"


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ('"[""it\'s"", \'x, y\']"', ("it's", "x, y")),
        ("\"['ai', 'long read']\"", ("ai", "long read")),
        ('"[""a"", ""b""]"', ("a", "b")),
        ("[]", ()),
        ("", ()),
        ("one", ("one",)),
        ("[a", ("a",)),
    ],
)
def test_tags_of_readwise_are_a_list_of_python(read, tags, expected):
    [page] = read("r.csv", f"{READWISE}A,https://a.example/1,{tags},2023-01-05,0,new\n")
    assert page.tags == expected


@pytest.mark.parametrize(
    ("progress", "is_read"),
    [("1.0", True), ("1", True), ("1.2e-05", False), ("0.99", False), ("", False), ("x", False)],
)
def test_only_what_was_read_to_its_end_was_read(read, progress, is_read):
    [page] = read("r.csv", f"{READWISE}A,https://a.example/1,,2023-01-05,{progress},new\n")
    assert bool(page.read_at) is is_read


def test_what_wallabag_says_of_a_page_it_could_not_have_is_no_content(read):
    sorry = "wallabag can't retrieve contents for this article. Please <a href='x'>help</a>."
    entries = [
        {"is_archived": 0, "url": "https://a.example/1", "title": None, "content": sorry},
        {
            "url": "https://a.example/2",
            "title": "No title found",
            "content": f"<p>{sorry.replace(chr(39), '&#39;')}</p>",
        },
        {"url": "https://a.example/3", "title": "Kept", "content": sorry},
    ]
    found = read("w.json", json.dumps(entries), "wallabag")
    assert [(page.content, page.title) for page in found] == [("", ""), ("", ""), ("", "Kept")]


def test_values_of_other_types_are_read_for_what_they_mean(read):
    entries = [
        {
            "is_archived": "0",
            "is_starred": "1",
            "url": "https://a.example/1",
            "title": ["x"],
            "tags": "a,b",
            "published_by": "Jane",
            "created_at": 1600000000,
            "annotations": [1, {"text": "yes"}, None, "so"],
        },
        "nothing",
        {"url": "https://a.example/2", "annotations": "x"},
    ]
    page, wrong, other = read("w.json", json.dumps(entries), "wallabag")
    assert (page.archived, page.pinned, page.title) == (False, True, "")
    assert (page.tags, page.author, page.saved_at) == (("a", "b"), "Jane", "1600000000")
    assert [note.text for note in page.notes] == ["yes", "so"]
    assert (wrong.where, wrong.what) == ("entry 2", "nothing")
    assert other.url == "https://a.example/2"


def test_a_row_that_cannot_be_read_is_named_and_the_others_are_read(read):
    rows = f"{POCKET}No address,,1,,\nA,https://a.example/1,²,,\n\nB,https://a.example/2,,,\n"
    wrong, *pages = read("p.csv", rows, "pocket")
    assert (wrong.where, wrong.what) == ("line 2", "No address")
    assert addresses(pages) == ["https://a.example/1", "https://a.example/2"]
    lines = '{"url": 5}\n{"url": "https://a.example/1"}\n{"url": "https://a.exa'
    wrong, page, cut = read("x.jsonl", "\ufeff" + lines, "jsonl")
    assert (wrong.where, page.url, cut.where) == ("line 1", "https://a.example/1", "line 3")
