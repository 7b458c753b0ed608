"""How well one colour can be read on another."""

from __future__ import annotations

from waypost.services.appearance import channels


def contrast_ratio(a: str, b: str) -> float:
    """Contrast of two colours ``#rrggbb``, 1 to 21.

    Source:
        WCAG 2.2, relative luminance and contrast ratio.
    """
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen_through(colour: str, opacity: float, behind: str) -> str:
    """What a translucent colour looks like over another one, ``#rrggbb``."""
    pairs = zip(channels(colour), channels(behind), strict=True)
    return "#" + "".join(f"{round((a * opacity + b * (1 - opacity)) * 255):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
