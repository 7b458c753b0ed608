"""The middle column: what stands above the face takes no more room than it fills."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QSplitter, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.replay.replay_header import ReplayHeader
from waypost.app.shell.middle import Middle
from waypost.viewers.strip.panorama_strip import PanoramaStrip
from waypost.widgets.parts import column

pytestmark = pytest.mark.gui


def test_a_hidden_strip_leaves_no_band_and_comes_back_as_high_as_it_was(qtbot: QtBot) -> None:
    header, strip, middle = ReplayHeader(), PanoramaStrip(), Middle(QWidget())
    qtbot.addWidget(middle)
    above = column(header, strip, margin_px=0, spacing_px=0)
    middle.add_above(above)
    middle.resize(900, 700)
    middle.show_parts(above=above)
    with qtbot.waitExposed(middle):
        middle.show()
    splitter = middle.findChild(QSplitter)
    assert isinstance(splitter, QSplitter)
    splitter.moveSplitter(250, 1)
    tall = splitter.sizes()
    assert tall[0] == 250
    strip.hide()
    middle.show_parts(above=above)
    assert above.height() == header.sizeHint().height() < 100
    strip.show()
    middle.show_parts(above=above)
    assert splitter.sizes() == tall
    strip.set_folded(True)
    least = header.sizeHint().height() + strip.maximumHeight()
    qtbot.waitUntil(lambda: above.height() == least < 120)
    strip.set_folded(False)
    qtbot.waitUntil(lambda: splitter.sizes() == tall)
    middle.show_parts()
    middle.show_parts(above=above)
    assert splitter.sizes() == tall
    strip.close_pictures()
