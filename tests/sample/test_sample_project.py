"""``waypost sample``: the same bytes every time, and no project is lost."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from waypost.app.main import main
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.sample_project import sample_project
from waypost.sample.sample_scores import (
    BATCH,
    INSTRUCTIONS,
    RATERS,
    SCENE_ID,
    with_sample_scores,
)
from waypost.store.project_store import ProjectStore


def digests(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def project_runs(project: Project) -> tuple[RunSource, ...]:
    return tuple(project.replay.sources.values())


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "home"
    assert main(["sample", str(folder), "--author", "ana"]) == 0
    return folder


def test_files_are_where_the_project_says(sample: Path) -> None:
    names = set(digests(sample))
    assert {"home.waypost", "scenes/home.glb", "scenes/home.usda"} <= names
    assert (sample / "scenes/home.glb").stat().st_size <= 6_000_000


def test_two_runs_give_the_same_bytes(sample: Path, tmp_path: Path, capsys) -> None:
    assert main(["sample", str(tmp_path / "again"), "--author", "ana", "--json"]) == 0
    assert digests(tmp_path / "again") == digests(sample)
    printed = json.loads(capsys.readouterr().out)
    assert printed["project"] == str(tmp_path / "again/home.waypost")


def test_the_project_opens_as_it_was_made(sample: Path) -> None:
    store = ProjectStore.open(sample / "home.waypost")
    try:
        project = store.load()
    finally:
        store.close()
    assert project == sample_project(project_runs(project), "ana")
    assert [source.name for source in project_runs(project)] == [
        "Scripted agent, open form",
        "Scripted agent, NavGPT form",
        "Scripted agent, MapGPT form",
        "Scripted answers, CapNav form",
    ]
    assert set(project.agents) == {"human", "wheelchair", "humanoid", "quadruped", "sweeper"}


def test_runs_lie_where_the_project_says(sample: Path) -> None:
    store = ProjectStore.open(sample / "home.waypost")
    sources = project_runs(store.load())
    store.close()
    for source in sources:
        whole = source.under(sample)
        for path in (whole.file, *whole.annotations, whole.connectivity or sample):
            assert path.exists(), path
    total = sum(file.stat().st_size for file in (sample / "runs").rglob("*") if file.is_file())
    assert total < 200_000


def test_glb_and_usd_hold_the_same_triangles(sample: Path) -> None:
    glb = read_scene(sample / "scenes/home.glb")
    usd = read_scene(sample / "scenes/home.usda")
    assert glb.content_hash == usd.content_hash
    assert glb.triangle_count == usd.triangle_count
    assert glb.missing_assets == usd.missing_assets == ()
    assert glb.warnings == usd.warnings == ()


def test_a_folder_in_use_is_left_alone(sample: Path, tmp_path: Path, capsys) -> None:
    note = tmp_path / "note.txt"
    note.write_text("mine")
    assert main(["sample", str(tmp_path)]) == 2
    assert digests(tmp_path) == {"note.txt": hashlib.sha256(b"mine").hexdigest()}
    error = capsys.readouterr().err
    assert error == f"error: {tmp_path}: folder: is not empty; --force replaces the sample in it\n"
    for _ in range(2):
        assert main(["sample", str(tmp_path), "--force", "--author", "ana"]) == 0
    assert note.read_text() == "mine"
    assert digests(tmp_path)["home.waypost"] == digests(sample)["home.waypost"]


def test_a_file_is_not_a_folder(tmp_path: Path, capsys) -> None:
    (tmp_path / "plain").write_text("x")
    assert main(["sample", str(tmp_path / "plain"), "--force"]) == 2
    assert "there is a file of that name" in capsys.readouterr().err


def test_a_newcomer_has_a_batch_to_score_that_two_others_have_scored(sample: Path, capsys) -> None:
    book = sample_project(rater="ana").scoring
    assigned = book.batches[BATCH].assigned
    assert tuple(assigned) == (*RATERS, "ana")
    assert sorted(assigned["ana"]) == sorted(entry.item for entry in INSTRUCTIONS)
    assert with_sample_scores(book, "ana") is book
    later = with_sample_scores(book, "ben").batches[BATCH].assigned
    assert later == {**assigned, "ben": later["ben"]}
    assert (sample / book.batches[BATCH].graphs_path / f"{SCENE_ID}_connectivity.json").is_file()
    results = ["score", "results", "--project", str(sample / "home.waypost"), "--batch", BATCH]
    assert main([*results, "--author", "ana"]) == 0
    assert main([*results, "--author", "lea"]) == 0
    assert "ana: 0 of 8 instructions done" in (said := capsys.readouterr().out)
    # (1 + 1) / 2, (2 + 2) / 2 and (2 + 1) / 2: once, as ana may see nobody's scores yet.
    assert said.count("script, full: naturalness 1.50") == 1
