"""``pageloom doctor``: the settings, what is installed, what is missing and how to get it."""

from __future__ import annotations

import json
import platform
import shutil
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import TYPE_CHECKING

import msgspec

from pageloom import __version__
from pageloom.core import words
from pageloom.errors import PageloomError
from pageloom.flows.capture.extract import extract
from pageloom.settings import load_settings, without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from pageloom.settings import Settings
import typer

from pageloom.apps.cli.flags import Json

EXTRAS: dict[str, tuple[str, ...]] = {
    "browser": ("playwright",),
    "postgres": ("psycopg",),
    "agents": ("aio-pika",),
    "notify": ("apprise",),
    "traces": ("opentelemetry-exporter-otlp-proto-http", "opentelemetry-sdk"),
}


_ENGINE = ("turbohtml", "msgspec", "numpy", "can-ada", "PyYAML", "aiohttp")


_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


_SAMPLE = "<title>t</title><article><p>One sentence to be read by the doctor.</p></article>"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFinding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
    essential: bool = False


def doctor(*, as_json: Json = False) -> None:
    """Show the settings, what is installed and what is missing.

    For what is missing, the command that installs it. Exits with 1 if something essential fails.
    """
    settings = load_settings()
    findings = list(_look())
    if as_json:
        print(json.dumps(_to_dict(settings, findings), indent=2, default=str))
    else:
        _show(settings, findings)
    raise typer.Exit(0 if all(finding.ok for finding in findings if finding.essential) else 1)


def _look() -> Iterator[DoctorFinding]:
    yield _try_sandbox()
    yield _look_for_compiled()
    for package in _ENGINE:
        yield _look_for(package)
    for extra, packages in EXTRAS.items():
        yield _look_for_extra(extra, packages)
    yield _look_for_browser()


def _try_sandbox() -> DoctorFinding:
    started = time.perf_counter()
    try:
        extract(_SAMPLE, timeout_ms=20_000)
    except PageloomError as error:
        return DoctorFinding(
            name="sandbox",
            ok=False,
            detail=error.message,
            fix="pip install --force-reinstall pageloom",
            essential=True,
        )
    spent = time.perf_counter() - started
    return DoctorFinding(
        name="sandbox",
        ok=True,
        detail=f"read a page in {spent:.2f} s, start included",
        essential=True,
    )


def _look_for_compiled() -> DoctorFinding:
    if not words.__file__.endswith(".py"):
        return DoctorFinding(name="compiled", ok=True, detail="the busiest modules")
    return DoctorFinding(
        name="compiled",
        ok=False,
        detail="nothing, which is only slower",
        fix="pip install . with a C compiler and the headers of Python at hand",
    )


def _version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _look_for(package: str) -> DoctorFinding:
    version = _version_of(package)
    return DoctorFinding(
        name=package,
        ok=bool(version),
        detail=version or "missing",
        fix="" if version else f"pip install {package}",
        essential=True,
    )


def _look_for_extra(extra: str, packages: tuple[str, ...]) -> DoctorFinding:
    versions = {package: _version_of(package) for package in packages}
    missing = [package for package, version in versions.items() if not version]
    return DoctorFinding(
        name=f"extra [{extra}]",
        ok=not missing,
        detail=f"needs {', '.join(missing)}"
        if missing
        else ", ".join(f"{package} {version}" for package, version in versions.items()),
        fix=f"pip install 'pageloom[{extra}]'" if missing else "",
    )


def _look_for_browser() -> DoctorFinding:
    found = next((name for name in _BROWSERS if shutil.which(name)), "")
    return DoctorFinding(
        name="chromium",
        ok=bool(found),
        detail=found or "not found; needed only for pages drawn by scripts",
        fix="" if found else _browser_fix(),
    )


def _browser_fix() -> str:
    if platform.system() == "Darwin":
        return "brew install --cask chromium"
    return "apt-get install chromium, or: playwright install chromium"


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

    table = make_table("", "what", "found", "to fix it")
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
        return ", ".join(map(str, msgspec.to_builtins(value))) or "none"
    return "none" if value is None else str(value)
