"""One server for each module, on SQLite; a site to save pages from."""

from __future__ import annotations

import pytest
from tests.site.server import start_site
from tests.web.server import running


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> str:
    """A library of this module."""
    return str(tmp_path_factory.mktemp("web") / "library.db")


@pytest.fixture(scope="module")
def server(database, tmp_path_factory):
    """A running server."""
    home = tmp_path_factory.mktemp("home")
    with running(database, XDG_CONFIG_HOME=str(home), XDG_DATA_HOME=str(home)) as started:
        yield started


@pytest.fixture(scope="module")
def browser(server):
    """The user ``local``, signed in."""
    return server.browser()


@pytest.fixture(scope="module")
def site():
    """A small web."""
    yield from start_site()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Tests of a module share one server and its library: they are told in the order written."""
    mine = [item for item in items if "tests/web/" in item.path.as_posix()]
    places = [place for place, item in enumerate(items) if item in mine]
    told = sorted(mine, key=lambda item: (item.path, item.location[1] or 0))
    for place, item in zip(places, told, strict=True):
        items[place] = item
