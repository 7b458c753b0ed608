"""What to do with edits that cannot be saved when the window closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox, QWidget

from waypost.documents.save_state import SaveKind

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument


def may_close(document: ProjectDocument | None, window: QWidget) -> bool:
    """Whether everything is saved, or may be lost: that is asked unless the file is read-only."""
    if document is None or document.save_now():
        return True
    if document.save_state.kind is SaveKind.READ_ONLY:
        return True
    answer = QMessageBox.question(
        window, "Not saved", "The last edits could not be saved. Close and lose them?"
    )
    return answer is QMessageBox.StandardButton.Yes
