"""The window as it looks before anybody has changed the theme or the size of text."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

from waypost.app.window.startup import opened_window
from waypost.widgets.theme import apply_theme

pytestmark = pytest.mark.gui


def test_every_text_has_the_font_of_the_program_from_the_start(
    qapp: QApplication, tmp_path: Path
) -> None:
    qapp.setStyleSheet("")
    qapp.setFont(QFont("Sans Serif", 9))
    with opened_window(tmp_path / "config", tmp_path / "data") as window:
        window.resize(1280, 720)
        window.show()
        window.show_workspace("replay")
        QApplication.processEvents()
        wanted = qapp.font().families()
        others = {
            type(widget).__name__
            for widget in window.findChildren(QWidget)
            if widget.font().families() != wanted
        }
    apply_theme(qapp, "dark")
    assert wanted != ["Sans Serif"]
    assert others == set()
