"""The text of Open-Nav's navigator log, cut into episodes, steps and sections.

Source: YanyuanQiao/Open-Nav:vlnce_baselines/common/base_il_trainer_llm.py and navigator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, Option, RunEnd
from waypost.io.logs.text_lines import read_lines
from waypost.io.read_log import ReadLog

_EPISODE: Final = re.compile(r"^=+ The current episode id is (?P<id>.+?) =+$")
_STEP: Final = re.compile(r"^-{10,} Step (?P<step>\d+) -{10,}$")
_SECTION: Final = re.compile(r"^={10} (?P<name>[^=]+?) ={10}$")
_HEADER: Final = re.compile(r"^(?P<name>Instruction|Actions|Landmarks): ?(?P<text>.*)$")
_ACTION: Final = re.compile(r"'(?P<name>angle|distance)': (?:[\w.]+\()?(?P<value>[-+.\de]+)")
_CHOSEN: Final = re.compile(r"^In test decision the predicted direction: (?P<text>.*)$")
_RANDOM: Final = re.compile(r"Random choice a next predicted action (?P<text>\S+)")
_FUSED: Final = re.compile(r"^Pred viewpoint ID: (?P<target>.*?) (?:Fused )?Thought: (?P<text>.*)$")
_ERROR: Final = re.compile(r"^Error in (?:next action prediction|test decision|fused_thought)")
_VIEW: Final = re.compile(r"^Direction (?P<label>\d+)\b(?P<text>.*)$")
_SAVED: Final = "The history at current step is"
_LONG_PLAN: Final = 6
_SHORT_STEPS, _LONG_STEPS = 6, 8


@dataclass(slots=True)
class _Step:
    """The lines of one pass of the main loop."""

    number: int
    sections: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Episode:
    """What the log has of one episode so far."""

    episode_id: str
    headers: dict[str, str] = field(default_factory=dict)
    steps: list[_Step] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Whether the last step was saved and is the one after which an episode ends."""
        lines = self.headers.get("Actions", "").split("\n")
        last = _SHORT_STEPS if len(lines) <= _LONG_PLAN else _LONG_STEPS
        if not self.steps or self.steps[-1].number < last:
            return False
        saved = self.steps[-1].sections.get("save history", [])
        return any(line.startswith(_SAVED) for line in saved)


def is_log(text: str) -> bool:
    """Whether some line is the banner of an episode."""
    return any(_EPISODE.match(line[line.find("==") :].strip()) for line in text.split("\n"))


def read_log(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per episode; the last one is left out if the log breaks off within it.

    Raises:
        ReadError: If the file cannot be read.
    """
    episode: _Episode | None = None
    name = ""
    for line in read_lines(path, log, only_ended=True):
        banner = _EPISODE.match(line)
        step = _STEP.match(line)
        section = _SECTION.match(line)
        if banner:
            episode_id = normal_id(banner["id"])
            if episode is not None and episode.episode_id != episode_id:
                yield _run(episode)
                episode = None
            episode = episode or _Episode(episode_id)
            name = ""
        elif episode is None:
            continue
        elif step:
            episode.steps.append(_Step(int(step["step"])))
            name = "start"
        elif section and episode.steps:
            name = section["name"]
        else:
            name = _take(episode, name, line)
    if episode is not None and episode.is_finished:
        yield _run(episode)
    elif episode is not None:
        log.add(
            ImportKind.TRUNCATED,
            f"{path} breaks off within episode {episode.episode_id}, after"
            f" {len(episode.steps)} steps; it is left out",
            item_id=episode.episode_id,
            step=len(episode.steps),
        )


def _take(episode: _Episode, name: str, line: str) -> str:
    """Put a line where it belongs; the main loop repeats the headers before every step."""
    header = _HEADER.match(line)
    if header and name in {"", *(f"header {key}" for key in ("Instruction", "Actions"))}:
        episode.headers[header["name"]] = header["text"]
        return f"header {header['name']}"
    if name.startswith("header "):
        episode.headers[name.removeprefix("header ")] += "\n" + line
    elif episode.steps:
        episode.steps[-1].sections.setdefault(name or "start", []).append(line)
    return name


def _run(episode: _Episode) -> EpisodeRun:
    plan = episode.headers.get("Actions", "").strip()
    decisions = tuple(_decision(step, plan) for step in episode.steps)
    landmarks = episode.headers.get("Landmarks", "").strip()
    return EpisodeRun(
        episode.episode_id,
        decisions=decisions,
        end=RunEnd(
            called_stop=False if episode.is_finished else None,
            reason="step limit" if episode.is_finished else "",
        ),
        instruction=episode.headers.get("Instruction", "").strip(),
        extra=MappingProxyType({"landmarks": landmarks} if landmarks else {}),
    )


def _decision(step: _Step, plan: str) -> Decision:
    lines = [line for part in step.sections.values() for line in part]
    chosen = [match["text"] for line in lines if (match := _CHOSEN.match(line))]
    chosen += [match["text"].rstrip(",") for line in lines if (match := _RANDOM.search(line))]
    fused = {m["target"]: m["text"] for line in lines if (m := _FUSED.match(line))}
    final = next((line for line in lines if line.startswith("The final env action:")), "")
    numbers = {m["name"]: float(m["value"]) for m in _ACTION.finditer(final)}
    if not chosen and len(fused) == 1 and final:
        chosen = list(fused)
    action = chosen[-1].strip() if chosen else ""
    views = step.sections.get("Get Observation", [])
    extra: dict[str, Any] = {
        name: "\n".join(part).strip() for name, part in step.sections.items() if "".join(part)
    }
    extra |= {"angle_rad": numbers["angle"]} if "angle" in numbers else {}
    extra |= {"distance_m": numbers["distance"]} if "distance" in numbers else {}
    return Decision(
        0,
        0,
        action=action,
        raw_text=extra.get("Next Action Prediction", ""),
        observation="\n".join(views).strip(),
        thought=fused.get(action, ""),
        plan=plan,
        options=tuple(
            Option(view["label"], text=view["text"].strip())
            for line in views
            if (view := _VIEW.match(line))
        ),
        events=_events(lines, has_moved=bool(final) and not _failed(lines)),
        extra=MappingProxyType({"step": step.number, **extra}),
    )


def _failed(lines: list[str]) -> bool:
    return any(line.startswith("Error in next action prediction") for line in lines)


def _events(lines: list[str], *, has_moved: bool) -> tuple[Event, ...]:
    events = [Event(EventKind.OTHER, line) for line in lines if _ERROR.match(line)]
    events += [Event(EventKind.OTHER, line) for line in lines if _RANDOM.search(line)]
    if not has_moved:
        events.append(Event(EventKind.NO_MOVE, "no direction was chosen; the step is repeated"))
    return tuple(events)
