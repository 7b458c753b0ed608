"""The fields of a study's rules: what participants are told, shown and asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtWidgets import QCheckBox, QWidget

from waypost.domain.record.take_rules import QUESTION_WORDS, Feedback, Question, TakeRules
from waypost.widgets.form_fields import Field, choice_box, decimal_box
from waypost.widgets.parts import heading

FEEDBACK_WORDS: Final[Mapping[Feedback, str]] = {
    Feedback.NONE: "never",
    Feedback.AFTER_PRACTICE: "after practice only",
    Feedback.AFTER_EACH: "after each episode",
}
_MOST_MIN: Final = 999.0
_ORDER: Final = "Asked before anything is told; answers are exported beside the scores."


class RuleFields:
    """Controls for the rules, as rows of a form."""

    def __init__(self) -> None:
        self.feedback = choice_box({key.value: words for key, words in FEEDBACK_WORDS.items()})
        self.limit_min = decimal_box(0.0, _MOST_MIN, 0.0, "min", "no limit", 1)
        self.map = QCheckBox("A small map of the storey with their place")
        self.compass = QCheckBox("A compass")
        self.scale_bar = QCheckBox("A scale bar, where the scene is seen from above")
        self.frames = QCheckBox("Frames of the engine's camera, where it gives any")
        self.look = QCheckBox("Participants may look up and down; otherwise the gaze is level")
        self.questions = {key: QCheckBox(words) for key, words in QUESTION_WORDS.items()}
        self.abandoned = QCheckBox("Episodes that were given up count, with the way they went")
        self._order: tuple[Question, ...] = ()

    def rows(self) -> tuple[tuple[QWidget, ...], ...]:
        """Rows for ``FormDialog.lay_out``."""
        asked = [Field(QUESTION_WORDS[key], box) for key, box in self.questions.items()]
        return (
            (heading("What participants are told and shown"),),
            (
                Field("Told how an episode went", self.feedback),
                Field("Time limit of an episode", self.limit_min, "Driving time; pauses excepted."),
            ),
            (Field("Participants see a map", self.map),
             Field("Participants see a compass", self.compass)),
            (Field("Participants see a scale bar", self.scale_bar),),
            (Field("Participants see frames of the engine's camera", self.frames),),
            (Field("Participants may look up and down", self.look),),
            (heading("What they are asked after each episode"),),
            (asked[0], asked[1]),
            (Field(QUESTION_WORDS[Question.UNCLEAR], self.questions[Question.UNCLEAR], _ORDER),),
            (heading("What counts"),),
            (Field("Given up counts", self.abandoned),),
        )  # fmt: skip

    @property
    def rules(self) -> TakeRules:
        """What was chosen."""
        minutes = self.limit_min.value()
        asked = [key for key, box in self.questions.items() if box.isChecked()]
        kept = [key for key in self._order if key in asked]
        return TakeRules(
            feedback=Feedback(self.feedback.currentData()),
            shows_scale_bar=self.scale_bar.isChecked(),
            shows_compass=self.compass.isChecked(),
            shows_map=self.map.isChecked(),
            time_limit_s=minutes * 60 if minutes else None,
            can_look=self.look.isChecked(),
            shows_frames=self.frames.isChecked(),
            questions=(*kept, *(key for key in asked if key not in kept)),
        )

    def set_rules(self, rules: TakeRules, *, counts_abandoned: bool) -> None:
        """Propose rules."""
        self._order = rules.questions
        self.feedback.setCurrentIndex(self.feedback.findData(rules.feedback.value))
        self.limit_min.setValue((rules.time_limit_s or 0.0) / 60)
        for box, is_on in (
            (self.scale_bar, rules.shows_scale_bar),
            (self.compass, rules.shows_compass),
            (self.map, rules.shows_map),
            (self.frames, rules.shows_frames),
            (self.look, rules.can_look),
            (self.abandoned, counts_abandoned),
        ):
            box.setChecked(is_on)
        for key, box in self.questions.items():
            box.setChecked(key in rules.questions)
