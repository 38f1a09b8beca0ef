"""A library of its own for each test, and the command line on it."""

from __future__ import annotations

import pytest
from tests.integration.cli import Result, pageloom

PARAGRAPH = (
    "The {subject} of Port Ellery have been counted every spring since the harbour was widened, "
    "and the figures are kept by a retired pilot who writes them into a ledger. {more} "
)


def page(subject: str = "swifts", more: str = "", *, site: str = "Tidewatch") -> bytes:
    """A page as a small news site writes it, with what such a site puts around its text."""
    paragraphs = "".join(
        f"<p>{PARAGRAPH.format(subject=subject, more=more)} Year {1990 + number} was as good.</p>"
        for number in range(6)
    )
    return (
        f"<!doctype html><html lang='en'><head><title>The {subject} of the harbour | {site}</title>"
        f"<meta property='og:site_name' content='{site}'></head><body>"
        "<nav><ul><li><a href='/'>Home</a><li><a href='/news'>News</a><li><a href='/us'>About</a>"
        "</ul></nav><div class='ad-slot'>Advertisement</div>"
        f"<main><article><h1>The {subject} of the harbour</h1>{paragraphs}</article></main>"
        "<footer>Contact us. All rights reserved.</footer></body></html>"
    ).encode()


class Shell:
    """The command line with a library of its own, in this process: its sandbox stays warm."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, database: str) -> None:
        monkeypatch.setenv("PAGELOOM_DATABASE_URL", database)
        monkeypatch.setenv("PAGELOOM_FETCH_ALLOWED_HOSTS", "127.0.0.1")

    def __call__(self, *arguments: object, stdin: bytes = b"", **extra: str) -> Result:
        return pageloom(*arguments, stdin=stdin, **extra)

    def keep(self, url: str, content: bytes | None = None, *flags: str) -> dict:
        """Save a captured page; what the command says of it."""
        result = self(
            "save", "--from", "-", "--url", url, "--json", *flags, stdin=content or page()
        )
        assert result.code == 0, result.out + result.err
        return result.json


@pytest.fixture
def shell(sqlite_library, monkeypatch) -> Shell:
    return Shell(monkeypatch, str(sqlite_library))
