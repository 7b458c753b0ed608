"""A project with an item of every kind."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from score_examples import whole_book
from study_examples import assigned, drive_next, study_of

from waypost.domain.base.rounds import RoundState
from waypost.domain.causes.failure import (
    Axis,
    Category,
    CauseBook,
    CauseKey,
    CauseMark,
    Taxonomy,
    set_mark,
)
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    add_source,
    save_taxonomy,
    set_causes,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.scene.graph import add_edge, add_node, build_graph
from waypost.domain.team_labels import with_team
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.measure import (
    MEASURING_VERSION,
    AbsentOpinion,
    Opinion,
    PassageMeasure,
)
from waypost.domain.traverse.passage_drive import DrivenBy, PassageDrive
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
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
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
OWN = Taxonomy("own", "Ours", 1, (Axis("why", "Why", (Category("room", "Room"),)),))
MARK = CauseMark(CauseKey("gpt", "7_0", "ana", "own"), 1, {"why": ("room",)}, 3, "", NOON)
VERDICT = EdgeVerdict(
    EdgeVerdictKey("gpt", "7_0", "a", "b", "ana"), RouteVerdict.INVALID, "a sill", NOON
)
WAY = Passage("node_1", "node_2", "cart")
JUDGED = Provenance("s", "p", "physx", "5", "m", (1.0, 2.0, 0.0), (3.0, 2.0, 0.0))
MEASURE = PassageMeasure(
    WAY, Verdict.DOES_NOT, Verdict.UNCERTAIN, Reason.TOO_NARROW, "0.68 m wide", (2.0, 2.0, 0.0),
    -0.12, ("door", "wall"), ((1.0, 2.0, 0.0), (3.0, 2.0, 0.0)), "ab12",
    (Opinion("geometry", Verdict.DOES_NOT, "0.68 m of 0.80 m"),),
    (AbsentOpinion("sweep", "no such library"),), JUDGED, 4.5,
    detour_m=0.4, clear_width_m=0.68, clear_width_length_m=0.1, step_up_m=0.02,
    step_up_at_m=(1.5, 2.0, 0.0), step_down_m=0.01, step_down_at_m=None, flights=1, slope_deg=2.5,
    head_room_m=1.9, hole_m=None, turn_needs_m=0.97, turn_has_m=0.8, reversals=2,
    clear_width_at_m=(2.0, 2.1, 0.0), headings_rad=(0.0, 0.1),
    rule=PassageRule(AnswerBy.STRAIGHT, allows_furniture=True), measuring_version=MEASURING_VERSION,
)  # fmt: skip
DRIVE = PassageDrive(
    WAY, DrivenBy.HAND, False, 0.7, (2.3, 2.0, 0.0), 0.01, (2.2, 2.0, 0.0), 0.02, 0.13, "obstacle",
    ("door",), 12.5, "cd34", "ana", "2026-11-28T12:00:00+00:00", JUDGED,
)  # fmt: skip


def whole_project() -> Project:
    """A project with a row in every table."""
    graph, _ = add_node(build_graph([], []), (1.0, 2.0, 0.0), "Kitchen")
    graph, _ = add_node(graph, (3.0, 2.0, 0.0), "Hall")
    graph, _ = add_edge(graph, "node_1", "node_2")
    passage = Passage("node_1", "node_2", "cart")
    book = save_taxonomy(
        add_source(ReplayBook(), RunSource((Path("gpt.json"),), (Path("a.json"),), name="gpt")), OWN
    )
    book = set_edge_verdict(set_causes(book, set_mark(CauseBook(), OWN, MARK)), VERDICT)
    project = Project(
        "House",
        scene_up_axis="Z",
        scene_metres_per_unit=1.0,
        graph=graph,
        agents={"cart": AgentProfile("cart", "Cart", BodyShape.BOX, 1, 1, 1, 0.01, *[False] * 3)},
        labels={
            passage: TraversabilityLabel(
                passage, Verdict.TRAVELS, provenance=Provenance("s", "p", "physx", "5", "m")
            )
        },
        measures={passage: MEASURE},
        drives={passage: DRIVE},
        tasks=(Task("Where?", "Kitchen", "Hall"),),
        study=drive_next(assigned(study_of([1, 1], 1, training=1)), "P-0"),
        replay=book,
        scoring=whole_book(),
    )
    return with_team(project, whole_team(Passage("node_2", "node_1", "cart")))


def whole_team(passage: Passage) -> Team:
    """People, a passage that two of them have labelled, and what was decided."""
    people = {
        "ana": Person("ana", Role.ANNOTATOR),
        "ben": Person("ben", Role.ANNOTATOR),
        "rita": Person("rita", Role.REVIEWER),
    }
    said = TraversabilityLabel(passage, Verdict.DOES_NOT, Reason.TOO_NARROW, "door", "ana", "t")
    labels = {}
    for author, number, state in (
        ("ana", 1, RoundState.RETURNED),
        ("ana", 2, RoundState.ACCEPTED),
        ("ben", 1, RoundState.ACCEPTED),
    ):
        key = DoubleLabelKey(*passage, author, number)
        labels[key] = DoubleLabel(
            key, said, ("measured: 0.68 m wide",), number == 2, state=state, submitted_at=NOON,
            decided_by="rita", decided_at=NOON, decision_comment="look at the door",
        )  # fmt: skip
    final = FinalLabel(passage, said, "rita", NOON, "as ana says")
    doubles = {passage: DoublePassage(passage, "ana", "ben")}
    return Team(people, 0.5, 3, doubles, labels, {passage: final})
