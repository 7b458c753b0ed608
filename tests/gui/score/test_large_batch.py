"""A key costs the same in a large batch as in a small one: work is counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import pytest
from fixtures.score_examples import RUBRIC
from gui.score.conftest import at_batch
from gui.user import User
from PySide6.QtWidgets import QTableView

import waypost
from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.project import Project
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES
from waypost.domain.score.sheet import Sheet, SheetKey, SheetState
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

SMALL, LARGE = 120, 1500
"""Both longer than what the list shows at once; that much is measured anew with each row."""
_OURS = str(Path(waypost.__file__).parent)


def large_file(folder: Path, size: int) -> Path:
    """A batch in which ben has scored everything and ana nothing."""
    texts = tuple(
        InstructionText(f"i{n}", f"Go on to door {n}.", episode_id=f"{n}", task="formal")
        for n in range(size)
    )
    book = make_batch(NO_SCORES, BatchWish("demo", RUBRIC, ("ana", "ben")), texts)
    told = MappingProxyType({"clarity": 3, "accuracy": 2})
    said = (
        Sheet(SheetKey("demo", entry.item, "ben", 1), 1, told, state=SheetState.SUBMITTED)
        for entry in texts
    )
    book = replace(book, sheets=MappingProxyType({own.key: own for own in said}))
    file = folder / f"{size}.waypost"
    ProjectStore.create(file, Project("batch", scoring=book), "lea").close()
    return file


def lines_of(act: Callable[[], object]) -> int:
    """How many lines of Waypost an act runs in this thread."""
    count = 0

    def note(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(_OURS):
            return None
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def work(user: User, scoring: ScoreWorkspace) -> dict[str, int]:
    """Lines of each thing that a rater does, once everything is warm."""

    def fill() -> None:
        scoring.score("clarity", 4)
        scoring.score("accuracy", 5)

    found = {}
    for _ in range(2):
        found["score"] = lines_of(fill)
        found["next criterion"] = lines_of(lambda: scoring.face.step_criterion(1))
        found["submit"] = lines_of(scoring.submit)
        found["undo"] = lines_of(user.window.bench.undo)
        found["flag"] = lines_of(scoring.flag)
        found["next"] = lines_of(lambda: scoring.step(1))
        found["previous"] = lines_of(lambda: scoring.step(-1))
        found["submit again"] = lines_of(scoring.submit)
        found["look back"] = lines_of(lambda: scoring.step(-1))
        found["next open"] = lines_of(scoring.go_to_open)
        user.settle()
    return found


def test_a_key_does_the_same_work_in_every_size_of_batch(user: User, tmp_path: Path) -> None:
    small = work(user, at_batch(user, large_file(tmp_path, SMALL), "ana"))
    large = work(user, at_batch(user, large_file(tmp_path, LARGE), "ana"))
    more = {name: (small[name], large[name]) for name in small}
    assert all(now <= was * 1.02 for was, now in more.values()), more


def test_an_answer_touches_one_row(user: User, tmp_path: Path) -> None:
    scoring = at_batch(user, large_file(tmp_path, 300), "ana")
    model = next(iter(scoring.list.findChildren(QTableView))).model()
    touched: list[tuple[int, int]] = []
    resets: list[int] = []
    model.dataChanged.connect(lambda first, last, *_: touched.append((first.row(), last.row())))
    model.modelReset.connect(lambda: resets.append(1))
    here = scoring.desk.listing.places[scoring.item]
    user.press("4")
    assert touched == [(here, here)]
    assert model.index(here, 1).data() == "begun"
    user.press("Ctrl+Z")
    assert model.index(here, 1).data() == ""
    user.press("4", "Tab", "5", "Return")
    assert set(touched) == {(here, here)}
    assert model.index(here, 1).data() == "✓"
    assert "1 of 300 instructions done" in scoring.panel._progress.text()
    # Ben's is in as well: what ana may have seen stays submitted.
    user.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert set(touched) == {(here, here)}
    assert model.index(here, 1).data() == "✓"
    assert "1 of 300 instructions done" in scoring.panel._progress.text()
    assert not resets


def test_the_kept_up_list_says_what_a_new_one_says(user: User, tmp_path: Path) -> None:
    scoring = at_batch(user, large_file(tmp_path, 12), "ana")
    for _ in range(4):
        user.press("4", "Tab", "5", "Return", "F", ".")
    user.press("Ctrl+Z", "2")
    kept = scoring.list._model.rows
    assert kept == list(type(scoring.desk.listing)(scoring.desk.book, "demo", "ana").rows())
    assert [row.detail for row in kept].count("✓") == 4
