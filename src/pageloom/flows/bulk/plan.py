"""The plan of a bulk run: its inputs, cut into shards, and everything the output depends on.

It is made once and written down. The cut depends on the inputs alone, never on who does the work.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from glob import glob, has_magic
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.archive.entries import END
from pageloom.edges.archive.kinds import KIND_NAMES, Kind, kind_by_name, kind_of, read_paths
from pageloom.edges.archive.places import (
    FileState,
    is_folder,
    is_on_the_web,
    list_folder,
    open_file,
    read_small,
    require_pyarrow,
    state_of,
    write_small,
)
from pageloom.errors import InvalidArgument
from pageloom.flows.bulk.options import BulkOptions  # noqa: TC001  msgspec reads it

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SHARD_BYTES = 256 << 20
_SHARD_FILES = 2_000
_LEAST_BYTES = 1 << 18
_LEAST_FILES = 10
_SHARES = 256
"""A small input is cut into about so many shards, so that all cores have work."""
_CUT_ABOVE = 1 << 30
_LOOKS = 16
"""Inputs that are asked for their sizes at once: object stores and servers take their time."""


class InputFile(msgspec.Struct, frozen=True, array_like=True):
    """One file of the input."""

    path: str
    kind: Kind
    size: int
    stamp: str
    root: str = ""
    """The directory that it was found in."""


class Stretch(msgspec.Struct, frozen=True, array_like=True):
    """A file of the input, or a stretch of one."""

    file: int
    start: int = 0
    end: int = END


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is done, and from what."""

    pageloom: str
    parser: str
    rules: str
    options: BulkOptions
    inputs: tuple[InputFile, ...]
    shards: tuple[tuple[Stretch, ...], ...]

    def pieces(self, shard: int) -> list[tuple[InputFile, int, int]]:
        """The files of a shard, and from where to where each is read."""
        found = self.shards[shard]
        return [(self.inputs[piece.file], piece.start, piece.end) for piece in found]

    def kinds(self) -> dict[str, int]:
        """How many files of each kind are read, by its name."""
        names = [KIND_NAMES[file.kind] for file in self.inputs]
        return {name: names.count(name) for name in dict.fromkeys(names)}


def make_plan(
    inputs: Sequence[str], options: BulkOptions, *, base: str = "", versions: tuple[str, str, str]
) -> Plan:
    """The plan for these inputs.

    Args:
        inputs: files, directories, patterns, lists of paths.
        options: what is asked for.
        base: what the paths in lists of paths are below.
        versions: of Pageloom, of the parser and of the rules.

    Raises:
        InvalidArgument: an input that does not exist, or none at all.
    """
    require_pyarrow()
    files = sorted(set(_expand(inputs, base)), key=lambda file: file.path)
    if not files:
        raise InvalidArgument("There is nothing to read in the input.")
    pageloom, parser, rules = versions
    return Plan(
        pageloom=pageloom,
        parser=parser,
        rules=rules,
        options=options,
        inputs=tuple(files),
        shards=tuple(_cut(files, 0)),
    )


def extend_plan(plan: Plan, inputs: Sequence[str], base: str = "") -> Plan:
    """The plan with the inputs that it does not have yet, at its end."""
    known = {file.path for file in plan.inputs}
    found = sorted(set(_expand(inputs, base)), key=lambda file: file.path)
    new = [file for file in found if file.path not in known]
    shards = _cut(new, len(plan.inputs))
    return msgspec.structs.replace(
        plan, inputs=(*plan.inputs, *new), shards=(*plan.shards, *shards)
    )


def _expand(inputs: Iterable[str], base: str) -> Iterator[InputFile]:
    for given in inputs:
        if has_magic(given) and state_of(given) is None and "://" not in given:
            found = sorted(glob(given, recursive=True))  # noqa: PTH207  patterns may be absolute
            if not found:
                raise InvalidArgument(f"No file matches {given}.")
            for path in found:
                yield from _expand_one(path, base)
        else:
            yield from _expand_one(given, base)


def _expand_one(path: str, base: str) -> Iterator[InputFile]:
    if is_folder(path):
        yield from _folder(path)
        return
    state = state_of(path)
    if state is None:
        raise InvalidArgument(f"{path} does not exist.", suggestions=("Check the path.",))
    kind = kind_of(path)
    if kind == "list":
        yield from _listed(path, base)
    else:
        yield _input(state, kind)


def _listed(path: str, base: str) -> Iterator[InputFile]:
    """What a list of paths names; a list from the web names nothing on this machine."""
    lines = [
        line if "://" in line or not base else base.rstrip("/") + "/" + line.lstrip("/")
        for line in read_paths(path)
    ]
    for line in lines:
        if kind_by_name(line) == "list":
            raise InvalidArgument(f"{path} names another list: {line}.")
        if is_on_the_web(path) and "://" not in line:
            raise InvalidArgument(
                f"{path} names a file of this machine: {line}.",
                suggestions=("Say with --base where its paths are.",),
            )
    with ThreadPoolExecutor(_LOOKS) as pool:
        for found in pool.map(_expand_line, lines):
            yield from found


