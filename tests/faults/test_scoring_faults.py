"""What people did and typed is there after a kill, and a submission taken back stays so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from fixtures.score_examples import batch_of, book_of, items_of, scored
from import_path import IMPORT_PATH

from waypost.domain.project import Project
from waypost.domain.score.score_book import add_batch
from waypost.domain.score.sheet import SheetState
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.faults


def killed_after(script: str, *arguments: Path, says: tuple[bytes, ...]) -> None:
    """Run a session until it has said all that, and kill it."""
    session = subprocess.Popen(
        [sys.executable, Path(__file__).parent / "programs" / script, *arguments],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": IMPORT_PATH},
    )
    assert session.stdout is not None
    for line in says:
        assert session.stdout.readline() == line
    session.kill()
    session.stdout.close()
    assert session.wait() == -9


def test_an_undone_submission_is_undone_after_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "scores.waypost"
    ProjectStore.create(file, Project("scores", scoring=book_of()), "lea").close()
    killed_after("scoring_session.py", file, says=(b"submitted\n", b"undone\n"))
    with closing(ProjectStore.open(file)) as store:
        sheet = store.load().scoring.sheet("demo", "i0", "ana")
    assert (sheet.state, dict(sheet.scores)) == (SheetState.OPEN, {"clarity": 4, "accuracy": 4})


@pytest.mark.gui
def test_what_is_half_typed_is_there_after_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "scores.waypost"
    pairs = replace(
        batch_of("pairs"),
        assigned=MappingProxyType({"ana": ("q",)}),
        pairs=MappingProxyType({"q": ("i0", "i1")}),
    )
    book = add_batch(scored(book_of(), "i0", "ana", 4, 4), pairs, items_of("pairs"))
    ProjectStore.create(file, Project("scores", scoring=book), "lea").close()
    killed_after("typing_window.py", file, tmp_path / "home", says=(b"kept\n", b"entered\n"))
    with closing(ProjectStore.open(file)) as store:
        kept = store.load().scoring
    begun, said = kept.sheet("demo", "i1", "ana"), kept.comparison("pairs", "q", "ana")
    assert (begun.state, begun.skip_reason) == (SheetState.OPEN, "no pict")
    assert (said.state, said.comment, said.skip_reason) == (SheetState.OPEN, "both od", "the sa")
    told = kept.sheet("demo", "i0", "ana")
    assert (told.state, told.decision_comment) == (SheetState.SUBMITTED, "look aga")
    (entered,) = (tmp_path / "home" / "forms").iterdir()
    assert json.loads(entered.read_text()) == {"Name": "pilo"}
