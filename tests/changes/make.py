"""Build pairs of pages from hand-written pages, shells and edits.

A page stands in a shell: navigation, advertisements, suggestions, footers. A shell has slots, and a
slot has what stands in it on a first visit and on a second. A case of ``cases/KIND.toml`` names the
slots that moved on between the visits, and the edits that somebody made to the page itself.

    python -m tests.changes.make DIRECTORY      write all pairs, to look at them
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_BODY = re.compile("<body[^>]*>")
_INLINE = re.compile(r"<<(\w+)\|(.*?)\|(.*?)>>", re.DOTALL)


@dataclass(frozen=True)
class Pair:
    """Two visits to one page, and what must be said about them."""

    name: str
    url: str
    fields: tuple[str, ...]
    before: bytes
    after: bytes

    @property
    def has_changes(self) -> bool:
        return bool(self.fields)


def read_cases() -> dict[str, dict[str, Any]]:
    """Every case by its name: ``kind/page-and-what-happened``."""
    return {
        f"{path.stem}/{case['name']}": case
        for path in sorted((HERE / "cases").glob("*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["pair"]
    }


def make_pair(name: str, case: dict[str, Any]) -> Pair:
    page = read_page(case["page"])
    slots = read_slots(case["page"])
    moved = set(slots) if "*" in case.get("slots", []) else set(case.get("slots", []))
    if unknown := moved - set(slots):
        raise ValueError(f"{name}: no slots {unknown}")
    before = fill(page, {slot: values[0] for slot, values in slots.items()})
    edited = {key: apply_edits(text, case.get("edits", [])) for key, text in page.items()}
    if case.get("edits") and edited == page:
        raise ValueError(f"{name}: the edits change nothing")
    after = fill(edited, {slot: values[slot in moved] for slot, values in slots.items()})
    after = apply_edits(after, case.get("final", []))
    fields = tuple(case.get("fields", ()))
    return Pair(name, page["url"], fields, before.encode(), after.encode())


@cache
def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def read_page(name: str) -> dict[str, str]:
    head, meta, body = read(HERE / "pages" / f"{name}.html").split("\n---\n")
    facts = dict(line.split(" = ", 1) for line in head.splitlines())
    return {"head": meta, "body": body} | facts


@cache
def read_slots(name: str) -> dict[str, list[str]]:
    """The slots of a page and its shell; those in the page are ``<<name|first|second>>``."""
    page = read_page(name)
    inline = {found[1]: [found[2], found[3]] for found in _INLINE.finditer(page["body"])}
    if page["shell"] == "none":
        return inline
    common = tomllib.loads(read(HERE / "shells" / "slots.toml"))
    slots = {slot: [values["a"], values["b"]] for slot, values in common.items()}
    own = HERE / "shells" / f"{page['shell']}.toml"
    if own.exists():
        slots |= tomllib.loads(read(own))
    return slots | inline


def fill(page: dict[str, str], slots: dict[str, str]) -> str:
    whole = page["body"]
    if page["shell"] != "none":
        shell = read(HERE / "shells" / f"{page['shell']}.html")
        whole = shell.replace("{{head}}", page["head"]).replace("{{body}}", page["body"])
    whole = _INLINE.sub(lambda found: slots[found[1]], _furnish(whole))
    return _SLOT.sub(lambda found: slots[found[1]], whole)


def _furnish(whole: str) -> str:
    """Put the styles, scripts, menus and footers around a page that every site drags along."""
    top, bottom = read(HERE / "shells" / "furniture.html").split("---\n")
    whole = _BODY.sub(lambda found: found[0] + "\n" + top, whole, count=1)
    return whole.replace("</body>", bottom + "</body>")


def apply_edits(text: str, edits: list[list[str]]) -> str:
    for old, new in edits:
        text = text.replace(old, new)
    return text


def main(directory: Path) -> None:
    for name, case in read_cases().items():
        pair = make_pair(name, case)
        folder = directory / name
        folder.mkdir(parents=True)
        (folder / "before.html").write_bytes(pair.before)
        (folder / "after.html").write_bytes(pair.after)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
