"""A colour that can be chosen, or left to be found by itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QWidget

from waypost.widgets.parts import button

_SWATCH_PX = 14


class ColourField(QWidget):
    """A button with the colour, and one that leaves the colour to the program again.

    Args:
        own: What a colour that was not chosen is called.
        parent: Qt owner.
    """

    changed = Signal()
    """Somebody chose another colour, or none."""

    def __init__(self, own: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = own
        self._colour = ""
        self._choose = button("")
        self._forget = button("✕", own)
        self._forget.setToolTip(own)
        self._choose.clicked.connect(self._ask)
        self._forget.clicked.connect(lambda: self._take(""))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._choose, 1)
        row.addWidget(self._forget)
        self.setFocusProxy(self._choose)
        self.set_colour("")

    @property
    def colour(self) -> str:
        """``#rrggbb``, or empty where none was chosen."""
        return self._colour

    def set_colour(self, colour: str) -> None:
        """Show another colour; emits nothing."""
        self._colour = colour
        shown = colour or self._own
        self._choose.setText(shown)
        self._choose.setAccessibleName(f"Colour: {shown}")
        self._forget.setEnabled(bool(colour))
        swatch = QPixmap(_SWATCH_PX, _SWATCH_PX)
        swatch.fill(QColor(colour or "transparent"))
        self._choose.setIcon(QIcon(swatch) if colour else QIcon())

    def _ask(self) -> None:
        dialog = QColorDialog(QColor(self._colour or "#7cc4ff"), self)
        dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        dialog.colorSelected.connect(lambda colour: self._take(colour.name()))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take(self, colour: str) -> None:
        if colour != self._colour:
            self.set_colour(colour)
            self.changed.emit()
