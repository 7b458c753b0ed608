"""Folds panels of the window away, so that the middle gets their room."""

from __future__ import annotations

from PySide6.QtWidgets import QSplitter, QWidget

from waypost.app.shell.middle import LowerStrip


class PanelFolds:
    """What is folded, and unfolds again.

    Args:
        splitter: Between the left panel, the middle and the right panel.
        around: What is put away with both panels where the stage is to be alone.
        below: Is put away as well.
    """

    def __init__(self, splitter: QSplitter, around: tuple[QWidget, ...], below: LowerStrip) -> None:
        self._splitter, self._around, self._below = splitter, around, below

    def fold(self, index: int) -> None:
        """Fold the left (0) or right (2) panel away, or unfold it."""
        panel = self._splitter.widget(index)
        if panel:
            panel.setVisible(panel.isHidden())

    def toggle_stage_only(self) -> None:
        """Give the whole window to the stage, or take it back."""
        is_alone = self._around[0].isHidden()
        for part in self._around:
            part.setVisible(is_alone)
        self._below.set_folded(is_folded=not is_alone)
