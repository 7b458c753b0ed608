"""The map of a replay as inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from waypost.domain.base.visible_text import escaped
from waypost.domain.replay.map import LineRole, MapLine, MapMark, MarkRole, Point, ReplayMap
from waypost.report.map_style import LINES, MARKS, hex_of, star_points

WIDTH_PX: Final = 560
MOST_HEIGHT_PX: Final = 520
_LABELLED: Final = frozenset({MarkRole.REVISIT, MarkRole.DEVIATION})
_DRAWN: Final = frozenset(MarkRole) - {
    MarkRole.NODE,
    MarkRole.NODE_ELSEWHERE,
    MarkRole.GOAL_CIRCLE,
}


def map_svg(run_map: ReplayMap, title: str) -> str:
    """One ``<svg>`` element with its texts escaped; what lies outside the shown part is left out.

    Args:
        run_map: What to draw.
        title: For screen readers; escaped.
    """
    wide, high = run_map.high[0] - run_map.low[0], run_map.high[1] - run_map.low[1]
    scale = min(WIDTH_PX / wide, MOST_HEIGHT_PX / high)
    width, height = wide * scale, high * scale

    def at(point: Point) -> Point:
        return (point[0] - run_map.low[0]) * scale, (run_map.high[1] - point[1]) * scale

    head = (
        f'<svg class="map" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" role="img"><title>{escaped(title)}</title>'
    )
    parts = [head]
    circles = [mark for mark in run_map.marks if mark.role is MarkRole.GOAL_CIRCLE]
    parts += (_mark(mark, at(mark.at), mark.radius_m * scale, width) for mark in circles)
    parts += _lines(run_map, at)
    parts.append(_nodes(run_map, at))
    drawn = [mark for mark in run_map.marks if mark.role in _DRAWN]
    parts += (_mark(mark, at(mark.at), 0.0, width) for mark in drawn)
    return "".join(parts) + "</svg>"


def _is_inside(run_map: ReplayMap, points: Sequence[Point]) -> bool:
    """Whether the box around some points touches the part shown."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (
        max(xs) >= run_map.low[0]
        and min(xs) <= run_map.high[0]
        and max(ys) >= run_map.low[1]
        and min(ys) <= run_map.high[1]
    )


def _lines(run_map: ReplayMap, at: Callable[[Point], Point]) -> list[str]:
    """Edges of this storey in one element, pieces of the path one by one."""
    parts = []
    for role in (LineRole.EDGE, LineRole.REFERENCE):
        drawn = [
            line for line in run_map.lines if line.role is role and _is_inside(run_map, line.points)
        ]
        if drawn:
            style = LINES[role]
            dash = (
                ""
                if style.dash_px is None
                else ' stroke-dasharray="{:g} {:g}"'.format(
                    *(0.7 * length for length in style.dash_px)
                )
            )
            width = f"{0.7 * style.width_px:.2g}"
            parts.append(
                f'<path d="{"".join(_path(line, at) for line in drawn)}" fill="none"'
                f' stroke="{hex_of(style.colour)}" stroke-width="{width}"{dash}/>'
            )
    style = LINES[LineRole.PATH]
    parts += (
        f'<path d="{_path(line, at)}" fill="none" stroke="{hex_of(line.colour or style.colour)}"'
        f' stroke-width="{0.8 * style.width_px:.2g}" stroke-linecap="round"/>'
        for line in run_map.lines
        if line.role is LineRole.PATH
    )
    return parts


def _nodes(run_map: ReplayMap, at: Callable[[Point], Point]) -> str:
    """The viewpoints of this storey as one element: lines without length have round ends."""
    shown = [m.at for m in run_map.marks if m.role is MarkRole.NODE and _is_inside(run_map, [m.at])]
    places = "".join("M{:.0f} {:.0f}h0".format(*at(point)) for point in shown)
    style = MARKS[MarkRole.NODE]
    return (
        f'<path d="{places}" stroke="{hex_of(style.fill)}" stroke-linecap="round"'
        f' stroke-width="{1.5 * style.size_px:.2g}"/>'
    )


def _path(line: MapLine, at: Callable[[Point], Point]) -> str:
    places = ("{:.0f} {:.0f}".format(*at(point)) for point in line.points)
    return "M" + "L".join(places)


def _mark(mark: MapMark, place: Point, reach: float, width: float) -> str:
    style = MARKS[mark.role]
    x, y = place
    size = 0.75 * style.size_px
    paint = f'fill="{hex_of(style.fill)}" stroke="{hex_of(style.outline)}"'
    shape = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{reach:.1f}" {paint}/>',
        "dot": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" {paint}/>',
        "square": f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}"'
        f' height="{2 * size:.1f}" {paint}/>',
        "diamond": f'<path d="M{x:.1f} {y - size:.1f}L{x + size:.1f} {y:.1f}L{x:.1f} {y + size:.1f}'
        f'L{x - size:.1f} {y:.1f}Z" {paint}/>',
        "star": f'<path d="M{_corners(star_points(x, y, size))}Z" {paint}/>',
        "badge": "",
    }[style.shape]
    if mark.role not in _LABELLED:
        return shape
    colour = style.outline if mark.role is MarkRole.REVISIT else style.fill
    is_left = mark.role is MarkRole.REVISIT or x > 0.6 * width
    dx, anchor = (-9, "end") if is_left else (10, "start")
    text = f'<text x="{x + dx:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}"'
    return f'{shape}{text} fill="{hex_of(colour)}">{escaped(mark.label)}</text>'


def _corners(points: Iterable[Point]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
