"""JSON shapes: of Documents (``documents``), stored things (``records``), acts (``results``)."""

from pageloom.views.documents import (
    article,
    extracted,
    flat_metadata,
    frontmatter,
    markdown,
    parsed,
)

__all__ = ["article", "extracted", "flat_metadata", "frontmatter", "markdown", "parsed"]
