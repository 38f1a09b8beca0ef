"""Nothing of the machine a test runs on may change its result."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from pathlib import Path

import hypothesis
import pytest
from tests.postgres import new_database, postgres_server

from pageloom.settings import BROKER_URL, PLAIN_NAMES

if threading.current_thread() is threading.main_thread():
    # Whoever starts the tests in the background may have had Ctrl-C ignored, for our children too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


_HOMES = itertools.count()

hypothesis.settings.register_profile("any speed", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("any speed")


def pytest_report_header() -> str:
    """Which Pageloom is tested: sources, or a wheel with compiled modules."""
    from pageloom.core import words

    kind = "sources" if words.__file__.endswith(".py") else "compiled"
    return f"pageloom: {kind}, {Path(words.__file__).parents[1]}"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory):
    """No settings of whoever runs the tests."""
    for name in list(os.environ):
        if name.startswith(("PAGELOOM_", "OTEL_")) or name in {BROKER_URL, *PLAIN_NAMES}:
            monkeypatch.delenv(name)
    # Named, not made: few tests use them, and making a numbered folder looks at all that are there.
    home = tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.fixture(scope="session")
def postgres():
    """The address of a PostgreSQL server."""
    with postgres_server() as address:
        yield address


@pytest.fixture
def postgres_url(postgres):
    """The address of an empty PostgreSQL database."""
    with new_database(postgres) as address:
        yield address


@pytest.fixture
def postgres_url2(postgres):
    """The address of another empty PostgreSQL database."""
    with new_database(postgres) as address:
        yield address
