"""The exercise of the Traverse workspace: measure, accept, overrule with a reason, see the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.shell.exercise import Exercise, ExerciseStep, KeyedWords, Place
from waypost.app.shell.workspace import LazyWorkspace, Surroundings
from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict

if TYPE_CHECKING:
    from waypost.app.traverse.workspace import TraverseWorkspace

FIRST: Final = Passage("node_2", "node_3", "wheelchair")
"""Of the sample home: through the front door, which a wheelchair passes with room to spare."""

SECOND: Final = Passage("node_3", "node_4", "wheelchair")
"""From there into the hall, which it passes too."""

_OFFER: Final = (
    "In a minute: let a passage be measured, accept it, overrule another with a reason, see the"
    " map. It happens on a copy of the sample home; your project is put aside and comes back as it"
    " is."
)
_FAREWELL: Final = (
    "That is the job: what is certain is accepted, many at once if you like; what is uncertain is"
    " judged one by one. The copy goes now, with its labels, and your project comes back."
)


def traverse_exercise(the: LazyWorkspace[TraverseWorkspace], around: Surroundings) -> Exercise:
    """The steps, each of which is over once the person has done it."""
    practice = _Practice(the, around)
    steps = (practice.measure(), practice.accept(), practice.overrule(), practice.see_map())
    return Exercise("Learn it by doing it", _OFFER, steps, _FAREWELL)


class _Practice:
    """Puts passages to hand, and tells what was done with them."""

    def __init__(self, the: LazyWorkspace[TraverseWorkspace], around: Surroundings) -> None:
        self._the, self._around = the, around

    def measure(self) -> ExerciseStep:
        return ExerciseStep(
            Place.LISTS,
            "Let it be measured",
            "A machine answers first. One passage is at hand: have it measured. The mark in front"
            " of it, ✓ ✕ or ?, is then a proposal and no label yet.",
            (KeyedWords(("traverse.measure",), "Measure what is selected"),),
            lambda: self._take(FIRST),
            lambda then, now: len(now.measures) > len(then.measures),
        )

    def accept(self) -> ExerciseStep:
        return ExerciseStep(
            Place.ANSWERS,
            "Accept it",
            "Here is what was found, and by what margin; the picture below the queue shows where."
            " If you agree, accept it: then it is a label.",
            (
                KeyedWords(("traverse.accept",), "Accept what was measured"),
                KeyedWords(("traverse.spot",), "See the spot from near"),
            ),
            lambda: self._take_measured(FIRST),
            lambda then, now: any(_is_accepted(now, label) for label in _new(then, now)),
        )

    def overrule(self) -> ExerciseStep:
        return ExerciseStep(
            Place.ANSWERS,
            "Overrule another",
            "Once this one is measured, say that the machine is wrong: the key of a reason is an"
            " answer, “does not travel”, with that reason.",
            (
                KeyedWords(("traverse.reason_obstacle",), "No: an obstacle"),
                KeyedWords(("traverse.reason_too_narrow",), "No: too narrow"),
            ),
            lambda: self._take_measured(SECOND),
            lambda then, now: any(_is_overruled(now, label) for label in _new(then, now)),
        )

    def see_map(self) -> ExerciseStep:
        stage = self._around.stage
        return ExerciseStep(
            Place.SCENE,
            "See the map",
            "Look from above: each direction of an edge has the colour and the sign of its answer,"
            " ✓ green, ✕ red, ○ still open.",
            (
                KeyedWords(("view.top",), "Look from above"),
                KeyedWords(("traverse.overview",), "Show every label as bright"),
            ),
            lambda: stage.set_camera_mode("orbit"),
            lambda _then, _now: str(stage.view.camera_mode) == "top",
        )

    def _take(self, passage: Passage) -> None:
        self._around.bench.choose_agent(passage.agent_key)
        self._the.doing(lambda traverse: traverse.go_to_passage(passage))()

    def _take_measured(self, first: Passage) -> None:
        """Take a measured passage without an answer to hand; have one measured if there is none."""
        project = self._around.bench.project
        left = [p for p in project.measures if p not in project.labels]
        tried = (*left, first, FIRST.reverse, SECOND.reverse)
        passage = next((p for p in tried if p not in project.labels), first)
        self._take(passage)
        if passage not in project.measures:
            self._the.doing(lambda traverse: traverse.measuring.measure((passage,)))()


def _new(then: Project, now: Project) -> tuple[TraversabilityLabel, ...]:
    return tuple(label for p, label in now.labels.items() if then.labels.get(p) is not label)


def _is_accepted(project: Project, label: TraversabilityLabel) -> bool:
    measure = project.measures.get(label.passage)
    return measure is not None and measure.answer is label.verdict


def _is_overruled(project: Project, label: TraversabilityLabel) -> bool:
    is_no = label.verdict is Verdict.DOES_NOT
    return is_no and label.passage in project.measures and not _is_accepted(project, label)
