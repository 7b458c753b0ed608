"""Open-Nav: scores by episode, and a navigator log with what was seen, thought and chosen.

The log has no positions; the angle and distance of every move are kept with its decision.
ETPNav's processes write a file of scores each, ``stats_ep_ckpt_<n>_<split>_r<rank>_w<number of
processes>.json``; a folder with those of one evaluation is one run.
Source: YanyuanQiao/Open-Nav:vlnce_baselines/common/base_il_trainer_llm.py and navigator;
MarSaKi/ETPNav:vlnce_baselines/ss_trainer_ETP.py.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.domain.episode.stated_scores import StatedRule
from waypost.io.file_head import FileHead, read_head
from waypost.io.item_reading import Item
from waypost.io.logs.language_models.opennav_log import is_log, read_log
from waypost.io.logs.run_format import RunFormat, lacks_scores
from waypost.io.logs.run_records import files_in, others, read_folder, read_records, reported_scores
from waypost.io.logs.run_writing import record_or, write_members
from waypost.io.read_log import ReadLog

_LOG: Final = "navigator_log.log"
_STATS: Final = "stats_ep_ckpt_*.json"
_PART: Final = re.compile(r"stats_ep_ckpt_(?P<run>.+)_r(?P<rank>\d+)_w(?P<count>\d+)\.json")
_RULE: Final = StatedRule(
    scorer="base_il_trainer.py",
    source="jacobkrantz/VLN-CE:vlnce_baselines/common/base_il_trainer.py",
)
_SCORES: Final = frozenset({"steps_taken", "distance_to_goal", "success", "spl"})


def can_read(head: FileHead) -> bool:
    """Whether the first member has VLN-CE scores, the text its banners, or a folder one run."""
    if head.is_folder:
        return _LOG in head.names or _is_one_evaluation(head)
    if head.sample is None:
        return is_log(head.text)
    return isinstance(head.sample, dict) and not head.is_lines and _is_own(head.first)


def _is_one_evaluation(head: FileHead) -> bool:
    """Whether a folder holds what several processes wrote of one checkpoint and split."""
    parts = _parts(head.names)
    runs = {(part["run"], int(part["count"])) for part in parts}
    return len(runs) == 1 and min(runs)[1] > 1 and can_read(read_head(head.path / parts[0][0]))


def _parts(names: Iterable[str]) -> list[re.Match[str]]:
    return [part for name in names if (part := _PART.fullmatch(name))]


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= _SCORES


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per episode; a folder's log and scores are joined by episode id."""
    if path.is_dir():
        parts = _parts(file.name for file in files_in(path, _STATS))
        is_log = (path / _LOG).exists() or not parts
        yield from _joined(path, log) if is_log else _of_processes(path, parts, log)
    elif path.name.endswith((".json", ".json.gz")):
        yield from read_records(path, log, _run)
    else:
        yield from read_log(path, log)


def _of_processes(path: Path, parts: list[re.Match[str]], log: ReadLog) -> Iterator[EpisodeRun]:
    count = int(parts[0]["count"])
    missing = sorted({*range(count)} - {int(part["rank"]) for part in parts})
    if missing:
        told = ", ".join(f"r{rank}" for rank in missing)
        log.warn(f"{path.name} lacks the scores of {len(missing)} of {count} processes: {told}")
    yield from read_folder([path / part[0] for part in parts], log, read)


def _joined(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    scored: dict[str, EpisodeRun] = {}
    # Files of several evaluations number alike: which one the log is of, nothing tells.
    found = read_folder(files_in(path, _STATS), log, read)
    further = [run for run in found if scored.setdefault(run.episode_id, run) is not run]
    for run in read_log(path / _LOG, log):
        scores = scored.pop(run.episode_id, None)
        if scores is None:
            yield run
        else:
            yield dataclasses.replace(
                scores, decisions=run.decisions, instruction=run.instruction, record=None
            )
    yield from (*scored.values(), *further)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    episode_id = normal_id(item.key)
    scores = reported_scores(item.json, log, episode_id)
    steps = scores.get("steps_taken")
    return EpisodeRun(
        episode_id,
        end=RunEnd(action_count=None if steps is None else int(steps)),
        reported=scores,
        extra=others(item.json.value, frozenset(scores)),
        record=item.json.value,
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the reported scores by episode.

    Raises:
        InputError: If a run has no id or two runs have the same one.
    """
    write_members(path, ((_key(run), record_or(run, _is_own, _record)) for run in runs))
    log.warn(f"{path.name} holds scores by episode; thoughts stay behind")


def _key(run: EpisodeRun) -> str:
    if not run.episode_id:
        raise InputError(f"{run.instruction[:60]!r}: a stats file needs episode ids")
    return run.episode_id


def _record(run: EpisodeRun) -> dict[str, Any]:
    return {
        "steps_taken": run.reported.get("steps_taken", run.end.action_count),
        **{name: run.reported.get(name) for name in ("distance_to_goal", "success", "spl")},
        **dict(run.reported),
    }


FORMAT: Final = RunFormat(
    name="opennav",
    title="Open-Nav log and scores, ETPNav scores",
    can_read=can_read,
    read=read,
    conventions=(
        "twelve directions numbered counter-clockwise in steps of 30°, angles in radians"
        " counter-clockwise from straight ahead, distances in metres; scores as Open-Nav states"
        " them (success at 3 m or less, collisions as a share of steps); no positions; written"
        " from the public program, no published sample was found"
    ),
    source="YanyuanQiao/Open-Nav:vlnce_baselines/common/base_il_trainer_llm.py",
    write=write,
    lacks=lacks_scores,
    keys=("steps_taken", "distance_to_goal", "success", "spl"),
    stated_rule=_RULE,
    is_run_folder=can_read,
)
