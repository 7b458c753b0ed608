"""Asks for the unit or the up axis of a scene whose file states one that cannot be."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from waypost.app.shell.bench_scenes import is_same_file
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.visible_text import one_line
from waypost.domain.project import Project
from waypost.domain.scene.corrections import UNITS
from waypost.io.scenes.corrections import UNIT_PLACE, lacks_frame

_AXES = {"Y is up": "Y", "Z is up": "Z"}
_UNITS = {f"{name} ({unit:g} m)": unit for unit, name in UNITS.items()}


class UnitQuestion(QObject):
    """What is answered is kept in the project of the scene, as one step of undo.

    Args:
        bench: What is open.
        window: Owner of the question.
    """

    def __init__(self, bench: Workbench, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._window = bench, window
        self.dialog: QInputDialog | None = None
        """The question that waits for an answer."""

        self._given: dict[str, dict[str, Any]] = {}
        bench.opening_failed.connect(self._on_failed)

    def _on_failed(self, error: Exception) -> None:
        if not lacks_frame(error):
            return
        is_unit = error.place == UNIT_PLACE
        scene = Path(error.file)
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle("Unit of the scene" if is_unit else "Up axis of the scene")
        name, reason = one_line(scene.name, 60), one_line(error.reason.split(";")[0], 120)
        asked = "One unit of it is:" if is_unit else "Which axis of it is up?"
        dialog.setLabelText(f"{name}: {error.place} {reason}. {asked}")
        dialog.setComboBoxItems(list(_UNITS if is_unit else _AXES))
        told = f"{name} is not shown: {error.place} {reason}. Open it again to say what is right."
        dialog.rejected.connect(lambda: self._bench.refused.emit(told))
        dialog.finished.connect(lambda _: self._forget(dialog))
        dialog.textValueSelected.connect(lambda chosen: self._answer(scene, chosen))
        self.dialog = dialog
        dialog.open()

    def _forget(self, dialog: QInputDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
        dialog.deleteLater()

    def _answer(self, scene: Path, chosen: str) -> None:
        bench = self._bench
        key = os.path.realpath(scene)
        # A file may state neither as it can be; then both are asked, one after the other.
        self._given.setdefault(key, {}).update(_corrections(chosen))

        def change(project: Project) -> Project:
            return replace(project, **self._given.get(key, {}))

        if not is_same_file(bench.own_scene_path, scene):
            bench.open_scene_file(scene, change=change)
        elif bench.document:
            bench.document.edit(f"The scene: {chosen}", change(bench.project))


def _corrections(chosen: str) -> dict[str, Any]:
    if chosen in _AXES:
        return {"scene_up_axis": _AXES[chosen]}
    return {"scene_metres_per_unit": _UNITS[chosen]}
