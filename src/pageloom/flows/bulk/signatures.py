"""What pages are compared by, and which of them are duplicates of an earlier one.

Nothing here depends on the order in which work is done: pages are numbered by shard and record,
equal signatures point to the lowest number, and of each group that hangs together the lowest stays.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.enrich.minhash import BANDS, band_hashes, minhash
from pageloom.edges.archive.places import read_small
from pageloom.errors import InvalidArgument, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.flows.bulk.options import Dedup
    from pageloom.flows.bulk.shard import Marker, Output
    from pageloom.model import Document

_PLACE = [("piece", "<i4"), ("offset", "<i8"), ("record", "<i8"), ("id", "S32")]
EXACT = np.dtype([*_PLACE, ("hash", "<u8", (2,))])
NEAR = np.dtype([*_PLACE, ("hash", "<u8", (2,)), ("bands", "<u8", (BANDS,))])


def layout(dedup: Dedup) -> np.dtype:
    """What one page's signature looks like on disk."""
    return NEAR if dedup == "near" else EXACT


def signature_of(document: Document, dedup: Dedup, place: tuple[int, int, int]) -> bytes:
    """The signature of a page: where it stands, which it is, and what it is compared by."""
    if dedup == "off":
        return b""
    row = np.zeros(1, layout(dedup))
    row["piece"], row["offset"], row["record"] = place
    row["id"] = document.id.encode()
    row["hash"] = np.frombuffer(bytes.fromhex(document.content_hash)[:16], "<u8")
    if dedup == "near":
        values = minhash(document.text)
        if values is not None:
            row["bands"] = band_hashes(values)
    return row.tobytes()


def checksum(data: bytes) -> str:
    """Length and hash: what a file that was not written to its end does not have."""
    return f"{len(data)}:{sha256(data).hexdigest()}"


def read_signatures(output: Output, marker: Marker) -> np.ndarray:
    """The signatures of a part.

    Raises:
        StorageError: they are not what the marker says.
    """
    name = output.name(marker.shard, marker.part)
    data = read_small(output.signatures(name))
    if data is None or checksum(data) != marker.signatures:
        raise StorageError(
            f"The signatures of part {name} in {output.out} are missing or damaged.",
            suggestions=(f"Remove {output.marker(name)}: the part is then written again.",),
        )
    return np.frombuffer(data, layout(output.plan.options.dedup))


class Signatures:
    """All pages of a run, numbered through; those of an earlier run come before them.

    Args:
        sources: each part's output and marker, in order.
        dedup: what is compared.
    """

    def __init__(self, sources: Sequence[tuple[Output, Marker]], dedup: Dedup) -> None:
        self._sources = sources
        self._dedup = dedup
        self.starts: np.ndarray = np.cumsum(
            [0, *(_count(output, marker) for output, marker in sources)]
        )
        """The number of the first page of each part, and one more."""

    @property
    def size(self) -> int:
        """Bytes of all that is compared."""
        return int(self.starts[-1]) * 16 * (1 + (BANDS if self._dedup == "near" else 0))

    def edges(self, piece: int, pieces: int) -> np.ndarray:
        """Pairs of a page and an earlier one, of the hashes in one of several ranges."""
        keys, numbers = self._gather(piece, pieces)
        if not len(keys):
            return np.zeros((0, 2), np.int64)
        order = np.lexsort((numbers, keys))
        keys, numbers = keys[order], numbers[order]
        is_first = np.ones(len(keys), bool)
        is_first[1:] = keys[1:] != keys[:-1]
        firsts = numbers[np.flatnonzero(is_first)[np.cumsum(is_first) - 1]]
        return np.stack([firsts, numbers], axis=1)[~is_first]

    def _gather(self, piece: int, pieces: int) -> tuple[np.ndarray, np.ndarray]:
        """The keys in a range, and whose they are; equal keys of different bands stay apart."""
        found: list[tuple[np.ndarray, np.ndarray]] = []
        for (output, marker), start in zip(self._sources, map(int, self.starts), strict=False):
            rows = read_signatures(output, marker)
            keys = rows["hash"][:, :1] ^ (rows["hash"][:, 1:] >> np.uint64(1))
            if self._dedup == "near":
                marked = rows["bands"] * np.uint64(BANDS) + np.arange(BANDS, dtype=np.uint64)
                keys = np.concatenate([keys, np.where(rows["bands"], marked, 0)], axis=1)
            numbers = np.repeat(np.arange(start, start + len(rows)), keys.shape[1])
            keys = keys.ravel()
            ranges = (keys >> np.uint64(32)) * np.uint64(pieces) >> np.uint64(32)
            chosen = (ranges == np.uint64(piece)) & (keys != 0)
            found.append((keys[chosen], numbers[chosen]))
        if not found:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        return np.concatenate([k for k, _ in found]), np.concatenate([n for _, n in found])


def _count(output: Output, marker: Marker) -> int:
    size = int(marker.signatures.partition(":")[0] or 0)
    if not marker.signatures:
        raise InvalidArgument(
            f"{output.out} was made without --dedup, so it cannot be used with --against.",
            suggestions=("Run it again with --dedup and --restart.",),
        )
    return size // layout(output.plan.options.dedup).itemsize


def lowest_of_groups(edges: np.ndarray, count: int) -> np.ndarray:
    """For each page the lowest number of the group that it hangs together with."""
    labels = np.arange(count)
    while len(edges):
        least = np.minimum(labels[edges[:, 0]], labels[edges[:, 1]])
        before = labels.copy()
        np.minimum.at(labels, edges[:, 0], least)
        np.minimum.at(labels, edges[:, 1], least)
        labels = labels[labels]
        if np.array_equal(before, labels):
            break
    return labels
