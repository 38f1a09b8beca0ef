"""Nothing of the machine a test runs on may change its result."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import threading
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from tests.postgres import new_database, postgres_server
from tests.rabbitmq import make_broker
from tests.services import use_memory
from xdist.scheduler import LoadFileScheduling

from pageloom.edges.store.base import open_store
from pageloom.settings import BROKER_URL, PLAIN_NAMES

if threading.current_thread() is threading.main_thread():
    # Whoever starts the tests in the background may have had Ctrl-C ignored, for our children too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

use_memory()  # before anything asks where temporary files go
_HOMES = itertools.count()
_WITH_BROKER = ("tests/integration/agents/", "tests/contract/watch_both_ways/")

hypothesis.settings.register_profile("any speed", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("any speed")


def pytest_report_header() -> str:
    """Which Pageloom is tested: sources, or a wheel with compiled modules."""
    from pageloom.core import words

    kind = "sources" if words.__file__.endswith(".py") else "compiled"
    return f"pageloom: {kind}, {Path(words.__file__).parents[1]}"


@pytest.hookimpl(trylast=True)  # after those who shuffle them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first: whichever begins last is waited for."""
    items.sort(key=_seconds, reverse=True)


def _seconds(item: pytest.Item) -> int:
    mark = item.get_closest_marker("slow_file")
    return mark.kwargs["seconds"] if mark else 0


class _ByFile(LoadFileScheduling):
    """Each file in one process, and all that need RabbitMQ in the same: it is slow to start."""

    def _split_scope(self, nodeid: str) -> str:
        return "rabbitmq" if nodeid.startswith(_WITH_BROKER) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _ByFile | None:
    return _ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


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


@pytest.fixture(scope="session")
def library_in_postgres(postgres):
    """An empty library to be copied: to make one takes longer than most tests."""
    with new_database(postgres) as address:
        open_store(address).close()
        yield address


@pytest.fixture(scope="session")
def library_in_a_file(tmp_path_factory) -> Path:
    """The same in SQLite."""
    path = tmp_path_factory.mktemp("library") / "empty.db"
    open_store(path).close()
    return path


@pytest.fixture
def sqlite_library(library_in_a_file, tmp_path) -> Path:
    """The path of an empty library."""
    return shutil.copy(library_in_a_file, tmp_path / "library.db")


@pytest.fixture
def postgres_library(postgres, library_in_postgres):
    """The address of an empty library."""
    with new_database(postgres, library_in_postgres) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgres"])
def database(request) -> str:
    """The address of an empty library, in SQLite and in PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_library"))


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    """A node of RabbitMQ."""
    node = make_broker(tmp_path_factory.mktemp("rabbitmq"))
    try:
        node.start()
        yield node
    finally:
        node.stop()


@pytest.fixture
def receiver():
    """A receiver of webhooks that remembers what it was sent."""
    from tests.contract.receiver import Receiver

    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
