from __future__ import annotations

import json

import pytest
from tests.integration.library.conftest import page
from tests.saving import save_document, save_many

from pageloom.edges.store.base import open_store
from pageloom.flows.capture.extract import extract
from pageloom.model.capture import Capture
from pageloom.model.pages import PageRef

URL = "https://tidewatch.example/swifts"


def fill(tmp_path, pages: int) -> None:
    """A library as an older parser left it: texts that today's parser reads otherwise."""
    from dataclasses import replace

    htmls = [page(f"swifts{number}") for number in range(7)]
    documents = [extract(html, f"{URL}/{number}", rules=None) for number, html in enumerate(htmls)]

    def older(number: int) -> Capture:
        html, document = htmls[number % 7], documents[number % 7]
        read = replace(
            document,
            url=f"{URL}/{number}",
            final_url=f"{URL}/{number}",
            text="An older reading.",
            provenance=replace(document.provenance, parser_version="0"),
        )
        return Capture(document=read, body=html, content_type="text/html")

    with open_store(tmp_path / "library.db") as store:
        save_many(store, map(older, range(pages)))


def test_many_pages_are_reparsed_dry_limited_interrupted_and_resumed(shell, tmp_path):
    fill(tmp_path, 250)
    shell("delete", 7)
    shell("pin", 3)
    dry = shell("reparse", "--dry-run", "--json", "--limit", 20).json
    assert dry["counts"] == {"reparsed": 20}
    assert "An older reading." in shell("read", 1, "--format", "text").out
    limited = shell("reparse", "--limit", 20)
    assert "Done: 20 pages: 20 reparsed" in limited.out
    assert "retired pilot" in shell("read", 1, "--format", "text").out
    _interrupt(shell, tmp_path, after=120)
    rest = shell("reparse")
    assert rest.code == 0
    assert "Done: 249 pages" in rest.out
    assert "120 done before" in rest.out
    listed = shell("history", 200, "--json").json["items"]
    assert [one["number"] for one in listed] == [1]
    assert shell("list", "--pinned", "--json").json["items"][0]["id"] == 3
    assert shell("search", '"older reading"', "--json").json["total"] == 0


def _interrupt(shell, tmp_path, after: int) -> None:
    """The same request as ``reparse``, stopped in the middle."""
    from itertools import islice

    from pageloom.edges.store.jobs import open_job
    from pageloom.edges.store.listing import walk_pages
    from pageloom.flows.library.reparse import ReparseRequest, reparse_pages
    from pageloom.flows.library.save import SaveContext
    from pageloom.model.pages import WITH_ARCHIVED

    with open_store(tmp_path / "library.db") as store:
        job = open_job(store, "local", "reparse", ReparseRequest(filters=WITH_ARCHIVED).identity)
        keeper = SaveContext(store=store)
        results = reparse_pages(keeper, walk_pages(store, "local", WITH_ARCHIVED), job=job)
        assert len(list(islice(results, after))) == after


def test_deleted_pages_are_read_again_only_where_that_is_asked_for(shell, tmp_path):
    fill(tmp_path, 3)
    shell("archive", 1)
    shell("delete", 3)
    assert shell("reparse", "--all", "--dry-run", "--json").json["counts"] == {"reparsed": 2}
    dry = shell("reparse", "--deleted", "--dry-run").out.splitlines()
    assert dry[0].startswith("     3  would be reparsed   The swifts2")
    gone = shell("reparse", "--deleted", "--refetch", "--json").json
    assert [(one["id"], one["outcome"]) for one in gone["items"]] == [(3, "reparsed")]
    assert shell("list", "--deleted", "--json").json["total"] == 1
    assert "retired pilot" in shell("read", 3, "--format", "text").out
    assert "An older reading." in shell("read", 1, "--format", "text").out


def test_where_the_new_reading_fails_or_is_poorer_the_old_stays(shell, tmp_path):
    from dataclasses import replace

    with open_store(tmp_path / "library.db") as store:
        good = replace(extract(page(), URL, rules=None), quality_score=90)
        save_document(store, "local", good, body=b"<p>Soon.</p>")
        other = replace(good, final_url=f"{URL}/2", url=f"{URL}/2")
        save_document(store, "local", other, body=b"%PDF-1.7 \x00\x01")
    result = shell("reparse", "--json")
    assert result.json["counts"] == {"worse": 1, "failed": 1}
    assert "retired pilot" in shell("read", 1).out
    assert "retired pilot" in shell("read", 2).out


def test_an_upgrade_of_the_parser_is_no_change(shell, tmp_path):
    fill(tmp_path, 1)
    saved = shell.keep(f"{URL}/0", page("swifts0"))
    assert (saved["version"], saved["changed"]) == (1, False)


