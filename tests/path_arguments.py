"""Every argument of every command that takes a path, with companions that make sense of it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import trimesh
from fixtures.picture_folders import four_views
from fixtures.recorded_takes import write_r2r, write_walk
from fixtures.replay_files import write_run
from PIL import Image

from waypost.app.main import COMMANDS, find_command, main
from waypost.domain.project import Project
from waypost.io.agent_files import agent_text, shipped_agents
from waypost.store.project_store import ProjectStore

EPISODE = {
    "episode_id": "kujiale_0001_1_2",
    "trajectory_id": "kujiale_0001_1_2",
    "scan": "kujiale_0001",
    "scene_id": "vlnverse/kujiale_0001",
    "start_position": [1.0, -1.0, 0.0],
    "start_rotation": [1.0, 0.0, 0.0, 0.0],
    "instruction": {"instruction_text": "Go ahead.", "instruction_tokens": [0]},
    "reference_path": [[1.0, -1.0, 0.0], [2.0, -1.0, 0.0]],
    "goals": {"position": [2.0, -1.0, 0.0], "radius": 3.0},
    "info": {"geodesic_distance": -1},
}
"""One of VLNVerse in the house."""


@dataclass(frozen=True, slots=True)
class PathArgument:
    """An argument that takes a path for reading."""

    words: str
    """A whole command line: ``{}`` is the path in question, other names stand for valid files."""

    takes_folder: bool = False
    """Whether a folder may be right."""

    wants_folder: bool = False
    """Whether every folder is right; then the command would do its work."""

    makes: bool = False
    """Whether what is missing may be made."""


_LENS = "--out {out}/film.mp4"
_RUN = "--annotations {annotations} --connectivity {connectivity}"
_STUDY = "study create --project {out}/new.waypost --name s"

READ = {
    "gui path": PathArgument("gui {}"),
    "gui --project": PathArgument("gui --project {}"),
    "gui --run": PathArgument("gui --run {}", takes_folder=True),
    "gui --annotations": PathArgument("gui --run {results} --annotations {}", takes_folder=True),
    "gui --connectivity": PathArgument("gui --run {results} --connectivity {}", takes_folder=True),
    "gui --pictures": PathArgument("gui --run {results} --pictures {}", takes_folder=True),
    "scene info path": PathArgument("scene info {}"),
    "scene set --project": PathArgument("scene set --project {} --up-axis Z"),
    "scene set --file": PathArgument("scene set --project {project} --file {}"),
    "drive --scene": PathArgument("drive --scene {} --agent human --from 1,-1,0 --to 2,-1,0"),
    "drive --agent": PathArgument("drive --scene {scene} --agent {} --from 1,-1,0 --to 2,-1,0"),
    "record --scene": PathArgument(
        "record --scene {} --episodes {driven} --episode kujiale_0001_1_2 --script {keys}"
        " --out {out}/takes"
    ),
    "record --episodes": PathArgument(
        "record --scene {scene} --episodes {} --episode kujiale_0001_1_2 --script {keys}"
        " --out {out}/takes"
    ),
    "record --agent": PathArgument(
        "record --scene {scene} --episodes {driven} --episode kujiale_0001_1_2 --script {keys}"
        " --out {out}/takes --agent {}"
    ),
    "record --script": PathArgument(
        "record --scene {scene} --episodes {driven} --episode kujiale_0001_1_2 --script {}"
        " --out {out}/takes"
    ),
    "record --connectivity": PathArgument(
        "record --scene {scene} --episodes {annotations} --episode 7_0 --script {keys}"
        " --out {out}/takes --connectivity {}",
        takes_folder=True,
    ),
    "record --navmesh": PathArgument(
        "record --scene {scene} --episodes {driven} --episode kujiale_0001_1_2 --script {keys}"
        " --out {out}/takes --navmesh {}",
        takes_folder=True,
    ),
    "navmesh --scene": PathArgument("navmesh --scene {}"),
    "navmesh --agent": PathArgument("navmesh --scene {scene} --agent {}"),
    "navmesh --navmesh": PathArgument("navmesh --navmesh {}"),
    "study create --project": PathArgument(
        "study create --project {} --name s --episodes {study_episodes} --consent {consent}",
        makes=True,
    ),
    "study create --episodes": PathArgument(f"{_STUDY} --episodes {{}} --consent {{consent}}"),
    "study create --consent": PathArgument(
        f"{_STUDY} --episodes {{study_episodes}} --consent {{}}"
    ),
    "study create --connectivity": PathArgument(
        f"{_STUDY} --episodes {{study_episodes}} --consent {{consent}} --connectivity {{}}",
        takes_folder=True,
    ),
    "study create --navmesh": PathArgument(
        f"{_STUDY} --episodes {{study_episodes}} --consent {{consent}} --navmesh {{}}",
        takes_folder=True,
    ),
    "study create --scenes": PathArgument(
        f"{_STUDY} --episodes {{study_episodes}} --consent {{consent}} --scenes {{}}",
        takes_folder=True,
    ),
    "study add-participant --project": PathArgument("study add-participant --project {}"),
    "study consent --project": PathArgument("study consent --project {} --text {consent}"),
    "study consent --text": PathArgument("study consent --project {study} --text {}"),
    "study assign --project": PathArgument("study assign --project {}"),
    "study progress --project": PathArgument("study progress --project {}"),
    "study requeue --project": PathArgument(
        "study requeue --project {} --participant P --episode 1_0 --reason x"
    ),
    "study adopt --project": PathArgument("study adopt --project {}"),
    "study adopt --folder": PathArgument(
        "study adopt --project {study} --folder {}", takes_folder=True
    ),
    "study adopt --connectivity": PathArgument(
        "study adopt --project {study} --connectivity {}", takes_folder=True
    ),
    "study rules --project": PathArgument("study rules --project {}"),
    "study report --project": PathArgument("study report --project {} --out {out}/report"),
    "study export --project": PathArgument("study export --project {} --out {out}/export"),
    "study export --connectivity": PathArgument(
        "study export --project {study} --out {out}/export --connectivity {}", takes_folder=True
    ),
    "tour --project": PathArgument(f"tour --project {{}} --nodes n0,n1 {_LENS}"),
    "tour --scene": PathArgument(f"tour --scene {{}} --graph {{graph}} --nodes n0,n1 {_LENS}"),
    "tour --graph": PathArgument(f"tour --scene {{scene}} --graph {{}} --nodes n0,n1 {_LENS}"),
    "tour --recording": PathArgument(f"tour --scene {{scene}} --recording {{}} {_LENS}"),
    "panoramas --project": PathArgument("panoramas --project {} --out {out}/pictures"),
    "panoramas --scene": PathArgument("panoramas --scene {} --graph {graph} --out {out}/pictures"),
    "panoramas --graph": PathArgument("panoramas --scene {scene} --graph {} --out {out}/pictures"),
    "graph check target": PathArgument("graph check {}"),
    "graph check --scene": PathArgument("graph check {graph} --scene {}"),
    "graph import file": PathArgument("graph import {} --project {project}"),
    "graph import --project": PathArgument("graph import {graph} --project {}"),
    "graph import --scene": PathArgument("graph import {graph} --project {project} --scene {}"),
    "graph export --project": PathArgument("graph export --project {} --out {out}/graph.json"),
    "graph propose --project": PathArgument("graph propose --project {}"),
    "graph propose --scene": PathArgument("graph propose --scene {}"),
    "conformance --scene": PathArgument("conformance --scene {} --graph {graph}"),
    "conformance --graph": PathArgument("conformance --scene {scene} --graph {}"),
    "prelabel --project": PathArgument("prelabel --project {}"),
    "prelabel --scene": PathArgument("prelabel --scene {} --graph {graph}"),
    "prelabel --graph": PathArgument("prelabel --scene {scene} --graph {}"),
    "questions import file": PathArgument("questions import {} --project {project}"),
    "questions import --project": PathArgument("questions import {annotations} --project {}"),
    "questions list --project": PathArgument("questions list --project {}"),
    "questions mark --project": PathArgument("questions mark 1 --project {} --hallucinated"),
    "questions export --project": PathArgument("questions export --project {} --out {out}/qa.json"),
    "questions prompts --project": PathArgument(
        "questions prompts --project {} --out {out}/prompts"
    ),
    "labels import file": PathArgument("labels import {} --project {project}"),
    "labels import --project": PathArgument("labels import {labels} --project {}"),
    "labels export --project": PathArgument("labels export --project {} --out {out}/labels.json"),
    **{
        f"team {words.split()[0]} --project": PathArgument(f"team {words} --project {{}}")
        for words in (
            "set",
            "progress",
            "disagreements",
            "agreement",
            "decide a b cart --accept ana",
            "export --out {out}/t.csv",
            "publish --to postgresql://lea@nowhere/p",
            "secure --logins {out}/l.csv",
        )
    },
    "evaluate --annotations": PathArgument(
        "evaluate --profile r2r --annotations {} --results {results} --connectivity {connectivity}"
        " --per-episode {out}/scores.parquet",
        takes_folder=True,
    ),
    "evaluate --results": PathArgument(
        f"evaluate --profile r2r {_RUN} --results {{}} --per-episode {{out}}/scores.parquet",
        takes_folder=True,
    ),
    "evaluate --connectivity": PathArgument(
        "evaluate --profile r2r --annotations {annotations} --results {results} --connectivity {}"
        " --per-episode {out}/scores.parquet",
        takes_folder=True,
    ),
    "evaluate --navmesh": PathArgument(
        f"evaluate --profile r2r {_RUN} --results {{results}} --navmesh {{}}", takes_folder=True
    ),
    "instructions stats file": PathArgument("instructions stats {}", takes_folder=True),
    "score create file": PathArgument(
        "score create {} --project {project} --batch b --raters a,b", takes_folder=True
    ),
    "score create --project": PathArgument(
        "score create {annotations} --project {} --batch b --raters a,b"
    ),
    "score create --rubric-file": PathArgument(
        "score create {annotations} --project {project} --batch b --raters a,b --rubric-file {}"
    ),
    "score create --connectivity": PathArgument(
        "score create {annotations} --project {project} --batch b --raters a,b --connectivity {}",
        takes_folder=True,
    ),
    "score import file": PathArgument("score import {} --project {project}"),
    "score import --project": PathArgument("score import {scores} --project {}"),
    "score export --project": PathArgument("score export --project {} --batch b --out {out}/s.csv"),
    "score results --project": PathArgument("score results --project {} --batch b"),
    "score rubric --project": PathArgument(
        "score rubric --project {} --rubric vlnverse-fine --out {out}/r.toml"
    ),
    "score rubric --rubric-file": PathArgument("score rubric --project {project} --rubric-file {}"),
    "agreement --scores": PathArgument("agreement --scores {}"),
    "validate --annotations": PathArgument("validate --annotations {}", takes_folder=True),
    "validate --results": PathArgument("validate --results {}", takes_folder=True),
    "validate --connectivity": PathArgument(
        "validate --annotations {annotations} --results {results} --connectivity {}",
        takes_folder=True,
    ),
    "convert file": PathArgument("convert {} --to waypost --out {out}/c.json", takes_folder=True),
    "convert --annotations": PathArgument(
        "convert {results} --to waypost --out {out}/c.json --annotations {}", takes_folder=True
    ),
    "convert --connectivity": PathArgument(
        "convert {results} --to waypost --out {out}/c.json --annotations {annotations}"
        " --connectivity {}",
        takes_folder=True,
    ),
    "runs folder": PathArgument("runs {}", takes_folder=True),
    "replay results": PathArgument(f"replay {{}} {_RUN} --episode 7_0", takes_folder=True),
    "replay --annotations": PathArgument(
        "replay {results} --annotations {} --episode 7_0", takes_folder=True
    ),
    "replay --connectivity": PathArgument(
        "replay {results} --annotations {annotations} --connectivity {} --episode 7_0",
        takes_folder=True,
    ),
    "replay --pictures": PathArgument(
        f"replay {{results}} {_RUN} --episode 7_0 --png {{out}}/p.png --pictures {{}}",
        takes_folder=True,
    ),
    "replay --map": PathArgument(
        f"replay {{results}} {_RUN} --episode 7_0 --png {{out}}/p.png --map {{}}"
    ),
    "replay --navmesh": PathArgument(
        f"replay {{results}} {_RUN} --episode 7_0 --navmesh {{}}", takes_folder=True
    ),
    "report --navmesh": PathArgument(
        f"report {{results}} {_RUN} --out {{out}}/report --navmesh {{}}", takes_folder=True
    ),
    "report results": PathArgument(f"report {{}} {_RUN} --out {{out}}/report", takes_folder=True),
    "report --annotations": PathArgument(
        "report {results} --annotations {} --out {out}/report", takes_folder=True
    ),
    "report --connectivity": PathArgument(
        "report {results} --annotations {annotations} --connectivity {} --out {out}/report",
        takes_folder=True,
    ),
    "report --pictures": PathArgument(
        f"report {{results}} {_RUN} --out {{out}}/report --pictures {{}}", takes_folder=True
    ),
    "report --project": PathArgument(
        f"report {{results}} {_RUN} --out {{out}}/report --project {{}}"
    ),
}
"""By command and argument."""

_OF_SCENES = {
    "scene info": "scene info {scene}",
    "scene set": "scene set --project {project} --up-axis Z",
    "drive": "drive --scene {scene} --agent human --from 1,-1,0 --to 2,-1,0",
    "record": "record --scene {scene} --episodes {driven} --episode kujiale_0001_1_2"
    " --script {keys} --out {out}/takes",
    "navmesh": "navmesh --scene {scene}",
    "graph propose": "graph propose --scene {scene}",
    "prelabel": "prelabel --scene {scene} --graph {graph}",
    "conformance": "conformance --scene {scene} --graph {graph}",
    "questions list": "questions list --project {project}",
    "tour": f"tour --scene {{scene}} --graph {{graph}} --nodes n0,n1 {_LENS}",
    "panoramas": "panoramas --scene {scene} --graph {graph} --out {out}/pictures",
    "graph check": "graph check {graph} --scene {scene}",
    "graph import": "graph import {graph} --project {project}",
    "labels export": "labels export --project {project} --out {out}/labels.json",
    "report": f"report {{results}} {_RUN} --out {{out}}/report --project {{project}}",
}
READ |= {
    f"{command} --asset-folder": PathArgument(f"{words} --asset-folder {{}}", wants_folder=True)
    for command, words in _OF_SCENES.items()
}

WRITTEN = {
    "record --out": _OF_SCENES["record"].replace("{out}/takes", "{}"),
    "navmesh --out": "navmesh --scene {scene} --out {}",
    "study export --out": "study export --project {study} --out {}",
    "study report --out": "study report --project {study} --out {}",
    "tour --out": "tour --scene {scene} --graph {graph} --nodes n0,n1 --out {}",
    "panoramas --out": "panoramas --scene {scene} --graph {graph} --out {}",
    "sample folder": "sample {}",
    "graph export --out": "graph export --project {project} --out {}",
    "labels export --out": "labels export --project {project} --out {}",
    "team export --out": "team export --project {project} --out {}",
    "team secure --logins": "team secure --project {project} --logins {}",
    "evaluate --per-episode": "evaluate --results {results} --per-episode {}",
    "evaluate --scratch": "evaluate --results {results} --scratch {}",
    "convert --out": "convert {results} --to waypost --out {}",
    "replay --png": "replay {results} --episode 7_0 --png {}",
    "replay --gif": "replay {results} --episode 7_0 --gif {}",
    "replay --mp4": "replay {results} --episode 7_0 --mp4 {}",
    "report --out": "report {results} --out {}",
    "report --table": "report {results} --out {out} --table {}",
    "demo --out": "demo --out {}",
    "score export --out": "score export --project {project} --batch b --out {}",
    "score rubric --out": "score rubric --project {project} --rubric vlnverse-fine --out {}",
    "questions export --out": "questions export --project {project} --out {}",
    "questions prompts --out": "questions prompts --project {project} --out {}",
}
"""Arguments that name what is written, with command lines like those of ``READ``."""

NOT_OPENED = frozenset({"--python"})
"""A program to run, in every command."""

NO_PATHS = frozenset({
    "--metres-per-unit",
    "--up-axis", "--from", "--to", "--episode", "--format", "--participant", "--author", "--name",
    "--split", "--training", "--agent", "--code", "--reason", "--submission", "--frame", "--nodes",
    "--fov-axis", "--size", "--background", "--views", "--look-at", "--equirectangular-size",
    "--form", "--scan", "--on-conflict", "--labelled-by", "--humanoid", "--profile",
    "--annotation-format", "--result-format", "--goal-distance", "--executor", "--kind", "--scene",
    "--agents", "--edges", "--place", "profile", "--analyst", "--feedback", "--show", "--ask",
    "--abandoned", "--engine",
    "--people", "--share", "--verdict", "--accept", "--return", "--comment", "from_id", "to_id",
    "agent",
    "--batch", "--rubric", "--raters", "--overlap-share", "--seed", "--source",
})  # fmt: skip
"""Words that are no path in any command, unless ``READ`` has them."""


def arguments() -> Iterator[tuple[str, argparse.Action]]:
    """Every argument of every command that takes a value, with its command."""
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        find_command(command).add_arguments(parser)
        yield from _arguments(command, parser)


def _arguments(
    command: str, parser: argparse.ArgumentParser
) -> Iterator[tuple[str, argparse.Action]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from _arguments(f"{command} {name}", inner)
        elif action.nargs != 0:
            name = action.option_strings[-1] if action.option_strings else action.dest
            yield f"{command} {name}", action


def write_world(folder: Path) -> dict[str, str]:
    """A valid file of every kind that a command reads, by the names that command lines use."""
    files = write_run(folder, {"7_0": "ABABC"})
    house = trimesh.creation.box(bounds=[[0.0, 0.0, 0.0], [6.0, 3.0, 8.0]])
    floor = trimesh.creation.box(bounds=[[0.0, -0.1, 0.0], [6.0, 0.0, 8.0]])
    trimesh.Scene([house, floor]).export(folder / "house.glb")
    project = Project("house", scene_path="house.glb", agents=shipped_agents())
    ProjectStore.create(folder / "house.waypost", project, "test").close()
    nodes = [
        {"id": f"n{i}", "name": f"n{i}", "position": {"x": 1.0 + i, "y": 1.2, "z": 1.0}}
        for i in range(2)
    ]
    edges = [{"id": "e0", "from": "n0", "to": "n1"}]
    (folder / "graph.json").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    (folder / "driven.json").write_text(json.dumps([EPISODE]))
    (folder / "keys.json").write_text(json.dumps([{"t_s": 0.5, "key": "W", "down": True}]))
    (folder / "consent.txt").write_text("I agree.")
    (folder / "scores.csv").write_text("batch,item,rater,criterion,score,rubric_version\n")
    (folder / "labels.csv").write_text("from_id,to_id,agent,verdict\n")
    (folder / "agent.toml").write_text(agent_text(shipped_agents()["human"]))
    write_walk(folder / "walk.csv", [(1.0, -1.0), (2.0, -1.0)], participant="P")
    four_views(folder / "pictures", "line/A/{}.png")
    Image.fromarray(np.full((4, 4), 255, np.uint8)).save(folder / "map.png")
    (folder / "map.yaml").write_text("image: map.png\nresolution: 0.5\norigin: [0, 0, 0]\n")
    (folder / "study").mkdir()
    episodes = write_r2r(folder / "study", ["scanA"])
    words = f"study create --project {folder}/study/s.waypost --name s --episodes {episodes}"
    assert main([*words.split(), "--consent", str(folder / "consent.txt")]) == 0
    return {
        "annotations": str(files.annotations),
        "connectivity": str(files.connectivity),
        "results": str(files.results),
        "scene": str(folder / "house.glb"),
        "project": str(folder / "house.waypost"),
        "graph": str(folder / "graph.json"),
        "driven": str(folder / "driven.json"),
        "keys": str(folder / "keys.json"),
        "consent": str(folder / "consent.txt"),
        "labels": str(folder / "labels.csv"),
        "scores": str(folder / "scores.csv"),
        "study": str(folder / "study" / "s.waypost"),
        "study_episodes": str(episodes),
    }
