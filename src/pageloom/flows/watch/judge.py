"""Third step of a check: what a capture means, compared with what was last notified."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from pageloom.core.compare.change import diff
from pageloom.core.compare.movement import ENOUGH, Movement, observe, place_texts
from pageloom.edges.store.saving import is_worse
from pageloom.edges.store.times import later, read_time
from pageloom.edges.store.tracks import TrackState
from pageloom.flows.watch.outcomes import CONSEQUENCES, Consequences, VerdictKind
from pageloom.flows.watch.policy import WatchPolicy, masked, why_filtered
from pageloom.flows.watch.prices import PriceVerdict, judge_prices
from pageloom.model import REPORTED
from pageloom.model.library import Change

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
    state: TrackState = field(default_factory=TrackState)
    at: str = ""

    @property
    def follows(self) -> Consequences:
        """What follows from this kind of verdict."""
        return CONSEQUENCES[self.kind]


def change_of(verdict: ChangeVerdict, owner: str, track: str) -> Change:
    """The change that a verdict found, as it is stored and as notices tell of it."""
    return Change(
        id=verdict.change_id,
        owner=owner,
        page_id=verdict.page_id,
        track=track,
        from_version=verdict.previous,
        to_version=verdict.version,
        baseline_version=verdict.baseline,
        importance=verdict.report.importance,
        summary=verdict.report.summary,
        report=verdict.report.to_dict(),
        created_at=verdict.at,
        notified_at=verdict.at if verdict.follows.is_notified else None,
    )


def judge(history: PageHistory, captured: Capture, policy: WatchPolicy) -> ChangeVerdict:
    """What a capture means for its page: new, unchanged, changed and so on.

    Nothing is written, and nothing but the history is read.

    Args:
        history: what is known of the page, on the track that the policy is about.
        captured: the page now.
        policy: how it is compared, and what its watcher wants to hear of.
    """
    at, document = captured.fetched_at, captured.document
    if history.latest is None:
        return _first_sight(history, document, at)
    refused = _refuse(history, history.latest, document, at)
    if refused is not None:
        return refused
    if history.unreadable:
        return _rebase(history, document, at, history.unreadable)
    if _is_unchanged(history, document):
        return _unchanged(history, document, at)
    if lack := _lack(history):
        return _rebase(history, document, at, lack)
    return _compare(history, document, policy, at)


def _is_unchanged(history: PageHistory, document: Document) -> bool:
    """Whether the hashes say that there is nothing to compare."""
    if not history.is_same(document) or history.state.held is not None:
        return False
    # The hash does not see times and counters, and somebody may want to hear of just these.
    return not history.state.always or history.has_snapshot(document)


def _refuse(
    history: PageHistory, latest: VersionInfo, document: Document, at: str
) -> ChangeVerdict | None:
    """What must not take the place of what is kept."""
    # A version that says it was fetched in a time to come would refuse all pages until then.
    believed = latest.fetched_at < later(history.read_at, _WRONG_CLOCK)
    if believed and at < latest.fetched_at and not history.is_same(document):
        # Compared now, a page that was overtaken on its way would report a change back.
        return _plain(history, document, "stale", at, f"fetched before version {latest.number}")
    if is_worse(latest.quality, document.quality_score):
        return _plain(
            history, document, "worse", at, "the result is far poorer than the stored version"
        )
    return None


def _lack(history: PageHistory) -> str:
    """Why the baseline cannot be compared with; empty when it can."""
    if history.is_damaged():
        return "the version of the last notification is damaged"
    if history.baseline().provenance.strategy == REPORTED:
        return "the last version has no content to compare with"
    return ""


def _first_sight(history: PageHistory, document: Document, at: str) -> ChangeVerdict:
    prices = judge_prices(history, document, similarity=0.0, at=at)
    lost = "no version is left to compare with" if history.last_number else ""
    return ChangeVerdict(kind="new", report=diff(None, document), reason=lost, prices=prices, at=at)


def _plain(
    history: PageHistory, document: Document, kind: VerdictKind, at: str, why: str
) -> ChangeVerdict:
    """Nothing is kept of this but that it happened."""
    return ChangeVerdict(
        kind=kind,
        report=diff(document, document),
        reason=why,
        page_id=history.page_id,
        version=history.last_number,
        baseline=history.state.baseline,
        state=history.state,
        at=at,
    )


def _rebase(history: PageHistory, document: Document, at: str, why: str) -> ChangeVerdict:
    """The baseline cannot be extracted in today's way: today's page replaces it, unnotified."""
    prices = judge_prices(history, document, similarity=0.0, at=at)
    return ChangeVerdict(
        kind="rebased",
        report=diff(document, document),
        reason=why,
        page_id=history.page_id,
        prices=replace(prices, events=(), held=None),
        state=replace(history.state, baseline=None, held=None),
        at=at,
    )


def _unchanged(history: PageHistory, document: Document, at: str) -> ChangeVerdict:
    state = history.state
    return ChangeVerdict(
        kind="unchanged" if history.has_snapshot(document) else "trivial",
        path="hash",
        report=diff(document, document),
        page_id=history.page_id,
        baseline=state.baseline,
        prices=judge_prices(history, document, similarity=1.0, at=at),
        state=replace(state, visits=state.visits + 1, pending={}),
        at=at,
    )


def _compare(
    history: PageHistory, document: Document, policy: WatchPolicy, at: str
) -> ChangeVerdict:
    """Against the baseline; and against the last check, for what only a series teaches."""
    state = history.state
    options = replace(
        policy.options,
        muted_blocks=(*policy.options.muted_blocks, *state.muted),
        always_blocks=(*policy.options.always_blocks, *state.always),
    )
    after = masked(document, policy.ignore_text)
    movement = Movement(visits=state.visits, moved=state.moved)
    known = movement if not options.scoped else Movement()
    report = diff(masked(history.baseline(), policy.ignore_text), after, options, earlier=known)
    step = report
    last = masked(history.last(), policy.ignore_text)
    if not history.baseline_is_latest:
        step = diff(last, after, options, earlier=known)
    prices = judge_prices(history, document, similarity=step.text.similarity, at=at)
    verdict = ChangeVerdict(
        kind="trivial",
        report=replace(report, snapshot_hash=document.snapshot_hash),
        page_id=history.page_id,
        baseline=state.baseline,
        prices=prices,
        state=_learn(state, movement, last, after),
        at=at,
    )
    return _decide(verdict, step, history, policy, after)


def _learn(state: TrackState, movement: Movement, last: Document, after: Document) -> TrackState:
    """Count the places that moved since the last check."""
    learnt = observe(movement, last, after)
    moving = {key for key, times in learnt.moved.items() if times > 1}
    texts = {key: text for key, text in state.moved_texts.items() if key in moving}
    texts |= {key: text for key, text in place_texts(after).items() if key in moving}
    return replace(state, visits=learnt.visits, moved=learnt.moved, moved_texts=texts, pending={})


def _decide(
    verdict: ChangeVerdict,
    step: ChangeReport,
    history: PageHistory,
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
    if report.has_changes and _is_second_look(history, policy, report, verdict.at):
        return replace(
            verdict,
            kind="trivial",
            state=replace(verdict.state, moved=dict.fromkeys(verdict.state.moved, ENOUGH)),
            reason="a second look: this moves by itself",
        )
    if not report.has_changes:
        kind = "unchanged" if history.is_same(after) else "trivial"
        return replace(verdict, kind=kind)
    back = _returned_to(verdict, history, policy, after)
    if back is not None:
        return replace(verdict, kind="returned", reason=f"back to version {back}")
    untold = why_filtered(report, policy)
    if not untold:
        return _confirm(verdict, history.state, policy)
    kind = "filtered" if step.has_changes else "trivial"
    return replace(verdict, kind=kind, reason=untold)


def _is_second_look(
    history: PageHistory, policy: WatchPolicy, report: ChangeReport, at: str
) -> bool:
    """Whether the page was first seen a moment ago: what differs already moves by itself."""
    first, now = history.baseline_info, read_time(at)
    seen = read_time(first.fetched_at) if first else None
    if not policy.second_look or history.state.visits or seen is None or now is None:
        return False
    soon = (now - seen).total_seconds() <= policy.second_look
    return soon and not _ALWAYS_NEWS & set(report.changed_fields)


def _confirm(verdict: ChangeVerdict, known: TrackState, policy: WatchPolicy) -> ChangeVerdict:
    """Strong evidence is a change at once; weak evidence is one if the last check had it too."""
    report = verdict.report
    found = report.evidence()
    confirmed = not known.pending.keys().isdisjoint(found)
    if report.is_strong or confirmed or not policy.confirms:
        return replace(verdict, kind="changed", reason=report.summary)
    return replace(
        verdict,
        kind="pending",
        state=replace(verdict.state, pending=found),
        reason=f"waits for the next check: {report.summary}",
    )


def _returned_to(
    verdict: ChangeVerdict, history: PageHistory, policy: WatchPolicy, after: Document
) -> int | None:
    """The version that a page has gone back to soon after it was left; prices are always news."""
    if _ALWAYS_NEWS & set(verdict.report.changed_fields):
        return None
    notified = read_time(history.baseline_info.fetched_at) if history.baseline_info else None
    today = read_time(verdict.at)
    if notified is None or today is None or today - notified > timedelta(days=FLAPPING_DAYS):
        return None
    state = verdict.state
    options = replace(policy.options, muted_blocks=state.muted, always_blocks=state.always)
    for number in reversed(verdict.state.known):
        earlier = None if number == verdict.baseline else history.load(number)
        if earlier is None:
            continue
        if not diff(masked(earlier, policy.ignore_text), after, options).has_changes:
            return number
    return None
