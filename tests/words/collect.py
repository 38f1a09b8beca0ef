"""Every message a user may read: help texts, errors with their advice, and what commands print.

``python -m tests.words.collect`` writes them to messages.txt, so that a new or changed sentence is
seen in review.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "pageloom"
MESSAGES = HERE / "messages.txt"
_PRINTERS = {"print", "print_lines", "warn", "warn_old", "confirm", "write"}


def help_texts() -> list[str]:
    """Of all commands, their arguments and flags."""
    from typer.main import get_command

    from pageloom.apps.cli.commands import COMMANDS, FAMILIES, GROUPS
    from pageloom.apps.cli.main import assemble

    found = [*FAMILIES.values(), *(line for group in GROUPS.values() for _, line in group.values())]
    root: Any = get_command(assemble(COMMANDS))
    for name in COMMANDS:
        family, _, own = name.rpartition(" ")
        command = (root.commands[family] if family else root).commands[own]
        found += [command.help or "", *(each.help or "" for each in command.params)]
    return found


def error_names() -> set[str]:
    """The classes of errors that users meet."""
    from pageloom import errors

    kinds = {name for name, each in vars(errors).items() if isinstance(each, type)}
    return kinds | {"UsageTrouble", "NoAnswer", "NoSuchLetter", "LostLease"}


def messages_of(path: Path, errors: set[str]) -> list[str]:
    """The sentences of errors in a module; of the command line also what it prints."""
    found: list[str] = []
    prints = "apps/cli" in path.as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in errors or (prints and name in _PRINTERS):
                found += [text for part in (*node.args, *node.keywords) for text in texts(part)]
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "advice":
            found += texts(node.value)
    return found


def texts(node: ast.AST) -> list[str]:
    """The strings of an expression that are sentences; ``{}`` where a value is filled in."""
    if isinstance(node, ast.JoinedStr):
        parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        found = ["".join(map(str, parts))]
    elif isinstance(node, ast.Constant):
        found = [node.value] if isinstance(node.value, str) else []
    else:
        found = [text for each in ast.iter_child_nodes(node) for text in texts(each)]
    return [text for text in found if " " in text.strip()]


def collect() -> list[str]:
    """All of them, each once, on one line."""
    errors = error_names()
    found = help_texts()
    for path in sorted(SOURCE.rglob("*.py")):
        found += messages_of(path, errors)
    return sorted({" ".join(text.split()) for text in found} - {""})


if __name__ == "__main__":
    MESSAGES.write_text("\n".join(collect()) + "\n", encoding="utf-8")
