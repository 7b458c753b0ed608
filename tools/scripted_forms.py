"""Runs of the scripted agent in the forms of NavGPT, MapGPT and Waypost.

Source: GengzeZhou/NavGPT:nav_src/agent.py; chen-judge/MapGPT:vln/agent_base.py,
GPT/one_stage_prompt_manager.py.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from tools.scripted_agent import (
    MODEL,
    NOTE,
    RADIUS_M,
    ScriptedRun,
    ScriptedStep,
    told_turn,
    turn_rad,
)
from waypost.domain.base.frames import bearing_rad
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, Option, RunEnd
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.logs.waypost_runs import run_record

_LETTERS: Final = "ABCDEFGHIJKLM"
_NO_ACTION: Final = "Invalid Format: Missing 'Action:' after 'Thought:'"


def navgpt_record(run: ScriptedRun, graph: ViewpointGraph, names: Mapping[str, str]) -> Any:
    """A record of NavGPT's details, in the mode where a tool of the model chooses the moves."""
    details: list[dict[str, Any]] = []
    thoughts: list[str] = []
    observations: list[str] = []
    for step in run.steps:
        if step.is_garbled:
            thoughts.append(step.thought)
            observations.append(_NO_ACTION)
        elif step.is_return:
            thoughts.append(f'Thought: {step.thought}\nAction: back_tracer\nAction Input: ""')
            observations.append(f"\tBack_tracer Thought:\n{_seen(step.target_id, graph, names)}")
        elif step.target_id:
            turn = turn_rad(graph, step.at_id, step.target_id, step.facing_rad)
            thoughts.append(
                f"Thought: I am at the part “{step.clause}”.\n"
                f'Action: action_maker\nAction Input: "{step.clause}"'
            )
            turned = f"Turn {'left' if turn > 0 else 'right'} {abs(math.degrees(turn)):.1f} degree"
            observations.append(
                f"\n\tAction_maker Thought:\n{step.thought}\n\tAction_maker Action:\n{turned}."
                f"\n{_seen(step.target_id, graph, names)}"
            )
            details.append(
                {
                    "viewpointID": step.target_id,
                    "turned_angle": turned,
                    "acion_maker_thought": step.thought,
                    "feature": _seen(step.target_id, graph, names),
                    "history": f"from {names[step.at_id]}",
                }
            )
    last = run.steps[-1]
    output = f"Thought: {last.thought}\nFinal Answer: Finished!"
    return {
        "instr_id": run.episode.episode_id,
        "trajectory": [[name] for name in run.viewpoint_ids],
        "details": details,
        "action_plan": f"{NOTE} Plan: {run.episode.instruction.text}",
        "llm_output": output if run.called_stop else "Agent stopped due to iteration limit.",
        "llm_thought": thoughts,
        "llm_observation": observations,
        "note": NOTE,
    }


def mapgpt_case(run: ScriptedRun, graph: ViewpointGraph) -> Any:
    """MapGPT's case file, with the scores that tell cases and console logs together."""
    choices = [
        step.option_ids.index(step.target_id) + 1 if step.target_id else 0 for step in _asked(run)
    ]
    return {
        "a_t": {str(number): choice for number, choice in enumerate(choices)},
        "details": {},
        "evaluation": {name: [value] for name, value in _scores(run, graph).items()},
        "gt_traj": list(run.episode.reference.viewpoint_ids),
        "instr_id": run.episode.episode_id,
        "note": NOTE,
        "scan": run.episode.scene_id,
        "trajectory": [[name] for name in run.viewpoint_ids],
    }


