"""Receivers of webhooks can tell ours from others'."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

import pageloom

BODY = json.dumps({"id": "8d2f", "title": "Kettle: 39.90 EUR to 34.90 EUR"}).encode()
AT = 1_772_700_000


def signed(secret: bytes = b"shared", body: bytes = BODY, at: int = AT) -> dict[str, str]:
    """Headers as the standard says, made without our code."""
    digest = hmac.new(secret, f"8d2f.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": "8d2f",
        "Webhook-Timestamp": str(at),
        "Webhook-Signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def test_a_signed_body_is_read():
    notice = pageloom.verify_webhook(BODY, signed(), "shared", at=AT + 10)
    assert notice["title"].startswith("Kettle")


def test_a_secret_of_the_standard_is_base64():
    secret = "whsec_" + base64.b64encode(b"harbour").decode()
    assert pageloom.verify_webhook(BODY, signed(b"harbour"), secret, at=AT)["id"] == "8d2f"


def test_one_of_several_signatures_is_enough():
    headers = signed()
    headers["Webhook-Signature"] = f"v1,AAAA v2,BBBB {headers['Webhook-Signature']}"
    assert pageloom.verify_webhook(BODY, headers, "shared", at=AT)


@pytest.mark.parametrize(
    ("body", "headers", "at", "why"),
    [
        (BODY, signed(b"other"), AT, "signature"),
        (BODY + b" ", signed(), AT, "signature"),
        (BODY, signed() | {"Webhook-Id": "8d30"}, AT, "signature"),
        (BODY, signed() | {"Webhook-Signature": "v1,ü"}, AT, "signature"),
        (BODY, signed() | {"Webhook-Timestamp": "soon"}, AT, "timestamp"),
        (BODY, signed(), AT + 301, "too old"),
        (BODY, signed(), AT - 301, "future"),
        (BODY, {}, AT, "webhook-id"),
    ],
)
def test_everything_else_is_refused(body, headers, at, why):
    with pytest.raises(pageloom.InvalidSignature, match=why) as caught:
        pageloom.verify_webhook(body, headers, "shared", at=at)
    assert caught.value.suggestions


def test_an_old_message_is_refused_by_the_clock():
    with pytest.raises(pageloom.InvalidSignature, match="too old"):
        pageloom.verify_webhook(BODY, signed(at=1), "shared")


def test_what_pageloom_sends_is_accepted(tmp_path, receiver):
    flags = {"fetch.allowed_hosts": ["127.0.0.1"], "notify.webhook_secret": "shared"}
    settings = pageloom.load_settings(flags=flags)
    with pageloom.open_library(tmp_path / "library.db", settings=settings) as library:
        sent = library.notify_test(receiver.url())
    taken = receiver.taken[0]
    assert pageloom.verify_webhook(taken.body, taken.headers, "shared")["id"] == sent
