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
from waypost.io.json_reading import JsonValue, kind_of
from waypost.io.json_writing import write_json_file
from waypost.io.logs.run_format import RunFormat, Way, setting_of
from waypost.io.logs.run_records import (
    files_in,
    first_file,
    others,
    read_folder,
    read_several,
    top_record,
)
from waypost.io.logs.run_writing import record_or, viewpoints_of
from waypost.io.read_log import ReadLog

_RESULTS: Final = "**/*__*.json"
_KNOWN: Final = frozenset({"scene", "raw_text", "result"})
_AGENT_MARK: Final = "__"
_PLACE_MARK: Final = ":"
"""Before the place of an answer in its file, as in the released scorer's ``qid``."""

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
    if not isinstance(record, dict) or not {"scene", "prompt_file"} <= record.keys():
        return False
    return not {"result", "num_frames"}.isdisjoint(record)


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per answer, most files have one; a folder is searched at every depth."""
    if path.is_dir():
        return read_folder(files_in(path, _RESULTS), log, read)
    return read_several(path, log, _runs, as_lines=True)


def _runs(item: Item, log: ReadLog) -> Iterator[EpisodeRun]:
    record = item.json
    prompt = record.field("prompt_file").as_text().removesuffix(".txt")
    entries, failure = _entries(record)
    if len(entries) > 1:
        log.add(
            ImportKind.NOTE,
            f"{prompt} has {len(entries)} answers; each counts, the further ones as"
            f" {prompt}{_PLACE_MARK}1 and so on",
            item_id=prompt,
        )
    if not entries:
        yield _run(record, prompt, prompt, None, failure)
    for place, entry in enumerate(entries):
        name = f"{prompt}{_PLACE_MARK}{place}" if place else prompt
        yield _run(record, name, prompt, entry, "")
    missing = failure or next(filter(None, map(_missing_of, entries)), "")
    if missing:
        counted = "it counts as a format error" if failure else "it counts"
        log.add(
            ImportKind.NOTE,
            f"{prompt}: {missing}; the released scorer leaves it out, as described {counted}",
            item_id=prompt,
        )


def _entries(record: JsonValue) -> tuple[list[JsonValue], str]:
    """The answers of a file, as the released scorer finds them; without any also why."""
    value = record.value.get("result")
    if value is None:
        return [], "has no result"
    if not isinstance(value, list):
        return [], f"its result is {kind_of(value)}, not a list of answers"
    entries = [entry for entry in record.field("result").items() if isinstance(entry.value, dict)]
    return entries, "" if entries else "its list of results holds no answer"


def _missing_of(entry: JsonValue) -> str:
    names = [name for name in ("question", "agent") if not entry.value.get(name)]
    return f"an answer names no {' and no '.join(names)}" if names else ""


def _run(
    record: JsonValue, episode_id: str, prompt: str, entry: JsonValue | None, failure: str
) -> EpisodeRun:
    answer = None if entry is None else _answer(entry)
    told: dict[str, Any] = {} if entry is None else entry.value
    path = _path(answer)
    decision = _decision(record, answer, len(path), failure)
    extra = dict(others(record.value, _KNOWN))
    extra |= {key: value for key, value in told.items() if key in {"question", "agent"}}
    if answer is not None:
        extra |= {"answer": answer.value}
    named = told.get("agent")
    return EpisodeRun(
        episode_id=episode_id,
        route=route(path) if path else EMPTY_ROUTE,
        decisions=(decision,),
        answer=Answer(
            agent_key=_agent_key(prompt, named),
            agent_name=named if isinstance(named, str) else "",
            says=None if answer is None else decision.action,
            reason=decision.thought,
            failure=failure or ("" if entry is None else _missing_of(entry)),
        ),
        scene_id=record.text_of("scene"),
        instruction=question if isinstance(question := told.get("question"), str) else "",
        extra=MappingProxyType(extra),
        record=record.value,
    )


def _answer(entry: JsonValue) -> JsonValue | None:
    """What an entry says; it may be the answer itself."""
    if entry.has("result"):
        inner = entry.field("result")
        return inner if isinstance(inner.value, dict) else None
    return entry if entry.has("answer") else None


def _path(answer: JsonValue | None) -> list[str]:
    if answer is None or not isinstance(answer.value.get("path"), list):
        return []
    return [str(node) for node in answer.value["path"]]


def _decision(record: JsonValue, answer: JsonValue | None, poses: int, failure: str) -> Decision:
    value = answer.value if answer is not None else {}
    events: tuple[Event, ...] = ()
    if answer is None:
        said = record.value.get("parse_error") or record.value.get("error")
        reason = said or failure or "its answer has no result"
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


def prompt_of(run_id: str) -> str:
    """The prompt that a run answers: its id without the place among several answers."""
    prompt, mark, place = run_id.rpartition(_PLACE_MARK)
    return prompt if mark and place.isdecimal() and prompt else run_id


def agent_of(run: EpisodeRun) -> str:
    """Key of the agent that a question was asked for; empty if the run is none of CapNav's.

    The result names it; if it does not, the name of the prompt does.
    """
    if "prompt_file" not in run.extra:
        return ""
    return _agent_key(prompt_of(run.episode_id), run.extra.get("agent"))


def _agent_key(prompt: str, named: object) -> str:
    section = named if isinstance(named, str) else prompt.rpartition(_AGENT_MARK)[2]
    return agent_key_of(section) if section != prompt else ""


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write one file per run, ``<scene>/<prompt>.json``, into a folder.

    Raises:
        InputError: If an id cannot name a file or a run has positions only.
    """
    for (scene_id, prompt), group in itertools.groupby(runs, _file_of):
        parts = (scene_id, prompt)
        if any({"/", "\\"} & set(part) or part in {".", ".."} for part in parts) or not prompt:
            raise InputError(f"{path}: {prompt!r} cannot name a file")
        made, *further = (record_or(run, _is_own, _record) for run in group)
        # Answers that came out of one file share its record.
        more = [entry for record in further if record != made for entry in record["result"] or ()]
        if more:
            made = made | {"result": [*(made["result"] or ()), *more]}
        write_json_file(path / scene_id / f"{prompt}.json", made)
    log.warn("CapNav results hold answers only; further decisions stay behind")


