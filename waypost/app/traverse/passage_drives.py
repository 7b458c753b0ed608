"""Drives along passages: where they start, what each showed, and what a label may say of it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from waypost.annotators.traverse.evidence import outcome_facts, record_facts
from waypost.annotators.traverse.spawn import SpawnPose, spawn_pose
from waypost.app.shell.workbench import Workbench
from waypost.app.traverse.driver import Driver, SeenDrive
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage, Provenance, judged_on
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.input.key_driving import DriveKey
from waypost.services.judging import circumstances
from waypost.widgets.facts_table import Fact


class PassageDrives(QObject):
    """Drives the agent at hand along a passage and keeps what was seen.

    A drive belongs to a passage and to the agent as it was: once its dimensions change, the
    drive is no evidence any more.

    Args:
        bench: What is open.
        engine: The physics engine.
        driver: Puts the agent on the stage.
        parent: Qt owner.
    """

    seen = Signal()
    """A drive has ended; there may be more to tell about its passage."""

    def __init__(
        self,
        bench: Workbench,
        engine: DrivenEngine,
        driver: Driver,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench = bench
        self._engine = engine
        self._driver = driver
        self._passage: Passage | None = None
        self._seen: dict[tuple[Passage, str], SeenDrive] = {}
        driver.ended.connect(self._on_ended)

    def forget(self) -> None:
        """Another project or scene is open."""
        self._seen.clear()

    def start_pose(self, passage: Passage | None) -> SpawnPose | None:
        """Where the agent stands before it takes a passage."""
        graph = self._bench.project.graph
        if passage is None or not {passage.from_id, passage.to_id} <= graph.nodes.keys():
            return None
        return spawn_pose(graph, passage)

    def drive(
        self, passage: Passage | None, keys: Mapping[str, DriveKey], passed_on: frozenset[str]
    ) -> None:
        """Let the user drive; see ``Driver.start`` for the keys."""
        agent, pose = self._bench.agent, self.start_pose(passage)
        if agent and pose:
            self._driver.stop()
            self._passage = passage
            self._driver.start(agent, pose, keys, passed_on)

    def drive_automatically(self, passage: Passage | None) -> None:
        """Let the agent drive itself straight along the passage."""
        agent, pose = self._bench.agent, self.start_pose(passage)
        if agent and pose:
            self._driver.stop()
            self._passage = passage
            self._driver.start_automatic(agent, pose)

    def replay(self, passage: Passage | None) -> None:
        """Show the last drive along a passage again."""
        agent, seen = self._bench.agent, self.seen_on(passage)
        if agent and seen:
            self._driver.replay(agent, seen)

    def seen_on(self, passage: Passage | None) -> SeenDrive | None:
        """What the last drive of the agent at hand along a passage showed."""
        agent = self._bench.agent
        return self._seen.get((passage, agent.profile_hash)) if passage and agent else None

    def facts(self, passage: Passage | None) -> tuple[Fact, ...]:
        """What was measured on a passage; empty before it was driven."""
        agent, seen = self._bench.agent, self.seen_on(passage)
        if agent is None or seen is None:
            return ()
        if seen.outcome:
            return outcome_facts(seen.outcome, agent)
        return record_facts(seen.record, agent)

    def provenance(self, passage: Passage, agent: AgentProfile) -> Provenance:
        """What a label of a passage rests on: the engine only if it was driven."""
        engine, now = self._engine.info, circumstances(self._bench.project, self._bench.scene_hash)
        if (passage, agent.profile_hash) not in self._seen or engine is None:
            return judged_on(passage, now)
        return judged_on(passage, now, engine.name, engine.version)

    def _on_ended(self, seen: SeenDrive | None) -> None:
        if seen and self._passage:
            self._seen[self._passage, seen.profile_hash] = seen
        self.seen.emit()
