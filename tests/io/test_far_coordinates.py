"""A coordinate that no place has is refused by every reader, in one sentence, without a warning."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds.vln_worlds import connectivity_entries

from waypost.app.main import main
from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.frames import CAPNAV, FARTHEST_M, TOO_FAR
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.io.graphs.capnav_graph import graph_from_capnav, read_capnav_graph
from waypost.io.graphs.matterport_graphs import read_connectivity
from waypost.io.json_reading import JsonValue
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import ReadLog

FAR = [1e9, -1e300, 1.7976931348623157e308, 10**30]
PLACE = [1.0, FAR[1], 0.0]


def states(point: Any) -> Any:
    return {"7": [{"position": point, "heading": 0.0, "stop": True}]}


RUNS: dict[str, Callable[[Any], Any]] = {
    "vlnce-r2r": states,
    "waypost": lambda p: {"waypost_run": 1, "episode_id": "7", "positions": [[0, 0, 0], p]},
    "option": lambda p: {
        "waypost_run": 1,
        "episode_id": "7",
        "positions": [[0, 0, 0]],
        "decisions": [{"first_pose": 0, "end_pose": 1, "options": [{"label": "A", "position": p}]}],
    },
    "plan-feedback": lambda p: [
        {"episode_id": "7", "steps": [{"position": p, "plan": ["go"]}, {"action": "forward"}]}
    ],
    "vlnverse-submission": lambda p: [
        {"episode_id": "7", "reference_path": [[0, 0, 0], p], "start_position": [0, 0, 0],
         "start_rotation": [1, 0, 0, 0], "scan": "s", "goals": {"position": [0, 0, 0]}}
    ],
}  # fmt: skip


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("form", RUNS)
def test_runs(form: str, far: float, tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(RUNS[form]([1.0, far, 0.0])))
    log = ReadLog()
    name = "waypost" if form == "option" else form
    assert list(RUN_FORMATS.read(path, log, name)) == []
    (finding,) = [one for one in log.findings if one.kind is ImportKind.UNREADABLE]
    assert finding.message.startswith(f"{path}: ")
    assert finding.message.endswith(TOO_FAR)
    path.write_text(json.dumps(RUNS[form]([1.0, FARTHEST_M, 0.0])))
    assert len(list(RUN_FORMATS.read(path, ReadLog(), name))) == 1


def test_a_csv_of_poses(tmp_path: Path) -> None:
    path = tmp_path / "7.csv"
    with path.open("w", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(["pos_x", "pos_y", "pos_z", "look_x", "look_y", "look_z", "frame"])
        writer.writerow([0, "1e300", 0, 1, 0, 0, 0])
    with pytest.raises(ReadError, match=r"line 2, pos_y: 1e300 is more than 100,000 km"):
        list(RUN_FORMATS.read(path, ReadLog(), "vlnverse-csv"))


def episode_of(start: Any, goal: Any, path: Any) -> dict[str, Any]:
    return {
        "episode_id": 1, "trajectory_id": 1, "scene_id": "mp3d/s/s.glb",
        "start_position": start, "start_rotation": [0, 0, 0, 1],
        "goals": [{"position": goal, "radius": 3.0}], "reference_path": path,
        "instruction": {"instruction_text": "Go.", "trajectory_id": 1}, "info": {},
    }  # fmt: skip


@pytest.mark.parametrize("which", range(3))
def test_episodes(which: int, tmp_path: Path) -> None:
    near = [0.0, 0.0, 0.0]
    points: list[Any] = [near, near, [near]]
    points[which] = [PLACE] if which == 2 else PLACE
    path = tmp_path / "val.json"
    path.write_text(json.dumps({"episodes": [episode_of(*points)]}))
    log = ReadLog()
    assert list(EPISODE_FORMATS.read(path, log, "vlnce-r2r")) == []
    (finding,) = [one for one in log.findings if one.kind is ImportKind.UNREADABLE]
    assert finding.message.endswith(TOO_FAR)


@pytest.mark.parametrize("part", ["pose", "height"])
def test_connectivity(part: str, tmp_path: Path) -> None:
    entries = connectivity_entries("AB", [(0, 0, 1.5), (2, 0, 1.5)], [(0, 1)])
    if part == "pose":
        entries[1]["pose"][3] = 1e300
    else:
        entries[1]["height"] = -1e300
    path = tmp_path / "line_connectivity.json"
    path.write_text(json.dumps(entries))
    with pytest.raises(ReadError) as caught:
        read_connectivity(path, ReadLog())
    assert caught.value.file == str(path)
    assert caught.value.place.startswith(f"[1].{part}")
    assert caught.value.reason.endswith(TOO_FAR)


def test_capnav_graph(tmp_path: Path) -> None:
    path = tmp_path / "s-graph.json"
    node = {"id": "node_1", "name": "hall", "position": {"x": 0, "y": 1e300, "z": 0}}
    path.write_text(json.dumps({"nodes": [node], "edges": []}))
    with pytest.raises(ReadError, match=TOO_FAR):
        graph_from_capnav(read_capnav_graph(path), CAPNAV)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=3, max_size=3))
def test_a_route_is_made_of_places_or_of_nothing(point: list[float]) -> None:
    is_place = all(abs(number) <= FARTHEST_M for number in point)
    try:
        made = route(positions_m=[point])
    except InputError:
        assert not is_place
        return
    assert is_place
    assert made.positions_m is not None
    assert np.isfinite((made.positions_m**2).sum())


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_coordinate_is_a_number_near_enough(number: float) -> None:
    value = JsonValue(number, "file.json", "place")
    if abs(number) <= FARTHEST_M:
        assert value.as_coordinate() == number
        return
    with pytest.raises(ReadError) as caught:
        value.as_coordinate()
    assert str(caught.value) == f"file.json: place: is {number:g} m, {TOO_FAR}"


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps({**states([0, 0, 0]), "8": states(PLACE)["7"]}))
    assert main(["replay", str(path), "--episode", "8"]) == 2
    captured = capsys.readouterr().err
    assert captured.count("\n") == 1
    assert TOO_FAR in captured
    assert main(["replay", str(path), "--episode", "7"]) == 0
