"""Turns errors of aiohttp, TLS and the system into FetchError, by one table."""

from __future__ import annotations

import ssl

import aiohttp

from pageloom.errors import FetchError


class _Kind:
    """One row: the kind of FetchError, its message, what to try, and whether a retry may help."""

    def __init__(self, kind: str, message: str, advice: str = "", *, retryable: bool) -> None:
        self.kind = kind
        self.message = message
        self.advice = (advice,) if advice else ()
        self.retryable = retryable


_TIMEOUT = _Kind(
    "timeout",
    "The server did not respond in time.",
    "Try again, or raise fetch.timeout.",
    retryable=True,
)
_TLS = _Kind(
    "tls",
    "Could not make a secure connection (TLS) to the server.",
    "The site's certificate may have expired or be for another host name.",
    retryable=False,
)
_REFUSED = _Kind(
    "refused", "Could not connect to the server.", "Check the host and port.", retryable=True
)
_BROKEN = _Kind(
    "protocol",
    "The server closed the connection or did not send valid HTTP.",
    "Try again.",
    retryable=True,
)
_DNS = _Kind(
    "dns",
    "Could not resolve the host name.",
    "Check the spelling of the host name.",
    retryable=True,
)

# The first row whose class fits decides: subclasses stand before their parents.
ERROR_KINDS: tuple[tuple[type[BaseException], _Kind], ...] = (
    (aiohttp.ClientConnectorDNSError, _DNS),
    (aiohttp.ClientConnectorCertificateError, _TLS),
    (aiohttp.ClientSSLError, _TLS),
    (ssl.SSLError, _TLS),
    (TimeoutError, _TIMEOUT),
    (aiohttp.ServerDisconnectedError, _BROKEN),
    (aiohttp.ClientConnectorError, _REFUSED),
    (aiohttp.ClientError, _BROKEN),
    (OSError, _REFUSED),
    (ValueError, _BROKEN),
)


def translate(error: BaseException, url: str, timeout: float) -> FetchError:
    """The FetchError for an error of a library or the system."""
    kind = next(row for cause, row in ERROR_KINDS if isinstance(error, cause))
    translated = FetchError(
        kind.message,
        kind=kind.kind,
        url=url,
        suggestions=kind.advice,
        retryable=kind.retryable,
    )
    if kind is _TIMEOUT:
        translated.figures["timeout_s"] = timeout
    return translated
