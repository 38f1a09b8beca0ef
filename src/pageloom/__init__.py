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
    from pageloom.core.options import Options
    from pageloom.core.render import to_markdown
    from pageloom.errors import (
        ContentError,
        EmptyContent,
        EncodingError,
        ExtractionError,
        FetchError,
        InternalError,
        InvalidUrl,
        LowQuality,
        MissingExtra,
        NoContentFound,
        NotAnArticle,
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
    from pageloom.flows import extract, extract_all
    from pageloom.model import Document
    from pageloom.settings import Settings, load_settings

__version__ = "0.1.0"

_HOMES = {
    "Document": "pageloom.model",
    "Options": "pageloom.core.options",
    "Settings": "pageloom.settings",
    "extract": "pageloom.flows",
    "extract_all": "pageloom.flows",
    "load_settings": "pageloom.settings",
    "to_markdown": "pageloom.core.render.markdown",
}
_MODULES = ("errors", "settings", "views")

__all__ = [
    "ContentError",
    "Document",
    "EmptyContent",
    "EncodingError",
    "ExtractionError",
    "FetchError",
    "InternalError",
    "InvalidUrl",
    "LowQuality",
    "MissingExtra",
    "NoContentFound",
    "NotAnArticle",
    "Options",
    "OversizedContent",
    "PageloomError",
    "ParseError",
    "ParseTimeout",
    "RenderError",
    "RuleError",
    "Settings",
    "SettingsError",
    "StorageError",
    "UnsupportedContent",
    "__version__",
    "errors",
    "extract",
    "extract_all",
    "load_settings",
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
    found = getattr(importlib.import_module(_HOMES.get(name, "pageloom.errors")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
