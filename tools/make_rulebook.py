"""Check the shipped rules and write them into one file that loads fast.

    python tools/make_rulebook.py

Reads ``src/pageloom/rulebook/*.yaml`` and writes ``shipped.json`` beside them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from pageloom.edges.rulefiles import SHIPPED, list_files, read_files

RULEBOOK = Path(__file__).parents[1] / "src" / "pageloom" / "rulebook"


def build() -> bytes:
    """The shipped rules as JSON, one a line."""
    loaded = read_files(list_files(RULEBOOK), lint=True)
    if loaded.problems:
        raise SystemExit("\n".join(map(str, loaded.problems)))
    # What is clutter around one story may be what somebody watches the page for.
    specs = [msgspec.structs.replace(spec, compared=True) for spec in loaded.specs]
    lines = b",\n".join(map(msgspec.json.encode, specs))
    return b"[\n" + lines + b"\n]\n"


if __name__ == "__main__":
    data = build()
    (RULEBOOK / SHIPPED).write_bytes(data)
    print(f"{len(data.splitlines()) - 2} rules, {len(data):,} bytes")
    sys.exit(0)
