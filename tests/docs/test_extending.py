"""The diffs of docs/extending.md apply, touch as many files as it says, and do what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest
from worlds.scene_files import usd_cube, usda
from worlds.vln_worlds import LINE_POINTS_M, line_annotations

from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.io.agent_files import shipped_agents
from waypost.store.migration import latest_version
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "extending.md"
DIFFS = sorted(path.stem for path in ROOT.glob("docs/extending/*.diff"))
_MOST_S = 300
"""However busy the machine is; what waits for something that never comes ends here."""

_WRITTEN = shutil.ignore_patterns("__pycache__")


class ChangedTree:
    """A copy of the package with one of the diffs applied."""

    def __init__(self, folder: Path, diff: str) -> None:
        self.folder = folder
        patch = ROOT / "docs" / "extending" / f"{diff}.diff"
        shutil.copytree(ROOT / "waypost", folder / "waypost", ignore=_WRITTEN)
        shutil.copytree(ROOT / "docs", folder / "docs", ignore=_WRITTEN)
        shutil.copy(ROOT / "pyproject.toml", folder)
        # Where git finds a repository, it leaves out files outside it without a word.
        alone = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
        subprocess.run(["git", "apply", patch], cwd=folder, env=alone, check=True)

    def python(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run Python with the copy in place of this checkout."""
        own = os.environ | {"PYTHONPATH": str(self.folder)}
        command = [sys.executable, *map(str, words)]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=own,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def waypost(self, *words: str | Path) -> str:
        """What a command prints."""
        done = self.python("-m", "waypost.app.main", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def script(self, text: str, *words: str | Path) -> str:
        """What a script prints."""
        done = self.python("-c", text, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def changed(tmp_path: Path, request: pytest.FixtureRequest) -> ChangedTree:
    """The tree with the diff that the test is marked with."""
    return ChangedTree(tmp_path / "tree", request.param)


def with_diff(name: str) -> pytest.MarkDecorator:
    """Give a test the tree with one of the diffs."""
    return pytest.mark.parametrize("changed", [name], indirect=True)


def touched(diff: str) -> list[str]:
    """The files that a diff changes or adds."""
    text = (ROOT / "docs" / "extending" / f"{diff}.diff").read_text(encoding="utf-8")
    return re.findall(r"^diff --git a/\S+ b/(\S+)$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("diff", DIFFS)
def test_the_page_names_every_file_of_a_diff_and_counts_them(diff: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (section,) = [part for part in page.split("\n## ")[1:] if f"(extending/{diff}.diff)" in part]
    named = re.findall(r"^- `([\w./-]+)`", section, flags=re.MULTILINE)
    assert sorted(named) == sorted(touched(diff))
    count = len([file for file in named if file.startswith("waypost/")])
    assert f"**{count} file{'s' * (count != 1)}**" in section


@with_diff("metric")
def test_a_new_metric_is_listed_and_scored(changed: ChangedTree, tmp_path: Path) -> None:
    assert "  longest_move (m)\n" in changed.waypost("metrics", "list")
    points = LINE_POINTS_M
    (tmp_path / "val.json").write_text(json.dumps(line_annotations()))
    states = [{"position": at, "heading": 0.0, "stop": at == points[-1]} for at in points]
    (tmp_path / "run.json").write_text(json.dumps({"7": states}))
    found = changed.waypost(
        "evaluate", "--profile", "vlnce", "--annotations", tmp_path / "val.json",
        "--results", tmp_path / "run.json", "--json",
    )  # fmt: skip
    assert json.loads(found)["metrics"]["longest_move"]["value"] == 2


@with_diff("run-format")
def test_a_file_of_a_new_run_format_is_found_and_replayed(
    changed: ChangedTree, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    half = 0.5**0.5
    lines = ["# time x y z qx qy qz qw", "0.0 1 2 0 0 0 0 1", f"0.5 2 2 0 0 0 {half} {half}"]
    (runs / "ep7.txt").write_text("\n".join(lines))
    (entry,) = json.loads(changed.waypost("runs", runs, "--json"))["runs"]
    assert (entry["format"], Path(entry["path"]).name) == ("tum", "ep7.txt")
    replay = changed.waypost("replay", runs / "ep7.txt", "--episode", "ep7", "--json")
    steps = json.loads(replay)["steps"]
    assert [step["position_m"] for step in steps] == [[1, 2, 0], [2, 2, 0]]
    headings = [step["heading_rad"] % 6.283185307179586 for step in steps]
    assert headings == pytest.approx([1.5707963, 0], abs=1e-6)  # from +Y, clockwise
    (runs / "bad.txt").write_text("0.0 1 2 0 0 0 0 1\n0.5 2 2 x 0 0 0 1\n")
    refused = changed.python(
        "-m", "waypost.app.main", "replay", runs / "bad.txt", "--episode", "bad"
    )
    assert refused.returncode == 2
    assert refused.stderr.endswith(
        f"error: {runs / 'bad.txt'}: line 2: is no time, position and quaternion\n"
    )


_CHANGE_REACH = """
import sys
from contextlib import closing
from dataclasses import replace
from waypost.store.migration import latest_version
from waypost.store.project_store import ProjectStore
with closing(ProjectStore.open(sys.argv[1])) as store:
    before = store.load()
    agent = before.agents["human"]
    assert agent.reach_m == 0.0
    after = replace(before, agents={**before.agents, "human": replace(agent, reach_m=2.1)})
    store.save(before, after, "mia")
with closing(ProjectStore.open(sys.argv[1])) as store:
    agent = store.load().agents["human"]
    print(agent.reach_m, agent.profile_hash, latest_version())
"""


@with_diff("agent-field")
def test_an_agent_field_is_kept_in_a_project_of_before_without_a_migration(
    changed: ChangedTree, tmp_path: Path
) -> None:
    file = tmp_path / "home.waypost"
    human = shipped_agents()["human"]
    project = Project(agents=MappingProxyType({"human": human}))
    ProjectStore.create(file, project, "mia").close()
    migrations = "waypost/store/migrations"
    assert not [path for path in touched("agent-field") if path.startswith(migrations)]
    told = changed.script(_CHANGE_REACH, file)
    assert told == f"2.1 {human.profile_hash} {latest_version()}\n"
    copies = [path.name for path in tmp_path.glob("*.waypost*")]
    assert copies == ["home.waypost"], "a migration keeps a copy"


@with_diff("engine")
def test_a_new_engine_drives(changed: ChangedTree, tmp_path: Path) -> None:
    floor = usd_cube("floor", size=(6, 4, 0.1))
    wall = usd_cube("wall", size=(0.2, 4, 2), more="double3 xformOp:translate = (4, 0, 0.1)\n"
                    '    uniform token[] xformOpOrder = ["xformOp:translate"]')  # fmt: skip
    scene = usda(tmp_path / "room.usda", floor + wall)
    way = ("--scene", scene, "--agent", "human", "--from", "1,2,0.1", "--json")
    there, stopped = (
        json.loads(changed.waypost("drive", "--engine", "rays", *way, "--to", to))
        for to in ("3,2,0.1", "5,2,0.1")
    )
    assert (there["engine"], there["reached"], there["contacts"]) == ("rays", True, [])
    assert there["stopped_at_m"] == pytest.approx([3, 2, 0.1], abs=0.021)
    assert (stopped["reached"], stopped["blocked_by"]) == (False, "obstacle")
    # a round body of 0.6 m in front of a wall
    assert stopped["stopped_at_m"] == pytest.approx([3.7, 2, 0.1], abs=0.012)
    assert [contact["object"] for contact in stopped["contacts"]] == ["/wall"]


_SHOW_IT = """
import sys
import time
from pathlib import Path
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from waypost.app.window.startup import make_application, opened_window
def wait(until):
    while not until():
        make_application().processEvents()
        time.sleep(0.01)  # which lets the thread work that imports
with opened_window(Path("config"), Path("data")) as window:
    window.show()
    window.activateWindow()
    wait(window.isActiveWindow)
    window.bench.open_path(Path(sys.argv[1]))
    wait(lambda: window.bench.document is not None)
    workspaces, handle = window.workspaces, window.windowHandle()
    QTest.keyClick(handle, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    wait(lambda: workspaces.shown.scope == "measure")
    print(*(spec.title for spec in workspaces.specs), sep=", ")
    print(workspaces.current.left.text())
    QTest.keyClick(handle, Qt.Key.Key_C)
    print(workspaces.current.left.text(), workspaces.current.left.isVisible())
    entries = window.actions_set.palette_entries()
    print([entry.key for entry in entries if entry.key.startswith("measure.")])
"""


@pytest.mark.gui
@with_diff("workspace")
def test_a_new_workspace_is_shown_by_its_key_and_hears_its_own(
    changed: ChangedTree, tmp_path: Path
) -> None:
    file = tmp_path / "three.waypost"
    nodes = [Node(name, name, (float(place), 0.0, 0.0)) for place, name in enumerate("abc")]
    edges = [Edge("ab", "a", "b"), Edge("bc", "b", "c")]
    ProjectStore.create(file, Project(graph=build_graph(nodes, edges)), "mia").close()
    assert changed.script(_SHOW_IT, file).splitlines() == [
        "Graph, Traverse, Record, Score, Replay, Measure",
        "2 edges to measure",
        "3 nodes True",
        "['measure.nodes']",
    ]
