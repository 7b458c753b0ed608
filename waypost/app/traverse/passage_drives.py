"""Drives along passages: where they start, what each showed, and what a label may say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from waypost.annotators.traverse.evidence import drive_facts, kept_drive
from waypost.annotators.traverse.spawn import SpawnPose, spawn_pose
from waypost.app.shell.key_sets import ALLOWED_WHILE_DRIVING, drive_keys
from waypost.app.shell.workspace import Surroundings
from waypost.app.traverse.driver import Driver, SeenDrive
from waypost.domain.project import set_drive
from waypost.domain.scene.gaps import geometry_gaps
from waypost.domain.traverse.passage_drive import PassageDrive, pack_track, unpack_track
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    Provenance,
    is_stale,
    judged_on,
)
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.jobs import Job
from waypost.services.judging import circumstances
from waypost.widgets.facts_table import Fact

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument


class _Driven(NamedTuple):
    """What a drive belongs to, as it was when the drive began."""

    document: ProjectDocument
    passage: Passage
    on: Circumstances
    gaps: tuple[str, ...]


class PassageDrives(QObject):
    """Drives the agent at hand along a passage and keeps what was seen in the project.

    A drive belongs to a passage as it was: once the agent's dimensions, the scene or the places of
    the nodes change, the drive is no evidence any more.

    Args:
        around: What it finds in its window.
        driver: Puts the agent on the stage.
        parent: Qt owner.
    """

    seen = Signal()
    """A drive has ended; there may be more to tell about its passage."""

    def __init__(self, around: Surroundings, driver: Driver, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench, self._engine, self._driver = around.bench, around.engine, driver
        self._clock, self._jobs = around.clock, around.jobs
        self._reading: Job | None = None
        self._driven: _Driven | None = None
        driver.ended.connect(self._on_ended)

    def start_pose(self, passage: Passage | None) -> SpawnPose | None:
        """Where the agent stands before it takes a passage."""
        graph = self._bench.project.graph
        if passage is None or not {passage.from_id, passage.to_id} <= graph.nodes.keys():
            return None
        return spawn_pose(graph, passage)

    def drive(self, passage: Passage | None, keys: ShortcutMap) -> None:
        """Let the user drive by the keys in force."""
        agent, pose = self._bench.agent, self.start_pose(passage)
        if agent and pose:
            self._begin(passage)
            self._driver.start(agent, pose, drive_keys(keys), _passed_on(keys))

    def drive_automatically(self, passage: Passage | None, keys: ShortcutMap) -> None:
        """Let the agent drive itself straight along the passage; the keys of answers end it."""
        agent, pose = self._bench.agent, self.start_pose(passage)
        if agent and pose:
            self._begin(passage)
            self._driver.start_automatic(agent, pose, _passed_on(keys))

    def _begin(self, passage: Passage | None) -> None:
        """End what is driven or read; what is driven next belongs to all as it is now."""
        self._stop_reading()
        self._driver.stop()
        document = self._bench.document
        if document and passage:
            now = circumstances(document.project, self._bench.scene_hash)
            self._driven = _Driven(document, passage, now, self.gaps)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def replay(self, passage: Passage | None, is_at_hand: Callable[[Passage], bool]) -> None:
        """Show the last drive along a passage again, if it still is at hand once that is read."""
        agent, drive, document = self._bench.agent, self.seen_on(passage), self._bench.document
        if agent is None or passage is None or drive is None or document is None:
            return
        self._stop_reading()

        def show(data: bytes | None) -> None:
            try:
                track = () if data is None else unpack_track(data)
            except ValueError as error:
                refuse(error)
                return
            is_open = document is self._bench.document and agent == self._bench.agent
            if is_open and is_at_hand(passage):
                self._driver.replay(agent, track)

        def refuse(error: Exception) -> None:
            self._bench.refused.emit(f"The drive cannot be shown: {error}")

        self._reading = self._jobs.start("Reading a driven path", document.part_work(drive.track))
        self._reading.succeeded.connect(show)
        self._reading.failed.connect(refuse)

    def seen_on(self, passage: Passage | None) -> PassageDrive | None:
        """What the last drive of the agent along a passage showed, if it still is evidence."""
        project = self._bench.project
        drive = project.drives.get(passage) if passage else None
        if drive is None:
            return None
        now = circumstances(project, self._bench.scene_hash)
        return None if is_stale(drive.provenance, drive.passage, now) else drive

    def has_track(self, passage: Passage | None) -> bool:
        """Whether the last drive along a passage can be shown again."""
        drive = self.seen_on(passage)
        return drive is not None and bool(drive.track)

    def facts(self, passage: Passage | None) -> tuple[Fact, ...]:
        """What was measured on a passage; empty before it was driven."""
        agent, drive = self._bench.agent, self.seen_on(passage)
        return drive_facts(drive, agent) if agent and drive else ()

    def provenance(self, passage: Passage) -> Provenance:
        """What a label of a passage rests on: the engine only if it was driven."""
        now = circumstances(self._bench.project, self._bench.scene_hash)
        drive = self.seen_on(passage)
        known = drive.provenance if drive else Provenance()
        judged = judged_on(
            passage, now, known.engine, known.engine_version, known.engine_parameters
        )
        return replace(judged, scene_gaps=self.gaps)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Geometry that the scene lacks."""
        return geometry_gaps(self._bench.scene) if self._bench.scene else ()

    def _on_ended(self, seen: SeenDrive | None) -> None:
        driven = self._driven
        # Another project, opened meanwhile, may have the same passage.
        is_open = driven is not None and driven.document is self._bench.document
        if seen and driven and is_open and self._is_news(seen, driven.passage):
            engine, document, passage = self._engine.info, driven.document, driven.passage
            known = (engine.name, engine.version, engine.parameter_text) if engine else ()
            judged = judged_on(passage, driven.on, *known)
            drive = replace(
                kept_drive(passage, seen.record, seen.outcome, seen.driven_by),
                track=document.keep_part(pack_track(seen.poses)),
                author=document.project.team.member or self._bench.annotator,
                time_utc=self._clock().astimezone(UTC).isoformat(timespec="seconds"),
                provenance=replace(judged, scene_gaps=driven.gaps),
            )
            document.note("Keep a drive", set_drive(document.project, drive))
        self.seen.emit()

    def _is_news(self, seen: SeenDrive, passage: Passage) -> bool:
        """One that was ended before anything moved takes the place of no other."""
        return seen.tells_something or self.seen_on(passage) is None


def _passed_on(keys: ShortcutMap) -> frozenset[str]:
    """The keys that commands keep while an agent is driven."""
    held = keys.keys()
    return frozenset(held[name] for name in ALLOWED_WHILE_DRIVING)
