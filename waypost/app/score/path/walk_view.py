"""What is seen along a path, through its scene or in pictures of its viewpoints, over time."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from waypost.services.path_walks import PathWalk
from waypost.viewers.strip.panorama_strip import PanoramaStrip
from waypost.widgets.picture_box import PictureBox
from waypost.widgets.timeline import Timeline
from waypost.widgets.timeline_content import TimelineContent


class WalkView(QWidget):
    """A view into the scene, or a strip of panoramas, and the time that both go along."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = PictureBox("What is seen along the path", "", QSize(200, 110))
        self.strip, self.timeline = PanoramaStrip(), Timeline()
        self._faces = QStackedWidget()
        self._faces.addWidget(self.view)
        self._faces.addWidget(self.strip)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._faces, 1)
        layout.addWidget(self.timeline)
        self.set_time(None)

    @property
    def is_in_scene(self) -> bool:
        """Whether the view into the scene is shown, not the strip."""
        return self._faces.currentWidget() is self.view

    def set_time(self, walk: PathWalk | None) -> None:
        """Show the time of another walk, at its start; nothing to go along without."""
        times = None if walk is None else walk.times_s
        count = 0 if times is None else len(times)
        self.timeline.set_content(TimelineContent(count, times, unit="moment"))
        self.timeline.set_position(0)

    def show_face(self, *, is_in_scene: bool, has_pictures: bool) -> None:
        """Show the view or the strip over the time; the time alone where nothing is to be seen."""
        self._faces.setCurrentWidget(self.view if is_in_scene else self.strip)
        self._faces.setVisible(is_in_scene or has_pictures)


class PathEnds(QWidget):
    """What is seen at the start and at the goal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        least = QSize(112, 64)
        self.start = PictureBox("What is seen at the start", "Start", least)
        self.goal = PictureBox("What is seen at the goal", "Goal", least)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._layout.addWidget(self.start)
        self._layout.addWidget(self.goal)

    def set_stacked(self, *, is_stacked: bool) -> None:
        """Put the goal below the start, or beside it."""
        direction = QHBoxLayout.Direction
        self._layout.setDirection(direction.TopToBottom if is_stacked else direction.LeftToRight)
