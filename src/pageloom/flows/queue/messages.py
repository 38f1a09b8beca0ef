"""The messages between workers: their names and shapes, and nothing else here knows camelCase.

Each contract has a name (the queue it was made for) and a version, which goes up only when a field
changes its meaning. Fields that are not listed pass through from every message to the next.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from pageloom.errors import PageloomError
from pageloom.flows.events import emit

VERSION = 1
_LONGEST_VERSION = 9
_LONGEST_NAME = 200
Name = Annotated[str, msgspec.Meta(min_length=1)]
Owner = Annotated[str, msgspec.Meta(max_length=_LONGEST_NAME)]


class InvalidMessage(PageloomError):
    """A body that is not JSON, or misses what its contract requires: it can never succeed."""

    advice = ("Compare it with `pageloom worker schema`.",)


class UnsupportedVersion(PageloomError):
    """A message of a contract that is newer than this worker."""

    advice = ("Update Pageloom on the workers, then requeue the message with pageloom dlq replay.",)


class FetchJob(Struct, kw_only=True, rename="camel"):
    """``fetch.jobs``: fetch this URL."""

    job_id: Name
    url: Name
    render: bool | str | UnsetType | None = UNSET
    """true and ``force``, false and ``never``, or ``auto``."""
    source_id: str | UnsetType | None = UNSET
    watch_id: str | int | UnsetType | None = UNSET
    headers: dict[str, str] | UnsetType | None = UNSET
    crawl: dict[str, Any] | UnsetType | None = UNSET
    """Follow links from here: ``id``, ``scope``, ``depth``, ``maxDepth``, ``maxPages``."""
    owner: Owner | UnsetType | None = UNSET
    """Whose library the page is for, if not that of ``library.user``."""
    lease: str | UnsetType | None = UNSET
    """Names whoever took the watch for this check: its turn ends with it."""
    robots: bool | UnsetType | None = UNSET
    """Whether robots.txt is honoured; for watches and crawls it is unless this is false."""
    wait_for: str | UnsetType | None = UNSET
    """A selector that has to appear where a browser shows the page."""
    validators: dict[str, str] | UnsetType | None = UNSET
    """``etag`` and ``lastModified`` of what is known: only a newer page is wanted."""
    scope: list[str] | UnsetType | None = UNSET
    """Selectors of the parts that matter: by them it is judged whether a browser is needed."""
    ignore: list[str] | UnsetType | None = UNSET
    """Selectors of parts that are ignored."""


class RawHtml(Struct, kw_only=True, rename="camel"):
    """``html.raw``: what a URL answered with."""

    job_id: Name
    url: Name
    html: str
    final_url: str | UnsetType | None = UNSET
    status: int | UnsetType | None = UNSET
    content_type: str | UnsetType | None = UNSET
    body_base64: str | UnsetType | None = msgspec.field(default=UNSET, name="bodyBase64")
    """The bytes as they came, for other charsets and for what is not HTML; wins over ``html``."""
    fetched_at: str | UnsetType | None = UNSET
    source_id: str | UnsetType | None = UNSET
    watch_id: str | int | UnsetType | None = UNSET
    owner: Owner | UnsetType | None = UNSET
    lease: str | UnsetType | None = UNSET
    rendered: bool | UnsetType | None = UNSET
    """Whether a browser showed the page."""
    validators: dict[str, str] | UnsetType | None = UNSET
    """``etag`` and ``lastModified``, for the next check of a watch."""


class Parsed(Struct, kw_only=True, rename="camel"):
    """What a page says, as lists of strings."""

    title: str
    description: str = ""
    text: str
    images: list[str] = []
    links: list[str] = []
    metadata: dict[str, Any] = {}
    price_candidates: list[str] = []
    rating_candidates: list[str] = []


class ParsedPage(Struct, kw_only=True, rename="camel"):
    """``html.parsed``: a page, read."""

    job_id: Name
    url: Name
    parsed: Parsed
    snapshot_hash: str
    version: int
    """Provisional: storage gives the number."""
    ts: int | UnsetType | None = UNSET
    """Milliseconds since 1970."""
    document: dict[str, Any] | UnsetType | None = UNSET
    body_hash: str | UnsetType | None = UNSET
    fetched_at: str | UnsetType | None = UNSET
    source_id: str | UnsetType | None = UNSET
    watch_id: str | int | UnsetType | None = UNSET
    owner: Owner | UnsetType | None = UNSET
    lease: str | UnsetType | None = UNSET
    rendered: bool | UnsetType | None = UNSET
    """Whether a browser showed the page."""
    validators: dict[str, str] | UnsetType | None = UNSET
    """``etag`` and ``lastModified``, for the next check of a watch."""


class WrittenPage(ParsedPage, kw_only=True, rename="camel"):
    """``html.parsed`` as our parser writes it: the Document becomes an object on the way."""

    document: Any = UNSET


class MessageClassification(Struct, kw_only=True, rename="camel"):
    """What kind of page it is, and how sure that is."""

    type: str
    confidence: float


class ChangeCheck(ParsedPage, kw_only=True, rename="camel"):
    """``change.check``: compare this with the version before."""

    classification: MessageClassification


class Diff(Struct, kw_only=True, rename="camel"):
    """What changed, in short."""

    title_changed: bool = False
    text_diff: str = ""
    metadata_changes: dict[str, Any] = {}
    image_changes: dict[str, Any] = {}
    price_changed: bool = False


class ChangeResult(Struct, kw_only=True, rename="camel"):
    """``storage-agent``: what came of comparing."""

    job_id: Name
    url: Name
    has_changes: bool
    is_new: bool = False
    diff: Diff | UnsetType = UNSET
    """Left out when nothing changed."""
    previous_version: int | None = None
    current_version: int
    snapshot_hash: str
    document: dict[str, Any] | UnsetType | None = UNSET
    body_hash: str | UnsetType | None = UNSET
    fetched_at: str | UnsetType | None = UNSET
    classification: MessageClassification | UnsetType | None = UNSET
    source_id: str | UnsetType | None = UNSET
    watch_id: str | int | UnsetType | None = UNSET
    owner: Owner | UnsetType | None = UNSET
    lease: str | UnsetType | None = UNSET


class Notification(ChangeResult, kw_only=True, rename="camel"):
    """``notify``: notify of this change."""

    changes: dict[str, Any] = {}
    version: dict[str, int | None] = {}
    """``previous`` and ``current``."""


class PriceUpdate(ChangeResult, kw_only=True, rename="camel"):
    """``price.update``: a price to add to the series."""

    price_candidates: list[str] = []
    """Where there are none, the price is that of the page that is kept."""


CONTRACTS: dict[str, type[Struct]] = {
    "fetch.jobs": FetchJob,
    "html.raw": RawHtml,
    "html.parsed": ParsedPage,
    "change.check": ChangeCheck,
    "storage-agent": ChangeResult,
    "notify": Notification,
    "price.update": PriceUpdate,
}
for _contract in CONTRACTS.values():
    msgspec.json.Decoder(_contract)  # under the lock of the import: see the end of model.py

Message = TypeVar("Message", bound=Struct)


def read_message(body: bytes, kind: type[Message]) -> tuple[Message, dict[str, Any]]:
    """The message, and all that was in it, known or not.

    Raises:
        InvalidMessage: it is not JSON, not an object, or does not keep to the contract.
    """
    given = _read(body)
    try:
        message = msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise InvalidMessage(f"The message is invalid: {error}.", size=len(body)) from None
    return message, given


def _read(body: bytes) -> Any:
    try:
        return _decode(body)
    except InvalidMessage:
        mended = mend_escapes(body)
        if mended == body:
            raise
    given = _decode(mended)
    emit("message.repaired", level="warning", size=len(body))
    return given


def _decode(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except UnicodeDecodeError as error:
        why = f"The message is not UTF-8: {error.reason}."
    except (msgspec.DecodeError, RecursionError) as error:
        why = f"The message is not JSON: {error}."
    raise InvalidMessage(why, size=len(body))


def unknown_fields(given: dict[str, Any], kind: type[Struct]) -> dict[str, Any]:
    """What the contract does not name; it goes on as it came."""
    known = names_of(kind)
    return {name: value for name, value in given.items() if name not in known}


@cache
def names_of(kind: type[Struct]) -> frozenset[str]:
    """The fields that a contract names."""
    return frozenset(kind.__struct_encode_fields__)


def write_message(message: Struct, extra: dict[str, Any] | None = None) -> bytes:
    """The bytes of a message: its own fields, then those that its contract does not name."""
    own = msgspec.json.encode(message)
    more = unknown_fields(extra or {}, type(message))
    # Joined as text: a Document would otherwise be taken apart only to be written down again.
    return own[:-1] + b"," + msgspec.json.encode(more)[1:] if more else own


def owner_of(given: dict[str, Any], otherwise: str) -> str:
    """Whose library a message is for: it may say so itself."""
    named = given.get("owner")
    return named if isinstance(named, str) and 0 < len(named) <= _LONGEST_NAME else otherwise


def given_or(value: Any, otherwise: Any) -> Any:
    """A field that may be left out, or null."""
    return otherwise if value is UNSET or value is None else value


def schemas() -> dict[str, Any]:
    """A JSON Schema for each contract, made from the classes above."""
    return {name: _schema(name, kind) for name, kind in CONTRACTS.items()}


def _schema(name: str, kind: type[Struct]) -> dict[str, Any]:
    (top,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    own = parts.pop(top["$ref"].rpartition("/")[2])
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"pageloom:{name}/{VERSION}",
    }
    return head | own | ({"$defs": parts} if parts else {})


def contract_of(name: str) -> str:
    """The contract's name with its version, as the ``type`` of a message says it."""
    return f"{name}/{VERSION}"


