"""Rubrics: what instructions are judged by, on which scales, with what each level means."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from waypost.domain.score.instruction_text import InstructionText

HIGHEST_SCORE: Final = 9
"""One digit gives a score."""

TOTAL: Final = "total"
"""Stands in results for the sum of all criteria, where a rubric has one."""


class ScaleKind(StrEnum):
    """What the numbers of a scale mean."""

    LIKERT = "likert"
    """How far something is so, from the lowest to the highest level."""

    POINTS = "points"
    """Points earned, from 0."""

    YES_NO = "yes_no"
    """0 for no, all points for yes."""


@dataclass(frozen=True, slots=True)
class Level:
    """What one score of a scale means."""

    score: int
    title: str
    description: str = ""


class CheckKind(StrEnum):
    """What a program can see in a text."""

    AT_MOST_WORDS = "at_most_words"
    """The text has no more than ``words`` words."""

    OMITS_NAME = "omits_name"
    """The text has none of the names that are given for ``name``."""


@dataclass(frozen=True, slots=True)
class Check:
    """What a program can see; it proposes a score and decides nothing."""

    kind: CheckKind
    words: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """When a criterion is asked: by a fact of the instruction, or by the score of another one."""

    fact: str = ""
    is_set: bool = True
    """Whether the fact must hold, or must not."""

    criterion: str = ""
    at_least: int | None = None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that is judged."""

    key: str
    title: str
    scale: ScaleKind
    least: int
    most: int
    levels: tuple[Level, ...] = ()
    """What scores mean; not every score needs a level."""

    description: str = ""
    is_required: bool = True
    only_if: Condition | None = None
    check: Check | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores that may be given."""
        if self.scale is ScaleKind.YES_NO:
            return (0, self.most)
        return tuple(range(self.least, self.most + 1))

    def level(self, score: int) -> Level | None:
        """What a score means; ``None`` where nobody says."""
        return next((level for level in self.levels if level.score == score), None)


class RubricKey(NamedTuple):
    """One version of a rubric; old versions are kept so that old scores can be read."""

    key: str
    version: int


@dataclass(frozen=True, slots=True)
class Rubric:
    """What instructions are judged by; ``rubric_problems`` says what must hold."""

    key: str
    version: int
    title: str
    criteria: tuple[Criterion, ...]
    total: int | None = None
    """The highest sum of all scores; ``None`` where scores are not summed."""

    source: str = ""
    notes: str = ""

    @property
    def identity(self) -> RubricKey:
        """Key and version."""
        return RubricKey(self.key, self.version)

    def criterion(self, key: str) -> Criterion | None:
        """The criterion of a key; ``None`` if there is none such."""
        return next((entry for entry in self.criteria if entry.key == key), None)

    def asked(
        self, instruction: InstructionText, scores: Mapping[str, int]
    ) -> tuple[Criterion, ...]:
        """The criteria that are asked of an instruction, given what was scored so far.

        A score of what is not asked itself asks for nothing.
        """
        asked: list[Criterion] = []
        given: dict[str, int] = {}
        for entry in self.criteria:
            if holds(entry.only_if, instruction.facts, given):
                asked.append(entry)
                if entry.key in scores:
                    given[entry.key] = scores[entry.key]
        return tuple(asked)


def holds(condition: Condition | None, facts: Collection[str], scores: Mapping[str, int]) -> bool:
    """Whether a criterion with a condition is asked, given what holds and what was scored."""
    if condition is None:
        return True
    if condition.fact:
        return (condition.fact in facts) is condition.is_set
    given = scores.get(condition.criterion)
    return given is not None and (condition.at_least is None or given >= condition.at_least)


def total_of(rubric: Rubric, instruction: InstructionText, scores: Mapping[str, int]) -> int | None:
    """The sum of the scores; ``None`` if the rubric sums none or a criterion asked has none."""
    asked = rubric.asked(instruction, scores)
    if rubric.total is None or any(entry.key not in scores for entry in asked):
        return None
    return sum(scores[entry.key] for entry in asked)


def criteria_to_score_anew(before: Rubric, after: Rubric) -> tuple[str, ...]:
    """Keys of the criteria whose scores do not carry over: new ones, and other scales or levels.

    A title, a description or a check alone changes no meaning of a score.
    """

    def meaning(entry: Criterion) -> tuple[object, ...]:
        return entry.scale, entry.scores, entry.levels, entry.only_if

    anew = []
    for entry in after.criteria:
        old = before.criterion(entry.key)
        if old is None or meaning(old) != meaning(entry):
            anew.append(entry.key)
    return tuple(anew)


def differ_in_words_only(before: Rubric, after: Rubric) -> bool:
    """Whether two versions ask the same, and every score means the same by both."""
    keys = [{entry.key for entry in rubric.criteria} for rubric in (before, after)]
    is_same = keys[0] == keys[1] and before.total == after.total
    return is_same and not criteria_to_score_anew(before, after)
