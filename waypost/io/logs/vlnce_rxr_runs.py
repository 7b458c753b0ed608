"""VLN-CE predictions on RxR: positions only, one JSON line per instruction.

Source: jacobkrantz/VLN-CE:vlnce_baselines/common/base_il_trainer.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.frames import GLTF
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.step_checks import FORWARD_STEP_M
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import others, read_records, read_rows, top_record
from waypost.io.logs.run_writing import positions_of, record_or, write_lines
from waypost.io.read_log import ReadLog

_KNOWN: Final = frozenset({"instruction_id", "path"})


def can_read(head: FileHead) -> bool:
    """Whether the first record has an instruction id and a path of positions."""
    return _is_own(top_record(head))


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per line."""
    return read_records(path, log, _run, as_lines=True)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict) or not record.keys() >= _KNOWN:
        return False
    rows = record["path"]
    return isinstance(rows, list) and (not rows or isinstance(rows[0], list))


def _run(item: Item, _log: ReadLog) -> EpisodeRun:
    episode_id = normal_id(item.json.field("instruction_id").value)
    positions = read_rows(item.json.field("path"), 3)
    return EpisodeRun(
        episode_id=episode_id,
        route=route(positions_m=GLTF.to_scene(positions)) if len(positions) else EMPTY_ROUTE,
        extra=others(item.json.value, _KNOWN),
        forward_step_m=FORWARD_STEP_M,
        record=item.json.value,
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs, one line each, in the order given."""
    write_lines(path, (record_or(run, _is_own, _record) for run in runs))
    log.warn(f"{path.name} holds positions only; headings, thoughts and scores stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    positions = GLTF.from_scene(positions_of(run, "an RxR prediction")).tolist()
    moved = [
        position
        for index, position in enumerate(positions)
        if not index or position != positions[index - 1]
    ]
    is_number = run.episode_id.isdecimal() and str(int(run.episode_id)) == run.episode_id
    return {"instruction_id": int(run.episode_id) if is_number else run.episode_id, "path": moved}


FORMAT: Final = RunFormat(
    name="vlnce-rxr",
    title="VLN-CE predictions on RxR",
    can_read=can_read,
    read=read,
    conventions=(
        "Habitat positions in metres, Y up, of the agent's base, written only when they change;"
        " no headings, no stop"
    ),
    source="jacobkrantz/VLN-CE:vlnce_baselines/common/base_il_trainer.py",
    write=write,
    keys=("instruction_id", "path"),
    dataset="RxR-CE",
    way=Way.POSITIONS,
)
