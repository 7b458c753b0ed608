"""The one table of colours for verdicts, selection and text, in both themes."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.traversability import Verdict
from waypost.viewers.drawing import Color


@dataclass(frozen=True, slots=True)
class ThemeColors:
    """Colours of one theme; texts keep a contrast of at least 4.5 on every background."""

    is_dark: bool
    stage: Color
    """Behind the scene."""

    panel: Color
    field: Color
    text: Color
    muted: Color
    """Secondary text."""

    travels: Color
    does_not: Color
    uncertain: Color
    undecided: Color
    disagreement: Color
    stale: Color
    reference: Color
    """Reference path, dashed."""

    selection: Color
    """Bright outline of what is selected."""

    hover: Color
    agent: Color
    """Collider and turning circle."""

    contact: Color
    label: Color
    """Background of labels in the scene."""

    label_text: Color

    @property
    def texts(self) -> dict[str, Color]:
        """Every colour that is used for words, by name."""
        names: tuple[str, ...] = ("text", "muted", "travels", "does_not", "uncertain", "undecided")
        names += ("disagreement", "stale", "reference", "selection", "agent", "contact")
        return {name: getattr(self, name) for name in names}

    @property
    def backgrounds(self) -> dict[str, Color]:
        """Every opaque colour that words stand on, by name."""
        return {"panel": self.panel, "field": self.field, "stage": self.stage}

    def verdict(self, verdict: Verdict | None) -> Color:
        """Colour of an answer; ``None`` is undecided."""
        if verdict is None:
            return self.undecided
        return {
            Verdict.TRAVELS: self.travels,
            Verdict.DOES_NOT: self.does_not,
            Verdict.UNCERTAIN: self.uncertain,
        }[verdict]


VERDICT_SIGNS: dict[Verdict | None, str] = {
    Verdict.TRAVELS: "✓",
    Verdict.DOES_NOT: "✕",
    Verdict.UNCERTAIN: "?",
    None: "○",
}
"""Sign beside each colour, so that nobody depends on colour alone."""


def rgb(text: str, alpha: float = 1.0) -> Color:
    """A colour from ``#rrggbb``."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (red, green, blue, alpha)


def hex_text(color: Color) -> str:
    """``#rrggbb`` of a colour, opacity left out."""
    return "#" + "".join(f"{round(c * 255):02x}" for c in color[:3])


def contrast(first: Color, second: Color) -> float:
    """Contrast ratio of two opaque colours, 1 to 21.

    Source:
        WCAG 2.2, success criterion 1.4.3.
    """
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


DARK = ThemeColors(
    is_dark=True,
    stage=rgb("#14171c"),
    panel=rgb("#20242b"),
    field=rgb("#171a1f"),
    text=rgb("#e6e9ee"),
    muted=rgb("#9aa4b2"),
    travels=rgb("#4fd68c"),
    does_not=rgb("#ff7a80"),
    uncertain=rgb("#f5bf42"),
    undecided=rgb("#a3afbf"),
    disagreement=rgb("#c39bff"),
    stale=rgb("#b3a58c"),
    reference=rgb("#5aa9ff"),
    selection=rgb("#7fd4ff"),
    hover=rgb("#ffffff"),
    agent=rgb("#ffb057"),
    contact=rgb("#ff6b5e"),
    label=rgb("#14171c", 0.82),
    label_text=rgb("#f2f4f7"),
)

LIGHT = ThemeColors(
    is_dark=False,
    stage=rgb("#e4e8ee"),
    panel=rgb("#f7f8fa"),
    field=rgb("#ffffff"),
    text=rgb("#1b1f26"),
    muted=rgb("#525c69"),
    travels=rgb("#0b6b3a"),
    does_not=rgb("#b3202a"),
    uncertain=rgb("#7f5200"),
    undecided=rgb("#525d6b"),
    disagreement=rgb("#6a3bb8"),
    stale=rgb("#6b5a38"),
    reference=rgb("#0d59b0"),
    selection=rgb("#005e94"),
    hover=rgb("#10141a"),
    agent=rgb("#96450a"),
    contact=rgb("#b3261a"),
    label=rgb("#ffffff", 0.88),
    label_text=rgb("#14181e"),
)

IN_SCENE = DARK
"""Lines, markers and bodies over a scene, in both themes: bright, with a dark outline, because
what is behind them is the scene and not the window."""


def theme_colors(is_dark: bool) -> ThemeColors:
    """The table of one theme."""
    return DARK if is_dark else LIGHT
