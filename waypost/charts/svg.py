"""Charts of a failure analysis as inline SVG; every bar and band names its episodes.

The layout is that of the window (``charts/picture.py``); only the drawing differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from waypost.charts.bars import count_rows, rate_rows, rows_picture
from waypost.charts.flow import flow_picture
from waypost.charts.picture import Align, Band, Box, ChartPicture, Words
from waypost.domain.base.visible_text import escaped
from waypost.domain.replay.charts import NO_CAUSE, Bar, FlowChart

_WIDTH_PX: Final = 520
_FLOW_WIDTH_PX: Final = 820
_FLOW_HEIGHT_PX: Final = 360
_LINE_PX: Final = 17.0
_BASELINE_PX: Final = 13.0
_WIDE: Final = frozenset("mwMW%@…—")
_NARROW: Final = frozenset("iljtfr.,:;|!'() ·\u00a0")


def rate_chart(title: str, bars: Sequence[Bar]) -> str:
    """Success rate per bar with the number of episodes beside it; empty without episodes."""
    return _figure(title, rows_picture(rate_rows(bars), _WIDTH_PX, measure))


def count_chart(title: str, bars: Sequence[Bar], total: int) -> str:
    """How many episodes each bar has, on a scale of the largest; empty without bars."""
    return _figure(title, rows_picture(count_rows(bars, total), _WIDTH_PX, measure))


def flow_svg(title: str, chart: FlowChart, total: int) -> str:
    """Bands from outcome to behaviour, and on to causes where people have set some."""
    has_causes = any(bar.label != NO_CAUSE for bar in chart.causes)
    width = _FLOW_WIDTH_PX if has_causes else _FLOW_WIDTH_PX * 2 / 3
    return _figure(title, flow_picture(chart, total, width, _FLOW_HEIGHT_PX, measure))


def measure(text: str, width_px: float) -> tuple[float, float]:
    """Room that a text takes at most at 13 px in any font of the page, wrapped at a width."""
    lines = wrapped(text, width_px)
    return min(max(map(_length, lines)), width_px), _LINE_PX * len(lines)


def wrapped(text: str, width_px: float) -> list[str]:
    """The lines of a text; words that are too long alone are broken."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if _length(joined) <= width_px:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and _length(lines[-1] + letter) > width_px:
                lines.append("")
            lines[-1] += letter
    return lines


def _length(text: str) -> float:
    return sum(map(_advance, text))


def _advance(letter: str) -> float:
    if letter in _WIDE or ord(letter) > 0x2E80:
        return 13.5
    if letter in _NARROW:
        return 5.4
    return 9.4 if letter.isupper() else 8.3


def _figure(title: str, picture: ChartPicture) -> str:
    if not picture.targets:
        return ""
    parts = [_target(picture, index) for index in range(len(picture.targets))]
    still = [_box(box) for box in picture.boxes if box.target is None]
    words = [_words(entry) for entry in picture.words]
    wide, high = round(picture.width_px) + 1, round(picture.height_px) + 1
    return (
        f'<figure><figcaption>{escaped(title)}</figcaption><svg class="chart"'
        f' viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">{"".join(still)}'
        f"{''.join(parts)}{''.join(words)}</svg></figure>"
    )


def _target(picture: ChartPicture, index: int) -> str:
    """Everything that belongs to one target, as one thing to click and to tab to."""
    target = picture.targets[index]
    shapes = [_band(band) for band in picture.bands if band.target == index]
    shapes += [_box(box) for box in picture.boxes if box.target == index]
    return (
        f'<g class="pick" tabindex="0" role="button" data-ids="{_ids(target.episode_ids)}">'
        f"<title>{escaped(target.title)}: {escaped(target.detail)}</title>{''.join(shapes)}</g>"
    )


def _box(box: Box) -> str:
    x, y, wide, high = box.rect
    css = "catch" if box.tone is None else f"tone {box.tone.value}"
    opacity = f' opacity="{box.strength:.2g}"' if box.strength < 1.0 else ""
    return (
        f'<rect class="{css}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
        f' rx="{min(3.0, wide / 2, high / 2):.1f}"{opacity}/>'
    )


def _band(band: Band) -> str:
    a, b, x0, x1 = band.left_top_px, band.right_top_px, band.left_px, band.right_px
    middle = (x0 + x1) / 2
    a_end, b_end = a + band.left_thickness_px, b + band.right_thickness_px
    return (
        f'<path class="band {band.tone.value}" d="M{x0:.1f} {a:.1f}C{middle:.1f} {a:.1f}'
        f" {middle:.1f} {b:.1f} {x1:.1f} {b:.1f}V{b_end:.1f}C{middle:.1f} {b_end:.1f}"
        f' {middle:.1f} {a_end:.1f} {x0:.1f} {a_end:.1f}Z"/>'
    )


def _words(words: Words) -> str:
    x, y, wide, _ = words.rect
    place = {Align.LEFT: (x, "start"), Align.RIGHT: (x + wide, "end")}
    at, anchor = place.get(words.align, (x + wide / 2, "middle"))
    css = f"{'halo ' if words.is_over_shapes else ''}{'soft' if words.is_muted else ''}".strip()
    lines = "".join(
        f'<tspan x="{at:.1f}" y="{y + _BASELINE_PX + i * _LINE_PX:.1f}">{escaped(line)}</tspan>'
        for i, line in enumerate(wrapped(words.text, max(wide, 1.0)))
    )
    return f'<text class="{css}" text-anchor="{anchor}">{lines}</text>'


def _ids(episode_ids: Sequence[str]) -> str:
    return escaped("\n".join(episode_ids))
