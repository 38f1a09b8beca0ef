"""Messages in plain words, each of them read by somebody before it is merged."""

from __future__ import annotations

import re

import pytest
from tests.words.collect import MESSAGES, collect

BANNED = {
    "told, tells": r"\b(?:told|tells?)\b",
    "dialled": r"\bdial",
    "put out": r"\bput out\b",
    "pass over": r"\bpass(?:ed|es|ing)? over\b",
    "let go": r"\blet go\b",
    "letter": r"(?<!dead )\bletters?\b(?!, digits| or digit)",
    "had": r"\bhad\b",
    # "private address" alone says why an IP address is refused.
    "address": r"^(?!\S+(?: \S+){0,2} address(?: \(|$))"
    r".*(?<!IP )(?<!e-mail )(?<!--)\baddress(?:es)?\b",
    "is no": r"(?<!There )\bis no (?!longer)",
    "so many": r"\bso (?:many|long|important|reliable)\b",
    "again for more": r"\bagain for more\b",
    "trouble": r"\btroubles?\b",
    "anew": r"\banew\b",
    "does not go with": r"\b(?:does|do) not go with\b",
    "listened at": r"\blistened at\b",
}


@pytest.fixture(scope="module")
def messages() -> list[str]:
    return collect()


def test_every_message_has_been_reviewed(messages: list[str]):
    known = MESSAGES.read_text(encoding="utf-8").splitlines()
    new, gone = set(messages) - set(known), set(known) - set(messages)
    hint = "Read them, then run: python -m tests.words.collect"
    assert (sorted(new), sorted(gone)) == ([], []), hint


@pytest.mark.parametrize("word", BANNED)
def test_words_that_nobody_would_search_for_are_not_used(word: str, messages: list[str]):
    found = [text for text in messages if re.search(BANNED[word], text, re.IGNORECASE)]
    assert not found


def test_help_lines_of_commands_begin_with_a_verb_and_end_with_a_stop():
    from pageloom.apps.cli.commands import GROUPS

    for group in GROUPS.values():
        for name, (_, line) in group.items():
            assert re.fullmatch(r"[A-Z].{10,62}\.", line), name
