"""What computed tags propose: the same outcome and behaviour as charts."""

from __future__ import annotations

from itertools import combinations
from types import MappingProxyType

import pytest

from waypost.domain.base.mark_state import MarkState
from waypost.domain.causes.failure import CauseBook, CauseKey, CauseMark, set_mark
from waypost.domain.causes.mark_progress import NO_PROGRESS, mark_progress, mark_states
from waypost.domain.causes.proposal import FailureTag, Proposal, proposals
from waypost.domain.replay.charts import failing_tags, outcome_title
from waypost.domain.replay.tags import TAG_TITLES, Tag, TagKind
from waypost.io.taxonomy_files import shipped_taxonomies

MME = shipped_taxonomies()["vln-mme"]
CAPNAV = shipped_taxonomies()["capnav"]
WALKING = (
    TagKind.LOOPING, TagKind.WRONG_FIRST_TURN, TagKind.EARLY_STOP, TagKind.LATE_STOP,
    TagKind.NEVER_STOPPED, TagKind.ORACLE_SUCCESS, TagKind.WRONG_STOREY, TagKind.GENERATION_ERROR,
    TagKind.COLLISION, TagKind.STUCK, TagKind.FALL,
)  # fmt: skip
BEHAVIOURS = {
    TagKind.LOOPING: "looping", TagKind.NEVER_STOPPED: "timeout",
    TagKind.EARLY_STOP: "early_stop", TagKind.LATE_STOP: "late_stop",
    TagKind.WRONG_STOREY: "wrong_way", TagKind.WRONG_FIRST_TURN: "wrong_way",
    TagKind.FALL: "other", TagKind.STUCK: "other",
}  # fmt: skip


def tags_of(kinds: tuple[TagKind, ...]) -> list[FailureTag]:
    found = failing_tags([Tag(kind, 2, "") for kind in kinds])
    return [FailureTag(tag.kind.value, TAG_TITLES[tag.kind], tag.step) for tag in found]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_outcome_and_behaviour_are_those_of_charts(count: int) -> None:
    for kinds in combinations(WALKING, count):
        proposed = proposals(MME, tags_of(kinds))
        outcome = MME.axis("outcome").category(proposed["outcome"].category)
        assert outcome.title == outcome_title(False, kinds), kinds
        weightiest = [tag.kind for tag in tags_of(kinds) if TagKind(tag.kind) in BEHAVIOURS]
        expected = BEHAVIOURS[TagKind(weightiest[0])] if weightiest else "wrong_way"
        assert proposed["behaviour"].category == expected, kinds
        assert "cause" not in proposed


def test_a_proposal_says_what_it_is_for() -> None:
    proposed = proposals(MME, tags_of((TagKind.LATE_STOP, TagKind.ORACLE_SUCCESS)))
    assert proposed["behaviour"] == Proposal("late_stop", FailureTag("late_stop", "Late stop", 2))
    assert proposed["outcome"] == Proposal("incorrect_navigation", None)


def test_where_no_tag_speaks_nothing_is_proposed() -> None:
    assert proposals(CAPNAV, tags_of((TagKind.FALSE_YES,))) == {}
    assert proposals(CAPNAV, tags_of((TagKind.NON_EDGE,)))["error"].category == "path_hallucination"


def marked(analyst: str, episode_id: str, *axes: str) -> CauseMark:
    chosen = {"outcome": "incorrect_navigation", "behaviour": "looping", "cause": "other"}
    choices = MappingProxyType({axis: (chosen[axis],) for axis in axes})
    return CauseMark(CauseKey("gpt", episode_id, analyst, MME.key), MME.version, choices)


def test_progress_counts_whole_own_marks_of_failures() -> None:
    book = CauseBook()
    for mark in (
        marked("ada", "1", "outcome", "behaviour", "cause"),
        marked("ada", "2", "outcome"),
        marked("ben", "3", "outcome", "behaviour", "cause"),
        marked("ada", "9", "outcome", "behaviour", "cause"),
    ):
        book = set_mark(book, MME, mark)
    states = mark_states(book, "gpt", "ada", MME)
    assert states == {"1": MarkState.MARKED, "2": MarkState.BEGUN, "9": MarkState.MARKED}
    progress = mark_progress(states, ["1", "2", "3", "4"])
    assert progress.words == "1 of 4 failures marked"
    assert mark_progress(states, ["1"]).words == "1 of 1 failure marked"
    assert NO_PROGRESS.words == ""
    assert mark_states(book, "other", "ada", MME) == {}
