"""The button that has every passage measured, and stops it again."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from waypost.widgets.parts import QuietBar, button, label


class MeasureBar(QWidget):
    """“Measure all” with its key; while that goes on, how far it is and a way to stop it."""

    chosen = Signal()
    """Measure, or stop measuring."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._progress: tuple[int, int] | None = None
        self._button = button("", role="primary")
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.clicked.connect(self.chosen)
        self._bar = QuietBar()
        self._bar.setTextVisible(False)
        # Beside the bar: on the button it would make the panel wider and narrower.
        self._count = label("", "small")
        self._count.setWordWrap(False)
        self._measured = QWidget()
        row = QHBoxLayout(self._measured)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._bar, 1)
        row.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._button)
        layout.addWidget(self._measured)
        self._show()

    def set_key(self, key: str) -> None:
        """Write another key on the button."""
        self._key = key
        self._show()

    def set_progress(self, done: int, total: int) -> None:
        """Show that measuring goes on, and how far it is."""
        self._progress = done, total
        self._show()

    def set_idle(self, *, can_measure: bool) -> None:
        """Show that nothing is being measured.

        Args:
            can_measure: Whether there is anything to measure.
        """
        self._progress = None
        self._button.setEnabled(can_measure)
        self._show()

    def _show(self) -> None:
        self._measured.setVisible(self._progress is not None)
        if self._progress is None:
            self._write("Measure all", "Measure every passage of every agent")
            return
        done, total = self._progress
        self._button.setEnabled(True)
        self._bar.show_share(done, total)
        self._count.setText(f"{done:,} of {total:,}")
        self._write("Stop measuring", "Stop measuring; what is there stays")

    def _write(self, text: str, tip: str) -> None:
        self._button.setText(f"{text}  {self._key}".rstrip())
        self._button.setAccessibleName(tip)
        self._button.setToolTip(tip)
