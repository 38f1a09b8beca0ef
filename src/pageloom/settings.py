"""Settings: read from files, the environment and flags, each value with its origin.

Defaults < ``pageloom.toml`` in the XDG config directory < ``pageloom.toml`` in the working
directory < the environment (``PAGELOOM_EXTRACTION_STRICT``) < flags. Unknown names are refused.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageloom.errors import SettingsError
from pageloom.redaction import redact, redact_address, redact_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.options import Options
    from pageloom.edges.broker.options import (
        BrokerOptions,
        ChangeDetectorOptions,
        ClassifierOptions,
        DiscoveryOptions,
        FetcherOptions,
        NotifierOptions,
        ParserOptions,
        PriceTrackerOptions,
        StorageOptions,
    )
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.notify.options import NotifyOptions
    from pageloom.edges.rule_options import RulesOptions
    from pageloom.edges.store.options import DatabaseOptions, LibraryOptions
    from pageloom.flows.access.options import WebOptions
    from pageloom.flows.events import ObserveOptions
    from pageloom.flows.links.options import ArchiveOptions
    from pageloom.flows.watch.options import WatchOptions

FILE_NAME = "pageloom.toml"
PREFIX = "PAGELOOM_"
SECTIONS = {
    "extraction": "pageloom.core.options:Options",
    "changes": "pageloom.core.compare.options:DiffOptions",
    "fetch": "pageloom.edges.fetch.options:FetchOptions",
    "notify": "pageloom.edges.notify.options:NotifyOptions",
    "rules": "pageloom.edges.rule_options:RulesOptions",
    "watch": "pageloom.flows.watch.options:WatchOptions",
    "archive": "pageloom.flows.links.options:ArchiveOptions",
    "web": "pageloom.flows.access.options:WebOptions",
    "database": "pageloom.edges.store.options:DatabaseOptions",
    "library": "pageloom.edges.store.options:LibraryOptions",
    "observe": "pageloom.flows.events:ObserveOptions",
    "broker": "pageloom.edges.broker.options:BrokerOptions",
    "fetcher": "pageloom.edges.broker.options:FetcherOptions",
    "parser": "pageloom.edges.broker.options:ParserOptions",
    "classifier": "pageloom.edges.broker.options:ClassifierOptions",
    "change_detector": "pageloom.edges.broker.options:ChangeDetectorOptions",
    "price_tracker": "pageloom.edges.broker.options:PriceTrackerOptions",
    "notifier": "pageloom.edges.broker.options:NotifierOptions",
    "storage": "pageloom.edges.broker.options:StorageOptions",
    "discovery": "pageloom.edges.broker.options:DiscoveryOptions",
}
"""The options class of each section; it is imported when the section is first used."""
PLAIN_NAMES = (
    "INPUT_QUEUE OUTPUT_QUEUE PRICE_UPDATE_QUEUE NOTIFY_QUEUE STORAGE_QUEUE MAX_HTML_SIZE"
    " TEXT_MIN_LENGTH TEXT_DIFF_THRESHOLD PREFETCH CONCURRENCY PORT"
).split()
"""Environment variables without a prefix that set the options of the process's only worker."""
BROKER_URL = "RABBIT_URL"
OTHER_NAMES = {"WEB_SAVE_MODE": ("library", "mode")}
"""Environment variables of other systems; our own variable wins where both are set."""
RETIRED = {
    "fetch.http2": "Pages are fetched over HTTP/1.1 only.",
}
"""Settings that no longer exist: they are ignored, with a warning that says why."""
RENAMED = {
    "broker.answer_seconds": "result_timeout",
    "broker.listen": "health_host",
    "broker.port": "health_port",
    "broker.stop_seconds": "shutdown_timeout",
    "library.local_share": "local_percent",
    "watch.grace": "shutdown_timeout",
    "watch.keep_days": "retention_days",
    "watch.lease": "lease_seconds",
    "watch.zone": "timezone",
}
"""Old names of settings and the names they have now; old ones still work, with a warning."""
_SECRET = ("secret", "secrets", "password", "token", "tokens")
_ADDRESSES = ("url", "proxy", "proxies")


