"""What the public API promises to type checkers; pyright reads this file, nothing runs it.

``make types`` checks it. The one function that pytest runs says that the file can be loaded.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, assert_type

import pageloom

if TYPE_CHECKING:

    def without_a_library() -> None:
        document = pageloom.fetch("https://example.com/", render="never", timeout=5)
        assert_type(document, pageloom.Document)
        assert_type(pageloom.extract(b"", "https://example.com/"), pageloom.Document)
        assert_type(pageloom.extract_all(""), list[pageloom.Document])
        assert_type(pageloom.diff(document, document), pageloom.ChangeReport)
        assert_type(pageloom.render_diff("a", "b"), str)
        assert_type(pageloom.to_markdown("<p>a"), str)
        assert_type(pageloom.parse_rules(""), pageloom.RuleBook)
        assert_type(pageloom.load_rulebook(), pageloom.RuleBook)
        assert_type(pageloom.load_settings(), pageloom.Settings)
        assert_type(pageloom.verify_webhook(b"", {}, "secret"), dict[str, Any])
        pageloom.fetch("https://example.com/", render="sometimes")  # pyright: ignore[reportArgumentType]

    async def awaited() -> None:
        assert_type(await pageloom.fetch_async("https://example.com/"), pageloom.Document)

    def with_a_library() -> None:
        with pageloom.open_library("pages.db", "ann") as library:
            assert_type(library, pageloom.Library)
            saved = library.save("https://example.com/", tags=["a"])
            assert_type(saved, pageloom.SaveResult)
            assert_type(library.save_all(["https://example.com/"]), list[pageloom.SaveResult])
            page = library.get(saved)
            assert_type(page, pageloom.Page)
            assert_type(library.find(7), pageloom.Page | None)
            assert_type(library.list(pageloom.Filters(domain="a")).pages, tuple[pageloom.Page, ...])
            assert_type(library.pages(), Iterator[pageloom.Page])
            assert_type(library.search("word"), pageloom.Hits)
            assert_type(library.search("word").hits[0].page, pageloom.Page)
            assert_type(library.read(page), pageloom.Document)
            assert_type(library.history(page), pageloom.Slice[pageloom.VersionInfo])
            assert_type(library.version(page, 1), pageloom.Version)
            assert_type(library.diff(page, 1, 2), pageloom.ChangeReport)
            assert_type(library.compare(page), pageloom.VersionPair)
            assert_type(library.tag(page, "a", "b"), tuple[str, ...])
            assert_type(library.note(page, "a"), pageloom.Note)
            assert_type(library.pin(page, 7, "https://example.com/"), list[pageloom.Page])
            assert_type(library.purge(page), list[int])
            assert_type(library.sources(), list[pageloom.Source])
            assert_type(library.export("folder"), pageloom.ExportResult)
            assert_type(library.import_("pages.jsonl"), pageloom.ImportResult)
            assert_type(library.reparse(), Iterator[pageloom.ReparseResult])
            library.list(sort="colour")  # pyright: ignore[reportArgumentType]
            library.pin(3.5)  # pyright: ignore[reportArgumentType]

    def with_watches(library: pageloom.Library) -> None:
        watch = library.watch("https://example.com/", every="6h", scope=[".price"], price_below=30)
        assert_type(watch, pageloom.Watch)
        assert_type(watch.settings, pageloom.WatchSettings)
        assert_type(library.edit_watch(watch, cron="0 9 * * *"), pageloom.Watch)
        assert_type(library.preview(watch, ignore=["nav"]), pageloom.Preview)
        results = library.check(watch)
        assert_type(results, list[pageloom.CheckResult])
        assert_type(results[0].error, pageloom.PageloomError | None)
        assert_type(library.changes(), pageloom.Slice[pageloom.Change])
        assert_type(library.prices(7)[0].amount, Decimal | None)
        assert_type(library.runs(watch), list[pageloom.Run])
        assert_type(library.messages("failed"), pageloom.Slice[pageloom.OutboxMessage])
        assert_type(library.send_messages(), pageloom.SendCounts)
        library.watch("https://example.com/", evry="6h")  # pyright: ignore[reportCallIssue]


def test_the_package_says_that_it_is_typed():
    from importlib.resources import files

    assert (files("pageloom") / "py.typed").is_file()
