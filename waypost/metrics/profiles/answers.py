"""CapNav: is there a way for this agent, which one, and why not; as described and as released."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.episode.answer_judgement import (
    NO_PLACES,
    AnswerJudgement,
    AnswerRules,
    judge_answer,
)
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.traverse.traversability import PassageState
from waypost.metrics.profile import Metric, Profile, Scenery, Summary
from waypost.metrics.undefined import UndefinedScoreError

SOURCE: Final = "makeabilitylab/CapNav:scripts/capnav_score.py; CapNav, arXiv:2602.18424"
RELEASED_SOURCE: Final = "makeabilitylab/CapNav:scripts/capnav_score.py"

RIGHT: Final = "accuracy"
RV: Final = "RV"

NO_VERDICT: Final = "no analyst has judged the reason yet"
"""Why RV is undefined until somebody says so; verdicts come from the project, not from here."""

LEFT_OUT: Final = "the file has no list of answers with question and agent; left out as released"
"""Why the released scorer has no score for an answer."""

Columns = Mapping[str, NDArray[np.float64]]


class AnswerCase:
    """One answer beside the ground truth.

    Args:
        rules: Whose reading counts.
        episode: The question.
        run: The answer.
        scenery: With the graph and its labels.
    """

    def __init__(
        self, rules: AnswerRules, episode: Episode, run: EpisodeRun, scenery: Scenery
    ) -> None:
        if scenery.judged is None:
            raise UndefinedScoreError("the graph of the question was not given")
        if not run.answer.agent_key:
            raise UndefinedScoreError("the answer names no agent")
        self.is_released = rules is AnswerRules.RELEASED
        if self.is_released and run.answer.failure:
            raise UndefinedScoreError(LEFT_OUT)
        self.reason = run.answer.reason.strip()
        self.told: AnswerJudgement = judge_answer(episode, run, scenery.judged, rules)
        if self.is_released and not self.told.start_id:
            raise UndefinedScoreError("the question names no place of the graph")

    @property
    def says_yes(self) -> bool:
        """Yes or no.

        Raises:
            UndefinedScoreError: For a format error.
        """
        if self.told.says_yes is None:
            raise UndefinedScoreError("format error")
        return self.told.says_yes

    @property
    def right(self) -> float:
        """1 if yes or no is right."""
        is_right = self.told.is_right
        if is_right is None:
            raise UndefinedScoreError(self.told.unknown_because)
        return float(is_right)

    @property
    def feasible(self) -> float:
        """1 if there is a way for the agent."""
        if self.told.is_feasible is None:
            raise UndefinedScoreError(self.told.unknown_because)
        return float(self.told.is_feasible)

    @property
    def path_valid(self) -> float:
        """PV."""
        is_no = not self.says_yes
        if is_no and not self.told.path:
            raise UndefinedScoreError("a “no” without a path")
        if not self.told.start_id or not self.told.end_id:
            raise UndefinedScoreError(NO_PLACES)
        return float(not self.told.faults)

    @property
    def traversability(self) -> float:
        """RTA."""
        if not self.says_yes:
            raise UndefinedScoreError("the answer is no")
        if not self.path_valid:
            raise UndefinedScoreError("the path is invalid")
        moves = self.told.moves
        if not moves:
            raise UndefinedScoreError("the path has no move")
        known = (PassageState.TRAVELS, PassageState.DOES_NOT)
        if not self.is_released and any(move.state not in known for move in moves):
            raise UndefinedScoreError("an edge of the path has no label that decides")
        return len(self.told.states(PassageState.TRAVELS)) / len(moves)

    @property
    def reasoning(self) -> float:
        """RV, as far as it needs nobody's verdict."""
        if self.says_yes:
            raise UndefinedScoreError("the answer is yes")
        if self.is_released or not self.reason:
            return 0.0
        raise UndefinedScoreError(NO_VERDICT)


def _metrics(source: str, texts: Mapping[str, str]) -> tuple[Metric, ...]:
    scores: Mapping[str, tuple[Callable[[AnswerCase], float], bool | None]] = {
        RIGHT: (lambda case: case.right, True),
        "PV": (lambda case: case.path_valid, True),
        "RTA": (lambda case: case.traversability, True),
        RV: (lambda case: case.reasoning, True),
        "format_error": (lambda case: float(case.told.says_yes is None), False),
        "says_yes": (lambda case: float(case.says_yes), None),
        "feasible": (lambda case: case.feasible, None),
    }
    return tuple(
        Metric(key, texts[key], "fraction", source, score, is_higher_better)
        for key, (score, is_higher_better) in scores.items()
    )


_DESCRIBED: Final = {
    RIGHT: "1 if yes or no agrees with the labels, 0 if not or for a format error; undefined where"
    " missing, uncertain or stale labels leave open whether there is a way.",
    "PV": "Path validity: 1 if every entry is a node, the path begins and ends at the nodes of the"
    " question, comes to no node twice and every move is an edge of the graph; undefined for a"
    " format error and for a “no” without a path.",
    "RTA": "Route traversability accuracy: share of the path's edges that the agent travels, of a"
    " “yes” with a valid path; undefined where an edge has no label that decides.",
    RV: "Reasoning validity of a “no”: 1 or 0 as the analysts judge the reason given beside the"
    " notes of the labels, 0 without any reason; undefined without a verdict, where it is unsure,"
    " or where analysts differ. No language model judges.",
    "format_error": "1 if there is no answer, it is neither yes nor no, or it is yes with fewer"
    " than two nodes.",
    "says_yes": "1 for yes, 0 for no; undefined for a format error.",
    "feasible": "1 if edges that the agent travels lead from start to end of the question, 0 if"
    " none would even if every edge without a deciding label were one; places to pass on the way"
    " do not count, a direction without a label takes that of the other.",
}

