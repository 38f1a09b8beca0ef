"""Apprise URLs: the hundred services that the optional package knows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pageloom.errors import MissingExtra, NotifyError, SettingsError

if TYPE_CHECKING:
    from pageloom.edges.notify.notice import Notice

# Services that act on this machine are excluded: anyone who edits a watched page causes a message.
_LOCAL = frozenset({"dbus", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"})


def send_by_apprise(notice: Notice, url: str) -> None:
    """Send one notice with Apprise. Blocks, opens connections: see flows/notify/apprise_child.

    Raises:
        MissingExtra: Apprise is not installed.
        SettingsError: Apprise does not recognise the URL.
        NotifyError: the service rejected it.
    """
    try:
        import apprise
    except ImportError:
        raise MissingExtra(
            "Apprise is not installed.", suggestions=("pip install 'pageloom[notify]'",)
        ) from None
    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # its message may contain tokens
    service = None if _scheme(url) in _LOCAL else apprise.Apprise.instantiate(url)  # pyright: ignore[reportUnknownMemberType]
    if service is None:
        raise SettingsError(
            "Apprise does not recognise this URL: unknown service, or part of the URL missing."
        )
    text = "\n\n".join(part for part in (notice.text, notice.url) if part) or notice.title
    if not service.notify(body=text, title=notice.title):
        raise NotifyError("The service rejected the message.", retryable=True)


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()
