"""The form of a new study: its episodes, how many for each, and what participants agree to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from waypost.widgets.parts import TextBox, button, label

_CONSENT_LINES = 8


@dataclass(frozen=True, slots=True)
class NewStudy:
    """What a study is made of."""

    name: str
    episodes_path: str
    episodes_per_participant: int
    is_first_practice: bool
    """Whether the first episode of the file is practice that does not count."""

    consent_text: str


class NewStudyDialog(QDialog):
    """Asks for a new study.

    Args:
        ask_file: Asks for a file of episodes; empty if none was chosen.
        name: Proposed for the study.
        parent: Qt owner.
    """

    def __init__(
        self, ask_file: Callable[[], str], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._ask_file = ask_file
        self.setWindowTitle("New study")
        self.setMinimumWidth(520)
        self.name, self.path = QLineEdit(name), QLineEdit()
        self.name.setAccessibleName("Name of the study")
        self.path.setAccessibleName("File of the episodes")
        browse = button("Choose …", "Choose the file of the episodes")
        browse.clicked.connect(self._browse)
        self.count = QSpinBox()
        self.count.setRange(1, 9999)
        self.count.setValue(50)
        self.count.setAccessibleName("Episodes per participant")
        self.practice = QCheckBox("The first episode is practice and does not count")
        self.practice.setChecked(True)
        self.consent = TextBox(_CONSENT_LINES, "Consent text")
        self.consent.setPlaceholderText("Shown to every participant, who agrees before driving")
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        form = QFormLayout()
        form.addRow("Name", self.name)
        form.addRow("Episodes", row)
        form.addRow("For each", self.count)
        form.addRow("", self.practice)
        form.addRow("Consent", self.consent)
        buttons = QDialogButtonBox()
        self.make = button("Make the study", role="primary")
        buttons.addButton(self.make, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(
            label("Where the file holds this scene, only its episodes are taken.", "muted")
        )
        layout.addWidget(buttons)
        for field in (self.name, self.path, self.consent):
            field.textChanged.connect(self._check)
        self._check()

    @property
    def values(self) -> NewStudy:
        """What was given."""
        return NewStudy(
            self.name.text().strip(),
            self.path.text().strip(),
            self.count.value(),
            self.practice.isChecked(),
            self.consent.toPlainText(),
        )

    def _browse(self) -> None:
        chosen = self._ask_file()
        if chosen:
            self.path.setText(chosen)

    def _check(self) -> None:
        values = self.values
        self.make.setEnabled(
            bool(values.name and values.episodes_path and values.consent_text.strip())
        )
