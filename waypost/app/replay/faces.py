"""What fills the middle of a replay, and what stands around it: pictures above, time below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from waypost.app.replay.episode import EpisodeViews
from waypost.app.replay.scene import ReplayScene
from waypost.app.shell.middle import LowerStrip, Middle

OF_THE_RUN: Final = frozenset({"table", "charts"})
"""Faces that show the run, not an episode."""

_WITH_PICTURES: Final = frozenset({"map", "scene"})
"""Faces with the pictures of the step above them."""


class ReplayFaces(QObject):
    """Shows one of the faces while the workspace has the window.

    Args:
        middle: Where they are shown.
        below: Where time is shown.
        views: Of the episode at hand.
        scene: Shows it on the stage, which is the face of all that ``faces`` has not.
        faces: By their keys in ``replay_header.FACES``.
        beside: What stands beside every face but the table, which would be shown twice.
        parent: Qt owner.
    """

    shown = Signal(str)
    """Another face fills the middle, or the same once more; its key."""

    def __init__(
        self,
        middle: Middle,
        below: LowerStrip,
        views: EpisodeViews,
        scene: ReplayScene,
        faces: Mapping[str, QWidget],
        beside: QWidget,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._middle, self._below, self._views, self._scene = middle, below, views, scene
        self._faces, self._beside = faces, beside
        self.face = "table"
        """Which is shown; a key of ``replay_header.FACES``."""

        self.is_active = False
        """Whether the workspace has the window."""

        for widget in self._faces.values():
            middle.add_face(widget)
        middle.add_above(views.above)
        below.add(views.below)
        views.height_changed.connect(self._on_height)
        below.height_changed.connect(self._on_height)

    def show(self, face: str) -> None:
        """Show the overview, the map, the scene, the agent's eyes or the runs side by side."""
        self.face = face
        views, middle = self._views, self._middle
        views.header.set_face(face)
        if not self.is_active:
            return
        is_episode = face not in OF_THE_RUN and views.run is not None
        self._show_pictures()
        holder = QApplication.focusWidget()
        has_keyboard = holder is not None and middle.isAncestorOf(holder)
        self._beside.setVisible(face != "table")
        middle.show_parts(self._faces.get(face), views.above)
        self._below.show_part(views.below if is_episode else None)
        if face in {"scene", "first_person"}:
            self._scene.show(has_eyes=face == "first_person")
        else:
            self._scene.hide()
        views.catch_up()
        self.shown.emit(face)
        if has_keyboard and holder is not None and not holder.isVisible():
            # Else Qt gives it to the next field there is, and letters end up in a search.
            middle.take_keyboard()

    def _on_height(self) -> None:
        if self.is_active and not self._below.isHidden():
            self._show_pictures()
            self._below.show_part(self._views.below)

    def _show_pictures(self) -> None:
        below_px = 0 if self._below.isHidden() else self._below.height()
        is_wanted = self.face in _WITH_PICTURES and self._views.run is not None
        room_px = self._middle.height() + below_px
        self._views.show_pictures(is_wanted=is_wanted, room_px=room_px)
