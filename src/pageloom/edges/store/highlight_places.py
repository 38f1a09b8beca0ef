"""Where highlights stand: in the text that a reader shows, from version to version."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.core.compare.passages import (
    Passage,
    around,
    find_passage,
    follow_passage,
    read_text,
    same_words,
)
from pageloom.core.dom import parse_fragment
from pageloom.core.normalize.html import clean_html
from pageloom.edges.store.codec import unpack_document
from pageloom.errors import StorageError
from pageloom.model.highlights import MarkSpan

if TYPE_CHECKING:
    from pageloom.core.compare.passages import PageText
    from pageloom.edges.store.base import Tx
    from pageloom.model import Document
    from pageloom.model.highlights import Highlight


def text_of(document: Document) -> PageText:
    """The text of a Document in which passages are marked: that which a reader shows."""
    return read_text(clean_html(parse_fragment(document.html), document.final_url or document.url))


def text_in(tx: Tx, page_id: int, number: int) -> PageText | None:
    """The text of a version; None where it is not kept."""
    packed = tx.value(
        "SELECT document FROM versions WHERE page_id = ? AND track = '' AND number = ?",
        *(page_id, number),
    )
    try:
        return text_of(unpack_document(bytes(packed))) if packed is not None else None
    except StorageError:  # damaged: its words will have to do
        return None


def followed(each: Highlight, old: PageText | None, new: PageText, number: int) -> Highlight:
    """A highlight as the new version has it; where it stood last stays known of one that is gone.

    The words that were marked are looked for before those that they had become.
    """
    span = MarkSpan(start=each.start, end=each.end, line=each.block)
    beside = around(old, span) if old else (each.before, each.after)
    passage = follow_passage(old, span, new, each.text, beside)
    if passage.span is None or passage.state == "edited":
        again = find_passage(new, each.quote, each.before, each.after)
        if again is not None:
            words = new.flat[again.start : again.end]
            passage = Passage("same" if each.state != "moved" else "moved", again, words)
    if passage.span is None:
        return replace(each, state="gone")
    state = passage.state
    if not same_words(passage.text, each.quote):
        state = "edited"
    elif each.state == "moved":
        state = "moved"
    return replace(
        each,
        state=state,
        text=passage.text,
        found_version=number,
        block=passage.span.line,
        start=passage.span.start,
        end=passage.span.end,
    )
