"""VLN-CE results of R2R episodes, from files to scores: by the command line and in the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.replay_files import RunFiles, write_run

from waypost.app.main import main
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.domain.episode.viewpoint_placing import ELSEWHERE, NO_GRAPH, NO_HEIGHTS, ON_FLOOR
from waypost.services.replay.finding import replay_one
from waypost.services.replay.run_index import index_run

WALK = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (4.0, 1.0, 0.0)]
"""On the floor of A and B, then 1 m beside C, the goal; scene frame."""


def habitat(points_m: list[tuple[float, float, float]], above_m: float = 0.0) -> Any:
    """States of VLN-CE: Y up, (x, z, −y) of the scene."""
    last = len(points_m) - 1
    return [
        {"position": [x, z + above_m, -y], "heading": 0.0, "stop": i == last}
        for i, (x, y, z) in enumerate(points_m)
    ]


def files(folder: Path, states: Any) -> RunFiles:
    written = write_run(folder, {"7_0": "ABC"})
    written.results.write_text(json.dumps({"7_0": states}))
    return written


def replayed(written: RunFiles, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    assert main(["replay", *written.options(), "--episode", "7_0", "--json", *more]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


BY_HAND = {
    "TL": pytest.approx(2 + 5**0.5),
    "NE": pytest.approx(1.0),
    "OSR": 1.0,
    "SR": 1.0,
    "SPL": pytest.approx(4 / (2 + 5**0.5)),
    "nDTW": None,
    "nDTW_fastdtw": None,
    "SDTW": None,
    "steps": 2.0,
}
"""4 m is the distance that the episode states; dense positions of an expert were not given."""


def test_a_run_on_the_floor_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = replayed(files(tmp_path, habitat(WALK)), capsys)
    assert shown["profile"] == "vlnce (straight-line)"
    assert shown["metrics"] == BY_HAND
    assert shown["undefined"].keys() == {"nDTW", "nDTW_fastdtw", "SDTW"}
    assert shown["reference_note"] == ON_FLOOR
    # C is 1 m beside the last pose, which is on the line within 1 m.
    assert [step["on_reference"] for step in shown["steps"]] == [True, True, True]
    assert [step["position_m"] for step in shown["steps"]] == [list(point) for point in WALK]
    # Two metres at once: no action of VLN-CE joins the poses, so the run is not perfect.
    assert [tag["tag"] for tag in shown["tags"]] == ["teleport"]


def test_evaluate_gives_the_same_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = files(tmp_path, habitat(WALK))
    given = ["--annotations", str(written.annotations), "--results", str(written.results)]
    graphs = ["--connectivity", str(written.connectivity)]
    asked = ["evaluate", "--profile", "vlnce", "--goal-distance", "straight-line", *given, "--json"]
    main([*asked, *graphs])
    found = json.loads(capsys.readouterr().out)
    assert {key: one["value"] for key, one in found["metrics"].items()} == BY_HAND
    assert "the floor under their cameras" in found["definitions"]["NE"]
    assert "along the graph" in found["definitions"]["SPL"]
    assert "cameras" not in found["definitions"]["TL"]
    assert any(ON_FLOOR in sentence for sentence in found["warnings"])
    main(asked)
    found = json.loads(capsys.readouterr().out)
    assert found["metrics"]["NE"]["undefined"] == {NO_GRAPH: 1}
    assert "cameras" not in found["definitions"]["NE"]


def test_plan_distances_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = replayed(files(tmp_path, habitat(WALK, above_m=0.9)), capsys, "--profile", "vlnverse")
    # Heights that cannot be compared matter to no distance in plan.
    metrics = shown["metrics"]
    assert metrics["NE"] == pytest.approx(1.0)
    assert metrics["SR"] == 1.0
    assert metrics["nDTW"] == pytest.approx(2.718281828459045 ** (-1 / 9))


def test_a_body_has_no_distances_in_space(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = replayed(files(tmp_path, habitat(WALK, above_m=0.9)), capsys)
    assert shown["metrics"]["TL"] == pytest.approx(2 + 5**0.5)
    for key in ("NE", "OSR", "SR", "SPL"):
        assert shown["metrics"][key] is None
        assert shown["undefined"][key] == NO_HEIGHTS


def test_another_frame_gives_no_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # A stands at the origin, where all frames meet: the scan is moved away from it.
    written = files(tmp_path, [])
    (graph,) = written.connectivity.iterdir()
    entries = json.loads(graph.read_text())
    for entry in entries:
        entry["pose"][3] += 20
        entry["pose"][7] += 10
    graph.write_text(json.dumps(entries))
    moved = [(x + 20, y + 10, z) for x, y, z in WALK]
    as_is = [
        {"position": list(point), "heading": 0.0, "stop": point is moved[-1]} for point in moved
    ]
    written.results.write_text(json.dumps({"7_0": as_is}))
    shown = replayed(written, capsys)
    note = f"{ELSEWHERE}; they would fit if they were Z up (scene)"
    assert shown["reference_note"] == shown["undefined"]["NE"] == note
    assert shown["metrics"]["SR"] is None
    assert {step["on_reference"] for step in shown["steps"]} == {None}
    written.results.write_text(json.dumps({"7_0": habitat(moved)}))
    assert replayed(written, capsys)["metrics"] == BY_HAND


def test_the_open_form_states_its_frame_or_begins_where_that_is_clear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = files(tmp_path, [])
    line = {"waypost_run": 1, "episode_id": "7_0", "positions": WALK, "end": {"called_stop": True}}
    written.results.write_text(json.dumps(line))
    shown = replayed(written, capsys)
    assert shown["metrics"]["NE"] is None
    assert "state the frame" in shown["undefined"]["NE"]
    written.results.write_text(json.dumps({**line, "frame": "scene"}))
    assert replayed(written, capsys)["metrics"] == {**BY_HAND, "steps": None}


@pytest.mark.parametrize("dataset", ["r2r", "rxr"])
def test_the_row_of_the_table_and_the_replay_behind_it(tmp_path: Path, dataset: str) -> None:
    written = files(tmp_path, habitat(WALK))
    name = "7_0"
    if dataset == "rxr":
        name = "7"
        record = {
            "path_id": 7, "split": "val", "scan": "line", "heading": 0.0, "path": list("ABC"),
            "instruction_id": 7, "annotator_id": 1, "language": "en-US", "instruction": "Go.",
            "timed_instruction": [], "edit_distance": 0.0,
        }  # fmt: skip
        both = (record, {**record, "instruction_id": 8})
        written.annotations.write_text("".join(f"{json.dumps(one)}\n" for one in both))
        written.results.write_text(json.dumps({name: habitat(WALK)}))
    request = RunSource((written.results,), (written.annotations,), written.connectivity)
    for _ in range(2):  # read, then from the cache
        index = exhaust(index_run(request, tmp_path / "cache"))
        (row,) = index.rows.rows
        assert row.reference_m == pytest.approx(4.0)
        assert dict(zip([c.key for c in index.rows.columns], row.values, strict=True))["NE"] == 1.0
        shown = index.replayed(name)
        direct = replay_one(request, name)
        assert shown.replay.to_goal_m.tolist() == direct.replay.to_goal_m.tolist()
        assert shown.scores.profile.key == "vlnce (straight-line)"
        assert shown.replay.episode == direct.replay.episode
        assert shown.replay.goal_points_m.tolist() == [[4.0, 0.0, 0.0]]
