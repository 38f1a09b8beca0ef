"""Programs that tests talk to. One that is missing skips its tests; in CI that is a failure."""

from __future__ import annotations

import os
import shutil
import sysconfig
import tempfile
from pathlib import Path

import pytest

CHROMIUM_NAMES = (
    "chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable"
)
MEMORY = Path("/dev/shm")  # noqa: S108  directories in it are made by tempfile
ENOUGH = 4_000_000_000
RABBITMQ_PLACES = (
    "/usr/lib/rabbitmq/bin",
    "/opt/homebrew/opt/rabbitmq/sbin",
    "/usr/local/opt/rabbitmq/sbin",
)


def use_memory() -> None:
    """Put temporary files into memory, where there is enough and programs may lie in it.

    On a disk, tests of stores take twice as long, for databases that nobody keeps.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    runs_programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    if runs_programs and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # it is asked for again


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
