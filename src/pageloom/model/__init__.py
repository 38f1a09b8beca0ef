"""The values that pass between the parts: a Document and what it is made of.

``document`` is loaded when one of its names is first used: commands that only list pages, such as
``pageloom list``, start without its classes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageloom.model.blocks import (
        Block,
        BlockKind,
        BlockRole,
        Blocks,
        edit_texts,
        join_blocks,
        pick_blocks,
        plain_blocks,
    )
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
        complete,
        defer_fields,
        read_document,
    )

__all__ = [
    "DISCARDED",
    "REPORTED",
    "Availability",
    "Block",
    "BlockKind",
    "BlockRole",
    "BlockTrace",
    "Blocks",
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
    "complete",
    "defer_fields",
    "edit_texts",
    "join_blocks",
    "pick_blocks",
    "plain_blocks",
    "read_document",
]
_BLOCKS = frozenset(
    "Block BlockKind BlockRole Blocks edit_texts join_blocks pick_blocks plain_blocks".split()
)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "blocks" if name in _BLOCKS else "document"
    return getattr(import_module(f"pageloom.model.{module}"), name)