def mapgpt_console(run: ScriptedRun, graph: ViewpointGraph) -> str:
    """What MapGPT prints about a case: a prompt and an answer for each step, then scores."""
    numbers = {run.viewpoint_ids[0]: 0}
    walked: list[str] = []
    text, history, plan = "", "", "Navigation has just started, with no planning yet."
    for number, step in enumerate(_asked(run)):
        walked.append(step.at_id)
        for name in step.option_ids:
            numbers.setdefault(name, len(numbers))
        letters = _option_letters(step, numbers, graph, has_stop=number > 0)
        text += _banner("Environment Prompts") + _prompt(
            run, number, history, _map_text(walked, numbers, graph), plan, letters
        )
        text += _banner("Output")
        if step.is_garbled:
            text += f"{step.thought}\n"
            continue
        letter = "A" if step.stops else _letter(step, has_stop=number > 0)
        plan = f"Do “{step.clause}”, then see what is left."
        answer = {"Thought": step.thought, "New Planning": plan, "Action": letter}
        text += json.dumps(answer, ensure_ascii=False, indent=2) + "\n"
        history += f"step {number}: {letters[letter]}, "
    shown = "  ".join(
        f"{name}: {100 * value if name in _SHARES else value:.2f}"
        for name, value in _scores(run, graph).items()
    )
    return f"{text}Current case  -  {shown}\n"


def own_line(run: ScriptedRun, graph: ViewpointGraph, names: Mapping[str, str], seed: int) -> Any:
    """A line of Waypost's open form, with headings, options and prompts."""
    poses = [graph.positions_m[graph.index[name]].tolist() for name in run.viewpoint_ids]
    yaws = [run.steps[0].facing_rad]
    yaws += [bearing_rad(start, end) for start, end in itertools.pairwise(poses)]
    floor = graph.floor_positions_m
    decisions: list[Decision] = []
    at = 0
    for step in run.steps:
        at += bool(step.target_id)
        decisions.append(_decision(run, step, at, graph, names))
    reason = "" if run.called_stop else f"no move in {len(run.steps) - at} answers"
    made = EpisodeRun(
        run.episode.episode_id,
        route(
            run.viewpoint_ids,
            np.array([floor[graph.index[name]] for name in run.viewpoint_ids]),
            np.array(yaws),
        ),
        tuple(decisions),
        RunEnd(run.called_stop, reason, len(run.steps)),
        scene_id=run.episode.scene_id,
        instruction=run.episode.instruction.text,
        extra=MappingProxyType({"note": NOTE}),
    )
    return run_record(made, {"model": MODEL, "setting": f"seed {seed}"})


def _decision(
    run: ScriptedRun,
    step: ScriptedStep,
    moves: int,
    graph: ViewpointGraph,
    names: Mapping[str, str],
) -> Decision:
    options = tuple(
        Option(
            letter,
            name,
            yaw_rad=step.facing_rad + turn_rad(graph, step.at_id, name, step.facing_rad),
            text=f"{names[name]}, " + told_turn(turn_rad(graph, step.at_id, name, step.facing_rad)),
        )
        for letter, name in zip(_LETTERS, step.option_ids, strict=False)
    )
    labels = {option.viewpoint_id: option.label for option in options}
    action = "stop" if step.stops else labels.get(step.target_id, "")
    listed = "\n".join(f"{option.label}. {option.text}" for option in options)
    events: tuple[Event, ...] = ()
    raw = (
        f"<Reasoning>{step.thought}</Reasoning>\n"
        f"<Reflection>The part at hand is “{step.clause}”.</Reflection>\n"
        f"<Final Decision>{action}</Final Decision>"
    )
    if step.is_garbled:
        events, raw = (Event(EventKind.NO_MOVE, "the text names no option"),), step.thought
    elif step.stops:
        events = (Event(EventKind.STOP, "the agent stopped"),)
    return Decision(
        moves if step.target_id else moves + 1,
        moves + 1,
        step.at_id,
        action,
        raw,
        f"Instruction: {run.episode.instruction.text}\nYou are at {names[step.at_id]}.\n"
        f"Options:\n{listed}\nor stop.",
        thought=step.thought,
        options=options,
        events=events,
    )


