"""Look at the output of a bulk run."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from pyarrow import parquet


def rows(out: Path, kind: str = "documents") -> list[dict]:
    """All rows, in order."""
    found = sorted((out / kind).glob("*.parquet"))
    return [row for path in found for row in parquet.read_table(path).to_pylist()]


def digests(out: Path) -> dict[str, str]:
    """The bytes of every part, by name."""
    found = [*(out / "documents").iterdir(), *(out / "rejects").iterdir()]
    return {f"{p.parent.name}/{p.name}": sha256(p.read_bytes()).hexdigest() for p in sorted(found)}


def left_over(out: Path) -> list[str]:
    """Files that should not be there."""
    return [str(path) for path in out.rglob("*") if path.name.endswith(".part")]


def children_of(pid: int) -> list[int]:
    """The processes that a process started, and those that they started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *children_of(child)]
    return found
