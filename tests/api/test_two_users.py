"""Two users of one database, with each other's numbers: nothing is read, and nothing is changed."""

from __future__ import annotations

import inspect
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import kettle

import pageloom

pytestmark = pytest.mark.integration
SECRET = "Anchovis"
"""A word of Ann's that Bob must never read."""


def png() -> bytes:
    """A picture with the word in it."""

    def part(name: bytes, data: bytes) -> bytes:
        checked = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + checked

    head = struct.pack(">IIBBBBB", 400, 300, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + bytes(n % 251 for n in range(400)) for _ in range(300)))
    text = part(b"tEXt", b"Title\0" + SECRET.encode())
    return (
        b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + text + part(b"IDAT", rows) + part(b"IEND", b"")
    )


RULE = f"""
- id: {SECRET}
  trigger: {{host: {{equals: 127.0.0.1}}}}
  metadata: {{title: {{value: Kettle}}}}
"""


class Anns:
    """Everything that Ann has, by its numbers and names."""

    def __init__(self, library: pageloom.Library, url: str, site: Any) -> None:
        self.saved = library.save(url, tags=[SECRET])
        self.page = library.get(self.saved)
        library.fetch_pictures(self.page)
        [self.picture] = library.pictures(self.page)
        assert SECRET.encode() in library.file(str(self.picture.hash))
        self.note = library.note(self.page, f"{SECRET} for supper")
        targets = ["feed:walks"]
        self.watch = library.watch(url, name=SECRET, targets=targets, scope=["main"])
        library.check(self.watch)
        site.add_html("/ann", kettle(price="29.90", words=f"{SECRET} " * 60))
        library.check(self.watch)
        self.change = library.changes()[0]
        self.source, _ = library.add_source("log", name=SECRET, feeds=[site.url("/feed")])
        library.make_token(SECRET)
        self.token = library.tokens()[0]
        self.deleted = library.get(library.save("https://x.example/", content=kettle()))
        library.delete(self.deleted)
        list(library.reparse(pageloom.Filters(domain=SECRET)))
        self.job = library.jobs()[0]
        self.done = library.act_on_many("pin", [self.page.id])
        library.open_session(SECRET)
        [self.session] = library.sessions()
        library.keep_answer("key", {"text": SECRET})
        self.highlight = library.highlight(self.page, SECRET, note=SECRET)
        self.search = library.save_search(SECRET, SECRET)
        library.keep_rule(self.page, RULE, anyway=True)


