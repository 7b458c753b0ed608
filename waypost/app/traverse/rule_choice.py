"""The rule for passages of the open project, chosen in a window of its own."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from waypost.annotators.traverse.rule_dialog import RuleDialog
from waypost.app.shell.project_edits import edit_project
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.counted_words import counted
from waypost.domain.project import Project, set_passage_rule
from waypost.domain.traverse.measure import measure_holds
from waypost.domain.traverse.passage_rule import PassageRule
from waypost.services.judging import circumstances


class RuleChoice(QObject):
    """Asks for the rule, changes it as one step of undo, and says what no longer holds.

    Args:
        around: What is found in the window.
        parent: Qt owner.
    """

    def __init__(self, around: Surroundings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around, self._bench = around, around.bench

    def ask(self) -> None:
        """Open the window; the rule is that of the open project."""
        project = self._bench.project
        dialog = RuleDialog(project.passage_rule, self._effect, self._around.window)
        dialog.chosen.connect(self._choose)
        dialog.open()

    def _choose(self, rule: PassageRule) -> None:
        said = self._effect(rule)
        if edit_project(
            self._bench, "Change what “travels” means", lambda now: set_passage_rule(now, rule)
        ):
            self._around.say(said)

    def _effect(self, rule: PassageRule) -> str:
        return rule_effect(self._bench.project, rule, self._bench.scene_hash)


def rule_effect(project: Project, rule: PassageRule, scene_hash: str) -> str:
    """What another rule does to what was measured, in a sentence.

    Args:
        project: As it is.
        rule: The other one.
        scene_hash: Content hash of the open scene.
    """
    if rule == project.passage_rule:
        return "This is the rule in force."
    now = circumstances(project, scene_hash)
    then = replace(now, passage_rule=rule)
    measures = project.measures.values()
    before = sum(measure_holds(measure, now) for measure in measures)
    after = sum(measure_holds(measure, then) for measure in measures)
    if not before and not after:
        return "Nothing is measured yet; labels stay as they are."
    if after >= before:
        return f"{counted(after, 'measure holds', 'measures hold')} by this rule; labels stay."
    gone = counted(before - after, "measure no longer holds", "measures no longer hold")
    return f"{gone} and {_waits(before - after)} to be measured again; labels stay as they are."


def _waits(count: int) -> str:
    return "waits" if count == 1 else "wait"
