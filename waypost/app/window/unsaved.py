"""What to do with edits that cannot be saved: when the window closes, and before a reload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from waypost.documents.save_state import SaveKind

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument

_MOST_LISTED: Final = 10


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


def ask_before_reload(titles: Sequence[str], window: QWidget, reload: Callable[[], None]) -> None:
    """Reload; where that gives up changes, only after they were listed and that was confirmed.

    Args:
        titles: What is not in the file, item by item.
        window: Over which it is asked.
        reload: Does it.
    """
    if not titles:
        reload()
        return
    listed = list(titles[:_MOST_LISTED])
    if len(titles) > _MOST_LISTED:
        listed.append(f"… and {len(titles) - _MOST_LISTED:,} more")
    box = QMessageBox(window)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Reload the project")
    box.setText("Reloading gives up your changes to:\n" + "\n".join(listed))
    again = box.addButton("Reload", QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(stay)
    box.setDefaultButton(stay)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    again.clicked.connect(reload)
    box.open()
