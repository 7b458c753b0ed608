"""VLN-CE predictions on R2R: one state per simulator step, the start first.

Source: jacobkrantz/VLN-CE:vlnce_baselines/common/environments.py, base_il_trainer.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import GLTF
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.domain.episode.step_checks import FORWARD_STEP_M
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import read_angles, read_records, read_rows
from waypost.io.logs.run_writing import positions_of, record_or, write_members
from waypost.io.read_log import ReadLog

_KNOWN: Final = frozenset({"position", "heading", "stop"})


def can_read(head: FileHead) -> bool:
    """Whether the first member that is not empty is a list of states with position and heading."""
    if not isinstance(head.sample, dict) or head.is_lines:
        return False
    first = next((states for states in head.sample.values() if states != []), None)
    return first is not None and _is_own(first)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per episode id, in the order of the file."""
    return read_records(path, log, _run)


def _is_own(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    return not value or (isinstance(value[0], dict) and {"position", "heading"} <= value[0].keys())


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    episode_id = normal_id(item.key)
    states = item.json.as_array()
    if not states:
        return EpisodeRun(episode_id, EMPTY_ROUTE, record=states)
    positions = read_rows(_column(item.json, "position"), 3)
    headings = np.array(read_angles(_column(item.json, "heading")))
    if len(headings):
        log.note_angle("heading", float(np.fmax.reduce(np.abs(headings))), episode_id)
    leftovers = {
        str(index): {key: value for key, value in state.items() if key not in _KNOWN}
        for index, state in enumerate(states)
        if not state.keys() <= _KNOWN
    }
    stops = [state.get("stop") for state in states]
    return EpisodeRun(
        episode_id=episode_id,
        route=route(positions_m=GLTF.to_scene(positions), yaws_rad=headings + math.pi / 2),
        end=RunEnd(called_stop=_called_stop(stops, episode_id, log), action_count=len(states) - 1),
        extra=MappingProxyType({"states": leftovers} if leftovers else {}),
        forward_step_m=FORWARD_STEP_M,
        record=states,
    )


def _column(states: JsonValue, key: str) -> JsonValue:
    """One member of all states as an array, e.g. the positions."""
    try:
        values = [state[key] for state in states.value]
    except (KeyError, TypeError):
        values = [state.field(key).value for state in states.items()]
    return JsonValue(values, states.file, f"{states.place} {key}s")


def _called_stop(stops: list[Any], episode_id: str, log: ReadLog) -> bool | None:
    if not any(isinstance(stop, bool) for stop in stops):
        return None
    if True in stops[:-1]:
        step = stops.index(True)
        log.add(
            ImportKind.NOTE,
            f"{episode_id} calls stop at step {step} and goes on",
            item_id=episode_id,
            step=step,
        )
    return stops[-1] is True


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs, one per episode; headings and ``stop`` where the source knew them."""
    untold = 0

    def states_of(run: EpisodeRun) -> Any:
        nonlocal untold
        states = record_or(run, _is_own, _states)
        untold += bool(states) and not any("stop" in state for state in states)
        return states

    write_members(path, ((run.episode_id, states_of(run)) for run in runs))
    log.warn(f"{path.name} holds positions, headings and stop; thoughts and scores stay behind")
    if untold:
        what = counted(untold, "run does", "runs do")
        log.warn(f"{path.name}: {what} not say whether STOP was called: there stop is left out")


def _states(run: EpisodeRun) -> list[dict[str, Any]]:
    positions = GLTF.from_scene(positions_of(run, "a VLN-CE prediction"))
    yaws = run.route.yaws_rad
    angles = np.full(len(positions), np.nan) if yaws is None else yaws - math.pi / 2
    last = len(positions) - 1
    has_stopped = run.end.called_stop
    return [
        {
            "position": position,
            "heading": None if math.isnan(heading) else heading,
            **({} if has_stopped is None else {"stop": index == last and has_stopped}),
        }
        for index, (position, heading) in enumerate(
            zip(positions.tolist(), angles.tolist(), strict=True)
        )
    ]


FORMAT: Final = RunFormat(
    name="vlnce-r2r",
    title="VLN-CE predictions on R2R",
    can_read=can_read,
    read=read,
    conventions=(
        "Habitat positions in metres, Y up, of the agent's base; headings in radians, 0 = −Z,"
        " counter-clockwise seen from above; the first state is the start"
    ),
    source="jacobkrantz/VLN-CE:vlnce_baselines/common/environments.py",
    write=write,
    keys=("position", "heading", "stop"),
    dataset="R2R-CE",
    way=Way.POSITIONS,
)
