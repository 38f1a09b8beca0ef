"""The server: requests of the protocol, answered by the tables of tools, resources and prompts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from pageloom import __version__
from pageloom.apps.mcp.door import NOTICE, Door, failure
from pageloom.apps.mcp.follow import Follower
from pageloom.apps.mcp.prompts import get_prompt, list_prompts
from pageloom.apps.mcp.resources import complete, list_resources, list_templates, read_resource
from pageloom.apps.mcp.tools import TOOLS, tools_for
from pageloom.errors import InternalError, InvalidArgument, PageloomError
from pageloom.flows.events import emit
from pageloom.model.library import ROLE_SCOPES

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from mcp.shared.subscriptions import ServerEvent

    from pageloom.apps.mcp.tools import Tool
    from pageloom.library import Library

    Context = ServerRequestContext[Any, Any]
    OpenDoor = Callable[[Context], Door]

T = TypeVar("T")
_INSTRUCTIONS = (
    "A library of web pages with every version of each, and what changed. search_library and"
    " list_pages find pages; read_page reads one, in parts. " + NOTICE
)
_MOST_OF_ONE = 30
"""Subscriptions of one user at the same time."""
_CHECK_SECONDS = 15.0
"""Between two looks whether whoever subscribed may still do so."""


class PageloomServer(Server[Any]):
    """Answers agents; whoever asks is found out anew for each request."""

    def __init__(self, open_door: OpenDoor) -> None:
        super().__init__(
            "pageloom",
            version=__version__,
            title="Pageloom",
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
            get_tool_input_schema=_schema_of,
        )
        self._open_door = open_door
        self._followers: dict[str, tuple[Follower, ListenHandler]] = {}

    def end_streams(self) -> None:
        """Let all subscriptions end, because the server is about to."""
        for _, listening in self._followers.values():
            listening.close()

    async def _list_tools(self, ctx: Context, _: Any) -> types.ListToolsResult:
        known = tools_for(self._open_door(ctx))
        return types.ListToolsResult(tools=[_described(name, tool) for name, tool in known.items()])

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        door = replace(self._open_door(ctx), progress=ctx.session.report_progress)
        try:
            tool = _allowed(door, params.name)
            given = _arguments(tool, params.arguments or {})
            return (await tool.act(door, given)).result()
        except PageloomError as error:
            return failure(error)
        except Exception as error:  # noqa: BLE001  a bug of ours is no reason to end the session
            emit("mcp.failed", level="error", error_type=type(error).__name__, error=str(error))
            return failure(InternalError("Something went wrong here; it was logged."))

    async def _list_resources(self, ctx: Context, params: Any) -> types.ListResourcesResult:
        cursor = (params.cursor if params else None) or ""
        return await self._ask(ctx, lambda library: list_resources(library, cursor))

    async def _list_templates(self, _: Context, __: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list_templates())

    async def _read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        return await self._ask(ctx, lambda library: read_resource(library, uri))

    async def _list_prompts(self, _: Context, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list_prompts())

    async def _get_prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        name, given = params.name, params.arguments or {}
        return await self._ask(ctx, lambda library: get_prompt(library, name, given))

    async def _complete(
        self, ctx: Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        typed, known = params.argument, (params.context and params.context.arguments) or {}
        values = await self._ask(
            ctx, lambda library: complete(library, typed.name, typed.value, known)
        )
        return types.CompleteResult(completion=types.Completion(values=values))

    async def _listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        door = self._open_door(ctx)
        follower, listening = self._follower(door.library)
        await follower.begin()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_end_when_invalid, door, tasks.cancel_scope)
            result = await listening(ctx, params)
            tasks.cancel_scope.cancel()
            return result
        raise MCPError(types.INVALID_REQUEST, "The token is no longer valid.")

    async def _subscribe(
        self, ctx: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """As clients of older protocols subscribe: until they take it back, or leave."""
        uri = str(params.uri)
        await self._ask(ctx, lambda library: read_resource(library, uri))
        known = _subscribed(ctx)
        if uri in known:
            return types.EmptyResult()
        if len(known) >= _MOST_OF_ONE:
            raise MCPError(types.INVALID_PARAMS, "There are too many subscriptions.")
        door = self._open_door(ctx)
        follower, _ = self._follower(door.library)
        await follower.begin()
        sending: set[asyncio.Task[None]] = set()

        async def send() -> None:
            if await asyncio.to_thread(door.is_valid):
                await ctx.session.send_resource_updated(uri)

        def pass_on(event: ServerEvent) -> None:
            if getattr(event, "uri", "") == uri:
                task = asyncio.create_task(send())
                sending.add(task)
                task.add_done_callback(sending.discard)

        known[uri] = follower.subscribe(pass_on)
        return types.EmptyResult()

    async def _unsubscribe(
        self, ctx: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        end = _subscribed(ctx).pop(str(params.uri), None)
        if end is not None:
            end()
        return types.EmptyResult()

    def _follower(self, library: Library) -> tuple[Follower, ListenHandler]:
        known = self._followers.get(library.owner)
        if known is None:
            follower = Follower(library)
            known = follower, ListenHandler(follower, max_subscriptions=_MOST_OF_ONE)
            self._followers[library.owner] = known
        return known

    async def _ask(self, ctx: Context, act: Callable[[Library], T]) -> T:
        """Ask the library in a thread; its errors as those of the protocol."""
        library = self._open_door(ctx).library
        try:
            return await asyncio.to_thread(act, library)
        except PageloomError as error:
            raise MCPError(types.INVALID_PARAMS, error.message, error.to_dict()) from None


async def _end_when_invalid(door: Door, scope: anyio.CancelScope) -> None:
    while True:
        await asyncio.sleep(_CHECK_SECONDS)
        if not await asyncio.to_thread(door.is_valid):
            scope.cancel()
            return


def _subscribed(ctx: Context) -> dict[str, Callable[[], None]]:
    """The subscriptions of a connection, which end with it."""
    # The SDK shows handlers no other way to what lives as long as a connection.
    connection = ctx.session._connection  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    known: dict[str, Callable[[], None]] = connection.state.get("pageloom", {})
    if "pageloom" not in connection.state:
        connection.state["pageloom"] = known

        def end_all() -> None:
            for end in known.values():
                end()

        connection.exit_stack.callback(end_all)
    return known


def _schema_of(name: str) -> dict[str, Any] | None:
    tool = TOOLS.get(name)
    return tool.takes.model_json_schema() if tool else None


def _described(name: str, tool: Tool) -> types.Tool:
    return types.Tool(
        name=name,
        description=tool.description,
        input_schema=tool.takes.model_json_schema(),
        output_schema=tool.gives,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.changes,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=tool.fetches,
        ),
    )


def _allowed(door: Door, name: str) -> Tool:
    tool = TOOLS.get(name)
    if tool is None:
        raise InvalidArgument(f"There is no tool {name[:40]}.")
    if name not in tools_for(door):
        raise InvalidArgument(
            f"The tool {name} is not allowed here: it needs the scope {tool.scope}.",
            suggestions=(f"Use a token with the scope {tool.scope}.",),
        )
    return tool


def _arguments(tool: Tool, given: dict[str, Any]) -> Any:
    try:
        return tool.takes.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "arguments"
        raise InvalidArgument(f"{place[:60]}: {first['msg']}.") from None


async def serve_stdio(library: Library, *, read_only: bool) -> None:
    """Serve one client over standard input and output, as the user of the library."""
    scopes = frozenset(ROLE_SCOPES[library.user().role])
    door = Door(library=library, scopes=scopes, read_only=read_only)
    server = PageloomServer(lambda _: door)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
