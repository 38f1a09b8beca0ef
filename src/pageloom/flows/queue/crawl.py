"""Links of a crawl that are followed: within scope, depth and budget, each once.

What robots.txt asks is honoured where the pages are fetched. The pages of one crawl are noted in
the library, so that each is asked for once, whichever worker finds it, and however often.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.idempotency import (
    count_results,
    find_result,
    lock_name,
    store_result,
)
from pageloom.errors import InvalidUrl
from pageloom.flows.capture.crawl_site import SCOPES
from pageloom.flows.events import emit
from pageloom.flows.queue.documents import document_of
from pageloom.flows.queue.messages import InvalidMessage
from pageloom.flows.queue.runs import check_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.edges.broker.options import DiscoveryOptions
    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.queue.messages import ParsedPage

CONSUMER = "discovery"
_MOST_PAGES = 100_000


class Crawl(msgspec.Struct, kw_only=True, rename="camel"):
    """What a job says about following links."""

    id: str
    depth: int = 0
    root: str = ""
    """Where it began; the scope is measured by it."""
    scope: Literal["path", "host", "domain", ""] = ""
    max_depth: int | None = None
    max_pages: int | None = None


@dataclass(frozen=True, slots=True)
class _Limits:
    scope: str
    depth: int
    pages: int


def crawl_of(given: object, url: str) -> Crawl | None:
    """What a message says about following links; None where it says nothing.

    Raises:
        InvalidMessage: what it says does not fit.
    """
    if not given:
        return None
    try:
        crawl = msgspec.convert(given, Crawl)
    except msgspec.ValidationError as error:
        raise InvalidMessage(f"The crawl settings of the job are invalid: {error}.") from None
    return msgspec.structs.replace(crawl, root=crawl.root or url)


def follow_links(
    store: Store, owner: str, message: ParsedPage, crawl: Crawl, options: DiscoveryOptions
) -> list[dict[str, Any]]:
    """A job for each link of a page that is to be followed and that nobody has followed yet."""
    limits = _limits(crawl, options)
    links = list(_links_within(message, crawl, limits)) if crawl.depth < limits.depth else []
    names = f"crawl:{owner}:{crawl.id}", check_key(owner, message)
    chosen = _choose(store, names, (crawl.root, message.url), links, limits.pages)
    if chosen:
        emit("links.followed", url=message.url, links=len(chosen), depth=crawl.depth + 1)
    return [_job(url, crawl) for url in chosen]


def _limits(crawl: Crawl, options: DiscoveryOptions) -> _Limits:
    pages = options.max_pages if crawl.max_pages is None else crawl.max_pages
    return _Limits(
        scope=crawl.scope or options.scope,
        depth=options.max_depth if crawl.max_depth is None else crawl.max_depth,
        pages=min(pages, _MOST_PAGES),
    )


def _links_within(message: ParsedPage, crawl: Crawl, limits: _Limits) -> Iterator[str]:
    """The links of a page that lie within the scope, each once, without those not to follow."""
    document = document_of(message)
    links = message.parsed.links
    if document is not None and document.links:
        links = [link.url for link in document.links if "nofollow" not in link.rel]
    is_inside = SCOPES[limits.scope]
    for url in dict.fromkeys(links):
        try:
            if is_inside(url, crawl.root):
                yield url
        except InvalidUrl:
            continue


def _choose(
    store: Store, names: tuple[str, str], known: tuple[str, str], links: list[str], most: int
) -> list[str]:
    """Those links that nobody has followed, while the budget lasts; the same ones when repeated.

    Args:
        store: the library.
        names: of the crawl of its owner, and of the check of the page.
        known: where the crawl began, and the page itself.
        links: what could be followed.
        most: how many pages the crawl may have.
    """
    consumer, key = names

    def work(tx: Tx) -> list[str]:
        lock_name(tx, consumer)
        before = find_result(tx, CONSUMER, key)
        if before is not None:
            return before["urls"]
        for begun in known:
            store_result(tx, consumer, url_key(begun))
        used = count_results(tx, consumer)
        chosen: list[str] = []
        for url in links:
            if used >= most:
                break
            if store_result(tx, consumer, url_key(url)):
                chosen.append(url)
                used += 1
        store_result(tx, CONSUMER, key, {"urls": chosen})
        return chosen

    return store.transact(work)


def _job(url: str, crawl: Crawl) -> dict[str, Any]:
    """A job whose name follows from the crawl and the URL: the same, however often made."""
    name = sha256(f"{crawl.id}\n{url_key(url)}".encode()).hexdigest()[:32]
    further = msgspec.structs.replace(crawl, depth=crawl.depth + 1)
    given = {k: v for k, v in msgspec.to_builtins(further).items() if v not in ("", None)}
    return {"jobId": name, "url": url, "crawl": given}
