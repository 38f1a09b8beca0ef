"""Pin the figures of today as floors: ``python -m tests.quality.pin [--lower NAME ...]``.

A floor that would fall is refused unless it is named, so that a step back is somebody's decision.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.quality.measure import corpus_hash, measure

FLOORS = Path(__file__).with_name("floors.json")


def read_floors() -> dict[str, float]:
    return json.loads(FLOORS.read_text(encoding="utf-8"))["floors"] if FLOORS.exists() else {}


def fallen(figures: dict[str, float], floors: dict[str, float]) -> dict[str, str]:
    """Each floor that a figure does not reach."""
    return {
        name: f"{name} is {figures.get(name, 0):.4f}, its floor {floor:.4f}"
        for name, floor in floors.items()
        if figures.get(name, 0) < floor
    }


def pin(figures: dict[str, float], lower: list[str]) -> list[str]:
    """Write the floors; or say what stands in the way, and write nothing."""
    refused = [
        f"{complaint}: fix it, or say --lower {name}"
        for name, complaint in fallen(figures, read_floors()).items()
        if name not in lower
    ]
    if not refused:
        pinned = {"corpus": corpus_hash(), "floors": dict(sorted(figures.items()))}
        FLOORS.write_text(json.dumps(pinned, indent=2) + "\n", encoding="utf-8")
    return refused


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lower", action="append", default=[], metavar="NAME")
    refused = pin(measure().figures, parser.parse_args().lower)
    sys.stdout.write("\n".join([*refused, FLOORS.read_text(encoding="utf-8")]))
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main())
