"""Convert rules of other readers to our rule files, and report what was dropped."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.core.rules.compact import convert_compact
from pageloom.core.rules.load import load_rules
from pageloom.core.rules.siteconfig import Converted, convert_config, is_site_config
from pageloom.errors import RuleError, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pageloom.core.rules.problems import FileProblem

_MAX_FILE = 2_000_000


@dataclass(slots=True)
class ImportReport:
    """The result of an import."""

    files: int = 0
    lossless: int = 0
    rules: int = 0
    dropped: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Directives that were not converted: file, line, directive, why, whether that is a loss."""
    problems: list[FileProblem] = field(default_factory=list["FileProblem"])
    """Lint problems of the converted rules."""


def import_rules(
    source: Path, output: Path, on_progress: Callable[[int, int], None] | None = None
) -> ImportReport:
    """Convert a file or a directory of site configurations (``.txt``) or compact rules (``.json``).

    Args:
        source: the file or directory.
        output: the directory to write to; it is created, and files of earlier imports are replaced.
        on_progress: called with the number of files done and the total.

    Raises:
        RuleError: nothing to import, or the output cannot be written.
    """
    found = _sources(source)
    report = ImportReport()
    _make(output)
    for number, path in enumerate(found, 1):
        converted = _convert(path)
        report.files += 1
        report.lossless += converted.is_lossless
        _note(report, path.name, converted)
        if converted.rules:
            _write(output / _target(path), converted.rules, report)
        if on_progress:
            on_progress(number, len(found))
    return report


def output_names(source: Path) -> list[str]:
    """The names of the files that an import of this file or directory may write.

    Raises:
        RuleError: there is nothing to import.
    """
    return [_target(path) for path in _sources(source)]


def _sources(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    if not source.is_dir():
        raise RuleError(f"There is no file or directory to import at {source}.", stage="rules")
    found = sorted(path for path in source.iterdir() if path.is_file() and _is_ours(path))
    if not found:
        raise RuleError(
            f"There are no rule files to import in {source}.",
            suggestions=("Rule files end in .txt (Full-Text RSS) or .json (compact rules).",),
            stage="rules",
        )
    return found


def _is_ours(path: Path) -> bool:
    return is_site_config(path.name) or path.suffix == ".json"


def _make(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RuleError(f"{output} cannot be created: {why_not(error)}.", stage="rules") from None


def _convert(path: Path) -> Converted:
    try:
        data = path.read_bytes()[:_MAX_FILE]
    except OSError as error:
        raise RuleError(f"{path} cannot be read: {why_not(error)}.", stage="rules") from None
    text = data.decode("utf-8", "replace")
    if path.suffix != ".json":
        return convert_config(text, path.name)
    try:
        return convert_compact(json.loads(text), path.stem)
    except (ValueError, RecursionError):
        raise RuleError(f"{path.name} is not valid JSON.", stage="rules") from None


def _note(report: ImportReport, name: str, converted: Converted) -> None:
    report.rules += len(converted.rules)
    report.dropped.extend(
        {
            "file": name,
            "line": each.line,
            "directive": each.directive,
            "value": each.value,
            "reason": each.reason,
            "lost": each.lost,
        }
        for each in converted.dropped
    )


def _target(path: Path) -> str:
    """The output file; its name never begins with a dot, because such files are not loaded."""
    stem = path.name.removesuffix(path.suffix)
    return f"_{stem[1:]}.yaml" if stem.startswith(".") else f"{stem}.yaml"


def _write(path: Path, rules: list[dict[str, Any]], report: ImportReport) -> None:
    text = write_yaml(rules)
    report.problems.extend(load_rules(text, path.name, lint=True).problems)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RuleError(f"{path} cannot be written: {why_not(error)}.", stage="rules") from None


def write_yaml(rules: Iterable[dict[str, Any]]) -> str:
    """Rules as readable YAML."""
    import yaml

    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        list(rules), Dumper=dumper, sort_keys=False, allow_unicode=True, width=100
    )
