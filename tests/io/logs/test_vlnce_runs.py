"""VLN-CE predictions on R2R and RxR, InternNav's scores: frames, stop, ids, odd numbers."""

import json
import math

import numpy as np
import pytest
from fixtures.run_samples import PROGRESS, VLNCE_R2R, VLNCE_RXR, lines

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs import (
    internnav_runs,
    score_totals,
    vlnce_r2r_runs,
    vlnce_rxr_runs,
)
from waypost.io.read_log import ReadLog


def read(module, path, text):
    path.write_text(text)
    log = ReadLog()
    return list(module.FORMAT.read(path, log)), log


def test_habitat_positions_and_headings_reach_the_scene_frame(tmp_path):
    (first, second), _ = read(vlnce_r2r_runs, tmp_path / "p.json", json.dumps(VLNCE_R2R))
    # Habitat (x, y, z) is scene (x, −z, y); Habitat 0 = −Z is scene +Y.
    assert first.episode_id == "7"
    assert first.route.positions_m.tolist() == [[1.0, 2.0, 0.5], [1.0, 2.25, 0.5], [1.0, 2.25, 0.5]]
    assert first.route.yaws_rad.tolist() == pytest.approx(
        [math.pi / 2, math.pi / 2 + 0.25, math.pi / 2 + 0.25], abs=1e-15
    )
    assert first.end == RunEnd(called_stop=True, action_count=2)
    assert first.extra == {"states": {"2": {"collided": True}}}
    assert second.end == RunEnd(called_stop=False, action_count=0)
    assert len(second.route) == 1


def test_walking_straight_on_looks_along_the_step(tmp_path):
    (run, *_), _ = read(vlnce_r2r_runs, tmp_path / "p.json", json.dumps(VLNCE_R2R))
    step = run.route.positions_m[1] - run.route.positions_m[0]
    assert math.atan2(step[1], step[0]) == pytest.approx(run.route.yaws_rad[0])


def test_one_bad_run_does_not_stop_the_others(tmp_path):
    states = {
        "1": [{"position": [0.0, math.nan, 0.0], "heading": 0.0, "stop": True}],
        "2": [{"position": [0.0, "1.0", 0.0], "heading": 0.0}],
        "3": [{"position": [0.0, 1.0], "heading": 0.0}],
        "4": [{"position": [0, 1, 10**400], "heading": 0.0}],
        "5": [{"position": [0.0, 0.0, 0.0], "heading": 0.0, "stop": True}, {"heading": 1.0}],
        "6": [],
        "7": [{"position": [0, 1, 0], "heading": None}],
    }
    runs, log = read(vlnce_r2r_runs, tmp_path / "p.json", json.dumps(states))
    assert [run.episode_id for run in runs] == ["6", "7"]
    assert len(runs[0].route) == 0
    assert math.isnan(runs[1].route.yaws_rad[0])
    bad = [entry for entry in log.findings if entry.kind is ImportKind.UNREADABLE]
    assert [entry.item_id for entry in bad] == ["1", "2", "3", "4", "5"]
    assert "positions[0][1]: nan is not a usable number" in bad[0].message
    assert "positions[0][1]: is text, not a number" in bad[1].message
    assert "has 2 numbers, not 3" in bad[2].message
    assert "position: is missing" in bad[4].message
    assert log.warnings == [f"{tmp_path}/p.json: NaN appears 1× and is not JSON"]


