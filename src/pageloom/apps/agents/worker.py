"""One worker: stays connected to the broker, and acknowledges every message it is delivered.

A message is acknowledged only after what follows from it is safe: written to the next queues and
confirmed, or put among the dead letters with the reason. Whatever happens before that, the broker
brings it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from pageloom.apps import metrics
from pageloom.apps.agents.retry import RetryDecision, decide_retry, judge_attempt
from pageloom.apps.agents.topology import input_of, queues_of, section_of
from pageloom.edges.broker.connection import connect_forever
from pageloom.edges.broker.envelope import Envelope, as_dead_letter, next_attempt
from pageloom.edges.broker.queues import pause_name
from pageloom.errors import BrokerError, InternalError, PageloomError
from pageloom.flows.events import emit, named
from pageloom.flows.queue.messages import require_version
from pageloom.flows.queue.runs import job_of, record_failed_job
from pageloom.flows.repeat import repeat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.apps.agents.agent import Agent, Batches, WorkerContext
    from pageloom.edges.broker.connection import BrokerConnection, Delivery

_LOOK_SECONDS = 5.0
_NOTE_SECONDS = 5.0
_WAIT_SECONDS = (0.2, 0.5, 1.0, 2.0)


class QueueWorker:
    """An agent at work. ``stop`` ends it when what is in hand is done."""

    def __init__(self, agent: Agent, world: WorkerContext, stop: asyncio.Event) -> None:
        options = getattr(world.settings, section_of(agent.name))
        self.agent = agent
        self.world = world
        self.stop = stop
        self.connected = False
        self.store_up = not agent.uses_store
        self._broker = world.settings.broker
        self._queue = input_of(agent.name, world.settings)
        self._prefetch = max(1, options.prefetch)
        self._places = asyncio.Semaphore(max(1, options.concurrency))
        self._tasks: set[asyncio.Task[None]] = set()
        metrics.CONNECTED.labels(agent.name).set(0)  # there from the start: an alert asks for it

    @property
    def is_ready(self) -> bool:
        """Whether messages can be worked on."""
        return self.connected and self.store_up and not self.stop.is_set()

    async def run(self) -> None:
        """Work until asked to stop."""
        if self.agent.background is None:
            await self._run()
            return
        background = asyncio.create_task(self._in_background(self.agent.background))
        try:
            await self._run()
        finally:
            background.cancel()
            await asyncio.gather(background, return_exceptions=True)

    async def _in_background(
        self, work: Callable[[WorkerContext, asyncio.Event], Awaitable[None]]
    ) -> None:
        """What goes on beside the messages, taken up again whenever it fails."""
        await repeat(
            lambda: work(self.world, self.stop),
            self.stop,
            name=f"{self.agent.name}.background",
            pause_after_error=_WAIT_SECONDS[-1],
        )

    def _log_fault(self, error: Exception) -> None:
        emit(
            "worker.trouble",
            level="error",
            agent=self.agent.name,
            error_type=type(error).__name__,
            error=error.message if isinstance(error, PageloomError) else "internal error",
        )

    async def _run(self) -> None:
        while not self.stop.is_set():
            connection = await connect_forever(
                self._broker.url, self.stop, self._log_broker_trouble
            )
            if connection is None:
                return
            try:
                await self._serve(connection)
            except BrokerError as error:
                self._log_broker_trouble(error, 0.0)
                await asyncio.sleep(0.5)
            except Exception as error:  # noqa: BLE001  the door: it begins anew
                self._log_fault(error)
                await asyncio.sleep(_WAIT_SECONDS[-1])
            finally:
                self._set_connected(up=False)
                await connection.close()
                await self._end_tasks()

    def _log_broker_trouble(self, error: BrokerError, pause: float) -> None:
        name = self.agent.name
        emit("broker.unreachable", level="warning", agent=name, error=error.message, retry_in=pause)

    def _set_connected(self, *, up: bool) -> None:
        if self.connected and not up:
            metrics.RECONNECTS.labels(self.agent.name).inc()
        self.connected = up
        metrics.CONNECTED.labels(self.agent.name).set(int(up))

    async def _serve(self, connection: BrokerConnection) -> None:
        others = await connection.declare(queues_of(self.agent.name, self.world.settings))
        for name in others:
            emit("queue.mismatch", level="warning", agent=self.agent.name, queue=name)
        end = await connection.consume(
            self._queue, self._prefetch, lambda each: self._take(each, connection)
        )
        self._set_connected(up=True)
        emit("worker.ready", agent=self.agent.name, queue=self._queue)
        looking = asyncio.create_task(self._look(connection))
        try:
            await _first(self.stop, connection.lost)
            if self.stop.is_set() and not connection.lost.is_set():
                await end()
                await self._finish()
        finally:
            # Not cancelled, which the client library may swallow: without a connection it ends.
            await connection.close()
            await looking

    async def _finish(self) -> None:
        """Let what is being worked on come to its end, for a while."""
        emit("worker.stopping", agent=self.agent.name, in_hand=len(self._tasks))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._broker.shutdown_timeout)

    async def _end_tasks(self) -> None:
        """What is still at work has lost its connection: the broker brings it again."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self, connection: BrokerConnection) -> None:
        """Measure the queue and ask whether the library answers, while there is a connection."""
        while not connection.lost.is_set():
            try:
                await self._look_once(connection)
            except Exception as error:  # noqa: BLE001  the door: it is logged, and measured again
                self._log_fault(error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(connection.lost.wait(), _LOOK_SECONDS)

    async def _look_once(self, connection: BrokerConnection) -> None:
        try:
            waiting = await connection.count(self._queue)
            dead = await connection.count(self._broker.dead_letter_queue)
        except BrokerError:
            return
        if waiting is None:  # somebody removed it: start again, and declare it
            connection.lost.set()
            return
        metrics.QUEUE.labels(self._queue).set(waiting[0])
        metrics.DEAD.set(dead[0] if dead else 0)
        if self.agent.uses_store:
            self.store_up = await asyncio.to_thread(self.world.is_store_up)

    def _take(self, delivery: Delivery, connection: BrokerConnection) -> None:
        task = asyncio.create_task(self._answer(delivery, connection))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._let_go(done, connection))

    def _let_go(self, task: asyncio.Task[None], connection: BrokerConnection) -> None:
        """Begin anew if nobody has answered for a message: the broker then brings it again."""
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            connection.lost.set()

    async def _answer(self, delivery: Delivery, connection: BrokerConnection) -> None:
        async with self._places:
            if self.stop.is_set():  # not begun: it goes back when the connection is closed
                return
            try:
                await self._answer_for(delivery, connection)
            except Exception as error:  # noqa: BLE001  the last door: nothing stays unanswered
                await self._drop(delivery, connection, error)

    async def _answer_for(self, delivery: Delivery, connection: BrokerConnection) -> None:
        name = self.agent.name
        job, url = job_of(delivery.envelope.body)
        with named(job), metrics.IN_FLIGHT.labels(name).track_inprogress():
            started = time.perf_counter()
            outcome = await self._work(delivery, connection)
            spent = time.perf_counter() - started
            level = "debug" if outcome == "done" else "info"
            emit("message.done", level=level, url=url, seconds=spent, agent=name, outcome=outcome)

    async def _drop(
        self, delivery: Delivery, connection: BrokerConnection, error: Exception
    ) -> None:
        """Give up a message that could not be answered for in the usual way."""
        self._log_fault(error)
        if delivery.answered:
            return
        envelope = delivery.envelope
        trouble = InternalError("The worker failed.", cause=type(error).__name__)
        # Without the headers that it came with: they may be what cannot be written.
        bare = Envelope(body=envelope.body, id=uuid4().hex, kind=envelope.kind)
        try:
            await connection.publish(self._broker.dead_letter_queue, self._dead(bare, trouble))
            await delivery.ack()
        except BrokerError as lost:
            self._log_broker_trouble(lost, 0.0)
            connection.lost.set()

    async def _work(self, delivery: Delivery, connection: BrokerConnection) -> str:
        """Do the work, or what its failure asks for; how it ended."""
        while True:
            try:
                require_version(delivery.envelope.kind)
                waves = await self.agent.handle(delivery.envelope, self.world)
                await self._write(connection, waves)
                await delivery.ack()
            except BrokerError as error:
                self._log_broker_trouble(error, 0.0)
                connection.lost.set()
                return "lost"
            except PageloomError as error:
                trouble = error
            except Exception as error:  # noqa: BLE001  the door: no message may end the worker
                trouble = InternalError("The worker failed.", cause=type(error).__name__)
            else:
                return "done"
            verdict = decide_retry(trouble, delivery.envelope.attempt, self._broker.retry_delays)
            if verdict.action == "wait":
                if await self._wait_for_store(connection):
                    continue
                verdict = self._counted(trouble, delivery.envelope)
            return await self._settle(delivery, connection, trouble, verdict)

    def _counted(self, error: PageloomError, envelope: Envelope) -> RetryDecision:
        return judge_attempt(error, envelope.attempt, self._broker.retry_delays)

    async def _write(self, connection: BrokerConnection, waves: Batches) -> None:
        for wave in waves:
            envelopes = [
                connection.publish(out.queue, Envelope(body=out.body, kind=out.contract))
                for out in wave
            ]
            if len(envelopes) == 1:  # the usual one: not worth a task of its own
                await envelopes[0]
            else:
                await asyncio.gather(*envelopes)

    async def _wait_for_store(self, connection: BrokerConnection) -> bool:
        """Wait while the library is down; False when it was not down at all."""
        pauses = iter(_WAIT_SECONDS)
        pause, waited = 0.0, False
        while not (self.stop.is_set() or connection.lost.is_set()):
            if await asyncio.to_thread(self.world.is_store_up):
                self.store_up = True
                return waited
            if not waited:
                why = self.world.store_trouble
                emit("store.unavailable", level="error", agent=self.agent.name, error=why)
            self.store_up, waited = False, True
            pause = next(pauses, pause)
            await asyncio.sleep(pause)
        raise asyncio.CancelledError  # unanswered: whoever reads next begins again

    async def _settle(
        self,
        delivery: Delivery,
        connection: BrokerConnection,
        error: PageloomError,
        verdict: RetryDecision,
    ) -> str:
        """Put a message that failed where it belongs, and only then let go of it."""
        try:
            if verdict.action == "dead":
                await self._give_up(delivery, connection, error)
            else:
                again = next_attempt(delivery.envelope)
                await connection.publish(pause_name(self._queue, verdict.seconds), again)
                await delivery.ack()
        except BrokerError as trouble:
            self._log_broker_trouble(trouble, 0.0)
            connection.lost.set()
            return "lost"
        self._log_failure(delivery, error, verdict)
        return verdict.action

    async def _give_up(
        self, delivery: Delivery, connection: BrokerConnection, error: PageloomError
    ) -> None:
        envelope = replace(self._dead(delivery.envelope, error), id=uuid4().hex)
        await connection.publish(self._broker.dead_letter_queue, envelope)
        # The run is recorded where that is possible; the message itself is safe.
        try:
            async with asyncio.timeout(_NOTE_SECONDS):
                await self._record_failure(envelope.body, error)
        except Exception as trouble:  # noqa: BLE001  the door: a dead letter is written only once
            why = trouble.message if isinstance(trouble, PageloomError) else type(trouble).__name__
            emit("run.not_stored", level="warning", agent=self.agent.name, error=why)
        await delivery.ack()

    async def _record_failure(self, body: bytes, error: PageloomError) -> None:
        world = self.world
        await world.in_thread(
            lambda: record_failed_job(
                world.context.store,
                self.agent.name,
                body,
                error,
                owner=world.context.owner,
                context=world.check_context,
            )
        )

    def _dead(self, envelope: Envelope, error: PageloomError) -> Envelope:
        return as_dead_letter(
            envelope,
            reason=error.code,
            detail=" ".join((error.message, *error.suggestions[:1])),
            agent=self.agent.name,
            queue=self._queue,
            attempts=envelope.attempt + 1,
            failedAt=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        )

    def _log_failure(
        self, delivery: Delivery, error: PageloomError, verdict: RetryDecision
    ) -> None:
        emit(
            "message.failed",
            level="error" if verdict.action == "dead" else "warning",
            url=job_of(delivery.envelope.body)[1],
            agent=self.agent.name,
            error_type=error.code,
            error=error.message,
            attempt=delivery.envelope.attempt + 1,
            action=verdict.action,
            retry_in=verdict.seconds,
            cause=error.figures.get("cause", ""),
        )


async def _first(*events: asyncio.Event) -> None:
    """Wait for any of them."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
