"""What is hidden of secrets, and what is left alone."""

from __future__ import annotations

import time

import pytest

from pageloom.errors import FetchError
from pageloom.redaction import redact, redact_address, redact_value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("amqp://me:hunter2@rabbit:5672/", "amqp://…@rabbit:5672/"),
        ("amqp://me:hun/ter2@rabbit:5672/", "amqp://…@rabbit:5672/"),
        ("amqp://me:hun#ter2@rabbit/", "amqp://…@rabbit/"),
        ("amqp://me:hun?ter2@rabbit/", "amqp://…@rabbit/"),
        ("amqp://me:12/hunter2@rabbit/", "amqp://…@rabbit/"),
        ("postgresql://me:hun ter2@db/x", "postgresql://…@db/x"),
        ('postgresql://me:hun"ter2@db/x', "postgresql://…@db/x"),
        ("http://me:p@hunter2@mill.example/", "http://…@mill.example/"),
        ("http://me:p@hun/t@er2@mill.example/", "http://…@mill.example/"),
        ("https://hunter2@mill.example/", "https://…@mill.example/"),
        ("https://hun/ter2@mill.example/", "https://…@mill.example/"),
        ("see http://a:hunter2@b/ and http://c:hunter2@d/.", "see http://…@b/ and http://…@d/."),
        ("https://a.example/https://b:hunter2@c/", "https://a.example/https://…@c/"),
        (
            "https://a.example/?access_token=hunter2&q=1",
            "https://a.example/?access_token=(hidden)&q=1",
        ),
        ("https://a.example/?q=1&API_KEY=hunter2", "https://a.example/?q=1&API_KEY=(hidden)"),
        ("https://a.example/#token=hunter2", "https://a.example/#token=(hidden)"),
        ("https://a.example/?sig=" + "hunter2" * 999, "https://a.example/?sig=(hidden)"),
        ("host=db password=hunter2 user=me", "host=db password=(hidden) user=me"),
        ('{"headers": {"Cookie": "hunter\\"2"}, "x', '{"headers": {"Cookie": "(hidden)"}, "x'),
        ("Authorization: Bearer hunter2\nHost: a", "Authorization: (hidden)\nHost: a"),
    ],
)
def test_secrets_are_hidden(text, shown):
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "https://social.example/@miller/clocks",
        "https://127.0.0.1:8080/@miller",
        "https://[::1]:8080/@miller",
        "http://localhost:80/?mail=me@mill.example",
        "amqp://rabbit:5672/",
        "https://mill.example/?q=clocks&keyword=wind",
        "Ask me@mill.example: the author knows.",
        '{"url":"http://mill:80/","mail":"me@mill.example","author":"Ann"}',
    ],
)
def test_what_is_no_secret_stays(text):
    assert redact(text) == text


def test_an_address_without_a_scheme_hides_what_is_before_its_host():
    assert redact_address("me:hunter2@rabbit:5672") == "…@rabbit:5672"
    assert redact_address("amqp://me:hun/ter2@rabbit") == "amqp://…@rabbit"


def test_an_address_whose_host_was_forgotten_hides_what_is_no_port():
    assert redact_address("amqp://me:hun/ter2") == "amqp://me:…"
    assert redact_address("me:hunter2") == "me:…"
    for good in (
        "amqp://rabbit:5672/mill",
        "amqp://rabbit:5672",
        "amqp://[::1]:5672/",
        "rabbit:5672",
    ):
        assert redact_address(good) == good


@pytest.mark.parametrize(
    "place", ["/var/lib/pages.db", "pages.db", "sqlite:///pages.db", "C:\\pages.db", "C:/pages.db"]
)
def test_a_place_on_disk_is_no_secret(place):
    assert redact_address(place) == place


def test_names_tell_secrets_at_any_depth():
    given = {
        "headers": {"Authorization": "hunter2", "X-Api-Key": "hunter2", "Accept": "*/*"},
        "cookies": {"sid": "hunter2"},
        "list": [{"password": 4711}, ("http://a:hunter2@b/",)],
        "author": "Ann",
        "token": "",
        "keywords": ["wind"],
    }
    assert redact_value(given) == {
        "headers": {"Authorization": "(hidden)", "X-Api-Key": "(hidden)", "Accept": "*/*"},
        "cookies": {"sid": "(hidden)"},
        "list": [{"password": "(hidden)"}, ["http://…@b/"]],
        "author": "Ann",
        "token": "",
        "keywords": ["wind"],
    }


def test_errors_do_not_carry_them():
    error = FetchError("No.", kind="dns", url="http://me:hun/ter2@mill/?token=hunter2")
    assert "ter2" not in str(error.to_dict())


@pytest.mark.parametrize(
    "bait",
    ["://", "://a@", "?", "&a=", '"', '"token', "cookie:", "k", "http://a:", "http://a.b/", "; "],
)
def test_no_text_takes_long(bait):
    started = time.perf_counter()
    redact(bait * (300_000 // len(bait)) + "@=:")
    assert time.perf_counter() - started < 5
