from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from waypost.services.appearance import tokens_named
from waypost.services.replay.playback import SPEEDS
from waypost.widgets.theme import apply_theme
from waypost.widgets.timeline import (
    TIMELINE_SIGNS,
    Timeline,
    TimelineContent,
    TimelineKind,
    TimelineMark,
    TimelineSpan,
    clock_text,
    sign_of,
)
from waypost.widgets.timeline_strip import TimelineStrip


@pytest.fixture
def timeline(qtbot: QtBot, qapp: QApplication) -> Timeline:
    apply_theme(qapp, "dark")
    made = Timeline()
    qtbot.addWidget(made)
    made.resize(1000, made.sizeHint().height())
    with qtbot.waitExposed(made):
        made.show()
    return made


def take_content() -> TimelineContent:
    return TimelineContent(
        1201,
        np.arange(1201) * 0.05,
        (TimelineSpan(100, 300, TimelineKind.OFF_REFERENCE),),
        (
            TimelineMark(640, TimelineKind.COLLISION, "touched 1 body"),
            TimelineMark(1200, TimelineKind.STOP),
        ),
        unit="sample",
    )


def pixels_of(picture: QImage, colour: str, x_px: int) -> int:
    """How many pixels of a column have a colour, within a few shades."""
    wanted = QColor(colour)
    return sum(
        all(
            abs(a - b) < 12
            for a, b in zip(
                picture.pixelColor(x_px, y).getRgb()[:3], wanted.getRgb()[:3], strict=True
            )
        )
        for y in range(picture.height())
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0:00.00"),
        (12.35, "0:12.35"),
        (59.996, "1:00.00"),
        (62.5, "1:02.50"),
        (3723.5, "1:02:03.50"),
        (-1.25, "−0:01.25"),
    ],
)
def test_time_reads_as_a_clock(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def test_ticks_have_hundredths_of_a_second_all_of_them_or_none(timeline: Timeline) -> None:
    timeline.set_content(TimelineContent(4, np.array([0.0, 1.9, 5.0, 7.1])))
    strip = timeline.findChild(TimelineStrip)
    assert strip._scale_texts(range(4)) == ["0:00.00", "0:01.90", "0:05.00", "0:07.10"]
    assert strip._scale_texts((0, 2)) == ["0:00", "0:05"]


def test_no_text_of_a_tick_stands_half_under_the_cursor(timeline: Timeline) -> None:
    timeline.set_content(take_content())
    strip = timeline.findChild(TimelineStrip)
    whole, text = strip.grab().toImage(), strip._text_cells[5]
    at = strip.index_at(text.center().x() - strip._bubble(600).width() / 2)
    bubble = strip._bubble(at)
    assert bubble.right() < text.right() - 4.0, "a part of the text is beside it"
    beside = QRect(round(bubble.right()) + 1, round(bubble.top()), 4, round(bubble.height()))

    def is_empty(picture: QImage) -> bool:
        panel, words = tokens_named("dark").panel, picture.copy(beside)
        return sum(pixels_of(words, panel, x) for x in range(4)) == 4 * words.height()

    assert not is_empty(whole)
    timeline.set_position(at)
    assert is_empty(strip.grab().toImage())
    timeline.set_position(0)
    assert strip.grab().toImage() == whole


def test_every_kind_has_a_sign_a_word_and_a_pattern_of_its_own() -> None:
    assert set(TIMELINE_SIGNS) == set(TimelineKind)
    for part in ("mark", "word", "pattern", "rank"):
        values = [getattr(sign, part) for sign in TIMELINE_SIGNS.values()]
        assert len(set(values)) == len(values), part


def test_an_unknown_kind_keeps_its_word() -> None:
    assert (sign_of("odd_turn").mark, sign_of("odd_turn").word) == ("•", "odd turn")


def test_the_text_of_a_position_counts_from_zero() -> None:
    content = take_content()
    assert content.position_text(640) == "sample 640 of 1,200 · 0:32.00"
    assert TimelineContent(41).position_text(12) == "step 12 of 40"
    assert list(content.things_at(640, 640)) == ["✸ touched 1 body"]
    assert list(content.things_at(200, 200)) == ["▨ off the reference"]


def test_a_drag_goes_along_the_steps(qtbot: QtBot, timeline: Timeline) -> None:
    timeline.set_content(take_content())
    strip, went = timeline.strip, []
    timeline.moved.connect(went.append)
    middle = strip.height() // 2
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(round(strip.x_of(300)), middle))
    assert timeline.position == strip.index_at(round(strip.x_of(300)))
    assert abs(timeline.position - 300) <= 1
    qtbot.mouseMove(strip, QPoint(-50, middle))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() + 50, middle))
    assert went[0] == pytest.approx(300, abs=1)


