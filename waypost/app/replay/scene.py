"""A replay in the open scene: the path around the agent, or the scene with its eyes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

import numpy as np
from PySide6.QtCore import QObject

from waypost.annotators.replay.edge_truth import edge_drawing
from waypost.annotators.replay.replay_drawing import step_drawing, still_drawing
from waypost.app.shell.camera.camera_card import CameraView
from waypost.app.shell.stage import Stage
from waypost.app.shell.stage_look import StageLook, look_again, look_of
from waypost.app.shell.workbench import Workbench
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.replay.replay import Replay
from waypost.services.engine.camera_eye import CameraEye
from waypost.services.replay.cursor import ReplayCursor
from waypost.simulators.camera_feed import CameraPlace
from waypost.viewers.map.content import EdgeMark
from waypost.viewers.scene.camera import FirstPersonCamera
from waypost.viewers.scene.drawing import NOTHING

_STILL, _TRUTH, _LAYER = "replay_still", "replay_truth", "replay"
_AROUND_M = 2.0


class ReplayScene(QObject):
    """Shows the run under the cursor on the 3D stage while one of its faces is asked for.

    Args:
        bench: What is open.
        stage: Where it is shown.
        cursor: Gives run and step.
        eye: Draws what the engine's camera sees from the pose of a step that has a time.
        parent: Qt owner.
    """

    def __init__(
        self,
        bench: Workbench,
        stage: Stage,
        cursor: ReplayCursor,
        eye: CameraEye,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.camera = CameraView(eye, stage, self)
        self._bench, self._stage, self._cursor = bench, stage, cursor
        self._has_eyes = self._is_shown = False
        self._framed: Replay | None = None
        self._before: StageLook | None = None
        """How the stage was looked at when it was taken over."""

        self._own: StageLook | None = None
        """How the run was looked at last."""

        self._still = NOTHING
        self._truth = NOTHING
        cursor.moved.connect(self._on_moved)

    def problem_with(self, replay: Replay | None) -> str:
        """Why the open scene cannot show a run; empty if it can."""
        if replay is None:
            return "Choose an episode first."
        if self._bench.scene is None:
            return "No scene is open: open one to see the run in it."
        if not replay.has_positions:
            return "The run has no positions: it needs the graph of its scan."
        wanted = replay.episode.scene_id or replay.run.scene_id
        if wanted and self._bench.scene_ids.isdisjoint({wanted, PurePosixPath(wanted).stem}):
            own = PurePosixPath(self._bench.project.scene_path).name
            return f"The run is in {wanted}, but {own} is open."
        return ""

    def can_show(self, replay: Replay | None) -> bool:
        """Whether the open scene is the one of a run."""
        return not self.problem_with(replay)

    def set_edge_marks(self, marks: Iterable[EdgeMark]) -> None:
        """Show what is true of the moves of a predicted route; an empty one shows nothing."""
        self._truth = edge_drawing(marks)
        self._on_moved(self._cursor.step)

    def show(self, *, has_eyes: bool) -> None:
        """Take over the stage: around the path, or with the eyes of the agent."""
        was_shown = self._is_shown
        self._has_eyes, self._is_shown = has_eyes, True
        if not was_shown:
            self._before = look_of(self._stage)
        problem = self.problem_with(self._cursor.replay)
        self._stage.empty.invite(problem and "Nothing to see here", problem)
        if problem:
            self._clear()
            return
        self._stage.set_bare(is_bare=has_eyes)
        if has_eyes:
            self._stage.set_cut(None)
        elif self._cursor.replay is not self._framed:
            self._framed = self._cursor.replay
            self.frame()
        elif not was_shown and self._own is not None:
            look_again(self._stage, self._own)
        if not has_eyes and self._stage.view.camera_mode.value == "first_person":
            self.frame()
        self._on_moved(self._cursor.step)

    def spare_camera(self) -> None:
        """Leave the camera as it is although another run is shown: it was left so."""
        self._framed, self._own = self._cursor.replay, None

    def frame(self) -> None:
        """Bring the whole path into view, on its storey."""
        replay = self._cursor.replay
        if replay is None or not self.can_show(replay):
            return
        points = replay.positions_m
        if len(replay.reference_points_m):
            low = points.min(axis=0).clip(max=replay.reference_points_m.min(axis=0))
            high = points.max(axis=0).clip(min=replay.reference_points_m.max(axis=0))
        else:
            low, high = points.min(axis=0), points.max(axis=0)
        self._stage.set_camera_mode("orbit")
        self._stage.show_height(float(points[self._cursor.step, 2]))
        self._stage.view.frame_bounds(
            tuple((low - _AROUND_M).tolist()), tuple((high + _AROUND_M).tolist())
        )

    def hide(self) -> None:
        """Let go of the stage, which is looked at as before."""
        if self._is_shown:
            self._is_shown = False
            self.camera.end()
            self._clear()
            self._stage.set_bare(is_bare=False)
            self._stage.empty.invite("")
            if not self._has_eyes:
                self._own = look_of(self._stage)
            if self._before is not None:
                look_again(self._stage, self._before)

    def _on_moved(self, step: int) -> None:
        replay = self._cursor.replay
        if not self._is_shown or replay is None or not self.can_show(replay):
            return
        view = self._stage.view
        if self._has_eyes:
            self._clear()
            x, y, z = (float(value) for value in replay.positions_m[step])
            yaw = float(np.nan_to_num(replay.facing_rad[step]))
            # Viewpoints stand where the camera was; everything else on the floor.
            eye_m = 0.0 if replay.is_at_cameras else EYE_HEIGHT_M
            camera = FirstPersonCamera((x, y, z), yaw, eye_m, _gaze_rad(replay, step))
            view.set_camera(camera, "first_person")
            self._look(replay, step, camera)
        else:
            self.camera.end()
            still = still_drawing(replay)
            if still is not self._still:
                self._still = still
                view.set_drawing(_STILL, still)
            view.set_drawing(_TRUTH, self._truth)
            view.set_drawing(_LAYER, step_drawing(replay, step))

    def _look(self, replay: Replay, step: int, eyes: FirstPersonCamera) -> None:
        """Have the engine's camera look from a step that has a time and stands on the floor.

        Args:
            replay: The run.
            step: Of it.
            eyes: How the stage shows the step.
        """
        scene, times_s = self._bench.scene, replay.times_s
        if scene is None or times_s is None or replay.is_at_cameras:
            self.camera.end()
            return
        time_ns = round(float(times_s[step]) * 1e9)
        place = CameraPlace(time_ns, eyes.position_m, eyes.yaw_rad, eyes.pitch_rad)
        self.camera.look_from(scene, place)

    def _clear(self) -> None:
        self._still = NOTHING
        self._stage.view.set_drawing(_STILL, NOTHING)
        self._stage.view.set_drawing(_TRUTH, NOTHING)
        self._stage.view.set_drawing(_LAYER, NOTHING)


def _gaze_rad(replay: Replay, step: int) -> float:
    """Gaze above the horizon; level where it is not logged."""
    elevations, pose = replay.run.route.elevations_rad, int(replay.poses[step])
    return 0.0 if elevations is None or pose < 0 else float(np.nan_to_num(elevations[pose]))
