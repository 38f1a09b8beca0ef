"""The shape of the code: lengths of functions and files. A thermometer, not a gate."""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def main(root: Path) -> None:
    """Print medians, 95th percentiles and the longest of each."""
    files = sorted(root.rglob("*.py"))
    lengths = [(len(path.read_text().splitlines()), str(path)) for path in files]
    functions = [found for path in files for found in functions_of(path)]
    show("files", lengths)
    show("functions", functions)


def functions_of(path: Path) -> list[tuple[int, str]]:
    """Length and place of every function of a file."""
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{path}:{node.lineno} {node.name}")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def show(what: str, lengths: list[tuple[int, str]]) -> None:
    """One line of figures, then the five longest."""
    ordered = sorted(lengths)
    middle, high = (ordered[int(len(ordered) * part)][0] for part in (0.5, 0.95))
    total = sum(length for length, _ in ordered)
    print(f"{len(ordered)} {what}, {total} lines: median {middle}, 95% under {high + 1}")
    for length, place in reversed(ordered[-5:]):
        print(f"  {length:5}  {place}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
