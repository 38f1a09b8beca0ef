"""Callouts: boxes that say "note" or "warning" by their class."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.core.dom import Element

_KINDS = {
    "note": "NOTE",
    "info": "NOTE",
    "information": "NOTE",
    "seealso": "NOTE",
    "secondary": "NOTE",
    "primary": "NOTE",
    "tip": "TIP",
    "hint": "TIP",
    "success": "TIP",
    "important": "IMPORTANT",
    "warning": "WARNING",
    "warn": "WARNING",
    "attention": "WARNING",
    "caution": "CAUTION",
    "danger": "CAUTION",
    "error": "CAUTION",
    "critical": "CAUTION",
}
BOX_CLASSES = frozenset(
    {
        "markdown-alert",
        "admonition",
        "callout",
        "alert",
        "theme-admonition",
        "custom-block",
        "notecard",
        "admonitionblock",
        "starlight-aside",
        "hint",
    }
)
_JOINED = (
    "markdown-alert-",
    "admonition-",
    "callout-",
    "alert-",
    "theme-admonition-",
    "starlight-aside-",
)
TITLE_CLASSES = (
    "markdown-alert-title",
    "admonition-title",
    "callout-title",
    "alert-heading",
    "custom-block-title",
)


def callout_of(element: Element, classes: str) -> str:
    """The kind of callout by the element's classes: NOTE, TIP, IMPORTANT, WARNING or CAUTION."""
    names = classes.lower().split()
    if BOX_CLASSES.isdisjoint(names):
        return ""
    stated = (element.attr("data-callout") or "").lower()
    if stated in _KINDS:
        return _KINDS[stated]
    for name in names:
        for joined in _JOINED:
            if name.startswith(joined) and name[len(joined) :].strip("-") in _KINDS:
                return _KINDS[name[len(joined) :].strip("-")]
    return next((_KINDS[name] for name in names if name in _KINDS), "")


def only_names_its_kind(title: str) -> bool:
    """Whether a callout's title says no more than "Note" or "Warning:"."""
    return title.strip().rstrip(":").lower() in _KINDS
