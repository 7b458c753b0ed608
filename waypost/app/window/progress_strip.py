"""Says what is being done, how much of it is done, and lets the user stop it."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from waypost.domain.base.visible_text import plain_tip
from waypost.widgets.parts import ElidedLabel, QuietBar, button, label

_STEPS = 1000
_DELAY_MS = 300
_OFTEN_S = 0.1


class ProgressStrip(QFrame):
    """Shown once a job has taken a moment, and at most ten times a second anew.

    To show another text in it lays it out anew; work that tells of every file
    it looks at would leave the window no time for anything else.
    """

    cancel_chosen = Signal()
    """The user wants a job to stop; where several run it is still to be asked which."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "message")
        self.setProperty("level", "info")
        self._what = ElidedLabel("", Qt.TextElideMode.ElideMiddle)
        self._bar = QuietBar()
        self._bar.setTextVisible(False)
        self._bar.setMinimumWidth(120)
        self._amount = label("", "muted")
        self._amount.setWordWrap(False)
        self._cancel = button("Cancel")
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cancel.clicked.connect(self._on_cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 5, 8, 5)
        layout.setSpacing(12)
        layout.addWidget(self._what, 2)
        layout.addWidget(self._bar, 3)
        layout.addWidget(self._amount)
        layout.addWidget(self._cancel)
        self._titles: tuple[str, ...] = ()
        self._news: tuple[str, float, float] | None = None
        self._shown_s = 0.0
        self._appears = _alarm(self, _DELAY_MS, self.show)
        self._catches_up = _alarm(self, round(_OFTEN_S * 1000), self._show_news)
        self.hide()

    def set_jobs(self, titles: tuple[str, ...]) -> None:
        """Say what runs, so that it is plain what Cancel stops."""
        self._titles = titles
        # One that is stopping keeps nobody from stopping another.
        self._cancel.setEnabled(True)
        self._name_cancel()

    def cancel_place(self) -> QPoint:
        """On the screen, where a choice of what to stop goes."""
        return self._cancel.mapToGlobal(self._cancel.rect().topLeft())

    def show_progress(self, what: str, done: float, total: float) -> None:
        """Show how far a job has come.

        Args:
            what: E.g. ``Opening small_house.glb: textures``.
            done: In any unit.
            total: In the same unit; 0 or less if it is not known.
        """
        self._news = what, done, total
        if self.isHidden() and not self._appears.isActive():
            self._appears.start()
            self._show_news()
        elif time.monotonic() - self._shown_s >= _OFTEN_S:
            self._show_news()
        elif not self._catches_up.isActive():
            self._catches_up.start()

    def _show_news(self) -> None:
        if self._news is None:
            return
        what, done, total = self._news
        self._news, self._shown_s = None, time.monotonic()
        self._what.set_full_text(what)
        if total > 0:
            share = min(max(done / total, 0.0), 1.0)
            self._bar.show_share(round(share * _STEPS), _STEPS)
            # As wide as any: a wider text is cut off until the strip is laid out anew.
            self._amount.ensurePolished()
            most_px = self._amount.fontMetrics().horizontalAdvance("100%")
            self._amount.setMinimumWidth(most_px + 2)
            self._amount.setText(f"{share:.0%}")
        else:
            self._bar.show_busy()
            self._amount.setMinimumWidth(0)
            self._amount.setText("")
        self._bar.setAccessibleName(what)

    def finish(self) -> None:
        """Take the strip away."""
        self._news = None
        self._appears.stop()
        self._catches_up.stop()
        self._cancel.setEnabled(True)
        self._name_cancel()
        self.hide()

    def _name_cancel(self) -> None:
        several = len(self._titles) > 1
        if self._cancel.isEnabled():
            self._cancel.setText("Cancel …" if several else "Cancel")
        what = f"one of {len(self._titles)}" if several else "".join(self._titles)
        name = f"Cancel: {what}" if what else "Cancel"
        self._cancel.setAccessibleName(name)
        self._cancel.setToolTip(plain_tip("\n".join((name, *self._titles) if several else (name,))))

    def _on_cancel(self) -> None:
        if len(self._titles) < 2:
            self._cancel.setEnabled(False)
            self._cancel.setText("Stopping …")
        self.cancel_chosen.emit()


def _alarm(strip: ProgressStrip, after_ms: int, act: Callable[[], None]) -> QTimer:
    made = QTimer(strip)
    made.setSingleShot(True)
    made.setInterval(after_ms)
    made.timeout.connect(act)
    return made
