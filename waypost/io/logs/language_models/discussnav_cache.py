"""DiscussNav's caches, keyed by instruction text: scores, and the actions and landmarks in it.

Two instructions that read alike share one entry: the file itself has lost one of them.
Source: LYX0501/DiscussNav:DiscussNav.py (Open-Nav writes the same actions cache).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import Decision, EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item, read_items
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.run_records import others, read_records, reported_scores
from waypost.io.logs.run_writing import record_or, write_members
from waypost.io.read_log import ReadLog

_EVAL: Final = "eval_cache.json"
_ACTIONS: Final = "actions_cache.json"
_SCORES: Final = frozenset({"trajectory_length", "nav_error", "success", "oracle_success", "spl"})
_TASKS: Final = frozenset({"actions", "landmarks"})


def can_read(head: FileHead) -> bool:
    """Whether the first member has DiscussNav's scores, or a folder holds a cache."""
    if head.is_folder:
        return _EVAL in head.names
    if not isinstance(head.sample, dict) or head.is_lines:
        return False
    return _is_own(head.first) or (isinstance(head.first, dict) and head.first.keys() == _TASKS)


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= _SCORES


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per instruction; a folder's two caches are joined by it."""
    if not path.is_dir():
        return read_records(path, log, _run)
    tasks = {}
    if (path / _ACTIONS).is_file():
        tasks = {item.key: item.json.value for item in read_items(path / _ACTIONS, log)}
    return _joined(path, tasks, log)


def _joined(path: Path, tasks: dict[str, Any], log: ReadLog) -> Iterator[EpisodeRun]:
    def build(item: Item, log: ReadLog) -> EpisodeRun:
        task = tasks.pop(item.key, None)
        run = _run(item, log)
        if not isinstance(task, dict):
            return run
        return EpisodeRun(
            "",
            decisions=_plan(task),
            reported=run.reported,
            instruction=run.instruction,
            extra=MappingProxyType(dict(run.extra) | task),
            record=run.record,
        )

    yield from read_records(path / _EVAL, log, build)
    for instruction, task in tasks.items():
        if isinstance(task, dict):
            yield EpisodeRun(
                "",
                decisions=_plan(task),
                instruction=instruction,
                extra=MappingProxyType(task),
                record=task,
            )


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json.as_object()
    if not item.key:
        raise item.json.error("has no instruction as its key")
    if log.counts[ImportKind.NOTE] == 0:
        log.add(
            ImportKind.NOTE,
            "the cache has no ids: a run belongs to the one episode with its instruction, and"
            " instructions that read alike share an entry",
            item_id=item.json.file,
        )
    scores = {} if record.keys() <= _TASKS else reported_scores(item.json, log, item.key[:60])
    return EpisodeRun(
        "",
        decisions=_plan(record),
        reported=MappingProxyType(dict(scores)),
        instruction=item.key,
        extra=others(record, frozenset(scores)),
        record=record,
    )


def _plan(task: dict[str, Any]) -> tuple[Decision, ...]:
    """What the language experts made of the instruction before the first move."""
    actions = task.get("actions")
    if not isinstance(actions, str):
        return ()
    landmarks = task.get("landmarks")
    extra = {"landmarks": landmarks} if landmarks is not None else {}
    return (Decision(0, 0, action="analyse", plan=actions, extra=MappingProxyType(extra)),)


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the reported scores by instruction.

    Raises:
        InputError: If a run has no instruction, or two runs have the same one.
    """
    write_members(path, ((_key(run), record_or(run, _is_cached, _record)) for run in runs))
    log.warn(f"{path.name} holds scores by instruction; ids, routes and thoughts stay behind")


def _is_cached(record: Any) -> bool:
    return _is_own(record) or (isinstance(record, dict) and record.keys() == _TASKS)


def _key(run: EpisodeRun) -> str:
    if not run.instruction:
        raise InputError(f"{run.episode_id}: a DiscussNav cache needs the instruction's text")
    return run.instruction


def _record(run: EpisodeRun) -> dict[str, Any]:
    return {name: run.reported.get(name) for name in sorted(_SCORES | run.reported.keys())}


FORMAT: Final = RunFormat(
    name="discussnav-cache",
    title="DiscussNav cache (eval_cache.json, actions_cache.json)",
    can_read=can_read,
    read=read,
    conventions=(
        "scores as DiscussNav states them: lengths in metres along the graph, success below 3 m,"
        " spl against the reference length; keyed by instruction text, no ids, no route"
    ),
    source="LYX0501/DiscussNav:DiscussNav.py",
    write=write,
    keys=("trajectory_length", "nav_error", "success", "oracle_success", "spl"),
    is_run_folder=can_read,
)
