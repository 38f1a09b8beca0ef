"""What several contracts need."""

from __future__ import annotations

import threading

import pytest
from tests.contract.receiver import Receiver


@pytest.fixture
def receiver():
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
