"""What other libraries export, and lists of addresses, come in."""

from __future__ import annotations

import csv
import io
import json
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from typing import get_args

import psycopg
import pytest
from tests.integration.cli import environment
from tests.integration.library.conftest import Shell, page

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.flows.transfer.import_formats import ImportFormat

URL = "https://tidewatch.example/swifts"


def table(rows: list[dict]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


ARTICLE = "<p>" + "The ledger of the pilot names every nest of the harbour. " * 12 + "</p>"
EXPORTS = {
    "pocket.csv": table(
        [
            {
                "title": "Swifts",
                "url": URL,
                "time_added": "1700000000",
                "tags": "a|b",
                "status": "archive",
            }
        ]
    ),
    "ril_export.html": (
        f'<ul><li><a href="{URL}" time_added="1700000000" tags="a,b">Swifts</a></ul>'
    ),
    "instapaper.csv": table(
        [
            {
                "URL": URL,
                "Title": "Swifts",
                "Selection": "A line.",
                "Folder": "Archive",
                "Timestamp": "1700000000",
                "Tags": '["a","b"]',
            }
        ]
    ),
    "readwise.csv": table(
        [
            {
                "Title": "Swifts",
                "URL": URL,
                "ID": "1",
                "Document tags": "['a', 'b']",
                "Saved date": "2023-11-14 22:13:20+00:00",
                "Reading progress": "1.0",
                "Location": "archive",
                "Seen": "True",
            }
        ]
    ),
    "wallabag.json": json.dumps(
        [
            {
                "is_archived": 1,
                "is_starred": 1,
                "tags": ["a", {"label": "b"}],
                "title": "Swifts",
                "url": URL,
                "content": ARTICLE,
                "created_at": "2023-11-14T22:13:20+00:00",
                "published_by": ["Maren"],
                "annotations": [{"text": "Yes", "quote": "nest"}],
            }
        ]
    ),
    "urls.txt": f"# mine\n{URL} Swifts\n",
}


@pytest.mark.parametrize("name", EXPORTS)
def test_what_other_libraries_export_is_understood(shell, tmp_path, name):
    (tmp_path / name).write_text(EXPORTS[name])
    out = shell("import", tmp_path / name, "--no-fetch", "--tag", "imported", "--json").json
    assert out["imported"] == 1, out
    read = shell("list", "--all", "--json").json["items"][0]
    assert (read["url"], read["title"]) == (URL, "Swifts")
    if name != "urls.txt":
        assert read["saved_at"].startswith("2023-11-14T22:13:20")
        assert shell("tag", "list", 1, "--json").json["tags"] == ["a", "b", "imported"]
    if name not in ("urls.txt", "ril_export.html"):
        assert read["archived"]
    if name == "wallabag.json":
        assert "ledger of the pilot" in shell("read", 1).out
        assert shell("note", 1, "--json").json["items"][0]["text"] == "> nest\nYes"


def test_omnivores_archive_is_read_in_memory_whatever_its_names_say(shell, tmp_path):
    entry = {
        "slug": "swifts",
        "title": "Swifts",
        "url": URL,
        "savedAt": "2023-11-14T22:13:20Z",
        "state": "Archived",
        "labels": ["a"],
        "readingProgress": 100,
    }
    evil = {"slug": "../../evil", "title": "Evil", "url": "https://evil.example/", "savedAt": ""}
    with zipfile.ZipFile(tmp_path / "omnivore.zip", "w") as archive:
        archive.writestr("metadata_0_to_20.json", json.dumps([entry, evil]))
        archive.writestr("content/swifts.html", ARTICLE)
        archive.writestr("content/../../evil.html", ARTICLE)
        archive.writestr(str(tmp_path / "evil.html"), ARTICLE)
        archive.writestr("highlights/swifts.md", "> nest")
    out = shell("import", tmp_path / "omnivore.zip", "--no-fetch", "--json").json
    assert (out["format"], out["imported"]) == ("omnivore", 2)
    assert "ledger of the pilot" in shell("read", URL).out
    assert not list(tmp_path.parent.rglob("evil.html"))


def test_an_import_fetches_what_came_as_an_address_only(shell, site, tmp_path):
    site.add("/swifts", page("swifts"), Content_Type="text/html")
    (tmp_path / "urls.txt").write_text(f"{site.url('/swifts')}\n{site.url('/missing')}\n")
    out = shell("import", tmp_path / "urls.txt", "--json")
    assert (out.code, out.json["fetched"], out.json["fetch_failed"]) == (1, 1, 1)
    assert "retired pilot" in shell("read", site.url("/swifts")).out
    [trouble] = out.json["items"]
    assert trouble["url"] == site.url("/missing")
    site.add("/missing", page("terns"), Content_Type="text/html")
    again = shell("import", tmp_path / "urls.txt", "--json")
    assert (again.code, again.json["done_before"], again.json["fetched"]) == (0, 2, 1)
    assert "retired pilot" in shell("read", site.url("/missing")).out


def test_why_a_page_could_not_be_fetched_is_told_and_that_it_can_be_tried_again(
    shell, site, tmp_path
):
    (tmp_path / "urls.txt").write_text(f"{site.url('/missing')}\n")
    out = shell("import", tmp_path / "urls.txt").out
    assert f"not fetched {site.url('/missing')}: " in out
    assert "again to retry the failed ones" in out


def test_an_import_that_is_interrupted_while_it_fetches_goes_on_there(shell, site, tmp_path):
    site.add("/one", page("swifts"), Content_Type="text/html")
    asked = threading.Event()

    def hang(request: object) -> None:
        asked.set()
        site.leaving.wait(30)

    site.pages["/two"] = hang
    (tmp_path / "urls.txt").write_text(f"{site.url('/one')}\n{site.url('/two')}\n")
    extra = {
        "PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"),
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "pageloom", "import", str(tmp_path / "urls.txt")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**extra),
    ) as process:
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b"Interrupted. Run the same command again to continue where it stopped.\n"
    site.add("/two", page("terns"), Content_Type="text/html")
    again = shell("import", tmp_path / "urls.txt", "--json").json
    assert again["done_before"] == 2
    assert again["fetch_failed"] == 0
    assert "retired pilot" in shell("read", site.url("/two")).out


