"""A page that was fetched, and the Document it became: one value on its way to the library.

RawPage (what the server sent) → Capture → Prepared (ready for a transaction) → Saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pageloom.model import Document, Hop, RawPage

RenderMode = Literal["auto", "force", "never"]
"""Whether a browser renders a page: when needed, always, or never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A Document with its original, and how both were obtained."""

    document: Document
    body: bytes | None = None
    """The original, as the server sent it; None where it is stored already, or not kept."""
    body_hash: str = ""
    """Names an original that is stored already, in the place of ``body``."""
    content_type: str = ""
    status: int | None = None
    """The HTTP status; None for a page that was handed in."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Names in lower case."""
    fetched_at: str = ""
    protocol: str = ""
    """``HTTP/1.1`` or ``browser``."""
    hops: tuple[Hop, ...] = ()
    """The redirects on the way."""
    timings: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds, by step."""
    decisions: tuple[str, ...] = ()
    """Why it was fetched in this way, in order."""
    engine: str = "local"
    """Who read it: ``local``, or ``external`` for a reader service."""
    rules_version: str = ""
    """Which site rules, and which parts of the page, it was read with."""
    screenshot: bytes = b""
    """PNG, if asked for."""
    pdf: bytes = b""
    mhtml: str = ""
    """The page with all that it loaded, if asked for."""

    @classmethod
    def of(cls, page: RawPage, document: Document, **how: Any) -> Capture:
        """What a server sent, and the Document that was read from it."""
        return cls(
            document=document,
            body=page.body,
            content_type=page.content_type,
            status=page.status,
            headers=page.headers,
            fetched_at=page.fetched_at,
            protocol=page.protocol,
            hops=page.hops,
            timings=page.timings,
            **how,
        )

    @property
    def url(self) -> str:
        """The URL that was asked for."""
        return self.document.url

    @property
    def final_url(self) -> str:
        """The URL that answered, after redirects."""
        return self.document.final_url or self.document.url

    @property
    def used_browser(self) -> bool:
        """Whether a browser showed the page."""
        return self.protocol == "browser"
