"""Files of every kind in which one name stands wherever a file may put one."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import tomli_w
from fixtures.replay_examples import line_graph
from fixtures.study_examples import assigned, drive_next, study_of
from worlds.scene_files import Gltf

from waypost.domain.causes.replay_book import ReplayBook, add_source
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.store.project_store import ProjectStore

HOSTILE: Final = (
    "a\x1b[2J\x1b]0;PWNED\x07\nerror: forged: line: x\r\n\x9b31m\x7f\u2028b\u202e\tc\x85d\x0b\x0c e"
)
HARMLESS: Final = "a b"


def write_world(folder: Path, name: str) -> dict[str, Path]:
    """Write the files; what each is for → its path, which holds the name as well."""
    files = {
        "scene": folder / f"{name}.gltf",
        "graph": folder / f"{name}.json",
        "agent": folder / f"{name}.toml",
        "episodes": folder / f"episodes {name}.json",
        "keys": folder / f"keys {name}.json",
        "annotations": folder / f"R2R_{name}.json",
        "results": folder / f"run {name}.json",
        "connectivity": folder / f"graphs {name}",
        "project": folder / f"{name}.waypost",
        "labels": folder / f"{name}.csv",
        "notes": folder / f"notes {name}.txt",
        "missing": folder / f"missing {name}",
    }
    _write_scene(files["scene"], name)
    _write_graph(files["graph"], name)
    _write_agent(files["agent"], name)
    _write_run(files, name)
    _write_project(files["project"], name)
    files["episodes"].write_text(json.dumps([_episode(name)]), encoding="utf-8")
    files["keys"].write_text(json.dumps([{"t_s": 0.0, "key": "W", "down": True}]))
    files["notes"].write_text(name, encoding="utf-8", newline="")
    heads = "agent,from_id,to_id,verdict,reason,note,author,time_utc"
    quoted = '"' + name + '"'
    row = f"{quoted},{quoted},{quoted},does_not,step_or_sill,{quoted},{quoted},"
    files["labels"].write_text(f"{heads}\n{row}\n", encoding="utf-8", newline="")
    return files


def _write_scene(path: Path, name: str) -> None:
    made = Gltf()
    floor = made.mesh([(-9, 0, -9), (9, 0, -9), (9, 0, 9), (-9, 0, 9)], [(0, 2, 1), (0, 3, 2)])
    wall = made.mesh(
        [(2, 0, -2), (2, 3, -2), (2, 3, 2), (2, 0, 2)], [(0, 1, 2), (0, 2, 3), (0, 2, 1), (0, 3, 2)]
    )
    made.header["images"] = [{"uri": f"{name.replace('/', '')}.png"}]
    made.header["textures"] = [{"source": 0}]
    made.header["materials"] = [
        {"name": name, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    ]
    made.header["extensionsUsed"] = [name]
    for mesh in made.header["meshes"]:
        mesh["name"] = name
        for part in mesh["primitives"]:
            part["material"] = 0
            part["attributes"][name] = 0
    points = {"attributes": {"POSITION": 0}, "mode": 0}
    made.header["meshes"][0]["primitives"].append(points)
    roots = [made.node(mesh=mesh, name=name) for mesh in (floor, wall)]
    made.scene(*roots)
    made.write_gltf(path)


def _write_graph(path: Path, name: str) -> None:
    nodes = [
        {"id": f"{name}{i}", "name": name, "position": {"x": i, "y": 0, "z": 0}} for i in range(3)
    ]
    edges = [{"id": name, "from": f"{name}0", "to": f"{name}1"}]
    path.write_text(json.dumps({"nodes": nodes, "edges": edges}), encoding="utf-8")


def _write_agent(path: Path, name: str) -> None:
    table = {
        "schema_version": 1, "key": "cart", "name": name, "shape": "box", "width_m": 0.5,
        "depth_m": 0.5, "height_m": 1.0, "step_limit_m": 0.02, "climbs_stairs": False,
        "opens_doors": False, "operates_elevators": False, "drive": "differential",
        "description": name, name: 1,
    }  # fmt: skip
    path.write_text(tomli_w.dumps(table), encoding="utf-8")


def _episode(name: str) -> dict[str, Any]:
    return {
        "episode_id": name,
        "trajectory_id": name,
        "scan": name,
        "scene_id": f"vlnverse/{name}",
        "start_position": [0.5, -1.0, 1.0],
        "start_rotation": [math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4)],
        "instruction": {"instruction_text": name, "instruction_tokens": [0]},
        "reference_path": [[0.5, -1.0, 0.0], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0]],
        "goals": {"position": [0.5, 1.0, 0.0], "radius": 3.0},
        "info": {"geodesic_distance": -1},
    }


def _write_run(files: dict[str, Path], name: str) -> None:
    graph = line_graph()
    names = [f"{name}{index}" for index in range(len(graph.viewpoint_ids))]
    entries = [
        {
            "image_id": names[index],
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "included": True,
            "visible": [other in graph.neighbours[index] for other in range(6)],
            "unobstructed": [other in graph.neighbours[index] for other in range(6)],
            "height": 1.5,
        }
        for index, (x, y, z) in enumerate(graph.positions_m.tolist())
    ]
    files["connectivity"].mkdir()
    connectivity = files["connectivity"] / f"{name}_connectivity.json"
    connectivity.write_text(json.dumps(entries), encoding="utf-8")
    record = {
        "scan": name, "path_id": name, "path": names[:3], "heading": 0.0, "distance": 4.0,
        "instructions": [name, name, name],
    }  # fmt: skip
    files["annotations"].write_text(json.dumps([record]), encoding="utf-8")
    runs = [
        {"instr_id": f"{name}_0", "trajectory": [[place, 1.5, 0.0] for place in names[:3]]},
        {"instr_id": f"{name}_1", "trajectory": [[names[0], 0, 0], [names[3], 0, 0]]},
        {"instr_id": f"foreign{name}", "trajectory": [[name, 1.5, 0.0]]},
        {"instr_id": name, "trajectory": name},
    ]
    files["results"].write_text(json.dumps(runs), encoding="utf-8")


def _write_project(path: Path, name: str) -> None:
    nodes = [Node(f"{name}{i}", name, (float(i), 0.0, 0.0), name) for i in range(3)]
    graph = build_graph(nodes, [Edge(name, f"{name}0", f"{name}1")])
    profile = AgentProfile("cart", name, BodyShape.BOX, 0.5, 0.5, 1, 0.01, *[False] * 3)
    passage = Passage(f"{name}0", f"{name}1", name)
    label = TraversabilityLabel(
        passage, Verdict.DOES_NOT, Reason.STEP_OR_SILL, name, name, "", Provenance()
    )
    study = drive_next(assigned(study_of([2, 1], 2)), "P-0")
    study = replace(study, rules=replace(study.rules, name=name, episodes_path=name))  # type: ignore[type-var]
    source = RunSource(
        (Path(f"run {name}.json"),), (Path(f"R2R_{name}.json"),), Path(f"graphs {name}"), name=name
    )
    project = Project(
        name, f"{name}.gltf", graph=graph, agents={"cart": profile}, labels={passage: label},
        tasks=(Task(name, name, name),), study=study, replay=add_source(ReplayBook(), source),
    )  # fmt: skip
    ProjectStore.create(path, project, name).close()
