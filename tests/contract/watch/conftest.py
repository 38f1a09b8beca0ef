"""Every test of this folder runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest
from tests.contract.watch.rig import Rig
from tests.site.server import start_site

from pageloom.edges.store.base import open_store


@pytest.fixture
def store(database):
    """An empty library."""
    with open_store(database) as opened:
        yield opened


@pytest.fixture
def site():
    """A small web site on this machine."""
    yield from start_site()


@pytest.fixture
def rig(store, site, tmp_path) -> Rig:
    """A library, a site and a clock."""
    return Rig(store, site, tmp_path)
