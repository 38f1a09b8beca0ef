"""Documents speak only of public names, and their tables of actions say what happens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import pageloom

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ABOUT_THE_INSIDE = {"architecture.md"}
_INTERNAL = re.compile(r"\bpageloom\.(?:core|edges|flows|context|apps|model|library)\b[\w.]*")
_USED = re.compile(r"\bpageloom\.([A-Za-z_]\w*)(?=[(.\s`,)])")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_document_uses_an_internal_module(path: Path):
    text = path.read_text(encoding="utf-8")
    imported = [line for line in text.splitlines() if re.match(r"\s*(?:from|import) ", line)]
    found = _INTERNAL.findall("\n".join(imported) if path.name in ABOUT_THE_INSIDE else text)
    assert found == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_name_that_a_python_example_uses_is_public(path: Path):
    for body in re.findall(r"^```python\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL):
        assert set(_USED.findall(body)) <= {*pageloom.__all__, "adapters"}


def test_every_export_format_has_a_writer_and_is_documented():
    from pageloom.flows.transfer.export_formats import _WRITERS, FORMATS

    assert set(_WRITERS) == set(FORMATS)
    described = [pageloom.Library.export.__doc__ or ""]
    described += [(ROOT / "docs" / name).read_text() for name in ("cli.md", "python.md")]
    assert [name for name in FORMATS for text in described if name not in text] == []


def test_every_kind_of_archive_has_a_name():
    """``bulk --plan`` counts its inputs by these names."""
    from pageloom.edges.archive.kinds import KIND_NAMES, Kind

    assert set(KIND_NAMES) == set(get_args(Kind))


def actions() -> list[tuple[str, str, str]]:
    """An action, the markup before it and the markup after it."""
    [body] = re.findall(
        r"^```actions\n(.*?)^```$",
        (ROOT / "docs" / "rules.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
    lines = [line.strip() for line in body.splitlines()]
    return list(zip(lines[::3], lines[1::3], lines[2::3], strict=True))


@pytest.mark.parametrize(("action", "before", "after"), actions())
def test_the_actions_of_rules_do_what_their_table_says(action: str, before: str, after: str):
    from pageloom.core.dom import parse
    from pageloom.core.rules.apply import Desk, edit_tree
    from pageloom.core.rules.selectors import Look

    rules = pageloom.parse_rules(
        f"- {{id: r, trigger: {{dom: {{any: body}}}}, actions: [{action}]}}"
    )
    tree = parse(f"<body>{before}</body>")
    edit_tree(Desk(Look(tree), "pre"), rules.rules(), None)
    assert tree.select_one("body").inner_html == after
