"""One label of a passage that two label, wherever labels are counted, drawn or written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.team_examples import cart_passages, label_of, row_of_nodes

from waypost.annotators.graph.drawing import passage_states
from waypost.annotators.traverse.asking import agent_row_steps
from waypost.annotators.traverse.queue import open_queue, queue_progress, queue_row_steps
from waypost.domain.base.progress import exhaust
from waypost.domain.base.rounds import RoundState
from waypost.domain.contradiction import contradicting_labels
from waypost.domain.project import Project, set_measures
from waypost.domain.team_labels import with_team
from waypost.domain.traverse.judged_graph import JudgedGraph, current_labels
from waypost.domain.traverse.measure import MEASURING_VERSION, PassageMeasure
from waypost.domain.traverse.questions import feasibility
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.team import (
    DoubleLabel,
    DoubleLabelKey,
    DoublePassage,
    FinalLabel,
    Person,
    Role,
    Team,
)
from waypost.domain.traverse.traversability import PassageState, Reason, Verdict, prefill
from waypost.io.labels.labels_csv import labels_csv_text
from waypost.services.capnav_export import export_capnav
from waypost.services.judging import circumstances
from waypost.services.label_report import agent_counts, select_labels
from waypost.store.project_store import utc_now


def project_of(viewer: str, final: Verdict | None = None) -> Project:
    """Two nodes; of the way there Ana says that it travels, Ben that a door is shut."""
    project = row_of_nodes(2)
    way = cart_passages(project)[0]
    labels = {}
    for author, said in (("ana", Verdict.TRAVELS), ("ben", Reason.DOOR)):
        key = DoubleLabelKey(*way, author, 1)
        label = label_of(way, said, author)
        labels[key] = DoubleLabel(key, label, state=RoundState.SUBMITTED)
    finals = {}
    if final is not None:
        finals[way] = FinalLabel(way, label_of(way, final, "rita"), "rita", utc_now())
    people = {name: Person(name, Role.ANNOTATOR) for name in ("ana", "ben")}
    people["rita"] = Person("rita", Role.REVIEWER)
    doubles = {way: DoublePassage(way, "ana", "ben")}
    return with_team(project, Team(people, 0.5, 0, doubles, labels, finals, viewer))


CASES = [
    ("ana", None, Verdict.TRAVELS),
    ("ben", None, Verdict.DOES_NOT),
    ("rita", None, None),
    ("guest", None, None),
    ("ben", Verdict.TRAVELS, Verdict.TRAVELS),
    ("rita", Verdict.UNCERTAIN, Verdict.UNCERTAIN),
    ("guest", Verdict.TRAVELS, Verdict.TRAVELS),
]


@pytest.mark.parametrize(("viewer", "final", "counts"), CASES)
def test_every_place_takes_the_same_label(
    viewer: str, final: Verdict | None, counts: Verdict | None, tmp_path: Path
) -> None:
    project = project_of(viewer, final)
    way = cart_passages(project)[0]
    now = circumstances(project, None)
    expected = PassageState.UNDECIDED if counts is None else PassageState(counts.value)
    agent = project.agents["cart"]
    judged = JudgedGraph(project.graph, current_labels(project.labels, now))
    progress = queue_progress(project.graph, project.labels, "", agent)
    (counted,) = agent_counts(project, select_labels(project, None), skips_uncertain=False)
    queue = open_queue(project.labels, "cart", now, team=project.team)
    row, _ = exhaust(queue_row_steps(queue, project.labels, now, team=project.team))
    # Coverage in the window and in reports, the colour of the edge, and what answers are judged by.
    assert passage_states(project.labels, [way], now) == [expected]
    assert (progress.done, progress.undecided) == ((0, 2) if counts is None else (1, 1))
    assert (counted["labelled"], counted["undecided"]) == (progress.done, progress.undecided)
    assert counted["travels"] == (counts is Verdict.TRAVELS)
    assert exhaust(agent_row_steps(project, ""))[0].decided == progress.done
    assert row.state is expected
    assert judged.state(*way) is expected
    # Exports: the table, and CapNav's files, which leave an uncertain one out.
    table = labels_csv_text(project.labels, project.graph, ["cart"])
    assert table.count(",travels,") + table.count(",does_not,") + table.count(",uncertain,") == (
        counts is not None
    )
    assert f",{counts}," in table or counts is None
    export = export_capnav(project, "", tmp_path)
    entries = [v for k, v in json.loads(export.traverse_path.read_text()).items() if k[0] != "_"]
    found = [entry["traversable"] for section in entries for entry in section.values()]
    assert found == ([] if counts in (None, Verdict.UNCERTAIN) else [counts is Verdict.TRAVELS])
    assert ("no label yet" in export.sentence) == (counts is None)
    # Questions and what is offered for the way back.
    asked = Task("Where?", "n0", "n1")
    assert feasibility(asked, judged, "cart") is {
        Verdict.TRAVELS: True, Verdict.DOES_NOT: False,
    }.get(counts or Verdict.UNCERTAIN)  # fmt: skip
    reason, _ = prefill(project.labels, way.reverse)
    assert reason is (Reason.DOOR if counts is Verdict.DOES_NOT else None)
    # What contradicts a measure.
    measure = PassageMeasure(
        way, Verdict.DOES_NOT, Verdict.DOES_NOT, Reason.DOOR, "the door is shut",
        measuring_version=MEASURING_VERSION,
    )  # fmt: skip
    measured = set_measures(project, [measure])
    against = contradicting_labels(measured, circumstances(measured, None))
    assert set(against) == ({way} if counts is Verdict.TRAVELS else set())


@pytest.mark.parametrize(("viewer", "left"), [("ana", 0), ("ben", 0), ("guest", 0), ("rita", 1)])
def test_an_agent_is_finished_once_ones_own_part_is(viewer: str, left: int) -> None:
    """A disagreement is left for who decides; the way back, which one labels, for all."""
    project = project_of(viewer)
    way = cart_passages(project)[0]
    (row,) = exhaust(agent_row_steps(project, ""))
    assert row.total - row.decided - row.of_others == left + 1
    said = {**project.labels, way.reverse: label_of(way.reverse, Verdict.TRAVELS, viewer)}
    (row,) = exhaust(agent_row_steps(replace(project, labels=said), ""))
    assert row.is_finished == (left == 0)


def test_a_project_changes_its_viewer_and_with_it_what_counts() -> None:
    ana = project_of("ana")
    way = cart_passages(ana)[0]
    ben = with_team(ana, replace(ana.team, viewer="ben"))
    assert (ana.labels[way].author, ben.labels[way].author) == ("ana", "ben")
