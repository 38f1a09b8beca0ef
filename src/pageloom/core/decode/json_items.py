"""Read JSON Feed, and JSON of APIs by common field names."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from typing import cast

from pageloom.core.decode.plain_text import has_markup, to_line, to_name, unique
from pageloom.core.json_text import load_json
from pageloom.core.page_urls import absolute
from pageloom.core.parts import FeedFacts, ItemFacts

Record = dict[str, object]

# Names in the order of trust, without case, spaces and marks: ``publishedAt`` is ``publishedat``.
_TITLE = ("headline", "title", "webtitle", "name", "subject", "heading")
_LINK = (
    "url", "link", "permalink", "canonicalurl", "weburl", "htmlurl", "shareurl", "storyurl",
    "articleurl", "externalurl", "href", "uri",
)  # fmt: skip
_ID = ("id", "guid", "uuid", "uid", "objectid", "slug")
_AUTHORS = ("authors", "author", "byline", "creator", "creators", "writer", "writtenby", "user")
_PUBLISHED = (
    "datepublished", "publishedat", "published", "publishedon", "publishdate", "publicationdate",
    "webpublicationdate", "firstpublished", "pubdate", "date", "dategmt", "createdat",
    "datecreated", "created", "createdon", "timestamp", "time", "createdutc",
)  # fmt: skip
_MODIFIED = (
    "datemodified", "modifiedat", "updatedat", "modified", "updated", "lastmodified", "updatedon",
    "modifiedgmt", "lastupdated",
)  # fmt: skip
_CONTENT = (
    "contenthtml", "bodyhtml", "html", "articlebody", "content", "body", "fulltext", "contenttext",
    "bodytext", "selftexthtml", "selftext", "storytext", "text", "markdown", "richtext",
)  # fmt: skip
_SUMMARY = (
    "summary", "description", "excerpt", "abstract", "teaser", "standfirst", "trailtext",
    "subtitle", "dek", "lead", "snippet",
)  # fmt: skip
_TAGS = ("tags", "keywords", "categories", "topics", "labels", "category", "section", "sectionname")
_IMAGE = (
    "image",
    "imageurl",
    "featuredimage",
    "bannerimage",
    "thumbnail",
    "cover",
    "picture",
    "photo",
)
_LANGUAGE = ("language", "lang", "locale", "inlanguage")
_HOME = ("homepageurl", "siteurl", "homepage", "website")
# Where a value may hide inside an object, and where a record may be wrapped.
_INNER = ("rendered", "name", "text", "value", "url", "src", "href", "title", "html", "fullname")
_WRAPPERS = ("node", "source", "data", "attributes", "item", "article", "post", "story", "document")
_LISTS = (
    "items", "articles", "posts", "entries", "results", "stories", "news", "documents", "docs",
    "records", "data", "hits", "edges", "nodes", "children", "list", "feed", "content",
)  # fmt: skip

_MARKS = re.compile(r"[^a-z0-9]+")
_MAX_VISITED = 5_000
_MAX_ITEMS = 10_000
_MAX_DEPTH = 6
_MAX_KEYS = 500


def read_json(text: str, *, url: str = "") -> FeedFacts | None:
    """The items of a JSON Feed or API answer, or its one article; None if there is neither.

    Args:
        text: the decoded JSON.
        url: where it came from, for relative links.
    """
    value = load_json(text)
    head = _as_record(value) or Record()
    if "jsonfeed.org/version" in str(head.get("version", "")):
        return _read_feed(head, _records(head.get("items")), url, is_feed=True)
    article = _find_article(value)
    if article is not None:
        return FeedFacts(kind="json", is_list=False, items=(_read_item(article, url),))
    records = _find_list(value)
    return _read_feed(head, records, url, is_feed=False) if records else None


def _read_feed(head: Record, records: list[Record], url: str, *, is_feed: bool) -> FeedFacts:
    fields = _fold(head)
    home = absolute(_read(fields, _HOME), url) or ""
    authors = _read_authors(fields)
    return FeedFacts(
        kind="jsonfeed" if is_feed else "json",
        title=to_line(_read(fields, _TITLE)),
        description=to_line(_read(fields, _SUMMARY)),
        link=home,
        language=_read(fields, _LANGUAGE),
        authors=authors,
        image=absolute(_read(fields, ("icon", "favicon", *_IMAGE)), url) or "",
        items=tuple(_read_item(record, url or home, authors) for record in records),
    )


def _as_record(value: object) -> Record | None:
    return cast("Record", value) if isinstance(value, dict) else None


def _records(value: object) -> list[Record]:
    if not isinstance(value, list):
        return []
    entries = cast("list[object]", value)[:_MAX_ITEMS]
    return [_unwrap(cast("Record", entry)) for entry in entries if isinstance(entry, dict)]


def _fold(record: Record) -> Record:
    """The record with its keys without case and marks; the first of two that become one stays."""
    folded: Record = {}
    for key, value in islice(record.items(), _MAX_KEYS):
        folded.setdefault(_MARKS.sub("", key.lower()), value)
    return folded


def _unwrap(record: Record) -> Record:
    """A GraphQL edge, a search hit and a JSON:API resource carry the record one level down."""
    fields = _fold(record)
    if any(name in fields for name in _TITLE[:3]):
        return record
    for name in _WRAPPERS:
        inner = _as_record(fields.get(name))
        if inner:
            return {**inner, **{key: value for key, value in record.items() if value is not inner}}
    return record


def _find_article(value: object) -> Record | None:
    """The object at the top, or inside plain wrappers, that has a title and a body."""
    record = _as_record(value)
    for _ in range(_MAX_DEPTH):
        if record is None:
            return None
        fields = _fold(record)
        if _read(fields, _TITLE) and _read(fields, _CONTENT):
            return record
        inner = (_as_record(fields.get(name)) for name in (*_WRAPPERS, "result", "response"))
        record = next((entry for entry in inner if entry), None)
    return None


def _find_list(value: object) -> list[Record]:
    """The nearest list of records that look like items; a well-known name beats a nearer one."""
    best: tuple[int, int, list[Record]] | None = None
    todo: deque[tuple[object, str, int]] = deque([(value, "", 0)])
    visited = 0
    while todo and visited < _MAX_VISITED:
        node, name, depth = todo.popleft()
        visited += 1
        inner = _as_record(node)
        if inner is not None and depth < _MAX_DEPTH:
            todo.extend((entry, key, depth + 1) for key, entry in _fold(inner).items())
            continue
        records = _records(node)
        rank = (0 if name in _LISTS or not name else 1, depth)
        if records and _look_like_items(records) and (best is None or rank < best[:2]):
            best = (*rank, records)
    return best[2] if best else []


def _look_like_items(records: list[Record]) -> bool:
    sample = records[:20]
    return sum(map(_looks_like_item, sample)) * 2 > len(sample)


def _looks_like_item(record: Record) -> bool:
    fields = _fold(record)
    marks = (_LINK, _PUBLISHED, _CONTENT, _SUMMARY)
    return bool(_read(fields, _TITLE)) and any(_read(fields, names) for names in marks)


def _read(fields: Record, names: tuple[str, ...]) -> str:
    """The first of the names that has a value, here or in an object one or two levels down."""
    for name in names:
        found = _to_text(fields.get(name))
        if found:
            return found
    return ""


def _read_deep(fields: Record, names: tuple[str, ...]) -> str:
    found = _read(fields, names)
    if found:
        return found
    inner = [record for value in fields.values() if (record := _as_record(value))]
    return next((text for record in inner[:20] if (text := _read(_fold(record), names))), "")


def _to_text(value: object) -> str:
    """Text out of a value: a string, a number, an object that has one, the first of a list."""
    for _ in range(3):
        if isinstance(value, str):
            return value.strip()
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, dict):
            fields = _fold(cast("Record", value))
            value = next((fields[name] for name in _INNER if fields.get(name)), None)
        elif isinstance(value, list):
            value = next(iter(cast("list[object]", value)), None)
    return ""


def _read_item(record: Record, url: str, authors: tuple[str, ...] = ()) -> ItemFacts:
    fields = _fold(record)
    content = _read_deep(fields, _CONTENT)
    summary = _read_deep(fields, _SUMMARY)
    body = content or summary
    link = absolute(_read_deep(fields, _LINK), url) or ""
    is_html = has_markup(body)
    modified = _read_deep(fields, _MODIFIED)
    return ItemFacts(
        title=to_line(_read_deep(fields, _TITLE)),
        link=link,
        id=_read(fields, _ID) or link,
        authors=_read_authors(fields) or authors,
        published=_read_deep(fields, _PUBLISHED) or modified,
        modified=modified,
        html=body if is_html else "",
        text="" if is_html else body,
        summary=to_line(summary) if content else "",
        categories=_read_tags(fields),
        image=absolute(_read_deep(fields, _IMAGE), url) or "",
        language=_read(fields, _LANGUAGE),
        base=link or url,
    )


def _each(value: object) -> list[object]:
    if isinstance(value, list):
        return cast("list[object]", value)[:100]
    return [] if value is None else [value]


def _read_authors(fields: Record) -> tuple[str, ...]:
    for name in _AUTHORS:
        entries = [
            entry for entry in _each(fields.get(name)) if not isinstance(entry, (int, float))
        ]
        found = unique([to_name(_to_text(entry)) for entry in entries])
        if found:
            return tuple(re.sub(r"^by\s+", "", name, flags=re.IGNORECASE) for name in found)
    return ()


def _read_tags(fields: Record) -> tuple[str, ...]:
    names: list[str] = []
    for name in _TAGS:
        value = fields.get(name)
        entries = cast("list[object]", value.split(",")) if isinstance(value, str) else _each(value)
        words = [entry for entry in entries if not isinstance(entry, (int, float))]
        names.extend(to_line(_to_text(entry)) for entry in words)
    return unique(names)
