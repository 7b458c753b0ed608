"""The two strips around a participant's view: what to do above, which keys below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from waypost.services.appearance import changes_text_size
from waypost.widgets.key_legend import KeyLegend
from waypost.widgets.parts import button, label, set_property
from waypost.widgets.row_layouts import FlowRows

_MOST_SHARE = 0.38
"""Of the height of the window, for the instruction; the rest is for the view and the keys."""

_SMALLEST_PX = 13
_SIDE_PX, _BETWEEN_PX = 18, 24
_WORDS = Qt.TextFlag.TextWordWrap


class InstructionStrip(QFrame):
    """The instruction, whether it is recording, and what is wrong; never takes the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._instruction = label("", "instruction")
        self._instruction.setAccessibleName("Instruction")
        self._full = label("", "instruction")
        self._full.hide()
        self._state = label("", "recording")
        self._state.setWordWrap(False)
        self._state.setAccessibleName("Recording")
        self._problem = label("", "loud")
        self._problem.setAccessibleName("Problem")
        self._problem.hide()
        row = QHBoxLayout()
        row.setSpacing(_BETWEEN_PX)
        row.addWidget(self._instruction, 1)
        row.addWidget(self._state, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_SIDE_PX, 10, _SIDE_PX, 10)
        layout.addLayout(row)
        self._layout = layout
        layout.addWidget(self._problem)
        layout.addWidget(self._full)
        self.hide()

    def set_instruction(self, text: str) -> None:
        """Say what is to be done."""
        self._instruction.setText(text)
        self._fit()

    def add_voice(self, bar: QWidget) -> None:
        """Put the controls of a spoken instruction under its text."""
        self._layout.insertWidget(1, bar)

    def set_state(self, text: str, *, is_recording: bool = False) -> None:
        """Say whether it is recording, and for how long."""
        if self._state.text() != text:
            self._state.setText(text)
            self._fit()
        set_property(self._state, "level", "on" if is_recording else "off")

    def set_problem(self, text: str) -> None:
        """Say loudly what is wrong; an empty text takes it away."""
        if self._problem.text() != text:
            self._problem.setText(text)
            self._problem.setVisible(bool(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the instruction into another width."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow another text scale."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit()

    def _fit(self) -> None:
        """Show a long instruction whole, in smaller letters, rather than its middle in large."""
        if not self.isVisible():
            return
        self._full.ensurePolished()
        font, text = QFont(self._full.font()), self._instruction.text()
        state_px = self._state.sizeHint().width()
        room = QRect(0, 0, self.width() - 2 * _SIDE_PX - _BETWEEN_PX - state_px, 0)
        most_px = round(self.window().height() * _MOST_SHARE)
        size_px = full_px = font.pixelSize()
        while size_px > _SMALLEST_PX:
            font.setPixelSize(size_px)
            if QFontMetrics(font).boundingRect(room, _WORDS, text).height() <= most_px:
                break
            size_px -= 1
        look = f"font-size: {size_px}px;" if size_px < full_px else ""
        if look != self._instruction.styleSheet():
            self._instruction.setStyleSheet(look)


class LegendStrip(QFrame):
    """The keys that work now, or a notice, or the reasons to give up."""

    reason_chosen = Signal(str)
    """Why the participant gives up."""

    go_on_chosen = Signal()
    """They do not give up after all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        self._notice = label("", "notice")
        self._notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._notice.hide()
        self._keys = KeyLegend()
        self._reasons = QWidget()
        self._reason_buttons: list[QPushButton] = []
        self._reasons_row = FlowRows(self._reasons, spacing_px=8)
        self._reasons.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 8, 18, 8)
        for widget in (self._notice, self._reasons, self._keys):
            layout.addWidget(widget)
        self.hide()

    @property
    def notice(self) -> str:
        """What the participant is told; empty while there is nothing."""
        return self._notice.text()

    @property
    def asks_reason(self) -> bool:
        """Whether the reasons are shown."""
        return not self._reasons.isHidden()

    def set_keys(self, keys: tuple[tuple[str, str], ...]) -> None:
        """Show other keys: key and what it does."""
        self._keys.set_keys(keys)

    def set_notice(self, text: str) -> None:
        """Tell something; an empty text takes it away."""
        if self._notice.text() != text:
            self._notice.setText(text)
            self._notice.setVisible(bool(text))
            self._keys.setVisible(not text and not self.asks_reason)

    def ask_reason(self, reasons: tuple[str, ...], key: str) -> None:
        """Show the reasons as buttons; Tab and Space or Enter choose one as well.

        Args:
            reasons: What can be said.
            key: Goes on instead.
        """
        self._clear_reasons()
        for reason in reasons:
            made = button(reason)
            made.clicked.connect(lambda _=False, text=reason: self.reason_chosen.emit(text))
            self._reason_buttons.append(made)
        back = button(f"Go on driving  ({key})", "Go on driving", "link")
        back.clicked.connect(self.go_on_chosen)
        self._reason_buttons.append(back)
        for made in self._reason_buttons:
            # Enter presses a button on some desktops only, unless it may be a default one.
            made.setAutoDefault(True)
            self._reasons_row.addWidget(made)
        self._keys.hide()
        self._reasons.show()
        self._reason_buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def step_reason(self, by: int) -> None:
        """Go to the next (1) or previous (−1) of the reasons, for who has no keyboard at hand."""
        made = self._reason_buttons
        at = next((i for i, one in enumerate(made) if one.hasFocus()), -by)
        if made:
            made[(at + by) % len(made)].setFocus(Qt.FocusReason.TabFocusReason)

    def choose_reason(self) -> None:
        """Choose the reason that one has gone to."""
        for made in self._reason_buttons:
            if made.hasFocus():
                made.click()
                return

    def stop_asking(self) -> None:
        """Take the reasons away."""
        self._reasons.hide()
        self._keys.setVisible(not self.notice)
        self._clear_reasons()

    def _clear_reasons(self) -> None:
        for made in self._reason_buttons:
            self._reasons_row.removeWidget(made)
            made.hide()
            made.deleteLater()
        self._reason_buttons = []
