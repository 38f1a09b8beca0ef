"""Where the library is, and how it keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOptions:
    """Where the library is: the ``[database]`` section of the settings."""

    url: str = ""
    """``postgresql://…``, ``sqlite:///path`` or a path; a file in the user's data directory
    when empty."""
    busy_timeout: float = 60.0
    """Seconds to wait for other writers before giving up."""
