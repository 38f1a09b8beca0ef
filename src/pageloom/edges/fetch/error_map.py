"""What can go wrong on the network, in our words: one table, read from top to bottom."""

from __future__ import annotations

import ssl

import aiohttp

from pageloom.errors import FetchError


class _Kind:
    """One row: the kind of FetchError, what to say, what to try, and whether again."""

    def __init__(self, kind: str, message: str, advice: str = "", *, retryable: bool) -> None:
        self.kind = kind
        self.message = message
        self.advice = (advice,) if advice else ()
        self.retryable = retryable


_TIMEOUT = _Kind(
    "timeout",
    "The server did not answer in time.",
    "Try again, or raise fetch.timeout.",
    retryable=True,
)
_TLS = _Kind(
    "tls",
    "No encrypted connection could be made.",
    "The site's certificate may be expired or for another name.",
    retryable=False,
)
_REFUSED = _Kind(
    "refused", "The server could not be reached.", "Check host and port.", retryable=True
)
_BROKEN = _Kind(
    "protocol", "The server broke off or did not speak HTTP.", "Try again.", retryable=True
)
_DNS = _Kind("dns", "The host name has no address.", "Check the host's spelling.", retryable=True)

# The first row whose class fits decides: subclasses stand before their parents.
TROUBLE: tuple[tuple[type[BaseException], _Kind], ...] = (
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
    """The FetchError that says the same as a foreign error."""
    kind = next(row for cause, row in TROUBLE if isinstance(error, cause))
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
