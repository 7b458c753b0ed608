"""What the stage shows of the passage at hand: graph, corridor, agent, and what was measured."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.annotators.graph.drawing import GraphLook
from waypost.annotators.traverse.agent_drawing import corridor_drawing
from waypost.annotators.traverse.measure_drawing import measure_drawing
from waypost.annotators.traverse.proposals import measure_of
from waypost.app.shell.graph_layer import GraphLayer
from waypost.app.shell.workspace import Surroundings
from waypost.app.traverse.critical_spots import CriticalSpots
from waypost.app.traverse.driver import Driver
from waypost.app.traverse.passage_drives import PassageDrives
from waypost.domain.traverse.traversability import Passage
from waypost.services.agent_marks import agent_marks
from waypost.services.judging import circumstances
from waypost.viewers.scene.drawing import NOTHING, rgb


class PassageStage(QObject):
    """Draws over the scene while the Traverse workspace has the stage.

    Args:
        around: What is found in the window.
        driver: Puts the agent on the stage.
        drives: Know where passages start, and what was driven.
        parent: Qt owner.
    """

    def __init__(
        self,
        around: Surroundings,
        driver: Driver,
        drives: PassageDrives,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._stage = around.bench, around.stage
        self._driver, self._drives = driver, drives
        self._layer = GraphLayer(around.stage.view, self)
        self._has_focus = True
        self._passage: Passage | None = None
        """Whose agent is drawn."""

        self.spots = CriticalSpots(around, self)

    def toggle_overview(self) -> None:
        """Show every label as bright as the passage at hand, or push them back again."""
        self._has_focus = not self._has_focus

    def frame(self, passage: Passage | None) -> None:
        """Bring a passage into view."""
        pose = self._drives.start_pose(passage)
        if pose:
            start, end = pose.floor_m, pose.target_m
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, max(start[2], end[2]))
            self._stage.go_to(middle)

    def show(self, passage: Passage | None) -> None:
        """Draw everything for a passage."""
        bench, agent = self._bench, self._bench.agent
        look = GraphLook(
            storeys=bench.storeys,
            cut_z_m=self._stage.view.cut_z,
            agent=agent,
            labels=bench.project.labels,
            scene_hash=bench.scene_hash,
            focus=passage if self._has_focus else None,
        )
        self._layer.show(bench.project.graph, look)
        corridor, measured = NOTHING, NOTHING
        measure = None
        pose = self._drives.start_pose(passage)
        if agent and passage and pose:
            mark = agent_marks(bench.project.agents)[agent.key]
            self._driver.color, self._driver.agent_name = rgb(mark.on_dark), mark.name
            corridor = corridor_drawing(pose.floor_m, pose.target_m, agent)
            now = circumstances(bench.project, bench.scene_hash)
            measure = measure_of(bench.project.measures, passage, now)
            if measure is not None:
                measured = measure_drawing(measure)
            # After a drive it stands where that ended, until another passage comes to hand.
            is_other = passage != self._passage or self._drives.seen_on(passage) is None
            if is_other and not self._driver.is_driving:
                self._driver.show_at(agent, pose)
        self._passage = passage
        self.spots.show(measure, agent)
        self._stage.view.set_drawing("corridor", corridor)
        self._stage.view.set_drawing("measured", measured)

    def clear(self) -> None:
        """Leave the stage to others."""
        self._passage = None
        self._layer.clear()
        for layer in ("corridor", "measured", "agent", "path", "contacts"):
            self._stage.view.set_drawing(layer, NOTHING)
