"""A label that says otherwise than its evidence is found, and only such a one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixtures.whole_projects import DRIVE, MEASURE, WAY, whole_project

from waypost.domain.contradiction import (
    contradicting_labels,
    contradictions,
    contradictions_of,
)
from waypost.domain.project import Project, set_graph, set_passage_rule
from waypost.domain.scene.graph import move_nodes
from waypost.domain.team_labels import evidence_words
from waypost.domain.traverse.passage_drive import DrivenBy, PassageDrive
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE
from waypost.domain.traverse.traversability import Circumstances, Reason, Verdict, judged_on

PASSES = replace(MEASURE, answer=Verdict.TRAVELS, reason=None, words="8 cm to spare.")
DOUBT = replace(PASSES, answer=Verdict.UNCERTAIN, words="0.4 cm to spare")
SMOOTH = PassageDrive(WAY, DrivenBy.HAND, has_reached=True, pushed_m=0.099)
PUSHED = replace(SMOOTH, pushed_m=0.1)
SHORT = replace(SMOOTH, has_reached=False, blocked_by="obstacle")


@pytest.mark.parametrize(
    ("verdict", "measure", "drive", "said"),
    [
        (Verdict.TRAVELS, MEASURE, None, ("measured: 0.68 m wide",)),
        (Verdict.DOES_NOT, PASSES, None, ("measured: 8 cm to spare",)),
        (Verdict.TRAVELS, PASSES, None, ()),
        (Verdict.DOES_NOT, MEASURE, None, ()),
        (Verdict.TRAVELS, DOUBT, None, ()),
        (Verdict.DOES_NOT, DOUBT, None, ()),
        (Verdict.UNCERTAIN, MEASURE, PUSHED, ()),
        (Verdict.UNCERTAIN, PASSES, SMOOTH, ()),
        (Verdict.TRAVELS, None, PUSHED, ("driven, obstacles pushed it off its line by 0.10 m",)),
        (Verdict.TRAVELS, None, SMOOTH, ()),
        (Verdict.TRAVELS, None, SHORT, ()),
        (Verdict.DOES_NOT, None, SMOOTH, ("it was driven to the target without being pushed",)),
        (
            Verdict.DOES_NOT,
            None,
            replace(SMOOTH, driven_by=DrivenBy.ITSELF),
            ("it reached the target by itself without being pushed",),
        ),
        (Verdict.DOES_NOT, None, PUSHED, ()),
        (Verdict.DOES_NOT, None, SHORT, ()),
        (Verdict.TRAVELS, None, None, ()),
    ],
)
def test_what_speaks_against_an_answer(verdict, measure, drive, said) -> None:
    assert contradictions(verdict, measure, drive) == said


def now_of(project: Project) -> Circumstances:
    return Circumstances(project.graph, project.agents, "s", "m")


def judged_project(verdict: Verdict) -> Project:
    """Whose only label says that, beside a measure that it does not travel."""
    project = whole_project()
    judged = judged_on(WAY, now_of(project), "physx", "5")
    label = project.labels[WAY]
    reason = Reason.TOO_NARROW if verdict is Verdict.DOES_NOT else None
    return replace(
        project,
        labels={WAY: replace(label, verdict=verdict, reason=reason, provenance=judged)},
        measures={WAY: replace(MEASURE, provenance=judged)},
        drives={WAY: replace(DRIVE, provenance=judged)},
    )


def test_contradicting_labels_are_counted() -> None:
    project = judged_project(Verdict.TRAVELS)
    assert contradicting_labels(project, now_of(project)) == {
        WAY: ("measured: 0.68 m wide", "driven, obstacles pushed it off its line by 0.13 m")
    }
    for verdict in (Verdict.DOES_NOT, Verdict.UNCERTAIN):
        other = judged_project(verdict)
        assert contradicting_labels(other, now_of(other)) == {}


def test_stale_evidence_contradicts_nobody() -> None:
    project = judged_project(Verdict.TRAVELS)
    moved = set_graph(project, move_nodes(project.graph, {"node_2": (3.0, 2.5, 0.0)}))
    assert contradictions_of(moved, WAY, Verdict.TRAVELS, now_of(moved)) == ()
    assert contradicting_labels(moved, now_of(moved)) == {}


def test_stale_evidence_is_not_written_beside_a_label() -> None:
    project = replace(judged_project(Verdict.TRAVELS), passage_rule=MEASURE.rule)
    label = project.labels[WAY]
    driven = "driven by hand, stopped by obstacle, pushed off its line by 0.13 m"
    assert list(evidence_words(project, label)) == ["measured: 0.68 m wide", driven]
    by_another_rule = set_passage_rule(project, DEFAULT_PASSAGE_RULE)
    assert list(evidence_words(by_another_rule, label)) == [driven]
    elsewhere = replace(label, provenance=replace(label.provenance, scene_hash="other"))
    assert list(evidence_words(project, elsewhere)) == []
