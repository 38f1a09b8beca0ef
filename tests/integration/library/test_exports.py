from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from xml.etree import ElementTree as ET

import pytest
from tests.integration.library.conftest import Shell, page
from tests.services import chromium

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.flows.transfer.markdown_folder import name_key

URL = "https://tidewatch.example/swifts"


@pytest.fixture
def full(shell) -> Shell:
    """A library with versions, tags, notes, pins, an archived page and awkward titles."""
    shell.keep(URL, page("swifts"), "--tag", "Birds", "--tag", "harbour crane")
    shell.keep(URL, page("swifts", "Three more nests."))
    shell.keep(
        "https://tidewatch.example/terns?a=1&b=2", page("terns </a><script>alert(1)</script>")
    )
    shell.keep("https://tidewatch.example/gulls", page('../../gulls: "quoted" *stars*'))
    shell.keep("https://tidewatch.example/again", page("swifts"))
    shell("note", 1, "=HYPERLINK(1) & <b>bold</b>")
    shell("note", 1, "another\n\nwith: two paragraphs")
    shell("pin", 1)
    shell("archive", 2)
    shell("read", 3)
    return shell


def other(shell: Shell, tmp_path, monkeypatch) -> Shell:
    return Shell(monkeypatch, str(tmp_path / "other.db"))


def shelf(shell: Shell) -> list[dict]:
    return sorted(
        (
            {k: v for k, v in one.items() if k != "id"}
            for one in shell("list", "--all", "--json").json["items"]
        ),
        key=lambda one: one["url"],
    )


def test_no_version_is_imported_from_the_future(full, tmp_path, monkeypatch):
    """All pages until then would count as older than it."""
    target = tmp_path / "out.jsonl"
    assert full("export", "jsonl", target).code == 0
    target.write_text(
        re.sub(r'"(fetched_at|last_seen_at)": ?"20\d\d', r'"\1":"2999', target.read_text())
    )
    assert "2999" in target.read_text()
    again = other(full, tmp_path, monkeypatch)
    assert again("import", target, "--json").json["imported"] == 4
    versions = again("history", URL, "--json").json["items"]
    assert len(versions) == 2
    assert not [each for each in versions if "2999" in (each["fetched_at"] + each["last_seen_at"])]


def test_jsonl_carries_the_whole_library(full, tmp_path, monkeypatch):
    target = tmp_path / "out.jsonl"
    assert full("export", "jsonl", target, "--originals").code == 0
    before = shelf(full)
    versions = full("history", URL, "--json").json["items"]
    remarks = full("read", URL, "--json").json
    again = other(full, tmp_path, monkeypatch)
    assert again("import", target, "--json").json["imported"] == 4
    assert shelf(again) == [
        {**one, "read_at": two["read_at"], "last_opened_at": two["last_opened_at"]}
        for one, two in zip(before, shelf(again), strict=True)
    ]
    known = ("number", "snapshot_hash", "fetched_at", "last_seen_at", "body_hash", "origin")
    assert [
        [one[name] for name in known] for one in again("history", URL, "--json").json["items"]
    ] == [[one[name] for name in known] for one in versions]
    assert again("read", URL, "--json").json["document"] == remarks["document"]
    assert again("read", URL, "--json").json["tags"] == remarks["tags"]
    out = again("import", target, "--json").json
    assert (out["merged"], again("list", "--all", "--json").json["total"]) == (4, 4)


def test_a_markdown_folder_comes_back_as_it_was(full, tmp_path, monkeypatch):
    folder = tmp_path / "vault"
    full("export", "markdown", folder, "--all")
    full_tags = full("tag", "list", "--json").json
    before = {path.name: path.read_text() for path in folder.iterdir()}
    assert len(before) == 4
    assert all("/" not in name and not name.startswith(".") for name in before)
    again = other(full, tmp_path, monkeypatch)
    assert again("import", folder, "--json").json["imported"] == 4
    again("export", "markdown", tmp_path / "second", "--all")
    after = {path.name: path.read_text() for path in (tmp_path / "second").iterdir()}
    assert {name.rstrip(" 0123456789.md") for name in after} == {
        name.rstrip(" 0123456789.md") for name in before
    }
    assert sorted(map(said, after.values())) == sorted(map(said, before.values()))
    assert again("tag", "list", "--json").json == full_tags
    known = ("url", "title", "source", "language", "page_type", "word_count", "reading_time")
    state = ("saved_at", "read_at", "last_opened_at", "pinned", "archived", "published_at")
    assert [[one[name] for name in (*known, *state)] for one in shelf(again)] == [
        [one[name] for name in (*known, *state)] for one in shelf(full)
    ]
    assert notes(again, URL) == notes(full, URL)


