"""``pageloom dlq``: messages that were given up."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.dead_letters import NoSuchLetter, find_dead, list_dead, purge, replay
from pageloom.apps.cli.safe import escape_json, one_line, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from pageloom.apps.agents.dead_letters import DeadLetter

    Settle = Callable[
        [Settings, Callable[[DeadLetter], bool]], Coroutine[Any, Any, list[DeadLetter]]
    ]

_SHOWN_ID = 8


def run_list(*, limit: int, reason: str | None, broker: str | None, as_json: bool) -> None:
    """Show the dead letters in a table."""
    found = asyncio.run(list_dead(_settings(broker), limit, reason))
    if as_json:
        _print_json({"success": True, "letters": [_brief(each) for each in found]})
        return
    from pageloom.apps.cli.show import make_console, make_table

    table = make_table("id", "reason", "worker", "attempts", "when", "url")
    for each in found:
        cells = (each.id[:_SHOWN_ID], each.reason, each.agent, str(each.attempts), each.failed_at)
        table.add_row(*(one_line(cell, 40) for cell in cells), one_line(each.url, 60))
    console = make_console()
    console.print(table if found else "No dead letters.")


def run_show(name: str, *, broker: str | None, as_json: bool) -> None:
    """Show one dead letter whole."""
    found = asyncio.run(find_dead(_settings(broker), name))
    if as_json:
        _print_json({"success": True, "letter": _brief(found) | {"body": _body(found)}})
        return
    for label, value in _brief(found).items():
        if label != "headers":
            print(f"{label:10} {one_line(str(value), 400)}")
    for label, value in found.headers.items():
        print(f"  {one_line(str(label), 40)}: {one_line(str(value), 400)}")
    print()
    print(safe(_body(found)))


@dataclass(frozen=True, slots=True)
class Choice:
    """Which letters are meant."""

    names: Sequence[str]
    every: bool
    reason: str | None

    def require(self) -> None:
        """Nobody means all letters by naming none."""
        if not (self.names or self.every):
            raise UsageTrouble("Say which: ids, or --all, with or without --reason.")

    def has(self, letter: DeadLetter) -> bool:
        """Whether a letter is among them."""
        if self.reason is not None and letter.reason != self.reason:
            return False
        return self.every or letter.id.startswith(tuple(self.names))


def run_replay(choice: Choice, *, broker: str | None, as_json: bool) -> None:
    """Put dead letters back."""
    _settle(choice, replay, "put back", broker=broker, as_json=as_json)


def run_purge(choice: Choice, *, broker: str | None, as_json: bool) -> None:
    """Throw dead letters away."""
    _settle(choice, purge, "thrown away", broker=broker, as_json=as_json)


def _settle(choice: Choice, do: Settle, what: str, *, broker: str | None, as_json: bool) -> None:
    choice.require()
    done = asyncio.run(do(_settings(broker), choice.has))
    if choice.names and not done:
        raise NoSuchLetter(f"There is no dead letter {one_line(' or '.join(choice.names), 80)}.")
    _tell_done(what, done, as_json=as_json)


def _tell_done(what: str, done: list[DeadLetter], *, as_json: bool) -> None:
    if as_json:
        _print_json({"success": True, "letters": [_brief(each) for each in done]})
        return
    print(f"{len(done)} {'letter' if len(done) == 1 else 'letters'} {what}.")


def _settings(broker: str | None) -> Settings:
    return load_settings(flags={"broker.url": broker})


def _brief(letter: DeadLetter) -> dict[str, Any]:
    return {name: value for name, value in asdict(letter).items() if name != "body"}


def _body(letter: DeadLetter) -> str:
    try:
        return letter.body.decode()
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(letter.body).decode()


def _print_json(answer: dict[str, Any]) -> None:
    print(escape_json(json.dumps(answer, ensure_ascii=False, default=str)))
