"""A library of its own for each test, and the command line on it."""

from __future__ import annotations

import io
import sys

import pytest
from tests.integration.cli import Result

from pageloom.apps.cli.main import run

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
        self._monkeypatch = monkeypatch
        monkeypatch.setenv("PAGELOOM_DATABASE_URL", database)
        monkeypatch.setenv("PAGELOOM_FETCH_ALLOWED_HOSTS", "127.0.0.1")

    def __call__(self, *arguments: object, stdin: bytes = b"", **extra: str) -> Result:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with self._monkeypatch.context() as patch:
            for name, value in extra.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run([str(argument) for argument in arguments])
        return Result(code, *(_text(stream) for stream in (out, err)))

    def keep(self, url: str, content: bytes | None = None, *flags: str) -> dict:
        """Save a captured page; what the command says of it."""
        result = self(
            "save", "--from", "-", "--url", url, "--json", *flags, stdin=content or page()
        )
        assert result.code == 0, result.out + result.err
        return result.json


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()


@pytest.fixture
def shell(sqlite_library, monkeypatch) -> Shell:
    return Shell(monkeypatch, str(sqlite_library))
