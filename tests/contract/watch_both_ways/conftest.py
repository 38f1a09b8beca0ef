"""One RabbitMQ for all scenarios; every scenario is played on SQLite and on PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.contract.watch_both_ways.scenarios import OTHER_SETTINGS, SCENARIOS
from tests.contract.watch_both_ways.ways import OTHERS, play_all, settings_for
from tests.postgres import new_database
from tests.site.server import start_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.contract.watch_both_ways.ways import Left


@dataclass(frozen=True)
class BothWays:
    """What each way left, by the name of the scenario."""

    scheduler: dict[str, Left]
    workers: dict[str, Left]


@pytest.fixture(scope="module")
def module_site():
    yield from start_site()


def _databases(request, tmp_path_factory) -> Iterator[str]:
    """Addresses of empty databases, one after another."""
    if request.param == "sqlite":
        while True:
            yield str(tmp_path_factory.mktemp("library") / "library.db")
    while True:
        with new_database(request.getfixturevalue("postgres")) as address:
            yield address


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def played(request, broker, module_site, tmp_path_factory) -> BothWays:
    """All scenarios, played both ways."""
    databases = _databases(request, tmp_path_factory)
    ways: dict[bool, dict[str, Left]] = {False: {}, True: {}}
    for scenarios, flags in ((SCENARIOS, {}), (OTHER_SETTINGS, OTHERS)):
        for workers in (False, True):
            url = broker.url(broker.take_vhost())
            settings = settings_for(next(databases), url, workers=workers, **flags)
            ways[workers] |= play_all(scenarios, module_site, settings)
    databases.close()
    return BothWays(scheduler=ways[False], workers=ways[True])
