"""Asks how a camera films: along a graph, by hand, or as panoramas at its nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, PathField, choice_box, decimal_box, number_box

_LEAST_PX, _MOST_PX = 16, 8192


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """How a video is filmed."""

    file: str
    nodes: str
    """Names or ids with commas; empty for a film by hand."""

    fps: float
    eye_height_m: float
    fov_deg: float
    fov_axis: str
    width_px: int
    height_px: int
    speed_mps: float
    turn_time_s: float


@dataclass(frozen=True, slots=True)
class PanoramaSettings:
    """Which pictures are taken at which nodes."""

    folder: str
    nodes: str
    """Names or ids with commas; empty for all."""

    views: str
    heading_deg: float
    """R2R heading of the middle of a sphere or of a reference picture."""

    eye_height_m: float
    fov_deg: float
    size_px: int
    sphere_width_px: int
    ending: str


class _CameraDialog(FormDialog):
    """Fields in two columns, and a sentence for what was refused.

    Args:
        title: Of the dialog.
        action: Of the primary button.
        parent: Qt owner.
    """

    submitted = Signal()
    """The form was sent; `fail` or `accept` ends it."""

    def __init__(self, title: str, action: str, parent: QWidget | None) -> None:
        super().__init__(title, action, parent)
        self.resize(560, 460)
        self.primary.clicked.connect(self.submitted)

    def _fill(self, *rows: tuple[QWidget, ...]) -> None:
        self.lay_out(rows).setRowStretch(len(rows), 1)


class FilmDialog(_CameraDialog):
    """Asks for a video.

    Args:
        ask_file: Asks for the file; empty if none was chosen.
        file: Proposed.
        nodes: Proposed way along the graph; ``None`` for a film by hand.
        parent: Qt owner.
    """

    def __init__(
        self,
        ask_file: Callable[[], str],
        file: str,
        nodes: str | None,
        parent: QWidget | None = None,
    ) -> None:
        is_tour = nodes is not None
        super().__init__("Film a tour" if is_tour else "Film by hand", "Film", parent)
        self.file = PathField("Video", ask_file, "The poses go beside it as NAME.poses.csv.")
        self.file.line.setText(file)
        self.nodes = QLineEdit(nodes or "")
        self.fps = decimal_box(0.01, 240.0, 2.0, "per second")
        self.eye = decimal_box(-100.0, 100.0, 1.5, "m")
        self.fov = decimal_box(5.0, 170.0, 75.0, "°", decimals=1)
        self.axis = choice_box({"horizontal": "from left to right", "vertical": "up and down"})
        self.columns, self.lines = (number_box(_LEAST_PX, _MOST_PX, n) for n in (640, 480))
        self.speed = decimal_box(0.01, 100.0, 1.0, "m/s")
        self.turn = decimal_box(0.0, 60.0, 1.0, "s")
        pictures = Field("Pictures", self.fps)
        walking = (
            (Field("Nodes", self.nodes, "Names or ids with commas, joined by the shortest ways."),),
            (pictures, Field("Eye height", self.eye)),
            (Field("Walking speed", self.speed), Field("Time for a corner", self.turn)),
        )
        self._fill(
            (self.file,),
            *(walking if is_tour else ((pictures,),)),
            (Field("Field of view", self.fov), Field("Which is the angle", self.axis)),
            (Field("Width in pixels", self.columns), Field("Height in pixels", self.lines)),
        )
        # What a hand did is neither walked nor at a height of its own; the fields are kept unseen.
        self._unused = () if is_tour else walking

    @property
    def settings(self) -> FilmSettings:
        """What was given."""
        return FilmSettings(
            self.file.path,
            self.nodes.text(),
            self.fps.value(),
            self.eye.value(),
            self.fov.value(),
            str(self.axis.currentData()),
            self.columns.value(),
            self.lines.value(),
            self.speed.value(),
            self.turn.value(),
        )


class PanoramaDialog(_CameraDialog):
    """Asks for pictures at nodes.

    Args:
        ask_folder: Asks for the folder; empty if none was chosen.
        folder: Proposed.
        nodes: Proposed; empty for all.
        views: Proposed, of ``four``, ``equirectangular``, ``both``, ``reference``.
        parent: Qt owner.
    """

    def __init__(
        self,
        ask_folder: Callable[[], str],
        folder: str,
        nodes: str,
        views: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Pictures at nodes", "Take the pictures", parent)
        self.folder = PathField("Folder", ask_folder, "New or empty.")
        self.folder.line.setText(folder)
        self.nodes = QLineEdit(nodes)
        self.nodes.setPlaceholderText("every node")
        titles = {
            "four": "four views",
            "equirectangular": "the whole sphere",
            "both": "four views and the sphere",
            "reference": "one reference picture of a goal",
        }
        self.views = choice_box(titles)
        self.views.setCurrentIndex(self.views.findData(views))
        self.heading = decimal_box(-360.0, 360.0, 0.0, "°", decimals=1)
        self.eye = decimal_box(-100.0, 100.0, 1.5, "m")
        self.fov = decimal_box(5.0, 170.0, 90.0, "°", decimals=1)
        self.side = number_box(_LEAST_PX, _MOST_PX, 512)
        self.sphere = number_box(2 * _LEAST_PX, _MOST_PX, 2048)
        self.sphere.setSingleStep(2)
        self.ending = choice_box({"png": "PNG", "jpg": "JPEG"})
        heading = "R2R heading: 0 is north (+Y), clockwise; four views have their own."
        self._fill(
            (self.folder,),
            (Field("Nodes", self.nodes, "Names or ids with commas."),),
            (Field("Pictures", self.views), Field("Format", self.ending)),
            (Field("Looks to", self.heading, heading),),
            (Field("Eye height", self.eye), Field("Field of view", self.fov)),
            (Field("Side in pixels", self.side), Field("Width of a sphere", self.sphere)),
        )

    @property
    def settings(self) -> PanoramaSettings:
        """What was given."""
        return PanoramaSettings(
            self.folder.path,
            self.nodes.text(),
            str(self.views.currentData()),
            self.heading.value(),
            self.eye.value(),
            self.fov.value(),
            self.side.value(),
            self.sphere.value() // 2 * 2,
            str(self.ending.currentData()),
        )
