"""``pageloom dlq``: dead letters, the messages that failed for good."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.dead_letters import NoSuchLetter, find_dead, list_dead, purge, replay
from pageloom.apps.cli.errors import UsageTrouble, exit_code, report, warn
from pageloom.apps.cli.safe import one_line, safe
from pageloom.redaction import redact, redact_value
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from pageloom.apps.agents.dead_letters import Choose, DeadLetter, Settled

    Settle = Callable[[Settings, Choose], Coroutine[Any, Any, Settled]]
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Broker, Json, Yes
from pageloom.apps.cli.output import confirm, count, print_items, print_json, print_lines

_SHOWN_ID = 8


_MOST_NAMED = 10

Limit = Annotated[int, typer.Option("--limit", min=1, max=LARGEST, help="Show at most this many.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Only those with this reason.")]
Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="ID...", help="Ids of dead letters, or the beginnings of ids."),
]
Every = Annotated[bool, typer.Option("--all", help="All dead letters, or all with this --reason.")]


def list_(
    *, limit: Limit = 100, reason: Reason = None, broker: Broker = None, as_json: Json = False
) -> None:
    """List dead letters: messages that failed for good."""
    found = asyncio.run(list_dead(_settings(broker), limit, reason))
    if as_json:
        print_items(map(_brief, found))
        return
    for each in found:
        print_lines(_lines(each))
    if not found:
        print_lines(["No dead letters."])


def _lines(letter: DeadLetter) -> list[str]:
    """One line that says which message failed, and below it why and what to do about it."""
    tried = count(letter.attempts, "attempt")
    facts = (letter.id[:_SHOWN_ID], letter.reason, letter.agent, tried, letter.failed_at)
    cells = [one_line(cell, 40) for cell in (*facts, "") if cell]
    head = "  ".join([*cells, one_line(redact(letter.url), 80)])
    detail = one_line(redact(letter.detail), 300)
    return [head.rstrip(), *([f"{'':{_SHOWN_ID}}  {detail}"] if detail else [])]


def show(
    name: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a dead letter, or its beginning.")
    ],
    *,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Show passwords, tokens and cookies too.")
    ] = False,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Show a dead letter with its headers.

    Passwords, tokens and cookies in it are hidden.
    """
    choice = Choice([name])
    choice.require()
    (found, *_), _ = choice.find(asyncio.run(find_dead(_settings(broker), name.strip())))
    brief = _fields(found) if secrets else _brief(found)
    body = _body(found) if secrets else _shown_body(found)
    if as_json:
        print_json({"success": True} | brief | {"body": body})
        return
    for label, value in brief.items():
        if label != "headers":
            print(f"{label:10} {one_line(str(value), 400)}")
    for label, value in brief["headers"].items():
        print(f"  {one_line(str(label), 40)}: {one_line(str(value), 400)}")
    print()
    print(safe(body))


