from __future__ import annotations

from pathlib import Path

import pytest
from worlds.scene_files import cube_glb, usd_cube, usda

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress
from waypost.io.scenes.open_scene import open_scene, read_scene


@pytest.mark.parametrize(
    ("name", "content", "place", "words"),
    [
        ("missing.glb", None, "file", "does not exist"),
        ("empty.glb", b"", "file", "empty"),
        ("empty.usda", b"", "file", "empty"),
        ("notes.txt", b"hello", "header", "no scene file"),
        ("picture.glb", b"\x89PNG\r\n\x1a\n" + bytes(64), "header", "no scene file"),
        ("short.glb", b"glTF\x02\0\0\0", "header", "truncated"),
        ("old.glb", b"glTF" + bytes([1, 0, 0, 0]) + bytes(20), "header", "version 1"),
        ("list.gltf", b"[]", "header", "no scene file"),
        ("home-graph.json", b'{"nodes": [], "edges": []}', "name", "JSON, not a scene"),
        ("bom-graph.json", b'\xef\xbb\xbf {"nodes": []}', "name", "JSON, not a scene"),
        ("half.gltf", b'{"asset": {"version": "2.0"', "line 1, column 28", "cut off"),
    ],
)
def test_bad_files_give_one_sentence(
    name: str, content: bytes | None, place: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_scene(path)
    error = caught.value
    assert (error.file, error.place) == (str(path), place)
    assert words in error.reason
    assert str(error) == f"{path}: {place}: {error.reason}"


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="folder"):
        read_scene(tmp_path)


def test_impossible_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="too long"):
        read_scene(tmp_path / ("a" * 300 + ".glb"))


def test_content_counts_and_a_wrong_name_is_explained(tmp_path: Path) -> None:
    path = usda(tmp_path / "house.glb", usd_cube("C"))
    with pytest.raises(ReadError, match="the content is OpenUSD"):
        read_scene(path)


def test_upper_case_suffix_is_fine(tmp_path: Path) -> None:
    assert read_scene(cube_glb().write(tmp_path / "HOUSE.GLB")).triangle_count == 12


@pytest.mark.parametrize("bad", [{"up_axis": "X"}, {"metres_per_unit": 0.0}])
def test_bad_corrections_are_refused(bad: dict[str, object], tmp_path: Path) -> None:
    path = cube_glb().write(tmp_path / "a.glb")
    with pytest.raises(InputError):
        read_scene(path, **bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["glb", "usda"])
def test_progress_is_reported_and_never_beyond_its_total(kind: str, tmp_path: Path) -> None:
    if kind == "glb":
        path = cube_glb().write(tmp_path / "a.glb")
    else:
        path = usda(tmp_path / "a.usda", usd_cube("C"))
    reports = list(open_scene(path))
    assert len(reports) >= 3
    assert all(isinstance(report, Progress) for report in reports)
    assert all(report.done <= report.total for report in reports)
    assert reports[-1].fraction == 1.0
    assert reports[0].fraction is None