def notes(shell: Shell, url: str) -> list[str]:
    return [note["text"] for note in shell("note", url, "--json").json["items"]]


def test_a_page_comes_back_from_markdown_under_the_address_it_was_saved_by(
    shell, site, tmp_path, monkeypatch
):
    site.add("/long", page("swifts"), Content_Type="text/html")
    site.add("/short", b"", 302, Location=site.url("/long"))
    shell("save", site.url("/short"))
    shell("export", "markdown", tmp_path / "vault")
    again = other(shell, tmp_path, monkeypatch)
    assert again("import", tmp_path / "vault", "--no-fetch", "--json").json["imported"] == 1
    assert [one["url"] for one in shelf(again)] == [one["url"] for one in shelf(shell)]


def said(text: str) -> tuple:
    """What a file says; the order of tags says nothing."""
    fields, body = read_frontmatter(text)
    fields["tags"] = sorted(fields.get("tags", []))
    return body, str(fields)


def test_bookmarks_come_back_as_they_were_and_stay_text(full, tmp_path, monkeypatch):
    full("export", "bookmarks", tmp_path / "b.html", "--all")
    text = (tmp_path / "b.html").read_text()
    assert "<script" not in text
    assert "<b>" not in text
    again = other(full, tmp_path, monkeypatch)
    assert again("import", tmp_path / "b.html", "--no-fetch", "--json").json["imported"] == 4
    again("export", "bookmarks", tmp_path / "c.html", "--all")
    assert sorted((tmp_path / "c.html").read_text().splitlines()) == sorted(text.splitlines())
    assert notes(again, URL) == notes(full, URL)


def test_what_a_browser_says_of_a_folder_is_no_note_on_the_link_above_it(shell, tmp_path):
    (tmp_path / "b.html").write_text(
        f'<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="{URL}">Swifts</A>\n<DD>Mine\n'
        "<DT><H3>Folder</H3>\n<DD>About the folder\n<DL><p>\n</DL><p>\n</DL><p>\n"
    )
    shell("import", tmp_path / "b.html", "--no-fetch")
    assert notes(shell, URL) == ["Mine"]


def test_a_file_that_is_there_is_written_over_only_on_request(full, tmp_path):
    target = tmp_path / "mine.txt"
    target.write_text("mine")
    refused = full("export", "jsonl", target)
    assert (refused.code, target.read_text()) == (2, "mine")
    assert "--force" in refused.err
    assert full("export", "jsonl", target, "--force").code == 0
    assert target.read_bytes().startswith(b"{")
    assert "no such file or directory" in full("export", "jsonl", tmp_path / "no" / "x.jsonl").err


def titled(title: str) -> bytes:
    return page().replace(b"The swifts of the harbour", title.encode())


def vault(folder) -> dict[str, str]:
    """The files of a folder, and of each the page that it says it is."""
    found = {path.name: read_frontmatter(path.read_text())[0] for path in folder.iterdir()}
    return {
        name: str(fields.get("source", "")).rpartition("/")[2] for name, fields in found.items()
    }


def test_every_page_has_a_file_of_its_own_in_a_folder(shell, tmp_path):
    titles = ("Report", "Report 3", "Report", "REPORT 3", "Caf\u00e9", "Cafe\u0301", "con", "COM9")
    for number, title in enumerate(titles, start=1):
        shell.keep(f"https://tidewatch.example/{number}", titled(title))
    assert shell("export", "markdown", tmp_path / "out").out.startswith("Wrote 8 pages")
    first = vault(tmp_path / "out")
    assert sorted(first.values()) == [str(number) for number in range(1, 9)]
    assert len({name_key(name) for name in first}) == 8
    assert not {"con.md", "com9.md"} & {name.lower() for name in first}
    shell.keep("https://tidewatch.example/3", titled("Another title"))
    for number in (8, 3):  # in any order, and not all at once
        shell("export", "markdown", tmp_path / "out", number)
    shell("export", "markdown", tmp_path / "out")
    assert vault(tmp_path / "out") == first
    [third] = [name for name, number in first.items() if number == "3"]
    assert "Another title" in (tmp_path / "out" / third).read_text()


