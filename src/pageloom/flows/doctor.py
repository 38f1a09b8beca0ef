"""What works in this installation, what is missing, and the command that installs it."""

from __future__ import annotations

import platform
import shutil
import time
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from pageloom.core import words
from pageloom.errors import PageloomError
from pageloom.flows.capture.extract import extract

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTRAS: dict[str, tuple[str, ...]] = {
    "browser": ("playwright",),
    "postgres": ("psycopg",),
    "agents": ("aio-pika",),
    "notify": ("apprise",),
    "pdf": ("pypdfium2",),
    "pictures": ("pillow",),
    "warc": ("warcio",),
    "web": (
        "argon2-cffi",
        "fastapi",
        "jinja2",
        "python-multipart",
        "starlette",
        "uvicorn",
    ),
    "traces": ("opentelemetry-exporter-otlp-proto-http", "opentelemetry-sdk"),
    "bulk": ("pyarrow",),
    "ray": ("pyarrow", "ray"),
    "mcp": ("mcp",),
    "scrapy": ("scrapy",),
    "langchain": ("langchain-core",),
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


def examine() -> Iterator[DoctorFinding]:
    """Look at everything, one finding after another."""
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
        detail=f"extracted a page in {spent:.2f} s, start-up included",
        essential=True,
    )


def _look_for_compiled() -> DoctorFinding:
    if not words.__file__.endswith(".py"):
        return DoctorFinding(name="compiled", ok=True, detail="the busiest modules")
    return DoctorFinding(
        name="compiled",
        ok=False,
        detail="nothing: extraction works, but is slower",
        fix="install a C compiler and the Python headers, then pip install .",
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
