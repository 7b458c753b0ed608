"""Numbers out of range, and options that mean nothing together, are refused before the work."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from path_arguments import write_world

from waypost.app.main import main

pytestmark = pytest.mark.no_cover

_REPLAY = "replay {results} --annotations {annotations} --connectivity {connectivity} --episode 7_0"
_TOUR = "tour --scene {scene} --graph {graph} --nodes n0,n1 --out {out}/a"
_PANORAMAS = "panoramas --scene {scene} --graph {graph} --out {out}"
_SEED = "argument --seed: '-1' is not a whole number from 0; --help says more"
_STUDY = "study create --project {out}/s.waypost --episodes {driven} --consent {consent}"
REFUSED = {
    "evaluate --results {results} --seed -1": f"waypost evaluate: {_SEED}",
    "study export --project {study} --out {out} --seed -1": f"waypost study export: {_SEED}",
    "evaluate --results {results} --assume-stop": (
        "--assume-stop: belongs to what a --profile computes; none is named"
    ),
    "evaluate --results {results} --goal-distance straight-line": (
        "--goal-distance: belongs to what a --profile computes; none is named"
    ),
    "evaluate --results {results} --navmesh {out}": (
        "--navmesh: belongs to what a --profile computes; none is named"
    ),
    "drive --scene {scene} --agent human --from 1,-1,0 --to 2,-1,0 --time-limit inf": (
        "--time-limit: inf is not above 0 and below a day"
    ),
    "labels export --project {project} --out {out}/l.csv --humanoid ROBOT": (
        "--humanoid: belongs to CapNav's *.json; a CSV has our own words"
    ),
    "labels export --project {project} --out {out}/l.csv --uncertain-as-blocked": (
        "--uncertain-as-blocked: belongs to CapNav's *.json; a CSV has our own words"
    ),
    f"{_REPLAY} --png {{out}}/p.gif": "--png: {out}/p.gif does not end in .png",
    f"{_REPLAY} --pictures {{out}}": (
        "--pictures: stand in a picture; ask for one with --png, --gif or --mp4"
    ),
    f"{_REPLAY} --gif {{out}}/p.gif --step 1": (
        "--step: says how far --png is drawn, which is not asked for"
    ),
    "report {results} --out {out}/report --allow-outside": (
        "--allow-outside, --asset-folder: need --project, which has the scene"
    ),
    "navmesh --scene {scene} --cell-size 0": "--cell-size: 0 is outside 0.005 to 5",
    "navmesh --scene {scene} --file-version 2": "--file-version: belongs to --out",
    "navmesh --scene {scene} --from 1,2 --to 1,2,3": "--from: 1,2: expected three numbers X,Y,Z",
    "navmesh --navmesh {graph} --up-axis Z": (
        "--up-axis: belongs to --scene; of a project's scene, waypost scene set says it"
    ),
    "graph export --project {project} --out {out}/g.json --scan s": (
        "--scan: belongs to --form connectivity"
    ),
    "graph export --project {project} --out {out}/g.json --camera-height 1.4": (
        "--camera-height: belongs to --form connectivity"
    ),
    "graph export --project {project} --form connectivity --out {out} --camera-height nan": (
        "camera height: nan m is not above the floor by 100 m at most"
    ),
    "score create {annotations} --project {project} --batch b --raters a --rubric navbench-simple"
    " --rubric-file {keys}": (
        "waypost score create: argument --rubric-file: not allowed with argument --rubric; --help"
        " says more"
    ),
    "scene set --project {project} --although-different": "--although-different: belongs to --file",
    "scene set --project {project} --leave-nodes": (
        "--leave-nodes: belongs to --up-axis and --metres-per-unit"
    ),
    "scene set --project {project} --file {scene} --metres-per-unit 0": (
        "--metres-per-unit: 0: is not above 0"
    ),
    "team decide a b human --project {project} --accept ana --reason obstacle": (
        "--reason: belongs to --verdict"
    ),
    "team decide a b human --project {project} --reopen --comment why": (
        "--comment: belongs to --verdict and --return"
    ),
    f"{_TOUR}.avi": "{out}/a.avi: name: does not end with .mp4",
    "tour --project {project} --nodes n0,n1 --out {out}/a.mp4 --frame capnav": (
        "--frame: belongs to --graph"
    ),
    "tour --project {project} --nodes n0,n1 --out {out}/a.mp4 --background sky": (
        "--background: 'sky' is no colour like #14171c"
    ),
    "tour --scene {scene} --recording {labels} --out {out}/a.mp4 --speed 2": (
        "--speed: is of a walk along --nodes"
    ),
    f"{_PANORAMAS}/full": "{out}/full: folder: is not empty; --force replaces its pictures",
    f"{_PANORAMAS}/new --views four --heading 90": (
        "--heading: four views have headings of their own"
    ),
    f"{_STUDY} --show nothing --show map": "--show: nothing goes with nothing else",
    f"{_STUDY} --ask reached --ask nothing": "--ask: nothing goes with nothing else",
    "study add-participant --project {study} --code ": (
        "{study}: study: a participant needs a code"
    ),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Valid companions."""
    return write_world(tmp_path_factory.mktemp("world"))


@pytest.mark.parametrize("words", REFUSED)
def test_it_is_refused_and_changes_nothing(
    words: str, world: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    places = {"out": str(tmp_path), **world}
    before = {name: Path(world[name]).read_bytes() for name in ("project", "study")}
    assert _code(word.format(**places) for word in words.split(" ")) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"error: {REFUSED[words].format(**places)}\n")
    assert {name: Path(world[name]).read_bytes() for name in before} == before
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["full", "mine"]


def _code(words: Iterable[str]) -> int:
    try:
        return main(list(words))
    except SystemExit as ended:
        return int(ended.code or 0)
