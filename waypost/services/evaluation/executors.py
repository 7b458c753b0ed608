"""Where buckets are scored: here, on a process pool, or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from waypost.domain.errors import InputError

Task = TypeVar("Task")
Result = TypeVar("Result")
_DASK = "dask://"


def run_tasks(
    work: Callable[[Task], Result], tasks: Sequence[Task], executor: str = "", workers: int = 0
) -> Iterator[Result]:
    """Yield the result of each task, in the order of the tasks.

    Args:
        work: A function that can be pickled.
        tasks: Its arguments.
        executor: Empty for this machine, or ``dask://HOST:PORT`` of a scheduler whose workers
            have Waypost and share the folders; ``dask://local`` starts one here.
        workers: Processes on this machine; 0 for one per core, 1 for none but this one.

    Raises:
        InputError: If the executor cannot be used.
    """
    if executor.startswith(_DASK):
        yield from _on_dask(work, tasks, executor.removeprefix(_DASK), workers)
        return
    if executor:
        raise InputError(f"{executor!r} is no executor; use dask://HOST:PORT or dask://local")
    count = min(workers or os.cpu_count() or 1, len(tasks))
    if count <= 1:
        yield from map(work, tasks)
        return
    # Spawned, because the caller may be a window whose threads a fork would break.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, tasks)


def _on_dask(
    work: Callable[[Task], Result], tasks: Sequence[Task], address: str, workers: int
) -> Iterator[Result]:
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - the extra “cluster”
    except ImportError:
        raise InputError("dask:// needs the extra: pip install 'waypost[cluster]'") from None
    if address != "local":
        try:
            client = Client(f"tcp://{address}", timeout="10s")
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from error
        with client:
            yield from _gathered(client, work, tasks)
        return
    count = workers or os.cpu_count() or 1
    with (
        LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield from _gathered(client, work, tasks)


def _gathered(
    client: object, work: Callable[[Task], Result], tasks: Sequence[Task]
) -> Iterator[Result]:
    futures = client.map(work, list(tasks), pure=False)  # type: ignore[attr-defined]
    for index, future in enumerate(futures):
        yield future.result()
        # Released at once, so that the cluster holds no result that was already used.
        futures[index] = None
