"""Messages, suggestions and docs use the words of the glossary, not those that it replaced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "pageloom").rglob("*.py"))
DOCS = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]
BANNED = re.compile(
    r"\b(?:dial(?:s|led|ling)?|passe?[sd]? over|put out|given? up on|web address(?:es)?"
    r"|(?:be|was|were|been|is|are) (?:told|had)|tell(?:s|ing)? (?:things|of|whom)"
    r"|is no (?:valid|length|place|address|name|host|backup|time zone|cron|\w+ of a)"
    r"|are no (?:active|valid)|had again|the line to|whoever|somebody)\b(?!\.py)",
    re.IGNORECASE,
)
"""What the glossary replaced: fetched (not had), notified (not told), ignored (not passed over)."""
IS_MESSAGE = re.compile(r"[a-z]{2,} [a-z{]")
TWO_LINES = re.compile(r'"\s*\n\s*f?"')
"""Where one text goes on in the next line."""


def messages(source: str) -> Iterator[tuple[int, str]]:
    """Texts in calls of errors and warnings, of ``emit``, and in ``suggestions=`` and ``help=``."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if name[:1].isupper() or name in ("emit", "warn", "Option", "Argument"):
            for part in (*node.args, *(each.value for each in node.keywords)):
                yield from texts(part)


def texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.JoinedStr):
        parts = [x.value if isinstance(x, ast.Constant) else "{}" for x in node.values]
        yield node.lineno, "".join(str(part) for part in parts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.Tuple | ast.List | ast.IfExp | ast.BinOp):
        for child in ast.iter_child_nodes(node):
            yield from texts(child)


def suspects() -> Iterator[tuple[Path, str]]:
    """The modules that hold one of the words somewhere: to parse all of them takes seconds."""
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        if BANNED.search(TWO_LINES.sub("", source)):
            yield path, source


def test_messages_use_plain_words():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, source in suspects()
        for line, text in messages(source)
        if IS_MESSAGE.search(text) and BANNED.search(text)
    ]
    assert found == []


def test_docs_use_plain_words():
    prose = {
        path.name: re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8"))
        for path in DOCS
    }
    lines = ((name, line) for name, text in prose.items() for line in text.splitlines())
    assert [f"{name}: {line}" for name, line in lines if BANNED.search(line)] == []
