"""A run and what belongs to it: its paths in a project, and what completes it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from waypost.domain.episode.run_source import RunSource
from waypost.domain.traverse.judged_graph import JudgedGraph

WHOLE = RunSource(
    (Path("/home/p/runs/gpt.json"),),
    (Path("/home/p/val.json"), Path("/data/more.json")),
    Path("/data/connectivity"),
    Path("/home/p/views"),
    Path("/home/p/house.glb"),
    "gpt",
    "r2r",
    "soon",
    "navgpt",
    JudgedGraph(),
    ("val.json has 1 of the first 1 run",),
)


def test_a_project_keeps_what_lies_in_its_folder_relative_and_nothing_of_the_moment() -> None:
    kept = WHOLE.kept_in(Path("/home/p"))
    assert kept == RunSource(
        (Path("runs/gpt.json"),),
        (Path("val.json"), Path("/data/more.json")),
        Path("/data/connectivity"),
        Path("views"),
        None,
        "gpt",
        "r2r",
        "soon",
        "navgpt",
    )
    moved = kept.under(Path("/elsewhere"))
    assert moved.file == Path("/elsewhere/runs/gpt.json")
    assert moved.annotations == (Path("/elsewhere/val.json"), Path("/data/more.json"))
    assert (moved.connectivity, moved.pictures) == (
        Path("/data/connectivity"),
        Path("/elsewhere/views"),
    )
    assert moved.kept_in(Path("/elsewhere")) == kept


def test_paths_of_the_current_folder_are_kept_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = RunSource((Path("gpt.json"),), connectivity=Path("../graphs"))
    kept = given.kept_in(tmp_path)
    assert kept.file == Path("gpt.json")
    assert kept.under(tmp_path).connectivity.resolve() == tmp_path.parent / "graphs"


def test_what_is_given_stays_and_what_is_empty_is_completed() -> None:
    bare = RunSource((Path("a.json"),), name="own")
    assert bare.completed(WHOLE) == dataclasses.replace(WHOLE, results=bare.results, name="own")
    assert RunSource().completed(WHOLE) == WHOLE
    assert WHOLE.completed(bare) == WHOLE


@pytest.mark.parametrize("results", [(), (Path("a"), Path("b"))])
def test_only_one_run_has_a_file(results: tuple[Path, ...]) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        RunSource(results).file  # noqa: B018 - reading it is what is tried
