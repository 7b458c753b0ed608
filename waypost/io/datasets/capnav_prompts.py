"""What a language model is given for one question and one agent: the nodes, and the words.

What a prompt tells is what CapNav's tells (question, agent profile, nodes by id and name, form of
the answer), in our own words; its two examples, of which one answers the very question, are left
out. Source: makeabilitylab/CapNav:scripts/generate_prompts.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.task import Task
from waypost.io.agent_files import shipped_agents
from waypost.io.atomic import write_text_atomic
from waypost.io.graphs.capnav_names import section_of
from waypost.io.json_writing import json_text, write_json_file

_TASK = """You see a video of a building. Decide whether an agent can get from one place in it to
another."""

_RULES = """1. Look at every way from the start to the goal before you say that there is none.
2. Judge only whether this agent can move along: its size, the step it can take, stairs, doors and
   elevators. Nothing else in the question matters.
3. If there is a way, give it as the nodes passed, from the start to the goal.
4. If there is none, give the way that comes nearest, and say between which two nodes it stops and
   why."""

_FORM = "Answer with this JSON and nothing else; leave “reason” out of a “yes”."


def node_list_text(graph: NavigationGraph) -> str:
    """The nodes as ``node_1 — Hall``, a line each, in the order of the graph."""
    return "\n".join(f"{node.node_id} — {node.name}" for node in graph.nodes.values())


def agent_name(agent: AgentProfile) -> str:
    """An agent as CapNav's questions name it, e.g. ``HUMANOID``."""
    return section_of(agent.key, humanoid="HUMANOID")


def prompt_text(task: Task, agent: AgentProfile, graph: NavigationGraph) -> str:
    """The prompt for one question and one agent; the answer has the form that CapNav scores.

    Args:
        task: What is asked.
        agent: For whom; lengths are written in metres.
        graph: Whose nodes are listed; edges and descriptions are not shown, as in the benchmark.
    """
    parts = (
        _TASK,
        f"## Question\n{task.question}",
        f"## Agent\n{_agent_lines(agent)}",
        f"## Places\n{node_list_text(graph)}",
        f"## Rules\n{_RULES}",
        f"## Form of the answer\n{_FORM}\n{_form(task, agent)}",
    )
    return "\n\n".join(parts) + "\n"


def _agent_lines(agent: AgentProfile) -> str:
    facts = (
        ("name", agent_name(agent)),
        ("body", str(agent.shape)),
        ("height_m", f"{agent.height_m:g}"),
        ("width_m", f"{agent.width_m:g}"),
        ("depth_m", f"{agent.depth_m:g}"),
        ("highest_step_m", f"{agent.step_limit_m:g}"),
        ("climbs_stairs", _yes_or_no(agent.climbs_stairs)),
        ("operates_elevators", _yes_or_no(agent.operates_elevators)),
        ("opens_doors", _yes_or_no(agent.opens_doors)),
        ("description", _what_it_is(agent.description)),
    )
    return "\n".join(f"{key}: {value}" for key, value in facts if value)


def _what_it_is(description: str) -> str:
    """A description; of a shipped one only what the agent is, not where its numbers come from."""
    first, *others = description.split(". ", maxsplit=1)
    return f"{first}." if others and first in _shipped_beginnings() else description


@cache
def _shipped_beginnings() -> frozenset[str]:
    agents = shipped_agents().values()
    return frozenset(agent.description.split(". ", maxsplit=1)[0] for agent in agents)


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _form(task: Task, agent: AgentProfile) -> str:
    answer = {
        "question": task.question,
        "agent": agent_name(agent),
        "result": {"answer": "yes or no", "path": ["node ids"], "reason": "why not"},
    }
    return json_text([answer])


@dataclass(frozen=True, slots=True)
class WrittenPrompts:
    """What was written for language models."""

    nodes: Path
    """The list of nodes."""

    count: int
    """Prompts, one for each question and agent."""

    older: tuple[str, ...]
    """Names of prompts of this scene that stand beside them from before, and were left alone."""

    @property
    def sentence(self) -> str:
        """What was written, and what else a model would be asked from there."""
        said = f"Wrote {counted(self.count, 'prompt')} and {self.nodes.name}."
        if not self.older:
            return said
        one, more = "prompt from before stands", "prompts from before stand"
        left = counted(len(self.older), one, more)
        return f"{said} {left} beside them: {few_of(self.older, 3)}."


def write_prompts(
    folder: Path,
    scene: str,
    tasks: Sequence[Task],
    agents: Sequence[AgentProfile],
    graph: NavigationGraph,
) -> WrittenPrompts:
    """Write ``<scene>/<scene>_<k>__<AGENT>.txt`` for questions that are not hallucinated.

    ``<k>`` counts all questions of the project from 0, as the ids of episodes do. Beside them
    stands ``<scene>-nodes.json`` with ids and names. Prompts that are there from before, of a
    question or an agent that is not asked about now, are told and stay.

    Raises:
        WriteError: If a file cannot be written.
    """
    place = folder / scene
    nodes = place / f"{scene}-nodes.json"
    listed = [{"node_id": node.node_id, "name": node.name} for node in graph.nodes.values()]
    write_json_file(nodes, listed)
    names: set[str] = set()
    for number, task in enumerate(tasks):
        if task.is_hallucinated:
            continue
        for agent in agents:
            name = f"{scene}_{number}__{agent_name(agent)}.txt"
            write_text_atomic(place / name, prompt_text(task, agent, graph))
            names.add(name)
    is_prompt = re.compile(rf"{re.escape(scene)}_[0-9]+__.+\.txt", re.DOTALL).fullmatch
    older = sorted({file.name for file in place.iterdir() if is_prompt(file.name)} - names)
    return WrittenPrompts(nodes, len(names), tuple(older))
