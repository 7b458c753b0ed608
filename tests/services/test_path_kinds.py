"""What a path is, by its first bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.picture_folders import four_views
from fixtures.replay_files import RunFiles, write_run
from gui.house import write_house

from waypost.domain.base.errors import ReadError
from waypost.services.path_kinds import PathKind, kind_of_path


@pytest.fixture
def line(tmp_path: Path) -> RunFiles:
    return write_run(tmp_path, {"7_0": "ABC"})


def test_each_part_of_a_run_is_told_apart(line: RunFiles) -> None:
    assert kind_of_path(line.results) is PathKind.RUN
    assert kind_of_path(line.annotations) is PathKind.EPISODES
    assert kind_of_path(line.connectivity) is PathKind.GRAPHS


def test_projects_scenes_films_and_folders(tmp_path: Path) -> None:
    film = tmp_path / "tour.MP4"
    film.write_bytes(b"\0\0\0\x18ftypisom")
    four_views(tmp_path / "pictures", "line/A/{}.jpg")
    (tmp_path / "runs").mkdir()
    drawn = tmp_path / "house-graph.json"
    drawn.write_text(json.dumps({"nodes": [], "edges": []}))
    house = write_house(tmp_path / "house")
    assert kind_of_path(house) is PathKind.PROJECT
    assert kind_of_path(house.with_suffix(".glb")) is PathKind.SCENE
    assert kind_of_path(film) is PathKind.FILM
    assert kind_of_path(tmp_path / "pictures") is PathKind.PICTURES
    assert kind_of_path(tmp_path / "runs") is PathKind.FOLDER
    assert kind_of_path(drawn) is PathKind.GRAPHS


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("gone.json", None, "does not exist"),
        ("gone.waypost", None, "does not exist"),
        ("gone-graph.json", None, "does not exist"),
        ("empty.glb", b"", "the file is empty"),
        ("text.waypost", b"hello, this is text", "this is no Waypost project"),
        ("notes.usda", b"hello", "this is no scene file"),
        ("notes.txt", b"hello", "this is neither a project nor a scene nor results"),
        ("things.json", b'[{"what": 1}]', "holds no runs in a known format"),
    ],
)
def test_what_is_nothing_of_it_is_refused_with_the_reason(
    name: str, content: bytes | None, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ReadError, match=reason) as refusal:
        kind_of_path(path)
    assert refusal.value.file == str(path)