def test_setting_a_position_says_nothing_back(qtbot: QtBot, timeline: Timeline) -> None:
    timeline.set_content(take_content())
    with qtbot.assertNotEmitted(timeline.moved):
        timeline.set_position(640)
        timeline.set_position(99_999)
    assert timeline.position == 1200
    assert timeline._here.accessibleName() == "■ stop"
    assert timeline.strip.accessibleDescription() == "sample 1,200 of 1,200 · 1:00.00 ■ stop"


def test_keys_move_by_a_step_a_tenth_and_to_the_ends(qtbot: QtBot, timeline: Timeline) -> None:
    timeline.set_content(TimelineContent(101))
    strip = timeline.strip
    places = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Left, Qt.Key.Key_End,
                Qt.Key.Key_PageUp, Qt.Key.Key_Home):  # fmt: skip
        qtbot.keyClick(strip, key)
        places.append(strip.position)
    assert places == [1, 11, 10, 100, 90, 0]


def test_play_and_speed_are_only_asked_for(qtbot: QtBot, timeline: Timeline) -> None:
    timeline.set_content(take_content())
    with qtbot.waitSignal(timeline.play_chosen):
        timeline.play.click()
    assert timeline.play.accessibleName() == "Play"
    timeline.set_playing(True)
    timeline.set_play_key("Space")
    assert timeline.play.accessibleName() == "Pause"
    assert timeline.play.toolTip() == "Pause (Space)"
    with qtbot.waitSignal(timeline.speed_chosen) as told:
        timeline.speed.activated.emit(SPEEDS.index(4.0))
    assert told.args == [4.0]
    assert timeline.speed.accessibleName() == "Speed of playing"
    timeline.set_speed(0.25)
    assert timeline.speed.currentText() == "0.25×"


def test_marks_and_spans_are_painted_where_they_are(timeline: Timeline, theme: str) -> None:
    tokens = tokens_named(theme)
    timeline.set_content(take_content())
    picture = timeline.strip.grab().toImage()
    strip = timeline.strip
    assert pixels_of(picture, tokens.agent, round(strip.x_of(640))) > 4
    inside = sum(pixels_of(picture, tokens.does_not, round(strip.x_of(i))) for i in (150, 250))
    assert inside > 0
    assert pixels_of(picture, tokens.does_not, round(strip.x_of(800))) == 0
    assert pixels_of(picture, tokens.accent, round(strip.x_of(0))) > 8


def test_no_steps_are_no_harm(timeline: Timeline) -> None:
    timeline.set_content(TimelineContent(0))
    timeline.strip.grab()
    assert not timeline.isEnabled()
    timeline.set_content(TimelineContent(1))
    timeline.strip.grab()
    assert timeline.strip.index_at(500.0) == 0


def test_what_is_said_of_a_step_never_moves_the_strip(timeline: Timeline) -> None:
    timeline.set_content(take_content())
    left = timeline.strip.x()
    for index in (0, 200, 640, 1200):
        timeline.set_position(index)
        timeline.layout().activate()
        assert timeline.strip.x() == left


def test_a_move_among_ten_thousand_steps_paints_the_cursor_alone(
    timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = TimelineContent(
        10_000,
        spans=tuple(TimelineSpan(i * 100, i * 100 + 40, "off_reference") for i in range(100)),
        marks=tuple(TimelineMark(i * 7, "collision") for i in range(1400)),
    )
    timeline.set_content(content)
    strip: TimelineStrip = timeline.strip
    strip.repaint()
    whole, cursors = [], []
    paint_picture, paint_cursor = strip._paint_picture, strip._paint_cursor

    def counted_picture(*arguments: Any) -> Any:
        whole.append(strip.position)
        return paint_picture(*arguments)

    def counted_cursor(*arguments: Any) -> None:
        cursors.append(strip.position)
        paint_cursor(*arguments)

    monkeypatch.setattr(strip, "_paint_picture", counted_picture)
    monkeypatch.setattr(strip, "_paint_cursor", counted_cursor)
    moves = [number * 977 % 10_000 for number in range(1, 10)]
    for index in moves:
        timeline.set_position(index)
        strip.repaint()
    assert cursors == moves
    assert whole == []
