"""Run two extractors on the same pages and compare their results."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.option_values import read_values
from pageloom.core.options import Options
from pageloom.errors import ExtractionError, PageloomError, SettingsError, why_not
from pageloom.flows.capture.extract import extract
from pageloom.flows.capture.foreign_documents import Known, make_document
from pageloom.flows.extractors.measure import Measure, measure
from pageloom.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.store.base import Store
    from pageloom.flows.capture.extract import Rules
    from pageloom.model.pages import Page

_LARGEST_ANSWER = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A page to compare the extractors on."""

    name: str
    url: str
    content: bytes = b""
    content_type: str = ""
    reference: Document | None = None
    """The reference text, if there is one."""
    stored: Document | None = None
    """The Document stored in the library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The result for one page: how the second extractor compares with the first."""

    subject: Subject
    measure: Measure | None = None
    error: str = ""
    words: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What extractors need besides the page."""

    options: Options
    fetch: FetchOptions
    timeout: float = 30.0
    reader_token: str = ""
    rules: Rules = ...


if TYPE_CHECKING:
    Extractor = Callable[[Subject], Document]


def make_extractor(text: str, bench: Bench) -> Extractor:
    """Make an extractor from its name.

    ``ours`` · ``ours:strict=true,max_depth=64`` · ``stored`` · ``reference`` ·
    ``command:PROGRAM ARGUMENTS`` (the page on standard input, its URL as the last argument;
    Markdown or a Document as JSON on standard output) · ``reader:https://…`` (a reader service)

    Raises:
        SettingsError: an unknown extractor or option.
    """
    kind, _, rest = text.partition(":")
    makers = {
        "ours": _ours,
        "stored": _stored,
        "reference": _reference,
        "command": _command,
        "reader": _reader,
    }
    if kind not in makers:
        raise SettingsError(
            f"There is no extractor {kind}.", suggestions=(f"Known: {', '.join(makers)}.",)
        )
    return makers[kind](rest, bench)


def _ours(rest: str, bench: Bench) -> Extractor:
    pairs = (part.partition("=") for part in rest.split(",") if part)
    given: dict[str, str] = {name.strip(): value.strip() for name, _, value in pairs}
    options = read_values(Options, given, strict=False) if given else bench.options

    def read(subject: Subject) -> Document:
        return extract(
            subject.content,
            subject.url or None,
            content_type=subject.content_type or None,
            rules=bench.rules,
            options=options,
            timeout_ms=options.parse_timeout_ms,
        )

    return read


def _stored(_rest: str, _bench: Bench) -> Extractor:
    return lambda subject: _require(
        subject.stored, "The library has no stored result for this page."
    )


def _reference(_rest: str, _bench: Bench) -> Extractor:
    return lambda subject: _require(subject.reference, "There is no reference text for this page.")


def _require(document: Document | None, message: str) -> Document:
    if document is None:
        raise ExtractionError(message)
    return document


def _command(rest: str, bench: Bench) -> Extractor:
    words = shlex.split(rest)
    if not words:
        raise SettingsError("command: needs a program, and optionally its arguments.")

    def read(subject: Subject) -> Document:
        try:
            done = subprocess.run(  # noqa: S603  the user's own program, and no shell
                [*words, subject.url],
                input=subject.content,
                capture_output=True,
                timeout=bench.timeout,
                check=False,
            )
        except OSError as error:
            raise ExtractionError(f"The command could not be run: {why_not(error)}.") from None
        except subprocess.TimeoutExpired:
            raise ExtractionError(f"The command took longer than {bench.timeout:g} s.") from None
        if done.returncode:
            raise ExtractionError(f"The command ended with exit code {done.returncode}.")
        return document_of_text(done.stdout[:_LARGEST_ANSWER], subject.url, bench.options)

    return read


def _reader(rest: str, bench: Bench) -> Extractor:
    import asyncio

    from pageloom.edges.fetch.fetcher import open_fetcher
    from pageloom.edges.store.options import LibraryOptions
    from pageloom.flows.capture.external_reader import ask_reader, document_of_answer

    library = LibraryOptions(reader_url=rest, reader_token=bench.reader_token)

    async def ask(url: str) -> Any:
        async with open_fetcher(bench.fetch) as fetcher:
            return await ask_reader(url, fetcher=fetcher, library=library)

    def read(subject: Subject) -> Document:
        page = asyncio.run(ask(subject.url))
        return document_of_answer(page, subject.url, bench.options)

    return read


def document_of_text(content: bytes, url: str, options: Options) -> Document:
    """The output of another extractor: a Document as JSON, or Markdown."""
    if content.lstrip()[:1] == b"{":
        try:
            return msgspec.json.decode(content, type=Document)
        except msgspec.MsgspecError:
            pass  # Markdown may begin with a brace
    text = content.decode("utf-8", "replace")
    if not text.strip():
        raise ExtractionError("The extractor returned no text.")
    return make_document(text, url, options, Known(source="reference"))


def compare_pages(
    subjects: Iterable[Subject], one: Extractor, two: Extractor, *, canonical: bool = False
) -> Iterator[Compared]:
    """Run both extractors on each page; a failure is an error of that page."""
    for subject in subjects:
        try:
            first, second = one(subject), two(subject)
        except PageloomError as error:
            yield Compared(subject=subject, error=f"{error.code}: {error.message}")
            continue
        yield Compared(
            subject=replace(subject, content=b"", reference=None, stored=None),
            measure=measure(first, second, canonical=canonical),
            words=(first.word_count, second.word_count),
        )


def stored_subjects(store: Store, pages: Iterable[Page]) -> Iterator[Subject]:
    """Pages of the library whose originals are kept."""
    from pageloom.edges.store.bodies import read_body
    from pageloom.edges.store.versions import latest_version

    for page in pages:
        last = latest_version(store, page)
        body = read_body(store, page, last.info.body_hash) if last and last.info.body_hash else None
        if last and body is not None:
            yield Subject(
                name=str(page.id),
                url=last.document.final_url or page.url,
                content=body,
                content_type=last.info.content_type,
                stored=last.document,
            )


def folder_subjects(folder: Path, options: Options) -> Iterator[Subject]:
    """``NAME.html`` files; beside each, ``NAME.md``, ``.txt`` or ``.json`` as its reference."""
    for path in sorted((*folder.rglob("*.html"), *folder.rglob("*.htm"))):
        name = path.relative_to(folder).with_suffix("").as_posix()
        url = f"https://reference.invalid/{name}"
        beside = (path.with_suffix(suffix) for suffix in (".json", ".md", ".txt"))
        found = next((place for place in beside if place.is_file()), None)
        reference = document_of_text(found.read_bytes(), url, options) if found else None
        known = reference.url if reference and reference.url else url
        yield Subject(name=name, url=known, content=path.read_bytes(), reference=reference)


def jsonl_subjects(path: Path, options: Options) -> Iterator[Subject]:
    """Lines with ``url``, ``html``, and ``reference`` (or ``markdown``, ``text``)."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = msgspec.json.decode(line, type=dict[str, Any])
            except msgspec.MsgspecError:
                raise SettingsError(f"Line {number} is not a JSON object.") from None
            url = str(row.get("url") or f"https://reference.invalid/{number}")
            given = row.get("reference") or row.get("markdown") or row.get("text") or ""
            text = given.encode() if isinstance(given, str) else msgspec.json.encode(given)
            yield Subject(
                name=str(row.get("name") or url),
                url=url,
                content=str(row.get("html") or row.get("content") or "").encode(),
                reference=document_of_text(text, url, options) if text else None,
            )
