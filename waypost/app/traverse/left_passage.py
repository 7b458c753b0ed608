"""Where labelling was left: the agent, the passage, and how far the agent has come."""

from __future__ import annotations

from typing import Any

from waypost.annotators.traverse.queue import queue_progress
from waypost.app.shell.workbench import Workbench
from waypost.domain.traverse.traversability import Passage
from waypost.services.agent_marks import agent_names


class LeftPassage:
    """Remembers the place of the workspace while another one is shown.

    Args:
        bench: What is open.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._place: dict[str, Any] = {}
        self._known: tuple[object, ...] = ()

    def forget(self) -> None:
        """Another project is open."""
        self._place, self._known = {}, ()

    def place(self, passage: Passage | None) -> dict[str, Any]:
        """The place as JSON holds it; that of before while no passage is at hand.

        It is asked for once a second, and counted only where something has changed.
        """
        agent, project, scene_hash = self._bench.agent, self._bench.project, self._bench.scene_hash
        if agent is None or passage is None:
            return self._place
        known = (project.graph, project.labels, agent, scene_hash, passage)
        if len(self._known) == len(known) and all(map(_is_same, known, self._known)):
            return self._place
        self._known = known
        progress = queue_progress(project.graph, project.labels, scene_hash, agent)
        self._place = {
            "agent": agent.key,
            "from": passage.from_id,
            "to": passage.to_id,
            "title": agent_names(project.agents)[agent.key],
            "progress": f"{progress.done} of {progress.total}",
        }
        return self._place


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str | tuple) and one == other)
