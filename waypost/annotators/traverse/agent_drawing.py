"""The driven agent true to size: body, heading, turning circle, path, touches, corridor."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.annotators import palette
from waypost.annotators.graph.previews import LIFT_M
from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.simulators.protocol import Contact
from waypost.viewers.scene.drawing import (
    Color,
    Drawing,
    MarkerShape,
    PolyLine,
    SceneMarker,
    SolidMesh,
    with_alpha,
)
from waypost.viewers.scene.shapes import (
    box,
    box_edges,
    circle,
    disc,
    ribbon,
    upright_capsule,
    upright_cylinder,
)

FLASH_S = 1.2
"""A touch fades over this time."""

_PATH_STEP_M = 0.05


def agent_drawing(
    profile: AgentProfile, floor_m: Vec3, yaw_rad: float, color: Color = palette.AGENT
) -> Drawing:
    """The collider at a pose, with a heading arrow and the turning circle.

    Args:
        profile: Gives shape and size; nothing is scaled for looks.
        floor_m: Floor point under the centre of the body.
        yaw_rad: Heading.
        color: The agent's own.

    Returns:
        The turning circle is drawn twice: faintly on the floor and as a ring at the agent's own
        height above the floor it stands on, where furniture and walls show what it would touch.
    """
    x, y, z = floor_m
    top = (x, y, z + profile.height_m)
    radius = profile.turning_circle_radius_m
    ring_color = with_alpha(color, 0.9)
    lines = [circle(top, radius, ring_color, width_px=2.5), *_outline(profile, floor_m, yaw_rad)]
    lines.append(_heading(profile, floor_m, yaw_rad))
    floor_disc = disc((x, y, z + LIFT_M / 2), radius, with_alpha(color, 0.18))
    return Drawing(tuple(lines), meshes=(_body(profile, floor_m, yaw_rad, color), floor_disc))


def ground_drawing(
    profile: AgentProfile, floor_m: Vec3, yaw_rad: float, color: Color = palette.AGENT
) -> Drawing:
    """What the agent sees of itself from within: the floor it needs and what its body covers.

    Args:
        profile: As in ``agent_drawing``.
        floor_m: Floor point under the centre of the body.
        yaw_rad: Heading.
        color: The agent's own.
    """
    x, y, z = floor_m
    at = (x, y, z + LIFT_M)
    circle_color = with_alpha(color, 0.9)
    lines = [circle(at, profile.turning_circle_radius_m, circle_color, width_px=2.5)]
    if profile.shape is BodyShape.BOX:
        size = (profile.depth_m, profile.width_m, 0.0)
        lines += box_edges(at, size, yaw_rad, palette.SELECTION, width_px=2.0)[:1]
    else:
        lines.append(circle(at, profile.width_m / 2, palette.SELECTION, width_px=2.0))
    return Drawing(tuple(lines))


def path_drawing(path_m: tuple[Vec3, ...]) -> Drawing:
    """The way driven, just above the floor."""
    if len(path_m) < 2:
        return Drawing()
    points = tuple((x, y, z + LIFT_M) for x, y, z in path_m)
    return Drawing(lines=(PolyLine(points, palette.PATH, 2.5),))


def corridor_drawing(start_m: Vec3, end_m: Vec3, profile: AgentProfile) -> Drawing:
    """The floor that a passage at hand would need, as wide as the agent."""
    if math.dist(start_m[:2], end_m[:2]) < 1e-6:
        return Drawing()
    ends = tuple((x, y, z + LIFT_M / 2) for x, y, z in (start_m, end_m))
    color = with_alpha(palette.SELECTION, 0.28)
    return Drawing(meshes=(ribbon(ends, profile.width_m, color),))


@dataclass(frozen=True, slots=True)
class DrivenPath:
    """The floor points of a drive, 5 cm apart or more; immutable."""

    points_m: tuple[Vec3, ...] = ()

    def with_point(self, point_m: Vec3) -> DrivenPath:
        """The path one telemetry later; standing still adds nothing."""
        if self.points_m and math.dist(self.points_m[-1], point_m) < _PATH_STEP_M:
            return self
        return DrivenPath((*self.points_m, point_m))


@dataclass(frozen=True, slots=True)
class ContactFlashes:
    """Touches that have not faded yet; immutable."""

    flashes: tuple[tuple[float, Contact], ...] = ()
    """Time of the touch on the window's clock in seconds, and the touch."""

    def with_contacts(self, contacts: tuple[Contact, ...], now_s: float) -> ContactFlashes:
        """Add touches; those of the same object start anew, the faded ones are dropped."""
        fresh = {c.object for c in contacts}
        kept = tuple(
            (t, c) for t, c in self.flashes if now_s - t < FLASH_S and c.object not in fresh
        )
        return ContactFlashes(kept + tuple((now_s, c) for c in contacts))

    def drawing(self, now_s: float) -> Drawing:
        """Crosses that fade, each with a short line away from the object."""
        color = palette.CONTACT
        lines, markers = [], []
        for time_s, contact in self.flashes:
            strength = 1.0 - (now_s - time_s) / FLASH_S
            if strength <= 0:
                continue
            faded = with_alpha(color, min(1.0, strength))
            size = 12.0 + 14.0 * min(1.0, strength)
            markers.append(
                SceneMarker(
                    contact.point_m,
                    faded,
                    size,
                    MarkerShape.CROSS,
                    outline=(0.0, 0.0, 0.0, faded[3] * 0.6),
                )
            )
            tip = tuple(p + 0.25 * n for p, n in zip(contact.point_m, contact.normal, strict=True))
            lines.append(PolyLine((contact.point_m, (tip[0], tip[1], tip[2])), faded, 3.0))
        return Drawing(tuple(lines), tuple(markers))


def _body(profile: AgentProfile, floor_m: Vec3, yaw_rad: float, color: Color) -> SolidMesh:
    x, y, z = floor_m
    center = (x, y, z + profile.height_m / 2)
    if profile.shape is BodyShape.BOX:
        size = (profile.depth_m, profile.width_m, profile.height_m)
        return box(center, size, yaw_rad, color)
    if profile.shape is BodyShape.CAPSULE:
        return upright_capsule(center, profile.width_m / 2, profile.height_m, color)
    return upright_cylinder(center, profile.width_m / 2, profile.height_m, color)


def _outline(profile: AgentProfile, floor_m: Vec3, yaw_rad: float) -> tuple[PolyLine, ...]:
    color = (1.0, 1.0, 1.0, 0.8)
    x, y, z = floor_m
    if profile.shape is BodyShape.BOX:
        center = (x, y, z + profile.height_m / 2)
        size = (profile.depth_m, profile.width_m, profile.height_m)
        return box_edges(center, size, yaw_rad, color, width_px=1.5)
    radius = profile.width_m / 2
    is_capsule = profile.shape is BodyShape.CAPSULE
    low, high = (radius, profile.height_m - radius) if is_capsule else (0.0, profile.height_m)
    return tuple(circle((x, y, z + h), radius, color, width_px=1.5) for h in (low, high))


def _heading(profile: AgentProfile, floor_m: Vec3, yaw_rad: float) -> PolyLine:
    x, y, z = floor_m
    height = z + profile.height_m + LIFT_M
    length = profile.depth_m / 2 + 0.25
    tip = (x + length * math.cos(yaw_rad), y + length * math.sin(yaw_rad), height)
    return PolyLine(((x, y, height), tip), palette.SELECTION, 4.0, has_arrow=True)
