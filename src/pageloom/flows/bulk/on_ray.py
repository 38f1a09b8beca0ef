"""Carry out shards on a Ray cluster: one plain task each, retried by Ray when a node vanishes.

The state of a run is in its output, not in Ray: a task begins at the last marker of its shard,
whoever wrote it. Through Ray go the description of a shard and a short report, never a page.
"""

from __future__ import annotations

import pickle
import platform
import socket
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from pageloom.core.assembly import PARSER_VERSION
from pageloom.edges.mother import Mother
from pageloom.errors import InvalidArgument, MissingExtra, PageloomError, StorageError
from pageloom.flows.bulk.runner import MODULE
from pageloom.flows.bulk.shard import Keeping, ShardReport, resume_point, run_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.flows.bulk.progress import Progress
    from pageloom.flows.bulk.runner import RunnerSetup
    from pageloom.flows.bulk.shard import Output

T = TypeVar("T")

_LOOK = 0.5
_ANSWER_SECONDS = 10
_MEMORY = 500_000_000
"""Bytes that are declared for a task: keeper, mother and runner."""
_RETRIES = 5
_SPARE = 64
"""Tasks that wait beside those that run, so that an autoscaler sees what is wanted."""
_OBJECTS = 100_000_000
_HOPELESS = 20
"""Shards that fail before any is done: then it is not the shards."""
_mothers: dict[bytes, Mother] = {}
"""The mother of the run that this worker of Ray works for, by what she was told."""


@dataclass(frozen=True, kw_only=True)
class RayWork:
    """Which cluster, and how much of it."""

    address: str | None = None
    workers: int | None = None
    """CPUs of a cluster that is started for the run."""
    max_workers: int | None = None
    ship: str | None = None
    memory: int | None = None
    """Bytes for one task of deduplication."""

    @property
    def piece(self) -> int:
        """Bytes of signatures that one task sorts."""
        return self.memory or _MEMORY


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtra(
            "Ray is not installed.", suggestions=("pip install 'pageloom[ray]'",)
        ) from None
    return ray


class Cluster:
    """A Ray cluster: connected to when it is first needed, left at the end of the block."""

    def __init__(self, work: RayWork) -> None:
        self._work = work
        self._ray: Any = None
        self._is_ours = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            self._ray.shutdown()
        self._ray, self._is_ours = None, False

    def connect(self) -> Any:
        """Ray, once every node was found to be one that can be used.

        Raises:
            PageloomError: the cluster cannot be used.
        """
        if self._ray is None:
            self._ray = _ray()
            self._is_ours = _connect(self._ray, self._work)
            _compare_versions(self._ray)
        return self._ray

    def most_tasks(self) -> int:
        """Tasks that wait or run, at most."""
        cpus = int(self.connect().cluster_resources().get("CPU", 1))
        return min(2 * cpus + _SPARE, self._work.max_workers or 1 << 30)

    def spread(self, act: Callable[[T], None], items: Iterable[T]) -> None:
        """Do something with each item, as tasks.

        Raises:
            PageloomError: what one of them raised.
        """
        ray, most = self.connect(), self.most_tasks()
        task = ray.remote(num_cpus=1, memory=self._work.piece, max_retries=_RETRIES)(_do)
        shared, running = ray.put(act), list[Any]()
        try:
            for item in items:
                if len(running) >= most:
                    ready, running = ray.wait(running)
                    ray.get(ready)
                running.append(task.remote(shared, item))
            ray.get(running)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise StorageError(f"A task on the Ray cluster failed: {_reason(error)}.") from None


def _do(act: Callable[[T], None], item: T) -> None:
    """The task: one item."""
    act(item)


def run_on_ray(
    output: Output,
    setup: RunnerSetup,
    shards: list[int],
    *,
    cluster: Cluster,
    progress: Progress,
    on_look: Callable[[], None] = lambda: None,
) -> dict[int, str]:
    """Carry out shards, and say which failed and why.

    Raises:
        PageloomError: the cluster cannot be used, or nothing works there.
        KeyboardInterrupt: the run was interrupted; its tasks were ended.
    """
    ray, most = cluster.connect(), cluster.most_tasks()
    tasks = _Tasks(ray, (output, setup), list(reversed(shards)), progress, most)
    cpus = int(ray.cluster_resources().get("CPU", 1))
    progress.workers = min(cpus, len(shards))
    return tasks.carry_out(on_look)


def _connect(ray: Any, work: RayWork) -> bool:
    """Connect to the cluster, or start one here; whether it has to be left at the end."""
    if ray.is_initialized():
        return False
    given: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if work.ship:
        given["runtime_env"] = {"py_modules": [work.ship]}
    if work.address:
        _require_answer(work.address)
        given["address"] = work.address
    else:
        given |= {"include_dashboard": False, "object_store_memory": _OBJECTS}
        given["num_cpus"] = work.workers
    try:
        ray.init(**given)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _no_cluster(str(error).partition("\n")[0][:200].rstrip(".")) from None
    return True