@pytest.mark.parametrize("empty", [1, 2])
def test_a_file_is_known_whose_first_runs_are_empty(tmp_path, empty):
    """An agent that fell over at once wrote no state; the other runs tell the format."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps({**{f"none_{n}": [] for n in range(empty)}, **VLNCE_R2R}))
    chosen = RUN_FORMATS.find(path)
    assert chosen.name == "vlnce-r2r"
    runs = list(chosen.read(path, ReadLog()))
    assert [len(run.route) > 0 for run in runs] == [False] * empty + [True] * len(VLNCE_R2R)


def test_a_file_without_any_state_is_of_no_form(tmp_path):
    path = tmp_path / "p.json"
    path.write_text('{"1": [], "2": []}')
    with pytest.raises(InputError, match="no runs in a known format"):
        RUN_FORMATS.find(path)


def test_going_on_after_stop_is_said(tmp_path):
    states = [
        {"position": [0.0, 0.0, 0.0], "heading": 0.0, "stop": stop} for stop in (False, True, False)
    ]
    (run,), log = read(vlnce_r2r_runs, tmp_path / "p.json", json.dumps({"1": states}))
    assert run.end.called_stop is False
    assert [(f.kind, f.step) for f in log.findings] == [(ImportKind.NOTE, 1)]


@pytest.mark.parametrize("called_stop", [True, False, None])
def test_whether_stop_was_called_stays_known_or_unknown(tmp_path, called_stop):
    """Unknown is not “went on”, with which every success of VLN-CE would be a failure."""
    run = EpisodeRun("3", route(positions_m=[[0, 0, 0], [1, 0, 0]]), end=RunEnd(called_stop))
    path, log = tmp_path / "out.json", ReadLog()
    vlnce_r2r_runs.write(path, [run], log)
    (again,) = RUN_FORMATS.read(path, ReadLog())
    assert again.end.called_stop is called_stop
    assert any("1 run does not say" in text for text in log.warnings) is (called_stop is None)


def test_ids_are_text_and_leading_zeros_count(tmp_path):
    states = [{"position": [0.0, 0.0, 0.0], "heading": 0.0}]
    runs, _ = read(vlnce_r2r_runs, tmp_path / "p.json", json.dumps({"7": states, "007": states}))
    assert [run.episode_id for run in runs] == ["7", "007"]


def test_positions_of_another_form_are_written_in_habitats_frame(tmp_path):
    run = EpisodeRun(
        "3",
        route(positions_m=[[1.0, 2.0, 0.5], [1.0, 2.5, 0.5]], yaws_rad=[math.pi / 2, math.nan]),
        end=RunEnd(called_stop=True),
    )
    path = tmp_path / "out.json"
    vlnce_r2r_runs.write(path, [run], ReadLog())
    assert json.loads(path.read_text()) == {
        "3": [
            {"position": [1.0, 0.5, -2.0], "heading": 0.0, "stop": False},
            {"position": [1.0, 0.5, -2.5], "heading": None, "stop": True},
        ]
    }
    assert RUN_FORMATS.find(path).name == "vlnce-r2r"
    with pytest.raises(
        InputError, match="3: a VLN-CE prediction needs positions, and this run has"
    ):
        vlnce_r2r_runs.write(path, [EpisodeRun("3", route(["a"]))], ReadLog())
    with pytest.raises(InputError, match="'3' comes twice"):
        vlnce_r2r_runs.write(path, [run, run], ReadLog())
    assert RUN_FORMATS.find(path).name == "vlnce-r2r"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


def test_rxr_keeps_positions_when_they_change(tmp_path):
    (first, second), _ = read(vlnce_rxr_runs, tmp_path / "p.jsonl", lines(VLNCE_RXR))
    assert first.episode_id == "12"
    assert first.route.positions_m.tolist() == [[1.0, 2.0, 0.5], [1.0, 2.5, 0.5]]
    assert first.route.yaws_rad is None
    assert second.extra == {"note": "kept"}
    still = EpisodeRun("007", route(positions_m=[[0.0, 0.0, 0.0]] * 3 + [[1.0, 0.0, 0.0]]))
    vlnce_rxr_runs.write(tmp_path / "out.jsonl", [first, still], ReadLog())
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert written[0] == VLNCE_RXR[0]
    assert written[1] == {"instruction_id": "007", "path": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]}


def test_one_line_is_read_as_lines_too(tmp_path):
    path = tmp_path / "p.jsonl"
    (run,), _ = read(vlnce_rxr_runs, path, lines(VLNCE_RXR[:1]))
    assert run.episode_id == "12"
    assert RUN_FORMATS.find(path).name == "vlnce-rxr"
    path.write_text(lines(PROGRESS[:1]))
    assert RUN_FORMATS.find(path).name == "internnav-progress"


def test_progress_states_scores_and_no_route(tmp_path):
    records = [*PROGRESS, {**PROGRESS[0], "episode_id": 5, "ne": math.inf, "spl": math.nan}]
    totals = {"sucs_all": 0.5, "spls_all": 0.4, "length": 2}
    runs, log = read(internnav_runs, tmp_path / "progress.json", lines([*records, totals]))
    assert [run.episode_id for run in runs] == ["3", "4", "5"]
    assert runs[0].reported == {"success": 1.0, "spl": 0.8, "os": 1.0, "ne": 1.25, "steps": 57.0}
    assert runs[0].end.action_count == 57
    assert runs[0].extra == {"seed": "a"}
    assert (runs[0].instruction, runs[0].scene_id) == ("go on", "zsNo4HB9uLZ")
    assert len(runs[0].route) == 0
    assert runs[2].reported["ne"] is None
    assert runs[2].reported["spl"] is None
    assert log.counts[ImportKind.NOT_FINITE] == 2
    assert log.counts[ImportKind.UNREADABLE] == 0
    assert log.document == totals


@pytest.mark.parametrize(
    ("document", "is_lines"),
    [
        (
            {"val_unseen": dict.fromkeys(("TL", "NE", "FR", "StR", "OS", "SR", "SPL", "Count"), 1)},
            0,
        ),
        ({"sucs_all": 0.5, "spls_all": 0.4, "oss_all": 0.6, "nes_all": 3.1, "length": 10}, 0),
        ({"sucs_all": 0.5, "spls_all": 0.4}, 1),
        ({"easy": {"sr": 100.0, "spl": 53.17}, "avg": {"sr": 33.33, "spl": 17.72}}, 0),
    ],
)
def test_totals_are_kept_and_are_no_runs(tmp_path, document, is_lines):
    path = tmp_path / "result.json"
    text = json.dumps(document) + "\n"
    path.write_text(text * 2 if is_lines else text)
    log = ReadLog()
    assert RUN_FORMATS.find(path) is score_totals.FORMAT
    assert list(score_totals.read(path, log)) == []
    assert log.document == document
    assert "totals only" in log.findings[0].message
    score_totals.write(tmp_path / "again.json", [], log)
    assert json.loads((tmp_path / "again.json").read_text()) == document
    with pytest.raises(InputError, match="totals only"):
        score_totals.write(tmp_path / "again.json", [EpisodeRun("1")], log)


def test_long_runs_are_read_fast(tmp_path):
    generator = np.random.default_rng(3)
    walked = generator.normal(size=(500, 3)).tolist()
    state = [{"position": place, "heading": 0.5, "stop": False} for place in walked]
    runs, _ = read(
        vlnce_r2r_runs, tmp_path / "p.json", json.dumps({str(key): state for key in range(20)})
    )
    assert [len(run.route) for run in runs] == [500] * 20
    assert runs[3].route.positions_m[7].tolist() == [walked[7][0], -walked[7][2], walked[7][1]]


@pytest.mark.parametrize(
    ("heading", "kinds"), [(3.1, []), (-3.1, []), (270.0, ["degrees_for_radians"])]
)
def test_headings_in_degrees_are_noticed(tmp_path, heading, kinds):
    states = [{"position": [0.0, 0.0, 0.0], "heading": heading, "stop": True}]
    file = tmp_path / "pred.json"
    file.write_text(json.dumps({"7": states}))
    log = ReadLog()
    assert len(list(RUN_FORMATS.read(file, log))) == 1
    log.finish()
    assert [finding.kind for finding in log.findings] == kinds
