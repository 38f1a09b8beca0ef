"""A library as a program uses it, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from decimal import Decimal

import pytest
from tests.api.conftest import WORDS, kettle
from tests.saving import save_document

import pageloom
from pageloom.edges.store.base import open_store

pytestmark = pytest.mark.integration
URL = "https://shop.example/kettle"


def test_a_page_is_saved_found_and_read(library, shop):
    result = library.save(shop, tags=["galley"])
    page = library.get(result)
    assert (page.title, page.version, page.read_at) == ("Harbour kettle", 1, None)
    assert library.get(page.id) == library.get(shop) == library.get(page.document_id) == page
    assert library.list().pages == (page,)
    assert library.count() == 1
    assert list(library.pages()) == [page]
    hit = library.search("litres").hits[0]
    assert hit.page == page
    assert "litres" in hit.snippet.text
    assert library.document(page).title == "Harbour kettle"
    assert library.get(page).read_at is None
    assert library.read(page) == library.document(page)
    assert library.get(page).read_at is not None
    assert library.original(page) == kettle().encode()


def test_what_was_captured_elsewhere_is_saved_without_the_network(library):
    result = library.save(URL, content=kettle())
    assert result.document.title == "Harbour kettle"
    again = library.save(URL, content=kettle().encode(), content_type="text/html; charset=utf-8")
    assert (again.saved.is_new, again.saved.changed, again.saved.version) == (False, False, 1)


def test_what_cannot_be_saved_is_an_error_and_leaves_what_is_there(library, shop, site):
    page = library.get(library.save(shop))
    site.add_html("/kettle", "gone", status=404)
    with pytest.raises(pageloom.FetchError):
        library.save(shop, render="never")
    assert library.get(page) == page


def test_many_pages_are_saved_and_the_same_call_goes_on(library, site):
    for number in range(3):
        site.add_html(f"/{number}", kettle(words=f"{WORDS} Number {number}."))
    urls = [site.url(f"/{number}") for number in range(4)]
    seen: list[pageloom.SaveResult] = []
    results = library.save_all(urls, render="never", on_result=seen.append)
    assert seen == results
    failed = [result for result in results if result.error]
    assert [result.url for result in failed] == [urls[3]]
    (job,) = library.jobs()
    assert (job.state, job.done, job.failed) == ("failed", 3, 1)
    site.add_html("/3", kettle(words=f"{WORDS} Number 3."))
    again = library.save_all(urls, render="never")
    assert sorted(result.skipped for result in again) == [False, True, True, True]
    assert library.count() == 4
    (job,) = library.jobs()
    assert (job.state, job.done, job.failed) == ("done", 4, 0)


def test_a_long_list_is_read_in_parts(library):
    for number in range(5):
        library.save(f"{URL}/{number}", content=kettle(words=f"{WORDS} {number}"))
    seen: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        part = library.list(limit=2, cursor=cursor)
        seen += [page.id for page in part.pages]
        cursor = part.next_cursor
    assert sorted(seen) == [page.id for page in library.pages()]
    first = library.search("kettle", limit=3)
    rest = library.search("kettle", limit=3, cursor=first.next_cursor or "")
    assert len({hit.page.id for hit in (*first.hits, *rest.hits)}) == 5
    with pytest.raises(pageloom.InvalidQuery):
        library.list(cursor="made up")


def test_versions_are_kept_and_compared(library):
    first = library.save(URL, content=kettle())
    library.save(URL, content=kettle(price="34.90"))
    library.save(URL, content=kettle(price="34.90", words=f"{WORDS} Now also in copper."))
    assert [info.number for info in library.history(first)] == [3, 2, 1]
    assert library.version(first, 1).document == first.document
    assert library.document(first).word_count > library.document(first, 1).word_count
    assert "price" in library.diff(first, 1, 2).changed_fields
    last = library.compare(first)
    assert (last.report.previous_version, last.report.current_version) == (2, 3)
    assert "copper" in last.after.text
    assert "copper" not in last.before.text
    with pytest.raises(pageloom.NotInLibrary, match="version 9"):
        library.diff(first, 9)
    with pytest.raises(pageloom.NotInLibrary, match="no version 9"):
        library.version(first, 9)


def test_tags_and_notes(library):
    page = library.get(library.save(URL, content=kettle(), tags=["galley"]))
    assert set(library.tag(page, "Steel", "steel")) == {"galley", "steel"}
    assert set(library.tags(page)) == {"galley", "steel"}
    assert library.untag(page, "galley") == library.tags(page)
    assert [count for _, count in library.all_tags()] == [1]
    with pytest.raises(pageloom.InvalidArgument):
        library.tag(page, "  ")
    note = library.note(page, "For the boat.")
    assert library.notes(page) == [note]
    library.remove_note(page, note.id)
    assert library.notes(page) == []
    with pytest.raises(pageloom.NotInLibrary):
        library.remove_note(page, note.id)


def test_pages_are_organised(library):
    page = library.get(library.save(URL, content=kettle()))
    assert [one.pinned for one in library.pin(page)] == [True]
    assert library.pin(page) == []
    assert library.unpin(page)
    assert library.archive(page)
    assert library.list().pages == ()
    assert library.list(pageloom.Filters(archived="only")).total == 1
    assert library.unarchive(page)
    assert library.mark_read(page)
    assert library.mark_unread(page)
    assert library.mark_opened(page)
    assert library.purge(page) == []
    assert library.delete(page)
    assert library.restore(page)
    assert library.delete(page)
    assert library.purge(page) == [page.id]
    assert library.find(page) is None
    with pytest.raises(pageloom.NotInLibrary):
        library.pin(page)
    library.delete(library.save(URL, content=kettle()))
    assert len(library.purge_deleted()) == 1


def test_several_pages_are_changed_together_or_not_at_all(library):
    page = library.get(library.save(URL, content=kettle()))
    with pytest.raises(pageloom.NotInLibrary):
        library.pin(page, 4711)
    assert not library.get(page).pinned


def test_a_watch_finds_a_change_and_its_price(library, shop, site, capsys):
    watch = library.watch(shop, name="kettle", every="2h", targets=["console"])
    assert isinstance(watch, pageloom.Watch)
    assert (watch.settings.every, watch.name) == (7200, "kettle")
    assert library.watch(shop, every="2h") == watch
    assert library.due_watches() == [watch]
    assert [result.outcome for result in library.check()] == ["new"]
    assert library.check() == []
    site.add_html("/kettle", kettle(price="34.90"))
    seen: list[pageloom.CheckResult] = []
    [result] = library.check(watch, on_result=seen.append)
    assert (seen, result.outcome) == ([result], "changed")
    assert "34.90" in capsys.readouterr().out
    [change] = library.changes()
    assert library.changes(shop) == library.changes(watch=watch) == [change]
    assert library.get_change(change.id) == change
    assert library.changes(min_importance=1.1) == []
    assert [price.amount for price in library.prices(shop)] == [Decimal("39.90"), Decimal("34.90")]
    assert "drop" in {event.kind for event in library.price_events(shop)}
    assert len(library.runs(watch)) == len(library.runs(shop)) == 2
    assert {message.state for message in library.messages()} == {"sent"}
    assert library.retry_messages() == 0


def test_a_watch_is_changed_paused_and_removed(library, shop):
    watch = library.watch(shop)
    edited = library.edit_watch(watch, name="k", scope=[".price"], price_below=30)
    assert (edited.name, edited.settings.scope) == ("k", (".price",))
    assert edited.settings.price_below == 30
    assert edited.settings.every == watch.settings.every
    assert library.edit_watch(watch, price_below=0).settings.price_below is None
    assert library.pause(watch.id)[0].paused
    assert library.check() == []
    assert not library.resume(shop)[0].paused
    assert library.places(watch) == []
    assert library.pending(watch) == []
    assert library.unmute(watch) == []
    assert library.remove_watch(watch)
    assert library.watches() == []
    with pytest.raises(pageloom.NotInLibrary):
        library.get_watch(watch)


def test_wrong_choices_of_a_watch_are_refused(library, shop):
    for wrong in ({"every": "soon"}, {"every": "2h", "cron": "0 9 * * *"}, {"speed": 1}):
        with pytest.raises(pageloom.SettingsError):
            library.watch(shop, **wrong)
    with pytest.raises(pageloom.InvalidUrl):
        library.watch("kettle")
    assert library.watches() == []


def test_a_failed_check_is_a_result_and_no_change(library, site):
    watch = library.watch(site.url("/missing"), render="never")
    [result] = library.check(watch)
    assert result.outcome == "failed"
    assert isinstance(result.error, pageloom.FetchError)
    assert library.changes() == []


def test_a_watch_can_be_tried_before_it_is_added(library, shop):
    preview = library.preview(shop, scope=[".price"])
    assert preview.document.text.strip() == "39.90 EUR"
    assert library.watches() == []
    watch = library.watch(shop, scope=["h1"])
    assert library.preview(watch).document.text.strip() == "Harbour kettle"


def test_the_scheduler_runs_until_it_is_stopped(library, shop):
    from pageloom.flows.watch.scheduler import Observer

    library.watch(shop)

    async def main() -> None:
        stop = asyncio.Event()
        await library.run_scheduler(stop, Observer(checked=lambda _: stop.set()))

    asyncio.run(asyncio.wait_for(main(), 20))
    assert library.runs(shop)[0].outcome == "new"


def test_pages_leave_and_come_back(library, database, settings, tmp_path):
    page = library.get(library.save(URL, content=kettle(), tags=["galley"]))
    assert library.export(tmp_path / "folder").pages == 1
    assert [path.suffix for path in (tmp_path / "folder").iterdir()] == [".md"]
    for form in ("jsonl", "bookmarks", "epub", "html"):
        assert library.export(tmp_path / f"pages.{form}", form, pages=[page]).pages == 1
        with pytest.raises(pageloom.InvalidArgument, match="exists"):
            library.export(tmp_path / f"pages.{form}", form)
        assert library.export(tmp_path / f"pages.{form}", form, force=True).pages == 1
    written = io.BytesIO()
    library.export(written, "jsonl")
    assert b"".join(library.export_jsonl()) == written.getvalue()
    assert json.loads(written.getvalue())["tags"] == ["galley"]
    with pageloom.open_library(database, "ann", settings=settings) as other:
        result = other.import_(tmp_path / "pages.jsonl", tags=["from elsewhere"])
        assert [one.outcome for one in result.pages] == ["imported"]
        assert other.get(URL).owner == "ann"
        assert "galley" in other.tags(URL)
    with pytest.raises(pageloom.InvalidArgument, match=r"File .* does not exist"):
        library.import_(tmp_path / "nothing.jsonl")
    with pytest.raises(pageloom.InvalidArgument, match="no format"):
        library.export(tmp_path / "x", "docx")


def test_urls_that_are_imported_are_fetched(library, shop, tmp_path):
    (tmp_path / "list.txt").write_text(f"{shop}\n")
    result = library.import_(tmp_path / "list.txt")
    assert [one.url for one in result.fetched] == [shop]
    assert library.document(shop).title == "Harbour kettle"


@pytest.mark.parametrize("act", ["save", "check", "poll"])
def test_whoever_only_saves_checks_or_polls_keeps_no_original_for_too_long(
    database, site, tmp_path, act
):
    flags = {"fetch.allowed_hosts": ["127.0.0.1"], "library.originals_days": 30}
    site.add_html("/kettle", kettle())
    with pageloom.open_library(database, settings=pageloom.load_settings(flags=flags)) as library:
        with open_store(database) as store:
            for text in ("One.", "Two."):
                document = pageloom.extract(f"<p>{text} Swifts are back.", "https://bay.example/")
                old = {"body": text.encode(), "fetched_at": "2020-01-01"}
                save_document(store, "local", document, **old)
            store.transact(lambda tx: tx.run("UPDATE bodies SET created_at = '2020-01-01'"))
        assert library.original("https://bay.example/", 1) == b"One."
        library.save(site.url("/kettle")) if act == "save" else getattr(library, act)()
        assert library.original("https://bay.example/", 1) is None
        assert library.original("https://bay.example/", 2) == b"Two."


def test_feeds_of_sources_are_polled(library, site):
    item = f"<item><title>Ferry</title><link>{site.url('/a')}</link>"
    feed = f"<rss version='2.0'><channel><title>Log</title>{item}<description>{WORDS}"
    site.add(
        "/feed", f"{feed}</description></item></channel></rss>".encode(), Content_Type="text/xml"
    )
    source, is_new = library.add_source("log", name="Harbour log", feeds=[site.url("/feed")])
    assert is_new
    assert library.add_source("log", poll_every=60)[0].name == "Harbour log"
    assert library.sources()[0].poll_every == 60
    assert [one.id for one in library.due_sources()] == [source.id]
    [result] = library.poll()
    assert (result.errors, len(result.new)) == ((), 1)
    assert library.get(site.url("/a")).title == "Ferry"
    assert library.remove_source("log").id == "log"
    with pytest.raises(pageloom.NotInLibrary):
        library.get_source("log")
    with pytest.raises(pageloom.InvalidArgument):
        library.add_source("log", site="not a host/at all")


def test_pages_are_read_again(library):
    library.save(URL, content=kettle())
    [result] = library.reparse()
    assert result.outcome == "same"
    assert list(library.reparse(dry_run=True, outdated=True)) == []
    [job] = library.jobs()
    assert (job.kind, job.state) == ("reparse", "done")
    assert library.get_job(job.id) == job
    assert len(library.job_items(job.id)) == 1
    assert not library.cancel_job(job.id)
    with pytest.raises(pageloom.NotInLibrary):
        library.get_job("other")


def test_backups(library, database, settings, tmp_path):
    library.save(URL, content=kettle())
    assert library.backup(tmp_path / "backup.zip")["pages"] == 1
    library.delete(URL)
    library.purge_deleted()
    assert library.restore_backup(tmp_path / "backup.zip", replace=True)["pages"] == 1
    assert library.get(URL).title == "Harbour kettle"
    if not database.startswith("postgres"):
        with pytest.raises(pageloom.InvalidArgument):
            library.backup(database)


def test_figures_duplicates_users_and_tokens(library):
    library.save(URL, content=kettle())
    library.save(URL + "?copy=1", content=kettle())
    assert library.stats()["pages"] == 2
    assert [len(group) for group in library.duplicates()] == [2]
    token = library.make_token("phone", days=2)
    assert library.token_user(token) == "local"
    assert library.token_user("plm_guess") is None
    [known] = library.tokens()
    assert known.label == "phone"
    assert token not in repr(known)
    assert [user["name"] for user in library.users()] == ["local"]
    library.revoke_token(known.id)
    assert library.tokens() == []
    with pytest.raises(pageloom.NotInLibrary):
        library.revoke_token(known.id)


def test_what_happened_can_be_followed(library):
    page = library.get(library.save(URL, content=kettle()))
    first = library.events()
    assert [event.page_id for event in first][-1:] == [page.id]
    library.pin(page)
    assert [event.kind for event in library.events(first[-1].id)] == ["page.pin"]


def test_a_server_opens_the_libraries_of_many_users_over_one_database(library):
    library.save(URL, content=kettle())
    ann = library.for_user("ann")
    assert (ann.owner, ann.count(), library.count()) == ("ann", 0, 1)
    ann.save(URL, content=kettle())
    assert ann.get(URL).id != library.get(URL).id
    with pytest.raises(pageloom.SettingsError):
        library.for_user(" ")


def test_methods_work_where_an_event_loop_is_running(library, shop):
    async def main() -> str:
        library.save(shop)
        watch = library.watch(shop)
        return library.check(watch)[0].outcome

    assert asyncio.run(main()) == "unchanged"


def test_methods_work_from_several_threads(library):
    errors: list[BaseException] = []

    def save(number: int) -> None:
        try:
            library.save(f"{URL}/{number}", content=kettle(words=f"{WORDS} {number}"))
        except BaseException as error:  # noqa: BLE001  shown by the assertion
            errors.append(error)

    threads = [threading.Thread(target=save, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert library.count() == 6


def test_wrong_arguments_are_said_to_be_wrong(library, shop):
    wrong = (
        lambda: library.list(sort="colour"),
        lambda: library.list(limit=-1),
        lambda: library.search("kettle", sort="colour"),
        lambda: library.count(pageloom.Filters(since="soon")),
        lambda: library.changes(since="yesterday"),
        lambda: library.act("explode", []),
        lambda: library.make_token(days=0),
    )
    for call in wrong:
        with pytest.raises(pageloom.InvalidArgument):
            call()


def test_dates_and_tags_are_read_as_people_write_them(library):
    library.save(URL, content=kettle(), tags=["galley"])
    assert library.count(pageloom.Filters(since="7d", tags="galley")) == 1
    assert library.count(pageloom.Filters(until="2020-01-31")) == 0
    assert library.changes(since="2020-01-31") == []


def test_a_watch_is_named_by_its_number(library, shop):
    watch = library.watch(shop)
    assert library.get_watch(f"w{watch.id}") == library.get_watch(watch.id) == watch


def test_a_closed_library_says_so(tmp_path):
    library = pageloom.open_library(tmp_path / "pages.db")
    library.close()
    with pytest.raises(pageloom.StorageError, match="closed"):
        library.count()
    library.close()


def test_the_views_of_a_closed_library_are_closed_too(tmp_path):
    path = tmp_path / "pages.db"
    library = pageloom.open_library(path)
    ann = library.for_user("ann")
    ann.save(URL, content=kettle())
    token = ann.make_token()
    assert library.token_user(token) == "ann"
    library.close()
    for use in (ann.list, ann.count, lambda: ann.save(URL, content=kettle())):
        with pytest.raises(pageloom.StorageError, match="closed"):
            use()
    for thread in threading.enumerate():
        if thread.name == "pageloom-token-use":
            thread.join()
    assert not list(tmp_path.glob("pages.db-*"))  # nobody has the file open


def test_a_library_is_opened_by_path_by_url_and_by_settings(tmp_path, monkeypatch):
    path = tmp_path / "pages.db"
    with pageloom.open_library(path) as library:
        library.save(URL, content=kettle())
        assert repr(library) == "<Library of local>"
    with pageloom.open_library(f"sqlite:///{path}") as library:
        assert library.count() == 1
    monkeypatch.setenv("PAGELOOM_DATABASE_URL", str(path))
    library = pageloom.open_library()
    assert library.count() == 1
    library.close()
    with pageloom.open_library(user="ann") as library:
        assert (library.owner, library.count()) == ("ann", 0)
    with pytest.raises(pageloom.StorageError):
        pageloom.open_library("mysql://elsewhere")
    settings = pageloom.load_settings()
    pageloom.open_library(tmp_path / "other.db", settings=settings).close()
    assert settings.database.url == str(path)
