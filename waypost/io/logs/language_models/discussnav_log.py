"""DiscussNav's log text, the only place where its path, predictions and thoughts are.

Source: LYX0501/DiscussNav:DiscussNav.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, Option
from waypost.io.file_head import FileHead
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.text_lines import read_lines
from waypost.io.read_log import ReadLog

_START: Final = re.compile(r"^={60,}$")
_STEP: Final = re.compile(r"^-{20,}Step (?P<step>\d+)-{20,}$")
_HEADER: Final = re.compile(r"^(?P<name>Instruction|GT Path|Path Length|Actions): ?(?P<text>.*)$")
_MOVE: Final = re.compile(r"^Move to (?P<target>\S+)$")
_FUSED: Final = re.compile(r"^Pred: (?P<target>\S+) Fused Thought: (?P<text>.*)$", re.DOTALL)
_REFUSED: Final = re.compile(r"^(?P<text>.*) (?:Length Problem|not in the candidates)$")
_VIEW: Final = re.compile(
    r"^Direction (?P<label>\d+) .*?Navigable Viewpoint ID: (?P<viewpoint>\S+)(?P<text>.*)$"
)
_NAMED: Final = re.compile(
    r"^(?P<name>history VP|Landmarks|History|Executed Actions|Pred)[: ]", re.IGNORECASE
)
_ANSWER: Final = re.compile(r"^\W*(?:Thought|Prediction)\b")
_SCORES: Final = re.compile(r"^\{'trajectory_length'.*\}$")
_SCORE: Final = re.compile(r"'(?P<name>\w+)': (?:np\.float64\()?(?P<value>[-+.\w]+)")
_QUOTED: Final = re.compile(r"'([^']*)'")


def can_read(head: FileHead) -> bool:
    """Whether the text has an instruction with its ground-truth path."""
    if head.is_folder or head.sample is not None:
        return False
    return "Instruction: " in head.text and "GT Path: [" in head.text


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per finished episode.

    Raises:
        ReadError: If the file cannot be read.
    """
    lines: list[str] = []
    is_open = False
    for line in read_lines(path, log, only_ended=True):
        if _START.match(line):
            if is_open:
                _say_unfinished(lines, path, log)
            lines, is_open = [], True
        elif is_open and _SCORES.match(line):
            yield _run(lines, line, log)
            lines, is_open = [], False
        elif is_open:
            lines.append(line)
    if is_open:
        _say_unfinished(lines, path, log)


def _say_unfinished(lines: list[str], path: Path, log: ReadLog) -> None:
    headers, steps = _split(lines)
    log.add(
        ImportKind.TRUNCATED,
        f"{path} breaks off within an episode, after {len(steps)} steps; it is left out",
        item_id=str(path),
        step=len(steps),
        value=headers.get("Instruction", "")[:120],
    )


def _split(lines: list[str]) -> tuple[dict[str, str], list[list[str]]]:
    """The headers by name, each with its further lines, and the lines of every step."""
    headers: dict[str, str] = {}
    steps: list[list[str]] = []
    name = ""
    for line in lines:
        header = _HEADER.match(line) if not steps else None
        if _STEP.match(line):
            steps.append([])
        elif steps:
            steps[-1].append(line)
        elif header:
            name = header["name"]
            headers[name] = header["text"]
        elif name:
            headers[name] += "\n" + line
    return headers, steps


def _run(lines: list[str], scores: str, log: ReadLog) -> EpisodeRun:
    headers, steps = _split(lines)
    instruction = headers.get("Instruction", "").strip()
    reference = _QUOTED.findall(headers.get("GT Path", ""))
    viewpoints = [reference[0]] if reference else []
    decisions = []
    for step in steps:
        move = next((match for line in step if (match := _MOVE.match(line))), None)
        if move:
            viewpoints.append(move["target"])
        plan = headers.get("Actions", "").strip()
        decisions.append(_decision(step, viewpoints, plan, moved=move is not None))
    title = instruction[:60] or "an episode without instruction"
    reported, rest = _numbers(scores, title, log)
    extra: dict[str, Any] = {"gt_path": reference, **rest}
    return EpisodeRun(
        episode_id="",
        route=route(viewpoints) if viewpoints else EMPTY_ROUTE,
        decisions=tuple(decisions),
        reported=MappingProxyType(reported),
        instruction=instruction,
        extra=MappingProxyType(extra),
        record="\n".join(lines),
    )


def _numbers(line: str, title: str, log: ReadLog) -> tuple[dict[str, float | None], dict[str, str]]:
    """Scores of a printed dictionary, which is never evaluated, and what in it is no number."""
    numbers: dict[str, float | None] = {}
    for match in _SCORE.finditer(line):
        try:
            value = float(match["value"])
        except ValueError:
            continue
        if not abs(value) < float("inf"):
            log.add(
                ImportKind.NOT_FINITE,
                f"{title}: {match['name']} is {match['value']}, which counts as unknown",
                item_id=title,
                value=match["value"],
            )
        numbers[match["name"]] = value if abs(value) < float("inf") else None
    texts = re.findall(r"'(\w+)': '([^']*)'", line)
    return numbers, dict(texts)


def _decision(step: list[str], viewpoints: list[str], plan: str, *, moved: bool) -> Decision:
    end = len(viewpoints)
    first = end - 1 if moved else end
    target = viewpoints[-1] if moved and viewpoints else ""
    parts = _parts(step)
    fused = {
        match["target"]: match["text"] for line in parts["fused"] if (match := _FUSED.match(line))
    }
    events = []
    if not moved:
        events.append(
            Event(EventKind.NO_MOVE, "no prediction was valid often enough; the agent stayed")
        )
    events += [Event(EventKind.OTHER, f"not counted: {text}") for text in parts["refused"]]
    return Decision(
        first,
        end,
        at_viewpoint_id=viewpoints[first - 1] if first else "",
        action=target,
        raw_text="\n".join(parts["answers"]).strip(),
        observation="\n".join(parts["views"]),
        thought=fused.get(target, ""),
        plan=plan,
        options=tuple(
            Option(view["label"], view["viewpoint"], text=view["text"].strip())
            for line in parts["views"]
            if (view := _VIEW.match(line))
        ),
        events=tuple(events),
        extra=MappingProxyType({"fused": fused, "context": "\n".join(parts["context"])}),
    )


def _parts(step: list[str]) -> dict[str, list[str]]:
    """The lines of a step by what they are; lines that go on belong to what went before."""
    parts: dict[str, list[str]] = {
        name: [] for name in ("views", "context", "answers", "refused", "fused", "moves")
    }
    name = "context"
    for line in step:
        if _MOVE.match(line):
            name = "moves"
        elif _FUSED.match(line):
            name = "fused"
        elif _REFUSED.match(line):
            parts["refused"].append(line)
            continue
        elif _VIEW.match(line):
            name = "views"
        elif _NAMED.match(line):
            name = "context"
        elif _ANSWER.match(line):
            name = "answers"
        if name == "fused" and parts["fused"] and not _FUSED.match(line):
            parts["fused"][-1] += "\n" + line
        else:
            parts[name].append(line)
    return parts


FORMAT: Final = RunFormat(
    name="discussnav-log",
    title="DiscussNav log",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints, no headings; the run begins at the first viewpoint of the"
        " logged ground truth; no ids: a run belongs to the episode with its instruction and"
        " path; no STOP, a run ends after a set number of steps; written from the public program,"
        " no published sample was found"
    ),
    source="LYX0501/DiscussNav:DiscussNav.py",
)
