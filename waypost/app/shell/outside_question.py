"""Asks once per scene whether the files that it names outside its folder are to be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from waypost.app.shell.bench_scenes import is_same_file
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import ReadError
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.scene import OUTSIDE_PLACE
from waypost.services.scene_assets import is_answered, with_answer

_SHOWN = 3


class OutsideQuestion(QObject):
    """Asks when a scene was opened, or could not be, without files outside its folder.

    The answer is kept in the settings; a scene whose files may be read is read again.

    Args:
        bench: What is open.
        window: Owner of the question.
    """

    def __init__(self, bench: Workbench, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._window = bench, window
        self._box: QMessageBox | None = None
        bench.scene_replaced.connect(self._on_scene)
        bench.opening_failed.connect(self._on_failed)

    def _on_scene(self) -> None:
        scene = self._bench.scene
        if scene is None:
            return
        left_out = [asset for asset in scene.outside_assets if not asset.is_followed]
        lines = dict.fromkeys(f"{one_line(asset.asset)} → {asset.path}" for asset in left_out)
        names = list(dict.fromkeys(one_line(asset.asset, 60) for asset in left_out))
        if names:
            self._ask(Path(scene.path), _sentence(names), "\n".join(lines))

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, ReadError) and error.place == OUTSIDE_PLACE:
            self._ask(Path(error.file), one_line(error.reason, 400), "")

    def _ask(self, scene: Path, sentence: str, details: str) -> None:
        if is_answered(self._bench.settings, scene):
            return
        if self._box is not None:
            self._box.close()
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Files outside the scene's folder")
        box.setText(sentence)
        box.setInformativeText("Read them? The answer is kept for this scene.")
        box.setDetailedText(details)
        box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
        box.setDefaultButton(QMessageBox.StandardButton.No)
        box.button(QMessageBox.StandardButton.Yes).setText("Read them")
        box.button(QMessageBox.StandardButton.No).setText("Leave them out")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(lambda answer: self._answer(box, scene, answer))
        self._box = box
        box.open()

    def _answer(self, box: QMessageBox, scene: Path, answer: int) -> None:
        if self._box is box:
            self._box = None
        buttons = QMessageBox.StandardButton
        if box.clickedButton() is None or answer not in (buttons.Yes, buttons.No):
            return
        is_read = answer == buttons.Yes
        self._bench.change_settings(with_answer(self._bench.settings, scene, is_read=is_read))
        if is_read:
            self._read_again(scene)

    def _read_again(self, scene: Path) -> None:
        """Read the project's scene, or one that could not be opened; others see the settings."""
        if is_same_file(self._bench.own_scene_path, scene):
            self._bench.read_own_scene()
        elif self._bench.is_own_scene:
            self._bench.open_scene_file(scene)


def _sentence(names: Sequence[str]) -> str:
    more = ", …" if len(names) > _SHOWN else ""
    count = counted(len(names), "file", "files")
    return f"This scene names {count} outside its folder: {', '.join(names[:_SHOWN])}{more}"
