"""The notebook and its page run on the sample as they are written; what is stored is what comes."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

import waypost
from waypost.app.main import main
from waypost.store.project_store import ProjectStore

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
PAGE = ROOT / "docs" / "python.md"


def told(notebook: Any) -> list[list[str]]:
    """What each cell of code says, without the spaces by which tables are set."""
    return [
        [
            " ".join((output.get("text") or output["data"]["text/plain"]).split())
            for output in cell["outputs"]
            if "Styler" not in output.get("data", {}).get("text/plain", "")
        ]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_the_notebook_gives_what_is_stored_in_it(tmp_path: Path) -> None:
    assert main(["sample", str(tmp_path / "home")]) == 0
    stored = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(fresh, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert told(fresh) == told(stored)
    assert sum(map(len, told(stored))) >= 6
    assert "linear-gradient" in str(fresh["cells"]), "bars"


def test_the_page_runs_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["sample", str(tmp_path / "home")]) == 0
    monkeypatch.chdir(tmp_path / "home")
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)  # noqa: S102 - our own page
    assert len(names["scores"].to_frame()) == len(names["runs"]) == 7
    scored = waypost.read_study("home.waypost").to_frame()
    store = ProjectStore.open(tmp_path / "home" / "home.waypost")
    project = store.load()
    takes = project.study.takes
    wrong = {
        key: dataclasses.replace(take, scores=dict.fromkeys(take.scores, 0.25), scoring_version=0)
        for key, take in takes.items()
    }
    study = dataclasses.replace(project.study, takes=wrong)
    store.save(project, dataclasses.replace(project, study=study), "ada", "Score otherwise")
    store.close()
    # Scores of a version that computed otherwise are computed anew, as an export does.
    pd.testing.assert_frame_equal(waypost.read_study("home.waypost").to_frame(), scored)
