"""Join the request settings of all matching rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.dom import Element
from pageloom.core.page_urls import absolute
from pageloom.core.rules.patterns import substitute
from pageloom.model import RequestSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.dom import Node
    from pageloom.core.rules.compile import Rule
    from pageloom.core.rules.schema import RenderingSpec
    from pageloom.core.rules.selectors import Look, Selector


def join_requests(rules: Sequence[Rule], url: str, look: Look | None = None) -> RequestSettings:
    """The first rule in order that says something about a thing decides it."""
    rendering = _rendering(rules)
    next_page = tuple(each for rule in rules for each in rule.next_page)
    single_page = tuple(each for rule in rules for each in rule.single_page)
    base = _base(look, url)
    return RequestSettings(
        url=_rewritten(rules, url),
        headers=_first_of_each(rule.spec.request.headers for rule in rules if rule.spec.request),
        cookies=_first_of_each(
            (rule.spec.request.cookies for rule in rules if rule.spec.request), lower=False
        ),
        next_page=tuple(each.text for each in next_page),
        single_page=tuple(each.text for each in single_page),
        next_page_url=_address(next_page, look, url, base),
        single_page_url=_address(single_page, look, url, base),
        rendering=rendering.mode if rendering else "auto",
        wait_for=(rendering.wait_for or "") if rendering else "",
        timeout_ms=rendering.timeout if rendering else None,
        rule_ids=tuple(rule.id for rule in rules if rule.spec.request or rule.spec.rendering),
    )


def _rendering(rules: Iterable[Rule]) -> RenderingSpec | None:
    """Any force wins, the first of them with its details; else any never; else auto."""
    given = [rule.spec.rendering for rule in rules if rule.spec.rendering]
    for mode in ("force", "never"):
        for each in given:
            if each.mode == mode:
                return each
    return given[0] if given else None


def _first_of_each(
    tables: Iterable[dict[str, str] | None], *, lower: bool = True
) -> dict[str, str]:
    joined: dict[str, str] = {}
    for table in tables:
        for name, value in (table or {}).items():
            joined.setdefault(name.lower() if lower else name, value)
    return joined


def _rewritten(rules: Iterable[Rule], url: str) -> str:
    for rule in rules:
        for rewrite in rule.rewrites:
            changed = substitute(rewrite.match, rewrite.replace, url)
            if changed != url and absolute(changed):
                return changed
    return url


def _base(look: Look | None, url: str) -> str:
    """What links of the page are relative to."""
    element = look.root.select_one("base[href]") if look else None
    href = element.attr("href") if element is not None else None
    return (absolute(href, url) if href else None) or url


def _address(selectors: Iterable[Selector], look: Look | None, url: str, base: str) -> str:
    """The first URL that the selectors find, if it leads away from the page itself."""
    if look is None:
        return ""
    for selector in selectors:
        for found in look.find(selector)[:20]:
            address = absolute(_href(found), base)
            if address and address.partition("#")[0] != url.partition("#")[0]:
                return address
    return ""


def _href(found: Node | str) -> str:
    """The URL in what a selector found: a link, something around or inside one, or a value."""
    if isinstance(found, str):
        return found.strip()
    if not isinstance(found, Element):
        return ""
    for name in ("href", "src", "content", "value"):
        value = found.attr(name)
        if value:
            return value
    link = found.select_one("a[href]")
    link = link if link is not None else found.closest("a[href]")
    return (link.attr("href") or "") if link is not None else ""