class Settings:
    """All effective settings. ``origins`` maps each name (``fetch.timeout``) to where it was set.

    A section without any value has its defaults, and is created when it is first used.
    """

    extraction: Options
    changes: DiffOptions
    fetch: FetchOptions
    notify: NotifyOptions
    watch: WatchOptions
    rules: RulesOptions
    database: DatabaseOptions
    observe: ObserveOptions
    broker: BrokerOptions
    fetcher: FetcherOptions
    parser: ParserOptions
    classifier: ClassifierOptions
    change_detector: ChangeDetectorOptions
    price_tracker: PriceTrackerOptions
    notifier: NotifierOptions
    storage: StorageOptions
    discovery: DiscoveryOptions
    library: LibraryOptions
    archive: ArchiveOptions
    web: WebOptions

    def __init__(self, *, origins: Mapping[str, str] | None = None, **sections: Any) -> None:
        if unknown := sections.keys() - SECTIONS.keys():
            raise TypeError(f"there is no section {min(unknown)}")
        self.origins = dict(origins or {})
        self.__dict__.update(sections)

    def __getattr__(self, name: str) -> Any:
        if name not in SECTIONS:
            raise AttributeError(name)
        made = self.__dict__[name] = kind_of(name)()
        return made

    def items(self) -> Iterator[tuple[str, Any, str]]:
        """Name, value and origin of every setting."""
        for section in SECTIONS:
            values = getattr(self, section)
            for each in fields(values):
                name = f"{section}.{each.name}"
                yield name, getattr(values, each.name), self.origins.get(name, "default")


@cache
def kind_of(section: str) -> type[Any]:
    """The options class of a section."""
    module, _, name = SECTIONS[section].partition(":")
    return getattr(import_module(module), name)


def without_secrets(name: str, value: Any) -> Any:
    """The value as it may be displayed: passwords and secrets become ``(set)``."""
    if isinstance(value, tuple):
        return tuple(without_secrets(name, each) for each in value)  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(value, str) or not value:
        return value
    last = name.rpartition(".")[2].rpartition("_")[2]
    if last in _SECRET:
        return "(set)"
    if name == "notify.targets":
        return redact_target(value)
    return redact_address(value) if last in _ADDRESSES else redact(value)


@dataclass(frozen=True, slots=True)
class _Given:
    """One value from a file, the environment or a flag."""

    section: str
    name: str
    value: Any
    origin: str


def load_settings(
    *,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    directories: tuple[Path, ...] | None = None,
    worker: str = "",
) -> Settings:
    """Load the effective settings.

    Args:
        flags: such as ``{"extraction.strict": True}``; None values are left out.
        environment: the process's own when left out.
        directories: where ``pageloom.toml`` is looked for, later ones win; the XDG config directory
            and the working directory when left out.
        worker: the section that PLAIN_NAMES in the environment set.

    Raises:
        SettingsError: a file cannot be read, a name is unknown, or a value is invalid.
    """
    environment = os.environ if environment is None else environment
    places = _config_directories(environment) if directories is None else directories
    given = [
        *(value for place in places for value in _read_file(place / FILE_NAME)),
        *_read_plain_names(environment, worker),
        *_read_environment(environment),
        *_read_flags(flags or {}),
    ]
    return _combine([value for value in given if not _is_retired(value)])


def _is_retired(given: _Given) -> bool:
    """Whether the setting no longer exists; then a warning says so."""
    reason = RETIRED.get(f"{given.section}.{given.name}")
    if reason is not None:
        warnings.warn(
            f"The setting {given.section}.{given.name} is ignored (set in {given.origin})."
            f" {reason}",
            FutureWarning,
            stacklevel=1,  # one place, so that it is shown once
        )
    return reason is not None


def _combine(given: list[_Given]) -> Settings:
    values: dict[str, dict[str, Any]] = {}
    origins: dict[str, str] = {}
    for each in given:
        # One at a time, so that an invalid value is reported with its origin.
        _check(each)
        values.setdefault(each.section, {})[each.name] = each.value
        origins[f"{each.section}.{each.name}"] = each.origin
    made = {section: _read(section, known, strict=False) for section, known in values.items()}
    return Settings(**made, origins=origins)


def _read(section: str, values: dict[str, Any], *, strict: bool) -> Any:
    from pageloom.core.option_values import read_values

    return read_values(kind_of(section), values, strict=strict, section=f"{section}.")


