"""Options of site rules: the ``[rules]`` section of the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOptions:
    """Which site rules apply."""

    enabled: bool = True
    """Whether site rules are used at all."""
    directory: str = ""
    """A directory of your own rules (YAML files), loaded after the shipped ones."""
