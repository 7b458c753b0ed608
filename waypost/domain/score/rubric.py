"""Rubrics: what instructions are judged by, on which scales, with what each level means."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from waypost.domain.base.errors import InputError
from waypost.domain.score.instruction_text import InstructionText

HIGHEST_SCORE: Final = 9
"""One digit gives a score."""


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
    """What instructions are judged by; ``check_rubric`` says what must hold."""

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
        """The criteria that are asked of an instruction, given what was scored so far."""
        return tuple(
            entry for entry in self.criteria if _holds(entry.only_if, instruction.facts, scores)
        )


def _holds(condition: Condition | None, facts: Collection[str], scores: Mapping[str, int]) -> bool:
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


def check_rubric(rubric: Rubric) -> Rubric:
    """The rubric itself, if it can be used.

    Raises:
        InputError: Naming the place and the reason: no criteria; a key that is empty or used
            twice; a scale without two scores or beyond one digit; a level off its scale or said
            twice; a condition on what is not there or comes later; a total that no set of facts,
            or not every, can reach.
    """
    if not rubric.key:
        raise InputError("key: is empty")
    if rubric.version < 1:
        raise InputError(f"version: {rubric.version} is below 1")
    if not rubric.criteria:
        raise InputError("criteria: are missing")
    _check_unique((entry.key for entry in rubric.criteria), "criteria", "key")
    before: list[str] = []
    for entry in rubric.criteria:
        _check_criterion(entry, before)
        before.append(entry.key)
    _check_total(rubric)
    return rubric


def _check_criterion(entry: Criterion, before: Collection[str]) -> None:
    place = entry.key
    if not entry.title.strip():
        raise InputError(f"{place}.title: is empty")
    if entry.scale is not ScaleKind.LIKERT and entry.least != 0:
        raise InputError(f"{place}.least: is {entry.least}; points begin with 0")
    if entry.least < 0:
        raise InputError(f"{place}.least: {entry.least} is below 0")
    if entry.most <= entry.least:
        raise InputError(f"{place}.most: {entry.most} is not above {entry.least}")
    if entry.most > HIGHEST_SCORE:
        raise InputError(f"{place}.most: {entry.most} is above {HIGHEST_SCORE}; one digit scores")
    said = [level.score for level in entry.levels]
    for score in said:
        if score not in entry.scores:
            raise InputError(f"{place}.levels: {score} is not on the scale")
        if said.count(score) > 1:
            raise InputError(f"{place}.levels: {score} is described twice")
    _check_condition(entry.only_if, place, before)
    if entry.check is not None:
        _check_check(entry.check, f"{place}.check")


def _check_condition(condition: Condition | None, place: str, before: Collection[str]) -> None:
    if condition is None:
        return
    if bool(condition.fact) == bool(condition.criterion):
        raise InputError(f"{place}.only_if: names a fact or a criterion, one of both")
    if condition.criterion and condition.criterion not in before:
        raise InputError(f"{place}.only_if: {condition.criterion!r} is no criterion before it")


def _check_check(check: Check, place: str) -> None:
    if check.kind is CheckKind.AT_MOST_WORDS and (check.words is None or check.words < 1):
        raise InputError(f"{place}.words: is missing or below 1")
    if check.kind is CheckKind.OMITS_NAME and not check.name:
        raise InputError(f"{place}.name: is missing")


def _check_total(rubric: Rubric) -> None:
    if rubric.total is None:
        return
    facts = sorted({c.only_if.fact for c in rubric.criteria if c.only_if and c.only_if.fact})
    for size in range(len(facts) + 1):
        for held in itertools.combinations(facts, size):
            highest = sum(
                entry.most
                for entry in rubric.criteria
                if entry.only_if is None
                or not entry.only_if.fact
                or _holds(entry.only_if, held, {})
            )
            if highest != rubric.total:
                where = f" with {', '.join(held)}" if held else ""
                raise InputError(f"total: is {rubric.total}, the scales add up to {highest}{where}")


def _check_unique(names: Iterable[str], place: str, what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name:
            raise InputError(f"{place}: a {what} is empty")
        if name in seen:
            raise InputError(f"{place}: the {what} {name!r} is used twice")
        seen.add(name)


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
