from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from waypost.app.record.new_study_dialog import NewStudyDialog, StudyFileDialogs
from waypost.app.record.study_checks import NewStudy, file_sentence, practice_ids, study_problems
from waypost.domain.record.take_rules import TakeRules
from waypost.services.study.making import EpisodeFileFacts

VALUES = NewStudy("Walk", "e.json", 50, False, "I agree.")
FILE = EpisodeFileFacts("e.json", 3, ("s1",), ("val",), frozenset({"1_0", "1_1", "1_2"}), 0, 3)


def test_a_complete_form_has_no_problem() -> None:
    assert study_problems(VALUES, None) == {}
    assert study_problems(VALUES, FILE) == {}


def test_what_is_missing_is_said_at_its_field() -> None:
    problems = study_problems(NewStudy("", "", 1, False, " "), FILE)
    assert set(problems) == {"name", "episodes_path", "consent_text"}


def test_practice_must_be_in_the_file_and_leave_something() -> None:
    unknown = study_problems(replace(VALUES, practice=("9",)), FILE)
    assert unknown == {"practice": "The file has no episode 9."}
    nothing = replace(VALUES, practice=("1_0", "1_1"), is_first_practice=True)
    assert study_problems(nothing, FILE) == {"practice": "No episode is left beside practice."}
    # What another file held says nothing about this one.
    other = replace(FILE, path="other.json")
    assert study_problems(replace(VALUES, practice=("9",)), other) == {}


def test_viewpoints_need_their_graphs() -> None:
    file = replace(FILE, unplaced=2_349)
    problems = study_problems(VALUES, file)
    assert problems["connectivity_path"].startswith("2,349 episodes name viewpoints only")
    assert study_problems(replace(VALUES, connectivity_path="graphs"), file) == {}


def test_a_split_must_be_in_the_file() -> None:
    assert "split" in study_problems(replace(VALUES, split="train"), FILE)
    assert file_sentence(FILE) == "3 episodes along 3 different paths in 1 scene, val."
    assert practice_ids("1940_0, 7 8.0") == ("1940_0", "7", "8.0")


def test_rules_that_nobody_touches_stay_to_the_last_digit(qtbot: QtBot) -> None:
    """100 s are 1.7 min in the form, and its numbers end where those of a command do not."""
    limit = TakeRules(time_limit_s=100.0)
    numbers = {"overlap": 20_000, "seed": 2**40, "break_after_min": 12.25, "agent_key": "gone"}
    before = replace(VALUES, episodes_per_participant=10_000, rules=limit, **numbers)
    dialog = NewStudyDialog(StudyFileDialogs(*[str] * 5), before, {}, is_change=True)
    qtbot.addWidget(dialog)
    assert dialog.values == before
    dialog.rules.map.setChecked(True)
    dialog.overlap.setValue(3)
    changed = replace(limit, shows_map=True)
    assert dialog.values == replace(before, rules=changed, overlap=3)
    dialog.rules.limit_min.setValue(2.0)
    assert dialog.values.rules == replace(changed, time_limit_s=120.0)
