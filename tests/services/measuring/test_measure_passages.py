"""Passages of small rooms measured with every opinion, here and in processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from simulators.rooms import agent, box, door, floor, scene
from worlds.measuring_rooms import switchbacks

from waypost.domain.base.errors import Cancelled, InputError
from waypost.domain.base.progress import Progress
from waypost.domain.scene.graph import (
    Edge,
    EdgeKind,
    NavigationGraph,
    Node,
    build_graph,
    move_nodes,
)
from waypost.domain.scene.scene import LeftOutObject, Mesh, Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.measure import PassageMeasure, measure_holds, what_changed_since
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    Reason,
    Verdict,
    all_passages,
)
from waypost.services.measuring.measure_passages import measure_passages
from waypost.services.measuring.site import Site, SiteSettings
from waypost.simulators.engines import EngineChoice

pytestmark = pytest.mark.heavy

CHAIR = replace(agent(BodyShape.BOX, 0.7, 1.0, 1.2, 0.013), key="chair", opens_doors=False)
HUMAN = replace(agent(BodyShape.CYLINDER, 0.6, step=0.3), key="human", opens_doors=True)
AGENTS = {"chair": CHAIR, "human": HUMAN}
THERE, HUMAN_THERE = Passage("a", "b", "chair"), Passage("a", "b", "human")


def graph(kind: EdgeKind = EdgeKind.WALK, z_m: float = 0.0) -> NavigationGraph:
    nodes = [Node("a", "A", (0.4, 0.0, z_m)), Node("b", "B", (3.6, 0.0, z_m))]
    return build_graph(nodes, [Edge("e", "a", "b", kind)])


def measured(
    passage: Passage,
    *meshes: Mesh,
    places: NavigationGraph | None = None,
    profile: AgentProfile | None = None,
    rule: PassageRule = DEFAULT_PASSAGE_RULE,
) -> PassageMeasure:
    site = Site(scene(*meshes), places or graph(), rule)
    try:
        return site.measure(passage, profile or AGENTS[passage.agent_key])
    finally:
        site.close()


def walls(*, but_for: float) -> Mesh:
    return door(but_for)


def test_an_open_floor_travels_by_every_opinion() -> None:
    measure = measured(THERE, floor())
    assert (measure.answer, measure.straight) == (Verdict.TRAVELS, Verdict.TRAVELS)
    assert {opinion.answer for opinion in measure.opinions} == {Verdict.TRAVELS}
    provenance = measure.provenance
    assert (provenance.engine, provenance.profile_hash) == ("physx", CHAIR.profile_hash)
    assert provenance.mover_hash


def test_manoeuvres_are_swept_and_driven_as_they_were_found() -> None:
    triangles, start, end = switchbacks(2, 0.8)
    vertices = triangles.reshape(-1, 3).astype(np.float32)
    room = Mesh("room", vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3))
    places = build_graph([Node("a", "A", start), Node("b", "B", end)], [Edge("e", "a", "b")])
    measure = measured(THERE, room, places=places, rule=PassageRule(allows_furniture=True))
    said = "With manoeuvres: 2 changes between forward and backward; 1."
    assert (measure.answer, measure.words[: len(said)]) == (Verdict.TRAVELS, said)
    opinions = {opinion.by: opinion.answer for opinion in measure.opinions}
    assert {opinions[by] for by in ("geometry", "sweep", "physx_path")} == {Verdict.TRAVELS}


def test_a_door_four_centimetres_too_narrow_does_not_and_names_the_wall() -> None:
    measure = measured(THERE, floor(), walls(but_for=0.66))
    assert measure.straight is Verdict.DOES_NOT
    assert measure.answer is Verdict.DOES_NOT
    assert measure.reason is not None
    assert "wall" in measure.contacts
    assert measure.margin_m == pytest.approx(-0.04, abs=0.01)


def test_nodes_above_the_floor_are_measured_on_it() -> None:
    assert measured(THERE, floor(), places=graph(z_m=1.0)).answer is Verdict.TRAVELS


@pytest.mark.parametrize("kind", [EdgeKind.WALK, EdgeKind.ELEVATOR])
def test_a_measure_says_nothing_once_a_node_moved_or_the_rule_changed(kind: EdgeKind) -> None:
    # Measured on the floor 1 m below the nodes, where the project does not have them.
    places, rule = graph(kind, z_m=1.0), PassageRule(allows_furniture=True)
    settings = SiteSettings(uses_sweep=False, uses_engine=False)
    measure = Site(scene(floor()), places, rule, settings).measure(THERE, CHAIR)
    now = Circumstances(places, AGENTS, passage_rule=rule)
    assert measure_holds(measure, now)
    moved = move_nodes(places, {"b": (3.6, 0.3, 1.0)})
    assert list(what_changed_since(measure, replace(now, graph=moved))) == [
        "“B” was moved by 0.30 m"
    ]
    assert not measure_holds(measure, replace(now, passage_rule=DEFAULT_PASSAGE_RULE))
    is_walk = kind is EdgeKind.WALK
    other = graph(EdgeKind.ELEVATOR if is_walk else EdgeKind.WALK, z_m=1.0)
    assert list(what_changed_since(measure, replace(now, graph=other))) == [
        f"the edge {'is' if is_walk else 'was'} an elevator"
    ]
    assert measure_holds(measure, replace(now, graph=graph(EdgeKind.DOOR, z_m=1.0))) is is_walk


def test_a_closed_door_is_decided_by_who_opens_it() -> None:
    leaf = box("Door_01", (2.02, -0.5, 0.0), (2.08, 0.5, 2.0))
    room = (floor(), walls(but_for=1.0), leaf)
    closed = measured(THERE, *room)
    assert (closed.answer, closed.reason) == (Verdict.DOES_NOT, Reason.DOOR)
    assert "It opens no doors: Door_01." in closed.words
    opened = measured(HUMAN_THERE, *room)
    assert opened.answer is Verdict.TRAVELS
    assert "Door_01 out of the way, which it opens" in opened.words


def test_elevators_are_decided_by_abilities_and_room_to_stand() -> None:
    places = graph(EdgeKind.ELEVATOR)
    rides = replace(HUMAN, operates_elevators=True)
    walks = replace(HUMAN, operates_elevators=False)
    refused = measured(HUMAN_THERE, floor(), places=places, profile=walks)
    assert (refused.answer, refused.reason) == (Verdict.DOES_NOT, Reason.ELEVATOR)
    assert measured(HUMAN_THERE, floor(), places=places, profile=rides).answer is Verdict.TRAVELS
    pillar = box("pillar", (3.5, -0.1, 0.0), (3.7, 0.1, 3.0))
    cramped = measured(HUMAN_THERE, floor(), pillar, places=places, profile=rides)
    assert cramped.answer is Verdict.UNCERTAIN


def test_furniture_is_no_floor_unless_the_project_says_so() -> None:
    bed = box("Bed_01", (1.5, -2.0, 0.0), (2.5, 2.0, 0.28))
    measure = measured(HUMAN_THERE, floor(), bed)
    assert measure.straight is Verdict.UNCERTAIN
    assert "Bed_01" in measure.contacts
    allowed = measured(HUMAN_THERE, floor(), bed, rule=PassageRule(allows_furniture=True))
    assert allowed.straight is Verdict.TRAVELS


def test_without_an_engine_and_a_sweep_geometry_answers_and_both_are_said_to_be_absent() -> None:
    site = Site(
        scene(floor()), graph(), DEFAULT_PASSAGE_RULE,
        SiteSettings(uses_sweep=False, engine=EngineChoice(python="/nowhere/python")),
    )  # fmt: skip
    measure = site.measure(THERE, CHAIR)
    assert measure.answer is Verdict.TRAVELS
    assert [absent.by for absent in measure.absent_opinions] == ["sweep", "physx"]
    assert "/nowhere/python" in measure.absent_opinions[1].why


GEOMETRY_ONLY = SiteSettings(uses_sweep=False, uses_engine=False)


def test_with_open_doors_nothing_is_kept_of_bodies_of_other_heights_and_of_other_edges() -> None:
    leaf = box("Door_01", (2.02, -0.5, 0.0), (2.08, 0.5, 2.0))
    nodes = [*graph().nodes.values(), Node("c", "C", (0.4, -0.8, 0.0))]
    places = build_graph(nodes, [Edge("e", "a", "b"), Edge("f", "a", "c")])
    site = Site(
        scene(floor(), walls(but_for=1.0), leaf), places, DEFAULT_PASSAGE_RULE, GEOMETRY_ONLY
    )

    def kept_after(passage: Passage) -> tuple[int, int]:
        """Windows of the edge with its door open, and what was found in them."""
        site.measure(passage, AGENTS[passage.agent_key])
        assert site._open is not None
        windows = list(site._open._ground.windows)
        return len(windows), sum(len(window.kept) for window in windows)

    windows, found = kept_after(HUMAN_THERE)
    assert (windows, found > 0) == (1, True)
    assert kept_after(HUMAN_THERE.reverse) == (1, found)
    assert CHAIR.height_m != HUMAN.height_m
    assert kept_after(THERE) == (1, 0)
    assert kept_after(Passage("a", "c", "chair")) == (0, 0)


def measuring(room: Scene, asked: tuple[Passage, ...], **more: object) -> Iterator[PassageMeasure]:
    return measure_passages(room, graph(), AGENTS, asked, **more)  # type: ignore[arg-type]


def test_processes_answer_as_one_does_and_tell_how_far_they_are() -> None:
    asked = all_passages(graph(), AGENTS)
    assert len(asked) == 4
    room = scene(floor(), walls(but_for=0.66))
    told: list[Progress] = []
    here = list(measuring(room, asked, workers=0, settings=GEOMETRY_ONLY))
    there = list(measuring(room, asked, workers=2, settings=GEOMETRY_ONLY, progress=told.append))
    assert sorted(there, key=lambda m: m.passage) == sorted(here, key=lambda m: m.passage)
    assert [p.done for p in told] == [0, 1, 2, 3, 4]


def test_a_measure_hangs_on_nothing_that_was_asked_before_it() -> None:
    # A gap past the middle that each body may take from either end, and a low step beside it.
    room = scene(
        floor(), door(0.9), box("ledge", (1.2, -1.0, 0.0), (1.4, 0.2, 0.25)),
        box("post", (2.7, -0.2, 0.0), (2.9, 0.0, 2.0)),
    )  # fmt: skip
    asked = all_passages(graph(), AGENTS)
    in_order = {m.passage: m for m in measuring(room, asked, workers=0)}
    assert {m.passage: m for m in measuring(room, asked[::-1], workers=2)} == in_order
    for passage in asked[-2:]:
        assert list(measuring(room, (passage,), workers=0)) == [in_order[passage]]


def test_cancelling_ends_the_processes() -> None:
    asked = all_passages(graph(), AGENTS)
    with pytest.raises(Cancelled):
        list(measuring(scene(floor()), asked, workers=1, cancelled=lambda: True))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Passage("a", "c", "chair"), "node 'c' is not in the graph"),
        (Passage("a", "b", "cat"), "agent 'cat' is not among the agents"),
    ],
)
def test_unknown_names_are_refused_before_anything_is_measured(
    asked: Passage, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        next(measuring(scene(floor()), (asked,)))


def test_a_scene_with_gaps_is_refused_unless_that_is_allowed() -> None:
    room = replace(scene(floor()), left_out=(LeftOutObject("wall", "is damaged"),))
    with pytest.raises(InputError, match=r"room\.glb"):
        next(measuring(room, (THERE,), workers=0))
    settings = replace(GEOMETRY_ONLY, allows_gaps=True)
    assert len(list(measuring(room, (THERE,), workers=0, settings=settings))) == 1


_LONG = """
from services.measuring.test_measure_passages import AGENTS, THERE, graph, measure_passages
from simulators.rooms import floor, scene
if __name__ == "__main__":
    asked = [THERE, *[THERE, THERE.reverse] * 500]
    for _ in measure_passages(scene(floor()), graph(), AGENTS, asked, workers=1):
        print("measured", flush=True)
"""


def test_nothing_is_left_behind_by_a_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(_LONG)
    root = Path(__file__).resolve().parents[3]
    process = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"},
    )
    asking = psutil.Process(process.pid)
    deadline = time.monotonic() + 60
    while len(asking.children(recursive=True)) < 3:
        # the resource tracker, the process that measures, and its engine
        assert time.monotonic() < deadline
        time.sleep(0.05)
    children = asking.children(recursive=True)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []
