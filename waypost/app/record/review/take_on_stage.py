"""A take on the stage: its path over the reference, and the body or the eyes at a sample."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from waypost.annotators import palette
from waypost.annotators.record.take_drawing import seen_bounds, take_drawing, touches_drawing
from waypost.annotators.record.take_plots import pitch_or_level_rad
from waypost.annotators.traverse.agent_drawing import agent_drawing
from waypost.app.shell.stage import Stage
from waypost.app.shell.stage_look import StageLook, look_again, look_of
from waypost.domain.base.frames import Vec3
from waypost.services.agent_marks import own_shade
from waypost.services.study.take_loading import LoadedTake
from waypost.viewers.scene.camera import CameraMode, FirstPersonCamera
from waypost.viewers.scene.drawing import NOTHING, rgb

_PATH, _TOUCHES, _AGENT = "take", "take_touches", "take_agent"
_STOREY_REACH_M = (0.3, 3.0)
"""The cut shows a floor that lies this far below it."""


class TakeOnStage(QObject):
    """Draws one take and follows its driver; gives the stage back as it was.

    Args:
        stage: Where it is shown.
        parent: Qt owner.
    """

    view_changed = Signal(str)
    """Mode of the camera, by whatever it was changed."""

    def __init__(self, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self._loaded: LoadedTake | None = None
        self._index = 0
        self._mode = ""
        self._before: StageLook | None = None
        stage.view.camera_changed.connect(self._on_camera)

    def take_over(self) -> None:
        """Remember how the stage was looked at; once until it is given back."""
        if self._before is None:
            self._before = look_of(self._stage)
            self._mode = ""

    def give_back(self) -> None:
        """Look at the stage as before."""
        self.clear()
        if self._before is not None:
            before, self._before = self._before, None
            self._stage.view.set_dim(0.0)
            look_again(self._stage, before)

    def clear(self) -> None:
        """Draw no take."""
        self._loaded = None
        for layer in (_PATH, _TOUCHES, _AGENT):
            self._stage.view.set_drawing(layer, NOTHING)
        self._stage.map.set_agent(None)

    def show(self, loaded: LoadedTake, *, is_in_scene: bool) -> None:
        """Draw another take; one looks at it as at the one before, the first time from above.

        Args:
            loaded: The take.
            is_in_scene: Whether it was driven in the scene on the stage, which is dark if not.
        """
        self._loaded, self._index = loaded, 0
        view, path = self._stage.view, self._path_m()
        view.set_dim(0.0 if is_in_scene else 1.0)
        end = "stop" if loaded.take.summary.has_stopped else "end"
        view.set_drawing(_PATH, take_drawing(path, loaded.episode, end))
        touched = tuple(path[moment.index] for moment in loaded.track.collisions)
        view.set_drawing(_TOUCHES, touches_drawing(touched))
        self.look_again()

    def look(self, mode: str) -> None:
        """Look from above, from behind, or with the driver's eyes."""
        if self._loaded is None:
            return
        self._stage.set_camera_mode(mode)
        if mode == CameraMode.TOP:
            self._stage.show_height(self._position_m()[2])
            self.frame()
        elif mode in {CameraMode.CHASE, CameraMode.FIRST_PERSON}:
            self._stage.set_cut(None)
        self.show_sample(self._index)

    def look_again(self) -> None:
        """Look at the take as before, e.g. when another scene has come."""
        self.look(self._mode or str(CameraMode.TOP))

    def frame(self) -> None:
        """Bring path, reference and goals into view."""
        if self._loaded is not None:
            self._stage.view.frame_bounds(*seen_bounds(self._path_m(), self._loaded.episode))

    def show_sample(self, index: int) -> None:
        """Bring body, eyes and map to a sample."""
        loaded = self._loaded
        if loaded is None:
            return
        self._index = index
        view, yaw = self._stage.view, float(loaded.track.yaws_rad[index])
        position = self._position_m()
        view.set_chase_pose(position, yaw, loaded.eye_height_m)
        if view.camera_mode is CameraMode.FIRST_PERSON:
            pitch = pitch_or_level_rad(loaded.track, index)
            eyes = FirstPersonCamera(position, yaw, loaded.eye_height_m, pitch)
            view.set_camera(eyes, CameraMode.FIRST_PERSON)
        self._show_body()
        cut, (low, high) = view.cut_z, _STOREY_REACH_M
        if cut is not None and not low <= cut - position[2] <= high:
            self._stage.show_height(position[2])
        self._stage.map.set_agent(position, yaw)

    def _show_body(self) -> None:
        """Draw the body, but not around the eyes that one looks with."""
        if self._loaded is None:
            return
        body = NOTHING
        if self._stage.view.camera_mode is not CameraMode.FIRST_PERSON:
            yaw = float(self._loaded.track.yaws_rad[self._index])
            profile = self._loaded.profile
            color = rgb(shade) if (shade := own_shade(profile)) else palette.AGENT
            body = agent_drawing(profile, self._position_m(), yaw, color)
        self._stage.view.set_drawing(_AGENT, body)

    def _on_camera(self) -> None:
        mode = str(self._stage.view.camera_mode)
        if self._loaded is not None and mode != self._mode:
            self._mode = mode
            self._show_body()
            self.view_changed.emit(mode)

    def _path_m(self) -> tuple[Vec3, ...]:
        if self._loaded is None:
            return ()
        return tuple((x, y, z) for x, y, z in self._loaded.track.positions_m.tolist())

    def _position_m(self) -> Vec3:
        if self._loaded is None:
            return (0.0, 0.0, 0.0)
        x, y, z = self._loaded.track.positions_m[self._index].tolist()
        return (x, y, z)