def _lacks(run: EpisodeRun) -> str:
    is_answer = _AGENT_MARK in prompt_of(run.episode_id)
    return "" if is_answer else "question and agent in its id, as in s1_0__HUMAN"


def _file_of(run: EpisodeRun) -> tuple[str, str]:
    return run.scene_id, prompt_of(run.episode_id)


def _record(run: EpisodeRun) -> dict[str, Any]:
    prompt = prompt_of(run.episode_id)
    last = run.decisions[-1] if run.decisions else Decision(0, 0)
    agent = run.answer.agent_name or prompt.rpartition(_AGENT_MARK)[2]
    told = {"question": run.instruction, "agent": agent, "result": _result(run, last)}
    is_left_out = bool(run.answer.failure) and run.answer.says is None
    return {
        "scene": run.scene_id,
        "prompt_file": f"{prompt}.txt",
        "num_frames": None,
        "raw_text": last.raw_text,
        "result": None if is_left_out else [told],
    }


def _result(run: EpisodeRun, last: Decision) -> dict[str, Any] | None:
    """What a run says: its own answer, ``None`` for one that could not be read.

    Whoever walks and answers nothing says that there is a way.
    """
    said, reason = run.answer.says, run.answer.reason
    if said is None and run.answer.agent_key:
        return None
    if said is None:
        said, reason = (last.action if last.action in {"yes", "no"} else "yes"), last.thought
    path = list(viewpoints_of(run, "a CapNav result"))
    return {"answer": said, "path": path, **({"reason": reason} if reason else {})}


FORMAT: Final = RunFormat(
    name=CAPNAV,
    title="CapNav model results",
    can_read=can_read,
    read=read,
    conventions=(
        "node ids of the CapNav graph as the model wrote them, not checked here; answer yes or no;"
        " the id of a run is the name of its prompt, <question id>__<AGENT>, behind which :1, :2, …"
        " tell further answers of a file; written from the public program, no published sample was"
        " found"
    ),
    source="makeabilitylab/CapNav:src/model_adapters/qwen3_vl_adapter.py",
    write=write,
    keys=("scene", "prompt_file", "result"),
    dataset="CapNav",
    way=Way.VIEWPOINTS,
    lacks=_lacks,
    is_run_folder=_holds_scenes,
    reads_below=True,
    told_by_path=_told_by_path,
)
