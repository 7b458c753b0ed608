"""Shows the consent text in force and takes a new version of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from waypost.domain.base.counted_words import counted
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field
from waypost.widgets.parts import TextBox, label

_LINES = 14
_WIDTH_PX = 520


class ConsentDialog(FormDialog):
    """Asks for a new consent text.

    Args:
        version: In force.
        text: Of that version.
        agreed: How many participants agreed to it.
        parent: Qt owner.
    """

    submitted = Signal()
    """The text is to be put in force."""

    def __init__(self, version: int, text: str, agreed: int, parent: QWidget | None = None) -> None:
        super().__init__("Consent text", f"Put version {version + 1} in force", parent)
        self._before = text
        people = counted(agreed, "participant has", "participants have")
        told = (
            f"Version {version} is in force; {people} agreed to it. A changed text becomes version"
            f" {version + 1}: everybody is asked again before the next episode, and takes recorded"
            " before stay valid under the text of their time."
        )
        self.text = TextBox(_LINES, "Consent text")
        self.text.setPlainText(text)
        self.publish = self.primary
        self.lay_out(((label(told),), (Field("Consent text", self.text),))).setRowStretch(1, 1)
        self.resize(_WIDTH_PX, self.height())
        self.publish.clicked.connect(lambda *_: self.submitted.emit())
        self.text.textChanged.connect(self._check)
        self._check()

    def _check(self) -> None:
        text = self.text.toPlainText()
        is_other = bool(text.strip()) and text != self._before
        self.publish.setEnabled(is_other)
        self.publish.setToolTip("" if is_other else "Change the text first")