def _no_cluster(reason: str) -> InvalidArgument:
    return InvalidArgument(
        f"The Ray cluster cannot be used: {reason}.",
        suggestions=(
            'Check with "ray status" that a cluster is running; --address auto uses that one.',
        ),
    )


def _require_answer(place: str) -> None:
    """Ray itself waits for minutes where nobody answers."""
    host, _, port = place.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        return  # auto, or a name that only Ray understands
    try:
        socket.create_connection((host, int(port)), _ANSWER_SECONDS).close()
    except OSError as error:
        raise _no_cluster(f"nobody answers at {place} ({type(error).__name__})") from None


def _versions() -> dict[str, str]:
    """What must be the same on every node."""
    return {
        "Python": platform.python_version(),
        "Ray": version("ray"),
        "Pageloom": version("pageloom"),
        "the parser": PARSER_VERSION,
    }


def _compare_versions(ray: Any) -> None:
    """Refuse nodes that would give another output."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = _versions()
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    ask = ray.remote(num_cpus=0)(_versions)
    asked = {
        node["NodeManagerHostname"]: ask.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        ).remote()
        for node in nodes
    }
    for host, answer in asked.items():
        try:
            there = ray.get(answer)
        except ray.exceptions.RayError as error:
            raise InvalidArgument(
                f"Pageloom cannot be used on the node {host}: {_reason(error)}.",
                suggestions=("Install it there, or send it with --ship.",),
            ) from None
        for name, wanted in here.items():
            if there[name] != wanted:
                raise InvalidArgument(
                    f"The node {host} has {name} {there[name]}, and here it is {wanted}.",
                    suggestions=("Use the same versions everywhere.",),
                )


def _mother_for(setup: RunnerSetup) -> Mother:
    """One for each worker of Ray, until it works for another run."""
    key = pickle.dumps(setup)
    if key not in _mothers:
        for other in _mothers.values():
            other.close()
        _mothers.clear()
        _mothers[key] = Mother(MODULE, setup)
    return _mothers[key]


def _carry_out_shard(shared: tuple[Output, RunnerSetup], shard: int) -> bytes:
    """The task: carry out a shard from its last marker on."""
    output, setup = shared
    report = ShardReport(shard=shard)
    point = resume_point(output, shard)
    try:
        if point is not None:
            report = run_shard(Keeping(output, _mother_for(setup)), shard, *point)
    except PageloomError as error:
        report.trouble = error.message
    return msgspec.msgpack.encode(report)


@dataclass
class _Tasks:
    """The tasks of a run, as the driver sees them."""

    ray: Any
    shared: tuple[Output, RunnerSetup]
    waiting: list[int]
    progress: Progress
    most: int
    running: dict[Any, int] = field(default_factory=dict[Any, int])
    failed: dict[int, str] = field(default_factory=dict[int, str])

    def carry_out(self, on_look: Callable[[], None]) -> dict[int, str]:
        """Keep tasks pending until all shards are done."""
        ray, shared = self.ray, self.ray.put(self.shared)
        task = ray.remote(num_cpus=1, memory=_MEMORY, max_retries=_RETRIES)(_carry_out_shard)
        try:
            while self.waiting or self.running:
                while self.waiting and len(self.running) < self.most:
                    shard = self.waiting.pop()
                    self.running[task.remote(shared, shard)] = shard
                ready, _ = ray.wait(list(self.running), timeout=_LOOK)
                for one in ready:
                    self._take(one, self.running.pop(one))
                on_look()
        except BaseException:
            self._end()
            raise
        return self.failed

    def _take(self, ready: Any, shard: int) -> None:
        try:
            report = msgspec.msgpack.decode(self.ray.get(ready), type=ShardReport)
        except self.ray.exceptions.RayError as error:
            report = ShardReport(shard=shard, trouble=_reason(error))
        if not report.trouble:
            self.progress.add(report.tally)
            self.progress.shard_done()
            return
        self.failed[shard] = report.trouble
        if len(self.failed) >= _HOPELESS and self.progress.done == self.progress.done_before:
            raise StorageError(
                f"The run was stopped because all shards so far failed: {report.trouble}"
            )

    def _end(self) -> None:
        """End the tasks: first let them tidy up, then by force."""
        for force in (False, True):
            for one in self.running:
                self.ray.cancel(one, force=force)
            left = list(self.running)
            if left:
                self.ray.wait(left, num_returns=len(left), timeout=5)


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300].rstrip(".")
