"""NavGPT details: thoughts and observations beside the path, aligned by viewpoint and order.

The lists of a record have different lengths: an invalid action has a thought and no move, a
back-trace has a move and no entry in ``details``. Nothing is attached by its index.
Source: GengzeZhou/NavGPT:nav_src/agent.py, nav_src/agent_base.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.language_models.navgpt_alignment import OUT_OF_STEPS, Move, align
from waypost.io.logs.r2r_runs import required_id
from waypost.io.logs.run_format import RunFormat, Way, experiment_of, lacks_poses
from waypost.io.logs.run_records import others, read_records
from waypost.io.logs.run_writing import record_or, viewpoints_of, write_array
from waypost.io.read_log import ReadLog

_TEXTS: Final = ("llm_thought", "llm_observation")
_KNOWN: Final = frozenset({"instr_id", "trajectory", "details", "llm_output", *_TEXTS})


def can_read(head: FileHead) -> bool:
    """Whether the first record has NavGPT's lists; its id may lie beyond the beginning."""
    return _is_own(head.first)


def _told_by_path(parts: tuple[str, ...]) -> dict[str, str]:
    """``exprs/<model>/<setting …>/preds/…`` (GengzeZhou/NavGPT:nav_src/parser.py)."""
    folder, names = experiment_of(parts[:-1])
    if folder == "exprs" and names:
        return {"model": names[0], "setting": "/".join(names[1:])}
    return {"setting": "/".join(names)}


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    is_detailed = isinstance(record.get("details"), list) and "action_plan" in record
    return is_detailed or "llm_thought" in record


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record."""
    return read_records(path, log, _run)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    episode_id = required_id(record)
    viewpoints, moves = _moves(record.field("trajectory"))
    texts = _texts(record, episode_id, log)
    details = [entry.as_object() for entry in _list(record, "details")]
    final = record.text_of("llm_output")
    decisions = tuple(align(viewpoints, moves, details, texts, final))
    is_cut = final.startswith(OUT_OF_STEPS)
    return EpisodeRun(
        episode_id=episode_id,
        route=route(viewpoints),
        decisions=decisions,
        end=RunEnd(
            called_stop=not is_cut if final else None,
            reason=final if is_cut else "",
        ),
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def _list(record: JsonValue, key: str) -> Iterator[JsonValue]:
    if record.has(key) and record.value[key] is not None:
        yield from record.field(key).items()


def _texts(record: JsonValue, episode_id: str, log: ReadLog) -> list[tuple[str, str]]:
    """Pairs of what the model wrote and what the tool answered, which one loop appends to both."""
    thoughts, results = ([entry.as_text() for entry in _list(record, key)] for key in _TEXTS)
    if len(thoughts) != len(results):
        log.add(
            ImportKind.NOTE,
            f"{episode_id} has {len(thoughts)} thoughts and {len(results)} observations; the"
            " observations are kept in the record and not shown beside thoughts",
            item_id=episode_id,
        )
        return [(thought, "") for thought in thoughts]
    return list(zip(thoughts, results, strict=True))


def _moves(trajectory: JsonValue) -> tuple[list[str], list[Move]]:
    """Viewpoints in order, and one move for each group after the first."""
    viewpoints: list[str] = []
    moves: list[Move] = []
    for index, group in enumerate(trajectory.items()):
        names = [name.as_text() for name in group.items()]
        first = len(viewpoints)
        viewpoints += names
        if index:
            target = viewpoints[-1] if viewpoints else ""
            moves.append(Move(first, len(viewpoints), target))
    if not viewpoints:
        raise trajectory.error("is empty")
    return viewpoints, moves


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs; those of other formats as groups with their thoughts in order."""
    write_array(path, (record_or(run, _is_own, _record) for run in runs))
    log.warn(f"{path.name} holds viewpoints and texts; headings and scores stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    viewpoints = viewpoints_of(run, "a NavGPT file")
    spans = [(decision.first_pose, decision.end_pose) for decision in run.decisions]
    moves = [list(viewpoints[a:b]) for a, b in spans if b > a]
    if not moves:
        moves = [[name] for name in viewpoints[1:]]
    return {
        "instr_id": run.episode_id,
        "trajectory": [[viewpoints[0]], *moves] if viewpoints else [],
        "details": [
            {"viewpointID": viewpoints[entry.end_pose - 1], "acion_maker_thought": entry.thought}
            for entry in run.decisions
            if entry.thought and entry.end_pose > entry.first_pose
        ],
        "action_plan": next((entry.plan for entry in run.decisions if entry.plan), ""),
        "llm_output": "",
        "llm_thought": [entry.raw_text for entry in run.decisions if entry.raw_text],
        "llm_observation": [entry.observation for entry in run.decisions if entry.raw_text],
    }


FORMAT: Final = RunFormat(
    name="navgpt",
    title="NavGPT predictions with details",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints; no headings (turned angles are text in degrees, left and right);"
        " thoughts belong to the viewpoint that they name, in their order; written from the"
        " public writer, no published sample was found"
    ),
    source="GengzeZhou/NavGPT:nav_src/agent.py",
    write=write,
    keys=("instr_id", "trajectory", "details", "action_plan", "llm_thought"),
    way=Way.VIEWPOINTS,
    lacks=lacks_poses,
    told_by_path=_told_by_path,
)
