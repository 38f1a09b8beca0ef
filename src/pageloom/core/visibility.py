"""Find elements that a page hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.core.dom import Element

_MAY_BE_HIDDEN = "[hidden], [style*=is]"
"""Two letters that "display" and "visibility" share: every selector more makes a search longer."""
_VEILS = ("display:none", "display: none", "visibility:hidden", "visibility: hidden")
_READ_ANYWAY = ("mwe-math-mathml",)
"""Encyclopedias hide the MathML and show a picture of it; the MathML is what we read."""
_NOTICE_LENGTH = 200


def hidden_elements(root: Element) -> list[Element]:
    """The elements that say themselves that they are hidden, but for lazy pictures."""
    return [
        element
        for element in root.select(_MAY_BE_HIDDEN)
        if element.tag != "img" and _is_hidden(element) and not _is_read_anyway(element)
    ]


def reveal(root: Element) -> None:
    """Unhide the elements of a content tree: they were judged to be content."""
    for element in hidden_elements(root):
        for name in ("hidden", "style"):
            if element.attr(name) is not None:
                del element.attrs[name]


def _is_hidden(element: Element) -> bool:
    style = element.attr("style") or ""
    return any(veil in style for veil in _VEILS) or element.attr("hidden") is not None


def _is_read_anyway(element: Element) -> bool:
    classes = element.attr("class") or ""
    return any(name in classes for name in _READ_ANYWAY)


def is_notice(noscript: Element) -> bool:
    """Whether a ``<noscript>`` only asks for scripts, with no text or pictures to use."""
    if noscript.find(["img", "iframe", "video", "audio"]) is not None:
        return False
    return len(noscript.text.strip()) < _NOTICE_LENGTH
