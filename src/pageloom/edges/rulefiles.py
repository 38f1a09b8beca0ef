"""Load rule files into a RuleBook: the shipped rules, then the user's directory, with a cache."""

from __future__ import annotations

import os
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pageloom.core.rules.problems import FileProblem, Loaded
from pageloom.core.rules.schema import RuleSpec
from pageloom.errors import RuleError, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pageloom.core.rules.book import RuleBook
    from pageloom.edges.rule_options import RulesOptions

SHIPPED = "shipped.json"
"""The shipped rules, checked, in one file; built by ``tools/make_rulebook.py``."""
_SHIPPED_PLACE = Path(__file__).parents[1] / "rulebook"
_FORMAT = 1
"""Increased when rules cached by an older version must be loaded again."""
_MAX_FILES = 20_000
_MOST_SHOWN = 5
"""How many mistakes a warning lists."""
_ENDINGS = frozenset((".yaml", ".yml"))


class _Cached(msgspec.Struct, frozen=True):
    """The cached rules of a directory: plain data, validated again when loaded."""

    stamp: str
    specs: list[RuleSpec]
    problems: list[FileProblem]


@dataclass(frozen=True, slots=True)
class RuleLibrary:
    """A rule book, and the mistakes in its files."""

    book: RuleBook
    problems: tuple[FileProblem, ...] = ()


def load_rulebook(
    directories: Iterable[str | Path] = (),
    *,
    shipped: bool = True,
    cache: bool = True,
    strict: bool = False,
) -> RuleBook:
    """Load rules: the shipped ones, then those of directories (or files), in order.

    A later rule replaces an earlier one with the same id; ``enabled: false`` switches it off.
    Rules with mistakes are left out, with a warning.

    Args:
        directories: directories of YAML files, or single files.
        shipped: whether to start with the shipped rules.
        cache: whether to keep the checked rules in the user's cache directory.
        strict: whether a mistake in a file is an error.

    Raises:
        RuleError: a directory that does not exist or cannot be read; a mistake, if strict.
    """
    library = load_rule_library(directories, shipped=shipped, cache=cache)
    if trouble := trouble_with(library.problems):
        if strict:
            raise trouble
        warnings.warn(trouble.message, stacklevel=2)
    return library.book


def parse_rules(text: str) -> RuleBook:
    """The rules of a YAML text, for ``extract`` and ``fetch``; the shipped ones are not among them.

    Raises:
        RuleError: a mistake in one of them; the message names the line.
    """
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.load import load_rules

    loaded = load_rules(text)
    if trouble := trouble_with(loaded.problems):
        raise trouble
    return RuleBook(loaded.specs)


def load_rule_library(
    directories: Iterable[str | Path] = (), *, shipped: bool = True, cache: bool = True
) -> RuleLibrary:
    """Load rules, together with the mistakes in the files."""
    from pageloom.core.rules.book import RuleBook

    places = [Path(place) for place in directories]
    if not places and shipped:
        return RuleLibrary(shipped_rulebook())
    loaded = load_specs(places, shipped=shipped, cache=cache)
    return RuleLibrary(RuleBook(loaded.specs), tuple(loaded.problems))


def load_specs(
    directories: Iterable[str | Path] = (), *, shipped: bool = True, cache: bool = True
) -> Loaded:
    """The rule specs in order, and the mistakes in the files."""
    loaded = [_load_place(Path(place), cache=cache) for place in directories]
    first = shipped_specs() if shipped else []
    specs = [*first, *(spec for each in loaded for spec in each.specs)]
    return Loaded(specs, [problem for each in loaded for problem in each.problems])


def shipped_specs() -> list[RuleSpec]:
    """The specs of the shipped rules."""
    data = (_SHIPPED_PLACE / SHIPPED).read_bytes()
    return msgspec.json.decode(data, type=list[RuleSpec])


@lru_cache(maxsize=1)
def shipped_rulebook() -> RuleBook:
    """The rules that come with Pageloom."""
    from pageloom.core.rules.book import RuleBook

    return RuleBook(shipped_specs())


@dataclass(frozen=True, slots=True)
class SealedRules:
    """Rules for another process, without loading the rule engine here.

    Unpickling it gives the RuleBook.
    """

    key: str
    """A key that is equal for equal rules."""
    data: bytes = b""
    """The serialized specs; empty for the shipped rules."""

    def open(self) -> RuleBook:
        """The book, here."""
        return open_rules(self.data)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return open_rules, (self.data,)


SHIPPED_RULES = SealedRules("shipped")


@lru_cache(maxsize=4)
def rules_key(rules: SealedRules) -> str:
    """A key that is equal for equal rules, in every release of Pageloom."""
    shipped = (_SHIPPED_PLACE / SHIPPED).read_bytes()
    return sha256(shipped + rules.key.encode()).hexdigest()[:16]


def open_rules(data: bytes) -> RuleBook:
    """The rule book in the data of ``seal_rules``."""
    from pageloom.core.rules.book import RuleBook

    return RuleBook.from_bytes(data) if data else shipped_rulebook()


