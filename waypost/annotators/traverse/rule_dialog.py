"""Asks what “travels” means in a project, and says what that does to what was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QWidget

from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, choice_box, decimal_box
from waypost.widgets.parts import label

ANSWER_BY_WORDS: Final[Mapping[AnswerBy, str]] = {
    AnswerBy.ANY_PATH: "by any path that is not much longer than the edge",
    AnswerBy.STRAIGHT: "straight along the edge, touching nothing",
}
_DECIMALS: Final = 3


class RuleDialog(FormDialog):
    """The rule of a project in plain words; nothing changes before its button is pressed.

    Args:
        rule: In force.
        effect: Says in a sentence what another rule does to what was measured.
        parent: Qt owner.
    """

    chosen = Signal(object)
    """The ``PassageRule``; emitted if it is another one."""

    def __init__(
        self, rule: PassageRule, effect: Callable[[PassageRule], str], parent: QWidget | None = None
    ) -> None:
        super().__init__("What “travels” means", "Use this rule", parent)
        self._rule, self._effect = rule, effect
        self._by = choice_box({by.value: words for by, words in ANSWER_BY_WORDS.items()})
        self._by.setCurrentIndex(self._by.findData(rule.answer_by.value))
        self._factor = decimal_box(1.0, 10.0, rule.detour_factor, "× the edge", "", _DECIMALS)
        self._extra_m = decimal_box(0.0, 100.0, rule.detour_extra_m, "m", "", _DECIMALS)
        self._furniture = QCheckBox("Agents may go over furniture that is low enough for them")
        self._furniture.setChecked(rule.allows_furniture)
        self._said = label("", "muted")
        hint = "Otherwise a passage that goes over furniture is uncertain."
        self.lay_out(
            (
                (Field("An agent travels a passage if it gets there", self._by),),
                (
                    Field("Longest path", self._factor),
                    Field("and so much more", self._extra_m),
                ),
                (Field("Furniture underfoot", self._furniture, hint),),
                (self._said,),
            )
        )
        self._by.currentIndexChanged.connect(self._show)
        self._factor.valueChanged.connect(self._show)
        self._extra_m.valueChanged.connect(self._show)
        self._furniture.toggled.connect(self._show)
        self.primary.clicked.connect(self._finish)
        self._show()

    @property
    def rule(self) -> PassageRule:
        """As it is filled in."""
        return PassageRule(
            AnswerBy(self._by.currentData()),
            self._furniture.isChecked(),
            _kept(self._factor, self._rule.detour_factor),
            _kept(self._extra_m, self._rule.detour_extra_m),
        )

    def _show(self) -> None:
        is_any = self._by.currentData() == AnswerBy.ANY_PATH.value
        for box in (self._factor, self._extra_m):
            box.setEnabled(is_any)
        self._said.setText(self._effect(self.rule))

    def _finish(self) -> None:
        rule = self.rule
        self.accept()
        if rule != self._rule:
            self.chosen.emit(rule)


def _kept(box: QDoubleSpinBox, before: float) -> float:
    """The number of a box; the one of before where it shows that, which may have more digits."""
    value = float(box.value())
    return before if round(before, _DECIMALS) == round(value, _DECIMALS) else value