def _expand_line(path: str) -> list[InputFile]:
    return list(_expand_one(path, ""))


def _folder(path: str) -> Iterator[InputFile]:
    """The archives and pages below a directory; a .json beside a page is its sidecar."""
    for state in list_folder(path):
        kind = kind_by_name(state.path)
        if kind is not None and kind != "list":
            yield _input(state, kind, path)


def _input(state: FileState, kind: Kind, root: str = "") -> InputFile:
    return InputFile(state.path, kind, state.size, state.stamp, root if kind == "page" else "")


def _cut(files: Sequence[InputFile], first: int) -> list[tuple[Stretch, ...]]:
    """Files as shards: large ones by themselves or cut, small ones together."""
    total = sum(file.size for file in files)
    most_bytes = min(_SHARD_BYTES, max(_LEAST_BYTES, total // _SHARES))
    most_files = min(_SHARD_FILES, max(_LEAST_FILES, len(files) // _SHARES))
    shards: list[tuple[Stretch, ...]] = []
    group: list[Stretch] = []
    size = 0
    for number, file in enumerate(files, first):
        if group and (size + file.size > most_bytes or len(group) == most_files):
            shards.append(tuple(group))
            group, size = [], 0
        if file.size > _CUT_ABOVE and (cuts := _cuts(file)):
            places = zip([0, *cuts], [*cuts, END], strict=True)
            shards += [(Stretch(number, start, end),) for start, end in places]
        else:
            group.append(Stretch(number))
            size += file.size
    return [*shards, tuple(group)] if group else shards


def _cuts(file: InputFile) -> list[int]:
    """Where a large file may be cut; nowhere if it can only be read from its beginning."""
    with closing(open_file(file.path)) as opened:
        if file.kind == "lines" and file.path.endswith((".jsonl", ".ndjson")):
            return _line_starts(opened, file.size)
        if file.kind == "table":
            return _group_starts(opened)
    return []


def _line_starts(file: Any, size: int) -> list[int]:
    places: list[int] = []
    for wanted in range(_SHARD_BYTES, size, _SHARD_BYTES):
        file.seek(wanted)
        place = wanted
        while data := file.read(1 << 16):
            found = data.find(b"\n")
            if found >= 0:
                places.append(place + found + 1)
                break
            place += len(data)
    return sorted({place for place in places if place < size})


def _group_starts(file: Any) -> list[int]:
    from pageloom.edges.archive.rows import group_sizes

    starts: list[int] = []
    row = size = 0
    for rows, packed in group_sizes(file):
        if size and size + packed > _SHARD_BYTES:
            starts.append(row)
            size = 0
        row += rows
        size += packed
    return starts


def read_plan(out: str) -> Plan | None:
    """The plan of an output, if it has one.

    Raises:
        InvalidArgument: it cannot be understood.
    """
    data = read_small(f"{out}/_run/plan.json")
    if data is None:
        return None
    try:
        return msgspec.json.decode(data, type=Plan)
    except msgspec.MsgspecError as error:
        raise InvalidArgument(
            f"The plan of {out} cannot be read: {error}.",
            suggestions=(
                "It may be damaged or from another version of Pageloom; start over with --restart.",
            ),
        ) from None


def write_plan(out: str, plan: Plan) -> None:
    """Write the plan down."""
    data = msgspec.json.format(msgspec.json.encode(plan), indent=1)
    write_small(f"{out}/_run/plan.json", data)


def differences(old: Plan, new: Plan) -> list[str]:
    """What differs between two plans, for people."""
    names = {"pageloom": "the version of Pageloom", "parser": "the parser", "rules": "the rules"}
    found = [words for name, words in names.items() if getattr(old, name) != getattr(new, name)]
    one, other = msgspec.to_builtins(old.options), msgspec.to_builtins(new.options)
    found += [f"the option {name}" for name in one if one[name] != other.get(name)]
    before, after = ({file.path: file for file in plan.inputs} for plan in (old, new))
    if missing := before.keys() - after.keys():
        found.append(f"{len(missing):,} inputs are missing, such as {min(missing)}")
    if added := after.keys() - before.keys():
        found.append(f"{len(added):,} inputs are new, such as {min(added)}")
    written = [path for path in before.keys() & after.keys() if before[path] != after[path]]
    if written:
        found.append(f"{len(written):,} inputs have changed since, such as {min(written)}")
    return found


def changed_inputs(plan: Plan) -> Plan:
    """The plan with its inputs as they are now."""
    with ThreadPoolExecutor(_LOOKS) as pool:
        now = tuple(pool.map(_now, plan.inputs))
    return msgspec.structs.replace(plan, inputs=tuple(file for file in now if file is not None))


def _now(file: InputFile) -> InputFile | None:
    state = state_of(file.path)
    if state is None:
        return None
    return msgspec.structs.replace(file, size=state.size, stamp=state.stamp)