def specs_of(rules: SealedRules) -> list[RuleSpec]:
    """The rule specs in the data of ``seal_rules``, with those that are switched off."""
    if not rules.data:
        return shipped_specs()
    return msgspec.msgpack.decode(rules.data, type=list[RuleSpec])


def seal_rules(specs: Sequence[RuleSpec]) -> SealedRules:
    """Serialize rule specs for another process."""
    data = msgspec.msgpack.encode(specs)
    return SealedRules(sha256(data).hexdigest(), data)


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """The rules that the settings choose."""

    sealed: SealedRules | None = None
    """None if rules are disabled."""

    @property
    def version(self) -> str:
        """A version that changes when the rules change."""
        return rules_key(self.sealed) if self.sealed else ""


def chosen_rules(
    options: RulesOptions, *, warn: Callable[[RuleError], None], strict: bool = False
) -> ChosenRules:
    """The rules that the settings choose: none, the shipped ones, or those and the user's own.

    Args:
        options: the section ``[rules]``.
        warn: called once with the mistakes in the user's files, if there are any; all other rules
            are used.
        strict: whether mistakes are an error instead.

    Raises:
        RuleError: the directory cannot be read; a mistake, if strict.
    """
    if not options.enabled:
        return ChosenRules()
    if not options.directory:
        return ChosenRules(SHIPPED_RULES)
    loaded = load_specs([Path(options.directory).expanduser()])
    if trouble := trouble_with(loaded.problems):
        if strict:
            raise trouble
        warn(trouble)
    return ChosenRules(seal_rules(loaded.specs))


def trouble_with(problems: Sequence[FileProblem]) -> RuleError | None:
    """One RuleError for all mistakes in the user's rule files; its message lists the first few."""
    if not problems:
        return None
    shown = [str(problem) for problem in problems[:_MOST_SHOWN]]
    if len(problems) > _MOST_SHOWN:
        shown.append(f"and {len(problems) - _MOST_SHOWN:,} more")
    what = "a mistake" if len(problems) == 1 else f"{len(problems):,} mistakes"
    return RuleError(
        f"Your rule files contain {what}: {'; '.join(shown)}.",
        suggestions=("Correct the file; pageloom rules lint lists every mistake.",),
        stage="rules",
    )


def _load_place(place: Path, *, cache: bool) -> Loaded:
    found = list_files(place)
    stamp = _stamp(found)
    kept = _cache_file(place) if cache else None
    if kept is not None and (cached := _read_cache(kept, stamp)):
        return Loaded(cached.specs, cached.problems)
    loaded = read_files(found)
    if kept is not None:
        _write_cache(kept, _Cached(stamp, loaded.specs, loaded.problems))
    return loaded


def list_files(place: Path) -> list[tuple[str, Path]]:
    """The rule files of a directory by name, in order; or the one file."""
    if place.is_file():
        return [(place.name, place)]
    if not place.is_dir():
        raise RuleError(
            f"The rules directory {place.name} does not exist.",
            suggestions=("Check rules.directory in the settings, or --rules.",),
            stage="rules",
        )
    found = sorted(
        (path.relative_to(place).as_posix(), path)
        for path in place.rglob("*")
        if path.suffix in _ENDINGS and not path.name.startswith(".") and path.is_file()
    )
    if len(found) > _MAX_FILES:
        raise RuleError(
            f"There are {len(found):,} rule files; at most {_MAX_FILES:,} are allowed.",
            stage="rules",
        )
    return found


def read_files(found: Sequence[tuple[str, Path]], *, lint: bool = False) -> Loaded:
    """Read and check rule files, without any cache."""
    from pageloom.core.rules.load import load_rules

    specs: list[RuleSpec] = []
    problems: list[FileProblem] = []
    for name, path in found:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            message = f"cannot be read: {why_not(error)}"
            problems.append(FileProblem(file=name, message=message))
            continue
        loaded = load_rules(text, name, lint=lint)
        specs.extend(loaded.specs)
        problems.extend(loaded.problems)
    return Loaded(specs, problems)


def _stamp(found: Sequence[tuple[str, Path]]) -> str:
    """A stamp that changes when a file is added, removed or written."""
    mark = sha256(f"{_FORMAT}\n".encode())
    for name, path in found:
        try:
            state = path.stat()
        except OSError:
            continue
        mark.update(f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return mark.hexdigest()


def _cache_file(place: Path) -> Path | None:
    home = os.environ.get("XDG_CACHE_HOME") or ""
    try:
        root = Path(home) if home else Path.home() / ".cache"
        name = sha256(str(place.resolve()).encode()).hexdigest()[:24]
    except (OSError, RuntimeError):
        return None
    return root / "pageloom" / f"rules-{name}.msgpack"


def _read_cache(path: Path, stamp: str) -> _Cached | None:
    try:
        cached = msgspec.msgpack.decode(path.read_bytes(), type=_Cached)
    except (OSError, msgspec.MsgspecError):
        return None
    return cached if cached.stamp == stamp else None


def _write_cache(path: Path, cached: _Cached) -> None:
    """Write the cache; failing to do so only makes the next start slower."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_bytes(msgspec.msgpack.encode(cached))
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
