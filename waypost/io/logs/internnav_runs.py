"""InternNav, StreamVLN and JanusVLN on Habitat: JSON lines with the scores of one episode each.

The file is ``progress.json`` of InternNav, ``result.json`` of the others, which end it with a line
of totals that has no line end; what a run that was taken up again appends stands behind it.
InternNav's evaluator of dialogues adds the path and the actions: where the agent stood before each
action, so that what the last one led to is known only if it was to stop.
Source: InternRobotics/InternNav:internnav/habitat_extensions/vln/habitat_vln_evaluator.py,
internnav/habitat_extensions/vlln/habitat_dialog_evaluator.py,
InternRobotics/StreamVLN:streamvln/streamvln_eval.py, MIV-XJTU/JanusVLN:src/evaluation.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.frames import GLTF
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.episode.run import Decision, EpisodeRun, RunEnd
from waypost.domain.episode.stated_scores import StatedRule
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_format import RunFormat, lacks_scores
from waypost.io.logs.run_records import others, read_records, read_rows, reported_scores, top_record
from waypost.io.logs.run_writing import record_or, write_lines
from waypost.io.read_log import ReadLog

_STOP: Final = 0
"""Habitat's action to stop."""

_NOT_SCORES: Final = frozenset({"scene_id", "episode_id", "episode_instruction"})
_SCORES: Final = frozenset({"success", "spl", "os", "ne", "steps", "ndtw"})
_WALK: Final = frozenset({"path", "action"})
_TOTALS: Final = frozenset({"sucs_all", "spls_all", "length"})
_RULE: Final = StatedRule(
    scorer="streamvln_eval.py",
    source="InternRobotics/StreamVLN:streamvln/streamvln_eval.py",
    totals=MappingProxyType(
        {
            "sucs_all": "success",
            "spls_all": "spl",
            "oss_all": "os",
            "ones_all": "ne",
            "nes_all": "ne",
            "ndtw_all": "ndtw",
            "ndtws_all": "ndtw",
        }
    ),
    count_name="length",
)
"""InternNav names the distances ``nes_all``, StreamVLN ``ones_all``."""


def can_read(head: FileHead) -> bool:
    """Whether the first record has a scene, an episode and InternNav's short score names."""
    return _is_own(top_record(head))


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per line; a line of totals goes to ``log.document``, the last one counts."""
    return read_records(path, log, _run, as_lines=True, is_beside=_is_totals)


def _is_own(record: Any) -> bool:
    wanted = {"scene_id", "episode_id", "success", "spl"}
    return isinstance(record, dict) and record.keys() >= wanted


def _is_totals(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= _TOTALS and "episode_id" not in record


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    episode_id = normal_id(item.json.field("episode_id").value)
    scores = reported_scores(item.json, log, episode_id, _NOT_SCORES, _SCORES)
    steps = scores.get("steps")
    walked, decisions, called_stop = _walked(item.json)
    return EpisodeRun(
        episode_id=episode_id,
        route=walked,
        decisions=decisions,
        end=RunEnd(called_stop=called_stop, action_count=None if steps is None else int(steps)),
        reported=scores,
        scene_id=item.json.text_of("scene_id"),
        instruction=item.json.text_of("episode_instruction"),
        extra=others(item.json.value, _NOT_SCORES | _WALK | scores.keys()),
        record=item.json.value,
    )


def _walked(record: JsonValue) -> tuple[Route, tuple[Decision, ...], bool | None]:
    """The path, one decision per action, and whether the last was to stop, where it is logged."""
    if not record.has("path") or not record.value["path"]:
        return EMPTY_ROUTE, (), None
    positions = read_rows(record.field("path"), 3)
    actions = record.field("action").as_array() if record.has("action") else []
    count = len(positions)
    decisions = tuple(
        Decision(min(at + 1, count), min(at + 2, count), action=str(action))
        for at, action in enumerate(actions[:count])
    )
    called_stop = actions[-1] == _STOP if actions else None
    return route(positions_m=GLTF.to_scene(positions)), decisions, called_stop


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the scores that the runs state, one line per run, and the totals that were read."""
    lines = (record_or(run, _is_own, _record) for run in runs)
    # What was read beside the runs is there once all of them were.
    totals = (beside for beside in (log.document,) if _is_totals(beside))
    write_lines(path, itertools.chain(lines, totals))
    log.warn(f"{path.name} holds reported scores only; routes and thoughts stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    return {
        "scene_id": run.scene_id,
        "episode_id": run.episode_id,
        **{name: run.reported.get(name) for name in ("success", "spl", "os", "ne")},
        "steps": run.end.action_count,
        "episode_instruction": run.instruction,
        **{name: value for name, value in run.reported.items() if name not in _SCORES},
        **({"ndtw": run.reported["ndtw"]} if "ndtw" in run.reported else {}),
    }


FORMAT: Final = RunFormat(
    name="internnav-progress",
    title="InternNav, StreamVLN and JanusVLN on Habitat (progress.json, result.json)",
    can_read=can_read,
    read=read,
    conventions=(
        "scores as the source states them: success and os are 0 or 1, ne in metres of walkable"
        " distance, steps are simulator actions; totals are those of a last line; a path, which the"
        " evaluator of dialogues adds, in Habitat's frame (metres, Y up), before each action"
    ),
    source="InternRobotics/InternNav:internnav/habitat_extensions/vln/habitat_vln_evaluator.py",
    write=write,
    lacks=lacks_scores,
    keys=("scene_id", "episode_id", "success", "spl"),
    stated_rule=_RULE,
)
