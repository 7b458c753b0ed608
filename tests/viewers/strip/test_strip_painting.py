"""Why there is no picture can be read in its place, however small that is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication

from waypost.viewers.strip.painting import LEAST_TEXT_PX, fitting_text

_FLAGS = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap)
_NAME = "c9e8dc09263e4d0da77d16de0ecddd39_90.jpg"


@pytest.fixture
def font(qapp: QGuiApplication) -> QFont:
    made = QFont(qapp.font())
    made.setPixelSize(13)
    return made


@pytest.mark.parametrize(
    ("reason", "width_px", "height_px"),
    [
        ("no picture shows this side", 104, 60),
        ("180.jpg is no picture that can be read", 104, 60),
        (f"{_NAME} is no picture that can be read", 104, 60),
        ("no picture shows this side", 400, 200),
    ],
)
def test_a_reason_fits_in_whole_words(
    font: QFont, reason: str, width_px: int, height_px: int
) -> None:
    room = QRectF(0, 0, width_px, height_px)
    size_px, text = fitting_text(reason, font, room)
    drawn = QFont(font)
    drawn.setPixelSize(size_px)
    metrics = QFontMetricsF(drawn)
    assert size_px >= LEAST_TEXT_PX
    assert metrics.boundingRect(room, _FLAGS, text).height() <= height_px
    assert all(metrics.horizontalAdvance(word) <= width_px for word in text.split())
    assert text.split()[1:] == reason.split()[1:]


def test_text_keeps_its_size_where_it_fits(font: QFont) -> None:
    assert fitting_text("no picture", font, QRectF(0, 0, 300, 100)) == (13, "no picture")


def test_what_fits_nowhere_is_painted_as_small_as_is_readable(font: QFont) -> None:
    size_px, text = fitting_text("word " * 200, font, QRectF(0, 0, 50, 20))
    assert (size_px, text.split()) == (LEAST_TEXT_PX, ["word"] * 200)