def replay_(
    ids: Ids = None,
    *,
    every: Every = False,
    reason: Reason = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="QUEUE", help="Put them into this queue instead.")
    ] = None,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Put dead letters back into the queue where they failed.

    They are processed from the beginning.
    """
    choice = Choice(ids or [], every, reason)
    raise typer.Exit(run_replay(choice, to=to, broker=broker, as_json=as_json))


def purge_(
    ids: Ids = None,
    *,
    every: Every = False,
    reason: Reason = None,
    yes: Yes = False,
    broker: Broker = None,
    as_json: Json = False,
) -> None:
    """Delete dead letters permanently."""
    choice = Choice(ids or [], every, reason)
    choice.require()
    confirm("Delete these dead letters permanently", yes=yes)
    raise typer.Exit(_settle(choice, purge, "deleted", broker=broker, as_json=as_json))


@dataclass(frozen=True, slots=True)
class Choice:
    """Which dead letters are meant."""

    names: Sequence[str]
    every: bool = False
    reason: str | None = None

    def require(self) -> None:
        """Nobody means all dead letters by naming none, or by an empty name."""
        if bool(self.names) == self.every:
            raise UsageTrouble(
                "Name dead letters by their ids, or give --all, with or without --reason."
            )
        if not all(name.strip() for name in self.names):
            raise UsageTrouble(
                "The id of a dead letter cannot be empty.",
                suggestions=("List the dead letters with pageloom dlq list.",),
            )

    def find(self, letters: Sequence[DeadLetter]) -> tuple[list[DeadLetter], list[str]]:
        """Those that are meant, and the names that none of them has.

        Raises:
            UsageTrouble: a name is the beginning of several ids.
            NoSuchLetter: there is none of any of the names.
        """
        likely = [each for each in letters if self.reason in (None, each.reason)]
        if self.every:
            return likely, []
        by_name = {name: _named(name.strip(), likely) for name in self.names}
        found = {id(each): each for meant in by_name.values() for each in meant}
        missing = [name for name, meant in by_name.items() if not meant]
        if not found:
            raise NoSuchLetter(_missing(missing, self.reason))
        return list(found.values()), missing


def _named(name: str, letters: Sequence[DeadLetter]) -> list[DeadLetter]:
    """The dead letters of that id; else the one whose id begins so."""
    exact = [each for each in letters if each.id == name]
    if exact:
        return exact
    found = [each for each in letters if each.id.startswith(name)]
    ids = sorted({each.id for each in found})
    if len(ids) > 1:
        named = ", ".join(one_line(each, 60) for each in ids[:_MOST_NAMED])
        more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
        raise UsageTrouble(
            f"The ids of {len(ids)} dead letters begin with {one_line(name, 60)}: {named}{more}.",
            suggestions=("Give more characters of the id.",),
        )
    return found


def _missing(names: Sequence[str], reason: str | None) -> str:
    which = f" with the reason {one_line(reason, 80)}" if reason is not None else ""
    return f"There is no dead letter {one_line(' or '.join(names), 200)}{which}."


def run_replay(choice: Choice, *, to: str | None, broker: str | None, as_json: bool) -> int:
    """Queue dead letters again; the exit code."""
    if to is not None and not to.strip():
        raise UsageTrouble("--to needs the name of a queue.")
    target = (to or "").strip()
    do: Settle = lambda settings, choose: replay(settings, choose, target)  # noqa: E731
    return _settle(choice, do, "queued again", broker=broker, as_json=as_json)


def _settle(choice: Choice, do: Settle, what: str, *, broker: str | None, as_json: bool) -> int:
    choice.require()
    missing: list[str] = []

    def choose(letters: Sequence[DeadLetter]) -> list[DeadLetter]:
        found, missing[:] = choice.find(letters)
        return found

    settled = asyncio.run(do(_settings(broker), choose))
    lost = NoSuchLetter(_missing(missing, choice.reason)) if missing else None
    if as_json:
        _print_settled(settled, lost, missing)
    else:
        number = len(settled.done)
        print(f"{count(number, 'dead letter')} {what}.")
        for letter, error in settled.failed:
            warn(error, f"Dead letter {one_line(letter.id, 60)} was kept.")
        if lost:
            report(lost, as_json=False)
    if lost:
        return exit_code(lost)
    return int(bool(settled.failed))


def _print_settled(settled: Settled, lost: NoSuchLetter | None, missing: list[str]) -> None:
    answer: dict[str, Any] = {
        "success": not (settled.failed or lost),
        "items": [_brief(each) for each in settled.done],
        "failed": [{"id": letter.id, "error": error.to_dict()} for letter, error in settled.failed],
        "missing": missing,
    }
    print_json(answer | ({"error": lost.to_dict()} if lost else {}))


def _settings(broker: str | None) -> Settings:
    return load_settings(flags={"broker.url": broker})


def _brief(letter: DeadLetter) -> dict[str, Any]:
    """What is shown of a dead letter, without the secrets in it."""
    return redact_value(_fields(letter))


def _fields(letter: DeadLetter) -> dict[str, Any]:
    return {name: value for name, value in asdict(letter).items() if name != "body"}


def _body(letter: DeadLetter) -> str:
    try:
        return letter.body.decode()
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(letter.body).decode()


def _shown_body(letter: DeadLetter) -> str:
    """The body without the secrets in it; as it came where there are none."""
    text = letter.body.decode(errors="backslashreplace")
    try:
        given = json.loads(text)
        shown = redact_value(given)
        return text if shown == given else json.dumps(shown, ensure_ascii=False)
    except (ValueError, RecursionError):  # no JSON, or nested too deeply
        return redact(text)
