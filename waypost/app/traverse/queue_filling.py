"""The queue and the agents of the Traverse workspace, filled in steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from waypost.annotators.traverse.agent_chooser import AgentChooser
from waypost.annotators.traverse.asking import agent_row_steps
from waypost.annotators.traverse.offer_strip import OfferStrip, offer_after
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.queue import PassageQueue, queue_row_steps
from waypost.app.shell.workbench import Workbench
from waypost.domain.contradiction import contradictions_of
from waypost.services.agent_marks import agent_marks
from waypost.services.judging import circumstances
from waypost.services.pieces import Steps


class QueueShown(NamedTuple):
    """What shows how far one has come."""

    rows: PassageList
    agents: AgentChooser
    offer: OfferStrip


def filling_queue(
    bench: Workbench,
    queue: PassageQueue,
    shown: QueueShown,
    title: Callable[[str], str],
) -> Steps:
    """Show the queue of the agent at hand, then how far every agent has come.

    Args:
        bench: What is open.
        queue: The questions, and the one at hand.
        shown: Gets all of it.
        title: The name of an agent → whose queue it is, and of what.
    """
    project, agent, scene_hash = bench.project, bench.agent, bench.scene_hash
    if agent:
        now = circumstances(project, scene_hash)
        rows = yield from queue_row_steps(
            queue,
            project.labels,
            now,
            project.measures,
            lambda passage, verdict: contradictions_of(project, passage, verdict, now),
            project.team,
        )
        yield
        mark = agent_marks(project.agents)[agent.key]
        shown.rows.set_rows(title(mark.name), rows, mark)
    shown.rows.set_current(queue.current)
    agents = yield from agent_row_steps(project, scene_hash)
    shown.agents.set_agents(agents)
    shown.offer.show_offer(offer_after(agents, agent.key) if agent else None)
    if agent:
        shown.agents.set_current(agent.key)