def _seen(viewpoint_id: str, graph: ViewpointGraph, names: Mapping[str, str]) -> str:
    near = sorted(graph.neighbours[graph.index[viewpoint_id]])
    around = ", ".join(names[graph.viewpoint_ids[index]] for index in near)
    return f'Current Viewpoint "{viewpoint_id}":\n{names[viewpoint_id]}; from here: {around}'


def _asked(run: ScriptedRun) -> tuple[ScriptedStep, ...]:
    """The steps that MapGPT has: it stops at the first answer that names no option."""
    first = next((number for number, step in enumerate(run.steps) if step.is_garbled), None)
    return run.steps if first is None else run.steps[: first + 1]


_SHARES: Final = frozenset({"success", "oracle_success", "spl"})
"""Scores that MapGPT prints in percent."""


def _scores(run: ScriptedRun, graph: ViewpointGraph) -> dict[str, float]:
    places = [graph.index[name] for name in run.viewpoint_ids]
    reference = run.episode.reference.viewpoint_ids
    to_goal = graph.geodesics_m[:, graph.index[reference[-1]]]
    length = sum(float(graph.geodesics_m[a, b]) for a, b in itertools.pairwise(places))
    shortest = float(to_goal[graph.index[reference[0]]])
    success = float(to_goal[places[-1]] < RADIUS_M)
    return {
        "trajectory_lengths": length,
        "nav_error": float(to_goal[places[-1]]),
        "oracle_success": float(min(to_goal[places]) < RADIUS_M),
        "success": success,
        "spl": success * shortest / max(length, shortest, 0.01),
    }


def _banner(name: str) -> str:
    return f"{'-' * 20} {name} {'-' * 20}\n"


def _letter(step: ScriptedStep, *, has_stop: bool) -> str:
    return _LETTERS[step.option_ids.index(step.target_id) + has_stop]


def _option_letters(
    step: ScriptedStep, numbers: Mapping[str, int], graph: ViewpointGraph, *, has_stop: bool
) -> dict[str, str]:
    texts = ["stop"] if has_stop else []
    for name in step.option_ids:
        where = told_turn(turn_rad(graph, step.at_id, name, step.facing_rad))
        number = numbers[name]
        texts.append(
            f"{_MANOEUVRES[where]} to Place {number} which is corresponding to Image {number}"
        )
    return dict(zip(_LETTERS, texts, strict=False))


_MANOEUVRES: Final = MappingProxyType(
    {
        "ahead": "go forward",
        "behind me": "turn around",
        "to the left": "turn left",
        "to the right": "turn right",
    }
)


def _map_text(walked: list[str], numbers: Mapping[str, int], graph: ViewpointGraph) -> str:
    """Trajectory, map and what was seen and not visited, as MapGPT numbers them."""
    visited = list(dict.fromkeys(walked))
    lines = []
    for name in visited:
        near = (graph.viewpoint_ids[index] for index in sorted(graph.neighbours[graph.index[name]]))
        joined = ", ".join(str(numbers[other]) for other in near)
        lines.append(f"Place {numbers[name]} is connected with Places {joined}")
    beside = [
        f"Place {number}, which is corresponding to Image {number}"
        for name, number in numbers.items()
        if name not in visited
    ]
    trajectory = " ".join(str(numbers[name]) for name in walked)
    return (
        f"Trajectory: Place {trajectory}\nMap:\n"
        + "\n".join(lines)
        + "\nSupplementary Info: \n"
        + "\n".join(beside)
    )


def _prompt(
    run: ScriptedRun, number: int, history: str, map_text: str, plan: str, letters: dict[str, str]
) -> str:
    options = ", ".join(f"'{letter}. {text}'" for letter, text in letters.items())
    return (
        f"Instruction: {run.episode.instruction.text}\n"
        f"History: {history or 'The navigation has just begun, with no history.'}\n"
        f"{map_text}\nPrevious Planning:\n{plan}\nAction options (step {number}): [{options}]\n"
    )
