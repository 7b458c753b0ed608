"""Console logs of MapGPT and MSNav, the only place where prompts, options and thoughts are.

Sections stand under banners; an episode begins with the prompt of step 0 and ends with the line
of its scores. Places are numbered as the agent met them; viewpoint ids are in the case files.
Source: chen-judge/MapGPT:vln/gpt_agent.py, GPT/one_stage_prompt_manager.py; MrCapricornLiu/MSNav.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.image_limit import IMAGE_LIMIT, NO_OPTION
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, Option, RunEnd
from waypost.io.file_head import FileHead, read_head
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.text_lines import read_lines
from waypost.io.read_log import ReadLog
from waypost.io.table_cells import number_in

_BANNER: Final = re.compile(r"^-{10,} (?P<name>Environment Prompts|Output) -{10,}\s*$")
_SCORES: Final = re.compile(r"^Current case\s+-(?P<scores>.*)$")
_SCORE: Final = re.compile(
    r"(?P<name>[A-Za-z_]\w*):\s*(?P<value>[-+]?(?:nan|inf|[\d.]+(?:e[-+]?\d+)?))"
)
_LIMIT: Final = "Exceed image limit and stop!"
_FIELD: Final = re.compile(
    r"^(?P<name>Instruction|History|Trajectory|Map|Supplementary Info|Previous Planning"
    r"|Action options \(step (?P<step>\d+)\)|Possible destination info):",
    re.MULTILINE,
)
_OPTION: Final = re.compile(r"['\"](?P<label>[A-Z])\. (?P<text>[^'\"]*)['\"]")
_PLACE: Final = re.compile(r"Place (?P<number>\d+)")
_LETTER: Final = re.compile(r"Action:\s*([A-M])")
_RECEIVED: Final = re.compile(r"^'''$\n(?P<text>.*?)\n^'''$", re.DOTALL | re.MULTILINE)
_PRUNING: Final = "--- Pruning Scores"
_NOT_JSON: Final = "ERROR: Failed to decode JSON"
_PART: Final = re.compile(
    r"^\W*(?P<name>Thought|Distance|New Planning|Action)\W*:[ *]*", re.MULTILINE
)


def is_console(path: Path) -> bool:
    """Whether a text file holds the banners; a file that cannot be read does not."""
    try:
        return can_read(read_head(path))
    except ReadError:
        return False


def can_read(head: FileHead) -> bool:
    """Whether the text has the banner of a prompt."""
    if head.is_folder or head.sample is not None:
        return False
    return any(_BANNER.match(line.rstrip("\r")) for line in head.text.split("\n"))


@dataclass(slots=True)
class _Step:
    """What the log shows of one step."""

    prompt: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Lines under no banner, such as MSNav's pruning scores and the text it received."""


