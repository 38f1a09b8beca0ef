"""A connection to the broker: everything written is confirmed, everything read is answered for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.edges.broker.envelope import Envelope
from pageloom.errors import BrokerError, MissingExtra, SettingsError
from pageloom.redaction import redact, redact_address

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping

    from aio_pika.abc import AbstractChannel, AbstractConnection
    from aiormq.abc import AbstractChannel as BareChannel
    from aiormq.abc import DeliveredMessage

EXCHANGE = "pageloom"
_CONNECT_SECONDS = 15
_ANSWER_SECONDS = 30
_HEARTBEAT_SECONDS = 15
_CONFIRMS_AT_ONCE = 64
_FULL_PAUSE = 0.25
_PERSISTENT = 2
_SHORT = 255
_EXAMPLE = "Set broker.url or RABBIT_URL, for example to amqp://localhost:5672/."
_ESCAPES = (
    "In the user name or password write %40 for @, %2F for /, %3A for :, %23 for # and %3F for ?."
)


class NoSuchQueue(BrokerError):
    """Nothing can be written to a queue that does not exist."""

    retryable = False
    advice = ("Start the worker that reads it, which creates it, or give another queue.",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """A queue as it is declared."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    copies_of: tuple[str, ...] = ()
    """Names of other queues: what is written to them comes here too."""


@dataclass(slots=True)
class Delivery:
    """A envelope that was read and is not answered for yet."""

    envelope: Envelope
    redelivered: bool
    _message: DeliveredMessage
    answered: bool = False

    async def ack(self) -> None:
        """It is done: the broker may forget it."""
        async with _translated():
            await self._channel.basic_ack(self._tag)
        self.answered = True

    async def give_back(self) -> None:
        """Somebody else, or we again, shall have it."""
        async with _translated():
            await self._channel.basic_reject(self._tag, requeue=True)
        self.answered = True

    @property
    def _channel(self) -> BareChannel:
        if self._message.channel.is_closed:  # it would take the answer, and never send it
            raise BrokerError("The connection to RabbitMQ was lost.")
        return self._message.channel

    @property
    def _tag(self) -> int:
        return self._message.delivery_tag or 0


