"""What the buttons of a game controller do in a participant's session."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from waypost.app.record.session.participant_card import ParticipantCard
from waypost.app.record.session.take_strips import LegendStrip
from waypost.services.input.gamepad import Gamepad
from waypost.services.input.pad_state import PadButton

_STEPS = {PadButton.PREVIOUS: -1, PadButton.NEXT: 1}


class PadButtons(QObject):
    """Runs commands by button; goes through the reasons or the questions that are asked.

    Args:
        gamepad: Whose buttons.
        legend: Asks for the reason.
        card: Asks the questions.
        commands: What each button runs.
        parent: Qt owner.
    """

    def __init__(
        self,
        gamepad: Gamepad,
        legend: LegendStrip,
        card: ParticipantCard,
        commands: Mapping[PadButton, Callable[[], None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._legend, self._card, self._commands = legend, card, commands
        gamepad.pressed.connect(self._on_pressed)

    def _on_pressed(self, button: PadButton) -> None:
        if QGuiApplication.focusWindow() is None:
            # A controller is heard by every program at once, unlike a keyboard.
            return
        if self._legend.asks_reason and button in _STEPS:
            self._legend.step_reason(_STEPS[button])
        elif self._legend.asks_reason and button is PadButton.GO:
            self._legend.choose_reason()
        elif self._card.asks and button in _STEPS:
            self._card.step_focus(_STEPS[button])
        elif self._card.asks and button is PadButton.GO and self._card.press_focused():
            return
        elif button in self._commands:
            self._commands[button]()
