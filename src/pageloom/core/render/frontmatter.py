"""Write and read Markdown files with YAML frontmatter."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import can_ada

from pageloom.core.picture_names import same_picture
from pageloom.core.render.escape import collapse, escape_text, guard_heading, link_target
from pageloom.model import DISCARDED

if TYPE_CHECKING:
    from pageloom.core.options import ImageStyle
    from pageloom.model import Document, Moment

Value = str | int | float | bool | Sequence[str]
MAX_GENERATED_TAGS = 5
_FIRST = 4
"""Blocks of the content among which a picture leads the page: after headline, byline, summary."""
_MAX_DEPTH = 64
_LONGEST_KEY = 200
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*")
_BOOLEAN_KEYS = frozenset("y n yes no true false on off null".split())
_OPENING = re.compile("\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_HEADING = re.compile(r"#{1,6} +(.+)|(.+)\n *(?:=+|-+)[ \t]*(?:\n|\Z)")
_PICTURE = re.compile(r"!\[[^\]]{0,500}\]\(<?([^\s)>]{1,2000})")
_MARKUP = re.compile(r"[\\*_`\[\]]|\(https?:[^)]*\)")
_PLAIN = re.compile(r"[^\W\d_](?:[\w .,()'/&+%;!?@=~–—’“”-]|:(?=[^\s:])|(?<=[^\s#])#)*")
_NOT_TEXT = frozenset("y n yes no true false on off null nan inf".split())
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\xa0\xad\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LONE = re.compile("[\ud800-\udfff]")


def write_frontmatter(fields: Mapping[str, Value | None]) -> str:
    """The fields between ``---`` lines, in their order; None is left out."""
    lines = ["---"]
    for key, value in fields.items():
        if value is not None:
            lines += _lines(_key(key), value)
    return "\n".join(lines) + "\n---\n"


def read_frontmatter(text: str) -> tuple[dict[str, Any], str]:
    """The fields and the body of a Markdown file; no fields when it has no readable frontmatter."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return {}, text
    fields = _load(text[opening.end() : closing.start()])
    if fields is None:
        return {}, text
    return fields, text[closing.end() :].removeprefix("\r").removeprefix("\n")


def _load(source: str) -> dict[str, Any] | None:
    import yaml  # writing needs none

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if not _is_shallow(source, loader):
            return None
        fields: Any = yaml.load(source, loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError):
        return None
    if fields is None:
        return {}
    return cast("dict[str, Any]", fields) if isinstance(fields, dict) else None