Call = Callable[[pageloom.Library, Anns, Path], object]
GIVEN: dict[str, Call] = {
    "act": lambda bob, ann, _: bob.act("delete", [ann.page]),
    "act_on_many": lambda bob, ann, _: bob.act_on_many("delete", [ann.page.id]).pages,
    "add_source": lambda bob, ann, _: bob.add_source(ann.source.id, language="en"),
    "add_watch": lambda bob, ann, _: bob.add_watch(ann.page.url, scope=["main"]),
    "all_tags": lambda bob, _, __: bob.all_tags(),
    "archive": lambda bob, ann, _: bob.archive(ann.page),
    "cancel_job": lambda bob, ann, _: bob.cancel_job(ann.job.id),
    "changes": lambda bob, _, __: bob.changes(),
    "check_links": lambda bob, ann, _: bob.check_links([ann.page]),
    "fetch_pictures": lambda bob, ann, _: bob.fetch_pictures(ann.page),
    "file": lambda bob, ann, _: bob.file(ann.picture.hash),
    "link_checks": lambda bob, _, __: bob.link_checks(),
    "picture": lambda bob, ann, _: bob.picture(ann.picture.url),
    "pictures": lambda bob, ann, _: bob.pictures(ann.page),
    "snapshot": lambda bob, ann, _: bob.snapshot(ann.page, "screenshot"),
    "snapshots": lambda bob, ann, _: bob.snapshots(ann.page),
    "storage": lambda bob, _, __: bob.storage(),
    "submit": lambda bob, ann, _: bob.submit(ann.page),
    "unchecked_pages": lambda bob, _, __: bob.unchecked_pages(),
    "visual_changes": lambda bob, ann, _: bob.visual_changes(ann.page),
    "check": lambda bob, ann, _: bob.check(ann.watch),
    "compare": lambda bob, ann, _: bob.compare(ann.page),
    "count": lambda bob, _, __: bob.count(),
    "count_changes": lambda bob, ann, _: bob.count_changes([ann.page]),
    "delete": lambda bob, ann, _: bob.delete(ann.page),
    "diff": lambda bob, ann, _: bob.diff(ann.page),
    "document": lambda bob, ann, _: bob.document(ann.page),
    "due_sources": lambda bob, _, __: bob.due_sources(),
    "due_watches": lambda bob, _, __: bob.due_watches(),
    "duplicates": lambda bob, _, __: bob.duplicates(),
    "edit_watch": lambda bob, ann, _: bob.edit_watch(ann.watch, every="1h"),
    "end_session": lambda bob, ann, _: bob.end_session(ann.session.id),
    "events": lambda bob, _, __: bob.events(),
    "export": lambda bob, ann, folder: bob.export(folder / "out", pages=[ann.page]),
    "export_jsonl": lambda bob, _, __: list(bob.export_jsonl(pageloom.Filters(deleted="all"))),
    "find_answer": lambda bob, ann, _: bob.find_answer("key"),
    "find_done": lambda bob, ann, _: bob.find_done(ann.done.id),
    "find": lambda bob, ann, _: bob.find(ann.page),
    "get": lambda bob, ann, _: bob.get(ann.page),
    "get_all": lambda bob, ann, _: bob.get_all([ann.page]),
    "get_change": lambda bob, ann, _: bob.get_change(ann.change.id),
    "get_job": lambda bob, ann, _: bob.get_job(ann.job.id),
    "get_source": lambda bob, ann, _: bob.get_source(ann.source.id),
    "get_watch": lambda bob, ann, _: bob.get_watch(ann.watch),
    "get_watches": lambda bob, ann, _: bob.get_watches([ann.watch]),
    "history": lambda bob, ann, _: bob.history(ann.page),
    "job_items": lambda bob, ann, _: bob.job_items(ann.job.id),
    "jobs": lambda bob, _, __: bob.jobs(),
    "keep_answer": lambda bob, ann, _: bob.keep_answer("key", {}),
    "list": lambda bob, _, __: bob.list(pageloom.Filters(archived="all", deleted="all")).pages,
    "make_link": lambda bob, _, __: bob.make_link() and "",
    "make_token": lambda bob, _, __: bob.make_token("mine") and "",
    "mark_opened": lambda bob, ann, _: bob.mark_opened(ann.page),
    "mark_read": lambda bob, ann, _: bob.mark_read(ann.page),
    "mark_unread": lambda bob, ann, _: bob.mark_unread(ann.page),
    "messages": lambda bob, _, __: bob.messages(),
    "open_session": lambda bob, _, __: bob.open_session() and "",
    "mute": lambda bob, ann, _: bob.mute(ann.watch, "0a1b2c3d"),
    "pending": lambda bob, ann, _: bob.pending(ann.watch),
    "places": lambda bob, ann, _: bob.places(ann.watch),
    "note": lambda bob, ann, _: bob.note(ann.page, "mine"),
    "notes": lambda bob, ann, _: bob.notes(ann.page),
    "original": lambda bob, ann, _: bob.original(ann.page),
    "pages": lambda bob, _, __: list(bob.pages(pageloom.Filters(deleted="all"))),
    "pause": lambda bob, ann, _: bob.pause(ann.watch),
    "pin": lambda bob, ann, _: bob.pin(ann.page),
    "poll": lambda bob, ann, _: bob.poll(ann.source.id),
    "preview": lambda bob, ann, _: bob.preview(ann.watch),
    "price_events": lambda bob, ann, _: bob.price_events(ann.page),
    "prices": lambda bob, ann, _: bob.prices(ann.page),
    "purge": lambda bob, ann, _: bob.purge(ann.deleted),
    "purge_deleted": lambda bob, _, __: bob.purge_deleted(),
    "read": lambda bob, ann, _: bob.read(ann.page),
    "remove_note": lambda bob, ann, _: bob.remove_note(ann.page, ann.note.id),
    "remove_source": lambda bob, ann, _: bob.remove_source(ann.source.id),
    "remove_tag": lambda bob, _, __: bob.remove_tag(SECRET),
    "rename_tag": lambda bob, _, __: bob.rename_tag(SECRET, "mine"),
    "remove_watch": lambda bob, ann, _: bob.remove_watch(ann.watch),
    "reparse": lambda bob, _, __: list(bob.reparse(pageloom.Filters(deleted="all"))),
    "restore": lambda bob, ann, _: bob.restore(ann.deleted),
    "resume": lambda bob, ann, _: bob.resume(ann.watch),
    "retry_messages": lambda bob, _, __: bob.retry_messages(),
    "revoke_token": lambda bob, ann, _: bob.revoke_token(ann.token.id),
    "runs": lambda bob, ann, _: [bob.runs(ann.page), bob.runs(ann.watch)],
    "save": lambda bob, ann, _: bob.save(ann.page.url, content=kettle()) and "",
    "save_later": lambda bob, ann, _: bob.save_later([ann.page.url]) and "",
    "save_sample": lambda bob, _, __: bob.save_sample() and "",
    "sessions": lambda bob, _, __: bob.sessions(),
    "set_password": lambda bob, _, __: bob.set_password("harbour swifts"),
    "set_preferences": lambda bob, _, __: bob.set_preferences(theme="dark"),
    "set_role": lambda bob, _, __: bob.set_role("reader"),
    "search": lambda bob, _, __: bob.search(SECRET).hits,
    "suggest": lambda bob, _, __: bob.suggest(SECRET[:-1]),
    "sources": lambda bob, _, __: bob.sources(),
    "stats": lambda bob, _, __: bob.stats(),
    "tag": lambda bob, ann, _: bob.tag(ann.page, "mine"),
    "tags_of_all": lambda bob, ann, _: bob.tags_of_all([ann.page]),
    "tags": lambda bob, ann, _: bob.tags(ann.page),
    "tokens": lambda bob, _, __: bob.tokens(),
    "unarchive": lambda bob, ann, _: bob.unarchive(ann.page),
    "undo": lambda bob, ann, _: bob.undo(ann.done.id),
    "user": lambda bob, _, __: bob.user(),
    "unmute": lambda bob, ann, _: bob.unmute(ann.watch),
    "unpin": lambda bob, ann, _: bob.unpin(ann.page),
    "untag": lambda bob, ann, _: bob.untag(ann.page, SECRET),
    "version": lambda bob, ann, _: bob.version(ann.page),
    "watch": lambda bob, ann, _: bob.watch(ann.page.url, scope=["main"]),
    "watches": lambda bob, _, __: bob.watches(),
    "explain": lambda bob, ann, _: bob.explain(ann.page),
    "in_need": lambda bob, _, __: bob.in_need(),
    "merge": lambda bob, ann, _: bob.merge(ann.page, ann.deleted),
    "near_duplicates": lambda bob, ann, _: bob.near_duplicates(ann.page),
    "note_progress": lambda bob, ann, _: bob.note_progress(ann.page, 1, 1, 2),
    "priced": lambda bob, _, __: bob.priced(),
    "progress": lambda bob, ann, _: bob.progress(ann.page),
    "progress_of_all": lambda bob, ann, _: bob.progress_of_all([ann.page]),
    "set_matters": lambda bob, ann, _: bob.set_matters(ann.watch, "0a1b2c3d", "always"),
    "similar": lambda bob, ann, _: bob.similar(ann.page),
    "touched": lambda bob, _, __: bob.touched("2020-01-01"),
    "track_state": lambda bob, ann, _: bob.track_state(ann.watch),
    "try_on_past": lambda bob, ann, _: bob.try_on_past(ann.watch),
    "watches_of": lambda bob, ann, _: bob.watches_of(ann.page),
    "all_highlights": lambda bob, _, __: bob.all_highlights(),
    "capture": lambda bob, ann, _: bob.capture(ann.page.url, kettle()) and "",
    "change_highlight": lambda bob, ann, _: bob.change_highlight(
        ann.page, ann.highlight.id, note="mine"
    ),
    "check_searches": lambda bob, _, __: bob.check_searches(),
    "find_places": lambda bob, ann, _: bob.find_places(ann.page, ["p"]),
    "get_highlight": lambda bob, ann, _: bob.get_highlight(ann.page, ann.highlight.id),
    "get_search": lambda bob, ann, _: bob.get_search(ann.search.id),
    "highlight": lambda bob, ann, _: bob.highlight(ann.page, SECRET),
    "highlights": lambda bob, ann, _: bob.highlights(ann.page),
    "keep_rule": lambda bob, ann, _: bob.keep_rule(ann.page, RULE),
    "note_url": lambda bob, ann, _: bob.note_url(ann.page.url) and "",
    "numbered_blocks": lambda bob, ann, _: bob.numbered_blocks(ann.page),
    "numbered_page": lambda bob, ann, _: bob.numbered_page(ann.page),
    "pick": lambda bob, ann, _: bob.pick(ann.page, 1),
    "prove_rule": lambda bob, ann, _: bob.prove_rule(ann.page, RULE),
    "remove_highlight": lambda bob, ann, _: bob.remove_highlight(ann.page, ann.highlight.id),
    "remove_rule": lambda bob, _, __: bob.remove_rule(SECRET),
    "remove_search": lambda bob, ann, _: bob.remove_search(ann.search.id),
    "reread_host": lambda bob, ann, _: bob.reread_host(ann.page.url),
    "save_search": lambda bob, ann, _: bob.save_search("x", "y", number=ann.search.id),
    "searches": lambda bob, _, __: bob.searches(),
    "sources_opml": lambda bob, _, __: bob.sources_opml(),
    "test_user_rules": lambda bob, _, __: bob.test_user_rules(),
    "try_rule": lambda bob, ann, _: bob.try_rule(ann.page, RULE),
    "user_rule": lambda bob, _, __: bob.user_rule(SECRET),
    "user_rules": lambda bob, _, __: bob.user_rules(),
}
FOR_ALL = {
    "backup": "of the whole database, by whoever runs it",
    "capture_for_preview": "fetches from elsewhere",
    "capture_key": "of a secret that only its holder knows",
    "check_due_searches": "notifies all users, each of their own",
    "choose_settings": "reads nothing",
    "close": "reads nothing",
    "find_capture": "asks an archive elsewhere",
    "find_held": "of a one-time name that only its holder knows",
    "find_session": "of a secret that only its holder knows",
    "find_token": "of a secret that only its holder knows",
    "find_user": "name and role, for whoever runs the server",
    "for_requests": "as for_user",
    "hold_capture": "for whoever is signed in later",
    "has_passwords": "whether anybody has one",
    "is_password": "of a secret that only its holder knows",
    "last_events": "numbers of events, for a server that follows those of all users",
    "next_checks": "reads nothing",
    "open_pictures": "fetches from elsewhere",
    "reading": "a block in which other methods are called",
    "read_for_preview": "of a page that its caller has fetched",
    "run_work": "works for all users, under their own names",
    "server_key": "of the server",
    "take_held": "of a one-time name that only its holder knows",
    "use_link": "of a secret that only its holder knows",
    "for_user": "the library of another user, as open_library gives it",
    "import_": "reads a file",
    "notify_test": "reads nothing",
    "replace_websites_table": "of the whole database",
    "restore_backup": "of the whole database",
    "run_scheduler": "checks for all users, under their own names",
    "save_all": "as save",
    "save_async": "as save",
    "save_from_archive": "as save",
    "send_messages": "sends for all users, each to its own targets",
    "token_user": "of a secret that only its holder knows",
    "users": "names and figures, for whoever runs the database",
}


