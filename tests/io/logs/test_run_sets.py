"""Import reports of whole run sets: identical and conflicting runs, missing and foreign ones."""

import json

from fixtures.run_samples import DISCUSSNAV_LOG, NAVGPT, VLNCE_R2R, V

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.services.conversion import ConversionRequest, convert
from waypost.services.evaluation.validate import validate


def exhaust(generator):
    while True:
        try:
            next(generator)
        except StopIteration as done:
            return done.value


def check(annotations, results, **more):
    request = RunSource((results,), (annotations,), **more)
    *_, report = exhaust(validate(request))
    return report.report


def counts(report):
    return (
        report.expected,
        report.found,
        report.missing,
        report.duplicated_identical,
        report.duplicated_conflicting,
        report.foreign,
        report.unreadable,
    )


def _r2r(path_id, path, instructions):
    return {
        "path_id": path_id,
        "scan": "s",
        "path": path,
        "heading": 0.0,
        "distance": 4.0,
        "instructions": instructions,
    }


def test_three_runs_of_one_episode_two_missing_one_unknown(tmp_path):
    annotations = tmp_path / "R2R_val_seen.json"
    annotations.write_text(json.dumps([_r2r(1940, V[:2], ["a", "b", "c"])]))
    first = NAVGPT[0]
    other = first | {
        "trajectory": [[V[0]], [V[5]]],
        "details": [],
        "llm_thought": [],
        "llm_observation": [],
    }
    foreign = first | {"instr_id": "9_9"}
    broken = {"instr_id": "1940_2", "trajectory": [[3]], "llm_thought": []}
    results = tmp_path / "detail.json"
    results.write_text(json.dumps([first, first, other, foreign, broken]))
    report = check(annotations, results)
    assert counts(report) == (3, 1, 2, 1, 1, 1, 1)
    unreadable = [f for f in report.findings if f.kind is ImportKind.UNREADABLE]
    assert [(f.item_id, f.value) for f in unreadable] == [("1940_2", "[4]")]
    refused = [f for f in report.findings if f.kind is ImportKind.NO_MOVE]
    assert {(f.item_id, f.step) for f in refused} == {("1940_1", 1), ("1940_1", 2)}
    assert "Matterport3D viewpoints" in report.conventions


def test_a_log_without_ids_finds_its_episode(tmp_path):
    annotations = tmp_path / "R2R_val_seen.json"
    annotations.write_text(
        json.dumps(
            [
                _r2r(1, V[:3], ["Leave the room.", "Stay."]),
                _r2r(2, V[1:3], ["Leave the room."]),
            ]
        )
    )
    results = tmp_path / "DiscussNav.log"
    results.write_text(DISCUSSNAV_LOG)
    report = check(annotations, results)
    assert counts(report) == (3, 1, 2, 0, 0, 0, 0)
    assert {f.item_id for f in report.findings if f.kind is ImportKind.NO_MOVE} == {"1_0"}


def test_a_log_without_ids_is_converted_with_the_ids_of_the_annotations(tmp_path):
    annotations = tmp_path / "R2R_val_seen.json"
    annotations.write_text(json.dumps([_r2r(1, V[:3], ["Stay.", "Leave the room."])]))
    source = tmp_path / "DiscussNav.log"
    source.write_text(DISCUSSNAV_LOG)
    out = tmp_path / "out.json"
    convert(ConversionRequest(source, "r2r", out, annotations=(annotations,)))
    assert json.loads(out.read_text()) == [
        {"instr_id": "1_1", "trajectory": [[V[0]], [V[1]]]},
    ]


def test_ids_that_differ_in_zeros_are_named(tmp_path):
    annotations = tmp_path / "val_seen.json"
    episode = {
        "episode_id": 7,
        "trajectory_id": 1,
        "scene_id": "mp3d/s/s.glb",
        "start_position": [1.0, 0.5, -2.0],
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": 1.0},
        "goals": [{"position": [1.0, 0.5, -3.0], "radius": 3.0}],
        "instruction": {"instruction_text": "go", "instruction_tokens": [1]},
        "reference_path": [[1.0, 0.5, -2.0], [1.0, 0.5, -3.0]],
    }
    annotations.write_text(json.dumps({"episodes": [episode], "instruction_vocab": {}}))
    results = tmp_path / "preds.json"
    results.write_text(json.dumps({"007": VLNCE_R2R["7"], "7": VLNCE_R2R["7"]}))
    report = check(annotations, results)
    assert counts(report)[:3] == (1, 1, 0)
    assert [f.item_id for f in report.findings if f.kind is ImportKind.AMBIGUOUS_ID] == ["007"]
