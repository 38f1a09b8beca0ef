"""Places of files: the disk, object stores by the file systems of pyarrow, and the web.

A file is written under another name and renamed when it is whole; in an object store an upload
becomes visible when it is complete, which is the same.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from pageloom.edges.archive.entries import Readable
from pageloom.edges.atomic_write import atomic_write
from pageloom.errors import InvalidArgument, MissingExtra, StorageError, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

_REMOTE = ("s3://", "gs://", "hdfs://")
_WEB = ("https://", "http://")


@dataclass(frozen=True, slots=True)
class FileState:
    """A file, its size, and what changes when it is written again."""

    path: str
    size: int
    stamp: str


class WebPlace(Readable, Protocol):
    """A file on the web."""

    def state(self) -> FileState | None:
        """Size and stamp; None if there is no such file."""
        ...


_web: list[Callable[[str], WebPlace]] = []


def read_web_by(opener: Callable[[str], WebPlace]) -> None:
    """Say how files on the web are opened in this process: the network is no affair of archives."""
    _web[:] = [opener]


def is_on_the_web(path: str) -> bool:
    """Whether a path is a URL."""
    return path.startswith(_WEB)


def _open_web(path: str) -> WebPlace:
    if not _web:
        raise StorageError(f"{path} cannot be read: nothing was said of the web.", act="read")
    return _web[0](path)


def is_remote(path: str) -> bool:
    """Whether a path is in an object store."""
    return path.startswith(_REMOTE)


def require_pyarrow() -> None:
    """Say what to install where it is missing.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        raise MissingExtra(
            "Bulk runs need optional packages that are not installed.",
            suggestions=("pip install 'pageloom[bulk]'",),
        )


def _remote(path: str) -> tuple[Any, str]:
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import fs

    try:
        return fs.FileSystem.from_uri(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InvalidArgument(f"{path} cannot be used: {_brief(error)}.") from None


def _brief(error: BaseException) -> str:
    return str(error).partition("\n")[0][:200].rstrip(".")


@contextmanager
def reported(path: str, act: str) -> Generator[None]:
    """Turn errors of the disk and of object stores into StorageError."""
    try:
        yield
    except OSError as error:
        why = why_not(error) if not is_remote(path) else _brief(error)
        raise StorageError(
            f"{path} cannot be {act}: {why}.",
            suggestions=("Run the same command again when this is solved; nothing is lost.",),
            act=act,
        ) from error


def open_file(path: str) -> Readable:
    """Open a file for reading, from any place.

    Raises:
        StorageError: it cannot be read.
    """
    if is_on_the_web(path):
        return _open_web(path)
    with reported(path, "read"):
        if is_remote(path):
            system, inner = _remote(path)
            return system.open_input_file(inner)
        return Path(path).open("rb")


def read_small(path: str) -> bytes | None:
    """A small file, or None if there is none."""
    with reported(path, "read"):
        try:
            if is_remote(path):
                system, inner = _remote(path)
                with system.open_input_stream(inner) as file:
                    return file.read()
            return Path(path).read_bytes()
        except FileNotFoundError:
            return None


@contextmanager
def write_whole(path: str, *, durable: bool = True) -> Generator[BinaryIO]:
    """Open a file for writing that is seen only when it is whole.

    Raises:
        StorageError: it cannot be written.
    """
    with reported(path, "written"):
        if not is_remote(path):
            target = Path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(target, durable=durable) as file:
                yield file  # type: ignore[misc]
            return
        system, inner = _remote(path)
        stream = system.open_output_stream(inner)
        try:
            yield stream
        except BaseException:
            with suppress(Exception):
                stream.abort()
            raise
        stream.close()


def write_small(path: str, data: bytes) -> None:
    """Write a small file at once."""
    with write_whole(path) as file:
        file.write(data)


def state_of(path: str) -> FileState | None:
    """Size and stamp of a file, or None if there is none."""
    if is_on_the_web(path):
        with closing(_open_web(path)) as place:
            return place.state()
    with reported(path, "read"):
        if is_remote(path):
            system, inner = _remote(path)
            found = system.get_file_info(inner)
            return _remote_state(path, found) if found.is_file else None
        try:
            state = Path(path).stat()
        except FileNotFoundError:
            return None
        return FileState(path, state.st_size, str(state.st_mtime_ns))


def _remote_state(path: str, found: Any) -> FileState:
    return FileState(path, int(found.size), str(found.mtime_ns or ""))


def is_folder(path: str) -> bool:
    """Whether a path is a directory, or the beginning of names in an object store."""
    if is_remote(path):
        from pyarrow import fs

        system, inner = _remote(path)
        with reported(path, "read"):
            return system.get_file_info(inner).type == fs.FileType.Directory
    if is_on_the_web(path):
        return False
    return Path(path).is_dir()


def list_folder(path: str) -> Iterator[FileState]:
    """All files below a directory, by path."""
    with reported(path, "read"):
        if not is_remote(path):
            for file in sorted(_walk(Path(path))):
                state = file.stat()
                yield FileState(str(file), state.st_size, str(state.st_mtime_ns))
            return
        from pyarrow import fs

        system, inner = _remote(path)
        found = system.get_file_info(fs.FileSelector(inner, recursive=True, allow_not_found=True))
        scheme = path.partition("://")[0]
        states = [_remote_state(f"{scheme}://{one.path}", one) for one in found if one.is_file]
        yield from sorted(states, key=lambda state: state.path)


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "_run"))]
        yield from (Path(parent, name) for name in files if not name.startswith("."))


def names_in(folder: str) -> list[str]:
    """The names of the files in one directory; none if there is no such directory."""
    if is_remote(folder):
        return [state.path.rpartition("/")[2] for state in list_folder(folder)]
    with reported(folder, "read"):
        try:
            return sorted(os.listdir(folder))  # noqa: PTH208  names alone
        except FileNotFoundError:
            return []


def remove(path: str) -> None:
    """Remove a file or a directory with all that is in it; nothing if there is none."""
    import shutil

    with reported(path, "removed"):
        if is_remote(path):
            from pyarrow import fs

            system, inner = _remote(path)
            if system.get_file_info(inner).type == fs.FileType.Directory:
                system.delete_dir(inner)
            elif system.get_file_info(inner).is_file:
                system.delete_file(inner)
            return
        if Path(path).is_dir():
            shutil.rmtree(path)
        else:
            Path(path).unlink(missing_ok=True)
