"""Compute words, reading time, quality, tags, summary and signature of a text."""

from __future__ import annotations

from dataclasses import dataclass

from pageloom.core import words
from pageloom.core.enrich.near_duplicate import near_duplicate_signature
from pageloom.core.enrich.quality import score_quality
from pageloom.core.enrich.reading_level import reading_level
from pageloom.core.enrich.summary import summarise
from pageloom.core.enrich.tags import GeneratedTag, generate_tags


@dataclass(frozen=True, slots=True, kw_only=True)
class Insights:
    """The fields of a Document that come from its text alone."""

    word_count: int
    reading_time: int
    reading_level: float | None
    summary: str
    near_duplicate: str
    quality_score: int
    generated_tags: tuple[GeneratedTag, ...]


def enrich(  # noqa: PLR0913 - one value per thing it describes
    *,
    title: str,
    text: str,
    markdown: str,
    language: str = "",
    domain: str = "",
    tags: tuple[str, ...] = (),
    title_found: bool = True,
    leave_out: frozenset[str] = frozenset(),
) -> Insights:
    """Counts, level, summary, signature, score and tags of a page.

    Args:
        title: the chosen title.
        text: the main text.
        markdown: its Markdown, for the marks of structure.
        language: ISO 639-1.
        domain: the site without ``www.``.
        tags: the page's own tags, which are not generated again.
        title_found: whether the title stood on the page.
        leave_out: ``summary`` and ``generated_tags``, where nobody wants them.
    """
    sentences = words.split_sentences(text)
    count = words.count_words(text)
    return Insights(
        word_count=count,
        reading_time=words.reading_minutes(count),
        reading_level=reading_level(text, len(sentences), language),
        summary="" if "summary" in leave_out else summarise(sentences, title, language, text),
        near_duplicate=near_duplicate_signature(text),
        quality_score=score_quality(
            has_title=title_found and bool(title.strip()),
            text=text,
            markdown=markdown,
            words=count,
            sentences=len(sentences),
        ),
        generated_tags=()
        if "generated_tags" in leave_out
        else generate_tags(title=title, text=text, language=language, domain=domain, known=tags),
    )
