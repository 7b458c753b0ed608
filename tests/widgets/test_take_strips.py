from __future__ import annotations

from collections.abc import Iterator

import pytest
from cut_text import cut_texts
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.record.session.take_strips import InstructionStrip
from waypost.widgets.theme import apply_theme

LONG = "Walk past the blue rug and turn left into the living room with the green sofa. " * 8


@pytest.fixture(params=[100, 200])
def strip(
    request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot
) -> Iterator[InstructionStrip]:
    """A strip in a window of 1280 × 720, at both ends of the text scale."""
    apply_theme(qapp, "dark", request.param)
    window = QWidget()
    made = InstructionStrip()
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made)
    layout.addStretch(1)
    window.resize(1280, 720)
    qtbot.addWidget(window)
    made.show()
    window.show()
    made.set_state("● recording  0:02", is_recording=True)
    yield made
    window.close()
    apply_theme(qapp, "dark")


def size_px(strip: InstructionStrip) -> int:
    shown = next(one for one in strip.findChildren(QLabel) if one.accessibleName() == "Instruction")
    return shown.font().pixelSize()


def test_a_long_instruction_is_seen_whole_and_a_short_one_large(
    strip: InstructionStrip, qtbot: QtBot
) -> None:
    strip.set_instruction("Go to the window.")
    full_px = size_px(strip)
    strip.set_instruction(LONG)
    qtbot.waitUntil(lambda: cut_texts(strip.window()) == [])
    assert strip.height() <= 0.42 * 720
    assert size_px(strip) >= 13
    strip.set_instruction("Go to the window.")
    assert size_px(strip) == full_px
