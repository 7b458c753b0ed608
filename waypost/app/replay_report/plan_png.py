"""The plan of a replay as a PNG with a legend, drawn without a window."""

from __future__ import annotations

import io
import itertools
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from waypost.app.replay_report.plan_style import (
    CASING,
    GROUND,
    INK,
    LINES,
    MARKS,
    SOFT,
    Colour,
    star_points,
)
from waypost.domain.replay_map import (
    LineRole,
    MarkRole,
    PlanLine,
    PlanMap,
    PlanMark,
    Point,
    plan_map,
    scale_bar_m,
    time_colour,
)
from waypost.domain.replay_tags import TAG_TITLES
from waypost.io.atomic import write_bytes_atomic
from waypost.services.replay_loading import ReplayedEpisode

WIDTH_PX: Final = 1200
MAP_HEIGHT_PX: Final = 800
_OVER: Final = 2
"""Drawn so many times larger and scaled down: Pillow has no smooth lines of its own."""

_MARGIN_PX: Final = 24
_LINE_PX: Final = 24
_FONTS: Final = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "arial.ttf")
_CHARACTERS: Final = 118

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class _Frame:
    """From metres to drawn pixels."""

    scale: float
    """Drawn pixels per metre."""

    x_px: float
    y_px: float

    def at(self, point: Point) -> Point:
        return self.x_px + point[0] * self.scale, self.y_px - point[1] * self.scale


def write_plan_png(path: Path, shown: ReplayedEpisode, cursor: int | None = None) -> None:
    """Draw the plan of an episode up to a step (all of it without) with title and legend.

    Raises:
        WriteError: If the file cannot be written.
    """
    buffer = io.BytesIO()
    plan_picture(shown, cursor).save(buffer, format="PNG", optimize=True)
    write_bytes_atomic(path, buffer.getvalue())


def plan_picture(shown: ReplayedEpisode, cursor: int | None = None) -> Image.Image:
    """The picture itself, RGB, ``WIDTH_PX`` wide."""
    plan = plan_map(shown.replay, cursor)
    texts = _texts(shown)
    head = _MARGIN_PX + _LINE_PX * len(texts) + 12
    height = head + MAP_HEIGHT_PX + 64
    image = Image.new("RGB", (WIDTH_PX * _OVER, height * _OVER), GROUND)
    draw = ImageDraw.Draw(image)
    stage = Image.new("RGB", (WIDTH_PX * _OVER, MAP_HEIGHT_PX * _OVER), GROUND)
    frame = _frame(plan, *stage.size)
    _draw_plan(ImageDraw.Draw(stage), plan, frame)
    image.paste(stage, (0, head * _OVER))
    for index, (text, colour, size) in enumerate(texts):
        place = (_MARGIN_PX * _OVER, (_MARGIN_PX + index * _LINE_PX) * _OVER)
        draw.text(place, text, fill=colour, font=_font(size))
    _draw_legend(draw, frame, (head + MAP_HEIGHT_PX) * _OVER, plan)
    return image.resize((WIDTH_PX, height), Image.Resampling.LANCZOS)


def _texts(shown: ReplayedEpisode) -> list[tuple[str, Colour, int]]:
    replay, episode = shown.replay, shown.replay.episode
    scene = f" · {episode.scene_id}" if episode.scene_id else ""
    lines: list[tuple[str, Colour, int]] = [(f"Episode {episode.episode_id}{scene}", INK, 19)]
    words = " ".join(episode.instruction.text.split())
    lines += [(line, INK, 15) for line in textwrap.wrap(words, _CHARACTERS)[:4]]
    named = ", ".join(
        TAG_TITLES[tag.kind] + ("" if tag.step is None else f" (step {tag.step})")
        for tag in shown.tags
    )
    told = f"{len(replay)} steps, ended by: {replay.ended_by}" + (f" · {named}" if named else "")
    lines += [(line, SOFT, 15) for line in textwrap.wrap(told, _CHARACTERS)]
    values = [
        f"{metric.key} {'undefined' if value is None else format(value, '.3f')}"
        for metric in shown.scores.profile.metrics
        for value in (shown.scores.values[metric.key],)
    ]
    text = f"{shown.scores.profile.key}: {', '.join(values)}"
    return lines + [(line, SOFT, 15) for line in textwrap.wrap(text, _CHARACTERS)]


def _frame(plan: PlanMap, width: int, height: int) -> _Frame:
    wide, high = plan.high[0] - plan.low[0], plan.high[1] - plan.low[1]
    scale = min(width / wide, height / high)
    middle = ((plan.low[0] + plan.high[0]) / 2, (plan.low[1] + plan.high[1]) / 2)
    return _Frame(scale, width / 2 - middle[0] * scale, height / 2 + middle[1] * scale)


def _draw_plan(draw: ImageDraw.ImageDraw, plan: PlanMap, frame: _Frame) -> None:
    for mark in plan.marks:
        if mark.role is MarkRole.GOAL_CIRCLE:
            _draw_mark(draw, mark, frame)
    for line in plan.lines:
        _draw_line(draw, line, frame)
    for mark in sorted(plan.marks, key=lambda mark: list(MarkRole).index(mark.role)):
        if mark.role is not MarkRole.GOAL_CIRCLE:
            _draw_mark(draw, mark, frame)


