"""CapNav model results: one file per prompt, with the raw answer and the path in it.

Source: makeabilitylab/CapNav:src/model_adapters, src/utils/output_parsing.py, scripts/run.py.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, Event, EventKind
from waypost.io.file_head import FileHead, read_head
from waypost.io.graphs.capnav_names import agent_key_of
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.json_writing import write_json_file
from waypost.io.logs.run_format import RunFormat, Way, setting_of
from waypost.io.logs.run_records import (
    files_in,
    first_file,
    others,
    read_folder,
    read_records,
    top_record,
)
from waypost.io.logs.run_writing import record_or, viewpoints_of
from waypost.io.read_log import ReadLog

_RESULTS: Final = "**/*__*.json"
_KNOWN: Final = frozenset({"scene", "raw_text", "result"})
_AGENT_MARK: Final = "__"
_MODEL: Final = re.compile(r"(?P<model>.+)_(?P<frames>\d+)frames_(?P<thinking>on|off)")
_MOST_NAMES: Final = 5_000
_FEW: Final = 20

CAPNAV: Final = "capnav"
"""Name of the format, and of the data set of its questions."""


def can_read(head: FileHead) -> bool:
    """Whether the record names a prompt and has its result, or a folder holds such files."""
    if head.is_folder:
        file = first_file(head.path, _RESULTS)
        return file is not None and _is_own(top_record(read_head(file)))
    return _is_own(top_record(head))


def _holds_scenes(head: FileHead) -> bool:
    """Whether a folder has folders of scenes with results; models lie in folders above it."""
    with os.scandir(head.path) as listing:
        scenes = sorted(
            entry.path
            for entry in itertools.islice(listing, _MOST_NAMES)
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        )
    files = (first_file(Path(scene), "*__*.json") for scene in scenes[:_FEW])
    return any(file is not None and can_read(read_head(file)) for file in files)


def _told_by_path(parts: tuple[str, ...]) -> dict[str, str]:
    """``<model>_<n>frames_<on|off>`` (makeabilitylab/CapNav:scripts/run.py)."""
    named = _MODEL.fullmatch(parts[-1])
    if named is None:
        return setting_of(parts)
    setting = f"{named['frames']} frames, thinking {named['thinking']}"
    return {"model": named["model"], "setting": setting_of(parts)["setting"] or setting}


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and {"scene", "prompt_file", "num_frames"} <= record.keys()


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per prompt; a folder is searched at every depth."""
    if path.is_dir():
        return read_folder(files_in(path, _RESULTS), log, read)
    return read_records(path, log, _run, as_lines=True)


def _run(item: Item, log: ReadLog) -> EpisodeRun:
    record = item.json
    prompt = record.field("prompt_file").as_text()
    episode_id = prompt.removesuffix(".txt")
    result = record.value.get("result")
    answers = list(record.field("result").items()) if isinstance(result, list) else []
    answer, entry = _answer(answers)
    if len(answers) > 1:
        log.add(
            ImportKind.NOTE,
            f"{episode_id} has {len(answers)} answers; the first counts and the others are kept",
            item_id=episode_id,
        )
    path = _path(answer)
    decision = _decision(record, answer, len(path))
    extra = dict(others(record.value, _KNOWN))
    extra |= {key: value for key, value in entry.items() if key in {"question", "agent"}}
    extra |= {"answers": [other.value for other in answers[1:]]} if len(answers) > 1 else {}
    if answer is not None:
        extra |= {"answer": answer.value}
    return EpisodeRun(
        episode_id=episode_id,
        route=route(path) if path else EMPTY_ROUTE,
        decisions=(decision,),
        answer=Answer(
            agent_key=_agent_key(episode_id, entry.get("agent")),
            says=None if answer is None else decision.action,
            reason=decision.thought,
        ),
        scene_id=record.text_of("scene"),
        instruction=question if isinstance(question := entry.get("question"), str) else "",
        extra=MappingProxyType(extra),
        record=record.value,
    )


def _answer(answers: list[JsonValue]) -> tuple[JsonValue | None, dict[str, Any]]:
    """The first answer and the entry that it stands in; the entry may be the answer itself."""
    if not answers or not isinstance(answers[0].value, dict):
        return None, {}
    entry = answers[0]
    if entry.has("result"):
        inner = entry.field("result")
        return (inner if isinstance(inner.value, dict) else None), entry.value
    return (entry if entry.has("answer") else None), entry.value


def _path(answer: JsonValue | None) -> list[str]:
    if answer is None or not isinstance(answer.value.get("path"), list):
        return []
    return [str(node) for node in answer.value["path"]]


def _decision(record: JsonValue, answer: JsonValue | None, poses: int) -> Decision:
    value = answer.value if answer is not None else {}
    events: tuple[Event, ...] = ()
    if answer is None:
        reason = record.value.get("parse_error") or record.value.get("error") or "has no result"
        events = (Event(EventKind.NO_MOVE, f"the text cannot be used: {reason}"),)
    elif not poses:
        events = (Event(EventKind.NO_MOVE, "the answer names no path"),)
    reason = value.get("reason")
    return Decision(
        first_pose=0,
        end_pose=poses,
        action=str(value.get("answer", "")),
        raw_text=text if isinstance(text := record.value.get("raw_text"), str) else "",
        thought=reason if isinstance(reason, str) else "",
        events=events,
    )


def question_id(run_id: str) -> str:
    """The question that a run answers: its id without the agent; the id itself without one."""
    return run_id.rpartition(_AGENT_MARK)[0] or run_id


def agent_of(run: EpisodeRun) -> str:
    """Key of the agent that a question was asked for; empty if the run is none of CapNav's.

    The result names it; if it does not, the name of the prompt does.
    """
    if "prompt_file" not in run.extra:
        return ""
    return _agent_key(run.episode_id, run.extra.get("agent"))


def _agent_key(episode_id: str, named: object) -> str:
    section = named if isinstance(named, str) else episode_id.rpartition(_AGENT_MARK)[2]
    return agent_key_of(section) if section != episode_id else ""


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write one file per run, ``<scene>/<prompt>.json``, into a folder.

    Raises:
        InputError: If an id cannot name a file or a run has positions only.
    """
    for run in runs:
        parts = (run.scene_id, run.episode_id)
        if any({"/", "\\"} & set(part) or part in {".", ".."} for part in parts) or not parts[1]:
            raise InputError(f"{path}: {run.episode_id!r} cannot name a file")
        file = path / run.scene_id / f"{run.episode_id}.json"
        write_json_file(file, record_or(run, _is_own, _record))
    log.warn("CapNav results hold one answer per prompt; further decisions stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    last = run.decisions[-1] if run.decisions else Decision(0, 0)
    result = {
        "answer": last.action if last.action in {"yes", "no"} else "yes",
        "path": list(viewpoints_of(run, "a CapNav result")),
        **({"reason": last.thought} if last.thought else {}),
    }
    return {
        "scene": run.scene_id,
        "prompt_file": f"{run.episode_id}.txt",
        "num_frames": None,
        "raw_text": last.raw_text,
        "result": [
            {
                "question": run.instruction,
                "agent": run.episode_id.rpartition(_AGENT_MARK)[2],
                "result": result,
            }
        ],
    }


FORMAT: Final = RunFormat(
    name=CAPNAV,
    title="CapNav model results",
    can_read=can_read,
    read=read,
    conventions=(
        "node ids of the CapNav graph as the model wrote them, not checked here; answer yes or no;"
        " the id of a run is the name of its prompt, <question id>__<AGENT>; written from the"
        " public program, no published sample was found"
    ),
    source="makeabilitylab/CapNav:src/model_adapters/qwen3_vl_adapter.py",
    write=write,
    keys=("scene", "prompt_file", "num_frames"),
    dataset="CapNav",
    way=Way.VIEWPOINTS,
    is_run_folder=_holds_scenes,
    reads_below=True,
    told_by_path=_told_by_path,
)