def test_every_method_is_tried():
    methods = {
        name
        for name, _ in inspect.getmembers(pageloom.Library, callable)
        if not name.startswith("_")
    }
    assert methods == GIVEN.keys() | FOR_ALL.keys()


def picture(library: pageloom.Library) -> object:
    """Everything of a user's, as text."""
    everything = pageloom.Filters(archived="all", deleted="all")
    pages = list(library.pages(everything))
    return repr(
        [
            pages,
            [(library.tags(page), library.notes(page), library.history(page)) for page in pages],
            [library.prices(page) for page in pages],
            library.watches(),
            library.changes(),
            library.sources(),
            library.tokens(),
            library.messages(),
            library.jobs(),
            library.all_highlights(),
            library.searches(),
            library.user_rules(),
        ]
    )


def test_nothing_of_one_user_reaches_another(database, settings, site, tmp_path):
    shown = "</p><img src=/secret.png width=400 height=300 alt='The quay'><p>"
    site.add_html("/ann", kettle(words=f"{SECRET} " * 50 + shown))
    site.add("/secret.png", png(), content_type="image/png")
    site.add("/feed", b"<rss version='2.0'><channel><title>x</title></channel></rss>")
    with (
        pageloom.open_library(database, "ann", settings=settings) as ann,
        pageloom.open_library(database, "bob", settings=settings) as bob,
    ):
        hers = Anns(ann, site.url("/ann"), site)
        before = picture(ann)
        assert SECRET in str(before)
        for name, call in GIVEN.items():
            try:
                answer = call(bob, hers, tmp_path)
            except pageloom.NotInLibrary as error:
                answer = error.message
            assert SECRET not in repr(answer), name
            assert picture(ann) == before, name


def test_two_users_with_the_same_feed_read_only_their_own_notices(
    database, settings, site, tmp_path
):
    settings.notify = settings.notify.__class__(feed_directory=str(tmp_path / "feeds"))
    for user in ("ann", "bob"):
        site.add_html(f"/{user}", kettle(words=f"Seen by {user}. " * 20))
    libraries = [
        pageloom.open_library(database, user, settings=settings) for user in ("ann", "bob")
    ]
    for library in libraries:
        watch = library.watch(site.url(f"/{library.owner}"), targets=["feed:walks"])
        library.check(watch)
    for library in libraries:
        changed = kettle(words=f"The pier of {library.owner} has moved. " * 20)
        site.add_html(f"/{library.owner}", changed)
        library.check(*library.watches())
    feeds = {path: path.read_text() for path in (tmp_path / "feeds").rglob("*") if path.is_file()}
    for text in feeds.values():
        assert ("/ann" in text) != ("/bob" in text)
    assert {name for name in ("/ann", "/bob") if any(name in text for text in feeds.values())} == {
        "/ann",
        "/bob",
    }
    for library in libraries:
        library.close()
