"""How Waypost looks: the colours of both themes, and the palette and style made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from waypost.widgets.style_sheet import make_style_sheet

FONT_FAMILIES: Final = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")
"""Tried in this order; the last one is always there and has every sign Waypost uses."""

BASE_TEXT_PX: Final = 13
"""Height of text at a scale of 100 %."""


@dataclass(frozen=True, slots=True)
class ThemeTokens:
    """The colours of one theme as ``#rrggbb``."""

    is_dark: bool
    stage: str
    """Behind the 3D scene."""

    window: str
    panel: str
    field: str
    """Inside of inputs and lists."""

    raised: str
    """Buttons and chips."""

    raised_hover: str
    border: str
    border_strong: str
    text: str
    muted: str
    disabled: str
    """Text of controls that cannot be used now; exempt from the contrast rule."""

    accent: str
    """Links, focus ring, progress."""

    on_accent: str
    selection: str
    on_selection: str
    travels: str
    does_not: str
    uncertain: str
    undecided: str
    stale: str
    disagreement: str
    agent: str
    """The agent, in pictures and words."""

    travels_fill: str
    does_not_fill: str
    uncertain_fill: str
    on_fill: str


DARK: Final = ThemeTokens(
    is_dark=True,
    stage="#0e1117",
    window="#171a20",
    panel="#21252d",
    field="#181b21",
    raised="#2d323c",
    raised_hover="#394050",
    border="#383e4a",
    border_strong="#556070",
    text="#e9ecf2",
    muted="#a9b1bf",
    disabled="#737c8b",
    accent="#5aa9ff",
    on_accent="#0b1420",
    selection="#264f86",
    on_selection="#ffffff",
    travels="#6fdc9a",
    does_not="#ff8f96",
    uncertain="#f5bf4f",
    undecided="#a9b1bf",
    stale="#c2b49a",
    disagreement="#c9a6ff",
    agent="#ffb066",
    travels_fill="#1d6b43",
    does_not_fill="#96303b",
    uncertain_fill="#77560f",
    on_fill="#ffffff",
)

LIGHT: Final = ThemeTokens(
    is_dark=False,
    stage="#dde1e8",
    window="#e9ecf1",
    panel="#f6f7f9",
    field="#ffffff",
    raised="#e7eaf0",
    raised_hover="#d9dee7",
    border="#c9cfd9",
    border_strong="#8a94a5",
    text="#1a1e26",
    muted="#505a6b",
    disabled="#8b94a3",
    accent="#155fbd",
    on_accent="#ffffff",
    selection="#c9dffb",
    on_selection="#0f1b2d",
    travels="#116338",
    does_not="#a81d2c",
    uncertain="#7a4f00",
    undecided="#505a6b",
    stale="#6b5a36",
    disagreement="#6234b5",
    agent="#944300",
    travels_fill="#1b7344",
    does_not_fill="#b02a38",
    uncertain_fill="#8a5a00",
    on_fill="#ffffff",
)

TEXT_ON_BACKGROUND: Final = (
    *((text, ground)
      for text in ("text", "muted", "accent", "travels", "does_not", "uncertain", "undecided",
                   "stale", "disagreement", "agent")
      for ground in ("window", "panel", "field")),
    ("text", "raised"),
    ("text", "raised_hover"),
    ("muted", "raised"),
    ("on_accent", "accent"),
    ("on_selection", "selection"),
    ("on_fill", "travels_fill"),
    ("on_fill", "does_not_fill"),
    ("on_fill", "uncertain_fill"),
)  # fmt: skip
"""Every pair of tokens in which the first is written on the second."""


def tokens_named(theme: str) -> ThemeTokens:
    """The colours of ``dark`` or ``light``."""
    return LIGHT if theme == "light" else DARK


def tokens_in_force() -> ThemeTokens:
    """The colours of the theme in force, for widgets that paint themselves."""
    window = QGuiApplication.palette().color(QPalette.ColorRole.Window)
    return DARK if window.lightness() < 128 else LIGHT


def contrast_ratio(a: str, b: str) -> float:
    """Contrast of two colours, 1 to 21.

    Source:
        WCAG 2.2, relative luminance and contrast ratio.
    """
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def apply_theme(app: QApplication, theme: str, text_scale_percent: int = 100) -> None:
    """Dress the whole application.

    Args:
        app: The application.
        theme: ``dark`` or ``light``.
        text_scale_percent: 100 to 200.
    """
    tokens = tokens_named(theme)
    font = QFont()
    font.setFamilies(list(FONT_FAMILIES))
    font.setPixelSize(round(BASE_TEXT_PX * text_scale_percent / 100))
    app.setStyle("Fusion")
    app.setFont(font)
    app.setPalette(make_palette(tokens))
    app.setStyleSheet(make_style_sheet(tokens, text_scale_percent, BASE_TEXT_PX))


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


def _luminance(colour: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    value = QColor(colour)
    red, green, blue = (linear(c) for c in (value.redF(), value.greenF(), value.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
