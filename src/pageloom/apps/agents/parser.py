"""The parser: ``html.raw`` becomes ``html.parsed``; the original is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext, one_message
from pageloom.flows.queue.messages import RawHtml, read_message, unknown_fields, write_message
from pageloom.flows.queue.parse import end_not_modified, is_not_modified, parse_page

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.flows.watch.context import CheckContext


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Read a page."""
    message, given = read_message(envelope.body, RawHtml)
    if is_not_modified(message):
        await world.in_thread(lambda: end_not_modified(world.check_context(), message))
        return []
    owner = world.owner_of(given)
    answer = await world.in_thread(lambda: parse_page(_context(world), message, owner))
    # The page itself ends here; whatever else came with it goes on.
    extra = unknown_fields(given, RawHtml)
    for name in ("status", "contentType"):
        if given.get(name) is not None:
            extra[name] = given[name]
    queue = world.settings.parser.output_queue
    return one_message(queue, write_message(answer, extra), "html.parsed")


def _context(world: WorkerContext) -> CheckContext:
    """With the limits of the parser's own settings."""
    context, options = world.check_context(), world.settings.parser
    extraction = replace(
        context.extraction,
        max_content_length=options.max_html_size,
        text_min_length=options.text_min_length,
    )
    return replace(context, extraction=extraction)


AGENT = Agent(name="parser", handle=handle, uses_rules=True)
