"""What “travels” means in a project: chosen in words, undone in one step, true for measures."""

from __future__ import annotations

import pytest
from fixtures.measured_passages import measure_by
from gui.user import User
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel

from waypost.annotators.traverse.proposals import measure_of
from waypost.annotators.traverse.rule_dialog import RuleDialog
from waypost.domain.project import set_passage_rule
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.domain.traverse.traversability import Verdict
from waypost.services.judging import circumstances
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui


def dialog_of(user: User) -> RuleDialog:
    """The window of the rule, opened by its command."""
    assert user.window.actions_set.trigger("traverse.rule")
    user.settle()
    (found,) = (d for d in user.window.findChildren(RuleDialog) if d.isVisible())
    assert isinstance(found, RuleDialog)
    return found


def says(dialog: RuleDialog) -> str:
    """Everything the window of the rule says."""
    return " ".join(text.text() for text in dialog.findChildren(QLabel))


def holding(user: User) -> int:
    """How many measures of the project hold."""
    project = user.project
    now = circumstances(project, user.window.bench.scene_hash)
    return sum(measure_of(project.measures, p, now) is not None for p in project.measures)


def test_a_rule_is_chosen_in_words_kept_and_undone_in_one_step(at_house: User) -> None:
    at_house.press("Ctrl+2")
    measure_by(at_house.window.bench, lambda *_: (Verdict.TRAVELS, 0.1))
    count, steps = len(at_house.project.measures), at_house.document.undo_stack.count()
    assert holding(at_house) == count == 40
    dialog = dialog_of(at_house)
    assert "This is the rule in force." in says(dialog)
    by, (furniture,) = dialog.findChildren(QComboBox)[0], dialog.findChildren(QCheckBox)
    by.setCurrentIndex(by.findData(AnswerBy.STRAIGHT.value))
    assert not any(box.isEnabled() for box in dialog.findChildren(QDoubleSpinBox))
    furniture.setChecked(True)
    said = "40 measures no longer hold and wait to be measured again; labels stay as they are."
    assert said in says(dialog)
    at_house.click_widget(dialog.primary)
    chosen = PassageRule(AnswerBy.STRAIGHT, allows_furniture=True)
    assert at_house.project.passage_rule == chosen
    assert said in at_house.message()
    assert holding(at_house) == 0
    store = ProjectStore.open(at_house.document.store.location)
    assert store.load().passage_rule == chosen
    store.close()
    assert at_house.document.undo_stack.count() == steps + 1
    at_house.window.activateWindow()
    at_house.wait(at_house.window.isActiveWindow)
    at_house.press("Ctrl+Z")
    assert at_house.project.passage_rule == PassageRule()
    assert holding(at_house) == count


def test_numbers_that_nobody_touched_stay_as_exact_as_they_were(at_house: User) -> None:
    exact = PassageRule(detour_factor=4 / 3, detour_extra_m=0.70710678)
    at_house.document.edit("Rule", set_passage_rule(at_house.project, exact))
    at_house.press("Ctrl+2")
    steps = at_house.document.undo_stack.count()
    at_house.click_widget(dialog_of(at_house).primary)
    assert at_house.project.passage_rule == exact
    assert at_house.document.undo_stack.count() == steps
    dialog = dialog_of(at_house)
    dialog.findChildren(QDoubleSpinBox)[1].setValue(0.5)
    assert "Nothing is measured yet" in says(dialog)
    at_house.click_widget(dialog.primary)
    assert at_house.project.passage_rule == PassageRule(detour_factor=4 / 3, detour_extra_m=0.5)
