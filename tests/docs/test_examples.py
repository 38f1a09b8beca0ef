"""Every example in the documentation is run, and says what it says it says."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from tests.integration.cli import pageloom

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list:
    return [
        pytest.param(path, body, id=f"{path.name}-{number}")
        for path in PAGES
        for number, (kind, body) in enumerate(_FENCE.findall(path.read_text(encoding="utf-8")))
        if kind == language
    ]


@pytest.mark.parametrize(("path", "body"), blocks("python"))
@pytest.mark.usefixtures("web")
def test_python_examples_run_and_print_what_they_show(path: Path, body: str, monkeypatch):
    monkeypatch.chdir(ROOT)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(body, str(path), "exec"), {"__name__": "example"})  # noqa: S102  our own
    shown = re.findall(r"#> ?(.*)", body)
    if shown:
        assert printed.getvalue().rstrip("\n").splitlines() == shown


def commands(body: str) -> list[tuple[str, str]]:
    """Each ``$ command`` with the output shown below it."""
    parts = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize(("path", "body"), blocks("console"))
def test_console_examples_print_what_they_show(path: Path, body: str):
    for command, shown in commands(body):
        words = shlex.split(command)
        if words[0] != "pageloom":
            continue
        result = pageloom(*words[1:], cwd=ROOT)
        printed = [line.rstrip() for line in (result.out + result.err).rstrip().splitlines()]
        expected = [line.rstrip() for line in shown.rstrip().splitlines()]
        if "..." in expected:  # the rest is left out
            expected = expected[: expected.index("...")]
            printed = printed[: len(expected)]
        assert printed == expected


def test_every_command_and_every_setting_is_documented():
    from pageloom.apps.cli.commands import COMMANDS
    from pageloom.settings import load_settings

    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"`pageloom {name.partition(' ')[0]}`" in text
    for name, _, _ in load_settings(environment={}, directories=()).items():
        assert f"`{name}`" in text


def test_the_overview_says_of_each_command_what_its_help_says():
    from importlib import import_module

    from pageloom.apps.cli.commands import FAMILIES, GROUPS

    for group in GROUPS.values():
        for name, (home, summary) in group.items():
            place, _, function = home.partition(":")
            command = getattr(import_module(f"pageloom.apps.cli.{place}"), function)
            assert command.__doc__.splitlines()[0] == summary, name
            assert " " not in name or name.partition(" ")[0] in FAMILIES


def test_every_link_between_the_documents_leads_somewhere():
    for path in PAGES:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
