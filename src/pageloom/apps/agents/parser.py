"""The parser: ``html.raw`` becomes ``html.parsed``; the original is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext, one_message
from pageloom.flows.queue.messages import (
    RawHtml,
    given_or,
    read_message,
    unknown_fields,
    write_message,
)
from pageloom.flows.queue.parse import end_not_modified, is_not_modified, parse_page

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.flows.watch.context import CheckContext

_PLAIN_SIZE = 1_000_000
"""The most bytes of a page that no watch asked for, unless the settings say otherwise."""


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Read a page."""
    message, given = read_message(envelope.body, RawHtml)
    owner = world.owner_of(given)
    if is_not_modified(message):
        await world.in_thread(lambda: end_not_modified(world.check_context(), message, owner))
        return []
    answer = await world.in_thread(lambda: parse_page(_context(world, message), message, owner))
    # The page itself ends here; whatever else came with it goes on.
    extra = unknown_fields(given, RawHtml)
    for name in ("status", "contentType"):
        if given.get(name) is not None:
            extra[name] = given[name]
    queue = world.settings.parser.output_queue
    return one_message(queue, write_message(answer, extra), "html.parsed")


def _context(world: WorkerContext, message: RawHtml) -> CheckContext:
    """With the limits of the parser's own settings, where they are set."""
    context, options = world.check_context(), world.settings.parser
    extraction, size, shortest = context.extraction, options.max_html_size, options.text_min_length
    if size is None:  # a watch is read alike by the scheduler and by workers
        most = extraction.max_content_length
        size = min(most, _PLAIN_SIZE) if given_or(message.watch_id, None) is None else most
    if shortest is None:
        shortest = extraction.text_min_length
    limited = replace(extraction, max_content_length=size, text_min_length=shortest)
    return replace(context, extraction=limited)


AGENT = Agent(name="parser", handle=handle, uses_rules=True)
