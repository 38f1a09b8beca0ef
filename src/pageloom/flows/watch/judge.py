"""Third step of a check: what a capture means, compared with what was last notified."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from pageloom.core.compare.change import diff
from pageloom.core.compare.judgement import Volatility, learn_volatile
from pageloom.edges.store.saving import is_worse
from pageloom.edges.store.times import later, read_time
from pageloom.edges.store.tracks import TrackState
from pageloom.flows.watch.outcomes import CONSEQUENCES, Consequences, VerdictKind
from pageloom.flows.watch.policy import WatchPolicy, masked, why_filtered
from pageloom.flows.watch.prices import PriceVerdict, judge_prices
from pageloom.model import REPORTED

if TYPE_CHECKING:
    from pageloom.core.compare.report import ChangeReport
    from pageloom.flows.watch.history import PageHistory
    from pageloom.model import Document
    from pageloom.model.capture import Capture
    from pageloom.model.library import VersionInfo

FLAPPING_DAYS = 3
"""A page that goes back to what it was within so many days has flapped, not changed."""
_ALWAYS_NEWS = frozenset({"price", "availability"})
_WRONG_CLOCK = 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeVerdict:
    """What came of a comparison."""

    kind: VerdictKind
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
    """Blocks that are ignored from now on, by key, with their text."""
    state: TrackState = field(default_factory=TrackState)
    at: str = ""

    @property
    def follows(self) -> Consequences:
        """What follows from this kind of verdict."""
        return CONSEQUENCES[self.kind]


def judge(memory: PageHistory, captured: Capture, policy: WatchPolicy) -> ChangeVerdict:
    """What a capture means for its page: new, unchanged, changed and so on.

    Nothing is written, and nothing but the history is read.

    Args:
        memory: what is known of the page, on the track that the policy is about.
        captured: the page now.
        policy: how it is compared, and what its watcher wants to hear of.
    """
    at, document = captured.fetched_at, captured.document
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
    return _compare(memory, document, policy, at)


def _refuse(
    memory: PageHistory, latest: VersionInfo, document: Document, at: str
) -> ChangeVerdict | None:
    """What must not take the place of what is kept."""
    # A version that says it was fetched in a time to come would refuse all pages until then.
    believed = latest.fetched_at < later(memory.read_at, _WRONG_CLOCK)
    if believed and at < latest.fetched_at and not memory.is_same(document):
        # Compared now, a page that was overtaken on its way would report a change back.
        return _plain(memory, document, "stale", at, f"fetched before version {latest.number}")
    if is_worse(latest.quality, document.quality_score):
        return _plain(
            memory, document, "worse", at, "the result is far poorer than the stored version"
        )
    return None


def _lack(memory: PageHistory) -> str:
    """Why the baseline cannot be compared with; empty when it can."""
    if memory.is_damaged():
        return "the version that was last notified is damaged"
    if memory.baseline().provenance.strategy == REPORTED:
        return "the last version has no content to compare with"
    return ""


def _first_sight(memory: PageHistory, document: Document, at: str) -> ChangeVerdict:
    prices = judge_prices(memory, document, similarity=0.0, at=at)
    lost = "no version is left to compare with" if memory.last_number else ""
    return ChangeVerdict(kind="new", report=diff(None, document), reason=lost, prices=prices, at=at)


def _plain(
    memory: PageHistory, document: Document, kind: VerdictKind, at: str, why: str
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
    """The baseline cannot be extracted in today's way: today's page replaces it, unnotified."""
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


def _compare(
    memory: PageHistory, document: Document, policy: WatchPolicy, at: str
) -> ChangeVerdict:
    """Against the baseline; and against the last check, for what only a series teaches."""
    state = memory.state
    options = replace(policy.options, muted_blocks=(*policy.options.muted_blocks, *state.muted))
    after = masked(document, policy.ignore_text)
    report = diff(masked(memory.baseline(), policy.ignore_text), after, options)
    step = report
    if not memory.baseline_is_latest:
        step = diff(masked(memory.last(), policy.ignore_text), after, options)
    learnt, muted = _learn(state, step, scoped=policy.options.scoped)
    prices = judge_prices(memory, document, similarity=step.text.similarity, at=at)
    verdict = ChangeVerdict(
        kind="trivial",
        report=replace(report, snapshot_hash=document.snapshot_hash),
        page_id=memory.page_id,
        baseline=state.baseline,
        prices=prices,
        muted=muted,
        state=learnt,
        at=at,
    )
    return _decide(verdict, step, memory, policy, after)


def _decide(
    verdict: ChangeVerdict,
    step: ChangeReport,
    memory: PageHistory,
    policy: WatchPolicy,
    after: Document,
) -> ChangeVerdict:
    report = verdict.report
    if verdict.prices.held is not None:
        held = replace(verdict.state, held=verdict.prices.held)
        return replace(
            verdict,
            kind="held",
            state=held,
            reason="an implausible price, held until the next check confirms it",
        )
    verdict = replace(verdict, state=replace(verdict.state, held=None))
    if not report.has_changes:
        kind = "unchanged" if memory.is_same(after) else "trivial"
        return replace(verdict, kind=kind)
    back = _returned_to(verdict, memory, policy, after)
    if back is not None:
        return replace(verdict, kind="returned", reason=f"back to version {back}")
    untold = why_filtered(report, policy)
    if not untold:
        return replace(verdict, kind="changed", reason=report.summary)
    kind = "filtered" if step.has_changes else "trivial"
    return replace(verdict, kind=kind, reason=untold)


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
    verdict: ChangeVerdict, memory: PageHistory, policy: WatchPolicy, after: Document
) -> int | None:
    """The version that a page has gone back to soon after it was left; prices are always news."""
    if _ALWAYS_NEWS & set(verdict.report.changed_fields):
        return None
    notified = read_time(memory.baseline_info.fetched_at) if memory.baseline_info else None
    today = read_time(verdict.at)
    if notified is None or today is None or today - notified > timedelta(days=FLAPPING_DAYS):
        return None
    options = replace(policy.options, muted_blocks=verdict.state.muted)
    for number in reversed(verdict.state.known):
        earlier = None if number == verdict.baseline else memory.load(number)
        if earlier is None:
            continue
        if not diff(masked(earlier, policy.ignore_text), after, options).has_changes:
            return number
    return None
