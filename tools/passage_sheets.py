"""Draw every measured passage of a graph from above, so that a person sees whether it is right.

    .venv/bin/python -m tools.passage_sheets SCENE GRAPH OUT [--answers PRELABEL.json]

Each tile shows what rises around a straight edge: black within the agent's band of heights, brown
where it could step on it, white floor, blue where there is no floor. The edge is a thin line, the
path that was found a green one, with a violet line wherever a heading is driven; the body stands
at its start and at the critical place as it is driven there. The frame is green, red or orange:
travels, does not, uncertain. A row is one direction, a column one agent.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from waypost.domain.base.errors import WaypostError
from waypost.domain.base.frames import FRAMES, Vec3, bearing_rad
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, Verdict, all_passages
from waypost.geometry.measuring.scene_ground import RAISED_M, GroundWindow, SceneGround
from waypost.io.agent_files import shipped_agents
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.scenes.open_scene import read_scene
from waypost.services.measuring.measure_passages import measure_passages
from waypost.services.measuring.site import SiteSettings

ROWS = 6
TILE = 250
WORDS = 72
"""Pixels of a tile and of the lines under it."""

CHARACTERS = 42
LINES = 4

AROUND_M = 1.0
HEADING_M = 0.2
"""Length of the line that shows a heading."""

COLOURS = {
    Verdict.TRAVELS: (30, 140, 60),
    Verdict.DOES_NOT: (200, 40, 40),
    Verdict.UNCERTAIN: (225, 140, 0),
}
Pixels = NDArray[np.uint8]
Rgb = tuple[int, int, int]


@dataclass(frozen=True)
class Tile:
    """One passage, and what is drawn of it."""

    measure: PassageMeasure
    profile: AgentProfile
    start: Vec3
    end: Vec3
    title: str
    answer: Verdict
    words: str

    @property
    def footprint(self) -> NDArray[np.float64]:
        """(N, 2) outline of the body about its centre, heading along x."""
        if self.profile.shape is BodyShape.BOX:
            a, b = self.profile.depth_m / 2, self.profile.width_m / 2
            return np.array([[a, b], [-a, b], [-a, -b], [a, -b]])
        angle = np.linspace(0, math.tau, 32, endpoint=False)
        return self.profile.width_m / 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    @property
    def poses(self) -> list[tuple[Vec3, float]]:
        """Places of the path with the headings that are driven there."""
        return list(zip(self.measure.path_m, self.measure.headings_rad, strict=True))

    def heading_at(self, place: Vec3) -> float:
        """As it is driven on the nearest part of the path; along the edge where there is none."""
        parts = [(a, b) for a, b in pairwise(self.poses) if math.dist(a[0], b[0]) > 1e-3]
        nearest = min(
            parts,
            key=lambda part: (
                sum(math.dist(at[:2], place[:2]) for at, _ in part)
                - math.dist(part[0][0][:2], part[1][0][:2])
            ),
            default=None,
        )
        return bearing_rad(self.start, self.end) if nearest is None else nearest[0][1]


@dataclass(frozen=True)
class Plan:
    """Where metres lie in a tile."""

    window: GroundWindow

    @property
    def scale(self) -> float:
        """Pixels per metre."""
        x0, y0, x1, y1 = self.window.box
        return TILE / max(x1 - x0, y1 - y0)

    def at(self, place: Sequence[float]) -> tuple[float, float]:
        """Pixel of a place; y runs upwards."""
        x0, y0, _, _ = self.window.box
        return (place[0] - x0) * self.scale, TILE - (place[1] - y0) * self.scale


def ground_picture(window: GroundWindow, profile: AgentProfile) -> Image.Image:
    """What rises above the floor of an edge, as cells of its field."""
    field, floor = window.field, window.high_z_m
    shown: Pixels = np.full((field.grid.rows * field.grid.columns, 3), (200, 215, 255), np.uint8)
    is_floor = field.is_upward & (np.abs(field.high_m - floor) < RAISED_M)
    shown[field.cell[is_floor]] = (255, 255, 255)
    within = (field.low_m < floor + profile.height_m) & (field.high_m > floor + RAISED_M)
    is_low = field.high_m <= floor + profile.step_limit_m
    shown[field.cell[within & is_low]] = (205, 175, 140)
    shown[field.cell[within & ~is_low]] = (60, 60, 60)
    picture = Image.fromarray(shown.reshape(field.grid.rows, field.grid.columns, 3)[::-1])
    scale = TILE / max(picture.size)
    return picture.resize(
        (round(picture.width * scale), round(picture.height * scale)), Image.Resampling.NEAREST
    )


def draw_tile(tile: Tile, window: GroundWindow) -> Image.Image:
    """A plan around the edge with words under it."""
    plan = Plan(window)
    made = Image.new("RGB", (TILE, TILE + WORDS), (255, 255, 255))
    ground = ground_picture(window, tile.profile)
    made.paste(ground, (0, TILE - ground.height))
    draw = ImageDraw.Draw(made)
    draw.line([plan.at(tile.start), plan.at(tile.end)], (120, 120, 220), 1)
    path = [plan.at(place) for place in tile.measure.path_m]
    if len(path) > 1:
        draw.line(path, (0, 160, 70), 2)
    for (x, y, _), heading in tile.poses:
        ahead = (x + HEADING_M * math.cos(heading), y + HEADING_M * math.sin(heading))
        draw.line([plan.at((x, y)), plan.at(ahead)], (150, 60, 180), 1)
    critical = tile.measure.at_m
    for place, colour in ((tile.start, (40, 90, 220)), (critical, COLOURS[tile.answer])):
        if place is not None:
            _draw_body(draw, plan, tile, place, colour)
    x, y = plan.at(tile.end)
    draw.ellipse([x - 3, y - 3, x + 3, y + 3], (40, 90, 220))
    draw.rectangle([0, TILE, TILE, TILE + WORDS], (255, 255, 255))
    font = ImageFont.load_default(10)
    for line, text in enumerate(_lines(tile)):
        draw.text((4, TILE + 2 + 11 * line), text, (0, 0, 0), font)
    straight = COLOURS[tile.measure.straight]
    draw.rectangle([0, 0, TILE - 1, TILE + WORDS - 1], outline=COLOURS[tile.answer], width=3)
    draw.rectangle([TILE - 16, 4, TILE - 6, 14], straight)
    return made


def _draw_body(draw: ImageDraw.ImageDraw, plan: Plan, tile: Tile, place: Vec3, colour: Rgb) -> None:
    heading = tile.heading_at(place)
    cos, sin = math.cos(heading), math.sin(heading)
    turned = tile.footprint @ np.array([[cos, sin], [-sin, cos]]) + np.array(place[:2])
    draw.polygon([plan.at((float(x), float(y))) for x, y in turned], outline=colour, width=2)


def _lines(tile: Tile) -> list[str]:
    measure = tile.measure
    width, margin = measure.clear_width_m, measure.margin_m
    facts = f"clear {width:.2f} m" if width is not None else "clear width unknown"
    if margin is not None:
        facts += f", margin {margin * 100:.1f} cm"
    words = tile.words
    return [tile.title, facts, *textwrap.wrap(words, CHARACTERS)[:LINES]]


def tiles_of(
    graph: NavigationGraph,
    agents: Mapping[str, AgentProfile],
    measures: Iterable[PassageMeasure],
    answers: Mapping[Passage, dict[str, Any]],
) -> dict[Passage, Tile]:
    """What is drawn of every measure; answers of a whole run replace those of geometry."""
    made = {}
    for measure in measures:
        start, end, agent = measure.passage
        nodes = graph.nodes[start], graph.nodes[end]
        own = answers.get(measure.passage, {})
        made[measure.passage] = Tile(
            measure,
            agents[agent],
            nodes[0].position_m,
            nodes[1].position_m,
            f"{nodes[0].name or start} > {nodes[1].name or end}, {agent}",
            Verdict(own.get("answer", measure.answer)),
            own.get("words", measure.words),
        )
    return made


def write_sheets(
    ground: SceneGround, rows: Sequence[Sequence[Tile]], folder: Path
) -> Iterable[Path]:
    """Write the tiles, some rows to a sheet."""
    for number, first in enumerate(range(0, len(rows), ROWS), 1):
        part = rows[first : first + ROWS]
        columns = max(len(row) for row in part)
        sheet = Image.new("RGB", (columns * TILE, len(part) * (TILE + WORDS)), (255, 255, 255))
        for j, row in enumerate(part):
            for i, tile in enumerate(row):
                drawn = draw_tile(tile, window_of(ground, tile))
                sheet.paste(drawn, (i * TILE, j * (TILE + WORDS)))
        path = folder / f"passages_{number:02}.png"
        sheet.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)
        yield path


def window_of(ground: SceneGround, tile: Tile) -> GroundWindow:
    """A square around an edge."""
    (ax, ay, az), (bx, by, bz) = tile.start, tile.end
    half = max(abs(ax - bx), abs(ay - by)) / 2 + AROUND_M
    x, y = (ax + bx) / 2, (ay + by) / 2
    return ground.window((x - half, y - half, x + half, y + half), min(az, bz), max(az, bz))


def read_answers(path: Path | None) -> dict[Passage, dict[str, Any]]:
    """Answers of ``waypost prelabel --json``."""
    if path is None:
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))["passages"]
    return {Passage(p["from"], p["to"], p["agent"]): p for p in found}


def _edge_id(graph: NavigationGraph, passage: Passage) -> str:
    edge = graph.edge_between(passage.from_id, passage.to_id)
    return "" if edge is None else edge.edge_id


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scene", type=Path, help="scene file")
    parser.add_argument("graph", type=Path, help="graph file in the scene's frame")
    parser.add_argument("folder", type=Path, help="where to write")
    parser.add_argument("--answers", type=Path, help="of waypost prelabel --json, for the frames")
    parser.add_argument("--edges", nargs="+", metavar="E", help="ids; default all")
    options = parser.parse_args()
    try:
        scene = read_scene(options.scene)
        graph = read_graph_file(options.graph).build(FRAMES["scene"])
        agents = shipped_agents()
        asked = [
            passage
            for passage in all_passages(graph, agents)
            if options.edges is None or _edge_id(graph, passage) in options.edges
        ]
        settings = SiteSettings(uses_sweep=False, uses_engine=False)
        found = measure_passages(scene, graph, agents, asked, settings=settings)
        tiles = tiles_of(graph, agents, found, read_answers(options.answers))
        rows: dict[tuple[str, str], list[Tile]] = {}
        for passage in asked:
            rows.setdefault(passage[:2], []).append(tiles[passage])
        options.folder.mkdir(parents=True, exist_ok=True)
        for path in write_sheets(SceneGround.of(scene), list(rows.values()), options.folder):
            print(path)
    except WaypostError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
