"""The note on a root cause as it is written, as values and without a window."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from waypost.app.replay.causes.cause_draft import CauseDraft
from waypost.app.replay.causes.cause_question import CauseQuestion
from waypost.domain.causes.failure import Axis, Category, CauseKey, CauseMark, Taxonomy

TAXONOMY = Taxonomy("own", "Ours", 2, (Axis("why", "Why", (Category("room", "Room"),)),))
KEY = CauseKey("gpt", "7_0", "ana", "own")
MARK = CauseMark(KEY, 2, {"why": ("room",)}, 3, "dark")
HERE = CauseQuestion(KEY, TAXONOMY)
THERE = CauseQuestion(KEY._replace(episode_id="8_0"), TAXONOMY)
MARKED = replace(HERE, mark=MARK)


def test_it_needs_no_window() -> None:
    code = (
        "import sys, waypost.app.replay.causes.cause_draft;"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_note_is_reported_once_and_without_blanks_at_its_ends() -> None:
    draft = CauseDraft().asked(HERE)
    assert draft.reported() == (draft, None)
    reported, note = draft.written(" a room ").reported()
    assert (note, reported.note) == ("a room", " a room ")
    assert reported.reported() == (reported, None)


def test_whoever_writes_goes_on_while_the_question_is_answered() -> None:
    draft = CauseDraft().asked(HERE).written("half ")
    assert draft.asked(MARKED).note == "half "
    reported, _ = draft.reported()
    kept = replace(MARKED, mark=replace(MARK, note="half"))
    assert reported.asked(kept).note == "half ", "the blank at the cursor stays"
    assert reported.asked(MARKED).note == "dark", "somebody else changed it"


def test_another_question_has_its_own_note() -> None:
    draft = CauseDraft(step=4).asked(THERE).written("lost").asked(MARKED)
    assert (draft.key, draft.note, draft.is_written, draft.step) == (KEY, "dark", False, 4)
    nothing = draft.written("x").asked(None)
    assert (nothing.key, nothing.note, nothing.reported()[1]) == (None, "", None)


@pytest.mark.parametrize(
    ("question", "step", "told"),
    [
        (HERE, None, "Wrong from"),
        (HERE, 7, "Wrong from step 7"),
        (MARKED, 7, "✓ Wrong from step 3 → set to 7"),
        (MARKED, 3, "✓ Wrong from step 3"),
        (MARKED, None, "✓ Wrong from step 3"),
    ],
)
def test_the_step_that_would_be_set(question: CauseQuestion, step: int | None, told: str) -> None:
    assert CauseDraft(step=step).asked(question).step_text == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (None, "Open an episode to say why it failed."),
        (HERE, "Not marked yet."),
        (
            replace(HERE, hidden_count=2),
            "Not marked yet. 2 other analysts have marked this; hidden.",
        ),
        (MARKED, "✓ Complete."),
        (replace(MARKED, others=(MARK,)), "✓ Complete. 1 other analyst has marked this too."),
        (replace(HERE, mark=replace(MARK, choices={})), "Missing: Why."),
    ],
)
def test_how_far_the_mark_is(question: CauseQuestion | None, told: str) -> None:
    assert CauseDraft().asked(question).state_text == told


def test_a_mark_of_an_older_version_says_so() -> None:
    old = replace(MARKED, mark=replace(MARK, taxonomy_version=1))
    said = "Your mark is as of version 1; the next change carries it to version 2."
    assert CauseDraft().asked(old).version_text == said
    assert CauseDraft().asked(MARKED).version_text == ""
