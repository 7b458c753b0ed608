"""NaVid's and Uni-NaVid's scores: a folder ``log`` with one ``stats_<id>.json`` per episode.

Scores only; where an agent went is not in them. NaVid's own summary counts NaN and infinities as
0.
Source: jzhzhang/NaVid-VLN-CE:navid_agent.py, analyze_results.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.stated_scores import StatedRule
from waypost.io.file_head import FileHead, read_head
from waypost.io.item_reading import Item
from waypost.io.json_writing import write_json_file
from waypost.io.logs.run_format import RunFormat, lacks_scores, setting_of
from waypost.io.logs.run_records import (
    files_in,
    others,
    read_folder,
    read_records,
    reported_scores,
    top_record,
)
from waypost.io.logs.run_writing import nameable, record_or, write_lines
from waypost.io.read_log import ReadLog

_FILE: Final = re.compile(r"stats_(?!ckpt_|ep_ckpt_)(?P<id>[^/]+?)\.json(\.gz)?")
"""Names of VLN-CE and Open-Nav begin alike: ``stats_ckpt_0_val.json`` and ``stats_ep_ckpt_…``."""

_NAMES: Final = ("success", "oracle_success", "spl", "distance_to_goal", "path_length")
_RULE: Final = StatedRule(
    scorer="analyze_results.py",
    source="jzhzhang/NaVid-VLN-CE:analyze_results.py",
    counts_unknown_as_zero=True,
)


def can_read(head: FileHead) -> bool:
    """Whether the object is the score of one episode, or a folder holds such files."""
    if not head.is_folder:
        return _is_own(top_record(head))
    first = next((name for name in head.names if _FILE.fullmatch(name)), None)
    return first is not None and _is_own(top_record(read_head(head.path / first)))


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= {"id", "success", "distance_to_goal"}


def _told_by_path(parts: tuple[str, ...]) -> dict[str, str]:
    """``<result path>/log`` (jzhzhang/NaVid-VLN-CE:run.py): the folder above names the run."""
    is_log = len(parts) > 1 and parts[-1] == "log"
    return {"setting": parts[-2]} if is_log else setting_of(parts)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per file."""
    if not path.is_dir():
        yield from read_records(path, log, _run, as_lines=True)
        return
    files = [file for file in files_in(path, "stats_*") if _FILE.fullmatch(file.name)]
    yield from read_folder(files, log, read)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    episode_id = normal_id(item.json.field("id").value)
    scores = reported_scores(item.json, log, episode_id, frozenset({"id"}), frozenset(_NAMES))
    return EpisodeRun(
        episode_id=episode_id,
        reported=scores,
        extra=others(item.json.value, frozenset({"id", *scores})),
        record=item.json.value,
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the scores that runs state: a line each, or a file each to a folder without suffix.

    Raises:
        InputError: If an id cannot name a file.
        WriteError: If a file cannot be written.
    """
    if path.suffix in {".json", ".gz"}:
        write_lines(path, (record_or(run, _is_own, _record) for run in runs))
    else:
        for run in runs:
            file = path / f"stats_{nameable(path, run.episode_id)}.json"
            write_json_file(file, record_or(run, _is_own, _record))
    log.warn(f"{path.name} holds reported scores only; routes and thoughts stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    wanted = {name: run.reported.get(name) for name in _NAMES}
    return {**wanted, **run.reported, "id": run.episode_id}


FORMAT: Final = RunFormat(
    name="navid-stats",
    title="NaVid and Uni-NaVid scores, stats_<id>.json",
    can_read=can_read,
    read=read,
    conventions=(
        "scores as VLN-CE's measures state them: success and oracle_success are 0 or 1,"
        " distance_to_goal in metres over the navmesh, path_length in metres; no route"
    ),
    source="jzhzhang/NaVid-VLN-CE:navid_agent.py",
    write=write,
    lacks=lacks_scores,
    keys=("id", "success", "distance_to_goal"),
    stated_rule=_RULE,
    is_run_folder=can_read,
    told_by_path=_told_by_path,
)
