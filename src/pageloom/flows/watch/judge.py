"""A Document that has just been read is compared with what was last told, and kept.

Everything that follows from it (version, change, prices, what was learnt, and whatever the caller
adds: notices, a run, a watch's next turn) is one transaction. What was compared with is checked
again inside it: if somebody else was quicker, the whole comparison is made again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from pageloom.core.compare.change import diff
from pageloom.core.compare.judgement import Volatility, learn_volatile
from pageloom.edges.store.identity import key_of
from pageloom.edges.store.saving import is_worse, prepare
from pageloom.edges.store.times import later, now, read_time, stamp
from pageloom.edges.store.tracks import TrackState
from pageloom.errors import StorageError
from pageloom.flows.events import emit
from pageloom.flows.watch.commit import Stale, record
from pageloom.flows.watch.history import PageHistory, load_history
from pageloom.flows.watch.policy import WatchPolicy, masked, why_filtered
from pageloom.flows.watch.prices import PriceVerdict, judge_prices
from pageloom.model import REPORTED

if TYPE_CHECKING:
    from pageloom.core.compare.report import ChangeReport
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.saving import Prepared
    from pageloom.model import Document
    from pageloom.model.library import VersionInfo

FindingKind = Literal[
    "new",
    "unchanged",
    "trivial",
    "changed",
    "filtered",
    "returned",
    "held",
    "worse",
    "rebased",
    "stale",
]
Reread = Callable[[bytes, "VersionInfo"], "Document"]
"""Reads an original with today's parser, rules and scope."""

