"""Compile a rule spec into a rule: check every selector, pattern and argument.

``compile_rule`` is what production uses: a rule with a mistake is refused, but an unknown action
only leaves a problem behind and the rest of the rule applies. ``lint_rule`` lists all problems.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pageloom.core.dom import SelectorError
from pageloom.core.headers import belongs_to_connection, is_cookie, is_header
from pageloom.core.rules.actions import (
    ACTIONS,
    CHOICES,
    SELECTORS,
    UNREADABLE,
    Action,
)
from pageloom.core.rules.fields import FieldReader, read_field_spec
from pageloom.core.rules.hosts import plain_host
from pageloom.core.rules.patterns import PatternError, check_template, compile_pattern
from pageloom.core.rules.problems import meant
from pageloom.core.rules.schema import (
    FieldSpec,
    HostSpec,
    ReplaceSpec,
    RewriteSpec,
    RuleSpec,
    listed,
)
from pageloom.core.rules.selectors import read_selector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.core.rules.selectors import Selector

_TAG = re.compile(r"[a-z][a-z0-9-]{0,40}")
_ATTRIBUTE = re.compile(r"[A-Za-z_:@][\w:.@-]{0,100}")
_ID = re.compile(r"[\w.:@+/-]{1,120}")
MAX_SELECTORS = 2_000


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a rule, and where in it."""

    path: str
    """Such as ``trigger.dom.any[0]``."""
    message: str
    level: str = "error"
    """``error``: the rule is not used. ``warning``: it is, without this part. ``advice``: it works,
    and should be written otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dom:
    """What has to be on the page."""

    any: tuple[Selector, ...] = ()
    all: tuple[Selector, ...] = ()
    none: tuple[Selector, ...] = ()
    texts: tuple[str, ...] = ()
    """In lower case."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked of the page but what must not be on it."""
        return not (self.any or self.all or self.texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule that can be run."""

    id: str
    spec: RuleSpec
    mode: str = "all"
    hosts: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    dom: Dom = field(default_factory=Dom)
    replace: tuple[ReplaceSpec, ...] = ()
    rewrites: tuple[RewriteSpec, ...] = ()
    next_page: tuple[Selector, ...] = ()
    single_page: tuple[Selector, ...] = ()
    article: tuple[Selector, ...] = ()
    wrapper: tuple[Selector, ...] = ()
    remove: tuple[Selector, ...] = ()
    include: tuple[Selector, ...] = ()
    actions: tuple[Action, ...] = ()
    fields: tuple[FieldReader, ...] = ()

    @property
    def source(self) -> str:
        """How provenance names it."""
        return f"rule:{self.id}"


class _Bench:
    """Where a rule is put together; problems are noted with their place."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def note(self, path: str, message: str, level: str = "error") -> None:
        self.problems.append(Problem(path, message, level))

    def selectors(self, texts: Any, path: str) -> tuple[Selector, ...]:
        found = listed(texts)
        if len(found) > MAX_SELECTORS:
            self.note(path, f"more than {MAX_SELECTORS} selectors")
            return ()
        places = [path] if isinstance(texts, str) else [f"{path}[{n}]" for n in range(len(found))]
        pairs = zip(found, places, strict=True)
        made = [self.selector(text, place) for text, place in pairs]
        return tuple(each for each in made if each is not None)

    def selector(self, text: Any, path: str) -> Selector | None:
        try:
            return read_selector(str(text))
        except SelectorError as error:
            self.note(path, f"{_shown(text)} is not a valid selector: {error}")
            return None

    def pattern(self, text: str, path: str) -> bool:
        try:
            compile_pattern(text)
        except PatternError as error:
            self.note(path, f"{_shown(text)}: {error}")
            return False
        return True

    def check(self, work: Callable[[], object], path: str) -> None:
        try:
            work()
        except (PatternError, ValueError) as error:
            self.note(path, str(error))


def _shown(text: Any) -> str:
    shown = str(text)
    return shown if len(shown) <= 120 else f"{shown[:119]}…"


def compile_rule(spec: RuleSpec) -> tuple[Rule | None, list[Problem]]:
    """The rule, or None where an error forbids it; and all that is wrong with it."""
    bench = _Bench()
    rule = _build(spec, bench)
    failed = any(problem.level == "error" for problem in bench.problems)
    return None if failed else rule, bench.problems


def _build(spec: RuleSpec, bench: _Bench) -> Rule:
    if not _ID.fullmatch(spec.id):
        bench.note(
            "id", f"{_shown(spec.id)}: an id may contain only letters, digits and . _ : @ + / -"
        )
    trigger = spec.trigger
    request = spec.request
    scope = spec.selector_overrides
    return Rule(
        id=spec.id,
        spec=spec,
        mode=trigger.mode if trigger else "all",
        hosts=host_keys(trigger.host if trigger else None, bench.note),
        paths=_paths(spec, bench),
        dom=_dom(spec, bench),
        replace=_replacements(spec, bench),
        rewrites=_rewrites(spec, bench),
        next_page=bench.selectors(request.next_page if request else None, "request.next_page"),
        single_page=bench.selectors(
            request.single_page if request else None, "request.single_page"
        ),
        article=bench.selectors(scope.article if scope else None, "selector_overrides.article"),
        wrapper=bench.selectors(scope.wrapper if scope else None, "selector_overrides.wrapper"),
        remove=bench.selectors(spec.remove, "remove"),
        include=bench.selectors(spec.include, "include"),
        actions=tuple(_actions(spec, bench)),
        fields=tuple(_fields(spec, bench)),
    )


def host_keys(
    host: HostSpec | None, note: Callable[[str, str], None] | None = None
) -> frozenset[str]:
    """Under what names a rule is found by the host of a page."""
    keys: set[str] = set()
    for name, kind in (
        ("equals", "is"),
        ("equals_www", "www"),
        ("ends_with", "in"),
        ("etld_plus_one", "site"),
    ):
        for place, text in enumerate(listed(getattr(host, name) if host else None)):
            try:
                keys.add(_host_key(kind, text))
            except ValueError as error:
                if note:
                    note(f"trigger.host.{name}[{place}]", str(error))
    return frozenset(keys)


def _host_key(kind: str, text: str) -> str:
    host = plain_host(text)
    if kind == "www":
        return f"www {host}"
    bare = host.removeprefix("www.") if host.count(".") > 1 else host
    below = kind == "in" and text.strip().startswith(".")
    return f"{'below' if below else kind} {bare}"


def _paths(spec: RuleSpec, bench: _Bench) -> tuple[str, ...]:
    patterns = listed(spec.trigger.path.matches if spec.trigger and spec.trigger.path else None)
    return tuple(each for each in patterns if bench.pattern(each, "trigger.path.matches"))


def _dom(spec: RuleSpec, bench: _Bench) -> Dom:
    dom = spec.trigger.dom if spec.trigger else None
    if dom is None:
        return Dom()
    return Dom(
        any=bench.selectors(dom.any, "trigger.dom.any"),
        all=bench.selectors(dom.all, "trigger.dom.all"),
        none=bench.selectors(dom.none, "trigger.dom.none"),
        texts=tuple(text.casefold() for text in listed(dom.any_text_contains) if text.strip()),
    )


def _replacements(spec: RuleSpec, bench: _Bench) -> tuple[ReplaceSpec, ...]:
    given = spec.replace or []
    found = [given] if isinstance(given, ReplaceSpec) else given
    for number, each in enumerate(found):
        path = f"replace[{number}]"
        if not each.find:
            bench.note(f"{path}.find", "the text to find is empty")
        elif each.regex and bench.pattern(each.find, f"{path}.find"):
            bench.check(_checking(each.find, each.replacement), f"{path}.with")
    return tuple(found)


def _checking(pattern: str, template: str) -> Callable[[], None]:
    return lambda: check_template(pattern, template)


def _rewrites(spec: RuleSpec, bench: _Bench) -> tuple[RewriteSpec, ...]:
    given = (spec.request.url_rewrite if spec.request else None) or []
    found = [given] if isinstance(given, RewriteSpec) else given
    for each in found:
        if bench.pattern(each.match, "request.url_rewrite.match"):
            bench.check(_checking(each.match, each.replace), "request.url_rewrite.replace")
    _check_headers(spec, bench)
    return tuple(found)


def _check_headers(spec: RuleSpec, bench: _Bench) -> None:
    request = spec.request
    for name, value in (request.headers or {} if request else {}).items():
        if not is_header(name, value):
            bench.note(f"request.headers.{_shown(name)}", "not a valid header")
        elif belongs_to_connection(name):
            bench.note(
                f"request.headers.{name}",
                "this header is set by the connection and cannot be changed",
            )
    for name, value in (request.cookies or {} if request else {}).items():
        if not is_cookie(name, value):
            bench.note(f"request.cookies.{_shown(name)}", "not a valid cookie")


def _fields(spec: RuleSpec, bench: _Bench) -> Iterator[FieldReader]:
    for name, given in (spec.metadata or {}).items():
        if given is None:
            continue
        field_spec = FieldSpec(selector=given) if isinstance(given, str) else given
        path = f"metadata.{name}"
        selectors = bench.selectors(field_spec.selector, f"{path}.selector")
        if field_spec.regex:
            bench.pattern(field_spec.regex, f"{path}.regex")
        try:
            yield read_field_spec(name, field_spec, selectors)
        except ValueError as error:
            bench.note(path, str(error))


def _actions(spec: RuleSpec, bench: _Bench) -> Iterator[Action]:
    for number, raw in enumerate(spec.actions or []):
        action = _action(raw, f"actions[{number}]", bench)
        if action is not None:
            yield action


def _action(raw: dict[str, Any], path: str, bench: _Bench) -> Action | None:
    arguments = dict(raw)
    name = arguments.pop("op", None)
    op = ACTIONS.get(name) if isinstance(name, str) else None
    if op is None:
        hint = meant(str(name), ACTIONS)
        bench.note(f"{path}.op", f"unknown action {_shown(name)}{hint}", "warning")
        return None
    selector = arguments.pop("selector", None)
    missing = [each for each in op.needs if arguments.get(each) in (None, "", [])]
    if not isinstance(selector, str):
        missing.append("selector")
    for each in missing:
        bench.note(f"{path}.{each}", f"{name} needs {each}")
    takes = (*op.needs, *op.takes, "selector")
    for each in sorted(set(arguments) - {*takes}):
        bench.note(f"{path}.{each}", f"{name} takes no {each}{meant(each, takes)}")
    if missing or not isinstance(selector, str):
        return None
    found = bench.selector(selector, f"{path}.selector")
    checked = {
        each: _argument(str(name), each, value, f"{path}.{each}", bench)
        for each, value in arguments.items()
        if value is not None
    }
    return Action(str(name), found, checked) if found else None


def _argument(op: str, name: str, value: Any, path: str, bench: _Bench) -> Any:
    if name in SELECTORS:
        return bench.selector(value, path)
    if name == "attrs":
        names = cast("list[Any]", value) if isinstance(value, list) else [value]
        if not all(_is_attribute(each) for each in names):
            bench.note(path, "expected a list of attribute names")
        return names
    if name == "index":
        if not isinstance(value, int) or isinstance(value, bool):
            bench.note(path, "expected a whole number")
        return value
    text = str(value)
    _check_text(op, name, text, path, bench)
    return text.lower() if name in ("tag", "wrapper_tag") else text


def _is_attribute(name: object) -> bool:
    return isinstance(name, str) and bool(_ATTRIBUTE.fullmatch(name))


def _check_text(op: str, name: str, text: str, path: str, bench: _Bench) -> None:
    choices = CHOICES.get((op, name))
    if choices and text not in choices:
        hint = meant(text, choices, listed=False)
        bench.note(path, f"{_shown(text)} is not one of {', '.join(choices)}{hint}")
    if name in ("tag", "wrapper_tag") and not _TAG.fullmatch(text.lower()):
        bench.note(path, f"{_shown(text)} is not an element name")
    if name in ("tag", "wrapper_tag") and text.lower() in UNREADABLE:
        bench.note(path, f"<{text.lower()}> would hide its text")
    if name in ("attr", "from", "to") and not _is_attribute(text):
        bench.note(path, f"{_shown(text)} is not an attribute name")
    if len(text) > 2_000:
        bench.note(path, "longer than 2000 characters")


def lint_rule(spec: RuleSpec, *, is_whole: bool = True) -> list[Problem]:
    """All that is wrong with a rule, and all that makes no sense in it.

    Args:
        spec: the rule.
        is_whole: False where parts of it were left out: then much makes no sense in it.
    """
    _, problems = compile_rule(spec)
    found = [
        Problem(each.path, each.message, "error") if each.level == "warning" else each
        for each in problems
    ]
    return [*found, *_senseless(spec)] if is_whole else found


def _senseless(spec: RuleSpec) -> Iterator[Problem]:
    trigger = spec.trigger
    if spec.enabled and not _can_match(spec):
        yield Problem("trigger", "the rule never matches: it needs a host or dom trigger")
    scope = spec.selector_overrides
    if scope and spec.phase == "post":
        yield Problem(
            "selector_overrides", "a post rule cannot have selector_overrides: use phase pre"
        )
    if spec.replace and spec.phase == "post":
        yield Problem("replace", "a post rule cannot replace source text: use phase pre")
    if spec.clean is False and not (scope and listed(scope.article)):
        yield Problem("clean", "clean: false needs selector_overrides.article", "advice")
    if spec.discard_reason and not spec.discard:
        yield Problem("discard_reason", "has no effect without discard: true", "advice")
    if trigger and trigger.mode == "any" and not (trigger.host and trigger.dom):
        yield Problem("trigger.mode", "mode any needs both host and dom", "advice")
    if spec.enabled and not _does_anything(spec):
        yield Problem("", "the rule has no effect", "advice")


def _can_match(spec: RuleSpec) -> bool:
    trigger = spec.trigger
    if trigger is None:
        return False
    dom = trigger.dom
    asks = bool(dom and (listed(dom.any) or listed(dom.all) or listed(dom.any_text_contains)))
    return asks or bool(trigger.host and host_keys(trigger.host))


def _does_anything(spec: RuleSpec) -> bool:
    parts = (
        spec.request,
        spec.replace,
        spec.rendering,
        spec.selector_overrides,
        spec.remove,
        spec.include,
        spec.actions,
        spec.metadata,
        spec.discard,
        spec.tests,
    )
    return any(parts)
