"""Real RabbitMQ for every test of this folder: one node for all, a virtual host for each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.agents.bench import Bench
from tests.rabbitmq import Broker


@pytest.fixture
def rabbit_url(broker: Broker) -> str:
    """The address of an empty virtual host."""
    return broker.url(broker.take_vhost())


@pytest.fixture(params=["sqlite"])
def database(request) -> str:
    return str(request.getfixturevalue(f"{request.param}_library"))


@pytest.fixture
def bench(rabbit_url: str, database: str):
    """Workers, queues and the library of one test."""
    made = Bench(rabbit_url, database)
    yield made
    made.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Brokers are slow to start, and tests of workers wait for several processes."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(180))
