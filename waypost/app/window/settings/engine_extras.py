"""What an engine that draws is asked beside driving: its camera, its window and the robot in it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QWidget

from waypost.services.settings import MOST_FRAMES_MB, Settings
from waypost.simulators.backends.isaac_stage import ROBOT_ENDINGS, robots_in
from waypost.widgets.form_fields import Field, PathField, choice_box, decimal_box, number_box

_SHOWS: Final = {
    "nothing": "Nothing",
    "colours": "Colours",
    "depth": "Depth",
    "both": "Colours, and depth to keep",
}
_USD_FILTER: Final = f"USD ({' '.join(f'*{ending}' for ending in ROBOT_ENDINGS)});;All files (*)"


class EngineExtras(QWidget):
    """The fields, as rows of two.

    Args:
        settings: Proposed.
        title: Of the engine.
    """

    changed = Signal()

    def __init__(self, settings: Settings, title: str) -> None:
        super().__init__()
        self.shows = choice_box(_SHOWS)
        self.shows.setCurrentIndex(self.shows.findData(settings.camera_shows))
        self.columns = number_box(1, 4096, settings.camera_width_px)
        self.lines = number_box(1, 4096, settings.camera_height_px)
        self.fov = decimal_box(1.0, 170.0, settings.camera_field_of_view_deg, "°", decimals=1)
        self.lens = decimal_box(0.0, 10.0, settings.camera_lens_m, "m")
        self.tilt = decimal_box(-90.0, 90.0, settings.camera_tilt_deg, "°", decimals=1)
        self.kept_mb = number_box(0, MOST_FRAMES_MB, settings.frames_kept_mb, "none")
        self.kept_mb.setSuffix(" MB")
        self.window_box = QCheckBox(f"{title} shows its own window while it drives")
        self.window_box.setChecked(settings.engine_window)
        self.robot = PathField(
            "Robot in that window",
            lambda: QFileDialog.getOpenFileName(self, "Robot", self.robot.path, _USD_FILTER)[0],
            "A USD file, or a folder with one for each agent, such as wheelchair.usd. It is shown"
            " instead of the body, which alone collides. Empty: a plain body.",
            lambda: QFileDialog.getExistingDirectory(self, "Robots", self.robot.path),
        )
        self.robot.line.setText(settings.robot_usd)
        self.robot.changed.connect(self._check)
        self._on_camera: tuple[QWidget, ...] = ()
        self._lay_out()
        self.shows.currentIndexChanged.connect(self._check)
        self._check()

    @property
    def problem(self) -> str:
        """What cannot be used of what was given, in one sentence; empty for nothing."""
        return self.robot.problem

    def put_into(self, settings: Settings) -> Settings:
        """The settings with what was given."""
        return replace(
            settings,
            camera_shows=str(self.shows.currentData()),
            camera_width_px=self.columns.value(),
            camera_height_px=self.lines.value(),
            camera_field_of_view_deg=self.fov.value(),
            camera_lens_m=self.lens.value(),
            camera_tilt_deg=self.tilt.value(),
            frames_kept_mb=self.kept_mb.value(),
            engine_window=self.window_box.isChecked(),
            robot_usd=self.robot.path,
        )

    def _lay_out(self) -> None:
        camera = (
            Field("Width in pixels", self.columns),
            Field("Height in pixels", self.lines),
            Field("Field of view", self.fov, "From the left to the right edge."),
            Field("Height of the lens", self.lens, "Above the feet."),
            Field("Tilt", self.tilt, "Above the horizon; negative looks down."),
            Field("Kept with each take", self.kept_mb, "At most so much; then no more are kept."),
        )
        self._on_camera = camera
        drawn = "Drawn in a process of its own, whichever engine drives."
        rows: tuple[tuple[QWidget, ...], ...] = (
            (Field("Frames of its camera", self.shows, drawn),),
            *(camera[at : at + 2] for at in range(0, len(camera), 2)),
            (Field(self.window_box.text(), self.window_box),),
            (self.robot,),
        )
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        for number, row in enumerate(rows):
            for place, part in enumerate(row):
                grid.addWidget(part, number, place, 1, 3 - len(row))

    def _check(self, *_: object) -> None:
        for field in self._on_camera:
            field.setVisible(self.shows.currentData() != "nothing")
        self.robot.set_problem(_robot_problem(self.robot.path))
        self.changed.emit()


def _robot_problem(path: str) -> str:
    """Why a file cannot stand for the body, in one sentence; empty if it can."""
    if not path:
        return ""
    if "@@@" in path:
        return "A name with @@@ cannot be written into a stage."
    if os.path.isdir(path):  # noqa: PTH112 - never raises, whatever was typed
        return "" if robots_in(Path(path)) else f"{path} has no USD file that this window may read."
    if Path(path).suffix.lower() not in ROBOT_ENDINGS:
        return f"{path} is no USD file: its name ends in none of {', '.join(ROBOT_ENDINGS)}."
    if not os.path.isfile(path):  # noqa: PTH113 - as above
        return f"{path} is not there, or is no file."
    return ""
