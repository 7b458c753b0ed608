"""Every sign has a glyph in the font that comes with most Linux desktops: none is an empty box."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QRawFont
from PySide6.QtWidgets import QApplication

from waypost.app.replay.table.tag_signs import TAG_SIGNS
from waypost.services.appearance import SIGNS
from waypost.widgets.timeline_content import TIMELINE_SIGNS

pytestmark = pytest.mark.gui


def test_signs_are_no_empty_boxes(qapp: QApplication) -> None:
    font = QRawFont.fromFont(QFont("DejaVu Sans"))
    if font.familyName() != "DejaVu Sans":
        pytest.skip("DejaVu Sans is not installed")
    signs = {sign.mark for table in (SIGNS, TAG_SIGNS, TIMELINE_SIGNS) for sign in table.values()}
    lacking = {mark for mark in signs for letter in mark if not font.supportsCharacter(ord(letter))}
    assert lacking == set()
