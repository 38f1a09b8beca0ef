"""One story through every front door: the same rows, and the same JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.api.conftest import kettle
from tests.integration.cli import pageloom
from tests.web.server import running

from pageloom.library import open_library
from pageloom.views import records

URLS = [f"https://shop.example/{name}" for name in ("kettle", "lid", "spout")]
OLD, NEW = kettle("39.90"), kettle("29.90")
OWN = {
    "id",
    "uuid",
    "document_id",
    "saved_at",
    "created_at",
    "updated_at",
    "last_seen_at",
    "read_at",
}
"""What differs from library to library, or from second to second."""


def by_commands(database: str, folder: Path) -> None:
    def run(*words: object) -> None:
        result = pageloom(*words, PAGELOOM_DATABASE_URL=database)
        assert result.code == 0, result.err

    for url, content in ((URLS[0], OLD), (URLS[1], OLD), (URLS[2], OLD), (URLS[0], NEW)):
        (folder / "page.html").write_text(content)
        run("save", "--from", folder / "page.html", "--url", url, "--tag", "Tin")
    run("note", 1, "Ask for a lid.")
    run("pin", 1)
    run("archive", 2)
    run("delete", 3)
    run("tag", "add", "Steel", "--to", 1)
    run("unread", 1)


def by_requests(database: str, folder: Path) -> None:
    with open_library(database) as library:
        token = library.make_token()
    with running(database, "--no-work") as server:

        def ask(method: str, path: str, data: Any) -> None:
            headers = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
            answer = server.ask(method, f"/api/v1{path}", body=json.dumps(data), **headers)
            assert answer.status < 300, answer.text

        for url, content in ((URLS[0], OLD), (URLS[1], OLD), (URLS[2], OLD), (URLS[0], NEW)):
            ask("POST", "/pages", {"url": url, "html": content, "tags": ["Tin"]})
        ask("POST", "/pages/1/notes", {"text": "Ask for a lid."})
        ask("PATCH", "/pages/1", {"pinned": True, "read": False})
        ask("PATCH", "/pages/2", {"archived": True})
        ask("DELETE", "/pages/3", {})
        ask("POST", "/pages/1/tags", {"tags": ["Steel"]})


def by_forms(database: str, folder: Path) -> None:
    with running(database, "--no-work") as server:
        browser = server.browser()

        def send(path: str, **fields: str) -> None:
            answer = browser.post(path, **fields)
            assert answer.status == 303, answer.text

        for url, content in ((URLS[0], OLD), (URLS[1], OLD), (URLS[2], OLD), (URLS[0], NEW)):
            send("/save", urls=url, html=content, tags="Tin")
        send("/p/1/notes", text="Ask for a lid.")
        send("/p/1/act", do="pin")
        send("/act", page="2", do="archive")
        send("/p/3/act", do="delete")
        send("/p/1/tags", add="Steel")
        send("/p/1/act", do="unread")


DOORS: dict[str, Callable[[str, Path], None]] = {
    "commands": by_commands,
    "requests": by_requests,
    "forms": by_forms,
}


def told(database: str) -> list[Any]:
    """What came of it, without what no two libraries have alike."""
    found: list[Any] = []
    with open_library(database) as library:
        for url in URLS:
            page = library.get(url)
            known = records.page(page, library.tags(page))
            known = {name: value for name, value in known.items() if name not in OWN}
            known["deleted_at"] = known["deleted_at"] is not None
            known["last_opened_at"] = None
            versions = [info.content_hash for info in library.history(page)]
            notes = [note.text for note in library.notes(page)]
            found.append((known, versions, notes, library.document(page).to_dict()))
    return found


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> list[Any]:
    """The story through the command line, which the others have to match."""
    folder = tmp_path_factory.mktemp("commands")
    by_commands(str(folder / "library.db"), folder)
    return told(str(folder / "library.db"))


@pytest.mark.parametrize("door", ["requests", "forms"])
def test_the_same_story_leaves_the_same_library(door, wanted, tmp_path):
    DOORS[door](str(tmp_path / "library.db"), tmp_path)
    assert json.loads(json.dumps(told(str(tmp_path / "library.db")), default=str)) == json.loads(
        json.dumps(wanted, default=str)
    )


def test_the_api_and_the_command_line_print_the_same_json(tmp_path):
    database = str(tmp_path / "library.db")
    by_requests(database, tmp_path)
    with open_library(database) as library:
        token = library.make_token()
    with running(database, "--no-work") as server:

        def api(path: str) -> Any:
            return server.ask("GET", f"/api/v1{path}", Authorization=f"Bearer {token}").json

        def command(*words: object) -> Any:
            return pageloom(*words, "--json", PAGELOOM_DATABASE_URL=database).json

        listed = [{k: v for k, v in one.items() if k != "tags"} for one in api("/pages")["items"]]
        assert listed == command("list")["items"]
        assert api("/pages/1/versions")["items"] == command("history", 1)["items"]
        report = command("diff", 1)
        assert report.pop("success")
        assert api("/pages/1/diff") == report


def test_a_search_finds_the_same_through_every_door(tmp_path):
    database = str(tmp_path / "library.db")
    with open_library(database) as library:
        for number, tag in enumerate(("Tin", "Steel", "Tin")):
            library.save(f"https://shop.example/{number}", content=kettle(), tags=[tag])
        library.note("https://shop.example/2", "Ask for a lid.")
        token = library.make_token(scopes=["read"])
        session = library.open_session()
    with running(database, "--no-work") as server:
        for query, numbers in (
            ("kettle tag:tin", [3, 1]),
            ("has:note", [3]),
            ("-tag:tin galley", [2]),
        ):
            found = pageloom("search", query, "--json", PAGELOOM_DATABASE_URL=database).json[
                "items"
            ]
            where = quote(query)
            bearer = {"Authorization": f"Bearer {token}"}
            api = server.ask("GET", f"/api/v1/pages?q={where}", **bearer).json["items"]
            html = server.ask("GET", f"/?q={where}", Cookie=f"pageloom={session}").text
            assert [item["id"] for item in found] == numbers, query
            assert [item["id"] for item in api] == numbers, query
            assert re.findall(r'name="page" value="(\d+)"', html) == list(map(str, numbers)), query
