"""Webhooks: a signed POST of JSON, by the conventions of standardwebhooks.com.

The receiver computes HMAC-SHA256 over ``id.timestamp.body`` with the shared secret, compares it
with ``webhook-signature``, refuses old timestamps, and remembers ids: a notice may come twice.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from time import time
from typing import TYPE_CHECKING, Any

from pageloom.errors import InvalidSignature, NotifyError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.edges.notify.notice import Notice
    from pageloom.edges.notify.options import NotifyOptions

Post = Callable[[str, bytes, dict[str, str]], Awaitable[int]]
"""URL, body and headers to a status: the guarded HTTP client, passed in by flows."""

_PREFIX = "whsec_"
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 507, 521, 522, 523, 524})
MAX_BODY = 1_000_000
_LONGEST_TIMESTAMP = 16
_MOST_SIGNATURES = 10
"""While a secret is replaced, a sender may sign with both."""


async def send_webhook(
    notice: Notice, url: str, *, secret: str, post: Post, timestamp: int
) -> None:
    """POST one notice.

    Raises:
        NotifyError: the target rejected it; ``retryable`` says whether to try again.
        FetchError: it could not be sent.
    """
    body = _body(notice)
    headers = sign(notice.id, timestamp, body, secret)
    status = await post(url, body, headers | {"content-type": "application/json"})
    if not 200 <= status < 300:
        raise NotifyError(
            f"The webhook answered with status {status}.",
            retryable=status in _AGAIN,
            status=status,
        )


def sign(message_id: str, timestamp: int, body: bytes, secret: str) -> dict[str, str]:
    """The headers that sign a webhook: id, timestamp and signature."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = 300.0,
    at: float | None = None,
) -> dict[str, Any]:
    """The notice in a webhook's body, once its signature is proved; for those who receive webhooks.

    Remember the ``id`` of what you have handled: a notice may come twice.

    Args:
        body: the bytes of the request, as they came.
        headers: of the request, in any case of letters.
        secret: the one that the sender has in ``notify.webhook_secret``.
        tolerance: seconds by which the sender's clock, or the way here, may be off.
        at: this instant in seconds since the epoch; the clock's when left out.

    Raises:
        InvalidSignature: not signed with this secret, changed on the way, or too old.
    """
    known = {name.lower(): value for name, value in headers.items()}
    parts = [known.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")]
    if not all(parts):
        raise InvalidSignature("The request has no webhook-id, -timestamp or -signature.")
    message_id, timestamp, signatures = parts
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < _LONGEST_TIMESTAMP):
        raise InvalidSignature("webhook-timestamp is not a number of seconds.")
    # The signature first: what others say of the time is not worth a word.
    proof = sign(message_id, int(timestamp), body, secret)["webhook-signature"].encode()
    given = [one.encode("utf-8", "replace") for one in signatures.split()[:_MOST_SIGNATURES]]
    if not any(hmac.compare_digest(proof, one) for one in given):
        raise InvalidSignature("The webhook's signature does not match its body and the secret.")
    if abs((time() if at is None else at) - int(timestamp)) > tolerance:
        raise InvalidSignature("The webhook's timestamp is too old, or in the future.")
    return json.loads(body)


def secret_for(host: str, options: NotifyOptions) -> str:
    """The signing secret for a receiver.

    Raises:
        SettingsError: no secret is configured.
    """
    for entry in options.webhook_secrets:
        name, mark, secret = entry.partition("=")
        if mark and secret and name.strip().lower() == host.lower():
            return secret.strip()
    if options.webhook_secret:
        return options.webhook_secret
    raise SettingsError(
        "Webhooks are signed, but no signing secret is configured.",
        suggestions=("Set notify.webhook_secret (PAGELOOM_NOTIFY_WEBHOOK_SECRET).",),
    )


def _key(secret: str) -> bytes:
    """The signing key: base64 after ``whsec_``; any other secret is used as it is."""
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise SettingsError(
            "notify.webhook_secret begins with whsec_ but the rest is not valid base64."
        ) from None


def _body(notice: Notice) -> bytes:
    body = _encode(notice, notice.data)
    # A report too large for receivers is sent without its details rather than not at all.
    return body if len(body) <= MAX_BODY else _encode(notice, {"truncated": True})


def _encode(notice: Notice, data: dict[str, Any]) -> bytes:
    message = {
        "id": notice.id,
        "type": notice.kind,
        "timestamp": notice.at,
        "title": notice.title,
        "text": notice.text,
        "url": notice.url,
        "importance": notice.importance,
        "data": data,
    }
    return json.dumps(message, ensure_ascii=False, default=str).encode("utf-8", "replace")
