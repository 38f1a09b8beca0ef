"""Notification settings: the ``[notify]`` section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifyOptions:
    """Where notices are sent, and how."""

    targets: tuple[str, ...] = ()
    """The targets of watches that have none of their own."""
    webhook_secret: str = ""
    """The secret that signs every webhook; the receiver checks the signature with it."""
    webhook_secrets: tuple[str, ...] = ()
    """``host=secret`` for receivers with a secret of their own."""
    smtp_host: str = ""
    smtp_port: Annotated[int, Meta(ge=0, le=65_535)] = 587
    smtp_user: str = ""
    smtp_password: str = ""
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    mail_from: str = ""
    feed_directory: str = ""
    """Where feed files are written; ``feeds`` in the data directory when empty."""
    feed_entries: int = 100
    """How many entries a feed keeps."""
    timeout: float = 20.0
    """Seconds after which sending one message is given up."""
    retry_delay: float = 60.0
    """Seconds before the second attempt; each further delay is twice as long."""
    retry_delay_max: float = 21_600.0
    max_attempts: int = 24
    """After this many failed attempts, a message waits for ``pageloom notify retry``."""
    rate_limit: int = 60
    """Messages to one target per hour; further ones are joined into one."""
    digest_minutes: float = 0.0
    """Minutes to collect notices into one message; 0 sends each at once."""
