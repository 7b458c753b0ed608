"""RxR in the real window: each step shows what the guide said there, or why nothing is marked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cut_text import cut_texts
from fixtures.picture_folders import four_views
from fixtures.rxr_files import write_rxr, write_trace
from gui.runs import add_run, asked, open_episode
from gui.user import User
from shown_parts import marked_pieces

from waypost.app.replay.workspace import ReplayWorkspace

pytestmark = pytest.mark.gui


@pytest.fixture
def replay(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """Two walks of followers; the second guide's pose trace is cut off."""
    files = write_rxr(tmp_path / "rxr-data")
    traces = files.annotations.parent / "pose_traces" / "rxr_val_unseen"
    write_trace(traces / "000026_guide_pose_trace.npz")
    cut = write_trace(traces / "000027_guide_pose_trace.npz")
    cut.write_bytes(cut.read_bytes()[:-40])
    for name in "ABCDEU":
        four_views(tmp_path / "pictures", f"line/{name}/{{}}.jpg")
    user.open(house)
    user.press("Ctrl+5")
    add_run(user, asked(files, "followers", tmp_path / "pictures"))
    return user.window.replay


def keep_picture(user: User, name: str) -> None:
    folder = os.environ.get("WAYPOST_PICTURES")
    if folder:
        user.settle()
        user.window.grab().save(f"{folder}/{name}.png")


def test_steps_show_the_words_that_were_said_there(user: User, replay: ReplayWorkspace) -> None:
    open_episode(user, "26")
    instruction, note = replay.views.card.instruction.flow, replay.views.card._instruction_note
    marked = []
    for step in range(6):
        marked.append(marked_pieces(instruction))
        keep_picture(user, f"words_{step}")
        assert cut_texts(user.window) == []
        user.press("Right")
    first, second, third = ("Leave the room",), ("walk past the sofa",), ("Stop at the lamp",)
    assert marked == [first, first, second, (), second, third]
    assert note.toPlainText() == ("Now (said by the guide from 6.0 s on): “Stop at the lamp.”")


def test_a_damaged_trace_is_told_in_the_card(user: User, replay: ReplayWorkspace) -> None:
    open_episode(user, "27")
    card = replay.views.card
    assert marked_pieces(card.instruction.flow) == ()
    assert "000027_guide_pose_trace.npz: file: is no whole" in card._instruction_note.toPlainText()
    keep_picture(user, "damaged")
    assert cut_texts(user.window) == []
