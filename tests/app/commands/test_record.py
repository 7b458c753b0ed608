from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import trimesh
from simulators.rooms import floor, scene

from waypost.app.main import main
from waypost.io.recordings.read_recording import read_recording

pytestmark = pytest.mark.conformance

KEYS = ["file", "rows", "duration_ns", "complete", "reason", "achieved_rate_hz", "scores"]
EPISODE = {
    "episode_id": "kujiale_0001_1_2",
    "trajectory_id": "kujiale_0001_1_2",
    "scan": "kujiale_0001",
    "scene_id": "vlnverse/kujiale_0001",
    "start_position": [0.5, -1.0, 0.0],
    "start_rotation": [math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4)],
    "instruction": {"instruction_text": "Go ahead.", "instruction_tokens": [0]},
    "reference_path": [[0.5, -1.0, 0.0], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0]],
    "goals": {"position": [0.5, 1.0, 0.0], "radius": 3.0},
    "info": {"geodesic_distance": -1},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A bare floor as GLB, one episode on it, and a script of 60 s."""
    folder = tmp_path_factory.mktemp("record")
    export = trimesh.Scene()
    for mesh in scene(floor()).meshes:
        y_up = mesh.vertices @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        export.add_geometry(
            trimesh.Trimesh(y_up, mesh.faces, process=False),
            node_name=mesh.name,
            geom_name=mesh.name,
        )
    (folder / "floor.glb").write_bytes(export.export(file_type="glb"))
    (folder / "episodes.json").write_text(json.dumps([EPISODE]))
    script = [
        {"t_s": 0.0, "key": "W", "down": True},
        {"t_s": 1.5, "key": "W", "down": False},
        {"t_s": 60.0, "key": "Enter", "down": True},
    ]
    (folder / "keys.json").write_text(json.dumps(script))
    return folder


def record(folder, out, *more, **changes):
    given = {
        "--scene": folder / "floor.glb",
        "--episodes": folder / "episodes.json",
        "--episode": "kujiale_0001_1_2",
        "--agent": "human",
        "--script": folder / "keys.json",
        "--out": out,
        **changes,
    }
    return main(["record", *(str(part) for pair in given.items() for part in pair), *more])


def test_a_minute_is_1201_rows_with_the_agreed_keys(folder, tmp_path, capsys):
    assert record(folder, tmp_path / "takes", "--json", "--participant", "P-2345") == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report)[: len(KEYS)] == KEYS
    assert report["file"] == str(tmp_path / "takes" / "P-2345_kujiale_0001_1_2_take001.csv")
    assert (report["rows"], report["duration_ns"]) == (1201, 60_000_000_000)
    assert (report["complete"], report["reason"]) == (True, "end of the script")
    assert report["achieved_rate_hz"] > 20
    recording = read_recording(Path(report["file"]))
    samples = recording.trajectory
    assert len(samples) == 1201
    assert samples.positions_m[0] == pytest.approx([0.5, -1.0, 0.0], abs=0.001)
    assert samples.yaws_rad[0] == pytest.approx(math.pi / 2, abs=1e-6)
    end_y = float(samples.positions_m[-1, 1])
    assert 0.0 < end_y < 2.0
    assert recording.header["participant"] == "P-2345"
    assert recording.header["profile"]["key"] == "human"
    (scores,) = report["scores"].values()
    assert list(report["scores"]) == ["vlnverse"]
    assert scores["NE"] == pytest.approx(abs(1.0 - end_y), abs=1e-3)
    assert scores["SR"] == 1.0
    assert scores["TL"] == pytest.approx(end_y + 1.0, abs=1e-3)
    assert scores["SR_n"] is None
    assert report["score_reasons"]["vlnverse"]["SR_n"] == "the episode has no stages"


def test_lines_for_people_and_a_second_take_beside_the_first(folder, tmp_path, capsys):
    for _ in range(2):
        assert record(folder, tmp_path, **{"--duration": 2}) == 0
    out = capsys.readouterr().out
    assert out.startswith("complete: end of the time given\n")
    assert "41 over 2.00 s of simulated time" in out
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == [
        "kujiale_0001_1_2_take001.csv",
        "kujiale_0001_1_2_take002.csv",
    ]


def test_a_start_that_does_not_fit_the_scene_is_noted(folder, tmp_path, capsys):
    episode = {**EPISODE, "start_position": [0.5, -1.0, 1.2]}
    (tmp_path / "high.json").write_text(json.dumps([episode]))
    changes = {"--episodes": tmp_path / "high.json", "--duration": 1}
    assert record(folder, tmp_path, "--json", **changes) == 0
    printed = capsys.readouterr()
    recording = read_recording(Path(json.loads(printed.out)["file"]))
    (event,) = recording.events
    assert event.kind == "note"
    assert event.detail == "the floor lies -1.20 m from the height that the episode states"
    assert f"warning: {event.detail}\n" in printed.err


def test_of_episodes_that_are_numbered_alike_the_one_in_the_scene_is_driven(
    folder, tmp_path, capsys
):
    """Two houses count their episodes from 1; the start of the other one is somewhere else."""

    def one(scan, y):
        own = {"episode_id": "1", "scan": scan, "scene_id": f"vlnverse/{scan}"}
        return {**EPISODE, **own, "start_position": [0.5, y, 0.0]}

    file = tmp_path / "both.json"
    file.write_text(json.dumps([one("attic", -1.0), one("floor", 1.0)]))
    changes = {"--episodes": file, "--episode": 1, "--duration": 1}
    assert record(folder, tmp_path, "--json", **changes) == 0
    recording = read_recording(Path(json.loads(capsys.readouterr().out)["file"]))
    assert recording.header["episode"]["scene_id"] == "floor"
    assert recording.trajectory.positions_m[0] == pytest.approx([0.5, 1.0, 0.0], abs=0.001)
    file.write_text(json.dumps([one("attic", -1.0), one("cellar", 1.0)]))
    assert record(folder, tmp_path / "none", **changes) == 2
    assert capsys.readouterr().err == (
        f"error: {file}: episodes: '1' is in several scenes (attic, cellar), none of which is"
        " floor.glb\n"
    )


def test_a_vlnce_start_is_turned_into_the_scene_frame(folder, tmp_path, capsys):
    # Habitat: y up, quaternion x, y, z, w; a quarter turn to the left from −z looks along −x.
    episode = {
        "episode_id": 7,
        "trajectory_id": 7,
        "scene_id": "mp3d/abc/abc.glb",
        "start_position": [0.5, 0.0, 1.0],
        "start_rotation": [0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4)],
        "info": {"geodesic_distance": 2.0},
        "goals": [{"position": [-1.5, 0.0, 1.0], "radius": 3.0}],
        "instruction": {"instruction_text": "Go.", "instruction_tokens": [0]},
        "reference_path": [[0.5, 0.0, 1.0], [-1.5, 0.0, 1.0]],
    }
    document = {"episodes": [episode], "instruction_vocab": {"word_list": []}}
    (tmp_path / "val.json").write_text(json.dumps(document))
    changes = {"--episodes": tmp_path / "val.json", "--episode": 7, "--duration": 2}
    assert record(folder, tmp_path, "--json", **changes) == 0
    samples = read_recording(Path(json.loads(capsys.readouterr().out)["file"])).trajectory
    assert samples.positions_m[0] == pytest.approx([0.5, -1.0, 0.0], abs=0.001)
    assert abs(samples.yaws_rad[0]) == pytest.approx(math.pi, abs=0.0017)
    assert samples.positions_m[-1, 0] < -0.5


def test_an_episode_of_viewpoints_needs_its_graph(folder, tmp_path, capsys):
    (tmp_path / "r2r.json").write_text(
        json.dumps(
            [
                {
                    "path_id": 1,
                    "scan": "abc",
                    "heading": math.pi / 2,
                    "distance": 2.0,
                    "path": ["v0", "v1"],
                    "instructions": ["Go.", "Walk.", "Move."],
                }
            ]
        )
    )
    changes = {"--episodes": tmp_path / "r2r.json", "--episode": "1_0", "--duration": 2}
    assert record(folder, tmp_path, **changes) == 2
    assert "has no start position, only the viewpoint 'v0'" in capsys.readouterr().err
    graph = [
        {
            "image_id": name,
            "pose": [1, 0, 0, x, 0, 1, 0, 0.5, 0, 0, 1, 1.6, 0, 0, 0, 1],
            "included": True,
            "visible": [True, True],
            "unobstructed": [x != 0, x == 0],
            "height": 1.6,
        }
        for name, x in (("v0", 0.0), ("v1", 2.0))
    ]
    (tmp_path / "abc_connectivity.json").write_text(json.dumps(graph))
    assert record(folder, tmp_path, "--json", **changes, **{"--connectivity": tmp_path}) == 0
    report = json.loads(capsys.readouterr().out)
    samples = read_recording(Path(report["file"])).trajectory
    assert samples.positions_m[0] == pytest.approx([0.0, 0.5, 0.0], abs=0.001)
    assert samples.yaws_rad[0] == pytest.approx(0.0, abs=0.0017)
    assert list(report["scores"]) == ["r2r"]
    # At the viewpoint that the drive ended at, 2 m of graph from the start.
    assert (report["scores"]["r2r"]["NE"], report["scores"]["r2r"]["TL"]) == (0.0, 2.0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"--episode": "nobody"}, "episodes.json: episodes: there is no episode 'nobody'"),
        ({"--agent": "elephant"}, "elephant: agent: no such agent or file"),
        ({"--script": "missing.json"}, "missing.json: file: does not exist"),
        ({"--duration": "-1"}, "--duration: -1 is not above 0"),
        ({"--scene": "missing.glb"}, "missing.glb"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(folder, tmp_path, capsys, changes, sentence):
    assert record(folder, tmp_path, **changes) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_an_empty_script_needs_a_duration(folder, tmp_path, capsys):
    (tmp_path / "none.json").write_text("[]")
    assert record(folder, tmp_path, **{"--script": tmp_path / "none.json"}) == 2
    assert "presses no key; give a --duration" in capsys.readouterr().err


def test_a_start_without_floor_is_refused_and_leaves_no_take(folder, tmp_path, capsys):
    episode = {**EPISODE, "start_position": [500.0, 0.0, 0.0]}
    (tmp_path / "far.json").write_text(json.dumps([episode]))
    assert record(folder, tmp_path, **{"--episodes": tmp_path / "far.json"}) == 2
    assert list(tmp_path.glob("*.csv")) == []


def test_an_engine_that_dies_is_exit_code_1_and_the_take_says_why(
    folder, tmp_path, capsys, monkeypatch
):
    from waypost.app.commands import record as command

    def play(client, *arguments, **options):
        client.kill()
        return command_play(client, *arguments, **options)

    command_play = command.play_keys
    monkeypatch.setattr(command, "play_keys", play)
    assert record(folder, tmp_path, "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["complete"] is False
    assert (
        report["reason"]
        == "the physics engine stopped (killed, perhaps out of memory); it can be restarted"
    )
    assert report["rows"] >= 1
    assert "(killed, perhaps out of memory)" in read_recording(Path(report["file"])).reason
