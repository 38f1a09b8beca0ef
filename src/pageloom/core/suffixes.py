"""Registrable domains by the real public suffix list.

The list is the file that the package publicsuffixlist carries. It is read here, on first use: by
that package's own reader it would take three times as long.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import NamedTuple

import can_ada

from pageloom.core.memoize import memoize

_PACKAGE = "publicsuffixlist"
_FILE = "public_suffix_list.dat"
_PRIVATE = "===BEGIN PRIVATE DOMAINS==="


class _Suffixes(NamedTuple):
    plain: frozenset[str]
    wildcards: frozenset[str]
    """``ck`` stands for ``*.ck``."""
    exceptions: frozenset[str]


@memoize(4_096)
def registrable(host: str) -> str:
    """The registrable domain of a host: ``bbc.co.uk`` of ``news.bbc.co.uk``.

    Args:
        host: a lower-case host name in ASCII; an IP address, or a name that is itself a public
            suffix, is its own answer.
    """
    labels = host.split(".")
    if host.startswith("[") or labels[-1].isdigit():
        return host
    size = _suffix_size(labels)
    return ".".join(labels[-size - 1 :])


def _suffix_size(labels: list[str]) -> int:
    """How many labels at the end are the public suffix; the longest rule wins, by default one."""
    suffixes = _load()
    for start in range(len(labels)):
        name = ".".join(labels[start:])
        if name in suffixes.exceptions:
            return len(labels) - start - 1
        parent = name.partition(".")[2]
        if name in suffixes.plain or parent in suffixes.wildcards:
            return len(labels) - start
    return 1


@lru_cache(maxsize=1)
def _load() -> _Suffixes:
    rules = [_to_ascii(line) for line in _read().split("\n") if line and not line.startswith("//")]
    return _Suffixes(
        plain=frozenset(rule for rule in rules if rule[0] not in "*!"),
        wildcards=frozenset(rule[2:] for rule in rules if rule.startswith("*.")),
        exceptions=frozenset(rule[1:] for rule in rules if rule.startswith("!")),
    )


def _read() -> str:
    """The part of the list that registries made; without it, every suffix is one label long."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations or spec.loader is None:
        return ""
    path = f"{spec.submodule_search_locations[0]}/{_FILE}"
    read = getattr(spec.loader, "get_data", None)
    return read(path).decode("utf-8").partition(_PRIVATE)[0] if read else ""


def _to_ascii(rule: str) -> str:
    rule = rule.strip()
    return rule if rule.isascii() else can_ada.idna_encode(rule).decode()
