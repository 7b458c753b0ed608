"""What paths that are dropped together are opened as, and the words for it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from waypost.app.window.drop_outcome import DropOutcome, drop_outcome, kinds_of
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.path_kinds import PathKind

HOME, BOX = Path("/d/home.waypost"), Path("/d/box.glb")
GPT, NAV = Path("/d/gpt.json"), Path("/d/nav.json")
EPISODES, GRAPHS, PICTURES = Path("/d/R2R_val.json"), Path("/d/connectivity"), Path("/d/views")
KINDS = {
    HOME: PathKind.PROJECT,
    BOX: PathKind.SCENE,
    GPT: PathKind.RUN,
    NAV: PathKind.RUN,
    EPISODES: PathKind.EPISODES,
    GRAPHS: PathKind.GRAPHS,
    PICTURES: PathKind.PICTURES,
    Path("/d/tour.mp4"): PathKind.FILM,
    Path("/d/some"): PathKind.FOLDER,
}


def outcome(*paths: Path, at_hand: str = "") -> DropOutcome:
    return drop_outcome({path: KINDS[path] for path in paths}, at_hand)


def refusal(*paths: Path, at_hand: str = "") -> str:
    with pytest.raises(InputError) as refused:
        outcome(*paths, at_hand=at_hand)
    return str(refused.value)


def test_one_path() -> None:
    assert outcome(HOME) == DropOutcome("Open the project “home.waypost”", HOME)
    assert outcome(BOX) == DropOutcome("Open the scene “box.glb”", BOX)
    assert outcome(GPT) == DropOutcome(
        "Open “gpt.json” as a run in Replay", runs=(RunSource((Path("/d/gpt.json"),)),)
    )
    for name in ("/d/some", "/d/views"):
        folder = Path(name)
        assert outcome(folder, at_hand="gpt") == DropOutcome(
            f"Look for runs in “{folder.name}”", folder=folder
        )


def test_runs_take_what_is_dropped_with_them() -> None:
    given = RunSource((), (EPISODES,), GRAPHS, PICTURES)
    assert outcome(GRAPHS, GPT, EPISODES, NAV, PICTURES) == DropOutcome(
        "Open “gpt.json” and “nav.json” as runs in Replay,"
        " with “connectivity”, “R2R_val.json” and “views”",
        runs=(
            dataclasses.replace(given, results=(GPT,)),
            dataclasses.replace(given, results=(NAV,)),
        ),
    )


def test_a_run_goes_into_the_project_that_is_dropped_with_it() -> None:
    assert outcome(GPT, HOME) == DropOutcome(
        "Open “gpt.json” as a run in “home.waypost”", HOME, (RunSource((Path("/d/gpt.json"),)),)
    )


def test_what_belongs_to_a_run_goes_to_the_one_at_hand() -> None:
    assert outcome(GRAPHS, EPISODES, at_hand="gpt") == DropOutcome(
        "Use “connectivity” and “R2R_val.json” as the graphs and episodes of the run gpt",
        given=RunSource(
            annotations=(Path("/d/R2R_val.json"),), connectivity=Path("/d/connectivity"), name="gpt"
        ),
    )


def test_what_cannot_be_opened_together_is_refused_in_one_sentence() -> None:
    assert refusal(HOME, BOX) == (
        "“home.waypost” and “box.glb”: only one of them can be open; drop one"
    )
    assert refusal(GRAPHS) == (
        "“connectivity”: this belongs to a run; drop its results together with it"
    )
    assert refusal(GRAPHS, HOME, at_hand="gpt").startswith("“connectivity”: this belongs to a run")
    assert refusal(GPT, PICTURES, Path("/d/tour.mp4")).endswith("in one place; drop one")
    assert refusal(GPT, Path("/d/some")) == (
        "“some” is neither results nor pictures; drop it alone"
    )
    five = {Path(f"/d/{number}.json"): PathKind.RUN for number in range(5)}
    with pytest.raises(InputError, match="5 runs: at most 4 stand beside each other"):
        drop_outcome(five, "")


def test_a_file_of_connectivity_stands_for_its_folder(tmp_path: Path) -> None:
    (tmp_path / "line_connectivity.json").write_text("[]")
    paths = [tmp_path / "line_connectivity.json", tmp_path]
    assert exhaust(kinds_of(paths)) == {tmp_path: PathKind.GRAPHS}
