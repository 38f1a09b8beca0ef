"""The values that pass between the parts: a Document and what it is made of.

``document`` is loaded when one of its names is first used: commands that only list pages, such as
``pageloom list``, start without its classes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageloom.model.document import (
        DISCARDED,
        REPORTED,
        Availability,
        BlockTrace,
        Condition,
        Direction,
        Document,
        FieldSource,
        Hop,
        Image,
        Link,
        Media,
        Moment,
        PageType,
        Precision,
        Price,
        Product,
        Provenance,
        Rating,
        RawPage,
        Region,
        RequestSettings,
        RuleEdit,
        SourceHint,
        read_document,
    )

__all__ = [
    "DISCARDED",
    "REPORTED",
    "Availability",
    "BlockTrace",
    "Condition",
    "Direction",
    "Document",
    "FieldSource",
    "Hop",
    "Image",
    "Link",
    "Media",
    "Moment",
    "PageType",
    "Precision",
    "Price",
    "Product",
    "Provenance",
    "Rating",
    "RawPage",
    "Region",
    "RequestSettings",
    "RuleEdit",
    "SourceHint",
    "read_document",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("pageloom.model.document"), name)
