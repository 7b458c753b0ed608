"""The map of a replay as inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from waypost.domain.base.visible_text import escaped
from waypost.domain.replay.map import LineRole, MapLine, MapMark, MarkRole, Point, ReplayMap
from waypost.report.map_style import LINES, MARKS, hex_of, star_points

WIDTH_PX: Final = 560
MOST_HEIGHT_PX: Final = 520
_LETTER_PX: Final = 7.4
_LINE_PX: Final = 16.0
"""Of labels, as wide as the fonts that browsers take for them at most."""

_STAR_PX: Final = 9.0
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
    parts += (_shape(mark, at(mark.at), mark.radius_m * scale) for mark in circles)
    parts += _lines(run_map, at)
    parts.append(_nodes(run_map, at))
    drawn = [mark for mark in run_map.marks if mark.role in _DRAWN]
    parts += (_shape(mark, at(mark.at)) for mark in drawn)
    parts += _labels(drawn, at, width)
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


def _shape(mark: MapMark, place: Point, reach: float = 0.0) -> str:
    style = MARKS[mark.role]
    x, y = place
    size = 0.75 * style.size_px
    paint = f'fill="{hex_of(style.fill)}" stroke="{hex_of(style.outline)}"'
    return {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{reach:.1f}" {paint}/>',
        "dot": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" {paint}/>',
        "square": f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}"'
        f' height="{2 * size:.1f}" {paint}/>',
        "diamond": f'<path d="M{x:.1f} {y - size:.1f}L{x + size:.1f} {y:.1f}L{x:.1f} {y + size:.1f}'
        f'L{x - size:.1f} {y:.1f}Z" {paint}/>',
        "star": f'<path d="M{_corners(star_points(x, y, size))}Z" {paint}/>',
        "badge": "",
    }[style.shape]


def _labels(marks: Sequence[MapMark], at: Callable[[Point], Point], width: float) -> Iterator[str]:
    """Texts beside their places, off goals and off each other; the first deviation comes first.

    How often a place was visited is left out where nothing is free.
    """
    taken = [_square(at(mark.at)) for mark in marks if mark.role is MarkRole.GOAL]
    labelled = [mark for mark in marks if mark.role in _LABELLED]
    for mark in sorted(labelled, key=lambda m: (m.role is MarkRole.REVISIT, -(m.step or 0))):
        is_revisit = mark.role is MarkRole.REVISIT
        found = list(_places(at(mark.at), len(mark.label), is_left_first=is_revisit))
        inside = [place for place in found if place.left >= 0 and place.right <= width] or found
        free = next((p for p in inside if not any(map(p.meets, taken))), None)
        if free is None and is_revisit:
            continue
        place = free or inside[0]
        taken.append(place)
        style = MARKS[mark.role]
        colour = hex_of(style.outline if is_revisit else style.fill)
        x, anchor = (place.right, "end") if place.is_left else (place.left, "start")
        yield (
            f'<text x="{x:.1f}" y="{place.bottom - 4:.1f}" text-anchor="{anchor}"'
            f' fill="{colour}">{escaped(mark.label)}</text>'
        )


class _Place(NamedTuple):
    """Where a label may stand, pixels."""

    left: float
    top: float
    right: float
    bottom: float
    is_left: bool = False
    """Whether it stands at the left of its place."""

    def meets(self, other: _Place) -> bool:
        """Whether both cover something."""
        is_beside = self.right <= other.left or other.right <= self.left
        return not is_beside and self.top < other.bottom and other.top < self.bottom


def _square(point: Point) -> _Place:
    x, y = point
    return _Place(x - _STAR_PX, y - _STAR_PX, x + _STAR_PX, y + _STAR_PX)


def _places(point: Point, letters: int, *, is_left_first: bool) -> Iterator[_Place]:
    x, y = point
    wide = letters * _LETTER_PX
    for down in (0.0, -17.0, 17.0, -34.0, 34.0):
        top = y - _LINE_PX / 2 + down
        right = _Place(x + 10, top, x + 10 + wide, top + _LINE_PX)
        left = _Place(x - 9 - wide, top, x - 9, top + _LINE_PX, is_left=True)
        yield from (left, right) if is_left_first else (right, left)


def _corners(points: Iterable[Point]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
