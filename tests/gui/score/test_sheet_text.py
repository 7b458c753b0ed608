"""The text on the sheet: every script from its own side, as long as it is, in each wording."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fixtures.score_examples import RUBRIC
from gui.score.conftest import at_batch
from gui.user import User
from PySide6.QtWidgets import QPushButton, QTextEdit

from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.project import Project
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

LONG = "\r\n".join(f"Walk past sofa {number:03d}." for number in range(238)) + "Stop"
"""5,000 characters in 238 lines."""

TEXTS = {
    "lines": "Go on.\n\n  Then stop.\n",
    "arabic": "Stop at the sign:\nاذهب إلى المطبخ\nלך למטבח",
    "hindi": "रसोई में जाओ और रुको।",
    "chinese": "走到厨房，然后停下。",
    "emoji": "Go 🙂 past 👩‍🚀 and 🏳️‍🌈.",
    "long": LONG,
}


def at_texts(user: User, tmp_path: Path, instructions: Sequence[InstructionText]) -> ScoreWorkspace:
    book = make_batch(NO_SCORES, BatchWish("demo", RUBRIC, ("ana",)), instructions)
    file = tmp_path / "texts.waypost"
    ProjectStore.create(file, Project("texts", scoring=book), "lea").close()
    return at_batch(user, file, "ana")


def test_a_text_is_shown_as_it_is_written(user: User, tmp_path: Path) -> None:
    texts = [InstructionText(item, text) for item, text in TEXTS.items()]
    scoring = at_texts(user, tmp_path, texts)
    view = scoring.face.findChild(QTextEdit)
    assert isinstance(view, QTextEdit)
    for item, text in TEXTS.items():
        scoring.go_to_item(item)
        user.settle()
        assert view.toPlainText() == text.replace("\r\n", "\n"), item
        user.press("4")
        assert user.project.scoring.instruction("demo", item).text == text, item
    assert len(LONG) == 5_000
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    user.press("Tab", "3")
    assert bar.value() == bar.maximum() > 0, "a score leaves the text where it is"


def test_each_paragraph_begins_at_its_own_side(user: User, tmp_path: Path) -> None:
    scoring = at_texts(user, tmp_path, [InstructionText("arabic", TEXTS["arabic"])])
    view = scoring.face.findChild(QTextEdit)
    assert isinstance(view, QTextEdit)
    document = view.document()
    lines = [document.findBlockByNumber(n).layout().lineAt(0) for n in range(3)]
    lefts = [line.naturalTextRect().left() for line in lines]
    rights = [line.width() - line.naturalTextRect().right() for line in lines]
    assert lefts[0] == pytest.approx(0.0, abs=1.0)
    assert rights[0] > 50
    for left, right in zip(lefts[1:], rights[1:], strict=True):
        assert right == pytest.approx(0.0, abs=1.0)
        assert left > 50


def test_the_instructions_of_one_path_are_switched(user: User, tmp_path: Path) -> None:
    path = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    texts = [
        *(InstructionText(f"p_{n}", f"Way {n}", scene_id="s", path_m=path) for n in range(3)),
        InstructionText("other", "Alone", scene_id="t", path_m=path),
        InstructionText("f", "Fine", task="fine", dataset="d", episode_id="1"),
        InstructionText("c", "Coarse", task="coarse", dataset="d", episode_id="1"),
    ]
    scoring = at_texts(user, tmp_path, texts)
    assert scoring.desk.listing.wordings("p_0") == [
        ("p_0", "wording 1"), ("p_1", "wording 2"), ("p_2", "wording 3"),
    ]  # fmt: skip
    assert scoring.desk.listing.wordings("f") == [("c", "coarse"), ("f", "fine")]
    assert scoring.desk.listing.wordings("other") == []
    scoring.go_to_item("p_1")
    user.press("W")
    assert scoring.item == "p_2"
    user.press("W")
    assert scoring.item == "p_0"
    user.click_widget(user.find(QPushButton, "wording 2", scoring.face))
    assert scoring.item == "p_1"
    user.press("4")
    assert [key.item for key in user.project.scoring.sheets] == ["p_1"]
    scoring.go_to_item("other")
    user.press("W")
    assert scoring.item == "other"
