"""Every test of this folder runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest

from pageloom.edges.store.base import Store, open_store


@pytest.fixture(params=["sqlite", "postgres"])
def bare_database(request, tmp_path) -> str:
    """The address of a database in which nothing is."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return str(tmp_path / "library.db")


@pytest.fixture
def store(database):
    """An empty library."""
    with open_store(database) as opened:
        assert isinstance(opened, Store)
        yield opened
