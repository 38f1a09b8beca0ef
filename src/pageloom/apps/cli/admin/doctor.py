"""``pageloom doctor``: the settings, what is installed, what is missing and how to get it."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from pageloom import __version__
from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.safe import escape_json
from pageloom.flows.doctor import DoctorFinding, examine
from pageloom.settings import load_settings, without_secrets

if TYPE_CHECKING:
    from rich.console import Console

    from pageloom.settings import Settings


def doctor(*, as_json: Json = False) -> None:
    """Show the settings, what is installed and what is missing.

    For what is missing, the command that installs it. Exits with 1 if something essential fails.
    """
    settings = load_settings()
    findings = list(examine())
    if as_json:
        print(escape_json(json.dumps(_to_dict(settings, findings), indent=2, default=str)))
    else:
        _show(settings, findings)
    raise typer.Exit(0 if all(finding.ok for finding in findings if finding.essential) else 1)


def _to_dict(settings: Settings, findings: list[DoctorFinding]) -> dict[str, object]:
    return {
        "success": True,
        "pageloom": __version__,
        "python": platform.python_version(),
        "system": platform.system(),
        "settings": {
            name: {"value": without_secrets(name, value), "origin": origin}
            for name, value, origin in settings.items()
        },
        "findings": [asdict(finding) for finding in findings],
    }


def _show(settings: Settings, findings: list[DoctorFinding]) -> None:
    from pageloom.apps.cli.show import make_console

    console = make_console()
    about = f"pageloom {__version__}, Python {platform.python_version()}, {platform.system()}"
    console.print(about, style="bold")
    console.print()
    _show_findings(console, findings)
    console.print()
    _show_settings(console, settings)


def _show_findings(console: Console, findings: list[DoctorFinding]) -> None:
    from pageloom.apps.cli.show import make_table

    table = make_table("", "what", "found", "how to fix")
    for finding in findings:
        mark = "ok" if finding.ok else ("FAIL" if finding.essential else "–")
        table.add_row(mark, finding.name, finding.detail, finding.fix)
    console.print(table)


def _show_settings(console: Console, settings: Settings) -> None:
    from pageloom.apps.cli.show import make_table

    table = make_table("setting", "value", "from")
    for name, value, origin in settings.items():
        table.add_row(name, _spell(without_secrets(name, value)), origin)
    console.print(table)


def _spell(value: object) -> str:
    """A value as pageloom.toml would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(str(each) for each in value) or "none"  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return "none" if value is None else str(value)
