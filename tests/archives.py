"""Archives of pages for tests and measurements: every page is made here, from a number."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

WORDS = (
    "harbour swift tide crane mast rope gull quay boat lantern window morning evening keeper "
    "letter bridge river market garden stone path winter summer island bell tower baker bread "
    "train station signal engine driver whistle platform ticket journey mountain valley lake "
    "forest meadow hill cloud storm rain wind light shadow colour sound voice song story friend"
).split()


def words(seed: int, count: int = 120) -> list[str]:
    """Words that are the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311  not for secrets
    return [f"{chance.choice(WORDS)}{chance.randrange(50)}" for _ in range(count)]


def page(number: int, text: list[str] | None = None, head: str = "") -> bytes:
    """A small article."""
    said = text or words(number)
    parts = [said[start : start + 20] for start in range(0, len(said), 20)]
    body = "".join(f"<p>{' '.join(part).capitalize()}.</p>" for part in parts)
    return (
        f"<!doctype html><html lang=en><title>Page {number}</title>{head}"
        f"<nav><a href=/>Home</a> <a href=/all>All</a></nav>"
        f"<article><h1>Page {number}</h1>{body}</article></html>"
    ).encode()


def record(
    url: str, body: bytes, *, kind: str = "response", headers: str = "", status: str = "200 OK"
) -> bytes:
    """One WARC record."""
    block = body
    if kind == "response":
        block = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{headers}\r\n".encode() + body
    media = "application/http; msgtype=response" if kind == "response" else "text/plain"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2026-03-05T08:30:00Z\r\nContent-Type: {media}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def url_of(number: int) -> str:
    return f"https://tidewatch{number % 7}.example/page/{number}"


def members(numbers: range, **more: str) -> list[bytes]:
    """Packed records of pages."""
    return [gzip.compress(record(url_of(n), page(n), **more), 1, mtime=0) for n in numbers]


def write_warcs(folder: Path, files: int, pages: int) -> list[str]:
    """So many WARC files with so many pages each."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"crawl-{number:03d}.warc.gz" for number in range(files)]
    for number, path in enumerate(paths):
        path.write_bytes(b"".join(members(range(number * pages, (number + 1) * pages))))
    return [str(path) for path in paths]


def write_lines(path: Path, rows: list[dict]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)
