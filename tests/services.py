"""Programs that tests talk to. One that is missing skips its tests; in CI that is a failure."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

import pytest

CHROMIUM_NAMES = (
    "chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable"
)
RABBITMQ_PLACES = (
    "/usr/lib/rabbitmq/bin",
    "/opt/homebrew/opt/rabbitmq/sbin",
    "/usr/local/opt/rabbitmq/sbin",
)


def need(service: str, found: str | None) -> str:
    """The program, or the end of this test with a name on it."""
    if found:
        return found
    message = f"{service} is not installed here and could not be: `make test` says more"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def chromium() -> str:
    """Chromium's executable."""
    paths = (shutil.which(name) for name in CHROMIUM_NAMES.split())
    return need("Chromium", next(filter(None, paths), None))


def c_compiler() -> str:
    """A C compiler that finds the headers of this Python."""
    has_headers = Path(sysconfig.get_path("include"), "Python.h").exists()
    found = shutil.which(os.environ.get("CC") or "cc")
    return need("A C compiler with Python's headers", found if has_headers else None)


def rabbitmq_server() -> str:
    """The start script of RabbitMQ that does not insist on its own user."""
    paths = (Path(place) / "rabbitmq-server" for place in RABBITMQ_PLACES)
    return need("RabbitMQ", next((str(path) for path in paths if path.exists()), None))