def test_a_deleted_page_without_content_is_not_brought_back_by_fetching_it(shell, site, tmp_path):
    site.add("/gone", page("swifts"), Content_Type="text/html")
    line = {"url": site.url("/gone"), "deleted_at": "2024-01-01T00:00:00Z"}
    (tmp_path / "x.jsonl").write_text(json.dumps(line) + "\n")
    assert shell("import", tmp_path / "x.jsonl", "--json").json["without_content"] == 0
    assert shell("list", "--json").json["total"] == 0
    assert shell("list", "--deleted", "--json").json["total"] == 1


OLD = (
    "CREATE TABLE websites (id TEXT, user_id TEXT, url TEXT, url_full TEXT, domain TEXT,"
    " title TEXT, content TEXT, source TEXT, saved_at TEXT, published_at TEXT, metadata TEXT,"
    " created_at TEXT,"
    " updated_at TEXT, last_opened_at TEXT, deleted_at TEXT)"
)
HEAD = (
    f"Title: Swifts\n\nURL Source: {URL}\n\n"
    "Published Time: 2023-01-02T03:04:05Z\n\nMarkdown Content:\n"
)
BODY = "# Swifts\n\n" + "The ledger of the pilot names every nest. " * 20


def old_row(number: int, **more: object) -> tuple:
    row = {
        "id": f"00000000-0000-4000-8000-{number:012}",
        "user_id": "u1",
        "url": f"{URL}/{number}",
        "url_full": f"{URL}/{number}?q=1",
        "domain": "tidewatch.example",
        "title": "Swifts",
        "content": HEAD + BODY,
        "source": "Tidewatch",
        "saved_at": "2023-11-14 22:13:20+00",
        "published_at": None,
        "metadata": '{"pinned": true, "archived": false, "theme": "dark"}',
        "created_at": "2023-11-14 22:13:21+00",
        "updated_at": "2023-11-15 00:00:00+00",
        "last_opened_at": "2023-11-16 00:00:00+00",
        "deleted_at": None,
    }
    return tuple((row | more).values())


def test_the_older_websites_table_comes_in_with_its_users_state(shell, tmp_path):
    with sqlite3.connect(tmp_path / "old.db") as old:
        old.execute(OLD)
        rows = [
            old_row(1),
            old_row(2, deleted_at="2024-01-01 00:00:00+00"),
            old_row(3, user_id="u2"),
        ]
        old.executemany(
            "INSERT INTO websites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows
        )
    old.close()
    before = (tmp_path / "old.db").read_bytes()
    assert shell("import", tmp_path / "old.db", "--json").json["imported"] == 3
    assert (tmp_path / "old.db").read_bytes() == before
    [first, _] = sorted(shell("list", "--json").json["items"], key=lambda one: one["url"])
    assert first["uuid"] == "00000000-0000-4000-8000-000000000001"
    assert (first["pinned"], first["archived"]) == (True, False)
    assert first["saved_at"] == "2023-11-14T22:13:20.000Z"
    assert first["last_opened_at"] == "2023-11-16T00:00:00.000Z"
    assert first["published_at"] == "2023-01-02T03:04:05.000Z"
    assert first["metadata"]["theme"] == "dark"
    text = shell("read", first["id"]).out
    assert "URL Source" not in text
    assert "ledger of the pilot" in text
    assert shell("list", "--deleted", "--json").json["total"] == 1
    with sqlite3.connect(tmp_path / "library.db") as library:
        [content] = library.execute("SELECT content FROM websites WHERE id = ?", [first["uuid"]])
    library.close()
    assert read_frontmatter(content[0])[0]["saved_at"] == "2023-11-14T22:13:20.000Z"


