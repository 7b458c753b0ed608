"""The shipped files of the sample are what ``python -m tools.sample_home`` makes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waypost.resources
from tools.sample_home.files import write_sample_files
from waypost.domain.base.progress import exhaust
from waypost.io.recordings.read_recording import read_recording
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.sample_project import GLB_FILE, RUNS, USD_FILE
from waypost.sample.sample_study import STUDY_FILE, TAKES_FOLDER, read_study
from waypost.services.study.episodes import read_study_episodes
from waypost.services.study.take_scoring import told_of
from waypost.services.study.takes import take_of_file

pytestmark = pytest.mark.heavy

SHIPPED = Path(waypost.resources.__path__[0]) / "sample"
LENGTH_M = 1e-6
"""What sines and roots of another machine may change in a vertex or a record."""

COLOUR_LEVELS = 5
PIXEL_SHARE = 0.001
"""One step of a painted texture, in so few of its pixels, may round to the other side there."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert write_sample_files(folder) == RUNS
    return folder


def names(folder: Path) -> set[str]:
    return {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file()}


def is_same(made: Any, shipped: Any) -> bool:
    """Whether two JSON values are the same but for the last digits of numbers."""
    if isinstance(made, float) and isinstance(shipped, float):
        return math.isclose(made, shipped, rel_tol=LENGTH_M, abs_tol=LENGTH_M)
    if isinstance(made, dict) and isinstance(shipped, dict):
        return list(made) == list(shipped) and all(is_same(made[k], shipped[k]) for k in made)
    if isinstance(made, list) and isinstance(shipped, list):
        return len(made) == len(shipped) and all(map(is_same, made, shipped))
    return type(made) is type(shipped) and made == shipped


def test_the_same_files_are_there(made: Path) -> None:
    assert names(made) == names(SHIPPED)


@pytest.mark.parametrize("file", [GLB_FILE, USD_FILE])
def test_scenes_hold_the_same_home(made: Path, file: str) -> None:
    new, old = read_scene(made / file), read_scene(SHIPPED / file)
    assert [m.name for m in new.meshes] == [m.name for m in old.meshes]
    for mesh, shipped in zip(new.meshes, old.meshes, strict=True):
        assert np.array_equal(mesh.faces, shipped.faces), mesh.name
        assert mesh.vertices == pytest.approx(shipped.vertices, abs=LENGTH_M), mesh.name
        assert mesh.uvs == pytest.approx(shipped.uvs, abs=LENGTH_M), mesh.name
        assert mesh.material_index == shipped.material_index, mesh.name
    for material, shipped in zip(new.materials, old.materials, strict=True):
        assert (material.name, material.texture_index) == (shipped.name, shipped.texture_index)
        assert material.base_color == pytest.approx(shipped.base_color, abs=1e-6)
    for index, (texture, shipped) in enumerate(zip(new.textures, old.textures, strict=True)):
        assert texture.shape == shipped.shape, index
        apart = np.abs(texture.astype(int) - shipped)
        assert apart.max() <= COLOUR_LEVELS, index
        assert (apart > 0).any(axis=2).mean() <= PIXEL_SHARE, index


def test_runs_say_the_same(made: Path) -> None:
    files = sorted(name for name in names(made) if name.startswith("runs/"))
    assert len(files) == 21
    for name in files:
        new, old = ((folder / name).read_text(encoding="utf-8") for folder in (made, SHIPPED))
        if name.endswith(".log"):
            assert new == old, name
            continue
        lines = (new.splitlines(), old.splitlines()) if name.endswith("l") else ([new], [old])
        assert is_same(*([json.loads(line) for line in text] for text in lines)), name


def test_takes_and_study_say_the_same(made: Path) -> None:
    takes = sorted(name for name in names(made) if name.startswith(f"{TAKES_FOLDER}/"))
    assert len(takes) == 12
    for name in takes:
        new, old = ((folder / name).read_text(encoding="utf-8") for folder in (made, SHIPPED))
        if name.endswith(".csv"):
            assert new == old, name
            continue
        records = [[json.loads(line) for line in text.splitlines()] for text in (new, old)]
        for header, *_ in records:
            # The bytes of the scene may differ in their last digits.
            del header["scene_hash"]
        assert is_same(*records), name
    new_study, old_study = (
        json.loads((folder / STUDY_FILE).read_text(encoding="utf-8")) for folder in (made, SHIPPED)
    )
    assert is_same(new_study, old_study)


def test_the_takes_are_of_the_shipped_scene_and_small() -> None:
    scene_hash = read_scene(SHIPPED / GLB_FILE).content_hash
    for file in (SHIPPED / TAKES_FOLDER).glob("*.csv"):
        assert read_recording(file).header["scene_hash"] == scene_hash
    sizes = [file.stat().st_size for file in (SHIPPED / TAKES_FOLDER).iterdir()]
    assert sum(sizes) + (SHIPPED / STUDY_FILE).stat().st_size < 300_000


def test_a_take_of_the_study_is_scored_as_its_file_says() -> None:
    """The numbers that ship are those that reading the file again gives."""
    study = read_study((SHIPPED / STUDY_FILE).read_text(encoding="utf-8"))
    episodes = exhaust(read_study_episodes(study, SHIPPED))
    assert len(study.takes) == 6
    for take in study.takes.values():
        again = take_of_file(
            study, SHIPPED, SHIPPED / take.path, episodes.find, episodes.scenery_of
        )
        assert again.summary == take.summary
        assert again.scores == pytest.approx(take.scores, abs=1e-9), take.key
    by_hand = {("P-4K7D", "1_0"): 6.15, ("P-4K7D", "5_0"): 3.8, ("P-9WRM", "4_0"): 1.32}
    lengths_m = {
        (key.participant, key.episode_id): take.summary.path_length_m
        for key, take in study.takes.items()
    }
    assert by_hand == {key: pytest.approx(lengths_m[key], abs=1e-6) for key in by_hand}
    assert [told_of(take) for take in study.takes.values()][-2:] == [
        "You did not reach the goal. You stopped 5.4 m from it.",
        "You gave up 7.5 m from the goal.",
    ]