def require_version(kind: str) -> None:
    """Refuse a message whose meaning we cannot know; without a ``type`` of ours it is version 1.

    Raises:
        UnsupportedVersion: it says that it keeps to a newer version.
    """
    name, _, version = kind.rpartition("/")
    major = version.partition(".")[0]
    if name not in CONTRACTS or not (major.isascii() and major.isdigit()):
        return
    if len(major) > _LONGEST_VERSION or int(major) > VERSION:
        raise UnsupportedVersion(
            f"The message has contract {kind[:100]};"
            f" this worker supports {name} up to version {VERSION}."
        )


_MARK = b"\xef\xbb\xbf"
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair, which is whole
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"  # half of one
    rb"|\\."
)


def mend_escapes(body: bytes) -> bytes:
    """Without a mark of the encoding, and U+FFFD for halves of surrogate pairs.

    Many programs write such halves when they cut a text in the middle of a sign.
    """
    plain = body.removeprefix(_MARK)
    return _ESCAPE.sub(_whole, plain) if _HALF.search(plain) else plain


def _whole(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if len(found[0]) == 6 else found[0]


def mend_all(body: bytes) -> bytes:
    """The same, and U+FFFD for bytes that are no UTF-8: to describe a message, not to use it."""
    return mend_escapes(body.decode(errors="replace").encode())
