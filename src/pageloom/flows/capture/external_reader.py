"""An external reader service: it returns a page as Markdown.

The page's URL is appended to the service's; the answer begins with lines such as ``Title:``,
``URL Source:`` and ``Published Time:``, then ``Markdown Content:``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pageloom.core.normalize.urls import url_key
from pageloom.edges.fetch.http import require_ok
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import EmptyContent, InvalidUrl, SettingsError
from pageloom.flows.capture.foreign_documents import Known, make_document

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.options import LibraryOptions
    from pageloom.model import Document, RawPage

SOURCE = "external-reader"
_HEAD = re.compile(r"(Title|URL Source|Published Time|Warning|Number of Pages):[ \t]*(.*)")
_BODY = "Markdown Content:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderAnswer:
    """A reader service's answer, split into its header and its Markdown."""

    title: str = ""
    url: str = ""
    published: str = ""
    markdown: str = ""


def read_answer(text: str) -> ReaderAnswer:
    """Split an answer into header and Markdown; without a header, all of it is Markdown.

    A header names the page's URL or marks where the Markdown begins: other texts begin with
    ``Title:`` too.
    """
    found: dict[str, str] = {}
    whole = rest = text.lstrip("\ufeff")
    while True:
        line, _, after = rest.lstrip("\r\n").partition("\n")
        head = _HEAD.match(line.strip())
        if head is None or head[1] in found:
            break
        found[head[1]] = head[2].strip()
        rest = after
    body = rest.lstrip("\r\n")
    if "URL Source" not in found and not (found and body.startswith(_BODY)):
        return ReaderAnswer(markdown=whole.lstrip("\r\n"))
    body = body.removeprefix(_BODY).lstrip("\r\n")
    return ReaderAnswer(
        title=found.get("Title", ""),
        url=found.get("URL Source", ""),
        published=found.get("Published Time", ""),
        markdown=body,
    )


async def ask_reader(url: str, *, fetcher: Fetcher, library: LibraryOptions) -> RawPage:
    """Ask the reader service for a page.

    Raises:
        SettingsError: no service is named in the settings.
        FetchError: the page's URL may not be shared, or the service could not be reached.
    """
    if not library.reader_url:
        raise SettingsError(
            "No reader service is configured.",
            suggestions=("Set library.reader_url, or set library.mode to local.",),
        )
    fetcher.client.guard.check(url)  # never send a private URL to a third party
    headers = {"accept": "text/plain"}
    if library.reader_token:
        headers["authorization"] = f"Bearer {library.reader_token}"
    place = library.reader_url.rstrip("/") + "/" + url
    page = await fetcher.get(FetchRequest(url=place, headers=headers))
    require_ok(page)
    return page


def document_of_answer(page: RawPage, url: str, options: Options) -> Document:
    """Make a Document of the answer.

    Raises:
        EmptyContent: the answer has no text.
    """
    answer = read_answer(page.body.decode("utf-8", "replace"))
    if not answer.markdown.strip():
        raise EmptyContent("The reader service returned no text.", url=url)
    known = Known(title=answer.title, published=answer.published, source=SOURCE)
    document = make_document(
        answer.markdown, _final(answer.url, url), options, known, fetched_at=page.fetched_at
    )
    return replace(document, url=url)


def _final(stated: str, url: str) -> str:
    try:
        url_key(stated)
    except InvalidUrl:
        return url
    return stated
