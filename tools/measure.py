"""The shape of the code: lengths of functions and files. tests/architecture sets the limits."""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def main(root: Path) -> None:
    """Print medians, 95th percentiles and the longest of each."""
    show("files", files_in(root))
    show("functions", functions_in(root))


def files_in(root: Path) -> list[tuple[int, str]]:
    """Length and path of every module, shortest first."""
    return sorted((len(path.read_text().splitlines()), str(path)) for path in root.rglob("*.py"))


def functions_in(root: Path) -> list[tuple[int, str]]:
    """Length and place of every function, shortest first."""
    return sorted(found for path in root.rglob("*.py") for found in functions_of(path))


def part(ordered: list[tuple[int, str]], share: float) -> int:
    """The length that this share of them does not exceed."""
    return ordered[int(len(ordered) * share)][0]


def functions_of(path: Path) -> list[tuple[int, str]]:
    """Length and place of every function of a file."""
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{path}:{node.lineno} {node.name}")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def show(what: str, ordered: list[tuple[int, str]]) -> None:
    """One line of figures, then the five longest."""
    middle, high = part(ordered, 0.5), part(ordered, 0.95)
    total = sum(length for length, _ in ordered)
    print(f"{len(ordered)} {what}, {total} lines: median {middle}, 95% under {high + 1}")
    for length, place in reversed(ordered[-5:]):
        print(f"  {length:5}  {place}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
