"""ChangeReport: what changed between two Documents, and its JSON.

A value named ``…Change`` is about one level. Its ``changed`` says whether the level differs in a
way that matters; what differs without mattering is listed in ``ChangeReport.trivial``.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from decimal import Decimal  # noqa: TC003  msgspec reads the annotations
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import msgspec

from pageloom.model import Price, Rating, Region  # noqa: TC001  msgspec reads the annotations

if TYPE_CHECKING:
    from pageloom.model import Document

Field = Literal[
    "title",
    "description",
    "text",
    "images",
    "metadata",
    "links",
    "price",
    "rating",
    "availability",
]
FIELDS: tuple[Field, ...] = get_args(Field)
Verb = Literal["new", "unchanged", "cosmetic", "minor", "major", "price", "stock"]
Operation = Literal["added", "removed", "edited", "moved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrivialDifference:
    """A difference that is no change, and the class it belongs to."""

    field: Field
    kind: str
    """Such as ``relative-time``, ``timestamp``, ``counter``, ``whitespace``, ``letter-case``,
    ``rotating``, ``advertisement``, ``reordered``, ``cache-busting``, ``session``, ``wording``."""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChange:
    """One value before and after."""

    before: str = ""
    after: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    """One block of text that was added, removed, edited or moved."""

    operation: Operation
    before: str = ""
    after: str = ""
    key: str = ""
    """Names the place on the page, not the words, so that a block is known again next time."""
    salient: tuple[str, ...] = ()
    """The numbers, dates, prices, names, negations … that came (``+5``) or went (``-4``)."""
    trivial: str = ""
    """The class of a block that differs without meaning anything."""
    kind: str = "paragraph"
    """Of the block: ``heading``, ``paragraph``, ``item``, ``cell`` …; ``choice`` of a product."""
    role: str = "main"
    """Where on the page it stands: ``main``, ``beside``, ``bar``, ``box``, ``footer`` …"""
    heading: str = ""
    """The heading above it."""
    label: str = ""
    """The head of its row and column, or its term."""
    chance: float = 1.0
    """How likely it is that this matters, by the evidence."""
    strong: bool = False
    """Whether the evidence is strong enough to tell at once, without a second look."""
    why: tuple[str, ...] = ()
    """The weightiest evidence for it or, of what is trivial, against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """How the text differs; ``before`` and ``after`` are excerpts around what changed."""

    changed: bool = False
    before: str = ""
    after: str = ""
    snippet: str = ""
    """``[+ new words - old words]``, the first few of them."""
    similarity: float = 1.0
    """The lower of the two below."""
    levenshtein: float = 1.0
    """Word by word within paragraphs, weighted by their length."""
    jaccard: float = 1.0
    """Of the runs of three words that both texts have."""
    reasons: tuple[str, ...] = ()
    """Why it counts: ``threshold``, ``salient``, ``added``, ``removed``, ``moved``, ``wording``."""
    salient: tuple[str, ...] = ()
    blocks: tuple[BlockChange, ...] = ()
    """At most ``MOST_BLOCKS`` of them."""
    omitted: int = 0
    """Further blocks that are not listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageChange:
    """Pictures that came and went, by URL."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    hero_before: str = ""
    hero_after: str = ""
    hero_changed: bool = False
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataChange:
    """Metadata that differ, by name: ``og:title``, ``canonical``, ``jsonld:Product.brand.name``."""

    changes: dict[str, ValueChange] = field(default_factory=dict[str, ValueChange])
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMove:
    """One link that came, went, or leads elsewhere."""

    operation: Literal["added", "removed", "retargeted"]
    url: str
    text: str = ""
    region: Region = "content"
    internal: bool = False
    before: str = ""
    """Where a retargeted link led to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChange:
    """Links that came and went, each with its region, inside or outside of the site."""

    moves: tuple[LinkMove, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    """The page's price before and after; None where there is none."""

    before: Price | None = None
    after: Price | None = None
    direction: Literal["", "drop", "rise", "currency", "appeared", "vanished", "other"] = ""
    """``other``: not the price of the page itself but one of several that it states."""
    difference: Decimal | None = None
    percent: float | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """The page's rating before and after; None where there is none."""

    before: Rating | None = None
    after: Rating | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """What kind of page it is, as change messages say it."""

    type: str = "other"
    confidence: float = 0.0


