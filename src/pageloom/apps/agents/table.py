"""Which worker is where; each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pageloom.apps.agents.topology import AGENTS

if TYPE_CHECKING:
    from pageloom.apps.agents.work import Agent

_HOME = "pageloom.apps.agents"


def make_agent(name: str) -> Agent:
    """The worker of that name."""
    if name not in AGENTS:
        raise ValueError(f"there is no worker {name}")
    return import_module(f"{_HOME}.{name.replace('-', '_')}").AGENT
