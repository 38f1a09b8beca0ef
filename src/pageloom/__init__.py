"""Pageloom: whatever a URL answers with, as one clean, structured Document.

    import pageloom

    doc = pageloom.fetch("https://example.com/page")
    doc.title, doc.text, doc.markdown

    with pageloom.open_library() as library:
        library.save("https://example.com/page")

Importing this module is light: each name loads what it needs when it is first used. These names
are the public API; everything else may change without notice.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageloom import errors, settings, views
    from pageloom.core.compare.change import diff
    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.compare.report import ChangeReport
    from pageloom.core.options import Options
    from pageloom.core.render.markdown import html_to_markdown as to_markdown
    from pageloom.core.rules.book import RuleBook
    from pageloom.edges.notify.webhook import verify_webhook
    from pageloom.edges.rulefiles import load_rulebook, parse_rules
    from pageloom.errors import (
        BrokerError,
        ContentError,
        DamagedInput,
        EmptyContent,
        EncodingError,
        ExtractionError,
        FetchError,
        InternalError,
        InvalidArgument,
        InvalidQuery,
        InvalidSignature,
        InvalidUrl,
        LowQuality,
        MissingExtra,
        NoContentFound,
        NotAnArticle,
        NotifyError,
        NotInLibrary,
        OversizedContent,
        PageloomError,
        ParseError,
        ParseTimeout,
        RenderError,
        RuleError,
        SettingsError,
        StorageError,
        UnsupportedContent,
    )
    from pageloom.flows.bulk.read import read_archive
    from pageloom.flows.bulk.report import BulkReport
    from pageloom.flows.bulk.run import bulk
    from pageloom.flows.capture.extract import extract, extract_all
    from pageloom.flows.library.compare import VersionPair
    from pageloom.flows.library.reparse import ReparseResult
    from pageloom.flows.library.save import SaveResult
    from pageloom.flows.library.sources import PollResult
    from pageloom.flows.notify.outbox_sender import SendCounts
    from pageloom.flows.transfer.export_formats import ExportResult
    from pageloom.flows.transfer.import_files import ImportResult
    from pageloom.flows.watch.check import CheckResult
    from pageloom.flows.watch.edit import Preview
    from pageloom.library import Library, open_library
    from pageloom.library.fetch import fetch, fetch_async
    from pageloom.model import Document, SourceHint
    from pageloom.model.library import (
        Change,
        JobInfo,
        JobItem,
        LibraryEvent,
        OutboxMessage,
        Run,
        Source,
        StoredPrice,
        StoredPriceEvent,
        Token,
        Version,
        VersionInfo,
    )
    from pageloom.model.pages import Filters, Hit, Hits, Listing, Note, Page, Slice
    from pageloom.model.watch import Watch, WatchSettings
    from pageloom.settings import Settings, load_settings
    from pageloom.views.comparison import render_diff

__version__ = "0.1.0"

# Where each name lives; what is not listed is an error, except what is a module.
_HOMES = {
    "Change": "pageloom.model.library:Change",
    "ChangeReport": "pageloom.core.compare.report:ChangeReport",
    "CheckResult": "pageloom.flows.watch.check:CheckResult",
    "DiffOptions": "pageloom.core.compare.options:DiffOptions",
    "Document": "pageloom.model:Document",
    "LibraryEvent": "pageloom.model.library:LibraryEvent",
    "ExportResult": "pageloom.flows.transfer.export_formats:ExportResult",
    "Filters": "pageloom.model.pages:Filters",
    "Hit": "pageloom.model.pages:Hit",
    "Hits": "pageloom.model.pages:Hits",
    "ImportResult": "pageloom.flows.transfer.import_files:ImportResult",
    "JobInfo": "pageloom.model.library:JobInfo",
    "JobItem": "pageloom.model.library:JobItem",
    "Library": "pageloom.library:Library",
    "Listing": "pageloom.model.pages:Listing",
    "Note": "pageloom.model.pages:Note",
    "Options": "pageloom.core.options:Options",
    "OutboxMessage": "pageloom.model.library:OutboxMessage",
    "Page": "pageloom.model.pages:Page",
    "PollResult": "pageloom.flows.library.sources:PollResult",
    "Preview": "pageloom.flows.watch.edit:Preview",
    "ReparseResult": "pageloom.flows.library.reparse:ReparseResult",
    "RuleBook": "pageloom.core.rules.book:RuleBook",
    "Run": "pageloom.model.library:Run",
    "SaveResult": "pageloom.flows.library.save:SaveResult",
    "SendCounts": "pageloom.flows.notify.outbox_sender:SendCounts",
    "Settings": "pageloom.settings:Settings",
    "Slice": "pageloom.model.pages:Slice",
    "Source": "pageloom.model.library:Source",
    "SourceHint": "pageloom.model:SourceHint",
    "StoredPrice": "pageloom.model.library:StoredPrice",
    "StoredPriceEvent": "pageloom.model.library:StoredPriceEvent",
    "Token": "pageloom.model.library:Token",
    "Version": "pageloom.model.library:Version",
    "VersionInfo": "pageloom.model.library:VersionInfo",
    "VersionPair": "pageloom.flows.library.compare:VersionPair",
    "Watch": "pageloom.model.watch:Watch",
    "WatchSettings": "pageloom.model.watch:WatchSettings",
    "BulkReport": "pageloom.flows.bulk.report:BulkReport",
    "bulk": "pageloom.flows.bulk.run:bulk",
    "diff": "pageloom.core.compare.change:diff",
    "extract": "pageloom.flows.capture.extract:extract",
    "extract_all": "pageloom.flows.capture.extract:extract_all",
    "fetch": "pageloom.library.fetch:fetch",
    "fetch_async": "pageloom.library.fetch:fetch_async",
    "load_rulebook": "pageloom.edges.rulefiles:load_rulebook",
    "load_settings": "pageloom.settings:load_settings",
    "open_library": "pageloom.library:open_library",
    "read_archive": "pageloom.flows.bulk.read:read_archive",
    "parse_rules": "pageloom.edges.rulefiles:parse_rules",
    "render_diff": "pageloom.views.comparison:render_diff",
    "to_markdown": "pageloom.core.render.markdown:html_to_markdown",
    "verify_webhook": "pageloom.edges.notify.webhook:verify_webhook",
}
_MODULES = ("errors", "settings", "views")

__all__ = [
    "BrokerError",
    "BulkReport",
    "Change",
    "ChangeReport",
    "CheckResult",
    "ContentError",
    "DamagedInput",
    "DiffOptions",
    "Document",
    "EmptyContent",
    "EncodingError",
    "ExportResult",
    "ExtractionError",
    "FetchError",
    "Filters",
    "Hit",
    "Hits",
    "ImportResult",
    "InternalError",
    "InvalidArgument",
    "InvalidQuery",
    "InvalidSignature",
    "InvalidUrl",
    "JobInfo",
    "JobItem",
    "Library",
    "LibraryEvent",
    "Listing",
    "LowQuality",
    "MissingExtra",
    "NoContentFound",
    "NotAnArticle",
    "NotInLibrary",
    "Note",
    "NotifyError",
    "Options",
    "OutboxMessage",
    "OversizedContent",
    "Page",
    "PageloomError",
    "ParseError",
    "ParseTimeout",
    "PollResult",
    "Preview",
    "RenderError",
    "ReparseResult",
    "RuleBook",
    "RuleError",
    "Run",
    "SaveResult",
    "SendCounts",
    "Settings",
    "SettingsError",
    "Slice",
    "Source",
    "SourceHint",
    "StorageError",
    "StoredPrice",
    "StoredPriceEvent",
    "Token",
    "UnsupportedContent",
    "Version",
    "VersionInfo",
    "VersionPair",
    "Watch",
    "WatchSettings",
    "__version__",
    "bulk",
    "diff",
    "errors",
    "extract",
    "extract_all",
    "fetch",
    "fetch_async",
    "load_rulebook",
    "load_settings",
    "open_library",
    "parse_rules",
    "read_archive",
    "render_diff",
    "settings",
    "to_markdown",
    "verify_webhook",
    "views",
]


def __getattr__(name: str) -> Any:
    """Load a public name on its first use, and keep it."""
    if name not in __all__:
        raise AttributeError(f"module 'pageloom' has no attribute {name!r}")
    if name in _MODULES:
        return importlib.import_module(f"pageloom.{name}")
    module, _, inner = _HOMES.get(name, f"pageloom.errors:{name}").partition(":")
    found = globals()[name] = getattr(importlib.import_module(module), inner)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