def test_only_the_rows_of_one_user_come_in_where_that_is_asked_for(shell, tmp_path):
    with sqlite3.connect(tmp_path / "old.db") as old:
        old.execute(OLD)
        old.executemany(
            "INSERT INTO websites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [old_row(1), old_row(2, user_id="u2")],
        )
        old.row_factory = sqlite3.Row
        rows = [dict(row) for row in old.execute("SELECT * FROM websites")]
    old.close()
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "rows.csv").write_text(table(rows))
    for name in ("old.db", "rows.json", "rows.jsonl", "rows.csv"):
        out = shell("import", tmp_path / name, "--from-user", "u2", "--user", name, "--json").json
        assert (out["format"], out["imported"]) == ("websites", 1), name
        [only] = shell("list", "--user", name, "--json").json["items"]
        assert only["url"].endswith("/2?q=1"), name


def test_what_is_no_export_is_told(shell, tmp_path):
    (tmp_path / "x.bin").write_bytes(b"\x00\x01")
    assert shell("import", tmp_path / "x.bin").code == 2
    assert shell("import", tmp_path / "none").code == 2
    (tmp_path / "x.jsonl").write_text('{"url": 5}\n')
    assert shell("import", tmp_path / "x.jsonl", "--format", "jsonl").code == 1
    (tmp_path / "rows.jsonl").write_text('{"url_full": "", "user_id": 1}\n{"url_full": \n')
    broken = shell("import", tmp_path / "rows.jsonl")
    assert broken.code == 1
    assert 'failed      line 2 ({"url_full": ): the row does not match the columns' in broken.out
    assert shell("export", "jsonl", tmp_path / "out").code == 3
    assert shell("import", tmp_path, "--format", "jsonl").code == 2
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 40 + b"\r\r\nhttps://a.example/")
    for form in get_args(ImportFormat):
        out = shell("import", tmp_path / "noise", "--format", form, "--no-fetch", "--json")
        assert out.code in {0, 1}, form
        assert {"pages", "error"} & set(json.loads(out.out)), form
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\n\x00\xff /URI (https://a.example/)")
    assert shell("import", tmp_path / "a.pdf").code == 2


def test_in_postgresql_a_view_takes_the_place_of_the_older_table(monkeypatch, postgres_url):
    columns = OLD.replace("id TEXT", "id UUID", 1).replace("metadata TEXT", "metadata JSONB")
    for name in ("saved_at", "published_at", "created_at", "updated_at"):
        columns = columns.replace(f"{name} TEXT", f"{name} TIMESTAMPTZ")
    with psycopg.connect(postgres_url, autocommit=True) as old:
        old.execute(columns.encode())
        marks = ", ".join(["%s"] * 15)
        old.execute(f"INSERT INTO websites VALUES ({marks})".encode(), old_row(1))  # noqa: S608
        shell = Shell(monkeypatch, postgres_url)
        out = shell("import", postgres_url, "--make-view", "--json").json
        assert (out["format"], out["imported"]) == ("websites", 1)
        [row] = old.execute("SELECT id::text, title, metadata, saved_at FROM websites").fetchall()
        assert row[:2] == ("00000000-0000-4000-8000-000000000001", "Swifts")
        assert (row[2]["pinned"], row[2]["theme"], row[3].year) == (True, "dark", 2023)
        kept = old.execute("SELECT count(*) FROM websites_before_pageloom").fetchone()
        assert kept == (1,)


def row(shell: Shell, url: str = URL) -> dict:
    [found] = [one for one in shell("list", "--all", "--json").json["items"] if one["url"] == url]
    return found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pocket.csv", EXPORTS["pocket.csv"]),
        ("wallabag.json", EXPORTS["wallabag.json"]),
        ("b.html", f'<a href="{URL}" add_date="0">x</a>'),
        ("b.html", f'<a href="{URL}" add_date="1000000000">x</a>'),
    ],
    ids=["archived", "archived and starred", "without a day", "with an earlier day"],
)
def test_a_page_that_is_there_keeps_its_content_and_state(shell, tmp_path, name, content):
    shell.keep(URL)
    before = row(shell)
    (tmp_path / name).write_text(content)
    assert shell("import", tmp_path / name, "--json").json["merged"] == 1
    assert row(shell) | {"tags": 0, "notes": 0} == before | {"tags": 0, "notes": 0}


