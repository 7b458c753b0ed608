"""Shows the consent text in force and takes a new version of it."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from waypost.widgets.parts import TextBox, button, label

_LINES = 14


class ConsentDialog(QDialog):
    """Asks for a new consent text.

    Args:
        version: In force.
        text: Of that version.
        agreed: How many participants agreed to it.
        parent: Qt owner.
    """

    def __init__(self, version: int, text: str, agreed: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = text
        self.setWindowTitle("Consent text")
        self.setMinimumWidth(480)
        people = "1 participant has" if agreed == 1 else f"{agreed:,} participants have"
        told = (
            f"Version {version} is in force; {people} agreed to it. A changed text becomes version"
            f" {version + 1}: everybody is asked again before the next episode, and takes recorded"
            " before stay valid under the text of their time."
        )
        self.text = TextBox(_LINES, "Consent text")
        self.text.setPlainText(text)
        buttons = QDialogButtonBox()
        self.publish = button(f"Put version {version + 1} in force", role="primary")
        buttons.addButton(self.publish, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(button("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(label(told))
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        self.text.textChanged.connect(self._check)
        self._check()

    def _check(self) -> None:
        text = self.text.toPlainText()
        is_other = bool(text.strip()) and text != self._before
        self.publish.setEnabled(is_other)
        self.publish.setToolTip("" if is_other else "Change the text first")
