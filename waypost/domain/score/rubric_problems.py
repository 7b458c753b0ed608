"""What keeps a rubric from being used, mistake by mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from waypost.domain.base.errors import InputError
from waypost.domain.score.rubric import (
    HIGHEST_SCORE,
    TOTAL,
    Check,
    CheckKind,
    Condition,
    Criterion,
    Rubric,
    ScaleKind,
    holds,
)

_LAST_VERSION: Final = 999_999_999
"""Databases hold no number of any size."""


class RubricProblem(NamedTuple):
    """One mistake."""

    place: str
    """As messages name it, e.g. ``clarity.most``."""

    reason: str
    criterion: int | None = None
    """Place of the criterion that it is about, from 0; ``None`` for the rubric itself."""

    field: str = ""
    """Name of the field of the rubric or the criterion."""

    @property
    def sentence(self) -> str:
        """Place and reason."""
        return f"{self.place}: {self.reason}"


def check_rubric(rubric: Rubric) -> Rubric:
    """The rubric itself, if it can be used.

    Raises:
        InputError: Naming the first of ``rubric_problems``.
    """
    found = next(rubric_problems(rubric), None)
    if found is not None:
        raise InputError(found.sentence)
    return rubric


def rubric_problems(rubric: Rubric) -> Iterator[RubricProblem]:
    """Everything that is wrong with a rubric, from above.

    No criteria; a key that is empty, used twice or that of the sum; a title that is empty; a scale
    without two scores or beyond one digit; a level off its scale or said twice; a condition on
    what is not there or comes later; a check without its number or name; a total that no set of
    facts, or not every, can reach.
    """
    if not rubric.key:
        yield RubricProblem("key", "is empty", field="key")
    if rubric.version < 1:
        yield RubricProblem("version", f"{rubric.version} is below 1", field="version")
    if rubric.version > _LAST_VERSION:
        yield RubricProblem(
            "version", f"{rubric.version} is above {_LAST_VERSION}", field="version"
        )
    if not rubric.criteria:
        yield RubricProblem("criteria", "are missing", field="criteria")
    yield from _of_keys(rubric)
    before: list[str] = []
    for place, entry in enumerate(rubric.criteria):
        for field, reason in _of_criterion(entry, before):
            yield RubricProblem(f"{entry.key}.{field}", reason, place, field)
        before.append(entry.key)
    yield from _of_total(rubric)


def _of_keys(rubric: Rubric) -> Iterator[RubricProblem]:
    seen: set[str] = set()
    for place, entry in enumerate(rubric.criteria):
        if not entry.key:
            yield RubricProblem("criteria", "a key is empty", place, "key")
        elif entry.key in seen:
            reason = f"the key {entry.key!r} is used twice"
            yield RubricProblem("criteria", reason, place, "key")
        elif entry.key == TOTAL and rubric.total is not None:
            reason = f"the key {TOTAL!r} is that of the sum in results"
            yield RubricProblem("criteria", reason, place, "key")
        seen.add(entry.key)


def _of_criterion(entry: Criterion, before: Collection[str]) -> Iterator[tuple[str, str]]:
    """Field and reason of everything that is wrong with a criterion."""
    if not entry.title.strip():
        yield "title", "is empty"
    is_scale = True
    if entry.scale is not ScaleKind.LIKERT and entry.least != 0:
        yield "least", f"is {entry.least}; points begin with 0"
    if entry.least < 0:
        yield "least", f"{entry.least} is below 0"
    if entry.most <= entry.least:
        is_scale = False
        yield "most", f"{entry.most} is not above {entry.least}"
    if entry.most > HIGHEST_SCORE:
        is_scale = False
        yield "most", f"{entry.most} is above {HIGHEST_SCORE}; one digit scores"
    if is_scale:
        yield from _of_levels(entry)
    if entry.only_if is not None:
        yield from _of_condition(entry.only_if, before)
    if entry.check is not None:
        yield from _of_check(entry.check)


def _of_levels(entry: Criterion) -> Iterator[tuple[str, str]]:
    said = [level.score for level in entry.levels]
    for place, score in enumerate(said):
        if score not in entry.scores:
            yield "levels", f"{score} is not on the scale"
        elif score in said[:place]:
            yield "levels", f"{score} is described twice"


def _of_condition(condition: Condition, before: Collection[str]) -> Iterator[tuple[str, str]]:
    if bool(condition.fact) == bool(condition.criterion):
        yield "only_if", "names a fact or a criterion, one of both"
    elif condition.criterion and condition.criterion not in before:
        yield "only_if", f"{condition.criterion!r} is no criterion before it"


def _of_check(check: Check) -> Iterator[tuple[str, str]]:
    if check.kind is CheckKind.AT_MOST_WORDS and (check.words is None or check.words < 1):
        yield "check.words", "is missing or below 1"
    if check.kind is CheckKind.OMITS_NAME and not check.name:
        yield "check.name", "is missing"


def _of_total(rubric: Rubric) -> Iterator[RubricProblem]:
    if rubric.total is None:
        return
    # A fact changes the sum by the same amount whatever else holds: if none does alone, none does.
    for held in ((), *((fact,) for fact in _facts(rubric))):
        highest = _highest_sum(rubric, held)
        if highest != rubric.total:
            where = f" with {held[0]}" if held else ""
            reason = f"is {rubric.total}, the scales add up to {highest}{where}"
            yield RubricProblem("total", reason, field="total")
            return


def highest_sums(rubric: Rubric) -> tuple[int, ...]:
    """What scores add up to at most, over all sets of facts that may hold; the least first."""
    least = _highest_sum(rubric, ())
    sums = {least}
    for fact in _facts(rubric):
        more = _highest_sum(rubric, (fact,)) - least
        sums |= {own + more for own in sums}
    return tuple(sorted(sums))


def _facts(rubric: Rubric) -> list[str]:
    """The facts that conditions ask for."""
    return sorted({c.only_if.fact for c in rubric.criteria if c.only_if and c.only_if.fact})


def _highest_sum(rubric: Rubric, held: Collection[str]) -> int:
    """What scores add up to at most where these facts hold and no others."""
    given: dict[str, int] = {}
    highest = 0
    for entry in rubric.criteria:
        if holds(entry.only_if, held, given):
            given[entry.key] = entry.most
            highest += entry.most
    return highest
