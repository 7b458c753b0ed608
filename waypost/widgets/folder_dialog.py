"""Asks for a folder that may still have to be made."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)


class FolderDialog(QFileDialog):
    """Takes a folder that is there, or a name under which whoever writes makes one.

    Qt's own dialog refuses every name that is not there yet.

    Args:
        parent: Over which it is shown.
        title: What the folder is for.
        proposed: A folder that is proposed, there or not.
    """

    def __init__(self, parent: QWidget, title: str, proposed: Path) -> None:
        super().__init__(parent, title, str(proposed.parent))
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        # Only Qt's own dialog can be asked what was typed.
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setLabelText(QFileDialog.DialogLabel.Accept, "Choose")
        self.field = self.findChild(QLineEdit)
        if self.field is not None:
            self.field.setText(proposed.name)
        self.choose = self._accepting()
        if self.choose is not None:
            self.choose.installEventFilter(self)
        self._free()
        self.folder: Path | None = None
        """What was chosen."""

    @classmethod
    def ask(cls, parent: QWidget, title: str, proposed: Path) -> Path | None:
        """Ask for a folder; ``None`` if none was chosen."""
        dialog = cls(parent, title, proposed)
        dialog.exec()
        chosen = dialog.folder
        dialog.deleteLater()
        return chosen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the button free where Qt locks it, because the name is not there yet."""
        if event.type() is QEvent.Type.EnabledChange:
            self._free()
        return super().eventFilter(watched, event)

    def _accepting(self) -> QAbstractButton | None:
        box, accepts = self.findChild(QDialogButtonBox), QDialogButtonBox.ButtonRole.AcceptRole
        found = box.buttons() if box is not None else []
        return next((b for b in found if box and box.buttonRole(b) is accepts), None)

    def _free(self) -> None:
        if self.choose is not None:
            self.choose.setEnabled(True)

    def accept(self) -> None:
        """Take what was typed or chosen, whether it is there or not."""
        typed = self.field.text().strip() if self.field is not None else ""
        self.folder = Path(self.directory().absolutePath()) / typed
        QDialog.accept(self)
