"""The buttons that decide a passage, and those that drive it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.domain.traverse.traversability import Verdict, state_of
from waypost.services.appearance import SIGNS
from waypost.widgets.parts import button, set_property
from waypost.widgets.row_layouts import FlowRows

_TEXTS = {
    Verdict.TRAVELS: "Travels",
    Verdict.DOES_NOT: "Does not",
    Verdict.UNCERTAIN: "Uncertain",
}


class AnswerButtons(QWidget):
    """Travels, does not, uncertain, drive and replay, each with its key."""

    verdict_chosen = Signal(object)
    """The ``Verdict`` whose button was pressed."""

    drive_chosen = Signal()
    replay_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: dict[Verdict, QPushButton] = {}
        rows = FlowRows(self)
        for verdict in Verdict:
            made = button("")
            made.setProperty("verdict", verdict.value)
            made.setCheckable(True)
            made.clicked.connect(lambda _=False, verdict=verdict: self._choose(verdict))
            rows.addWidget(made)
            self._answers[verdict] = made
        self._drive, self._replay = button(""), button("")
        self._drive.clicked.connect(self.drive_chosen)
        self._replay.clicked.connect(self.replay_chosen)
        rows.addWidget(self._replay)
        rows.addWidget(self._drive)
        self._shown: Verdict | None = None
        self.set_keys(LabelKeys())

    def set_keys(self, keys: LabelKeys) -> None:
        """Write other keys on the buttons."""
        held = (keys.travels, keys.does_not, keys.uncertain)
        for key, (verdict, made) in zip(held, self._answers.items(), strict=True):
            _write(made, _TEXTS[verdict], key, SIGNS[state_of(verdict)].mark)
        _write(self._drive, "Drive", keys.drive, "")
        _write(self._replay, "Replay", keys.replay, "")

    def set_state(self, verdict: Verdict | None, *, can_replay: bool, is_drive_next: bool) -> None:
        """Show what is answered and what comes next; emits nothing.

        Args:
            verdict: Shown as chosen.
            can_replay: Whether there is a drive to show again.
            is_drive_next: Whether driving is the primary action.
        """
        self._shown = verdict
        self._show_verdict()
        self._replay.setEnabled(can_replay)
        self._replay.setToolTip("" if can_replay else "Not driven yet")
        set_property(self._drive, "role", "primary" if is_drive_next else None)

    def _choose(self, verdict: Verdict) -> None:
        self._show_verdict()
        self.verdict_chosen.emit(verdict)

    def _show_verdict(self) -> None:
        for candidate, made in self._answers.items():
            made.setChecked(candidate is self._shown)


def _write(made: QPushButton, text: str, key: str, mark: str) -> None:
    made.setText("  ".join(part for part in (f"{mark} {text}".strip(), key) if part))
    made.setAccessibleName(f"{text}, key {key}" if key else text)
