"""Numbers that mean nothing are refused, whichever argument of whichever command has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from path_arguments import arguments, write_world

from waypost.app.commands.arguments.number_types import seed
from waypost.app.main import main

WORDS = ("nan", "inf", "-inf", "1e400", "-1", "0")

_DRIVE = "drive --scene {scene} --agent human --from 1,-1,0 --to 2,-1,0"
_STUDY = (
    "study create --project {out}/new.waypost --name s --episodes {study_episodes}"
    " --consent {consent}"
)
_RUN = "{results} --annotations {annotations} --connectivity {connectivity}"
_EVALUATE = (
    "evaluate --profile r2r --annotations {annotations} --results {results}"
    " --connectivity {connectivity}"
)
_RECORD = (
    "record --scene {scene} --episodes {driven} --episode kujiale_0001_1_2 --script {keys}"
    " --out {out}/takes"
)
_NAVMESH = "navmesh --scene {scene}"
_TOUR = "tour --scene {scene} --graph {graph} --nodes n0,n1 --out {out}/film.mp4"
_PANORAMAS = "panoramas --scene {scene} --graph {graph} --out {out}/pictures"


@dataclass(frozen=True, slots=True)
class NumberArgument:
    """An argument that takes a number."""

    words: str
    """The command line before it."""

    means: tuple[str, ...] = ()
    """Which of ``WORDS`` mean something."""


NUMBERS = {
    "scene info --metres-per-unit": NumberArgument("scene info {scene}"),
    "drive --time-limit": NumberArgument(_DRIVE),
    "drive --metres-per-unit": NumberArgument(_DRIVE),
    "record --duration": NumberArgument(_RECORD),
    "record --metres-per-unit": NumberArgument(_RECORD),
    "prelabel --metres-per-unit": NumberArgument("prelabel --scene {scene} --graph {graph}"),
    "graph check --metres-per-unit": NumberArgument("graph check {graph} --scene {scene}"),
    "graph import --metres-per-unit": NumberArgument(
        "graph import {graph} --project {project} --add --scene {scene}"
    ),
    "graph propose --metres-per-unit": NumberArgument("graph propose --scene {scene}"),
    "conformance --metres-per-unit": NumberArgument(
        "conformance --engine physx --scene {scene} --graph {graph}"
    ),
    "tour --metres-per-unit": NumberArgument(_TOUR),
    "panoramas --metres-per-unit": NumberArgument(_PANORAMAS),
    "team set --seed": NumberArgument("team set --project {project}", ("-1", "0")),
    "study create --count": NumberArgument(_STUDY),
    "study create --overlap": NumberArgument(_STUDY),
    "study create --seed": NumberArgument(_STUDY, ("-1", "0")),
    "study create --break-episodes": NumberArgument(_STUDY, ("0",)),
    "study create --break-minutes": NumberArgument(_STUDY, ("0",)),
    "study create --time-limit": NumberArgument(_STUDY, ("0",)),
    "study rules --time-limit": NumberArgument("study rules --project {study}", ("0",)),
    "study add-participant --number": NumberArgument("study add-participant --project {study}"),
    "study export --seed": NumberArgument(
        "study export --project {study} --out {out}/export", ("0",)
    ),
    "tour --eye-height": NumberArgument(_TOUR, ("-1", "0")),
    "tour --fps": NumberArgument(_TOUR),
    "tour --speed": NumberArgument(_TOUR),
    "tour --pitch": NumberArgument(_TOUR, ("-1", "0")),
    "tour --turn-time": NumberArgument(_TOUR, ("0",)),
    "tour --fov": NumberArgument(_TOUR),
    "panoramas --eye-height": NumberArgument(_PANORAMAS, ("-1", "0")),
    "panoramas --heading": NumberArgument(_PANORAMAS, ("-1", "0")),
    "panoramas --fov": NumberArgument(_PANORAMAS),
    "graph export --camera-height": NumberArgument(
        "graph export --project {project} --form connectivity --out {out}/graphs"
    ),
    "evaluate --seed": NumberArgument(_EVALUATE, ("0",)),
    "evaluate --workers": NumberArgument(_EVALUATE, ("0",)),
    "navmesh --radius": NumberArgument(_NAVMESH, ("0",)),
    "navmesh --height": NumberArgument(_NAVMESH),
    "navmesh --climb": NumberArgument(_NAVMESH, ("0",)),
    "navmesh --slope": NumberArgument(_NAVMESH, ("0",)),
    "navmesh --cell-size": NumberArgument(_NAVMESH),
    "navmesh --cell-height": NumberArgument(_NAVMESH),
    "navmesh --file-version": NumberArgument(_NAVMESH),
    "navmesh --metres-per-unit": NumberArgument(_NAVMESH),
    "questions mark number": NumberArgument("questions mark --project {project} --hallucinated"),
    "conformance --drives": NumberArgument("conformance --engine physx"),
    "prelabel --workers": NumberArgument("prelabel --scene {scene} --graph {graph}"),
    "score create --seed": NumberArgument(
        "score create {annotations} --project {project} --batch b --raters a,b", ("-1", "0")
    ),
    "score create --eye-height": NumberArgument(
        "score create {annotations} --project {project} --batch b --raters a,b"
    ),
    "replay --attempt": NumberArgument(f"replay {_RUN} --episode 7_0"),
    "replay --step": NumberArgument(f"replay {_RUN} --episode 7_0 --png {{out}}/p.png", ("0",)),
    "report --most": NumberArgument(f"report {_RUN} --out {{out}}/report", ("0",)),
}
"""By command and argument."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Valid companions."""
    return write_world(tmp_path_factory.mktemp("world"))


@pytest.mark.parametrize(
    ("argument", "word"),
    [
        (argument, word)
        for argument, number in NUMBERS.items()
        for word in WORDS
        if word not in number.means
    ]
    + [("study add-participant --number", "1000000000000"), ("evaluate --workers", "1000000")],
)
def test_it_is_refused_in_one_line(
    argument: str,
    word: str,
    world: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    option = argument.rpartition(" ")[2]
    given = f"{option}={word}" if option.startswith("--") else word
    words = f"{NUMBERS[argument].words} {given}".split()
    try:
        code = main([part.format(out=tmp_path, **world) for part in words])
    except SystemExit as end:  # bad usage
        code = int(end.code or 0)
    err = capsys.readouterr().err
    assert (code, err.startswith("error: "), err.count("\n")) == (2, True, 1), err
    assert list(tmp_path.iterdir()) == []


def test_every_number_is_in_the_table() -> None:
    """A new argument is told here which odd numbers mean something."""
    found = {argument for argument, action in arguments() if action.type in {int, float, seed}}
    assert found == set(NUMBERS)
