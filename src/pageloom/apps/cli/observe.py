"""Logs, figures and spans of commands, where the settings ask for them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_OWN_WAY = frozenset({"worker", "--version"})
_OTEL = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def _nothing() -> None:
    pass


def _is_ours(setting: str) -> bool:
    return setting.startswith("observe.")


def start_observing(arguments: Sequence[str]) -> Callable[[], None]:
    """Begin to write down what the command does, if anybody asked for it.

    Returns:
        The function that ends it: figures are added to their file, spans are sent.
    """
    if not arguments or arguments[0] in _OWN_WAY or "--help" in arguments:
        return _nothing
    from pageloom.settings import load_settings

    try:
        settings = load_settings()
    except PageloomError:  # the command itself will say so
        return _nothing
    traced = any(os.environ.get(name) for name in _OTEL)
    serves = arguments[0] == "serve"
    if not traced and not serves and not any(_is_ours(name) for name in settings.origins):
        return _nothing
    ends: list[Callable[[], None]] = []
    observe = settings.observe
    is_chosen = "observe.log_level" in settings.origins
    if is_chosen or serves:  # whoever is shown the number of a fault finds it there
        from pageloom.apps.logs import start_logging

        start_logging(observe.log_level if is_chosen else "error", observe.log_format)
    if observe.metrics_file:
        from pageloom.apps.metrics import add_to_file, start_counting

        start_counting()
        ends.append(lambda: add_to_file(observe.metrics_file))
    if observe.traces_url or traced:
        from pageloom.apps.traces import start_tracing

        ends.append(start_tracing(observe.traces_url))

    def end() -> None:
        for each in ends:
            each()

    return end
