"""Three actions need the files that fit a result file to be found, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fixtures.replay_files import write_run
from PIL import Image

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run import run_name
from waypost.domain.episode.run_source import RunSource
from waypost.services.replay import run_companions
from waypost.services.replay.run_companions import search_companions


@pytest.fixture(autouse=True)
def _own_folder_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests leave files a few folders above."""
    monkeypatch.setattr(run_companions, "_LEVELS_UP", 1)


def test_siblings_that_have_the_episodes_and_scans_fit(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC", "7_2": "AB"})
    other = json.loads(files.annotations.read_text())
    (tmp_path / "A_other.json").write_text(json.dumps([{**other[0], "path_id": 8}]))
    (tmp_path / "notes.json").write_text("{}")
    assert exhaust(search_companions(files.results)) == RunSource(
        (files.results,),
        (files.annotations,),
        files.connectivity,
        name=run_name(files.results),
        reasons=(
            "R2R_val.json has 2 of the first 2 runs by id and start",
            "connectivity has the graphs of 1 of 1 scans",
        ),
    )


def test_folders_above_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_companions, "_LEVELS_UP", 4)
    files = write_run(tmp_path, {"7_0": "ABC"})
    deep = tmp_path / "exprs" / "gpt-4" / "preds"
    deep.mkdir(parents=True)
    moved = files.results.rename(deep / "submit_val.json")
    (tmp_path / "annotations").mkdir()
    annotations = files.annotations.rename(tmp_path / "annotations" / "R2R_val.json")
    found = exhaust(search_companions(moved))
    assert (found.annotations, found.connectivity) == ((annotations,), files.connectivity)


def test_little_is_looked_at_farther_away_than_what_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_companions, "_LEVELS_UP", 2)
    monkeypatch.setattr(run_companions, "_MOST_ENTRIES_BEYOND", 3)
    (tmp_path / "run").mkdir()
    files = write_run(tmp_path / "run", {"7_0": "ABC"})
    for name in ("a", "b", "c", "d", "e"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "line.glb").write_bytes(b"glTF")
    found = exhaust(search_companions(files.results))
    assert (found.annotations, found.connectivity) == ((files.annotations,), files.connectivity)
    assert found.scene is None
    monkeypatch.setattr(run_companions, "_MOST_ENTRIES_BEYOND", 100)
    assert exhaust(search_companions(files.results)).scene == tmp_path / "a" / "line.glb"


def test_the_file_that_a_submission_answers_wins_over_one_that_looks_like_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_companions, "_LEVELS_UP", 2)
    (tmp_path / "runs").mkdir()
    files = write_run(tmp_path, {"7_0": "ABC"})
    results = files.results.rename(tmp_path / "runs" / "mine.json")
    (tmp_path / "runs" / "result_like_it.json").write_bytes(files.annotations.read_bytes())
    assert exhaust(search_companions(results)).annotations == (files.annotations,)
    files.annotations.unlink()
    assert exhaust(search_companions(results)).annotations == (
        tmp_path / "runs" / "result_like_it.json",
    )


def test_the_same_id_with_another_start_does_not_fit(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "CBA"})
    found = exhaust(search_companions(files.results))
    assert (found.annotations, found.connectivity) == ((), None)
    assert found.reasons == (
        "no annotation file nearby has these episodes",
        "no connectivity folder nearby has these scans",
    )


def test_bare_ids_are_not_enough(tmp_path: Path) -> None:
    """Numbers from 1 are in every data set; scene, instruction or start has to say more."""
    files = write_run(tmp_path, {"7_0": "ABC"})
    log = tmp_path / "log"
    log.mkdir()
    states = {"distance_to_goal": 1.0, "success": 1.0, "spl": 0.5, "path_length": 6.0}
    stats = {"id": "7_0", "oracle_success": 1.0, **states}
    (log / "stats_7_0.json").write_text(json.dumps(stats))
    found = exhaust(search_companions(log))
    assert found.annotations == ()
    assert found.reasons[1] == (
        "R2R_val.json has 1 of their ids, but nothing else tells whether they are its episodes:"
        " add it yourself if they are"
    )
    lines = tmp_path / "lines.jsonl"
    line = {"scene_id": "line", "episode_id": "7_0", "success": 1.0, "spl": 0.5, "os": 1.0}
    for scene, chosen in (("mp3d/line/line.glb", (files.annotations,)), ("elsewhere", ())):
        lines.write_text(json.dumps({**line, "scene_id": scene}))
        assert exhaust(search_companions(lines)).annotations == chosen
    # Habitat's file of an HM3D scene, and the folder of it that logs name.
    told = files.annotations.read_text().replace('"line"', '"TEEsavR23oF.basis"')
    files.annotations.write_text(told)
    lines.write_text(json.dumps({**line, "scene_id": "00800-TEEsavR23oF"}))
    assert exhaust(search_companions(lines)).annotations == (files.annotations,)


def test_several_files_are_taken_where_one_lacks_runs(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC", "7_1": "AB", "8_0": "ABC"})
    record = json.loads(files.annotations.read_text())[0]
    second = tmp_path / "R2R_more.json"
    second.write_text(json.dumps([{**record, "path_id": 8}]))
    assert exhaust(search_companions(files.results)).annotations == (files.annotations, second)


def test_logs_without_ids_fit_by_their_instruction(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    steps = [{"viewpoint": place, "plan": "go", "action": "move"} for place in "ABC"]
    log = tmp_path / "log.json"
    log.write_text(json.dumps([{"instruction": "Second.", "steps": steps}]))
    assert exhaust(search_companions(log)).annotations == (files.annotations,)


def test_pictures_and_the_one_scene_are_found(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    views = tmp_path / "views" / "line" / "A"
    views.mkdir(parents=True)
    picture = Image.fromarray(np.zeros((4, 4, 3), dtype=np.uint8))
    for heading in (0, 90, 180, 270):
        picture.save(views / f"{heading}.png")
    (tmp_path / "unrelated.png").write_bytes(b"x")
    scene = tmp_path / "line.glb"
    scene.write_bytes(b"glTF")
    (tmp_path / "other.glb").write_bytes(b"glTF")
    found = exhaust(search_companions(files.results))
    assert found.pictures == tmp_path / "views"
    assert found.scene == scene
    assert found.reasons[2:] == (
        "views has pictures of these scans or viewpoints (four views by degrees)",
        "line.glb is the scene line",
    )


def test_results_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="does not exist"):
        exhaust(search_companions(tmp_path / "none.json"))


@pytest.mark.realdata
def test_the_shared_files_are_found(shared_data: Path) -> None:
    folder = shared_data / "r2r"
    found = exhaust(search_companions(folder / "val_unseen_wander_agent.json"))
    assert found.annotations == (folder.resolve() / "R2R_val_unseen.json",)
    assert found.connectivity == folder.resolve() / "connectivity"