def test_files_of_others_in_a_folder_stay_and_their_owner_is_told(shell, tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    theirs = {
        "Report.md": "mine",
        "REPORT 1.md": "---\ntitle: mine\nsource: https://tidewatch.example/1\n---\nclipped\n",
        "notes.txt": "mine",
    }
    for name, text in theirs.items():
        (folder / name).write_text(text)
    shell.keep("https://tidewatch.example/1", titled("Report"))
    told = shell("export", "markdown", folder)
    assert told.code == 0
    assert (
        "Report.md was not written by Pageloom and stays; the page is in Report 1 2.md." in told.err
    )
    assert shell("export", "markdown", folder, "--json").json["renamed"] == []
    assert {name: (folder / name).read_text() for name in theirs} == theirs
    assert len(list(folder.iterdir())) == 4
    (folder / "Report 1 2.md").unlink()
    assert shell("export", "markdown", folder, "--force").code == 0
    assert (folder / "Report.md").read_text().startswith("---\nsource: ")
    assert len(list(folder.iterdir())) == 3


def test_names_of_files_keep_the_letters_of_every_script(shell, tmp_path):
    titles = ("हिन्दी समाचार", "ข่าวภาษาไทยวันนี้", "می‌خواهم", "Ok 👍🏽 ❤️ done", "न्" * 90)
    for number, title in enumerate(titles):
        shell.keep(f"https://tidewatch.example/{number}", titled(title))
    shell("export", "markdown", tmp_path / "out")
    names = {number: name for name, number in vault(tmp_path / "out").items()}
    assert [names[str(number)] for number in range(4)] == [
        "हिन्दी समाचार.md",
        "ข่าวภาษาไทยวันนี้.md",
        "می‌خواهم.md",
        "Ok done.md",
    ]
    assert names["4"].endswith("न्.md")
    assert len(names["4"].encode()) <= 255


def test_nothing_is_written_into_the_library_itself(full, tmp_path):
    (tmp_path / "link").symlink_to("library.db")
    os.link(tmp_path / "library.db", tmp_path / "twin")
    for name in ("library.db", "library.db-wal", "library.db-shm", "link", "twin"):
        for form in ("jsonl", "markdown", "bookmarks", "epub", "html", "pdf"):
            refused = full("export", form, tmp_path / name, 1, "--force")
            assert (refused.code, "the library's own file" in refused.err) == (2, True), (
                name,
                form,
            )
        assert full("backup", tmp_path / name).code == 2
        assert full("compare", "--report", tmp_path / name).code == 2
    assert full("list", "--all", "--json").json["total"] == 4


def test_a_library_among_the_files_of_a_folder_is_not_written_over(tmp_path, monkeypatch):
    shell = Shell(monkeypatch, str(tmp_path / "Report.md"))
    shell.keep(URL, titled("Report"))
    assert shell("export", "markdown", tmp_path, "--force").code == 0
    assert shell("list", "--json").json["total"] == 1
    assert (tmp_path / "Report 1.md").is_file()


def test_what_is_left_out_of_an_export_is_said(full, tmp_path):
    told = full("export", "bookmarks", tmp_path / "b.html")
    assert "Wrote 3 pages" in told.out
    assert told.err == "Left out: 1 archived page; include them with --all.\n"
    full("delete", 3)
    told = full("export", "jsonl", tmp_path / "b.jsonl", "--json").json
    assert (told["pages"], told["left_out"]) == (3, {"deleted": 1})
    assert full("export", "jsonl", tmp_path / "c.jsonl", 1, 1, "--json").json["pages"] == 1
    full("archive", 1, 4)
    nothing = full("export", "epub", tmp_path / "b.epub")
    assert (nothing.code, "Left out: 3 archived pages" in nothing.err) == (3, True)


def test_in_a_stream_of_pages_is_nothing_else(full):
    done = full("export", "jsonl", "-")
    assert len([json.loads(line)["url"] for line in done.out.splitlines()]) == 4
    refused = full("export", "jsonl", "-", "--json")
    assert (refused.code, refused.json["success"]) == (2, False)
    assert "--json" in refused.json["error"]["suggestions"][0]


def test_a_pipe_is_written_to_and_stays_a_pipe(full, tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert full("export", "jsonl", pipe).code == 0
    reader.join(10)
    assert len(got[0].splitlines()) == 4
    assert full("backup", pipe).code == 2
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_standard_output_is_written_to_by_its_name_too(full):
    command = [sys.executable, "-m", "pageloom", "export", "jsonl", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert [json.loads(line)["url"] for line in done.stdout.splitlines()].count(URL) == 1


def test_a_link_leads_to_the_file_that_is_written(full, tmp_path):
    (tmp_path / "real.jsonl").write_text("old")
    link = tmp_path / "link.jsonl"
    link.symlink_to("real.jsonl")
    assert full("export", "jsonl", link, "--force").code == 0
    assert link.is_symlink()
    assert (tmp_path / "real.jsonl").read_text().startswith("{")


def test_an_epub_is_a_book_of_well_formed_chapters(full, tmp_path):
    full("export", "epub", tmp_path / "book.epub", "--all", "--title", "Birds & <ships>")
    with zipfile.ZipFile(tmp_path / "book.epub") as book:
        names = book.namelist()
        assert names[0] == "mimetype"
        assert book.read("mimetype") == b"application/epub+zip"
        assert book.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        for name in names:
            if name.endswith((".xhtml", ".opf", ".xml")):
                ET.fromstring(book.read(name))  # noqa: S314  our own
        text = b"".join(book.read(name) for name in names)
    assert b"<script" not in text
    assert len([name for name in names if "chapter" in name]) == 4


def chapter(shell: Shell, tmp_path, content: bytes) -> str:
    shell.keep(URL, content)
    assert shell("export", "epub", tmp_path / "book.epub", "--force").code == 0
    with zipfile.ZipFile(tmp_path / "book.epub") as book:
        return book.read("OEBPS/chapter00001.xhtml").decode()


def test_a_chapter_says_its_title_once_and_keeps_its_numbers(shell, tmp_path):
    steps = b"<ol start='3'><li>Climb.<li value='7'>Count.</ol><ol start='x'><li>Write.</ol>"
    text = chapter(
        shell, tmp_path, page("swifts &amp; <i>terns</i>").replace(b"</h1>", b"</h1>" + steps)
    )
    assert text.count("of the harbour</h1>") == text.count("<h1") == 1
    assert '<ol start="3"><li>Climb.</li><li value="7">Count.</li></ol><ol><li>' in text


def test_a_chapter_is_written_in_the_direction_of_its_language(shell, tmp_path):
    line = "كان محمد في المكتبة كل صباح يكتب في الدفتر أسماء الطيور التي رآها على الرافعة القديمة."
    arabic = f"<html lang='ar' dir='rtl'><title>الطيور</title><article>{f'<p>{line}</p>' * 4}"
    assert 'lang="ar" xml:lang="ar" dir="rtl"' in chapter(shell, tmp_path, arabic.encode())


def test_a_book_without_a_chapter_is_not_written(shell, tmp_path):
    (tmp_path / "urls.txt").write_text("https://tidewatch.example/a\n")
    shell("import", tmp_path / "urls.txt", "--no-fetch")
    nothing = shell("export", "epub", tmp_path / "book.epub")
    assert (nothing.code, "none of the pages has any content" in nothing.err) == (3, True)
    assert not (tmp_path / "book.epub").exists()
    shell.keep(URL)
    told = shell("export", "epub", tmp_path / "book.epub", "--json").json
    assert (told["pages"], told["left_out"]) == (1, {"empty": 1})


def test_one_article_as_html_and_pdf(full, tmp_path):
    full("export", "html", tmp_path / "a.html", 2)
    text = (tmp_path / "a.html").read_text()
    assert "<script" not in text
    assert "Content-Security-Policy" in text
    assert full("export", "html", tmp_path / "b.html", "--all").code == 2
    chromium()
    assert full("export", "pdf", tmp_path / "a.pdf", 1).code == 0
    assert (tmp_path / "a.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_backup_is_no_import_and_whoever_tries_is_told_what_it_is(full, tmp_path):
    full("backup", tmp_path / "all.zip")
    out = full("import", tmp_path / "all.zip")
    assert (out.code, "pageloom restore" in out.err) == (2, True)
