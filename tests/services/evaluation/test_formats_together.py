"""Episodes and runs of one benchmark meet: ids, frames, STOP, boxes and end viewpoints."""

import gzip
import json
import math

import pytest
from worlds.vln_worlds import LINE_POINTS_M, line_annotations, write_line_scan

from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation.evaluate import EvaluationOptions, evaluate


def exhaust(*request):
    steps = evaluate(*request)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def values(evaluation, number=0):
    return {key: found.value for key, found in evaluation.runs[number].metrics.items()}


def test_vlnce(tmp_path):
    points = LINE_POINTS_M
    (tmp_path / "val_seen.json.gz").write_bytes(
        gzip.compress(json.dumps(line_annotations()).encode())
    )
    dense = {"7": {"locations": points, "forward_steps": 24, "actions": [1, 0]}}
    (tmp_path / "val_seen_gt.json.gz").write_bytes(gzip.compress(json.dumps(dense).encode()))
    poses = [{"position": point, "heading": 0.0, "stop": False} for point in points]
    (tmp_path / "timeout.json").write_text(json.dumps({"7": poses}))
    poses = [*poses[:-1], {**poses[-1], "stop": True}]
    (tmp_path / "stopped.json").write_text(json.dumps({"7": poses}))
    found = exhaust(
        RunSource(
            (tmp_path / "stopped.json", tmp_path / "timeout.json"),
            annotations=(tmp_path / "val_seen.json.gz",),
            profile_key="vlnce",
        ),
        EvaluationOptions(goal_distance="straight-line"),
    )
    assert found.profile_name == "vlnce (straight-line)"
    assert found.annotations.findings == ()
    stopped, timeout = values(found), values(found, 1)
    assert stopped == {
        "TL": 6.0, "NE": 0.0, "OSR": 1.0, "SR": 1.0, "SPL": 1.0, "nDTW": 1.0, "SDTW": 1.0,
        "nDTW_fastdtw": 1.0, "steps": 3.0,
    }  # fmt: skip
    assert (timeout["SR"], timeout["OSR"], timeout["nDTW"]) == (0.0, 1.0, 1.0)


def vlnverse_episode(rotation, yaw=0.0):
    points = [[0.25 * n * math.cos(yaw), 0.25 * n * math.sin(yaw), 0.0] for n in range(9)]
    return {
        "episode_id": f"kujiale_0001_2_{yaw:.2f}",
        "trajectory_id": f"kujiale_0001_2_{yaw:.2f}",
        "scan": "kujiale_0001",
        "scene_id": "vlnverse/kujiale_0001",
        "start_position": points[0],
        "start_rotation": rotation,
        "instruction": {"instruction_text": "Go ahead.", "instruction_tokens": [0]},
        "reference_path": [points[0], *points],
        "goals": {"position": points[-1], "radius": 3.0},
        "info": {"geodesic_distance": -1},
    }


def test_vlnverse_and_its_quaternion_order(tmp_path):
    right, swapped = [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]
    annotations = tmp_path / "fine_val.json"
    annotations.write_text(json.dumps([vlnverse_episode(right)]))
    results = tmp_path / "submission.json"
    results.write_text(json.dumps([vlnverse_episode(right)]))
    request = RunSource(
        (results,),
        annotations=(annotations,),
        profile_key="vlnverse",
        result_format="vlnverse-submission",
    )
    found = exhaust(request)
    assert [f.kind for f in found.annotations.findings if f.kind == "heading_mismatch"] == []
    scores = values(found)
    assert (scores["SR"], scores["SPL"], scores["nDTW"], scores["NE"]) == (1.0, 1.0, 1.0, 0.0)
    several = [vlnverse_episode(swapped, number / 100) for number in range(20)]
    annotations.write_text(json.dumps(several))
    doubted = [f for f in exhaust(request).annotations.findings if f.kind == "heading_mismatch"]
    assert len(doubted) == 1
    assert "agree in 20" in doubted[0].message


def test_cvdn(tmp_path):
    connectivity = write_line_scan(tmp_path / "connectivity", 2, 2, 2)
    item = {
        "inst_idx": 12,
        "scan": "line",
        "target": "sofa",
        "start_pano": {"heading": 0.0, "elevation": 0.0, "pano": "A"},
        "nav_camera": [],
        "dialog_history": [],
        "nav_history": ["A"],
        "end_panos": ["D"],
        "player_path": ["A", "B", "C", "D"],
        "planner_path": ["A", "B", "C"],
    }
    (tmp_path / "val_seen.json").write_text(json.dumps([item]))
    result = {"inst_idx": 12, "trajectory": [["A", 0.0, 0.0], ["B", 0.0, 0.0], ["C", 0.0, 0.0]]}
    (tmp_path / "run.json").write_text(json.dumps([result]))
    found = exhaust(
        RunSource(
            (tmp_path / "run.json",),
            annotations=(tmp_path / "val_seen.json",),
            connectivity=connectivity,
            profile_key="cvdn",
        )
    )
    scores = values(found)
    assert scores["GP"] == 4.0
    assert scores["SR_room"] == 0.0
    assert found.runs[0].coverage["found"] == 1


def test_reverie(tmp_path):
    connectivity = write_line_scan(tmp_path / "connectivity", 2, 2, 2)
    record = {
        "distance": 4.0,
        "scan": "line",
        "path_id": 5,
        "path": ["A", "B", "C"],
        "heading": 0.0,
        "instructions": ["Bring me the cup."],
        "instructions_l": [["bring"]],
        "objId": 42,
        "ix": 0,
        "id": "5_42",
    }
    (tmp_path / "REVERIE_val_seen.json").write_text(json.dumps([record]))
    result = {"instr_id": "5_42_0", "trajectory": [["A"], ["B", "C"]], "predObjId": 42}
    (tmp_path / "run.json").write_text(json.dumps([result]))
    found = exhaust(
        RunSource(
            (tmp_path / "run.json",),
            annotations=(tmp_path / "REVERIE_val_seen.json",),
            connectivity=connectivity,
            profile_key="reverie",
        )
    )
    scores = values(found)
    assert (scores["RGS"], scores["RGSPL"], scores["TL"]) == (1.0, pytest.approx(1.0), 4.0)
    assert scores["SR"] is None
    assert found.runs[0].metrics["SR"].undefined == {
        "the files of visible objects were not given": 1
    }
