"""How pages are fetched."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How pages are fetched: the ``[fetch]`` section of the settings."""

    timeout: float = 30.0
    """Seconds for everything: all hops and the whole body."""
    connect_timeout: float = 10.0
    """Seconds to reach one host."""
    max_redirects: int = 10
    max_bytes: int = 10_000_000
    """Bytes of the body after decompression."""
    user_agent: str = "Pageloom/0.1 (page reader)"
    allowed_hosts: tuple[str, ...] = ()
    """Hosts and networks that may be dialled although they are not public."""
