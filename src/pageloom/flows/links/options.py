"""Options of web archives: the ``[archive]`` section of the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveOptions:
    """The archive that is asked for captures of pages that are gone."""

    url: str = "https://web.archive.org"
    """Where captures are listed (``/cdx/search/cdx``), shown (``/web/``) and made (``/save/``)."""
    api_url: str = "https://archive.org"
    """Where the nearest capture is asked for (``/wayback/available``)."""
