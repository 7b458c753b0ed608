"""OctoNav's ``final_results.json``: scores of the whole and of each task, episode by episode.

Scores only. The ids count the episodes of a run from 0; they are no ids of episodes.
Source: buaa-colalab/OctoNav-R1:README.md (the evaluation), octonav_task.py (``get_multi_metrics``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.logs.run_format import RunFormat, lacks_scores
from waypost.io.logs.run_records import others, read_records, reported_scores
from waypost.io.logs.run_writing import record_or, write_array
from waypost.io.read_log import ReadLog

_WHOLE: Final = "OctoNav"
_KNOWN: Final = frozenset({"id", "metrics"})


def can_read(head: FileHead) -> bool:
    """Whether the first record has an id, tasks, and metrics of the whole."""
    return _is_own(head.first)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict) or not record.keys() >= {"id", "tasks", "metrics"}:
        return False
    return isinstance(record["metrics"], dict) and _WHOLE in record["metrics"]


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record."""
    log.add(
        ImportKind.NOTE,
        "the ids of the file count its episodes from 0; they are no ids of episodes",
        item_id=path.name,
    )
    return read_records(path, log, _run)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    number = normal_id(record.field("id").value)
    scores: dict[str, float | None] = {}
    for task, told in record.field("metrics").entries():
        prefix = "" if task == _WHOLE else f"{task} "
        found = reported_scores(told, log, f"{number}, {task}")
        scores |= {f"{prefix}{name}": value for name, value in found.items()}
    return EpisodeRun(
        episode_id=number,
        reported=MappingProxyType(scores),
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the scores that the runs state; those of other formats are of the whole."""
    write_array(path, (record_or(run, _is_own, _record) for run in runs))
    log.warn(f"{path.name} holds reported scores only; routes and thoughts stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    return {"id": run.episode_id, "tasks": [], "metrics": {_WHOLE: dict(run.reported)}}


FORMAT: Final = RunFormat(
    name="octonav-results",
    title="OctoNav scores, final_results.json",
    can_read=can_read,
    read=read,
    conventions=(
        "scores as OctoNav states them: of the whole under their names, of each task behind the"
        " task's; success and oracle_success are 0 or 1, distance_to_goal in metres over the"
        " navmesh; ids count from 0; no route"
    ),
    source="buaa-colalab/OctoNav-R1:README.md",
    write=write,
    lacks=lacks_scores,
    keys=("id", "tasks", "metrics"),
)
