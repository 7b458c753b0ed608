"""The buttons that decide a passage, and those that drive it, by hand or by itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.domain.traverse.traversability import Verdict, state_of
from waypost.services.appearance import SIGNS
from waypost.services.input.shortcuts import named_key
from waypost.widgets.parts import button, set_property
from waypost.widgets.row_layouts import FlowRows

_TEXTS = {
    Verdict.TRAVELS: "Travels",
    Verdict.DOES_NOT: "Does not",
    Verdict.UNCERTAIN: "Uncertain",
}


class AnswerButtons(QWidget):
    """Accept, travels, does not, uncertain, drive and drive itself, each with its key."""

    accept_chosen = Signal()
    """What was measured is to be the answer."""

    verdict_chosen = Signal(object)
    """The ``Verdict`` whose button was pressed."""

    drive_chosen = Signal()
    drive_itself_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: dict[Verdict, QPushButton] = {}
        self._rows = FlowRows(self, spacing_px=4)
        self._accept = button("", role="primary")
        self._accept.clicked.connect(self.accept_chosen)
        for verdict in Verdict:
            made = button("")
            made.setProperty("verdict", verdict.value)
            made.setCheckable(True)
            made.clicked.connect(lambda _=False, verdict=verdict: self._choose(verdict))
            self._answers[verdict] = made
        self._drive, self._itself = button(""), button("")
        self._drive.clicked.connect(self.drive_chosen)
        self._itself.clicked.connect(self.drive_itself_chosen)
        self._itself.setToolTip("It drives straight to the end of the passage by itself")
        self._shown: Verdict | None = None
        self._proposal: Verdict | None = None
        self._accept_key = ""
        self._is_driving = False
        self.set_keys(LabelKeys())

    def set_keys(self, keys: LabelKeys) -> None:
        """Write other keys on the buttons."""
        held = (keys.travels, keys.does_not, keys.uncertain)
        for key, (verdict, made) in zip(held, self._answers.items(), strict=True):
            _write(made, _TEXTS[verdict], key, SIGNS[state_of(verdict)].mark)
        _write(self._drive, "Drive", keys.drive, "")
        _write(self._itself, "By itself", keys.drive_itself, "")
        self._accept_key = keys.accept
        self._show_proposal()

    def set_state(
        self,
        verdict: Verdict | None,
        *,
        is_drive_next: bool,
        proposal: Verdict | None = None,
    ) -> None:
        """Show what is answered and what comes next; emits nothing.

        Args:
            verdict: Shown as chosen.
            is_drive_next: Whether driving is the primary action.
            proposal: What was measured and can be accepted.
        """
        self._shown, self._proposal = verdict, proposal
        self._show_proposal()
        self._show_verdict()
        self._enable()
        set_property(self._drive, "role", "primary" if is_drive_next else None)

    def set_driving(self, *, is_driving: bool) -> None:
        """While somebody drives, an answer ends the drive as its key does; nothing else works."""
        self._is_driving = is_driving
        self._enable()

    def _enable(self) -> None:
        for made in (self._accept, self._drive, self._itself):
            made.setEnabled(not self._is_driving)

    def _show_proposal(self) -> None:
        self._accept.setVisible(self._proposal is not None)
        self._arrange()
        if self._proposal is not None:
            sign = SIGNS[state_of(self._proposal)]
            key = named_key(self._accept_key)
            _write(self._accept, "Accept", key, sign.mark)
            self._accept.setAccessibleName(f"Accept what was measured: {sign.word}, key {key}")

    def _arrange(self) -> None:
        """Keep the two plain answers in one row, whether or not one can be accepted above them."""
        travels, does_not, uncertain = self._answers.values()
        plain = (uncertain, travels, does_not) if self._proposal else (travels, does_not, uncertain)
        wanted = (self._accept, *plain, self._drive, self._itself)
        held = [self._rows.itemAt(place) for place in range(self._rows.count())]
        if [item.widget() for item in held if item] != list(wanted):
            for made in wanted:
                self._rows.removeWidget(made)
                self._rows.addWidget(made)

    def _choose(self, verdict: Verdict) -> None:
        self._show_verdict()
        self.verdict_chosen.emit(verdict)

    def _show_verdict(self) -> None:
        for candidate, made in self._answers.items():
            made.setChecked(candidate is self._shown)


def _write(made: QPushButton, text: str, key: str, mark: str) -> None:
    made.setText("  ".join(part for part in (f"{mark} {text}".strip(), key) if part))
    made.setAccessibleName(f"{text}, key {key}" if key else text)
