"""The stage as a participant sees it: the scene alone, with what the rules of the study allow."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from waypost.annotators.record.take_drawing import seen_bounds, take_drawing
from waypost.app.record.session.mouse_look import MouseLook
from waypost.app.record.session.take_camera import TakeCamera
from waypost.app.shell.stage import Stage
from waypost.domain.base.frames import Vec3
from waypost.domain.episode.episode import Episode
from waypost.domain.record.take_rules import TakeRules
from waypost.viewers.scene.drawing import NOTHING
from waypost.widgets.stage_card import StageCard

_LAYER = "take"


class ParticipantView(QObject):
    """Takes the stage for a session and gives it back as it was.

    Args:
        stage: Where the scene is shown.
        camera: Shows its frames by the rules.
        parent: Qt owner.
    """

    def __init__(self, stage: Stage, camera: TakeCamera, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stage, self._camera = stage, camera
        self._cut_before_m: float | None = None
        self.mouse = MouseLook(stage.view, self)
        self._curtain = _Curtain(stage.view)

    def begin(self, rules: TakeRules) -> None:
        """Show the scene alone, and the aids that the rules allow."""
        stage, has_compass = self._stage, rules.shows_compass
        self._cut_before_m = stage.view.cut_z
        stage.set_bare(is_bare=True)
        stage.view.set_aids(
            scale_bar=rules.shows_scale_bar, compass=has_compass, heading=has_compass
        )
        stage.map.set_plain(is_plain=True)
        stage.map.set_suspended(is_suspended=not rules.shows_map)
        self._camera.set_rules(rules)
        self.mouse.start()

    def end(self) -> None:
        """Show everything again."""
        stage = self._stage
        self.mouse.stop()
        stage.view.set_drawing(_LAYER, NOTHING)
        stage.view.set_dim(0.0)
        stage.view.set_aids()
        stage.map.set_plain(is_plain=False)
        stage.set_bare(is_bare=False)
        stage.set_camera_mode("orbit")
        stage.set_cut(self._cut_before_m)
        self._curtain.hide()

    def rest(self) -> None:
        """Push the scene back behind a page."""
        self._stage.view.set_drawing(_LAYER, NOTHING)
        self._stage.set_cut(None)
        self._stage.view.set_dim(1.0)

    def cover(self) -> None:
        """Show nothing of the scene: from outside it would tell of ways that are to be found."""
        self.rest()
        self._curtain.show()
        self._curtain.place()

    def uncover(self) -> None:
        """Show the scene again, all of it."""
        self._stage.set_cut(None)
        self._curtain.hide()

    def show_path(self, path_m: tuple[Vec3, ...], episode: Episode, taken_share: float) -> None:
        """Show from above what was driven and what was meant.

        Args:
            path_m: Floor points, at least one.
            episode: What was meant.
            taken_share: Of the width, at the right, that something else covers.
        """
        stage, view = self._stage, self._stage.view
        view.set_dim(0.0)
        stage.set_camera_mode("top")
        stage.show_height(path_m[0][2])
        view.set_drawing(_LAYER, take_drawing(path_m, episode))
        view.frame_bounds(*seen_bounds(path_m, episode, taken_share))


class _Curtain(StageCard):
    """Hides the whole stage; what is made after it stands before it."""

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.setProperty("role", "curtain")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def place(self) -> None:
        """Cover it."""
        self.setGeometry(self.stage.rect())
