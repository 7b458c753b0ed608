"""How far analysts agree about causes, axis by axis, so that a failure analysis can be trusted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from waypost.domain.causes.blind_marks import NONE_GIVEN, BlindCount, count_blind
from waypost.domain.causes.failure import CauseMark, Taxonomy
from waypost.domain.causes.reason_verdicts import REASON_PLACE
from waypost.domain.causes.replay_book import EdgeVerdict
from waypost.metrics.agreement import coefficients
from waypost.metrics.agreement.coefficients import Floats, ScoreDistance, percentage
from waypost.metrics.undefined import UndefinedScoreError

Answers = Mapping[str, Mapping[str, str]]
"""What was judged → analyst → answer; an analyst without an answer is missing."""

NO_ANALYST: Final = "nobody has answered"
ONE_ANALYST: Final = "only one analyst has answered"
NO_OVERLAP: Final = "no two analysts have answered about the same"
ONE_CATEGORY: Final = "everyone always gave the same answer, so chance cannot be told apart"
NOT_TWO: Final = "Cohen's kappa compares two analysts"

DEFINITIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "percent": "Equal pairs of answers about the same, among all such pairs.",
        "kappa": "Cohen's κ = (p_o − p_e) / (1 − p_e) over what two analysts have both answered;"
        " p_o: share of equal answers, p_e: that expected from how often each gives each answer.",
        "alpha": "Krippendorff's α = 1 − D_o / D_e for nominal answers of any number of analysts,"
        " each free to miss any; D: share of unequal pairs, found and expected by chance.",
        "blind": "Only answers given blind are compared: before the analyst saw what others answer."
        " Seeing: given after that; unknown: given before Waypost remembered it. Where there are"
        " such answers, the values over all answers stand beside.",
    }
)
"""What each value is, and over what; n is what two or more have answered about."""

_SEVERAL: Final = " + "
"""Between the categories of one answer."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one question; values are ``None`` where ``reasons`` says why."""

    title: str
    analysts: tuple[str, ...]
    """Who has answered at all, by name."""

    percent: float | None
    """Share of the pairs of answers about the same that are equal, in [0, 1]."""

    kappa: float | None
    """Cohen's kappa; for two analysts only."""

    alpha: float | None
    """Krippendorff's alpha for nominal answers; analysts may miss any."""

    agreed_ids: tuple[str, ...]
    """What two or more have answered about, all alike."""

    disputed_ids: tuple[str, ...]
    """What two or more have answered about, not all alike."""

    reasons: Mapping[str, str]
    """``percent``, ``kappa``, ``alpha`` → why it is undefined."""

    episodes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What was judged → its episode, where that is not the same."""

    given: BlindCount = NONE_GIVEN
    """How the answers there are were given; all zero where nobody asks."""

    over_all: Agreement | None = None
    """The same over all answers; ``None`` where that would be no other."""

    @property
    def left_out(self) -> str:
        """What is not compared here for not being blind: ``2 seeing others' marks, 1 unknown``."""
        return "" if self.over_all is None else self.given.others

    @property
    def n(self) -> int:
        """What two or more have answered about."""
        return len(self.agreed_ids) + len(self.disputed_ids)

    def episodes_of(self, judged: Iterable[str]) -> tuple[str, ...]:
        """The episodes of what was judged, each once."""
        return tuple(dict.fromkeys(self.episodes.get(name, name) for name in judged))


def agreement(title: str, answers: Answers) -> Agreement:
    """Compare the answers to one question.

    Args:
        title: Of the question.
        answers: What was judged → analyst → answer.
    """
    shared = {name: given for name, given in answers.items() if len(given) > 1}
    analysts = sorted({person for given in answers.values() for person in given})
    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, score in (
        ("percent", percent_agreement),
        ("kappa", cohen_kappa),
        ("alpha", krippendorff_alpha),
    ):
        try:
            values[name] = score(answers)
        except UndefinedScoreError as error:
            values[name] = None
            reasons[name] = str(error)
    return Agreement(
        title,
        tuple(analysts),
        values["percent"],
        values["kappa"],
        values["alpha"],
        tuple(name for name, given in shared.items() if len(set(given.values())) == 1),
        tuple(name for name, given in shared.items() if len(set(given.values())) > 1),
        MappingProxyType(reasons),
    )


class AnalystAnswer(NamedTuple):
    """One answer of one analyst."""

    judged: str
    analyst: str
    answer: str
    is_blind: bool | None
    """``None`` where nobody knows."""


def blind_agreement(
    title: str, said: Sequence[AnalystAnswer], episodes: Mapping[str, str] | None = None
) -> Agreement:
    """Compare the answers given blind, and beside them all answers where there are others.

    Args:
        title: Of the question.
        said: Every answer to it.
        episodes: What was judged → its episode, where that is not the same.
    """
    known = MappingProxyType(dict(episodes or {}))
    blind = [entry for entry in said if entry.is_blind]
    given = count_blind(entry.is_blind for entry in said)
    found, over_all = (
        replace(agreement(title, _by_judged(some)), episodes=known, given=given)
        for some in (blind, said)
    )
    return found if len(blind) == len(said) else replace(found, over_all=over_all)


def _by_judged(said: Iterable[AnalystAnswer]) -> Answers:
    answers: dict[str, dict[str, str]] = {}
    for entry in said:
        answers.setdefault(entry.judged, {})[entry.analyst] = entry.answer
    return answers


