"""Make a project of the AWS RoboMaker small house with runs to replay; see docs/replay.md.

    .venv/bin/python -m tools.small_house small_house.glb out/small_house

The scene is not part of Waypost. The graph, the episodes and their instructions are ours; the runs
are those of an agent that follows a script, not of a model.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from types import MappingProxyType

from tools.demo_runs import DemoInstruction, DemoPath, write_demo_runs
from tools.scripted_agent import Behaviour
from waypost.app.main import main as waypost
from waypost.domain.base.errors import InputError, WaypostError
from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.io.agent_files import shipped_agents
from waypost.io.scenes.registry import format_of_file
from waypost.services.relative_path import relative_path
from waypost.store.project_store import ProjectStore

SCAN = "small_house"
AUTHOR = "small house script"
PICTURES = "pictures"

PLACES = (
    ("Living room west", -1.5, 1.0),
    ("Living room", 0.5, 1.0),
    ("Living room east", 2.5, 1.0),
    ("Dining passage", 4.5, 1.0),
    ("Opening to the bedroom", -2.5, -0.6),
    ("Beside the sofa", -1.6, -1.5),
    ("Behind the sofa, west", -1.6, -3.7),
    ("Behind the sofa", 0.5, -3.9),
    ("Behind the sofa, east", 3.0, -3.9),
    ("Sofa table", 3.5, -2.2),
    ("Dining room", 5.0, -0.5),
    ("Kitchen", 6.5, -2.0),
    ("Cooking bench", 7.6, -3.6),
    ("Kitchen door", 5.8, -3.9),
    ("Dining corner", 5.25, 2.5),
    ("Dining window", 8.4, 2.4),
    ("Reading corner", 1.5, 2.9),
    ("Reading chairs", -0.5, 3.1),
    ("North window", 2.9, 4.8),
    ("Bedroom", -3.6, -0.4),
    ("Bed foot", -5.0, 0.0),
    ("Bed side", -4.2, 1.6),
    ("Bedroom window", -8.2, -0.2),
    ("Opening to the gym", -3.3, -2.4),
    ("Gym", -5.5, -3.0),
    ("Gym window", -8.0, -2.6),
    ("Gym corner", -6.2, -4.4),
)
"""Name and place in plan, metres; the floor is at 0. Each is 0.4 m or more from anything."""

WAYS = (
    ("Living room west", "Living room"),
    ("Living room", "Living room east"),
    ("Living room east", "Dining passage"),
    ("Living room west", "Opening to the bedroom"),
    ("Opening to the bedroom", "Beside the sofa"),
    ("Beside the sofa", "Behind the sofa, west"),
    ("Behind the sofa, west", "Behind the sofa"),
    ("Behind the sofa", "Behind the sofa, east"),
    ("Behind the sofa, east", "Sofa table"),
    ("Sofa table", "Kitchen"),
    ("Sofa table", "Living room east"),
    ("Dining passage", "Dining room"),
    ("Dining room", "Kitchen"),
    ("Dining room", "Sofa table"),
    ("Kitchen", "Cooking bench"),
    ("Cooking bench", "Kitchen door"),
    ("Kitchen door", "Sofa table"),
    ("Dining passage", "Dining corner"),
    ("Dining corner", "Dining window"),
    ("Living room", "Reading corner"),
    ("Living room west", "Reading chairs"),
    ("Reading corner", "Reading chairs"),
    ("Reading corner", "North window"),
    ("Opening to the bedroom", "Bedroom"),
    ("Bedroom", "Bed foot"),
    ("Bedroom", "Bed side"),
    ("Bed foot", "Bedroom window"),
    ("Bedroom", "Opening to the gym"),
    ("Opening to the gym", "Gym"),
    ("Gym", "Gym window"),
    ("Gym", "Gym corner"),
)

_P, _L, _E = Behaviour.PERFECT, Behaviour.LOOP, Behaviour.EARLY_STOP
_O, _W, _G = Behaviour.WALKS_ON, Behaviour.WRONG_WAY, Behaviour.GARBLED

PATHS = (
    DemoPath(
        1,
        ("Living room west", "Living room", "Living room east"),
        (
            DemoInstruction("Cross the living room with the sofa on your right. Stop past it.",
                            _L, _P, _O),
            DemoInstruction("Walk straight on through the living room, then wait at its far end.",
                            _P, _O, _L),
        ),
    ),
    DemoPath(
        2,
        ("Bedroom window", "Bed foot", "Bedroom", "Opening to the bedroom", "Living room west"),
        (
            DemoInstruction(
                "Leave the window and pass the foot of the bed. Go on through the wide opening."
                " Turn left and stop in the living room.",
                _O, _E, _P,
            ),
            DemoInstruction(
                "Go straight through the bedroom, then out of it and into the living room.",
                _P, _G, _E,
            ),
        ),
    ),
    DemoPath(
        3,
        ("Cooking bench", "Kitchen", "Dining room", "Dining passage", "Dining corner",
         "Dining window"),
        (
            DemoInstruction(
                "Turn away from the cooking bench. Keep the dining table on your right and walk"
                " round it. Stop at the window behind it.",
                _E, _P, _W,
            ),
            DemoInstruction(
                "Leave the kitchen and go round the dining table to the window.", _G, _P, _E
            ),
        ),
    ),
    DemoPath(
        4,
        ("Gym window", "Gym", "Opening to the gym", "Bedroom", "Opening to the bedroom",
         "Beside the sofa", "Behind the sofa, west"),
        (
            DemoInstruction(
                "Walk through the gym. Turn left into the bedroom, then right through the wide"
                " opening. Follow the side of the sofa and stop behind it.",
                _L, _L, _G,
            ),
        ),
    ),
    DemoPath(
        5,
        ("Reading chairs", "Reading corner", "North window"),
        (
            DemoInstruction(
                "Pass between the chairs and the living room, then turn left to the window.",
                _W, _W, _P,
            ),
        ),
    ),
)  # fmt: skip
"""Behaviours: in the open form, in NavGPT's, in MapGPT's."""


def house_graph() -> NavigationGraph:
    """The graph, with ids ``node_1``… and ``edge_1``… in the order above."""
    nodes = [Node(f"node_{i}", name, (x, y, 0.0)) for i, (name, x, y) in enumerate(PLACES, 1)]
    ids = {node.name: node.node_id for node in nodes}
    edges = [
        Edge(f"edge_{i}", ids[start], ids[end], EdgeKind.WALK)
        for i, (start, end) in enumerate(WAYS, 1)
    ]
    return build_graph(nodes, edges)


def make(scene: Path, folder: Path, size: str = "320x320") -> Path:
    """Write project, panoramas and runs.

    Args:
        scene: ``small_house.glb``.
        folder: Made if missing; files of the same names are replaced.
        size: Of each of the four views at a node; empty for no pictures.

    Returns:
        The project file.

    Raises:
        WaypostError: If a file cannot be read or written; nothing is made for what is no scene.
    """
    format_of_file(scene)
    folder.mkdir(parents=True, exist_ok=True)
    graph, runs = house_graph(), folder / "runs"
    sources = write_demo_runs(runs, SCAN, graph, PATHS, runs.name)
    if size:
        pictures = Path(runs.name, PICTURES)
        sources = tuple(dataclasses.replace(source, pictures=pictures) for source in sources)
    project = Project(
        name="Small house",
        scene_path=relative_path(folder.resolve(), scene.resolve()),
        graph=graph,
        agents=shipped_agents(),
        replay=ReplayBook(MappingProxyType({source.name: source for source in sources})),
    )
    path = folder / f"{SCAN}.waypost"
    ProjectStore.create(path, project, AUTHOR, overwrite=True).close()
    if size:
        options = ("--views", "four", "--size", size, "--format", "jpg", "--force")
        command = ["panoramas", "--project", str(path), "--out", str(runs / PICTURES), *options]
        if waypost(command):
            raise InputError(f"{path}: made without pictures, which could not be rendered")
    return path


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scene", type=Path, help="small_house.glb")
    parser.add_argument("folder", type=Path, help="where to write")
    parser.add_argument("--size", default="320x320", help="of the views; default 320x320")
    options = parser.parse_args()
    try:
        path = make(options.scene, options.folder, options.size)
    except WaypostError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"made {path}; to look at it: waypost {path}, then Ctrl+5")
    return 0


if __name__ == "__main__":
    sys.exit(main())