def _draw_line(draw: ImageDraw.ImageDraw, line: PlanLine, frame: _Frame) -> None:
    style = LINES[line.role]
    points = [frame.at(point) for point in line.points]
    colour = line.colour or style.colour
    if line.role is LineRole.PATH:
        draw.line(points, fill=CASING, width=round((style.width_px + 1.2) * _OVER), joint="curve")
    if style.dash_px is None:
        draw.line(points, fill=colour, width=max(1, round(style.width_px * _OVER)), joint="curve")
        if line.role is LineRole.PATH and len(points) == 2:
            _draw_arrow(draw, points, colour)
        return
    for piece in dashes(points, *(length * _OVER for length in style.dash_px)):
        draw.line(piece, fill=colour, width=round(style.width_px * _OVER))


def dashes(points: Sequence[Point], drawn: float, left_out: float) -> list[list[Point]]:
    """The drawn pieces of a dashed line; dashes go on round its corners."""
    pieces: list[list[Point]] = []
    at, period = 0.0, drawn + left_out
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        done = 0.0
        while done < length:
            phase = (at + done) % period
            step = min((drawn if phase < drawn else period) - phase, length - done)
            step = max(step, 1e-6)
            if phase < drawn:
                a, b = done / length, (done + step) / length
                pieces.append([(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (a, min(b, 1.0))])
            done += step
        at += length
    return pieces


def _draw_arrow(draw: ImageDraw.ImageDraw, points: Sequence[Point], colour: Colour) -> None:
    (x0, y0), (x1, y1) = points
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 30 * _OVER:
        return
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x, y = x0 + (x1 - x0) * 0.55, y0 + (y1 - y0) * 0.55
    size = 7.5 * _OVER
    tip = (x + ux * size, y + uy * size)
    sides = [(x - uy * size * 0.7 * side, y + ux * size * 0.7 * side) for side in (1, -1)]
    draw.polygon([tip, *sides], fill=colour, outline=CASING)


def _draw_mark(draw: ImageDraw.ImageDraw, mark: PlanMark, frame: _Frame) -> None:
    style = MARKS[mark.role]
    x, y = frame.at(mark.at)
    size = style.size_px * _OVER
    width = round(1.6 * _OVER)
    if style.shape == "circle":
        reach = mark.radius_m * frame.scale
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), style.fill, style.outline, width)
    elif style.shape == "dot":
        draw.ellipse((x - size, y - size, x + size, y + size), style.fill, style.outline, width)
    elif style.shape == "square":
        draw.rectangle((x - size, y - size, x + size, y + size), style.fill, style.outline, width)
    elif style.shape == "diamond":
        corners = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
        draw.polygon(corners, style.fill, style.outline, width)
    elif style.shape == "star":
        draw.polygon(star_points(x, y, size), style.fill, style.outline)
    if mark.label and mark.role in _LABEL_RISE_PX:
        _draw_label(draw, mark, (x, y), size)


_LABEL_RISE_PX: Final = {
    MarkRole.REVISIT: 0,
    MarkRole.DEVIATION: 22,
    MarkRole.START: -8,
    MarkRole.END: 8,
    MarkRole.GOAL: -16,
    MarkRole.OPTION: 0,
    MarkRole.CHOSEN: 0,
}
"""How far below its mark a label stands, so that marks at one place can all be read."""


def _draw_label(draw: ImageDraw.ImageDraw, mark: PlanMark, at: Point, size: float) -> None:
    style = MARKS[mark.role]
    is_outlined = mark.role in {MarkRole.REVISIT, MarkRole.START}
    is_left = mark.role is MarkRole.REVISIT or at[0] > 0.75 * WIDTH_PX * _OVER
    gap = size + 6 * _OVER
    draw.text(
        (at[0] - gap if is_left else at[0] + gap, at[1] + _LABEL_RISE_PX[mark.role] * _OVER),
        mark.label,
        fill=style.outline if is_outlined else style.fill,
        font=_font(14),
        anchor="rm" if is_left else "lm",
        stroke_width=3 * _OVER,
        stroke_fill=GROUND,
    )


def _draw_legend(draw: ImageDraw.ImageDraw, frame: _Frame, top: int, plan: PlanMap) -> None:
    y = top + 24 * _OVER
    x = _MARGIN_PX * _OVER
    style = LINES[LineRole.REFERENCE]
    for piece in dashes([(x, y), (x + 60 * _OVER, y)], 10.0 * _OVER, 6.0 * _OVER):
        draw.line(piece, fill=style.colour, width=round(style.width_px * _OVER))
    draw.text((x + 70 * _OVER, y - 9 * _OVER), "reference", fill=INK, font=_font(14))
    x += 170 * _OVER
    for i in range(100 * _OVER):
        colour = time_colour(i / (100 * _OVER))
        draw.line([(x + i, y - 4 * _OVER), (x + i, y + 4 * _OVER)], fill=colour)
    draw.text((x + 110 * _OVER, y - 9 * _OVER), "driven, first to last step", fill=INK,
              font=_font(14))  # fmt: skip
    x += 330 * _OVER
    circle = next((mark for mark in plan.marks if mark.role is MarkRole.GOAL_CIRCLE), None)
    if circle is not None:
        text = f"circle: {circle.label} straight around the goal"
        draw.text((x, y - 9 * _OVER), text, fill=INK, font=_font(14))
    length = scale_bar_m(plan.high[0] - plan.low[0])
    end = (WIDTH_PX - _MARGIN_PX) * _OVER
    start = end - length * frame.scale
    draw.line([(start, y + 6 * _OVER), (end, y + 6 * _OVER)], fill=INK, width=2 * _OVER)
    text = f"{length:g} m"
    draw.text(((start + end) / 2, y - 4 * _OVER), text, fill=INK, font=_font(14), anchor="mb")


def _font(size: int) -> Font:
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size * _OVER)
        except OSError:
            continue
    return ImageFont.load_default(size * _OVER)