class BrokerConnection:
    """One connection with a channel to read from and one to write to."""

    def __init__(
        self, connection: AbstractConnection, reading: AbstractChannel, writing: AbstractChannel
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing
        self._places = asyncio.Semaphore(_CONFIRMS_AT_ONCE)
        self.lost = asyncio.Event()
        for each in (connection, reading, writing):
            each.close_callbacks.add(self._on_close)

    def _on_close(self, *_: Any) -> None:
        self.lost.set()

    async def declare(self, queues: Iterable[Queue]) -> list[str]:
        """Make sure that the queues are there.

        Returns:
            The names of those that were there in another form and are used as they are.
        """
        async with _translated():
            exchange = await self._writing.declare_exchange(EXCHANGE, "direct", durable=True)
            return [each.name for each in queues if not await self._declare(each, exchange.name)]

    async def _declare(self, queue: Queue, exchange: str) -> bool:
        from aio_pika.exceptions import ChannelPreconditionFailed

        same = True
        # Each on a channel of its own: the broker closes it on any difference.
        try:
            async with self._connection.channel() as channel:
                made = await channel.declare_queue(
                    queue.name, durable=True, arguments=queue.arguments
                )
                for key in (queue.name, *queue.copies_of):
                    await made.bind(exchange, key)
        except ChannelPreconditionFailed:
            same = False
            async with self._connection.channel() as channel:
                made = await channel.declare_queue(queue.name, passive=True)
                for key in (queue.name, *queue.copies_of):
                    await made.bind(exchange, key)
        return same

    async def reach(self, queue: str) -> None:
        """Make sure that what is written comes to a queue which somebody else may have made.

        Raises:
            NoSuchQueue: there is none of that name.
        """
        from aio_pika.exceptions import ChannelNotFoundEntity

        async with _translated():
            try:
                async with self._connection.channel() as channel:
                    made = await channel.declare_queue(queue, passive=True)
                    await made.bind(EXCHANGE, queue)
            except ChannelNotFoundEntity:
                raise NoSuchQueue(f"There is no queue {queue}.") from None

    async def publish(self, queue: str, envelope: Envelope) -> None:
        """Write a envelope and wait until the broker has it safe; a full queue makes us wait."""
        from aio_pika.exceptions import DeliveryError

        async with self._places, _translated():
            while True:
                try:
                    # One clock for the whole, not one of the library's for each of its steps.
                    async with asyncio.timeout(_ANSWER_SECONDS):
                        await self._publish(queue, envelope)
                except DeliveryError as error:
                    _require_full(error, queue)
                else:
                    return
                await asyncio.sleep(_FULL_PAUSE)

    async def _publish(self, queue: str, envelope: Envelope) -> None:
        from pamqp.commands import Basic

        channel = await self._writing.get_underlay_channel()
        await channel.basic_publish(
            envelope.body,
            exchange=EXCHANGE,
            routing_key=queue,
            properties=Basic.Properties(
                content_type="application/json",
                headers=envelope.headers,
                delivery_mode=_PERSISTENT,
                message_id=envelope.id or None,
                message_type=envelope.kind or None,
            ),
            mandatory=True,
        )

    async def consume(
        self, queue: str, prefetch: int, take: Callable[[Delivery], None]
    ) -> Callable[[], Awaitable[None]]:
        """Have envelopes brought, at most ``prefetch`` without an answer.

        Returns:
            The function that ends it; what was brought before stays ours to answer for.
        """

        async def on_message(message: DeliveredMessage) -> None:
            take(_delivery(message))

        async with _translated():
            channel = await self._reading.get_underlay_channel()
            await channel.basic_qos(prefetch_count=prefetch, timeout=_ANSWER_SECONDS)
            begun = await channel.basic_consume(queue, on_message, timeout=_ANSWER_SECONDS)

        async def end() -> None:
            async with _translated():
                await channel.basic_cancel(begun.consumer_tag or "", timeout=_ANSWER_SECONDS)

        return end

    async def take(self, queue: str) -> Delivery | None:
        """One envelope, if there is one now."""
        async with _translated():
            channel = await self._reading.get_underlay_channel()
            found = await channel.basic_get(queue, timeout=_ANSWER_SECONDS)
        return _delivery(found) if found.delivery_tag is not None else None

    async def count(self, queue: str) -> tuple[int, int] | None:
        """Letters that wait in a queue and workers that read it; None where there is no such."""
        from aio_pika.exceptions import ChannelNotFoundEntity

        async with _translated():
            try:
                async with self._connection.channel() as channel:
                    made = await channel.declare_queue(queue, passive=True)
            except ChannelNotFoundEntity:
                return None
        answer = made.declaration_result
        return answer.message_count or 0, answer.consumer_count or 0

    async def purge(self, queue: str) -> int:
        """Throw away all envelopes of a queue; how many those were."""
        async with _translated():
            source = await self._reading.get_queue(queue, ensure=False)
            answer = await source.purge(timeout=_ANSWER_SECONDS)
        return answer.message_count or 0

    async def close(self) -> None:
        """Hang up. What was not answered for goes to the next reader."""
        self.lost.set()
        if self._connection.is_closed:
            return
        # A broker that is gone cannot be told good-bye.
        with contextlib.suppress(BrokerError):
            async with _translated():
                await asyncio.wait_for(self._connection.close(), 5)


def _delivery(message: DeliveredMessage) -> Delivery:
    beside = message.header.properties
    envelope = Envelope(
        body=message.body,
        headers=_writable(beside.headers or {}),
        id=_short(beside.message_id),
        kind=_short(beside.message_type),
    )
    return Delivery(envelope, bool(message.redelivered), message)


def _writable(headers: Mapping[str, Any]) -> dict[str, Any]:
    """The headers that can be written again; some that the library reads it cannot write.

    An error while a frame is written would cut the connection, and the message would come again.
    """
    from pamqp import encode

    kept: dict[str, Any] = {}
    for name, value in headers.items():
        with contextlib.suppress(TypeError, ValueError, OverflowError, struct.error):
            encode.field_table({name: value})
            kept[name] = value
    return kept


def _short(text: str | None) -> str:
    """A property as it can be written again: what was no UTF-8 has become longer."""
    return (text or "").encode()[:_SHORT].decode(errors="ignore")


def _read_anything() -> None:
    """Have the library read all that the broker takes: names that are no UTF-8, any time at all.

    An error in the middle of a frame would cut the connection, again and again, for as long as the
    message is there. What cannot be read is left out.
    """
    from pamqp import decode

    readers: dict[str, Any] = vars(decode)["METHODS"]
    readers["shortstr"] = _read_text
    readers["table"] = _read_or(decode.field_table, {}, lambda value: 4 + _size(value))
    readers["timestamp"] = _read_or(decode.timestamp, None, lambda _: 8)


def _read_text(value: bytes) -> tuple[int, str]:
    end = value[0] + 1
    return end, value[1:end].decode(errors="replace")


def _size(value: bytes) -> int:
    return int.from_bytes(value[:4])


def _read_or(
    read: Callable[[bytes], tuple[int, Any]], otherwise: Any, size: Callable[[bytes], int]
) -> Callable[[bytes], tuple[int, Any]]:
    def read_or(value: bytes) -> tuple[int, Any]:
        try:
            return read(value)
        except (ValueError, OverflowError, OSError):
            return size(value), otherwise

    return read_or


def _require_full(error: Any, queue: str) -> None:
    """A refusal of a full queue is waited for; a queue that does not exist is an error."""
    from pamqp.commands import Basic

    if not isinstance(error.frame, Basic.Nack):
        raise NoSuchQueue(f"There is no queue {queue}.") from None


@contextlib.asynccontextmanager
async def _translated() -> AsyncGenerator[None]:
    """Errors of the library as one of ours."""
    from aio_pika.exceptions import AMQPConnectionError, AMQPException
    from pamqp.exceptions import PAMQPException

    try:
        yield
    except (AMQPConnectionError, OSError, RuntimeError, asyncio.IncompleteReadError) as error:
        # RuntimeError: a channel or a writer that was closed under our hands
        raise BrokerError("The connection to RabbitMQ was lost.") from error
    except (AMQPException, PAMQPException) as error:
        raise BrokerError(f"RabbitMQ refused a request{_say(error)}.") from error
    except asyncio.CancelledError as error:
        # The client library cancels what waits when the connection is cut: that is not for us.
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise BrokerError("The connection to RabbitMQ was lost.") from error


def _say(error: BaseException) -> str:
    """What the broker said, such as ``: NOT_FOUND - no queue 'x'``."""
    text = redact(" ".join(str(error).split()))
    return f": {text[:200].rstrip('.')}" if text else ""


async def connect(url: str) -> BrokerConnection:
    """Connect once.

    Raises:
        BrokerError: the broker cannot be reached or does not let us in.
        SettingsError: the address is none of a broker.
        MissingExtra: the part of Pageloom for it is not installed.
    """
    connection = await _connect(url)
    try:
        async with _translated():
            reading = await connection.channel(publisher_confirms=False)
            writing = await connection.channel(publisher_confirms=True, on_return_raises=True)
    except BaseException:
        await connection.close()
        raise
    return BrokerConnection(connection, reading, writing)


async def _connect(url: str) -> AbstractConnection:
    if not url.lower().startswith(("amqp://", "amqps://")):  # waiting would not help
        raise SettingsError("broker.url is not a valid RabbitMQ URL.", suggestions=(_EXAMPLE,))
    try:
        import aio_pika
    except ImportError:
        raise MissingExtra(
            "RabbitMQ needs optional packages that are not installed.",
            suggestions=("pip install 'pageloom[agents]'",),
        ) from None
    from pamqp.exceptions import PAMQPException

    _read_anything()
    for name in ("aio_pika", "aiormq"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we tell of lost connections ourselves
    try:
        return await _connect_and_close(_with_heartbeat(url))
    except (aio_pika.exceptions.AMQPException, PAMQPException, OSError) as error:
        raise BrokerError(
            f"RabbitMQ at {_place(url)} cannot be used: {_why_not(error)}.",
            suggestions=(
                "Check that RabbitMQ is running, and the login in broker.url or RABBIT_URL.",
            ),
        ) from None
    except ValueError:  # nor would it here
        raise SettingsError(
            f"The RabbitMQ URL {_place(url)} is not valid.",
            suggestions=(_EXAMPLE, _ESCAPES),
        ) from None


async def _connect_and_close(url: str) -> AbstractConnection:
    """Connect, and see to it that the socket goes with the connection.

    The library leaves it open when the other end cuts the connection, or greets and says no more.
    """
    from aio_pika import Connection
    from aio_pika.connection import make_url
    from aiormq.connection import TCPTransportFactory, TLSTransportFactory, TransportFactory

    plain = TLSTransportFactory() if url.lower().startswith("amqps:") else TCPTransportFactory()
    opened: list[asyncio.StreamWriter] = []

    class Own(Connection):
        def __del__(self) -> None:
            """Nothing: the library would begin to close it in whatever thread collects it."""

    class Remembering(TransportFactory):
        async def create(self, url: Any, **kwargs: Any) -> tuple[Any, Any]:
            reader, writer = await plain.create(url, **kwargs)
            opened.append(writer)
            return reader, writer

    def close_sockets(*_: Any) -> None:
        for writer in opened:
            writer.close()

    connection = Own(make_url(url))
    connection.kwargs["transport_factory"] = Remembering()
    connection.close_callbacks.add(close_sockets)
    try:
        await connection.connect(timeout=_CONNECT_SECONDS)
    except BaseException:
        close_sockets()
        raise
    return connection


def _why_not(error: Exception) -> str:
    """Why there is no connection, in words."""
    from aio_pika.exceptions import ProbableAuthenticationError
    from pamqp.exceptions import PAMQPException

    reasons: tuple[tuple[type[BaseException], str], ...] = (
        (ProbableAuthenticationError, "it rejected the user name or password"),
        (PAMQPException, "it has no such virtual host, or does not allow access to it"),
        (socket.gaierror, "the host name cannot be resolved"),
        (ConnectionRefusedError, "nothing is listening on that port"),
        (TimeoutError, "it does not respond"),
        (ssl.SSLError, "another protocol is spoken on that port"),
        (asyncio.IncompleteReadError, "another protocol is spoken on that port"),
    )
    for kind, why in reasons:
        if isinstance(error, kind) or isinstance(error.__cause__, kind):
            return why
    return "the connection was closed"


def _with_heartbeat(url: str) -> str:
    if "heartbeat=" in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}heartbeat={_HEARTBEAT_SECONDS}"


def _place(url: str) -> str:
    """The address without name, password and options."""
    return redact_address(url).partition("?")[0]


async def connect_forever(
    url: str, stop: asyncio.Event, on_trouble: Callable[[BrokerError, float], None]
) -> BrokerConnection | None:
    """Connect, and try again for ever, with growing pauses, until told to stop."""
    pause = 0.25
    while not stop.is_set():
        try:
            return await connect(url)
        except BrokerError as error:
            on_trouble(error, pause)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        pause = min(pause * 2, 10.0)
    return None
