"""Export to a folder of Markdown files, one per page, such as an Obsidian vault.

Kept pictures are in its folder ``assets``. A file belongs to a page if its frontmatter says so;
that file is overwritten, whatever its name. All other files in the folder stay as they are.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.edges.atomic_write import atomic_write
from pageloom.edges.store.pages import page_by_url
from pageloom.edges.store.pictures import read_files
from pageloom.flows.transfer.export_pictures import asset_path
from pageloom.flows.transfer.export_texts import markdown_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from pageloom.edges.store.base import Store
    from pageloom.model.files import KeptFile
    from pageloom.model.pages import Page

_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)
_LONGEST_NAME = 80
_MOST_BYTES = 200
_JOINERS = frozenset("\u200c\u200d")
"""Joiner characters: in Persian and Indic scripts they are part of the spelling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file of a page."""

    name: str
    spared: str = ""
    """A foreign file that already has the name this one would get."""
    pictures: int = 0
    """How many kept pictures it shows, from the folder ``assets``."""


def write_markdown_folder(
    store: Store,
    pages: Iterable[Page],
    folder: Path,
    *,
    force: bool = False,
    keep: Collection[Path] = (),
) -> Iterator[Written]:
    """Write a Markdown file for each page, for Obsidian and similar programs.

    Args:
        store: the library.
        pages: the pages to write.
        folder: the folder; it is created if missing.
        force: also overwrite files that Pageloom did not write.
        keep: files that are never overwritten.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: _Names | None = None
    for page in pages:
        names = names or _look_around(store, page.owner, folder, keep if force else None)
        written = names.place(page)
        files = read_files(store, page)
        _write_pictures(folder, files.values())
        with atomic_write(folder / written.name) as file:
            file.write(markdown_file(store, page, files).encode())
        yield replace(written, pictures=len(files))


def _write_pictures(folder: Path, files: Iterable[KeptFile]) -> None:
    """The pictures under the names of their hashes: one that is there already is the same."""
    for file in files:
        path = folder / asset_path(file)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            with atomic_write(path) as target:
                target.write(file.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """The file names in a folder that are taken."""

    own: dict[int, str]
    """By page: its existing file."""
    taken: dict[str, bool]
    """By ``name_key``: whether the file belongs to a page."""

    def place(self, page: Page) -> Written:
        """The page's existing file, or the first free name for it."""
        spared = ""
        if page.id not in self.own:
            for name in _choices(page):
                is_ours = self.taken.get(name_key(name))
                if is_ours is None:
                    self.own[page.id] = name
                    self.taken[name_key(name)] = True
                    break
                spared = spared or ("" if is_ours else name)
        return Written(name=self.own[page.id], spared=spared)


def _choices(page: Page) -> Iterator[str]:
    name = file_name(page)
    yield f"{name}.md"
    yield f"{name} {page.id}.md"
    yield from (f"{name} {page.id} {number}.md" for number in count(2))


def name_key(name: str) -> str:
    """A key that is equal for names that a file system may treat as the same file."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def _look_around(store: Store, owner: str, folder: Path, keep: Collection[Path] | None) -> _Names:
    """List the names that are taken; foreign files only if they must be kept."""
    found = _Names(own={}, taken={})
    for path in sorted(folder.iterdir()):
        page = _page_in(store, owner, path) if path.suffix == ".md" and path.is_file() else None
        if page:
            found.taken[name_key(path.name)] = True
            # Of several files of one page, prefer the one with the name we would choose.
            if page.id not in found.own or path.name == f"{file_name(page)}.md":
                found.own[page.id] = path.name
        elif keep is None or not path.is_file() or path.resolve() in keep:
            found.taken[name_key(path.name)] = False
    return found


def _page_in(store: Store, owner: str, path: Path) -> Page | None:
    """The page a file belongs to; None for a foreign file."""
    try:
        head = _head(path)
    except OSError:
        return None
    fields = read_frontmatter(head)[0] if "own_tags" in head else {}
    if "own_tags" not in fields:  # our own exports always have it, web clippers do not
        return None
    address = fields.get("address") or fields.get("source")
    return page_by_url(store, owner, address) if isinstance(address, str) else None


def _head(path: Path) -> str:
    """The frontmatter of a file, if it has any."""
    with path.open("rb") as file:
        lines = [file.readline(100).removeprefix(b"\xef\xbb\xbf")]
        if lines[0].rstrip() == b"---":
            for line in file:
                lines.append(line)
                if line.rstrip() == b"---":
                    return b"".join(lines).decode("utf-8", "replace")
    return ""


def file_name(page: Page) -> str:
    """A file name for the page that is valid and safe on every system."""
    name = _shorten(_plain(page.title or page.domain)) or f"page {page.id}"
    return f"{name} {page.id}" if name.casefold() in _RESERVED else name


def _plain(title: str) -> str:
    """The title's letters (with their marks) and digits; spaces for everything else."""
    kept = " "
    for char in unicodedata.normalize("NFC", title):
        is_kept = char in "-_" or unicodedata.category(char)[0] in "LN"
        kept += char if is_kept or (_is_mark(char) and kept[-1] != " ") else " "
    return " ".join(kept.split())


def _shorten(name: str) -> str:
    """Shorten a name without cutting a letter from its combining marks."""
    end = min(len(name), _LONGEST_NAME)
    while len(name[:end].encode()) > _MOST_BYTES or (end < len(name) and _is_mark(name[end])):
        end -= 1
    return name[:end].strip(" -_")


def _is_mark(char: str) -> bool:
    """Whether a character is a combining mark of the letter before it, not a variation selector."""
    return char in _JOINERS or (
        unicodedata.category(char) in {"Mn", "Mc"} and not "\ufe00" <= char <= "\ufe0f"
    )