def read_console(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per finished episode; it has decisions and no route.

    Raises:
        ReadError: If the file cannot be read.
    """
    steps: list[_Step] = []
    loose: list[str] = []
    into = loose
    for line in read_lines(path, log, only_ended=True):
        banner = _BANNER.match(line)
        scores = _SCORES.match(line)
        if banner and banner["name"] == "Environment Prompts":
            steps.append(_Step(notes=loose))
            into, loose = steps[-1].prompt, []
        elif banner and steps:
            into = steps[-1].output
        elif scores:
            finished = _finished(steps, path, log)
            if finished:
                yield _run(finished, loose, scores["scores"])
            steps, loose = [], []
            into = loose
        elif line.startswith(_PRUNING):
            loose.append(line)
            into = loose
        elif steps and line.startswith((_LIMIT, "DEBUG: Received", "ERROR: ", "WARN: ")):
            steps[-1].notes.append(line)
            into = steps[-1].notes
        else:
            into.append(line)
    if steps:
        _say_unfinished(steps, path, log)


def _finished(steps: list[_Step], path: Path, log: ReadLog) -> list[_Step]:
    """The steps of the episode that ends here; a new step 0 means the one before broke off."""
    starts = [i for i, step in enumerate(steps) if _fields_of(step).get("step") == "0"]
    if len(starts) > 1:
        _say_unfinished(steps[: starts[-1]], path, log)
        return steps[starts[-1] :]
    return steps


def _say_unfinished(steps: list[_Step], path: Path, log: ReadLog) -> None:
    log.add(
        ImportKind.TRUNCATED,
        f"{path} breaks off within an episode, after {len(steps)} steps; it is left out",
        item_id=str(path),
        step=len(steps),
        value=_fields_of(steps[0]).get("Instruction", "").strip()[:120],
    )


def _run(steps: list[_Step], loose: list[str], scores: str) -> EpisodeRun:
    fields = [_fields_of(step) for step in steps]
    instruction = fields[0].get("Instruction", "").strip()
    decisions = tuple(
        _decision(step, parts, is_last=index == len(steps) - 1)
        for index, (step, parts) in enumerate(zip(steps, fields, strict=True))
    )
    reported = {match["name"]: number_in(match["value"]) for match in _SCORE.finditer(scores)}
    kinds = {event.kind for event in decisions[-1].events}
    has_stopped = EventKind.STOP in kinds
    forced = "" if has_stopped or decisions[-1].extra["choice"] else _forced(steps[-1])
    extra: dict[str, Any] = {
        "places": _places(fields),
        "text_map_places": _map_places(fields),
        "choices": [entry.extra["choice"] for entry in decisions],
    }
    if any(line.strip() for line in loose):
        extra["console"] = "\n".join(loose).strip("\n")
    return EpisodeRun(
        episode_id="",
        decisions=decisions,
        end=RunEnd(called_stop=has_stopped, reason=forced, action_count=len(steps)),
        reported=MappingProxyType(reported),
        instruction=instruction,
        extra=MappingProxyType(extra),
    )


def _forced(last: _Step) -> str:
    """Why the program stopped a run that the model did not stop."""
    return IMAGE_LIMIT if _LIMIT in "\n".join(last.notes) else NO_OPTION


def _fields_of(step: _Step) -> dict[str, str]:
    """The parts of a prompt by name; the step number is under ``step``."""
    prompt = "\n".join(step.prompt)
    parts: dict[str, str] = {}
    matches = list(_FIELD.finditer(prompt))
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(prompt)
        name = match["name"]
        if match["step"] is not None:
            parts["step"], name = match["step"], "Action options"
        parts.setdefault(name, prompt[match.end() : end].strip("\n"))
    return parts


def _places(fields: Iterable[dict[str, str]]) -> list[int]:
    """The numbered places walked, as the last prompt shows them."""
    walked = [parts["Trajectory"] for parts in fields if "Trajectory" in parts]
    return [int(number) for number in re.findall(r"\d+", walked[-1])] if walked else []


def _map_places(fields: Iterable[dict[str, str]]) -> list[int]:
    """Every place of the last map and of what lies beside it; their viewpoints are not logged."""
    known = [parts for parts in fields if "Map" in parts]
    if not known:
        return []
    text = known[-1]["Map"] + "\n" + known[-1].get("Supplementary Info", "")
    lists = re.findall(r"Place (\d+)(?: is connected with Places([\d, ]*))?", text)
    numbers = [n for place, joined in lists for n in (place, *re.findall(r"\d+", joined))]
    return [int(number) for number in dict.fromkeys(numbers)]


def _decision(step: _Step, parts: dict[str, str], *, is_last: bool) -> Decision:
    notes = "\n".join(step.notes)
    received = _RECEIVED.search(notes)
    output = "\n".join(step.output).strip()
    raw = received["text"] if received else output
    # After text that is no JSON, MSNav prints the answer of the step before once more.
    answer = {} if _NOT_JSON in notes else _answer(output)
    options = _options(parts.get("Action options", ""))
    chosen = next((option for option in options if option.label == answer.get("Action")), None)
    walked = re.findall(r"\d+", parts.get("Trajectory", ""))
    extra: dict[str, Any] = {"place": int(walked[-1])} if walked else {}
    extra["choice"] = _choice(chosen, options, notes)
    if notes.strip():
        extra["console"] = notes.strip("\n")
    for name in ("Map", "History", "Supplementary Info", "Distance"):
        if (text := answer.get(name) or parts.get(name)) is not None:
            extra[name.lower().replace(" ", "_")] = text
    return Decision(
        0,
        0,
        action=answer.get("Action", ""),
        raw_text=raw,
        prompt="\n".join(step.prompt).strip("\n"),
        thought=answer.get("Thought", ""),
        plan=answer.get("New Planning", ""),
        options=options,
        events=_events(chosen, extra["choice"], notes, is_last=is_last),
        extra=MappingProxyType(extra),
    )


def _choice(chosen: Option | None, options: tuple[Option, ...], notes: str) -> int:
    """The number that the case file has for this step: 0 to stop, else the candidate from 1 on."""
    if _LIMIT in notes or _NOT_JSON in notes:
        return 0
    has_stop = bool(options) and options[0].text.strip() == "stop"
    index = options.index(chosen) if chosen is not None else 0
    return index if has_stop else index + 1


def _events(chosen: Option | None, choice: int, notes: str, *, is_last: bool) -> tuple[Event, ...]:
    if _LIMIT in notes:
        return (Event(EventKind.OTHER, "the limit of pictures was reached; the program stopped"),)
    if chosen is None and choice == 0:
        return (Event(EventKind.NO_MOVE, "the text names no option; the program stopped"),)
    if chosen is None:
        end = "and the log shows no later step" if is_last else "and it was taken"
        message = f"the text names no option; the first one counts by default, {end}"
        return (Event(EventKind.OTHER, message),)
    if choice == 0:
        return (Event(EventKind.STOP, f"option {chosen.label}"),)
    return ()


def _options(text: str) -> tuple[Option, ...]:
    """Options of a printed list; the list is never evaluated."""
    return tuple(
        Option(
            match["label"],
            text=match["text"],
            picture=f"Image {place['number']}" if (place := _PLACE.search(match["text"])) else "",
        )
        for match in _OPTION.finditer(text)
    )


def _answer(output: str) -> dict[str, str]:
    """Thought, planning and action of a text or JSON answer, as far as it has them."""
    start, end = output.find("{"), output.rfind("}")
    if start >= 0 and end > start:
        try:
            value = json.loads(output[start : end + 1])
        except (RecursionError, ValueError):
            value = None
        if isinstance(value, dict):
            return {
                name: text if isinstance(text, str) else json.dumps(text)
                for name, text in value.items()
            }
    parts: dict[str, str] = {}
    matches = list(_PART.finditer(output))
    for index, match in enumerate(matches):
        stop = matches[index + 1].start() if index + 1 < len(matches) else len(output)
        parts[match["name"]] = output[match.end() : stop].strip()
    letters = _LETTER.findall(output[max(output.rfind("Action"), 0) :])
    if letters:
        parts["Action"] = letters[-1]
    return parts


FORMAT: Final = RunFormat(
    name="mapgpt-console",
    title="Console log of MapGPT or MSNav",
    can_read=can_read,
    read=read_console,
    conventions=(
        "places numbered as the agent met them, no viewpoints, no positions and no instruction"
        " ids: read it in one folder with its case files, or episodes are found by instruction"
        " text; written from the public programs, no published sample was found"
    ),
    source="chen-judge/MapGPT:vln/gpt_agent.py",
)
