"""What to do with edits that cannot be saved: when the window closes, and before a reload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument

_MOMENT_MS: Final = 500
"""A server that answers within it is not worth a question."""

_MOST_LISTED: Final = 10


def may_close(document: ProjectDocument | None, window: QWidget) -> bool:
    """Whether everything is saved, or may be lost: that is asked unless the file is read-only.

    While it is asked a server may answer, and the question is no more.
    """
    if document is None or document.save_soon():
        return True
    if document.is_saving:
        _give_it_a_moment(document)
    if document.save_state.is_safe:
        return True
    if document.is_saving:
        return _ask_meanwhile(document, window)
    answer = QMessageBox.question(
        window, "Not saved", "The last edits could not be saved. Close and lose them?"
    )
    return answer is QMessageBox.StandardButton.Yes


def _ask_meanwhile(document: ProjectDocument, window: QWidget) -> bool:
    """Ask while a server is waited for; once it has everything that is no question any more."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Not saved")
    box.setText("The server has not answered yet. Close, and perhaps lose the last edits?")
    yes = box.addButton(QMessageBox.StandardButton.Yes)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.No))

    def look() -> None:
        if document.save_state.is_safe:
            yes.click()

    document.save_state_changed.connect(look)
    try:
        return box.exec() == QMessageBox.StandardButton.Yes
    finally:
        document.save_state_changed.disconnect(look)
        box.deleteLater()


def _give_it_a_moment(document: ProjectDocument) -> None:
    loop = QEventLoop()
    document.settled.connect(loop.quit)
    QTimer.singleShot(_MOMENT_MS, loop.quit)
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)


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
