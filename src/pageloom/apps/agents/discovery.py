"""Discovery: follows links of jobs that ask for it, within scope, depth and budget.

What robots.txt asks is honoured where the pages are fetched. The pages of one crawl are noted in
the library, so that each is asked for once, whichever worker finds it, and however often.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from pageloom.apps.agents.history import check_key
from pageloom.apps.agents.messages import InvalidMessage, ParsedPage, contract_of, read_message
from pageloom.apps.agents.pages import document_of
from pageloom.apps.agents.work import Agent, Batches, Outgoing, World
from pageloom.core.normalize.urls import domain_of, url_key
from pageloom.edges.store.idempotency import (
    count_results,
    find_result,
    lock_name,
    store_result,
)
from pageloom.errors import InvalidUrl
from pageloom.flows.events import emit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.store.base import Store, Tx

CONSUMER = "discovery"
_MOST_PAGES = 100_000
_CARRIED = ("sourceId", "render", "owner")
"""What holds for the pages that are found too; headers are for the one address they were given
for, and may be secret."""


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


async def discover(letter: Envelope, world: World) -> Batches:
    """``html.parsed`` of a crawl leads to more ``fetch.jobs``; that of any other job to nothing."""
    message, given = read_message(letter.body, ParsedPage)
    crawl = _crawl(given.get("crawl"), message.url)
    if crawl is None:
        return []
    limits = _limits(crawl, world)
    links = list(_links_within(message, crawl, limits)) if crawl.depth < limits.depth else []
    chosen = await world.with_store(lambda store: _choose(store, message, crawl, limits, links))
    if chosen:
        emit("links.followed", url=message.url, links=len(chosen), depth=crawl.depth + 1)
    queue = world.settings.discovery.output_queue
    carried = {name: given[name] for name in _CARRIED if given.get(name) is not None}
    return [[_job(queue, url, crawl, carried) for url in chosen]]


AGENT = Agent(name="discovery", handle=discover)


def _crawl(given: object, url: str) -> Crawl | None:
    if not given:
        return None
    try:
        crawl = msgspec.convert(given, Crawl)
    except msgspec.ValidationError as error:
        raise InvalidMessage(f"The crawl does not fit: {error}.") from None
    return msgspec.structs.replace(crawl, root=crawl.root or url)


def _limits(crawl: Crawl, world: World) -> _Limits:
    chosen = world.settings.discovery
    pages = chosen.max_pages if crawl.max_pages is None else crawl.max_pages
    return _Limits(
        scope=crawl.scope or chosen.scope,
        depth=chosen.max_depth if crawl.max_depth is None else crawl.max_depth,
        pages=min(pages, _MOST_PAGES),
    )


def _links_within(message: ParsedPage, crawl: Crawl, limits: _Limits) -> Iterator[str]:
    """The links of a page that lie within the scope, each once, without those not to follow."""
    document = document_of(message)
    links = message.parsed.links
    if document is not None and document.links:
        links = [link.url for link in document.links if "nofollow" not in link.rel]
    is_inside = _SCOPES[limits.scope]
    for url in dict.fromkeys(links):
        try:
            if is_inside(url, crawl.root):
                yield url
        except InvalidUrl:
            continue


def _same_path(url: str, root: str) -> bool:
    base = urlsplit(root).path.rpartition("/")[0] + "/"
    return _same_host(url, root) and urlsplit(url).path.startswith(base)


def _same_host(url: str, root: str) -> bool:
    return urlsplit(url_key(url)).netloc == urlsplit(url_key(root)).netloc


def _same_domain(url: str, root: str) -> bool:
    return domain_of(url) == domain_of(root)


_SCOPES: dict[str, Callable[[str, str], bool]] = {
    "path": _same_path,
    "host": _same_host,
    "domain": _same_domain,
}


def _choose(
    store: Store, message: ParsedPage, crawl: Crawl, limits: _Limits, links: list[str]
) -> list[str]:
    """Those links that nobody has followed, while the budget lasts; the same ones when repeated."""
    key = check_key(message)
    consumer = f"crawl:{crawl.id}"

    def work(tx: Tx) -> list[str]:
        lock_name(tx, consumer)
        known = find_result(tx, CONSUMER, key)
        if known is not None:
            return known["urls"]
        for begun in (crawl.root, message.url):
            store_result(tx, consumer, url_key(begun))
        used = count_results(tx, consumer)
        chosen: list[str] = []
        for url in links:
            if used >= limits.pages:
                break
            if store_result(tx, consumer, url_key(url)):
                chosen.append(url)
                used += 1
        store_result(tx, CONSUMER, key, {"urls": chosen})
        return chosen

    return store.transact(work)


def _job(queue: str, url: str, crawl: Crawl, carried: dict[str, Any]) -> Outgoing:
    """A job whose name follows from the crawl and the address: the same, however often made."""
    name = sha256(f"{crawl.id}\n{url_key(url)}".encode()).hexdigest()[:32]
    further = msgspec.structs.replace(crawl, depth=crawl.depth + 1)
    given = {k: v for k, v in msgspec.to_builtins(further).items() if v not in ("", None)}
    body = msgspec.json.encode({"jobId": name, "url": url} | carried | {"crawl": given})
    return Outgoing(queue=queue, body=body, contract=contract_of("fetch.jobs"))
