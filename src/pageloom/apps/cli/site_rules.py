"""The site rules that commands read pages with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.trouble import warn
from pageloom.edges.rulefiles import ChosenRules, chosen_rules

if TYPE_CHECKING:
    from pageloom.settings import Settings


def site_rules(settings: Settings) -> ChosenRules:
    """The rules that the settings choose; mistakes in the user's files are told.

    Raises:
        RuleError: the directory cannot be read; a mistake, if strict.
    """
    return chosen_rules(
        settings.rules,
        strict=settings.extraction.strict,
        tell=lambda trouble: warn(trouble, "All other rules are used."),
    )
