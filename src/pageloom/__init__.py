"""Pageloom: whatever a URL answers with, as one clean, structured Document.

    import pageloom

    doc = pageloom.extract(content, "https://example.com/page")
    doc.title, doc.text, doc.markdown

Importing this module is light: each name loads what it needs when it is first used.
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
    from pageloom.edges.rulefiles import load_rulebook
    from pageloom.errors import (
        BrokerError,
        ContentError,
        EmptyContent,
        EncodingError,
        ExtractionError,
        FetchError,
        InternalError,
        InvalidArgument,
        InvalidQuery,
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
    from pageloom.flows.capture.extract import extract, extract_all
    from pageloom.library import Library, open_library
    from pageloom.model import Document, SourceHint
    from pageloom.settings import Settings, load_settings

__version__ = "0.1.0"

# Where each name lives; what is not listed is an error, except what is a module.
_HOMES = {
    "ChangeReport": "pageloom.core.compare.report:ChangeReport",
    "DiffOptions": "pageloom.core.compare.options:DiffOptions",
    "Document": "pageloom.model:Document",
    "Library": "pageloom.library:Library",
    "Options": "pageloom.core.options:Options",
    "Settings": "pageloom.settings:Settings",
    "RuleBook": "pageloom.core.rules.book:RuleBook",
    "SourceHint": "pageloom.model:SourceHint",
    "diff": "pageloom.core.compare.change:diff",
    "extract": "pageloom.flows.capture.extract:extract",
    "extract_all": "pageloom.flows.capture.extract:extract_all",
    "load_rulebook": "pageloom.edges.rulefiles:load_rulebook",
    "open_library": "pageloom.library:open_library",
    "load_settings": "pageloom.settings:load_settings",
    "to_markdown": "pageloom.core.render.markdown:html_to_markdown",
}
_MODULES = ("errors", "settings", "views")

__all__ = [
    "BrokerError",
    "ChangeReport",
    "ContentError",
    "DiffOptions",
    "Document",
    "EmptyContent",
    "EncodingError",
    "ExtractionError",
    "FetchError",
    "InternalError",
    "InvalidArgument",
    "InvalidQuery",
    "InvalidUrl",
    "Library",
    "LowQuality",
    "MissingExtra",
    "NoContentFound",
    "NotAnArticle",
    "NotInLibrary",
    "NotifyError",
    "Options",
    "OversizedContent",
    "PageloomError",
    "ParseError",
    "ParseTimeout",
    "RenderError",
    "RuleBook",
    "RuleError",
    "Settings",
    "SettingsError",
    "SourceHint",
    "StorageError",
    "UnsupportedContent",
    "__version__",
    "diff",
    "errors",
    "extract",
    "extract_all",
    "load_rulebook",
    "load_settings",
    "open_library",
    "settings",
    "to_markdown",
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