_RELEASED: Final = {
    RIGHT: "1 if yes or no agrees with feasible, else 0; 0 for a format error.",
    "PV": "Path validity: as in `capnav`, with start, end and nodes as the scorer matches names;"
    " undefined for a format error.",
    "RTA": "Share of the path's edges that are labelled as travelled, of a “yes” with a valid"
    " path; an edge without a label counts as blocked.",
    RV: "0 for every “no” that is no format error: the released scorer loses the reason before it"
    " is judged.",
    "format_error": "1 if the path is empty, also for a “no”, or the answer is yes with fewer than"
    " two nodes; anything but yes, true, a or (a) is a no.",
    "says_yes": "1 for yes, 0 for no; undefined for a format error.",
    "feasible": "1 if edges labelled as travelled lead from start to end, both matched by name in"
    " the text of the question, else 0; an edge without a label counts as blocked.",
}


def _counts(columns: Columns) -> tuple[int, int, int]:
    """True positives, false positives, false negatives; yes to what is feasible is positive.

    A format error is a false negative where there is a way, else a false positive.
    """
    feasible, says = columns["feasible"], columns["says_yes"]
    errors = columns["format_error"] == 1
    hits = int(((feasible == 1) & (says == 1)).sum())
    false = int(((feasible == 0) & ((says == 1) | errors)).sum())
    missed = int(((feasible == 1) & ((says == 0) | errors)).sum())
    return hits, false, missed


def _share(part: int, whole: int, *, is_released: bool, empty: str) -> float:
    if whole:
        return part / whole
    if is_released:
        return 0.0
    raise UndefinedScoreError(empty)


def precision(columns: Columns, *, is_released: bool) -> float:
    """TP / (TP + FP)."""
    hits, false, _ = _counts(columns)
    return _share(hits, hits + false, is_released=is_released, empty="nothing counts as a yes")


def recall(columns: Columns, *, is_released: bool) -> float:
    """TP / (TP + FN)."""
    hits, _, missed = _counts(columns)
    return _share(hits, hits + missed, is_released=is_released, empty="no question is feasible")


def feasibility_f1(columns: Columns, *, is_released: bool) -> float:
    """2 TP / (2 TP + FP + FN)."""
    hits, false, missed = _counts(columns)
    whole = 2 * hits + false + missed
    return _share(2 * hits, whole, is_released=is_released, empty="no yes and nothing feasible")


def composite(columns: Columns, *, is_released: bool) -> float:
    """(Feas-F1 + PV + RTA + RV) / 4."""
    parts = [feasibility_f1(columns, is_released=is_released)]
    for key in ("PV", "RTA", RV):
        defined = columns[key][~np.isnan(columns[key])]
        if not len(defined) and not is_released:
            raise UndefinedScoreError(f"{key} is undefined for every answer")
        parts.append(float(defined.mean()) if len(defined) else 0.0)
    return sum(parts) / len(parts)


def _summaries(source: str, *, is_released: bool) -> tuple[Summary, ...]:
    empty = " 0 where the denominator is." if is_released else " Undefined where 0/0."
    counted = " A format error counts as FN where there is a way, else as FP."
    missing = " A part without any record is 0." if is_released else " Undefined if a part is."
    texts = (
        ("precision", precision, "TP / (TP + FP) of feasible as positive." + counted + empty),
        ("recall", recall, "TP / (TP + FN) of feasible as positive." + counted + empty),
        ("Feas_F1", feasibility_f1, "2 TP / (2 TP + FP + FN)." + counted + empty),
        ("composite", composite, "(Feas_F1 + PV + RTA + RV) / 4, of the means." + missing),
    )
    return tuple(
        Summary(key, text, source, "feasible", partial(score, is_released=is_released))
        for key, score, text in texts
    )


CAPNAV: Final = Profile(
    "capnav",
    "CapNav, as described",
    _metrics(SOURCE, _DESCRIBED),
    partial(AnswerCase, AnswerRules.DESCRIBED),
    needs_graph=False,
    notes=(
        "Success is the right answer. Ends come from the question file, labels from the project or"
        " the traverse file; ROBOT and HUMANOID are one agent. A file without an answer (a null, an"
        " object, an empty list) counts as a format error. Analysts judge reasons in the"
        " window; their verdicts stand in the project. Means leave out what is undefined."
    ),
    summaries=_summaries(SOURCE, is_released=False),
    success_key=RIGHT,
    needs_labels=True,
)

RELEASED: Final = Profile(
    "capnav-released",
    "CapNav, as its scorer was released",
    _metrics(RELEASED_SOURCE, _RELEASED),
    partial(AnswerCase, AnswerRules.RELEASED),
    needs_graph=False,
    notes=(
        "For comparison with published numbers. A right “no” with an empty path is a false"
        " positive, RV is 0, unlabelled is blocked, and ends are found by names in the question."
        " Left out are questions that name no place, and files without a list of answers that name"
        " question and agent (a null, an object, an empty list). HUMANOID takes ROBOT's labels,"
        " ROBOT not HUMANOID's. A mean over no record is 0 in the scorer's output and undefined"
        " here; the composite takes the 0."
    ),
    summaries=_summaries(RELEASED_SOURCE, is_released=True),
    success_key=RIGHT,
    needs_labels=True,
)