def percent_agreement(answers: Answers) -> float:
    """Equal pairs of answers about the same, among all such pairs.

    Raises:
        UndefinedScoreError: If no two analysts have answered about the same.
    """
    return float(percentage(*_coded(_shared(answers)))[0])


def cohen_kappa(answers: Answers) -> float:
    """Agreement of two analysts beyond chance, over what both have answered.

    Raises:
        UndefinedScoreError: With other than two analysts, nothing answered by both, or a single
            category.

    Source:
        Cohen 1960, A coefficient of agreement for nominal scales.
    """
    shared = _shared(answers)
    people = sorted({person for given in answers.values() for person in given})
    if len(people) != 2:
        raise UndefinedScoreError(NOT_TWO)
    first, second = (Counter(given[person] for given in shared) for person in people)
    n = len(shared)
    observed = sum(given[people[0]] == given[people[1]] for given in shared)
    by_chance = sum(first[answer] * second[answer] for answer in first)
    if by_chance == n * n:
        raise UndefinedScoreError(ONE_CATEGORY)
    return (observed * n - by_chance) / (n * n - by_chance)


def krippendorff_alpha(answers: Answers) -> float:
    """Agreement of any number of analysts beyond chance, each free to miss any answer.

    Raises:
        UndefinedScoreError: If no two analysts have answered about the same, or only one
            category was ever chosen.

    Source:
        Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, nominal data.
    """
    table, once = _coded(_shared(answers))
    alpha = float(coefficients.krippendorff_alpha(table, once, ScoreDistance.NOMINAL)[0])
    if math.isnan(alpha):
        raise UndefinedScoreError(ONE_CATEGORY)
    return alpha


def _coded(shared: Sequence[Mapping[str, str]]) -> tuple[Floats, Floats]:
    """Answers as coefficients take them: (what was judged, analysts) numbers, each counted once."""
    people = sorted({person for given in shared for person in given})
    said = sorted({answer for given in shared for answer in given.values()})
    numbers = {answer: number for number, answer in enumerate(said)}
    table = np.array(
        [[numbers[own[person]] if person in own else np.nan for person in people] for own in shared]
    )
    return table, np.ones((1, len(table)))


def _shared(answers: Answers) -> list[Mapping[str, str]]:
    """What two or more have answered about.

    Raises:
        UndefinedScoreError: If that is nothing, with the reason.
    """
    shared = [given for given in answers.values() if len(given) > 1]
    if shared:
        return shared
    people = {person for given in answers.values() for person in given}
    if len(people) > 1:
        raise UndefinedScoreError(NO_OVERLAP)
    raise UndefinedScoreError(ONE_ANALYST if people else NO_ANALYST)


def taxonomy_agreement(
    marks: Iterable[CauseMark], taxonomy: Taxonomy, run: str | None = None
) -> tuple[Agreement, ...]:
    """Agreement of blind marks on every axis of a taxonomy.

    Marks of other versions are left out: their categories need not mean the same. An axis left
    empty is a missing answer. Where several categories may be chosen, two answers are equal only
    if all of them are.

    Args:
        marks: Of any taxonomies.
        taxonomy: In the version to look at.
        run: One run; ``None`` for all, whose episodes are then named ``run: episode``.
    """
    wanted = [
        mark
        for mark in marks
        if mark.key.taxonomy == taxonomy.key
        and mark.taxonomy_version == taxonomy.version
        and run in {None, mark.key.run}
    ]
    found = []
    for axis in taxonomy.axes:
        said = []
        for mark in wanted:
            chosen = mark.choices.get(axis.key, ())
            if chosen:
                place = mark.key.episode_id
                name = place if run is not None else f"{mark.key.run}: {place}"
                answer = _SEVERAL.join(sorted(chosen))
                said.append(AnalystAnswer(name, mark.key.analyst, answer, mark.is_blind))
        found.append(blind_agreement(axis.title, said))
    return tuple(found)


def reason_agreement(verdicts: Iterable[EdgeVerdict], run: str) -> Agreement | None:
    """Agreement about the reasons that the answers of one run give; ``None`` without verdicts."""
    said = [
        AnalystAnswer(
            verdict.key.episode_id, verdict.key.analyst, verdict.verdict.value, verdict.is_blind
        )
        for verdict in verdicts
        if verdict.key.run == run and verdict.key[2:4] == REASON_PLACE
    ]
    return blind_agreement("Reason verdict", said) if said else None


def verdict_agreement(verdicts: Iterable[EdgeVerdict], run: str) -> Agreement | None:
    """Agreement about the edges of routes that one run predicts; ``None`` without verdicts.

    Ids name episode and edge. Verdicts on reasons are about no edge, see ``reason_agreement``.
    """
    own = (v for v in verdicts if v.key.run == run and v.key[2:4] != REASON_PLACE)
    said, episodes = [], {}
    for verdict in sorted(own, key=lambda verdict: verdict.key):
        key = verdict.key
        name = f"{key.episode_id}: {key.from_id} → {key.to_id}"
        said.append(AnalystAnswer(name, key.analyst, verdict.verdict.value, verdict.is_blind))
        episodes[name] = key.episode_id
    return blind_agreement("Route verdict", said, episodes) if said else None
