from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontInfo, QRawFont
from PySide6.QtWidgets import QApplication

from waypost.services.appearance import EDGE_KIND_MARKS, SIGNS, tokens_named
from waypost.widgets.theme import BASE_TEXT_PX, apply_theme, tokens_in_force


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_text_scales(qapp: QApplication, percent: int) -> None:
    apply_theme(qapp, "dark", percent)
    assert qapp.font().pixelSize() == round(BASE_TEXT_PX * percent / 100)
    apply_theme(qapp, "dark")


def test_theme_in_force(theme: str) -> None:
    assert tokens_in_force() is tokens_named(theme)


def test_signs_exist_in_the_font_of_last_resort(qapp: QApplication) -> None:
    font = QFont("DejaVu Sans")
    if QFontInfo(font).family() != "DejaVu Sans":
        pytest.skip("DejaVu Sans is not installed")
    raw = QRawFont.fromFont(font)
    marks = {sign.mark for sign in SIGNS.values()} | set(EDGE_KIND_MARKS.values())
    for mark in (*marks, *"ℹ⚠✓✕○●◐↔→·×…"):
        assert raw.supportsCharacter(ord(mark)), mark
