"""RxR follower annotations as runs: how people did on a guide's instruction, a human baseline.

Source: google-research-datasets/RxR:README.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.route import Route
from waypost.domain.episode.run import EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import others, read_records, reported_scores, top_record
from waypost.io.logs.run_writing import viewpoints_of, write_lines
from waypost.io.read_log import ReadLog

_KNOWN: Final = frozenset({"demonstration_id", "instruction_id", "path"})


def can_read(head: FileHead) -> bool:
    """Whether the first record is a demonstration of an instruction."""
    return _is_own(top_record(head))


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per demonstration; several may follow one instruction."""
    return read_records(path, log, _run, as_lines=True)


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= _KNOWN


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    episode_id = normal_id(item.json.field("instruction_id").value)
    scores = (
        reported_scores(item.json.field("metrics"), log, episode_id)
        if item.json.has("metrics")
        else MappingProxyType({})
    )
    return EpisodeRun(
        episode_id=episode_id,
        route=Route(tuple(name.as_text() for name in item.json.field("path").items())),
        reported=scores,
        extra=others(item.json.value, frozenset({"instruction_id", "path", "metrics"})),
        record=item.json.value,
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs, one line each; those of other formats are numbered as demonstrations."""
    records = (
        run.record if _is_own(run.record) else _record(run, number)
        for number, run in enumerate(runs)
    )
    write_lines(path, records)
    log.warn(f"{path.name} holds viewpoints only; headings and thoughts stay behind")


def _record(run: EpisodeRun, number: int) -> dict[str, Any]:
    names = viewpoints_of(run, "an RxR follower annotation")
    return {
        "demonstration_id": number,
        "instruction_id": int(run.episode_id) if run.episode_id.isdecimal() else run.episode_id,
        "path": list(names),
        "metrics": dict(run.reported),
    }


FORMAT: Final = RunFormat(
    name="rxr-follower",
    title="RxR follower annotations as runs of people",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints that a person walked; no headings; the id of a run is the"
        " instruction id, so several people may have run one episode"
    ),
    source="google-research-datasets/RxR:README.md",
    write=write,
    keys=("demonstration_id", "instruction_id", "path"),
    way=Way.VIEWPOINTS,
)
