"""Tells which theme the application wears, for widgets and views that paint themselves."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QPalette

from waypost.services.appearance import DARK, LIGHT, ThemeTokens


def tokens_in_force() -> ThemeTokens:
    """The colours of the theme in force."""
    # A style sheet changes the palette of a widget; that of the application tells the theme.
    window = QGuiApplication.palette().color(QPalette.ColorRole.Window)
    return DARK if window.lightness() < 128 else LIGHT
