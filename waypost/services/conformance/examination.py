"""One engine examined: every case, its speed, and its agreement with the reference engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from waypost.domain.base.errors import SimulatorError, WaypostError
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.conformance.agreement import (
    AskedDrive,
    DriveSeries,
    EngineAgreement,
    agreement,
    driven,
)
from waypost.services.conformance.rooms import WHEELCHAIR, floor, post_door, scene
from waypost.services.conformance.trial import Case
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand, EngineInfo

_MOST_RESTARTS: Final = 5
"""An engine that dies more often is not played with any further."""

_SPEED_BATCHES: Final = 10
_SPEED_S: Final = 0.5
_BATCH_STEPS: Final = 120


@dataclass(frozen=True, slots=True)
class Course:
    """A scene and the drives through it."""

    name: str
    scene: Scene
    agents: Mapping[str, AgentProfile]
    drives: tuple[AskedDrive, ...]
    graph: NavigationGraph
    """Along whose edges they go."""


@dataclass(frozen=True, slots=True)
class CaseFailure:
    """One case that an engine does not pass."""

    case: str
    words: str


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found of one engine."""

    info: EngineInfo | None = None
    """``None`` if it could not be started."""

    python_version: str = ""
    mover_hash: str = ""
    reason: str = ""
    """Why it could not be examined, or not to the end; empty if it was."""

    passed: int = 0
    failures: tuple[CaseFailure, ...] = ()
    unplayed: int = 0
    """Cases that were not played because the engine died too often."""

    steps_per_s: float | None = None
    series: Mapping[str, DriveSeries] = field(default_factory=dict)
    """By the name of the course."""

    agreements: Mapping[str, EngineAgreement] = field(default_factory=dict)
    """With the reference engine, by the name of the course; empty for itself."""

    @property
    def conforms(self) -> bool:
        """Whether it passed every case and drove every course."""
        return self.info is not None and not (self.reason or self.failures or self.unplayed)

    def as_json(self) -> dict[str, Any]:
        """The value of the engine in the document of ``waypost conformance --json``."""
        info = self.info
        return {
            "version": info and info.version,
            "passed": self.passed,
            "failed": len(self.failures) + self.unplayed,
            "failures": [asdict(failure) for failure in self.failures],
            "agreement": {name: one.as_json() for name, one in self.agreements.items()},
            "steps_per_s": None if self.steps_per_s is None else round(self.steps_per_s),
            "unplayed": self.unplayed,
            "reason": self.reason or None,
            "title": info and info.title,
            "parameters": info and info.parameters and asdict(info.parameters),
            "python": self.python_version or None,
            "mover_hash": self.mover_hash or None,
        }


def examine(
    start: Callable[[], SimulatorClient],
    cases: Sequence[Case],
    courses: Sequence[Course],
    reference: Mapping[str, DriveSeries] | None = None,
    on_step: Callable[[], object] = lambda: None,
) -> Examination:
    """Play every case and drive every course on one engine; whatever it does is a finding.

    Args:
        start: Starts the engine.
        cases: What is played.
        courses: What is driven.
        reference: Series of the reference engine by course; ``None`` where this is it.
        on_step: Called after each case and each drive.
    """
    try:
        client = start()
    except WaypostError as error:
        return Examination(reason=str(error))
    with client:
        played = _Played(client, on_step)
        played.play(cases)
        found = Examination(
            client.engine,
            client.python_version,
            client.settings_hash,
            played.reason,
            played.passed,
            tuple(played.failures),
            len(cases) - played.passed - len(played.failures),
        )
        return found if found.reason else _with_drives(found, client, courses, reference, on_step)


@dataclass
class _Played:
    client: SimulatorClient
    on_step: Callable[[], object]
    passed: int = 0
    failures: list[CaseFailure] = field(default_factory=list)
    reason: str = ""

    def play(self, cases: Sequence[Case]) -> None:
        restarts = 0
        for case in cases:
            try:
                words = case.failures(self.client)
            except WaypostError as error:
                words = [str(error)]
            if words:
                self.failures.append(CaseFailure(case.title, "; ".join(words)))
            else:
                self.passed += 1
            self.on_step()
            if self.client.is_alive:
                continue
            restarts += 1
            if restarts > _MOST_RESTARTS or not self._is_restarted():
                self.reason = self.reason or f"the engine died {restarts} times"
                return

    def _is_restarted(self) -> bool:
        try:
            self.client.restart()
        except SimulatorError as error:
            self.reason = f"after it died the engine does not start again: {error}"
            return False
        return True


def _with_drives(
    found: Examination,
    client: SimulatorClient,
    courses: Sequence[Course],
    reference: Mapping[str, DriveSeries] | None,
    on_step: Callable[[], object],
) -> Examination:
    series: dict[str, DriveSeries] = {}
    agreements: dict[str, EngineAgreement] = {}
    reason, speed = "", None
    try:
        speed = _steps_per_s(client)
        for course in courses:
            series[course.name] = driven(
                client, course.scene, course.agents, course.drives, on_step
            )
            if reference is not None and course.name in reference:
                agreements[course.name] = agreement(
                    course.drives, reference[course.name], series[course.name]
                )
    except WaypostError as error:
        reason = str(error)
    return replace(found, reason=reason, steps_per_s=speed, series=series, agreements=agreements)


def _steps_per_s(client: SimulatorClient) -> float:
    """Physics steps in a second of wall time: a wheelchair that circles beside a doorway."""
    client.load_scene(scene(floor(), *post_door(0.9)))
    client.spawn(WHEELCHAIR, (-1.0, 0.0, 0.0), 0.0)
    command = DriveCommand(0.5, 0.0, 0.6)
    client.drive(command, _BATCH_STEPS // 10)
    begun_s, batches = time.perf_counter(), 0
    while batches < _SPEED_BATCHES and time.perf_counter() - begun_s < _SPEED_S:
        client.drive(command, _BATCH_STEPS)
        batches += 1
    return batches * _BATCH_STEPS / (time.perf_counter() - begun_s)
