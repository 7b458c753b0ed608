"""Where the work of an evaluation is done: here, on a process pool, or on a Dask cluster."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, TypeVar

from waypost.domain.base.errors import InputError
from waypost.services.pool_process import begin_pool_process

Task = TypeVar("Task")
Result = TypeVar("Result")
_DASK = "dask://"


@dataclass(slots=True)
class Executor:
    """Runs tasks; its processes start with the first task and end with ``close``.

    Args:
        url: Empty for this machine, or ``dask://HOST:PORT`` of a scheduler whose workers have
            Waypost and see the same files; ``dask://local`` starts one here.
        workers: Processes on this machine; 0 for one per core, 1 for none but this one.

    Raises:
        InputError: If there is no such executor.
    """

    url: str = ""
    workers: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)
    _pool: ProcessPoolExecutor | None = None
    _client: Any = None

    def __post_init__(self) -> None:
        if self.url and not self.url.startswith(_DASK):
            raise InputError(f"{self.url!r} is no executor; use dask://HOST:PORT or dask://local")

    @property
    def is_parallel(self) -> bool:
        """Whether more than this process may work."""
        return bool(self.url) or (self.workers or os.cpu_count() or 1) > 1

    def run(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        """Yield the result of each task, in the order of the tasks.

        Args:
            work: A function that can be pickled.
            tasks: Its arguments.

        Raises:
            InputError: If the cluster cannot be used.
        """
        if self.url:
            yield from self._on_dask(work, tasks)
        elif not self.is_parallel or (len(tasks) <= 1 and self._pool is None):
            yield from map(work, tasks)
        else:
            if self._pool is None:
                # Spawned: the caller may be a window whose threads a fork would break.
                count = self.workers or os.cpu_count() or 1
                pool = ProcessPoolExecutor(
                    count,
                    mp_context=get_context("spawn"),
                    initializer=begin_pool_process,
                    initargs=(logging.getLogger().isEnabledFor(logging.DEBUG),),
                )
                self._stack.callback(pool.shutdown, cancel_futures=True)
                self._pool = pool
            yield from self._pool.map(work, tasks)

    def close(self) -> None:
        """End the processes."""
        self._stack.close()
        self._pool = self._client = None

    def _on_dask(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        if self._client is None:
            self._client = self._connect(self.url.removeprefix(_DASK))
        futures = self._client.map(work, list(tasks), pure=False)
        for index, future in enumerate(futures):
            yield future.result()
            # Released at once, so that the cluster holds no result that was already used.
            futures[index] = None

    def _connect(self, address: str) -> Any:
        try:
            from distributed import Client, LocalCluster  # noqa: PLC0415 - the extra “cluster”
        except ImportError:
            raise InputError("dask:// needs the extra: pip install 'waypost[cluster]'") from None
        # It sets a level of its own that tells every step of its workers.
        logging.getLogger("distributed").setLevel(logging.WARNING)
        if address == "local":
            count = self.workers or os.cpu_count() or 1
            cluster = LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None)
            return self._stack.enter_context(Client(self._stack.enter_context(cluster)))
        try:
            client = Client(f"tcp://{address}", timeout="10s")
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from error
        return self._stack.enter_context(client)
