"""Drives the agent at hand on the stage: engine, keys, cameras, display and what was seen."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.annotators import palette
from waypost.annotators.traverse.agent_drawing import (
    ContactFlashes,
    DrivenPath,
    agent_drawing,
    ground_drawing,
    path_drawing,
)
from waypost.annotators.traverse.evidence import DriveRecord, hud_values
from waypost.annotators.traverse.hud import Hud, HudValues
from waypost.annotators.traverse.spawn import SpawnPose
from waypost.app.shell.driving.drive_input import DriveInput
from waypost.app.shell.stage import Stage
from waypost.domain.base.frames import Vec3
from waypost.domain.base.sentences import capitalised
from waypost.domain.traverse.agent import AgentProfile, DriveType
from waypost.domain.traverse.passage_drive import DrivenBy, Track
from waypost.services.engine.driven_engine import DrivenEngine, EngineState
from waypost.services.input.gamepad import Gamepad
from waypost.services.input.key_driving import DriveKey
from waypost.services.input.pad_state import PadButton
from waypost.services.input.steering import Steering
from waypost.simulators.protocol import DriveOutcome, Telemetry
from waypost.viewers.scene.drawing import NOTHING, Color

_CAMERAS = frozenset({"chase", "first_person", "top"})
_REPLAY_INTERVAL_MS = 16
_STILL_M = 0.01
_EYE_SHARE = 0.92
"""Eyes are this far up the body."""


@dataclass(frozen=True, slots=True)
class SeenDrive:
    """What one drive showed."""

    record: DriveRecord
    poses: Track
    """Floor point and yaw at every telemetry, up to where the target was reached."""

    outcome: DriveOutcome | None = None
    """Of a drive that the agent made by itself, and nobody called off."""

    driven_by: DrivenBy = DrivenBy.HAND

    @property
    def tells_something(self) -> bool:
        """Whether the agent moved, or could not."""
        return bool(self.outcome or self.record.blocked_by) or any(
            math.dist(place_m, self.poses[0][0]) > _STILL_M for place_m, _ in self.poses
        )


class Driver(QObject):
    """One agent on the stage, driven by hand, by itself, or shown again.

    Args:
        engine: The physics engine.
        stage: Where it is drawn.
        parent: Qt owner.
    """

    started = Signal()
    ended = Signal(object)
    """The `SeenDrive`, or ``None`` if the agent never got into the scene."""

    refused = Signal(str)

    def __init__(self, engine: DrivenEngine, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._stage = stage
        self._gamepad = Gamepad(self)
        self._input = DriveInput(self._gamepad, self)
        self.hud = Hud(stage.view)
        self._hud_values = HudValues()
        self._failure = ""
        self._is_failure_shown = False
        self._profile: AgentProfile | None = None
        self.color: Color = palette.AGENT
        """Of the agent at hand."""

        self.agent_name = ""
        """Of the agent at hand, as no other is called; else its own."""

        self._target_m: Vec3 = (0.0, 0.0, 0.0)
        self._is_driving = False
        self._is_automatic = False
        self._camera_before = "orbit"
        self._camera = "chase"
        self._record = DriveRecord()
        self._poses: list[tuple[Vec3, float]] = []
        self._reached_at: int | None = None
        self._path = DrivenPath()
        self._flashes = ContactFlashes()
        self._outcome: DriveOutcome | None = None
        self._replay: list[tuple[Vec3, float]] = []
        self._replay_timer = QTimer(self)
        self._replay_timer.setInterval(_REPLAY_INTERVAL_MS)
        self._replay_timer.timeout.connect(self._show_next)
        self._input.changed.connect(self._on_steering)
        engine.telemetry_received.connect(self._on_telemetry)
        engine.drive_finished.connect(self._on_finished)
        engine.request_refused.connect(self._on_refused)
        engine.engine_failed.connect(self._on_failed)
        engine.engine_ready.connect(self._on_ready)
        engine.state_changed.connect(self._on_state)
        self._input.focus_lost.connect(self._on_focus_lost)
        self._input.pad_lost.connect(self._on_pad_lost)
        self._gamepad.pressed.connect(self._on_pad_button)
        self.hud.restart_chosen.connect(engine.restart)

    @property
    def is_driving(self) -> bool:
        """Whether an agent is being driven now."""
        return self._is_driving

    @property
    def is_replaying(self) -> bool:
        """Whether a drive is being shown again."""
        return self._replay_timer.isActive()

    @property
    def is_ready(self) -> bool:
        """Whether the engine could put an agent into the scene now."""
        return self._engine.state in {EngineState.READY, EngineState.DRIVING}

    @property
    def pose(self) -> tuple[Vec3, float] | None:
        """Floor point and yaw of the agent that was driven last; ``None`` before any."""
        return self._poses[-1] if self._poses else None

    def show_failure(self) -> None:
        """Say over the stage that the engine has stopped, now or once it does."""
        self._is_failure_shown = True
        self.hud.set_failure(self._failure)

    def hide_failure(self) -> None:
        """Leave the stage to others, who need no engine."""
        self._is_failure_shown = False
        self.hud.set_failure("")

    def show_at(self, profile: AgentProfile, pose: SpawnPose) -> None:
        """Draw an agent where it would start, without the engine."""
        if not self._is_driving:
            self._profile = profile
            self._clear_drawings()
            self._draw_agent(pose.floor_m, pose.yaw_rad)

    def start(
        self,
        profile: AgentProfile,
        pose: SpawnPose,
        keys: Mapping[str, DriveKey],
        passed_on: frozenset[str],
    ) -> None:
        """Let the user drive an agent from a pose; see `DriveKeys.start` for the keys."""
        if not self._begin(profile, pose):
            return
        self._gamepad.start()
        self._input.start(keys, passed_on, profile.drive)
        self.hud.start(
            self.agent_name or profile.name, (*_legend(keys, profile.drive), ("1 2 3", "cameras"))
        )
        self.choose_camera(self._camera)
        self._stage.view.setFocus()

    def start_automatic(
        self, profile: AgentProfile, pose: SpawnPose, passed_on: frozenset[str]
    ) -> None:
        """Let the agent drive itself straight to the target of the pose."""
        if self._begin(profile, pose):
            self._is_automatic = True
            self._input.start({}, passed_on | {"Esc"}, profile.drive)
            self.hud.start(f"{self.agent_name or profile.name}, by itself", (("Esc", "stop"),))
            self._engine.drive_to(pose.target_m)

    def stop(self) -> None:
        """Stand still and give keys and camera back; what was seen is reported."""
        self._replay_timer.stop()
        if not self._is_driving:
            return
        driven_by = DrivenBy.ITSELF if self._is_automatic else DrivenBy.HAND
        self._is_driving = self._is_automatic = False
        self._engine.stop()
        self._stage.set_driving(is_driving=False)
        self._input.stop()
        self._gamepad.stop()
        self.hud.stop()
        if str(self._stage.view.camera_mode) != self._camera_before:
            self._stage.set_camera_mode(self._camera_before)
        seen = None
        if self._profile and self._poses:
            poses = tuple(self._poses[: self._reached_at])
            seen = SeenDrive(self._record, poses, self._outcome, driven_by)
        self.ended.emit(seen)

    def choose_camera(self, mode: str) -> None:
        """Follow the agent in another way: ``chase``, ``first_person`` or ``top``."""
        if mode in _CAMERAS:
            self._camera = mode
            self._stage.set_camera_mode(mode)

    def replay(self, profile: AgentProfile, track: Track) -> None:
        """Show a drive again, at the pace it was seen."""
        self.stop()
        self._profile = profile
        self._replay = list(track)
        self._stage.view.set_drawing("path", path_drawing(tuple(p for p, _ in track)))
        self._replay_timer.start()

    def _begin(self, profile: AgentProfile, pose: SpawnPose) -> bool:
        self.stop()
        if self._engine.state in {EngineState.OFF, EngineState.STARTING, EngineState.LOADING}:
            self.refused.emit("The physics engine is still preparing the scene; try again soon.")
            return False
        if self._engine.state is EngineState.FAILED:
            self.show_failure()
            self.refused.emit("The physics engine has stopped; restart it first.")
            return False
        self._profile, self._target_m = profile, pose.target_m
        self._record, self._poses, self._outcome = DriveRecord(), [], None
        self._reached_at = None
        self._clear_drawings()
        self._is_driving = True
        self._camera_before = str(self._stage.view.camera_mode)
        self._stage.set_driving(is_driving=True)
        self._engine.spawn(profile, pose.floor_m, pose.yaw_rad)
        self.started.emit()
        return True

    def _clear_drawings(self) -> None:
        self._path, self._flashes = DrivenPath(), ContactFlashes()
        for layer in ("path", "contacts"):
            self._stage.view.set_drawing(layer, NOTHING)

    def _on_steering(self, steering: Steering) -> None:
        if self._profile and self._is_driving:
            if not steering.is_at_rest:
                self.hud.set_notice("")
            self._engine.set_command(steering.command(self._profile))

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        profile = self._profile
        if not self._is_driving or profile is None:
            return
        now_s = time.monotonic()
        was_reached = self._record.has_reached
        # A drive by itself goes on to the target, a person's ends near it.
        target_m = None if self._is_automatic else self._target_m
        self._record = self._record.with_telemetry(telemetry, target_m)
        self._poses.append((telemetry.position_m, telemetry.yaw_rad))
        has_reached = self._record.has_reached
        if has_reached and not was_reached:
            self._reached_at = len(self._poses)
        self._path = self._path.with_point(telemetry.position_m)
        self._flashes = self._flashes.with_contacts(telemetry.contacts, now_s)
        view = self._stage.view
        self._draw_agent(telemetry.position_m, telemetry.yaw_rad)
        view.set_drawing("path", path_drawing(self._path.points_m))
        view.set_drawing("contacts", self._flashes.drawing(now_s))
        if not was_reached:
            self._hud_values = hud_values(telemetry, profile, has_reached=has_reached)
            self.hud.set_values(self._hud_values)
        eyes_m = profile.height_m * _EYE_SHARE
        view.set_chase_pose(telemetry.position_m, telemetry.yaw_rad, eyes_m)
        if self._camera == "top" and not self._is_automatic:
            view.look_at(telemetry.position_m)

    def _on_finished(self, outcome: DriveOutcome) -> None:
        if self._is_automatic:
            self._outcome = outcome
            self.stop()

    def _on_refused(self, sentence: str) -> None:
        self.refused.emit(sentence)
        self.stop()

    def _on_failed(self, sentence: str) -> None:
        self.stop()
        self._failure = capitalised(sentence)
        if self._is_failure_shown:
            self.hud.set_failure(self._failure)

    def _on_state(self, state: EngineState) -> None:
        if state is EngineState.STARTING and self._is_driving:
            self.stop()
            self.refused.emit("The physics engine is started anew, so the drive has ended.")

    def _on_ready(self, _engine: object) -> None:
        self._failure = ""
        self.hud.set_failure("")

    def _on_focus_lost(self) -> None:
        if self._is_driving and not self._is_automatic:
            self.hud.set_notice("Stopped: the window lost the keyboard. Press a drive key to go on")

    def _on_pad_button(self, button: PadButton) -> None:
        if button is PadButton.STOP:
            self.stop()

    def _on_pad_lost(self) -> None:
        if self._is_driving:
            self.hud.set_notice("Stopped: the game controller was unplugged. Drive on by keys")

    def _show_next(self) -> None:
        if not self._replay:
            self._replay_timer.stop()
            return
        self._draw_agent(*self._replay.pop(0))

    def _draw_agent(self, floor_m: Vec3, yaw_rad: float) -> None:
        if self._profile:
            is_inside = self._is_driving and self._camera == "first_person"
            pose = self._profile, floor_m, yaw_rad
            draw = ground_drawing if is_inside else agent_drawing
            drawing = draw(*pose, self.color)
            self._stage.view.set_drawing("agent", drawing)


def _legend(keys: Mapping[str, DriveKey], drive: DriveType) -> tuple[tuple[str, str], ...]:
    words = {
        DriveKey.FORWARD: "forward",
        DriveKey.BACK: "back",
        DriveKey.TURN_LEFT: "turn left",
        DriveKey.TURN_RIGHT: "turn right",
    }
    if drive is DriveType.HOLONOMIC:
        words |= {DriveKey.STRAFE_LEFT: "step left", DriveKey.STRAFE_RIGHT: "step right"}
    key_of = {meaning: key for key, meaning in keys.items()}
    return tuple((key_of[k], word) for k, word in words.items() if k in key_of)
