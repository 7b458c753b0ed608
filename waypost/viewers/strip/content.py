"""What a panorama strip shows at a step: tiles named from the agent's side, markers by geometry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.base.visible_text import with_short_ids
from waypost.domain.replay.panorama import AgentView, OptionMarker, agent_views, markers_at
from waypost.domain.replay.picture_lenses import Lens, PerspectiveLens
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.views import direction_of_angles
from waypost.services.replay.picture_tiles import (
    BAND_ELEVATION_RAD,
    PlacePictures,
    TilePicture,
)

COMPASS: Final = ("North", "East", "South", "West")
"""Names of the views at 0°, 90°, 180°, 270° where nothing tells how the agent stands."""

_UNIT: Final = 1000
"""Size at which the views of tiles without pictures are asked."""


@dataclass(frozen=True, slots=True)
class PlacedOption:
    """A navigable option in a tile."""

    marker: OptionMarker
    x: float
    """Share of the tile's width from the left."""

    y: float
    """Share of the tile's height from the top."""

    is_beyond: bool = False
    """Whether it lies outside the picture and stands at its rim instead."""


@dataclass(frozen=True, eq=False, slots=True)
class StripTile:
    """One tile."""

    title: str
    """E.g. ``Front · 90°``."""

    name: str
    """E.g. ``Front``."""

    picture: TilePicture | None
    """``None`` while it is on its way, or where there is none."""

    lens: Lens | None
    """What markers were placed by; ``None`` of a band all round or a single frame."""

    centre_rad: float
    """Heading of its middle."""

    options: tuple[PlacedOption, ...] = ()
    gaze_x: float | None = None
    """Where the agent's heading is, as a share of the width; ``None`` in other tiles."""


@dataclass(frozen=True, eq=False, slots=True)
class StripRow:
    """What is around the agent at one step."""

    step: int
    viewpoint_id: str
    heading_rad: float
    """R2R heading; NaN where nothing tells."""

    tiles: tuple[StripTile, ...]
    """Left, Front, Right, Back; or one."""

    caption: str = ""
    reason: str = ""
    """Why there is no picture."""

    is_band: bool = False
    """Whether its one tile is a whole turn."""

    is_frame: bool = False
    """Whether its one tile is a picture of the run."""

    @property
    def options(self) -> tuple[OptionMarker, ...]:
        """All options, in the order of their numbers."""
        found = [placed.marker for tile in self.tiles for placed in tile.options]
        return tuple(sorted(found, key=lambda marker: marker.number))

    @property
    def aspect(self) -> float | None:
        """Width by height of the pictures; ``None`` without any."""
        shapes = [
            tile.picture.pixels.shape
            for tile in self.tiles
            if tile.picture is not None and tile.picture.pixels is not None
        ]
        return max(shape[1] / shape[0] for shape in shapes) if shapes else None


def heading_at(replay: Replay, step: int) -> float:
    """R2R heading at a step, as logged or as the agent came; NaN where nothing tells."""
    yaw = float(replay.facing_rad[step])
    return r2r_heading_from_yaw(yaw) if math.isfinite(yaw) else math.nan


def arrival_after(replay: Replay, step: int) -> int | None:
    """The step at which the run arrives at its next viewpoint; ``None`` if it stays."""
    names = replay.viewpoint_ids
    if not names:
        return None
    return next((i for i in range(step + 1, len(names)) if names[i] != names[step]), None)


def strip_row(
    replay: Replay,
    step: int,
    pictures: PlacePictures | None,
    *,
    is_whole: bool = False,
    is_frame: bool = False,
    aspect: float = 1.25,
) -> StripRow:
    """Lay out what is around the agent.

    Args:
        replay: What is replayed.
        step: The step.
        pictures: What is shown of its place; ``None`` while they are on their way.
        is_whole: One band all round, with the agent's heading in the middle.
        is_frame: The source has one picture per step.
        aspect: Width by height of tiles without picture.
    """
    heading = heading_at(replay, step)
    tiles: tuple[StripTile, ...]
    found = pictures.tiles if pictures is not None else ()
    if is_frame:
        tiles = (_frame_tile(found, heading),)
    elif is_whole:
        tiles = (_band_tile(replay, step, found, heading),)
    else:
        tiles = _four_tiles(replay, step, found if len(found) == 4 else (), aspect)
    return StripRow(
        step=step,
        viewpoint_id=replay.viewpoint_ids[step] if replay.viewpoint_ids else "",
        heading_rad=heading,
        tiles=tiles,
        caption=pictures.caption if pictures is not None else "",
        reason=pictures.reason if pictures is not None else "",
        is_band=is_whole and not is_frame,
        is_frame=is_frame,
    )


def _four_tiles(
    replay: Replay, step: int, found: Sequence[TilePicture], aspect: float
) -> tuple[StripTile, ...]:
    heading = heading_at(replay, step)
    is_known = math.isfinite(heading)
    views = agent_views(heading if is_known else 0.0)
    lenses = [_lens_of(view, found) for view in views]
    markers = markers_at(replay, step)
    tiles = []
    for view, lens in zip(views, lenses, strict=True):
        picture = found[view.view_index] if found else None
        name = view.side.value if is_known else COMPASS[view.view_index]
        own = [marker for marker in markers if _view_of(marker, views) is view]
        shape = _shape(picture, aspect)
        tiles.append(
            StripTile(
                title=f"{name} · {round(math.degrees(view.heading_rad))}°",
                name=name,
                picture=picture,
                lens=lens,
                centre_rad=view.heading_rad,
                options=tuple(_placed(marker, lens, shape) for marker in own),
                gaze_x=_gaze(lens, shape, heading) if view is views[1] and is_known else None,
            )
        )
    return tuple(tiles)


