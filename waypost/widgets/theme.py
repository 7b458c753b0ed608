"""How Waypost looks: the palette and style made from the colours of a theme."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from waypost.services.appearance import ThemeTokens, tokens_named
from waypost.services.theme_in_force import tokens_in_force
from waypost.widgets.style_sheet import make_style_sheet

__all__ = [
    "BASE_TEXT_PX",
    "FONT_FAMILIES",
    "apply_theme",
    "make_palette",
    "tokens_in_force",
]

FONT_FAMILIES: Final = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")
"""Tried in this order; the last one is always there and has every sign Waypost uses."""

BASE_TEXT_PX: Final = 13
"""Height of text at a scale of 100 %."""


def apply_theme(app: QApplication, theme: str, text_scale_percent: int = 100) -> None:
    """Dress the whole application, unless it is dressed so already: that takes a while.

    Args:
        app: The application.
        theme: ``dark`` or ``light``.
        text_scale_percent: 100 to 200.
    """
    tokens = tokens_named(theme)
    font = QFont()
    font.setFamilies(list(FONT_FAMILIES))
    font.setPixelSize(round(BASE_TEXT_PX * text_scale_percent / 100))
    sheet = make_style_sheet(tokens, text_scale_percent, BASE_TEXT_PX)
    if app.styleSheet() == sheet and app.font() == font:
        return
    app.setStyle("Fusion")
    app.setFont(font)
    app.setPalette(make_palette(tokens))
    app.setStyleSheet(sheet)


def make_palette(tokens: ThemeTokens) -> QPalette:
    """The Qt palette of a theme."""
    role = QPalette.ColorRole
    colours = {
        role.Window: tokens.window,
        role.WindowText: tokens.text,
        role.Base: tokens.field,
        role.AlternateBase: tokens.panel,
        role.Text: tokens.text,
        role.Button: tokens.raised,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.on_fill,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.on_selection,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.ToolTipBase: tokens.raised,
        role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.muted,
        role.Accent: tokens.accent,
    }
    palette = QPalette()
    for key, colour in colours.items():
        palette.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(tokens.disabled))
    return palette
