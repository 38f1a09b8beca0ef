"""A small web on this machine, for every test that fetches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.site.server import start_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.site.server import Site


@pytest.fixture
def site() -> Iterator[Site]:
    yield from start_site()


@pytest.fixture
def other_site() -> Iterator[Site]:
    yield from start_site()
