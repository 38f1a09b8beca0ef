"""Apprise URLs: the hundred services that the optional package knows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pageloom.errors import MissingExtra, NotifyError, SettingsError

if TYPE_CHECKING:
    from pageloom.edges.notify.notice import Notice

# What acts on this machine is not for a message that anyone may cause.
_LOCAL = frozenset({"dbus", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"})


def send_by_apprise(notice: Notice, url: str) -> None:
    """Send one notice by an Apprise URL. Blocks, and dials by itself: see flows/apprise_child.

    Raises:
        MissingExtra: Apprise is not installed.
        SettingsError: the URL means no service.
        NotifyError: the service did not take it.
    """
    try:
        import apprise
    except ImportError:
        raise MissingExtra(
            "Apprise is not installed.", suggestions=("pip install 'pageloom[notify]'",)
        ) from None
    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # its words name tokens
    service = None if _scheme(url) in _LOCAL else apprise.Apprise.instantiate(url)  # pyright: ignore[reportUnknownMemberType]
    if service is None:
        raise SettingsError("Apprise knows no such service, or the URL misses a part of it.")
    text = "\n\n".join(part for part in (notice.text, notice.url) if part) or notice.title
    if not service.notify(body=text, title=notice.title):
        raise NotifyError("The service did not take the message.", retryable=True)


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()
