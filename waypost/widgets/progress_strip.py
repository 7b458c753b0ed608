"""Says what is being done, how much of it is done, and lets the user stop it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from waypost.widgets.parts import ElidedLabel, QuietBar, button, label

_STEPS = 1000


class ProgressStrip(QFrame):
    """Shown while a job takes longer than half a second."""

    cancel_chosen = Signal()
    """The user wants the job to stop."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        self._what = ElidedLabel("", Qt.TextElideMode.ElideMiddle)
        self._bar = QuietBar()
        self._bar.setTextVisible(False)
        self._bar.setMinimumWidth(120)
        self._amount = label("", "muted")
        self._amount.setWordWrap(False)
        self._cancel = button("Cancel")
        self._cancel.clicked.connect(self._on_cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 5, 8, 5)
        layout.setSpacing(12)
        layout.addWidget(self._what, 2)
        layout.addWidget(self._bar, 3)
        layout.addWidget(self._amount)
        layout.addWidget(self._cancel)
        self.hide()

    def show_progress(self, what: str, done: float, total: float) -> None:
        """Show how far a job has come.

        Args:
            what: E.g. ``Opening small_house.glb: textures``.
            done: In any unit.
            total: In the same unit; 0 or less if it is not known.
        """
        self._what.set_full_text(what)
        if total > 0:
            share = min(max(done / total, 0.0), 1.0)
            self._bar.show_share(round(share * _STEPS), _STEPS)
            self._amount.setText(f"{share:.0%}")
        else:
            self._bar.show_busy()
            self._amount.setText("")
        self._bar.setAccessibleName(what)
        self.show()

    def finish(self) -> None:
        """Take the strip away."""
        self._cancel.setEnabled(True)
        self._cancel.setText("Cancel")
        self.hide()

    def _on_cancel(self) -> None:
        self._cancel.setEnabled(False)
        self._cancel.setText("Stopping…")
        self.cancel_chosen.emit()