def _check(given: _Given) -> None:
    strict = not given.origin.startswith((PREFIX, BROKER_URL, *PLAIN_NAMES))
    try:
        _read(given.section, {given.name: given.value}, strict=strict)
    except SettingsError as error:
        message = f"{error.message.rstrip('.')} (from {given.origin})."
        raise SettingsError(message, suggestions=error.suggestions) from None


def _require(name: str, known: Iterable[str]) -> None:
    from pageloom.core.option_values import require_known

    require_known(name, known)


def _config_directories(environment: Mapping[str, str]) -> tuple[Path, ...]:
    home = environment.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "pageloom", Path.cwd()


def _read_file(path: Path) -> Iterator[_Given]:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, UnicodeDecodeError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "cannot be read"
        raise SettingsError(f"{path} {why}.") from None
    for section, table in _parse_toml(text, path).items():
        _require(section, SECTIONS)
        if not isinstance(table, dict):
            raise SettingsError(
                f"{section} must be a section ([{section}]), not a value (from {path})."
            )
        for name, value in table.items():  # pyright: ignore[reportUnknownVariableType]
            current = _current_name(section, str(name), str(path))  # pyright: ignore[reportUnknownArgumentType]
            yield _Given(section, current, value, str(path))  # pyright: ignore[reportUnknownArgumentType]


def _parse_toml(text: str, path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.") from None


def _read_environment(environment: Mapping[str, str]) -> Iterator[_Given]:
    for variable, (section, name) in OTHER_NAMES.items():
        if variable in environment:
            yield _Given(section, name, environment[variable].strip().lower(), variable)
    for variable in sorted(environment):
        if variable.startswith(PREFIX):
            section, name = _named(variable)
            name = _current_name(section, name, variable)
            value = _from_text(kind_of(section), name, environment[variable])
            yield _Given(section, name, value, variable)


def _named(variable: str) -> tuple[str, str]:
    """The section and the name that an environment variable sets."""
    likely = [each for each in SECTIONS if variable.startswith(f"{PREFIX}{each}_".upper())]
    found = (_variables(likely) | _old_variables()).get(variable)
    if found is None:
        _require(variable, _variables(SECTIONS))
        raise SettingsError(f"There is no setting {variable}.")
    return found


def _variables(sections: Iterable[str]) -> dict[str, tuple[str, str]]:
    return {
        f"{PREFIX}{section}_{each.name}".upper(): (section, each.name)
        for section in sections
        for each in fields(kind_of(section))
    }


def _old_variables() -> dict[str, tuple[str, str]]:
    pairs = [old.split(".") for old in (*RENAMED, *RETIRED)]
    return {f"{PREFIX}{section}_{name}".upper(): (section, name) for section, name in pairs}


def _current_name(section: str, name: str, origin: str) -> str:
    """The name of a setting now; an old name gives a warning."""
    new = RENAMED.get(f"{section}.{name}")
    if new is None:
        return name
    warnings.warn(
        f"The setting {section}.{name} is now called {section}.{new} (set in {origin})."
        " The old name will stop working in a later version.",
        FutureWarning,
        stacklevel=1,  # one place, so that it is shown once
    )
    return new


def _read_plain_names(environment: Mapping[str, str], worker: str) -> Iterator[_Given]:
    """Read the variables without a prefix, which other workers for these queues use too."""
    if environment.get(BROKER_URL):
        yield _Given("broker", "url", environment[BROKER_URL].strip(), BROKER_URL)
    own = {each.name for each in fields(kind_of(worker))} if worker else set[str]()
    for variable in PLAIN_NAMES:
        if environment.get(variable) and variable.lower() in own:
            text = _from_text(kind_of(worker), variable.lower(), environment[variable])
            yield _Given(worker, variable.lower(), text, variable)


def _from_text(kind: type[Any], name: str, text: str) -> Any:
    """A value from the environment; lists are separated by commas."""
    if isinstance(getattr(kind(), name, None), tuple):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text.strip()


def _read_flags(flags: Mapping[str, Any]) -> Iterator[_Given]:
    for path, value in flags.items():
        if value is not None:
            section, _, name = path.partition(".")
            _require(section, SECTIONS)
            yield _Given(section, name, value, "flag")
