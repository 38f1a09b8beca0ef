"""Parses robots.txt by RFC 9309: groups by user agent, the longest matching rule wins.

Why not a library: docs/decisions/008-robots.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_MAX_LINES = 10_000
_MAX_PATTERN = 2_000
_LONGEST_DELAY = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRules:
    """The rules of one site for one user agent."""

    rules: tuple[tuple[str, bool], ...] = ()
    """Path patterns, and whether each allows."""
    delay: float = 0.0
    """Crawl-delay in seconds, if the site asks for one."""
    is_known: bool = True
    """False when robots.txt could not be fetched because the server fails."""

    def allows(self, path: str) -> bool:
        """Whether a path (with its query) may be fetched. On equal length, Allow wins."""
        best, allowed = -1, True
        for pattern, allow in self.rules:
            size = len(pattern)
            if (size > best or (size == best and allow)) and _matches(pattern, path):
                best, allowed = size, allow
        return allowed


ALLOW_ALL = RobotsRules()
UNAVAILABLE = RobotsRules(rules=(("/", False),), is_known=False)


@dataclass(slots=True)
class _Group:
    agents: list[str] = field(default_factory=list[str])
    rules: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    delay: float = 0.0


def read_robots(text: str, agent: str) -> RobotsRules:
    """The rules of a robots.txt for a user agent (``Pageloom``), or else for all.

    Args:
        text: the file.
        agent: the product token; case does not matter.
    """
    groups = _read_groups(text)
    name = agent.lower()
    own = [group for group in groups if name in group.agents]
    chosen = own or [group for group in groups if "*" in group.agents]
    return RobotsRules(
        rules=tuple(rule for group in chosen for rule in group.rules),
        delay=max((group.delay for group in chosen), default=0.0),
    )


def _read_groups(text: str) -> list[_Group]:
    groups: list[_Group] = []
    gathering = False
    for line in text.removeprefix("\ufeff").splitlines()[:_MAX_LINES]:
        name, _, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if name in ("user-agent", "useragent"):
            if not gathering:
                groups.append(_Group())
            groups[-1].agents.append(value.partition("/")[0].strip().lower())
            gathering = True
        elif groups and name in ("allow", "disallow", "crawl-delay"):
            _add(groups[-1], name, value)
            gathering = False
    return groups


def _add(group: _Group, name: str, value: str) -> None:
    if name == "crawl-delay":
        group.delay = _seconds(value)
    elif value:  # an empty Disallow forbids nothing
        group.rules.append((_normal(value[:_MAX_PATTERN]), name == "allow"))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return min(seconds, _LONGEST_DELAY) if seconds > 0 else 0.0


def _normal(pattern: str) -> str:
    """Non-ASCII characters are compared percent-encoded, as in requests."""
    return "".join(c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode()) for c in pattern)


def _matches(pattern: str, path: str) -> bool:
    """``*`` stands for anything, a final ``$`` for the end; each part is looked for once."""
    anchored = pattern.endswith("$")
    first, *rest = (pattern[:-1] if anchored else pattern).split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    for part in rest[:-1] if anchored else rest:
        found = path.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    if not anchored:
        return True
    if not rest:
        return place == len(path)
    return path.endswith(rest[-1]) and len(path) - len(rest[-1]) >= place
