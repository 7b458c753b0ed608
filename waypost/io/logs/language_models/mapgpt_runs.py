"""Case files of MapGPT, MSNav and NavBench's execution part, alone, in a list or in a folder.

A folder may also hold the console logs, the only place where the thoughts are; they are attached
to the case whose choices, revisits and scores they show.
Source: chen-judge/MapGPT:vln/agent_base.py, vln/gpt_agent.py; MrCapricornLiu/MSNav.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.image_limit import IMAGE_LIMIT, NO_OPTION, UNTOLD_STOP
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, RunEnd
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.json_writing import write_json_file
from waypost.io.logs.language_models.mapgpt_console import is_console, read_console
from waypost.io.logs.language_models.mapgpt_join import attach_thoughts
from waypost.io.logs.r2r_runs import read_trajectory, required_id
from waypost.io.logs.run_format import RunFormat, Way, experiment_of
from waypost.io.logs.run_records import (
    files_in,
    first_file,
    others,
    read_folder,
    read_records,
    reported_scores,
    top_record,
)
from waypost.io.logs.run_writing import nameable, record_or, viewpoints_of, write_array
from waypost.io.read_log import ReadLog

_CASES: Final = "case_InstrID_*.json*"
_STOPPED: Final = (
    "the model stopped, or the program: no option was named, or too many pictures were at hand"
)
_STOP_REASONS: Final = frozenset({UNTOLD_STOP, IMAGE_LIMIT, NO_OPTION})
"""Ends that a case file has as the choice 0 beside the model's own stop."""

_KNOWN: Final = frozenset({"instr_id", "trajectory", "a_t", "evaluation", "scan"})


def can_read(head: FileHead) -> bool:
    """Whether the record has choices by step, or a folder holds case files."""
    if head.is_folder:
        return first_file(head.path, _CASES) is not None
    return _is_own(top_record(head))


def _told_by_path(parts: tuple[str, ...]) -> dict[str, str]:
    """``exprs…/<setting …>/…`` (chen-judge/MapGPT:vln/parser.py): the run is a folder itself."""
    return {"setting": "/".join(experiment_of(parts)[1])}


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("a_t"), dict)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per case; in a folder with the thoughts of its console logs."""
    if not path.is_dir():
        yield from read_records(path, log, _run, as_lines=True)
        return
    shown: list[EpisodeRun] = []
    for file in files_in(path, "*"):
        if file.suffix in {".log", ".txt", ".out", ".gz"} and is_console(file):
            shown += read_console(file, log)
    cases = read_folder(files_in(path, _CASES), log, read)
    yield from attach_thoughts(cases, shown, log) if shown else cases


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    episode_id = required_id(record)
    viewpoints, *_ = read_trajectory(record.field("trajectory"))
    ends = _ends(record.field("trajectory"))
    choices = _choices(record.field("a_t"))
    has_stopped = bool(choices) and choices[-1] == 0
    reported = {}
    if record.has("evaluation"):
        reported = dict(
            reported_scores(record.field("evaluation"), log, episode_id, frozenset({"instr_id"}))
        )
    return EpisodeRun(
        episode_id=episode_id,
        route=route(viewpoints) if viewpoints else EMPTY_ROUTE,
        decisions=tuple(_decisions(viewpoints, ends, choices, episode_id, log)),
        end=RunEnd(
            called_stop=None if has_stopped or not choices else False,
            reason=UNTOLD_STOP if has_stopped else "",
            action_count=len(choices) or None,
        ),
        reported=MappingProxyType(reported),
        scene_id=record.text_of("scan"),
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def _ends(trajectory: JsonValue) -> list[int]:
    """The number of viewpoints after each entry of the trajectory."""
    ends, total = [], 0
    for entry in trajectory.as_array():
        is_group = isinstance(entry, list) and all(isinstance(name, str) for name in entry)
        total += len(entry) if is_group else 1
        ends.append(total)
    return ends


def _choices(choices: JsonValue) -> list[int]:
    """The options chosen, in the order of the steps that name them; 0 is to stop."""
    by_step = {}
    for step, choice in choices.entries():
        if not step.strip().isdecimal() or not step.strip().isascii():
            raise choice.error("is named by no step number")
        by_step[int(step)] = int(choice.as_number())
    return [by_step[step] for step in sorted(by_step)]


def _decisions(
    viewpoints: list[str], ends: list[int], choices: list[int], episode_id: str, log: ReadLog
) -> list[Decision]:
    decisions = []
    at = 0
    for choice in choices:
        pose = ends[at] if ends else 0
        here = viewpoints[pose - 1] if pose else ""
        if choice == 0:
            stop = Event(EventKind.STOP, _STOPPED)
            decisions.append(Decision(pose, pose, here, action="0", events=(stop,)))
        elif at + 1 < len(ends):
            decisions.append(Decision(pose, ends[at + 1], here, action=str(choice)))
            at += 1
        else:
            event = Event(EventKind.NO_MOVE, f"option {choice} was chosen and no move is logged")
            decisions.append(Decision(pose, pose, here, action=str(choice), events=(event,)))
    extra_moves = [Decision(a, b) for a, b in zip(ends[at:], ends[at + 1 :], strict=False)]
    if extra_moves and choices:
        log.add(
            ImportKind.NOTE,
            f"{episode_id} moves {counted(len(extra_moves), 'time')} more than it chooses to",
            item_id=episode_id,
        )
    return decisions + extra_moves


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write a list to a file, or one case file per run to a folder if it has no suffix.

    Raises:
        InputError: If a run has no viewpoints or an id cannot name a file.
    """
    if path.suffix in {".json", ".gz"}:
        write_array(path, (record_or(run, _is_own, _record) for run in runs))
    else:
        for run in runs:
            file = path / f"case_InstrID_{nameable(path, run.episode_id)}.json"
            write_json_file(file, record_or(run, _is_own, _record))
    log.warn(f"{path.name} holds viewpoints, choices and scores; thoughts and headings stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    viewpoints = viewpoints_of(run, "a case file")
    spans = [(entry.first_pose, entry.end_pose) for entry in run.decisions]
    if not any(b > a for a, b in spans):
        spans = [(index, index + 1) for index in range(1, len(viewpoints))]
    moves = [list(viewpoints[a:b]) for a, b in spans if b > a]
    # A choice 0 leaves open whose stop it was; without one the run is known to have gone on.
    has_stopped = run.end.called_stop is not False or run.end.reason in _STOP_REASONS
    choices = [1] * len(moves) + ([0] if has_stopped else [])
    return {
        "a_t": {str(step): choice for step, choice in enumerate(choices)},
        "details": {},
        "instr_id": run.episode_id,
        "scan": run.scene_id,
        "trajectory": [[viewpoints[0]], *moves] if viewpoints else [],
        "evaluation": {name: [value] for name, value in run.reported.items()},
    }


FORMAT: Final = RunFormat(
    name="mapgpt",
    title="MapGPT, MSNav and NavBench case files",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints, no headings; a_t numbers the option of each step, 0 stops, also"
        " when the model names no option or the limit of pictures is reached: whose stop it was is"
        " told by the console log beside the cases only; scores as the source states them; written"
        " from the public writers, no published sample was found"
    ),
    source="chen-judge/MapGPT:vln/agent_base.py",
    write=write,
    keys=("instr_id", "trajectory", "a_t"),
    way=Way.VIEWPOINTS,
    is_run_folder=can_read,
    told_by_path=_told_by_path,
)
