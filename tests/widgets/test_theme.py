from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontInfo, QRawFont
from PySide6.QtWidgets import QApplication

from waypost.widgets.signs import EDGE_KIND_MARKS, SIGNS
from waypost.widgets.theme import (
    BASE_TEXT_PX,
    DARK,
    LIGHT,
    TEXT_ON_BACKGROUND,
    ThemeTokens,
    apply_theme,
    contrast_ratio,
    tokens_in_force,
    tokens_named,
)


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast_ratio("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast_ratio("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_BACKGROUND)
def test_text_can_be_read(tokens: ThemeTokens, text: str, ground: str) -> None:
    assert contrast_ratio(getattr(tokens, text), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_focus_ring_and_edges_of_controls_can_be_seen(tokens: ThemeTokens) -> None:
    for ground in ("window", "panel", "field"):
        assert contrast_ratio(tokens.accent, getattr(tokens, ground)) >= 3.0


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
