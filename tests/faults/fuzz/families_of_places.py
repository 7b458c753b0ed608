"""Graphs, labels, questions, maps, agents, taxonomies and key scripts."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import numpy as np
from faults.fuzz.family import Family, Sample, samples_of
from faults.fuzz.invariants import check_graph, check_map, check_viewpoints, require
from fixtures.replay_files import write_run
from PIL import Image
from worlds import capnav_worlds

from waypost.domain.base.frames import CAPNAV
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage
from waypost.io.agent_files import agent_text, read_agent, shipped_agents
from waypost.io.datasets.capnav_tasks import read_capnav_tasks, tasks_to_capnav
from waypost.io.graphs.capnav_graph import graph_to_capnav
from waypost.io.graphs.connectivity_export import graph_to_connectivity
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.graphs.matterport_graphs import read_connectivity
from waypost.io.key_scripts import read_key_script
from waypost.io.labels.capnav_traverse import labels_to_capnav, read_capnav_traverse
from waypost.io.labels.labels_csv import labels_csv_text, read_labels_csv
from waypost.io.occupancy_maps import read_occupancy_map
from waypost.io.read_log import ReadLog
from waypost.io.taxonomy_files import format_taxonomy, read_taxonomy, shipped_taxonomies
from waypost.services.engine.scripted_take import SCRIPT_KEYS


def _world(folder: Path) -> Path:
    capnav_worlds.write_world(folder)
    return folder


def _graph_samples(folder: Path) -> list[Sample]:
    _world(folder / "capnav")
    (folder / "r2r").mkdir()
    connectivity = write_run(folder / "r2r", {}).connectivity
    return [
        samples_of(folder / "capnav" / "graphs", "flat-graph.json"),
        samples_of(connectivity, "line_connectivity.json"),
    ]


def _read_graph(path: Path, rng: random.Random) -> None:
    if path.name.endswith("_connectivity.json"):
        check_viewpoints(read_connectivity(path, ReadLog()))
    file = read_graph_file(path)
    graph = file.build(file.frame or CAPNAV)
    check_graph(graph)
    graph_to_capnav(graph)
    graph_to_connectivity(graph)


def _label_samples(folder: Path) -> list[Sample]:
    _world(folder / "capnav")
    judged = capnav_worlds.judged()
    table = labels_csv_text(judged.labels, judged.graph, ("sweeper", "wheelchair")).encode()
    return [
        samples_of(folder / "capnav" / "traverse", "flat-traverse.json"),
        samples_of(folder / "capnav" / "graphs", "flat-QA.json"),
        Sample("labels.csv", {"labels.csv": table}),
    ]


def _read_labels(path: Path, rng: random.Random) -> None:
    graph = capnav_worlds.graph()
    if path.suffix == ".csv":
        found = read_labels_csv(path)
    elif path.name.endswith("-QA.json"):
        tasks_to_capnav(read_capnav_tasks(path).tasks)
        return
    else:
        found = read_capnav_traverse(path, graph).labels
        labels_to_capnav(found, graph)
    for passage, label in found.items():
        require(isinstance(passage, Passage) and label.passage == passage, "passage")


def _agent_samples(folder: Path) -> list[Sample]:
    return [
        Sample("agent.toml", {"agent.toml": agent_text(profile).encode()})
        for profile in shipped_agents().values()
    ]


def _read_agent(path: Path, rng: random.Random) -> None:
    profile = read_agent(path)
    require(isinstance(profile, AgentProfile), "profile")
    require(0 < profile.width_m < 100 and 0 < profile.height_m < 100, "size of an agent")
    agent_text(profile)


def _taxonomy_samples(folder: Path) -> list[Sample]:
    return [
        Sample("taxonomy.toml", {"taxonomy.toml": format_taxonomy(taxonomy).encode()})
        for taxonomy in shipped_taxonomies().values()
    ]


def _read_taxonomy(path: Path, rng: random.Random) -> None:
    format_taxonomy(read_taxonomy(path))


def _script_samples(folder: Path) -> list[Sample]:
    presses = [
        {"t_s": 0.5 * number, "key": key, "down": number % 2 == 0}
        for number, key in enumerate(("W", "W", "A", "A", "Enter"))
    ]
    return [Sample("keys.json", {"keys.json": json.dumps(presses).encode()})]


def _read_script(path: Path, rng: random.Random) -> None:
    presses = read_key_script(path, SCRIPT_KEYS)
    require(list(presses) == sorted(presses, key=lambda press: press.t_s), "order of keys")


_MAP = """\
image: map.pgm
resolution: 0.5  # metres
origin: [-1.0, -2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


def _map_samples(folder: Path) -> list[Sample]:
    samples = []
    pixels = np.array([[0, 255, 205], [255, 255, 254]], dtype=np.uint8)
    for suffix in ("pgm", "png"):
        picture = io.BytesIO()
        Image.fromarray(pixels).save(picture, "PPM" if suffix == "pgm" else "PNG")
        text = _MAP.replace("map.pgm", f"map.{suffix}").encode()
        samples.append(Sample("map.yaml", {"map.yaml": text, f"map.{suffix}": picture.getvalue()}))
    return samples


def _read_map(path: Path, rng: random.Random) -> None:
    found = read_occupancy_map(path)
    check_map(found)
    bounds = found.bounds_m
    require(bounds is None or np.isfinite(bounds).all(), "bounds of a map")


PLACES = (
    Family("graphs", "Graphs: CapNav and connectivity", _graph_samples, _read_graph, weight=2),
    Family(
        "labels", "Labels and questions: CapNav and CSV", _label_samples, _read_labels, weight=2
    ),
    Family("agents", "Agent profiles (TOML)", _agent_samples, _read_agent),
    Family("taxonomies", "Failure taxonomies (TOML)", _taxonomy_samples, _read_taxonomy),
    Family("key-scripts", "Scripts of keys (JSON)", _script_samples, _read_script),
    Family("maps", "Occupancy maps (YAML and picture)", _map_samples, _read_map),
)
"""What lies around a scene."""
