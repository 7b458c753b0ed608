"""The Qt application that a command without a window draws with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.domain.base.errors import InputError

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication


def drawing_application() -> QCoreApplication:
    """The application there is, else one that needs no display; keep it while drawing.

    Raises:
        InputError: If this machine lacks libraries that Qt draws with.
    """
    try:
        # Commands that do not draw run without Qt's libraries.
        from PySide6.QtGui import QFont  # noqa: PLC0415

        from waypost.app.shell.qt_application import the_qt_application  # noqa: PLC0415
        from waypost.widgets.theme import BASE_TEXT_PX, FONT_FAMILIES  # noqa: PLC0415
    except ImportError as error:
        raise InputError(f"drawing needs libraries that are not there: {error}") from error
    application, is_new = the_qt_application(["waypost", "-platform", "offscreen"])
    if is_new:
        font = QFont()
        font.setFamilies(list(FONT_FAMILIES))
        font.setPixelSize(BASE_TEXT_PX)
        application.setFont(font)
    return application