def _is_shallow(source: str, loader: Any) -> bool:
    """Whether the values are nested as people nest them: the C loader dies of deep nesting."""
    import yaml

    depth = 0
    parse = cast("Callable[..., Iterable[object]]", yaml.parse)  # pyright: ignore[reportUnknownMemberType]
    for event in parse(source, loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _MAX_DEPTH:
                return False
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return True


def page_fields(
    document: Document, saved_at: str | None = None, user_tags: Sequence[str] = ()
) -> dict[str, Value]:
    """The fields of a page in the order they are written; what is not known is absent."""
    source = document.final_url or document.url
    if document.discarded:
        discarded: dict[str, Value] = {
            "source": source,
            "domain": _domain(source),
            "discarded": True,
            "discard_reason": document.discard_reason,
            "rule_id": ", ".join(document.provenance.rules),
            "saved_at": saved_at or "",
        }
        return _present(discarded, {"source", "domain", "saved_at"})
    fields: dict[str, Value] = {
        "source": source,
        "title": document.title,
        "author": document.author,
        "published_date": _date(document.published),
        "domain": _domain(source),
        "word_count": document.word_count,
        "reading_time": f"{document.reading_time} min" if document.reading_time else "",
        "hero_image": document.hero_image,
        "tags": join_tags(user_tags, document.tags, document.generated_tags),
        "language": document.language,
        "description": document.description,
        "saved_at": saved_at or "",
    }
    return _present(fields, {"source", "title", "domain", "word_count", "saved_at"})


def join_tags(user: Sequence[str], stated: Sequence[str], generated: Sequence[str]) -> list[str]:
    """The user's tags, the page's, then a few of ours; none twice, however it is spelt."""
    tags: dict[str, str] = {}
    for tag in (*user, *stated, *generated[:MAX_GENERATED_TAGS]):
        tags.setdefault(tag.casefold(), tag)
    return list(tags.values())


def markdown_page(
    document: Document,
    saved_at: str | None = None,
    user_tags: Sequence[str] = (),
    *,
    images: ImageStyle = "clickable",
) -> str:
    """The whole file: frontmatter and body. The body of a discarded page says only that."""
    head = write_frontmatter(page_fields(document, saved_at, user_tags))
    if document.discarded:
        return f"{head}\n{DISCARDED}\n"
    body = markdown_body(document, images=images)
    return f"{head}\n{body}" if body else head


def markdown_body(document: Document, *, images: ImageStyle = "clickable") -> str:
    """The content under its picture and title, each unless the content already starts with it."""
    blocks = document.markdown.split("\n\n", _FIRST + 2) if document.markdown else []
    start = _take_hero(blocks, document.hero_image)
    if not start and document.hero_image and images != "none":
        start.append(_hero(document, images))
    title = collapse(document.title).strip()
    if title and not any(_repeats(block, title) for block in (*start, *blocks[:3])):
        if _is_by_rule(document):
            _drop_headline(blocks)
        start.append(f"# {guard_heading(escape_text(title))}")
    return "\n\n".join((*start, *blocks)).rstrip("\n") + "\n" if start or blocks else ""


def _is_by_rule(document: Document) -> bool:
    source = document.provenance.fields.get("title")
    return source is not None and source.source.startswith("rule")


def _drop_headline(blocks: list[str]) -> None:
    """Remove the page's own headline, where a rule gives the page another title."""
    for place, block in enumerate(blocks[:3]):
        if block.startswith("# ") and "\n" not in block.rstrip("\n"):
            del blocks[place]
            return


def _take_hero(blocks: list[str], hero: str) -> list[str]:
    """The picture that leads the page, with its caption, taken out of the first blocks."""
    for place, block in enumerate(blocks[:_FIRST]):
        if _shows(block, hero) and (not place or _is_picture_alone(block)):
            captioned = place + 1 < len(blocks) and _is_caption(blocks[place + 1])
            taken = blocks[place : place + 1 + captioned]
            del blocks[place : place + 1 + captioned]
            return taken
    return []


def _is_picture_alone(block: str) -> bool:
    return block.count("![") == 1 and block.endswith(")") and "\n" not in block


def _lines(key: str, value: Value) -> list[str]:
    if len(key) > _LONGEST_KEY:
        key = f"? {key}\n"  # YAML reads a key only so far without being told
    if isinstance(value, str | int | float):
        return [f"{key}: {scalar(value)}"]
    if not value:
        return [f"{key}: []"]
    return [f"{key}:", *(f"  - {scalar(item)}" for item in value)]


def _key(key: str) -> str:
    plain = _KEY.fullmatch(key) and key.lower() not in _BOOLEAN_KEYS
    return key if plain else quoted(key)


def _present(fields: dict[str, Value], always: set[str]) -> dict[str, Value]:
    return {name: value for name, value in fields.items() if name in always or value}


def _domain(url: str) -> str:
    try:
        return can_ada.parse(url).hostname.removeprefix("www.")
    except ValueError:
        return ""


def _date(moment: Moment | None) -> str:
    """The date as exactly as the page states it, in the page's own zone."""
    if moment is None:
        return ""
    if not moment.time:
        return moment.date
    if moment.zone in {"", "Z"} or moment.zone[0] in "+-":
        return f"{moment.date}T{moment.time}{moment.zone}"
    return moment.utc or f"{moment.date}T{moment.time}"


def _hero(document: Document, images: ImageStyle) -> str:
    url = link_target(document.hero_image)
    alt = next((one.alt for one in document.images if one.url == document.hero_image), "")
    picture = f"![{escape_text(collapse(alt))}]({url})"
    return f"[{picture}]({url})" if images == "clickable" else picture


def _shows(block: str, url: str) -> bool:
    """Whether a block is a picture, in whatever size."""
    if not url or not block.startswith(("![", "[![")):
        return False
    return f"]({link_target(url)}" in block or any(
        same_picture(shown, url) for shown in _PICTURE.findall(block[:4_000])
    )


def _is_caption(block: str) -> bool:
    return (
        block[:1] in {"*", "_"}
        and block.rstrip("\n")[-1:] == block[0]
        and "\n" not in block.strip()
    )


def _repeats(block: str, title: str) -> bool:
    found = _HEADING.match(block)
    return found is not None and _bare(found[1] or found[2]) == _bare(title)


def _bare(text: str) -> str:
    return "".join(_MARKUP.sub("", text).casefold().split())


def scalar(value: str | float) -> str:
    """One value on one line; a text that could be taken for anything else is quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if _PLAIN.fullmatch(value) and value[-1] not in " :" and value.lower() not in _NOT_TEXT:
        return value
    return quoted(value)


def quoted(text: str) -> str:
    """The text in double quotes; halves of characters, which no file can hold, are replaced."""
    return f'"{_ESCAPED.sub(_escape, _LONE.sub("�", text))}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _SHORT.get(character) or f"\\u{ord(character):04x}"


def _number(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    mantissa, exponent, power = text.partition("e")
    return text if not exponent or "." in mantissa else f"{mantissa}.0e{power}"
