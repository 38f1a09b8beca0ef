"""``pageloom rules list``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.output import print_json, print_table
from pageloom.apps.cli.rules.shared import load_all
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.schema import RuleSpec
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.rules.shared import Directory


def list_(
    *,
    directory: Directory = None,
    host: Annotated[
        str | None, typer.Option("--host", help="Only rules that may apply to this host.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List rules in the order they are applied.

    The shipped rules and yours.
    """
    from pageloom.edges.rulefiles import shipped_specs

    book = load_all(directory).book
    shipped = {spec.id: spec for spec in shipped_specs()}
    wanted = _for_host(book, host) if host else set(range(len(book.specs)))
    chosen = [spec for number, spec in enumerate(book.specs) if number in wanted]
    rows = [(spec, "shipped" if shipped.get(spec.id) == spec else "yours") for spec in chosen]
    if as_json:
        print_json([_listed(spec, origin) for spec, origin in rows])
        return
    print_table(
        ("id", "phase", ">priority", "from", "applies to"),
        [
            (one_line(spec.id, 60), spec.phase, str(spec.priority), origin, _applies_to(spec))
            for spec, origin in rows
        ],
        flexible=4,
    )


def _for_host(book: RuleBook, host: str) -> set[int]:
    """Rules for a host, and those for any host."""
    named = book.for_host(host)
    loose = {number for number, spec in enumerate(book.specs) if not _has_host(spec)}
    return named | loose


def _has_host(spec: RuleSpec) -> bool:
    return bool(spec.trigger and spec.trigger.host)


def _listed(spec: RuleSpec, origin: str) -> dict[str, Any]:
    return {
        "id": spec.id,
        "phase": spec.phase,
        "priority": spec.priority,
        "origin": origin,
        "trigger": msgspec.to_builtins(spec.trigger),
    }


def _applies_to(spec: RuleSpec) -> str:
    from pageloom.core.rules.schema import listed

    trigger = spec.trigger
    if trigger is None:
        return ""
    host, dom = trigger.host, trigger.dom
    hosts = [
        each
        for texts in (
            (host.equals, host.equals_www, host.ends_with, host.etld_plus_one) if host else ()
        )
        for each in listed(texts)
    ]
    texts = (dom.any, dom.all, dom.any_text_contains) if dom else ()
    signs = [each for group in texts for each in listed(group)]
    return one_line(", ".join((*hosts, *signs)), 200)