def test_what_has_no_original_is_fetched_again_where_that_is_asked_for(shell, site, tmp_path):
    from dataclasses import replace

    site.add("/kept", page("swifts"), Content_Type="text/html")
    site.add("/lost", page("terns", "Counted anew."), Content_Type="text/html")
    old = replace(extract(page("terns"), URL, rules=None), quality_score=50)
    with open_store(tmp_path / "library.db") as store:
        for path, body in (("/kept", page("swifts")), ("/lost", None), ("/gone", None)):
            url = site.url(path)
            save_document(store, "local", replace(old, url=url, final_url=url), body=body)
    (tmp_path / "bare.txt").write_text(site.url("/bare"))
    shell("import", tmp_path / "bare.txt", "--format", "urls", "--no-fetch")
    site.add("/bare", page("gulls"), Content_Type="text/html")
    shell("pin", 2)
    asked = len(site.asked)
    assert shell("reparse", "--json").json["counts"] == {"reparsed": 1, "no original": 3}
    dry = shell("reparse", "--refetch", "--dry-run", "--json").json["counts"]
    assert (dry, len(site.asked)) == ({"same": 1, "refetched": 3}, asked)
    first = shell("reparse", "--refetch", "--json")
    assert (first.code, first.json["counts"]) == (1, {"same": 1, "refetched": 2, "failed": 1})
    assert "Counted anew" in shell("read", 2, "--format", "text").out
    assert "terns" in shell("read", 3, "--format", "text").out  # the old content stays
    listed = shell("history", 2, "--json").json["items"]
    assert [one["number"] for one in listed] == [1]
    assert shell("list", "--pinned", "--json").json["items"][0]["id"] == 2
    site.add("/gone", page("terns"), Content_Type="text/html")
    again = shell("reparse", "--refetch", "--json").json["counts"]
    assert again == {"done before": 3, "refetched": 1}
    assert shell("reparse", "--json").json["counts"] == {"same": 4}


def test_a_backup_that_is_not_there_is_a_mistake_in_the_command(shell, tmp_path):
    for words in (("restore",), ("backup", "restore")):
        refused = shell(*words, tmp_path / "none.zip")
        assert (refused.code, "does not exist" in refused.err) == (2, True)


def test_backup_and_restore_in_both_spellings(shell, tmp_path):
    shell.keep(URL)
    assert "Backed up 1 page" in shell("backup", tmp_path / "b.zip").out
    shell("tag", "add", 1, "later")
    assert shell("backup", "restore", tmp_path / "b.zip").code == 1
    assert (
        "Restored 1 page"
        in shell("backup", "restore", tmp_path / "b.zip", "--replace", "--yes").out
    )
    assert shell("tag", "list", 1, "--json").json["tags"] == []
    assert "Restored 1 page" in shell("restore", tmp_path / "b.zip", "--replace", "--yes").out
    (tmp_path / "mine.txt").write_text("mine")
    assert shell("backup", tmp_path / "mine.txt").code == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


WALLABAG = [
    {
        "is_archived": 0,
        "title": "What the ledger says",
        "url": URL,
        "content": "<h2>Nests</h2>"
        + "<p>The ledger of the pilot names every nest of the harbour.</p>" * 12,
        "published_by": ["Maren Oll"],
        "published_at": "2021-05-01T09:00:00+02:00",
        "language": "de_DE",
        "preview_picture": "https://tidewatch.example/crane.jpg",
        "created_at": "2021-05-06T10:00:00+02:00",
        "tags": ["a"],
    }
]
SAID = ("title", "author", "published_at", "language", "source")


@pytest.fixture
def imported(shell, tmp_path):
    (tmp_path / "wallabag.json").write_text(json.dumps(WALLABAG))
    assert shell("import", tmp_path / "wallabag.json", "--json").json["imported"] == 1
    return shell


def said(shell) -> tuple[list, dict]:
    [row] = shell("list", "--all", "--json").json["items"]
    document = shell("read", 1, "--version", 1, "--json").json["document"]
    return [row[name] for name in SAID], {
        name: document[name] for name in ("title", "author", "published", "hero_image", "text")
    }


def test_what_an_import_said_of_a_page_outlives_every_other_reading(imported):
    before = said(imported)
    assert before[0][:3] == ["What the ledger says", "Maren Oll", "2021-05-01T07:00:00.000Z"]
    assert imported("reparse", "--json").json["counts"] == {"same": 1}
    assert said(imported) == before


def test_what_an_older_version_imported_keeps_what_was_said_of_it(imported, tmp_path):
    """Its Documents do not tell which of their fields the import knew."""
    from dataclasses import replace

    from pageloom.edges.store.saving import prepare
    from pageloom.edges.store.versions import latest_version, replace_document

    with open_store(tmp_path / "library.db") as store:
        last = latest_version(store, PageRef("local", 1))
        assert last is not None
        fields = {"text": last.document.provenance.fields["text"]}
        older = replace(last.document.provenance, fields=fields, parser_version="0")
        ready = prepare(Capture(document=replace(last.document, provenance=older)))
        store.transact(lambda tx: replace_document(tx, PageRef("local", 1), last.info, ready))
    before = said(imported)
    assert imported("reparse", "--json").json["counts"] == {"reparsed": 1}
    assert said(imported) == before


def test_a_page_that_is_saved_over_an_import_leaves_its_version_as_it_came(imported):
    before = said(imported)[1]
    imported.keep(URL, page())
    assert said(imported)[1] == before
    assert "pilot" in imported("diff", 1).out
    assert said(imported)[1] == before


def test_a_check_of_an_imported_page_leaves_its_version_as_it_came(shell, site, tmp_path):
    site.add("/swifts", page(), Content_Type="text/html")
    url = site.url("/swifts")
    (tmp_path / "wallabag.json").write_text(json.dumps([WALLABAG[0] | {"url": url}]))
    shell("import", tmp_path / "wallabag.json")
    before = said(shell)[1]
    assert before["hero_image"] == WALLABAG[0]["preview_picture"]
    assert shell("watch", "add", url).code == 0
    assert shell("check", url, "--json").code == 0
    assert shell("read", 1, "--json").json["document"]["title"] == "The swifts of the harbour"
    assert said(shell)[1] == before
