"""What lies under a path: the graph of its scan, the scene of the project, or nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.score_examples import RUBRIC
from gui.score.conftest import at_batch
from gui.user import User

from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.project import Project
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES, ScoreBook
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

PLACES = {"a": (0.0, 0.0, 1.5), "b": (2.0, 0.0, 1.5), "c": (2.0, 3.0, 1.5)}


def write_scan(folder: Path, scan: str) -> None:
    """Three viewpoints in a row."""
    entries = [
        {
            "image_id": name,
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "included": True,
            "visible": [abs(place - other) == 1 for other in range(3)],
            "unobstructed": [abs(place - other) == 1 for other in range(3)],
            "height": 1.5,
        }
        for place, (name, (x, y, z)) in enumerate(PLACES.items())
    ]
    folder.mkdir(parents=True)
    (folder / f"{scan}_connectivity.json").write_text(json.dumps(entries), encoding="utf-8")


def book_in(scans: Sequence[str], graphs_path: str = "") -> ScoreBook:
    """An instruction per scan, all with the same path."""
    texts = tuple(
        InstructionText(f"in {scan}", "Go on.", scene_id=scan, path_m=tuple(PLACES.values()))
        for scan in scans
    )
    return make_batch(NO_SCORES, BatchWish("demo", RUBRIC, ("ana",), 1.0, 0, graphs_path), texts)


def go_to(user: User, scoring: ScoreWorkspace, item: str) -> None:
    scoring.go_to_item(item)
    user.settle()


def test_a_path_is_drawn_on_the_graph_of_its_scan(user: User, tmp_path: Path) -> None:
    write_scan(tmp_path / "scans", "known")
    file = tmp_path / "r2r.waypost"
    scoring = book_in(("known", "other"), "scans")
    ProjectStore.create(file, Project("r2r", scoring=scoring), "lea").close()
    workspace = at_batch(user, file, "ana")
    path = workspace.face.path
    go_to(user, workspace, "in known")
    user.wait(lambda: path.is_map)
    assert path.map.accessibleDescription() == "A path of 3 places."
    no_pictures = "There is neither the scene nor a picture of known here."
    user.wait(lambda: path.reason == no_pictures)
    go_to(user, workspace, "in other")
    user.wait(
        lambda: path.reason.startswith("There is no graph of other in scans. The scene other")
    )
    assert not path.is_map
    assert path.sketch.accessibleDescription() == "5.0 m"
    go_to(user, workspace, "in known")
    assert path.is_map
    assert path.reason == no_pictures


def test_a_path_in_the_scene_of_the_project_lies_over_it(user: User, house: Path) -> None:
    user.open(house)
    bench = user.window.bench
    scan = next(iter(bench.scene_ids))
    document = bench.document
    assert document is not None
    document.edit("Make a batch", replace(document.project, scoring=book_in((scan, "elsewhere"))))
    bench.change_settings(replace(bench.settings, annotator="ana"))
    user.press("Ctrl+4")
    user.settle()
    workspace = user.window.workspaces.current
    assert isinstance(workspace, ScoreWorkspace)
    go_to(user, workspace, f"in {scan}")
    assert workspace.face.path.is_map
    go_to(user, workspace, "in elsewhere")
    assert not workspace.face.path.is_map
