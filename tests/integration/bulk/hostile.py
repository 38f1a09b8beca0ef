"""An engine in which some pages do what no page should be able to do."""

from __future__ import annotations

import os
import re
import signal
import time
from typing import Any

from pageloom.edges.archive.kinds import read_entries
from pageloom.flows.bulk import page_rows, runner


def make_reader(options: Any, rules: Any) -> Any:
    read = page_rows.make_reader(options, rules)
    runner.read_entries = _read_entries

    def read_page(raw: Any, *place: Any) -> Any:
        act = ACTS.get(raw.url.rpartition("#")[2])
        if act:
            act()
        return read(raw, *place)

    return read_page


def _read_entries(*place: Any, **more: Any) -> Any:
    """As they are read, unless a record's address kills whoever reads it."""
    for entry in read_entries(*place, **more):
        if entry.url.endswith("#unreadable"):
            os.kill(os.getpid(), signal.SIGBUS)
        yield entry


def _spin() -> None:
    while True:
        pass


def _grow() -> None:
    held = []
    while True:
        held.append(bytes(50_000_000))


ACTS = {
    "hangs-in-c": lambda: re.fullmatch("(a+)+b", "a" * 60),
    "hangs-in-python": _spin,
    "sleeps": lambda: time.sleep(3600),
    "crashes": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "aborts": os.abort,
    "exits": lambda: os._exit(3),
    "grows": _grow,
    "naps": lambda: time.sleep(0.5),
}
