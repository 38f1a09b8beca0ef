"""Every message a user may read: help texts, errors with their advice, and what commands print.

``python -m tests.words.collect`` writes them to messages.txt, so that a new or changed sentence is
seen in review.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src" / "pageloom"
MESSAGES = HERE / "messages.txt"
_READERS = {"frozenset", "set", "split", "compile", "matcher", "namedtuple"}
_WORDS = re.compile(r"[A-Za-z]{3}.* |[^ ] .*[A-Za-z]{3}")
_SQL = (
    "SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|WHERE|FROM|AND|SET|AS|JOIN|IN|ON"
    "|IS|NOT|ANY|LIMIT|DESC|INTEGER|DOUBLE|COLLATE|INDEXED"
)
_CODE = re.compile(
    rf"\b(?:{_SQL}|MAP|charset|Mozilla|HTTP/1.1 \{{)\b|[<|\\]|[=>] |[ -]_[a-z]|__|=\"|\]\]"
    r"|\$|\{[a-z]|\[\w+, |import sys|^[\w.]+(?:, ?[\w.]+)*$"
)
"""SQL, markup, patterns, types, shell, and lists of names."""


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

    return {name for name, each in vars(errors).items() if isinstance(each, type)}


def errors_in(module: ast.Module, errors: set[str]) -> list[str]:
    """The sentences in calls of errors: elsewhere the core has words of pages, not for readers."""
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id in errors)
    parts = [part for call in named for part in call.args + call.keywords]
    assigned = (node for node in ast.walk(module) if isinstance(node, ast.Assign))
    parts += [node.value for node in assigned if getattr(node.targets[0], "id", "") == "advice"]
    return [text for part in parts for text in texts(part)]


def texts(node: ast.AST) -> list[str]:
    """The sentences and phrases in a piece of code; ``{}`` where a value is filled in.

    No docstrings, no types, and no sets of words to be recognised in pages.
    """
    if isinstance(node, ast.JoinedStr):
        parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        return phrases("".join(map(str, parts)))
    if isinstance(node, ast.Constant):
        return phrases(node.value) if isinstance(node.value, str) else []
    if is_for_programs(node):
        return []
    return [text for each in ast.iter_child_nodes(node) for text in texts(each)]


def is_for_programs(node: ast.AST) -> bool:
    """Docstrings, annotations, sets, and calls that read words, patterns or SQL."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) in _READERS
    return isinstance(node, ast.Set | ast.arguments)


def phrases(text: str) -> list[str]:
    """The text, if people may read it: words in a row that are neither SQL nor markup."""
    is_read = _WORDS.search(text) and not _CODE.search(text)
    return [" ".join(text.split())] if is_read else []


def template_texts() -> list[str]:
    """The words of the web app's pages: text, and what is read out in its place."""
    found: list[str] = []
    for path in sorted((SOURCE / "apps" / "web" / "templates").glob("*.html")):
        text = re.sub(
            r"\{#.*?#\}|\{%.*?%\}", "\0", path.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        text = re.sub(r"\{\{.*?\}\}", "{}", text, flags=re.DOTALL)
        shown = re.findall(r'(?:aria-label|placeholder|title)="([^"]*)"', text)
        for part in [*shown, *re.split(r"<[^>]*>|\0", text)]:
            words = " ".join(part.split())
            found += [words] if re.search(r"[A-Za-z]{3}.* ", words) else []
    return found


def collect() -> list[str]:
    """All of them, each once, on one line."""
    errors = error_names()
    found = help_texts() + template_texts()
    for path in sorted(SOURCE.rglob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        is_core = path.is_relative_to(SOURCE / "core")
        found += errors_in(module, errors) if is_core else texts(module)
    return sorted({" ".join(text.split()) for text in found} - {""})


if __name__ == "__main__":
    MESSAGES.write_text("\n".join(collect()) + "\n", encoding="utf-8")
