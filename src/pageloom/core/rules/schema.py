"""The schema of a rule in YAML; unknown keys are refused with their place."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from pageloom.model.capture import RenderMode  # noqa: TC001  msgspec reads the annotations

Texts = str | list[str] | None
"""One text, several, or no value after the colon."""

Phase = Literal["pre", "post", "both"]


class Spec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What all parts of a rule have in common."""


class HostSpec(Spec, frozen=True):
    """Which hosts a rule is for; one satisfied key is enough."""

    equals: Texts = None
    """The host, ``www.`` or not."""
    equals_www: Texts = None
    """The host exactly as asked for, ``www.`` included."""
    ends_with: Texts = None
    """The host or any host below it; with a leading dot only hosts below it."""
    etld_plus_one: Texts = None
    """The registrable domain by the public suffix list."""


class PathSpec(Spec, frozen=True):
    """Which paths a rule is for."""

    matches: Texts = None
    """A regular expression that is found somewhere in the path; of several, one is enough."""


class DomSpec(Spec, frozen=True):
    """What a page has to have in it, or must not have."""

    any: Texts = None
    all: Texts = None
    none: Texts = None
    any_text_contains: Texts = None


class TriggerSpec(Spec, frozen=True):
    """When a rule applies."""

    mode: Literal["all", "any"] = "all"
    host: HostSpec | None = None
    path: PathSpec | None = None
    dom: DomSpec | None = None


class RewriteSpec(Spec, frozen=True):
    """A URL to ask for instead."""

    match: str
    replace: str


class RequestSpec(Spec, frozen=True):
    """How a page is asked for, and where it goes on."""

    headers: dict[str, str] | None = None
    cookies: dict[str, str] | None = None
    url_rewrite: RewriteSpec | list[RewriteSpec] | None = None
    next_page: Texts = None
    single_page: Texts = None


class ReplaceSpec(Spec, frozen=True, rename={"replacement": "with"}):
    """A replacement in the source text, before it is parsed."""

    find: str
    replacement: str = ""
    regex: bool = False


class RenderingSpec(Spec, frozen=True):
    """Whether a browser is needed."""

    mode: RenderMode = "auto"
    wait_for: str | None = None
    timeout: int | None = None
    """Milliseconds."""


class ScopeSpec(Spec, frozen=True):
    """Where the content is: nothing outside can reach the result."""

    article: Texts = None
    wrapper: Texts = None
    required: bool = False
    """Whether a page without either has no content, instead of being searched for it."""


class FieldSpec(Spec, frozen=True):
    """How one field of metadata is read."""

    selector: Texts = None
    attr: str | None = None
    regex: str | None = None
    join: str | None = None
    value: str | bool | int | float | list[str] | None = None
    """A literal: it is what it says, without looking at the page."""
    format: str | None = None
    """How a date is written, in the letters of strptime."""
    timezone: str | None = None


class TestSpec(Spec, frozen=True):
    """A page that the rule was written for, and what must, and must not, be in its text."""

    url: str
    contains: Texts = None
    excludes: Texts = None


class RuleSpec(Spec, frozen=True):
    """One rule."""

    id: str
    trigger: TriggerSpec | None = None
    phase: Phase = "pre"
    priority: int = 50
    enabled: bool = True
    note: str | None = None
    """For people."""
    request: RequestSpec | None = None
    replace: ReplaceSpec | list[ReplaceSpec] | None = None
    rendering: RenderingSpec | None = None
    selector_overrides: ScopeSpec | None = None
    clean: bool | None = None
    remove: Texts = None
    compared: bool = False
    """Whether what the rule takes out is still compared, as what stands beside the content."""
    include: Texts = None
    actions: list[dict[str, Any]] | None = None
    metadata: dict[str, FieldSpec | str | None] | None = None
    discard: bool = False
    discard_reason: str | None = None
    tests: list[TestSpec] | None = None


def listed(texts: Texts) -> list[str]:
    """One text or several as a list."""
    if texts is None:
        return []
    return [texts] if isinstance(texts, str) else texts
