"""Runs whose step cards, maps and plans are known by hand."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from replay_examples import graph_episode, graph_replay, line_graph

from waypost.domain.episode.episode import Goal, Instruction, Segment, Turn
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, Option
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph

IDS = tuple(f"{digit}" * 32 for digit in "0123456789abcdef")
"""Viewpoint ids of Matterport3D's form."""

HOSTILE = (
    "<b>bold</b><img src='http://x.invalid/a.png'><script>alert(1)</script>"
    " \x1b[31mred\x1b[0m \u202eevil\u202c a\u200bb \ud800 \x00 {{7*7}} &amp; %s"
)


def _maps(step: int) -> str:
    rows = ["Place 0 is connected with Places 1, 2", "Place 2 is connected with Places 0, 3, 4"]
    return "\n".join(rows[: min(step + 1, 2)])


def navgpt_replay(steps: int = 12, prompt_characters: int = 4_000) -> Replay:
    """A run of ``steps`` moves along a row of viewpoints, which turns back, with long texts."""
    names = IDS[:8]
    walked = [names[0], *(names[1 + (move if move < 7 else 12 - move)] for move in range(steps))]
    positions = np.array([[2.0 * i, float(i % 2), 1.5] for i in range(8)])
    joined = np.zeros((8, 8), dtype=bool)
    for a in range(7):
        joined[a, a + 1] = joined[a + 1, a] = True
    graph = build_viewpoint_graph("row", names, positions, joined, heights_m=np.full(8, 1.5))
    decisions = tuple(_navgpt_decision(walked, move, prompt_characters) for move in range(steps))
    episode = replace(graph_episode("ABC"), reference=route(names[:6]), goals=(Goal(names[5]),))
    run = EpisodeRun(
        "7_0",
        route(walked),
        decisions=decisions,
        reported=MappingProxyType({"spl": 0.5, "nav_error": None}),
    )
    return build_replay(episode, run, graph)


def _navgpt_decision(walked: list[str], move: int, prompt_characters: int) -> Decision:
    here, target = walked[move], walked[move + 1]
    thought = f"Step {move}: the sofa is ahead of me, and the instruction says to pass it. " * 6
    return Decision(
        move + 1,
        move + 2,
        at_viewpoint_id=here,
        action=target,
        raw_text=f'Thought: {thought}\nAction: action_maker\nAction Input: "{target}"',
        prompt="History: I walked past a table and a lamp. " * (prompt_characters // 43),
        observation=f"Current viewpoint {here}: a hall with a door on the left. " * 20,
        thought=thought,
        plan="1. leave the room\n2. pass the sofa",
        options=(
            Option("A", target, text="a bright hall with a sofa and a door"),
            Option("B", walked[0], text="the room where it began"),
        ),
        extra=MappingProxyType({"turned_angle": "Turn heading direction 10 degrees"}),
    )


def loop_replay() -> Replay:
    """A-B-A-B-C on the reference A-B-C: first deviation at step 2."""
    decisions = (
        Decision(1, 2, thought="on", action="B"),
        Decision(2, 3, thought="back", action="A"),
        Decision(3, 4, thought="again", action="B"),
        Decision(4, 5, thought="on", action="C"),
        Decision(5, 5, action="stop", events=(Event(EventKind.STOP, "the model's last word"),)),
    )
    return graph_replay("ABABC", decisions=decisions)


def no_move_replay(text: str = "I am lost") -> Replay:
    """Text that names no valid move at the second place."""
    lost = Decision(
        2,
        2,
        action="Z",
        raw_text=text,
        options=(Option("A", "A"), Option("B", "C")),
        events=(Event(EventKind.NO_MOVE, "the text names no valid move; the agent stayed"),),
        extra=MappingProxyType({"result": "Invalid Format: Missing 'Action:'"}),
    )
    return graph_replay("ABC", decisions=(Decision(1, 2), lost, Decision(2, 3)))


def hostile_replay(text: str = HOSTILE) -> Replay:
    """The same text at every place where a file may put one."""
    decision = Decision(
        1,
        2,
        action=text,
        raw_text=f"<Reasoning>{text}</Reasoning>",
        prompt=text,
        observation=text,
        thought=text,
        plan=f"1. {text}",
        options=(Option(text, "B", text=text),),
        events=(Event(EventKind.NO_MOVE, text),),
        extra=MappingProxyType(
            {"map": text, "result": text, "fused": {text: text}, "feedback": text, "context": text}
        ),
    )
    told = Instruction(text, dialogue=(Turn(text, text, 1),))
    episode = graph_episode("ABC", instruction=told)
    run = EpisodeRun(
        "7_0",
        route(("A", "B", "C")),
        decisions=(decision, Decision(2, 3)),
        reported=MappingProxyType({text: 0.5}),
    )
    return build_replay(episode, run, line_graph())


def mapgpt_replay() -> Replay:
    """Text maps at three steps: place 3 and 4 come, places 0 and 1 vanish at last."""
    maps = (_maps(0), _maps(1), "Place 2 is connected with Places 3, 4")
    decisions = tuple(
        Decision(
            i + 1,
            i + 2 if i < 2 else i + 1,
            prompt=f"History: x\nTrajectory: Place {' '.join(['0', '2', '3'][: i + 1])}\nMap:",
            thought="go on",
            plan=("go", "go\nstop", "stop")[i],
            extra=MappingProxyType({"map": text, "supplementary_info": "Place 1, image 1"}),
        )
        for i, text in enumerate(maps)
    )
    return graph_replay("ABC", decisions=decisions)


def plan_replay() -> Replay:
    """A plan that is refined, then made anew after out-of-plan feedback."""
    plans = (
        ("1. to the hall\n2. find the sofa", "in_plan: moved"),
        ("", "out of plan: the door is closed"),
        ("1. to the hall\n2. find another door\n3. find the sofa", ""),
    )
    decisions = tuple(
        Decision(
            i + 1,
            i + 2 if i < 2 else i + 1,
            plan=plan,
            extra=MappingProxyType({"feedback": told} if told else {}),
        )
        for i, (plan, told) in enumerate(plans)
    )
    return graph_replay("ABC", decisions=decisions)


def segmented_replay(walked: str = "ABDC", **changes: Any) -> Replay:
    """Sub-instructions as Fine-Grained R2R has them, tokenised and in lower case."""
    told = Instruction(
        "Leave the room, and then walk past the sofa. Stop.",
        segments=(
            Segment("leave the room", 0, 1),
            Segment("walk past the sofa", 1, 2),
            Segment("stop", 2, 2),
        ),
    )
    episode = graph_episode("ABC", instruction=told, **changes)
    return build_replay(episode, EpisodeRun("7_0", route(tuple(walked))), line_graph())