FLAPPING_DAYS = 3
"""A page that goes back to what it was within so many days has flapped, not changed."""
_ALWAYS_NEWS = frozenset({"price", "availability"})
_MOST_RACES = 50
_WRONG_CLOCK = 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A Document with what came along with it."""

    document: Document
    body: bytes | None = None
    body_hash: str = ""
    """Names an original that is kept already, in the place of ``body``."""
    content_type: str = ""
    status: int | None = None
    used_js: bool = False
    fetched_at: str = ""
    rules_version: str = ""
    """The way it was read, beside the parser: see ``terms.reading_version``."""
    page_key: str = ""
    """The page it belongs to, where a redirect does not decide."""
    origin: str = "watch"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeVerdict:
    """What came of a comparison."""

    kind: FindingKind
    report: ChangeReport
    path: Literal["hash", "diff"] = "diff"
    reason: str = ""
    page_id: int = 0
    version: int = 0
    previous: int | None = None
    baseline: int | None = None
    change_id: str = ""
    prices: PriceVerdict = field(default_factory=PriceVerdict)
    muted: dict[str, str] = field(default_factory=dict[str, str])
    """Blocks that are passed over from now on, by key, with what stands in them."""
    state: TrackState = field(default_factory=TrackState)
    at: str = ""


def compare_and_record(
    store: Store,
    owner: str,
    arrival: Capture,
    terms: WatchPolicy | None = None,
    *,
    reread: Reread | None = None,
    also: Callable[[Tx, ChangeVerdict], None] | None = None,
) -> ChangeVerdict:
    """Compare a Document with what was last told of its page, and keep all that follows.

    Args:
        store: the library.
        owner: whose page it is.
        arrival: the Document, and its original.
        terms: how it is compared.
        reread: reads an original again, so that a new parser or new rules are no change.
        also: what else belongs into the same transaction.

    Raises:
        StorageError: the library cannot be read or written; nothing was kept.
    """
    chosen = terms or WatchPolicy()
    arrived = _ready(arrival)
    for _ in range(_MOST_RACES):
        ready = _at_its_page(store, owner, arrived)
        memory = load_history(store, owner, ready, chosen.track, reread)
        finding = _judge(memory, arrival, chosen)
        try:
            done = store.transact(
                lambda tx, r=ready, m=memory, f=finding: record(
                    tx, owner, r, m, f, also, track=chosen.track
                )
            )
        except Stale:
            continue
        _observe(done, arrival.document.url)
        return done
    raise StorageError("Too many others wrote to this page at once.")


def _observe(finding: ChangeVerdict, url: str) -> None:
    lost = finding.kind == "new" and finding.reason
    is_doubtful = lost or finding.kind in ("rebased", "stale", "worse")
    emit(
        "page.checked",
        level="warning" if is_doubtful else "info",
        url=url,
        outcome=finding.kind,
        path=finding.path,
        version=finding.version,
        new_version=finding.kind == "new" or finding.previous is not None,
        has_changes=finding.kind in ("changed", "filtered"),
        reason=finding.reason or finding.report.summary,
    )
    for point in finding.prices.accepted:
        emit("price.kept", url=url, amount=str(point.amount), currency=point.currency)


def _ready(arrival: Capture) -> Prepared:
    ready = prepare(
        arrival.document,
        body=arrival.body,
        fetched_at=arrival.fetched_at,
        content_type=arrival.content_type,
        status=arrival.status,
        used_js=arrival.used_js,
        rules_version=arrival.rules_version,
    )
    if arrival.body is None and arrival.body_hash:
        ready = replace(ready, body_hash=arrival.body_hash)
    return replace(ready, key=arrival.page_key) if arrival.page_key else ready


def _at_its_page(store: Store, owner: str, ready: Prepared) -> Prepared:
    with store.read() as tx:
        return replace(ready, key=key_of(tx, owner, ready.key, ready.document))


def _judge(memory: PageHistory, arrival: Capture, terms: WatchPolicy) -> ChangeVerdict:
    at = stamp(arrival.fetched_at) or now()
    document = arrival.document
    if memory.latest is None:
        return _first_sight(memory, document, at)
    refused = _refuse(memory, memory.latest, document, at)
    if refused is not None:
        return refused
    if memory.unreadable:
        return _rebase(memory, document, at, memory.unreadable)
    if memory.is_same(document) and memory.state.held is None:
        return _unchanged(memory, document, at)
    if lack := _lack(memory):
        return _rebase(memory, document, at, lack)
    return _compare(memory, document, terms, at)


def _refuse(
    memory: PageHistory, latest: VersionInfo, document: Document, at: str
) -> ChangeVerdict | None:
    """What must not take the place of what is kept."""
    # A version that says it was fetched in a time to come would refuse all pages until then.
    believed = latest.fetched_at < later(now(), _WRONG_CLOCK)
    if believed and at < latest.fetched_at and not memory.is_same(document):
        # Compared now, a page that was overtaken on its way would tell of a change back.
        return _plain(memory, document, "stale", at, f"fetched before version {latest.number} was")
    if is_worse(latest.quality, document.quality_score):
        return _plain(memory, document, "worse", at, "the result is far poorer than what is kept")
    return None


def _lack(memory: PageHistory) -> str:
    """Why what was last told cannot be compared with; empty when it can."""
    if memory.is_damaged():
        return "what was last told is damaged"
    if memory.baseline().provenance.strategy == REPORTED:
        return "only that it changed was known of it"
    return ""


def _first_sight(memory: PageHistory, document: Document, at: str) -> ChangeVerdict:
    prices = judge_prices(memory, document, similarity=0.0, at=at)
    lost = "none of its versions is left to compare with" if memory.last_number else ""
    return ChangeVerdict(kind="new", report=diff(None, document), reason=lost, prices=prices, at=at)


def _plain(
    memory: PageHistory, document: Document, kind: FindingKind, at: str, why: str
) -> ChangeVerdict:
    """Nothing is kept of this but that it happened."""
    return ChangeVerdict(
        kind=kind,
        report=diff(document, document),
        reason=why,
        page_id=memory.page_id,
        version=memory.last_number,
        baseline=memory.state.baseline,
        state=memory.state,
        at=at,
    )


def _rebase(memory: PageHistory, document: Document, at: str, why: str) -> ChangeVerdict:
    """What was told cannot be read in today's way: today's page takes its place, untold."""
    prices = judge_prices(memory, document, similarity=0.0, at=at)
    return ChangeVerdict(
        kind="rebased",
        report=diff(document, document),
        reason=why,
        page_id=memory.page_id,
        prices=replace(prices, events=(), held=None),
        state=replace(memory.state, baseline=None, held=None),
        at=at,
    )


def _unchanged(memory: PageHistory, document: Document, at: str) -> ChangeVerdict:
    state = memory.state
    return ChangeVerdict(
        kind="unchanged" if memory.has_snapshot(document) else "trivial",
        path="hash",
        report=diff(document, document),
        page_id=memory.page_id,
        baseline=state.baseline,
        prices=judge_prices(memory, document, similarity=1.0, at=at),
        state=replace(state, streaks={}) if state.streaks else state,
        at=at,
    )


def _compare(memory: PageHistory, document: Document, terms: WatchPolicy, at: str) -> ChangeVerdict:
    """Against what was last told; and against the last check, for what only a series teaches."""
    state = memory.state
    options = replace(terms.options, muted_blocks=(*terms.options.muted_blocks, *state.muted))
    after = masked(document, terms.ignore_text)
    report = diff(masked(memory.baseline(), terms.ignore_text), after, options)
    step = report
    if not memory.baseline_is_latest:
        step = diff(masked(memory.last(), terms.ignore_text), after, options)
    learnt, muted = _learn(state, step, scoped=terms.options.scoped)
    prices = judge_prices(memory, document, similarity=step.text.similarity, at=at)
    finding = ChangeVerdict(
        kind="trivial",
        report=replace(report, snapshot_hash=document.snapshot_hash),
        page_id=memory.page_id,
        baseline=state.baseline,
        prices=prices,
        muted=muted,
        state=learnt,
        at=at,
    )
    return _decide(finding, step, memory, terms, after)


def _decide(
    finding: ChangeVerdict,
    step: ChangeReport,
    memory: PageHistory,
    terms: WatchPolicy,
    after: Document,
) -> ChangeVerdict:
    report = finding.report
    if finding.prices.held is not None:
        held = replace(finding.state, held=finding.prices.held)
        return replace(
            finding, kind="held", state=held, reason="a price too strange to believe at once"
        )
    finding = replace(finding, state=replace(finding.state, held=None))
    if not report.has_changes:
        kind = "unchanged" if memory.is_same(after) else "trivial"
        return replace(finding, kind=kind)
    back = _returned_to(finding, memory, terms, after)
    if back is not None:
        return replace(finding, kind="returned", reason=f"back to what version {back} was")
    untold = why_filtered(report, terms)
    if not untold:
        return replace(finding, kind="changed", reason=report.summary)
    kind = "filtered" if step.has_changes else "trivial"
    return replace(finding, kind=kind, reason=untold)


def _learn(
    state: TrackState, step: ChangeReport, *, scoped: bool
) -> tuple[TrackState, dict[str, str]]:
    """Count the blocks that differ; nothing is ever muted in a part that somebody chose."""
    if scoped:
        return state, {}
    known = Volatility(streaks=state.streaks, muted=state.muted, refused=state.refused)
    learnt, new = learn_volatile(known, step)
    texts = {block.key: (block.after or block.before)[:300] for block in step.text.blocks}
    muted = {key: texts.get(key, "") for key in new}
    return (
        replace(
            state,
            streaks=learnt.streaks,
            muted=learnt.muted,
            muted_texts=state.muted_texts | muted,
        ),
        muted,
    )


def _returned_to(
    finding: ChangeVerdict, memory: PageHistory, terms: WatchPolicy, after: Document
) -> int | None:
    """The version that a page has gone back to soon after it was left; prices are always news."""
    if _ALWAYS_NEWS & set(finding.report.changed_fields):
        return None
    told = read_time(memory.baseline_info.fetched_at) if memory.baseline_info else None
    today = read_time(finding.at)
    if told is None or today is None or today - told > timedelta(days=FLAPPING_DAYS):
        return None
    options = replace(terms.options, muted_blocks=finding.state.muted)
    for number in reversed(finding.state.known):
        earlier = None if number == finding.baseline else memory.load(number)
        if earlier is None:
            continue
        if not diff(masked(earlier, terms.ignore_text), after, options).has_changes:
            return number
    return None
