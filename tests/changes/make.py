"""Build the pairs of pages from hand-written pages, shells and edits: python -m tests.changes.make

A page stands in a shell: navigation, advertisements, suggestions, footers. A shell has slots, and a
slot has what stands in it on a first visit and on a second. A pair names the slots that moved on
between the visits, and the edits that somebody made to the page itself.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_BODY = re.compile("<body[^>]*>")
_INLINE = re.compile(r"<<(\w+)\|(.*?)\|(.*?)>>", re.DOTALL)


def make_all() -> None:
    pairs = HERE / "pairs"
    shutil.rmtree(pairs, ignore_errors=True)
    manifest = [
        make_pair(case, pairs) | {"set": path.stem.removeprefix("cases-")}
        for path in sorted(HERE.glob("cases*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["pair"]
    ]
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (HERE / "manifest.json").write_text(text + "\n", encoding="utf-8")


def make_pair(case: dict, pairs: Path) -> dict:
    page = read_page(case["page"])
    slots = read_slots(page)
    moved = set(slots) if "*" in case.get("slots", []) else set(case.get("slots", []))
    unknown = moved - set(slots)
    if unknown:
        sys.exit(f"{case['name']}: no slots {unknown}")
    before = fill(page, {name: values[0] for name, values in slots.items()})
    edited = {key: apply_edits(text, case.get("edits", [])) for key, text in page.items()}
    if case.get("edits") and edited == page:
        sys.exit(f"{case['name']}: the edits change nothing")
    after = fill(edited, {name: values[name in moved] for name, values in slots.items()})
    after = apply_edits(after, case.get("final", []))
    folder = pairs / case["name"]
    folder.mkdir(parents=True)
    (folder / "before.html").write_text(before, encoding="utf-8")
    (folder / "after.html").write_text(after, encoding="utf-8")
    return {
        "name": case["name"],
        "url": page["url"],
        "has_changes": bool(case.get("fields")),
        "fields": case.get("fields", []),
        "about": case["about"],
    }


def read_page(name: str) -> dict[str, str]:
    whole = (HERE / "pages" / f"{name}.html").read_text(encoding="utf-8")
    head, meta, body = whole.split("\n---\n")
    facts = dict(line.split(" = ", 1) for line in head.splitlines())
    return {"head": meta, "body": body} | facts


def read_slots(page: dict[str, str]) -> dict[str, list[str]]:
    """The slots of a page and its shell; those in the page are ``<<name|first|second>>``."""
    inline = {found[1]: [found[2], found[3]] for found in _INLINE.finditer(page["body"])}
    if page["shell"] == "none":
        return inline
    common = tomllib.loads((HERE / "shells" / "slots.toml").read_text(encoding="utf-8"))
    slots = {name: [values["a"], values["b"]] for name, values in common.items()}
    own = HERE / "shells" / f"{page['shell']}.toml"
    if own.exists():
        slots |= tomllib.loads(own.read_text(encoding="utf-8"))
    return slots | inline


def fill(page: dict[str, str], slots: dict[str, str]) -> str:
    whole = page["body"]
    if page["shell"] != "none":
        shell = (HERE / "shells" / f"{page['shell']}.html").read_text(encoding="utf-8")
        whole = shell.replace("{{head}}", page["head"]).replace("{{body}}", page["body"])
    whole = _INLINE.sub(lambda found: slots[found[1]], _furnish(whole))
    return _SLOT.sub(lambda found: slots[found[1]], whole)


def _furnish(whole: str) -> str:
    """Put the styles, scripts, menus and footers around a page that every site drags along."""
    text = (HERE / "shells" / "furniture.html").read_text(encoding="utf-8")
    top, bottom = text.split("---\n")
    whole = _BODY.sub(lambda found: found[0] + "\n" + top, whole, count=1)
    return whole.replace("</body>", bottom + "</body>")


def apply_edits(text: str, edits: list[list[str]]) -> str:
    for old, new in edits:
        text = text.replace(old, new)
    return text


if __name__ == "__main__":
    make_all()