@pytest.mark.parametrize("text", ["0", "-5", "1", "-1", "99999999999999999", "²", "never", ""])
def test_a_day_that_nobody_can_have_saved_a_page_on_is_not_known(shell, tmp_path, text):
    (tmp_path / "b.html").write_text(f'<a href="{URL}" add_date="{text}">x</a>')
    assert shell("import", tmp_path / "b.html", "--no-fetch", "--json").json["imported"] == 1
    assert row(shell)["saved_at"] > "2026"


def test_a_page_that_is_deleted_stays_so_and_that_is_told(shell, tmp_path):
    (tmp_path / "wallabag.json").write_text(EXPORTS["wallabag.json"])
    (tmp_path / "urls.txt").write_text(URL)
    shell("import", tmp_path / "urls.txt", "--no-fetch")
    shell("delete", URL)
    for name in ("wallabag.json", "urls.txt"):
        out = shell("import", tmp_path / name, "--restart", "--json").json
        assert (out["merged"], out["without_content"]) == (1, 0)
        [item] = out["items"]
        assert (item["url"], item["page_id"]) == (URL, 1)
        assert "deleted from this library; pageloom restore 1" in item["reason"]
        assert shell("list", "--all", "--json").json["total"] == 0
    assert shell("restore", 1).code == 0
    assert "ledger of the pilot" in shell("read", 1).out


def test_an_address_that_is_twice_in_a_file_is_fetched_once(shell, tmp_path):
    (tmp_path / "urls.txt").write_text(f"{URL}\n{URL}#nests\n")
    for outcomes in ({"imported": 1, "merged": 1}, {"merged": 2}):
        out = shell("import", tmp_path / "urls.txt", "--no-fetch", "--json").json
        assert {name: out.get(name) for name in outcomes} == outcomes
        assert out["without_content"] == 1


BROKEN = [
    {"versions": [{"number": 1, "body": "!!!no base64"}]},
    {"versions": [{"number": 1, "status": 10**30, "document": {"url": URL, "final_url": URL}}]},
    {"versions": [{"number": 1, "document": {"url": "", "final_url": "nonsense"}}]},
    {"url": 5},
    {"tags": "a"},
    {"notes": [{"text": None}]},
    {"versions": [{"number": "one"}]},
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_damaged_line_is_named_and_loses_nothing_else(shell, tmp_path, number):
    good = {"url": f"{URL}/good", "title": "Good"}
    lines = [{"url": URL, "title": "Bad"} | BROKEN[number], good]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, lines)))
    out = shell("import", tmp_path / "x.jsonl", "--format", "jsonl", "--no-fetch", "--json")
    assert out.code == out.json.get("failed", 0)
    [trouble] = out.json["items"]
    assert "1" in (trouble["where"] or trouble["reason"]) or "large" in trouble["reason"]
    assert row(shell, f"{URL}/good")["title"] == "Good"


def test_a_table_with_a_strange_day_comes_in(shell, tmp_path):
    rows = EXPORTS["pocket.csv"].replace("1700000000", "²")
    (tmp_path / "p.csv").write_text(rows)
    assert shell("import", tmp_path / "p.csv", "--no-fetch", "--json").json["imported"] == 1


def test_an_omnivore_folder_is_imported_as_it_lies_there(shell, tmp_path):
    folder = tmp_path / "omnivore" / "export"
    (folder / "content").mkdir(parents=True)
    (folder / "content" / "swifts.html").write_text(ARTICLE)
    entries = [{"slug": "swifts", "url": URL, "title": "Swifts"}]
    (folder / "metadata_0_to_1.json").write_text(json.dumps(entries))
    out = shell("import", tmp_path / "omnivore", "--no-fetch", "--json").json
    assert (out["format"], out["imported"], out["without_content"]) == ("omnivore", 1, 0)
    assert "ledger of the pilot" in shell("read", URL).out


def test_a_line_that_is_no_address_is_named(shell, tmp_path):
    (tmp_path / "urls.txt").write_text(f"{URL}\nharbour.example/terns\n")
    out = shell("import", tmp_path / "urls.txt", "--no-fetch")
    assert "skipped     line 2 (harbour.example/terns): not a web URL" in out.out
    assert out.code == 0


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16"])
def test_a_list_to_save_may_begin_with_a_mark(shell, site, tmp_path, charset):
    site.add("/one", page("swifts"), Content_Type="text/html")
    site.add("/two", page("terns"), Content_Type="text/html")
    text = f"{site.url('/one')}\n{site.url('/two')}\n"
    (tmp_path / "urls.txt").write_bytes(text.encode(charset))
    assert shell("save", tmp_path / "urls.txt", "--json").json["saved"] == 2