def classify(document: Document) -> Classification:
    """What kind of page it is."""
    return Classification(
        type=document.page_type, confidence=round(document.page_type_confidence, 2)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeReport:
    """What changed between two Documents, and whether it matters."""

    url: str = ""
    is_new: bool = False
    """There was nothing to compare with."""
    has_changes: bool = False
    """Whether anything changed that matters."""
    same_hash: bool = False
    """Decided by the hashes alone."""
    changed_fields: tuple[Field, ...] = ()
    verb: Verb = "unchanged"
    importance: float = 0.0
    summary: str = ""
    """One line for people."""
    title: ValueChange = field(default_factory=ValueChange)
    description: ValueChange = field(default_factory=ValueChange)
    text: TextChange = field(default_factory=TextChange)
    images: ImageChange = field(default_factory=ImageChange)
    metadata: MetadataChange = field(default_factory=MetadataChange)
    links: LinkChange = field(default_factory=LinkChange)
    price: PriceChange = field(default_factory=PriceChange)
    rating: RatingChange = field(default_factory=RatingChange)
    availability: ValueChange = field(default_factory=ValueChange)
    trivial: tuple[TrivialDifference, ...] = ()
    classification: Classification = field(default_factory=Classification)
    snapshot_hash: str = ""
    previous_version: int | None = None
    """This and the two below are the caller's to fill, by ``dataclasses.replace``."""
    current_version: int | None = None
    baseline_version: int | None = None
    """The version that was compared with: the one last told of."""

    @property
    def is_strong(self) -> bool:
        """Whether the evidence is strong enough to tell at once, without a second look."""
        beside_text = set(self.changed_fields) - {"text", "links"}
        told = [block for block in self.text.blocks if not block.trivial]
        return (
            bool(beside_text)
            or "threshold" in self.text.reasons
            or any(block.strong for block in told)
            or any(move.region == "content" for move in self.links.moves if not told)
        )

    def evidence(self) -> dict[str, str]:
        """The differences that are told, by a key that stays while they do, with their texts."""
        texts = {
            f"{block.key}:{_crc(block.after)}": block.after or block.before
            for block in self.text.blocks
            if not block.trivial
        }
        links = {f"link:{_crc(move.operation + move.url)}": move.text for move in self.links.moves}
        return {key: text[:300] for key, text in (texts | links).items()}

    def to_message(self, job_id: str = "") -> dict[str, Any]:
        """The message of the change detector; without ``diff`` when nothing changed."""
        message: dict[str, Any] = {"jobId": job_id} if job_id else {}
        message |= {"url": self.url, "hasChanges": self.has_changes, "isNew": self.is_new}
        if self.has_changes:
            message["diff"] = self._differences()
        return message | {
            "previousVersion": self.previous_version,
            "currentVersion": self.current_version,
            "baselineVersion": self.baseline_version,
            "snapshotHash": self.snapshot_hash,
            "changedFields": list(self.changed_fields),
            "importance": self.importance,
            "summary": self.summary,
            "classification": msgspec.to_builtins(self.classification),
        }

    def _differences(self) -> dict[str, Any]:
        return {
            "titleChanged": self.title.changed,
            "descriptionChanged": self.description.changed,
            "textDiff": self.text.snippet if self.text.changed else "",
            "metadataChanges": _before_and_after(self.metadata),
            "imageChanges": _images(self.images),
            "linkChanges": _links(self.links),
            "priceChanged": self.price.changed,
            "ratingChanged": self.rating.changed,
            "availabilityChanged": self.availability.changed,
        }

    def to_detailed(self) -> dict[str, Any]:
        """The detailed diff: every level before and after, with similarity figures."""
        return {
            "changes": {
                "title": msgspec.to_builtins(self.title),
                "description": msgspec.to_builtins(self.description),
                "text": _text(self.text),
                "images": _images(self.images) | {"changed": self.images.changed},
                "metadata": _before_and_after(self.metadata),
                "links": _links(self.links) | {"changed": self.links.changed},
                "price": _price(self.price),
                "rating": msgspec.to_builtins(self.rating),
                "availability": msgspec.to_builtins(self.availability),
            },
            "version": {
                "previous": self.previous_version,
                "current": self.current_version,
                "baseline": self.baseline_version,
            },
            "url": self.url,
            "hasChanges": self.has_changes,
            "isNew": self.is_new,
            "changedFields": list(self.changed_fields),
            "verb": self.verb,
            "importance": self.importance,
            "summary": self.summary,
            "trivial": msgspec.to_builtins(self.trivial),
            "classification": msgspec.to_builtins(self.classification),
            "snapshotHash": self.snapshot_hash,
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers."""
        return msgspec.to_builtins(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The report that ``to_dict`` was called on."""
        return msgspec.convert(data, cls)


def _before_and_after(change: MetadataChange) -> dict[str, Any]:
    return {
        name: {"before": each.before, "after": each.after} for name, each in change.changes.items()
    }


def _text(change: TextChange) -> dict[str, Any]:
    return {
        "before": change.before,
        "after": change.after,
        "diffSnippet": change.snippet,
        "changed": change.changed,
        "similarity": change.similarity,
        "levenshtein": change.levenshtein,
        "jaccard": change.jaccard,
        "reasons": list(change.reasons),
        "salient": list(change.salient),
        "blocks": msgspec.to_builtins(change.blocks),
    }


def _images(change: ImageChange) -> dict[str, Any]:
    answer: dict[str, Any] = {"added": list(change.added), "removed": list(change.removed)}
    if change.hero_changed:
        answer["hero"] = {"before": change.hero_before, "after": change.hero_after}
    return answer


def _links(change: LinkChange) -> dict[str, Any]:
    return {
        name: [msgspec.to_builtins(move) for move in change.moves if move.operation == name]
        for name in ("added", "removed", "retargeted")
    }


def _price(change: PriceChange) -> dict[str, Any]:
    return {
        "before": _amount(change.before),
        "after": _amount(change.after),
        "direction": change.direction,
        "difference": None if change.difference is None else str(change.difference),
        "percent": change.percent,
        "changed": change.changed,
    }


def _amount(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    amount = None if price.amount is None else str(price.amount)
    return {"raw": price.raw, "amount": amount, "currency": price.currency, "kind": price.kind}


msgspec.json.Decoder(ChangeReport)  # gathered under the lock of the import: see the end of model.py


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"
