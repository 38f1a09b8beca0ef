"""Prompts: what people ask for often, with what the library knows of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from pageloom.apps.mcp.door import fenced
from pageloom.errors import InvalidArgument
from pageloom.flows.library.text_parts import LongText
from pageloom.views import documents, records, results

if TYPE_CHECKING:
    from pageloom.library import Library

_CHARACTERS = 6_000
"""Of each page in a prompt; the tools read the rest."""
_PAGES = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt: what it is for, its one argument, and how it is made."""

    description: str
    argument: str
    means: str
    make: Callable[[Library, str], list[str]]
    required: bool = True


def _what_changed(library: Library, since: str) -> list[str]:
    found = library.changes(since=since or "7d", limit=100)
    items = msgspec.json.encode([records.change(each) for each in found]).decode()
    wish = (
        "Say what changed on the pages that I watch, the most important first: what was before,"
        " and what is now, with the URL of each page."
    )
    return [wish, fenced(items)]


def _brief(library: Library, search: str) -> list[str]:
    found = library.search(search, limit=_PAGES)
    texts = [_excerpt(library, str(hit.page.id)) for hit in found.hits]
    wish = (
        f"Brief me on what my library says about: {search}. Name the page behind each statement."
        f" {found.total} pages match; the tools search_library and read_page read the others."
    )
    return [wish, *texts]


def _compare(library: Library, pages: str) -> list[str]:
    names = [name.strip() for name in pages.split(",") if name.strip()][:_PAGES]
    if len(names) < 2:
        raise InvalidArgument("Name at least two pages, separated by commas.")
    return [
        "Compare these pages: where they agree, where they contradict, what only one says.",
        *(_excerpt(library, name) for name in names),
    ]


def _make_rule(library: Library, page: str) -> list[str]:
    found = library.version(page)
    why = msgspec.json.encode(results.explanation(found.document, found.info)).decode()
    wish = (
        "Draft a site rule in YAML for Pageloom that mends how this page is read: name the host,"
        " the selectors to remove or to keep, and the page as an example. Ask what is wrong with"
        " the text below before you write it."
    )
    return [wish, _excerpt(library, page), fenced(why)]


def _excerpt(library: Library, name: str) -> str:
    page = library.get(name)
    part = LongText(documents.markdown(library.document(page))).part(_CHARACTERS)
    rest = f"\n(More: read_page, page={page.id}, cursor={part.next})" if part.next else ""
    return fenced(f"Page {page.id}, {page.url_full}\n\n{part.text}{part.tail}{rest}")


PROMPTS = {
    "what_changed": Asked(
        "What changed on watched pages",
        "since",
        "A date, or an age: 7d.",
        _what_changed,
        required=False,
    ),
    "brief": Asked("A brief from saved pages", "search", "Words to search for.", _brief),
    "compare": Asked("Compare saved pages", "pages", "Numbers or URLs, with commas.", _compare),
    "make_rule": Asked("Draft a site rule for a page", "page", "Its number or URL.", _make_rule),
}


def list_prompts() -> list[Prompt]:
    """The prompts with their arguments."""
    return [
        Prompt(
            name=name,
            title=asked.description,
            description=asked.description,
            arguments=[
                PromptArgument(
                    name=asked.argument, description=asked.means, required=asked.required
                )
            ],
        )
        for name, asked in PROMPTS.items()
    ]


def get_prompt(library: Library, name: str, given: dict[str, str]) -> GetPromptResult:
    """A prompt with what the library knows.

    Raises:
        InvalidArgument: there is no such prompt, or its argument is missing.
        PageloomError: what it names is not there.
    """
    asked = PROMPTS.get(name)
    if asked is None:
        raise InvalidArgument(f"There is no prompt {name[:40]}.")
    value = given.get(asked.argument, "")
    if asked.required and not value.strip():
        raise InvalidArgument(f"The prompt {name} needs the argument {asked.argument}.")
    messages = [
        PromptMessage(role="user", content=TextContent(text=text))
        for text in asked.make(library, value)
    ]
    return GetPromptResult(description=asked.description, messages=messages)
