"""Draw where two engines drove one agent differently; see docs/engines.md.

    .venv/bin/python -m tools.engine_differences [small_house.glb]

Every drive is done anew on the reference engine and on ovphysx, in the small house, which is not
part of Waypost.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.io.agent_files import shipped_agents
from waypost.io.scenes.open_scene import read_scene
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import REFERENCE_ENGINE
from waypost.simulators.protocol import DriveOutcome

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
HOUSE = ROOT.parent / "shared" / "data" / "scenes" / "small_house" / "small_house.glb"

COLOURS = {REFERENCE_ENGINE: (30, 90, 200), "ovphysx": (220, 100, 20)}
GEOMETRY, PAPER, INK = (196, 196, 200), (252, 252, 252), (30, 30, 30)
PX_PER_M = 170
AROUND_M = 0.9
LEGEND_PX = 78


@dataclass(frozen=True)
class Difference:
    """A drive that ends differently on two engines."""

    name: str
    """Of its picture."""

    agent: str
    start: Vec3
    target: Vec3


DIFFERENCES = (
    Difference("engines_corner", "wheelchair", (4.5, 1.0, 0.0), (5.25, 2.5, 0.0)),
    Difference("engines_bin", "human", (3.5, -1.0, 0.0), (-3.5, 0.5, 0.0)),
    Difference("engines_door", "humanoid", (1.5, 0.0, 0.0), (-3.5, 0.5, 0.0)),
)


def main() -> int:
    """Write the pictures into ``docs/pictures``."""
    house = Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE
    scene = read_scene(house)
    outcomes = {name: driven(name, scene, DIFFERENCES) for name in COLOURS}
    for index, difference in enumerate(DIFFERENCES):
        both = {name: outcomes[name][index] for name in COLOURS}
        picture = drawn(scene, difference, both)
        picture.save(FOLDER / f"{difference.name}.png", optimize=True)
        print(difference.name, *(said(name, outcome) for name, outcome in both.items()))
    return 0


def driven(engine: str, scene: Scene, differences: tuple[Difference, ...]) -> list[DriveOutcome]:
    """Each drive on one engine."""
    outcomes = []
    with SimulatorClient.start(engine) as client:
        client.load_scene(scene)
        for one in differences:
            client.spawn(shipped_agents()[one.agent], one.start, bearing_rad(one.start, one.target))
            outcomes.append(client.drive_to(one.target))
    return outcomes


def drawn(scene: Scene, difference: Difference, outcomes: dict[str, DriveOutcome]) -> Image.Image:
    """What stands in the way in plan, both paths, and the hulls where they ended."""
    profile = shipped_agents()[difference.agent]
    ends = [difference.start, difference.target]
    points = np.array([point[:2] for o in outcomes.values() for point in (*o.path_m, *ends)])
    low, high = points.min(0) - AROUND_M, points.max(0) + AROUND_M
    width, height = (int(side) for side in (high - low) * PX_PER_M)
    canvas = np.full((height, width, 3), PAPER, np.uint8)

    def placed(plan: NDArray[np.float64]) -> NDArray[np.int32]:
        x, y = (plan[..., 0] - low[0]) * PX_PER_M, (high[1] - plan[..., 1]) * PX_PER_M
        return np.stack([x, y], axis=-1).round().astype(np.int32)

    for corners in in_the_way(scene, profile, difference.start[2]):
        cv2.fillConvexPoly(canvas, placed(corners), GEOMETRY)
    for name, outcome in outcomes.items():
        path = placed(np.array(outcome.path_m)[:, :2])
        cv2.polylines(canvas, [path], isClosed=False, color=COLOURS[name], thickness=2)
        hull = placed(outline(profile, outcome, difference.target))
        cv2.polylines(canvas, [hull], isClosed=True, color=COLOURS[name], thickness=2)
    for end, thickness in zip(ends, (-1, 2), strict=True):
        middle = placed(np.array(end[:2]))
        cv2.circle(canvas, (int(middle[0]), int(middle[1])), 6, INK, thickness, cv2.LINE_AA)
    return with_legend(canvas, difference, outcomes)


def in_the_way(scene: Scene, profile: AgentProfile, floor_m: float) -> NDArray[np.float64]:
    """(N, 3, 2) plan corners of the triangles between an agent's step limit and its height."""
    found = []
    for mesh in scene.meshes:
        if not mesh.is_collider:
            continue
        corners = mesh.vertices.astype(float)[mesh.faces] + scene.origin_m
        low_m, high_m = corners[..., 2].min(1), corners[..., 2].max(1)
        bottom_m, top_m = floor_m + profile.step_limit_m, floor_m + profile.height_m
        found.append(corners[(high_m > bottom_m) & (low_m < top_m)][..., :2])
    return np.concatenate(found)


def outline(profile: AgentProfile, outcome: DriveOutcome, target: Vec3) -> NDArray[np.float64]:
    """The hull in plan where a drive ended, looking at its target, or from where it arrived."""
    end = np.array(outcome.path_m[-1][:2])
    if profile.shape is not BodyShape.BOX:
        angles = np.linspace(0.0, math.tau, 60)
        return end + profile.width_m / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    before = next(
        (p for p in reversed(outcome.path_m) if math.dist(p[:2], end) > 0.1), outcome.path_m[0]
    )
    last = outcome.path_m[-1]
    yaw = bearing_rad(before, last) if outcome.reached else bearing_rad(last, target)
    along = np.array([math.cos(yaw), math.sin(yaw)]) * profile.depth_m / 2
    across = np.array([-math.sin(yaw), math.cos(yaw)]) * profile.width_m / 2
    return np.array(
        [end + along + across, end - along + across, end - along - across, end + along - across]
    )


def with_legend(
    canvas: NDArray[np.uint8], difference: Difference, outcomes: dict[str, DriveOutcome]
) -> Image.Image:
    """The plan with a line per engine above it."""
    plan = Image.fromarray(canvas)
    picture = Image.new("RGB", (max(plan.width, 640), plan.height + LEGEND_PX), PAPER)
    picture.paste(plan, (0, LEGEND_PX))
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(15)
    draw.text((10, 6), f"{difference.agent}, from the dot to the ring", fill=INK, font=font)
    for line, (name, outcome) in enumerate(outcomes.items(), start=1):
        y = 6 + 23 * line
        draw.line((10, y + 10, 40, y + 10), fill=COLOURS[name], width=3)
        draw.text((50, y), said(name, outcome), fill=INK, font=font)
    return picture


def said(name: str, outcome: DriveOutcome) -> str:
    """How a drive ended, in words."""
    touched = ", ".join(contact.object for contact in outcome.contacts) or "nothing"
    ending = "reached" if outcome.reached else f"stopped: {outcome.blocked_by}"
    return f"{name}: {ending} after {outcome.sim_time_s:.1f} s, touched {touched}"


if __name__ == "__main__":
    sys.exit(main())
