"""How people are told: the ``[notify]`` section of the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifyOptions:
    """How people are told."""

    targets: tuple[str, ...] = ()
    """Where watches without targets of their own are told."""
    webhook_secret: str = ""
    """Signs every webhook; the receiver knows it too."""
    webhook_secrets: tuple[str, ...] = ()
    """``host=secret`` where one receiver has its own."""
    smtp_host: str = ""
    smtp_port: Annotated[int, Meta(ge=0, le=65_535)] = 587
    smtp_user: str = ""
    smtp_password: str = ""
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    mail_from: str = ""
    feed_directory: str = ""
    """Where feeds are written; ``feeds`` in the data directory when empty."""
    feed_entries: int = 100
    """How many changes a feed keeps."""
    timeout: float = 20.0
    """Seconds for one message."""
    retry_delay: float = 60.0
    """Seconds before the second attempt; each further delay is twice as long."""
    retry_delay_max: float = 21_600.0
    max_attempts: int = 24
    """After so many, a message waits for ``pageloom notify retry``."""
    rate_limit: int = 60
    """Messages to one target in an hour; more are joined into one."""
    digest_minutes: float = 0.0
    """Collect so long, then send one message; 0 sends each at once."""
