"""The queue and the agents of the Traverse workspace, filled in steps."""

from __future__ import annotations

from collections.abc import Callable

from waypost.annotators.traverse.agent_chooser import AgentChooser
from waypost.annotators.traverse.asking import agent_row_steps
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.queue import PassageQueue, queue_row_steps
from waypost.app.shell.workbench import Workbench
from waypost.services.pieces import Steps


def filling_queue(
    bench: Workbench,
    queue: PassageQueue,
    shown: PassageList,
    chooser: AgentChooser,
    title: Callable[[str], str],
) -> Steps:
    """Show the queue of the agent at hand, then how far every agent has come.

    Args:
        bench: What is open.
        queue: The questions, and the one at hand.
        shown: Gets the queue.
        chooser: Gets the agents.
        title: The name of an agent → whose queue it is, and of what.
    """
    project, agent, scene_hash = bench.project, bench.agent, bench.scene_hash
    if agent:
        rows = yield from queue_row_steps(queue, project.graph, project.labels, scene_hash, agent)
        yield
        shown.set_rows(title(agent.name), rows)
    shown.set_current(queue.current)
    agents = yield from agent_row_steps(project, scene_hash)
    chooser.set_agents(agents)
    if agent:
        chooser.set_current(agent.key)
