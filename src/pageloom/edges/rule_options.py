"""The section ``[rules]`` of the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOptions:
    """Which site rules apply."""

    enabled: bool = True
    """Whether any rule applies at all."""
    directory: str = ""
    """Your own rules: a directory of YAML files, read after the shipped ones."""