def _lens_of(view: AgentView, found: Sequence[TilePicture]) -> Lens:
    lens = found[view.view_index].lens if found else None
    return lens or PerspectiveLens(view.heading_rad, 0.0, math.pi / 2)


def _view_of(marker: OptionMarker, views: Sequence[AgentView]) -> AgentView:
    """The view nearest to an option; the later one of two that are as near, as for headings."""
    return min(
        views,
        key=lambda view: (
            round(abs(math.remainder(marker.heading_rad - view.heading_rad, math.tau)), 9),
            math.remainder(marker.heading_rad - view.heading_rad, math.tau) > 0,
        ),
    )


def _shape(picture: TilePicture | None, aspect: float) -> tuple[int, int]:
    if picture is None or picture.pixels is None:
        return round(_UNIT * aspect), _UNIT
    height, width = picture.pixels.shape[:2]
    return width, height


def _placed(marker: OptionMarker, lens: Lens, shape: tuple[int, int]) -> PlacedOption:
    width, height = shape
    view = lens.view(width, height)
    pixel = view.pixel_of(marker.direction)
    if pixel is not None:
        return PlacedOption(marker, pixel[0] / width, pixel[1] / height)
    # Too high, too low or between two pictures: at the rim, where it would come in.
    if not isinstance(lens, PerspectiveLens):
        return PlacedOption(marker, 0.5, 0.5, is_beyond=True)
    turn = math.remainder(marker.heading_rad - lens.heading_rad, math.tau)
    level = view.pixel_of(direction_of_angles(marker.heading_rad, lens.elevation_rad))
    x = level[0] / width if level is not None else (0.0 if turn < 0 else 1.0)
    rise = marker.elevation_rad - lens.elevation_rad
    half = lens.view(width, height).vertical_fov_rad / 2
    y = 0.5 - math.tan(min(max(rise, -half), half)) / math.tan(half) / 2
    return PlacedOption(marker, x, y, is_beyond=True)


def _gaze(lens: Lens, shape: tuple[int, int], heading: float) -> float | None:
    pixel = lens.view(*shape).pixel_of(direction_of_angles(heading, 0.0))
    return pixel[0] / shape[0] if pixel is not None else None


def _band_tile(
    replay: Replay, step: int, found: Sequence[TilePicture], heading: float
) -> StripTile:
    centre = heading if math.isfinite(heading) else 0.0
    picture = found[0] if len(found) == 1 else None
    if picture is not None and picture.pixels is not None:
        width = picture.pixels.shape[1]
        turned = np.roll(picture.pixels, -round(centre / math.tau * width), axis=1)
        picture = TilePicture(np.ascontiguousarray(turned), None, picture.reason)
    options = []
    for marker in markers_at(replay, step):
        x = 0.5 + math.remainder(marker.heading_rad - centre, math.tau) / math.tau
        y = 0.5 - marker.elevation_rad / (2 * BAND_ELEVATION_RAD)
        options.append(PlacedOption(marker, x, min(max(y, 0.0), 1.0), not 0 <= y <= 1))
    return StripTile(
        title=f"All round · {round(math.degrees(centre)) % 360}° in the middle",
        name="All round",
        picture=picture,
        lens=None,
        centre_rad=centre,
        options=tuple(options),
        gaze_x=0.5 if math.isfinite(heading) else None,
    )


def _frame_tile(found: Sequence[TilePicture], heading: float) -> StripTile:
    title = f"Ahead · {round(math.degrees(heading)) % 360}°" if math.isfinite(heading) else "Ahead"
    return StripTile(title, "Ahead", found[0] if found else None, None, heading)


def option_text(marker: OptionMarker, heading_rad: float) -> str:
    """An option in words, for tool tips: number, viewpoint, label, distance, turn."""
    label = f" ({marker.label})" if marker.label else ""
    parts = [f"{marker.number} · {marker.viewpoint_id}{label}", f"{marker.distance_m:.1f} m"]
    if math.isfinite(heading_rad):
        parts.append(_turn_text(marker.turn_from(heading_rad)))
    if abs(marker.elevation_rad) > math.radians(10):
        where = "up" if marker.elevation_rad > 0 else "down"
        parts.append(f"{abs(math.degrees(marker.elevation_rad)):.0f}° {where}")
    if not marker.is_offered:
        parts.append("not offered to the model")
    if marker.is_chosen:
        parts.append("chosen")
    return " · ".join(parts)


def row_title(row: StripRow, *, is_now: bool) -> str:
    """Heading of a row: where the agent is and how it stands."""
    where = with_short_ids(row.viewpoint_id) or f"step {row.step}"
    parts = ["Now" if is_now else "Next", where]
    if math.isfinite(row.heading_rad):
        parts.append(f"facing {round(math.degrees(row.heading_rad)) % 360}°")
    return " · ".join(parts)


def row_text(row: StripRow) -> str:
    """A row in words, for screen readers."""
    if row.is_frame:
        return f"Step {row.step}: {row.caption or row.reason or 'picture of the run'}."
    parts = [f"{tile.title}: {_options_text(tile)}" for tile in row.tiles]
    return "; ".join(parts) + "."


def _options_text(tile: StripTile) -> str:
    count = len(tile.options)
    if not count:
        return "no options"
    text = f"{count} option{'s' if count > 1 else ''}"
    chosen = [placed.marker.number for placed in tile.options if placed.marker.is_chosen]
    return f"{text}, chosen {chosen[0]}" if chosen else text


def _turn_text(turn_rad: float) -> str:
    degrees = round(math.degrees(turn_rad))
    if abs(degrees) < 2:
        return "straight ahead"
    if abs(degrees) > 178:
        return "straight behind"
    return f"{abs(degrees)}° to the {'right' if degrees > 0 else 'left'}"
