"""Hypothesis strategies of arbitrary projects, odd text and unknown keys included."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from types import MappingProxyType

from hypothesis import strategies as st

from waypost.domain.base.rounds import RoundState
from waypost.domain.causes.failure import Axis, Category, CauseBook, CauseKey, CauseMark, Taxonomy
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    TaxonomyKey,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.record.study import (
    Assignment,
    AssignmentKey,
    AssignmentState,
    ConsentGiven,
    ConsentText,
    EpisodeKey,
    Participant,
    Requeue,
    Study,
    StudyEpisode,
    StudyRules,
    Take,
    TakeKey,
)
from waypost.domain.record.take_quality import TakeSummary
from waypost.domain.record.take_rules import Feedback, Question, TakeAnswers, TakeRules
from waypost.domain.scene.graph import Edge, EdgeKind, Node, build_graph
from waypost.domain.score.batch import BatchItem, BatchItemKey, ScoreBatch
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import (
    Check,
    CheckKind,
    Condition,
    Criterion,
    Level,
    Rubric,
    ScaleKind,
)
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet, SheetKey, SheetState
from waypost.domain.team_labels import with_team
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.domain.traverse.measure import Opinion, PassageMeasure
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

ODD_TEXTS = (
    "",
    "שלום עולם",
    "مطبخ \u200f123",
    "👩🏽‍🦽 ramp",
    'O\'Brien "the" kitchen; DROP TABLE nodes; --',
    "=1+1",
    "+SUM(A1)",
    "a\0b",
    "\ufdd0",
    '\ufdd0"x"',
    "line\r\nbreak\ttab",
    "lone \ud800 surrogate",
    "%s {0} \\u0000",
)
texts = st.one_of(
    st.sampled_from(ODD_TEXTS), st.text(st.characters(exclude_categories=()), max_size=8)
)
names = texts.filter(lambda text: bool(text.strip()))
metres = st.floats(-1e6, 1e6)
positions = st.tuples(metres, metres, metres)
json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        texts,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
extras = st.dictionaries(texts, json_values, max_size=2).map(MappingProxyType)
keys = st.text("abcXYZ019_-", min_size=1, max_size=6).filter(
    lambda key: key.replace("_", "").replace("-", "").isalnum()
)


@st.composite
def agents(draw: st.DrawFn) -> AgentProfile:
    shape = draw(st.sampled_from(BodyShape))
    width = draw(st.floats(0.01, 5))
    drive = draw(st.sampled_from(DriveType))
    return AgentProfile(
        key=draw(keys),
        name=draw(texts),
        shape=shape,
        width_m=width,
        depth_m=draw(st.floats(0.01, 5)) if shape is BodyShape.BOX else width,
        height_m=draw(st.floats(5, 10)),
        step_limit_m=draw(st.floats(0, 2)),
        climbs_stairs=draw(st.booleans()),
        opens_doors=draw(st.booleans()),
        operates_elevators=draw(st.booleans()),
        drive=drive,
        min_turning_radius_m=draw(st.floats(0.1, 5)) if drive is DriveType.CAR_LIKE else 0.0,
        top_speed_mps=draw(st.floats(0.01, 20)),
        description=draw(texts),
        wheel_diameter_m=draw(st.floats(0, 5)),
        contact_places_m=tuple(draw(st.lists(st.tuples(st.floats(-10, 10), st.floats(-10, 10))))),
        largest_gap_m=draw(st.floats(0, 2)),
        colour=draw(st.just("") | st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)),
    )


provenances = st.builds(
    Provenance, *[texts] * 5, from_m=st.none() | positions, to_m=st.none() | positions
)


@st.composite
def labels(draw: st.DrawFn) -> TraversabilityLabel:
    verdict = draw(st.sampled_from(Verdict))
    return TraversabilityLabel(
        Passage(draw(texts), draw(texts), draw(texts)),
        verdict,
        draw(st.sampled_from(Reason)) if verdict is Verdict.DOES_NOT else None,
        draw(texts),
        draw(texts),
        draw(texts),
        draw(provenances),
        draw(extras),
    )


measured_passages = st.builds(Passage, texts, texts, texts)
measures = st.builds(
    PassageMeasure,
    measured_passages,
    st.sampled_from(Verdict),
    st.sampled_from(Verdict),
    st.none() | st.sampled_from(Reason),
    texts,
    at_m=st.none() | positions,
    margin_m=st.none() | metres,
    step_up_m=metres,
    contacts=st.lists(texts, max_size=2).map(tuple),
    path_m=st.lists(positions, max_size=3).map(tuple),
    picture=texts,
    opinions=st.lists(st.builds(Opinion, texts, st.sampled_from(Verdict), texts), max_size=2).map(
        tuple
    ),
    provenance=provenances,
)
drives = st.builds(
    PassageDrive,
    measured_passages,
    st.sampled_from(DrivenBy),
    st.booleans(),
    nearest_target_m=st.none() | metres,
    narrowest_at_m=st.none() | positions,
    blocked_by=texts,
    touched=st.lists(texts, max_size=2).map(tuple),
    track=texts,
    provenance=provenances,
)


tasks = st.builds(
    Task, texts, texts, texts, texts, texts, st.lists(texts, max_size=2).map(tuple), extras
)


counts = st.integers(0, 2**53)
summaries = st.builds(
    TakeSummary,
    **dict.fromkeys(("rows", "duration_ns", "wall_duration_ns", "pause_ns"), counts),
    **dict.fromkeys(("path_length_m", "turned_rad"), st.floats(0, 1e6)),
    **dict.fromkeys(("collision_count", "strict_collision_count"), counts),
    **dict.fromkeys(("focus_lost_ns", "active_ns"), counts),
    has_stopped=st.booleans(),
    is_complete=st.booleans(),
    end_reason=texts,
    has_timed_out=st.booleans(),
)
rules = st.builds(
    TakeRules,
    feedback=st.sampled_from(Feedback),
    **dict.fromkeys(
        ("shows_scale_bar", "shows_compass", "shows_map", "can_look", "shows_frames"), st.booleans()
    ),
    time_limit_s=st.none() | st.floats(0.1, 1e6),
    questions=st.lists(st.sampled_from(Question), unique=True).map(tuple),
)
answers = st.builds(
    TakeAnswers,
    reached=st.none() | st.booleans(),
    sureness=st.none() | st.integers(1, 5),
    unclear=texts,
    answered_utc=texts,
)
plans = st.builds(
    StudyRules,
    name=texts,
    seed=st.integers(-(2**53), 2**53),
    episodes_per_participant=st.integers(1, 100),
    overlap=st.none() | st.integers(1, 9),
    break_after_episodes=st.none() | st.integers(1, 9),
    break_after_min=st.none() | st.floats(0.1, 99),
    agent_key=texts,
    episodes_path=texts,
    episodes_hash=texts,
    of_takes=rules,
    counts_abandoned=st.booleans(),
)


@st.composite
def studies(draw: st.DrawFn) -> Study:
    """Any study whose parts belong together; its numbers need not make sense."""
    if not draw(st.booleans()):
        return Study()
    consents = [
        ConsentText(version, draw(texts), draw(texts)) for version in range(1, draw(counts) % 3 + 1)
    ]
    episode_keys = draw(st.lists(st.builds(EpisodeKey, texts, texts, texts), max_size=3))
    given = st.lists(st.builds(ConsentGiven, counts, texts, texts), max_size=2).map(tuple)
    breaks = st.lists(texts, max_size=2).map(tuple)
    people = [
        Participant(
            code, draw(texts), draw(counts), draw(given), draw(st.none() | texts), draw(breaks)
        )
        for code in draw(st.lists(texts, max_size=3, unique=True))
    ]
    assignments, takes = [], []
    again = st.lists(st.builds(Requeue, texts, texts, texts), max_size=2).map(tuple)
    for key in dict.fromkeys(AssignmentKey(*e, p.code) for e in episode_keys for p in people):
        assignments.append(
            Assignment(
                key,
                draw(st.integers(-9, 99)),
                draw(st.booleans()),
                draw(st.sampled_from(AssignmentState)),
                draw(texts),
                draw(texts),
                draw(texts),
                draw(again),
            )
        )
        if draw(st.booleans()):
            scores = draw(st.dictionaries(texts, st.none() | st.floats(-1e6, 1e6), max_size=2))
            notes = draw(st.dictionaries(texts, texts, max_size=2))
            own = TakeKey(*key, draw(st.integers(1, 9)))
            takes.append(
                Take(
                    own,
                    draw(texts),
                    draw(texts),
                    draw(texts),
                    draw(summaries),
                    draw(rules),
                    MappingProxyType(scores),
                    MappingProxyType(notes),
                    draw(texts),
                    draw(texts),
                    draw(st.none() | answers),
                )
            )
    return Study(
        draw(plans),
        MappingProxyType({text.version: text for text in consents}),
        MappingProxyType(
            {
                key: StudyEpisode(key, draw(texts), draw(st.booleans()), draw(texts))
                for key in episode_keys
            }
        ),
        MappingProxyType({person.code: person for person in people}),
        MappingProxyType({assignment.key: assignment for assignment in assignments}),
        MappingProxyType({take.key: take for take in takes}),
    )


text_tuples = st.lists(texts, max_size=2).map(tuple)
paths = texts.map(Path)
sources = st.builds(
    RunSource,
    st.tuples(paths),
    st.lists(paths, max_size=2).map(tuple),
    st.none() | paths,
    st.none() | paths,
    st.none(),
    texts,
    texts,
    texts,
    texts,
)
axes = st.builds(
    Axis,
    texts,
    texts,
    st.lists(st.builds(Category, texts, texts, texts, texts), max_size=2).map(tuple),
    st.booleans(),
    st.booleans(),
)
versions = st.integers(-(2**53), 2**53)
taxonomies = st.builds(
    Taxonomy, texts, texts, versions, st.lists(axes, max_size=2).map(tuple), texts, texts
)
moments = st.none() | st.datetimes(timezones=st.just(UTC))
marks = st.builds(
    CauseMark,
    st.builds(CauseKey, texts, texts, texts, texts),
    versions,
    st.dictionaries(texts, text_tuples, max_size=2).map(MappingProxyType),
    st.none() | counts,
    texts,
    moments,
    st.sampled_from([True, False, None]),
)
verdicts = st.builds(
    EdgeVerdict,
    st.builds(EdgeVerdictKey, texts, texts, texts, texts, texts),
    st.sampled_from(RouteVerdict),
    texts,
    moments,
    st.sampled_from([True, False, None]),
)


@st.composite
def replay_books(draw: st.DrawFn) -> ReplayBook:
    """Any runs, taxonomies, marks and verdicts; they need not belong together."""
    kept = draw(st.lists(taxonomies, max_size=2))
    return ReplayBook(
        MappingProxyType({entry.name: entry for entry in draw(st.lists(sources, max_size=2))}),
        MappingProxyType({TaxonomyKey(entry.key, entry.version): entry for entry in kept}),
        CauseBook(MappingProxyType({mark.key: mark for mark in draw(st.lists(marks, max_size=3))})),
        MappingProxyType({entry.key: entry for entry in draw(st.lists(verdicts, max_size=2))}),
    )


conditions = st.builds(Condition, texts, st.booleans(), texts, st.none() | counts)
checks = st.builds(Check, st.sampled_from(CheckKind), st.none() | counts, texts)
criteria = st.builds(
    Criterion,
    texts,
    texts,
    st.sampled_from(ScaleKind),
    counts,
    counts,
    st.lists(st.builds(Level, counts, texts, texts), max_size=2).map(tuple),
    texts,
    st.booleans(),
    st.none() | conditions,
    st.none() | checks,
)
rubrics = st.builds(
    Rubric,
    texts,
    counts,
    texts,
    st.lists(criteria, max_size=2).map(tuple),
    st.none() | counts,
    texts,
    texts,
)
tuples_by_text = st.dictionaries(texts, text_tuples, max_size=2).map(MappingProxyType)
texts_by_text = st.dictionaries(texts, texts, max_size=2).map(MappingProxyType)
scores_by_text = st.dictionaries(texts, counts, max_size=2).map(MappingProxyType)
expected = st.dictionaries(texts, st.lists(counts, max_size=2).map(tuple), max_size=2).map(
    MappingProxyType
)


@st.composite
def score_books(draw: st.DrawFn) -> ScoreBook:
    """Any scoring whose parts belong together; its rubrics and scores need not make sense."""
    if not draw(st.booleans()):
        return ScoreBook()
    rubric = draw(rubrics)
    name, rater = draw(texts), draw(texts)
    # No batch has both sheets and comparisons, so that a draft belongs to one of them by its name.
    item, pair = draw(st.lists(texts, min_size=2, max_size=2, unique=True))
    key = BatchItemKey(name, item)
    batch = ScoreBatch(
        name,
        rubric.identity,
        draw(versions),
        draw(st.floats(0, 1)),
        MappingProxyType({rater: (pair,)}),
        MappingProxyType({pair: (item, item)}),
    )
    instruction = InstructionText(
        *(draw(texts) for _ in range(8)),
        names=draw(tuples_by_text),
        path_m=tuple(draw(st.lists(positions, max_size=2))),
        facts=draw(text_tuples),
        extra=draw(texts_by_text),
    )
    sheet = Sheet(
        SheetKey(name, item, rater, draw(st.integers(1, 9))),
        rubric.version,
        draw(scores_by_text),
        draw(text_tuples),
        draw(texts_by_text),
        draw(st.booleans()),
        draw(st.floats(0, 1e6)),
        draw(moments),
        skip_reason=draw(texts),
        is_seeing=draw(st.booleans()),
        state=draw(st.sampled_from(SheetState)),
        submitted_at=draw(moments),
        decided_by=draw(texts),
        decided_at=draw(moments),
        decision_comment=draw(texts),
    )
    answers = draw(st.dictionaries(texts, st.sampled_from(Better), max_size=2))
    answer = PairComparison(
        ComparisonKey(name, pair, rater),
        answers=MappingProxyType(answers),
        comment=draw(texts),
        active_s=1.5,
        submitted_at=draw(moments),
    )
    return ScoreBook(
        MappingProxyType({rubric.identity: rubric}),
        MappingProxyType({name: batch}),
        MappingProxyType({key: BatchItem(key, instruction, draw(expected))}),
        MappingProxyType({sheet.key: sheet}),
        MappingProxyType({answer.key: answer}),
    )


@st.composite
def teams(draw: st.DrawFn) -> Team:
    """People, and passages of which both labels are in: others are not seen by everybody."""
    ana, ben = draw(st.lists(texts, min_size=2, max_size=2, unique=True))
    people = [Person(ana, draw(st.sampled_from(Role))), Person(ben, draw(st.sampled_from(Role)))]
    doubles, said, finals = {}, {}, {}
    for label in draw(st.lists(labels(), max_size=2)):
        passage = label.passage
        doubles[passage] = DoublePassage(passage, ana, ben)
        for author in (ana, ben):
            key = DoubleLabelKey(*passage, author, 1)
            said[key] = DoubleLabel(
                key,
                label,
                draw(text_tuples),
                draw(st.booleans()),
                state=draw(st.sampled_from([RoundState.SUBMITTED, RoundState.ACCEPTED])),
                submitted_at=draw(moments),
                decided_by=draw(texts),
                decided_at=draw(moments),
                decision_comment=draw(texts),
            )
        if draw(st.booleans()):
            moment = draw(moments.filter(bool))
            finals[passage] = FinalLabel(passage, label, draw(texts), moment, draw(texts))
    share, seed = draw(st.floats(0, 1)), draw(st.integers(-5, 5))
    return Team({p.name: p for p in people}, share, seed, doubles, said, finals)


@st.composite
def projects(draw: st.DrawFn) -> Project:
    nodes = [
        Node(node_id, draw(names), draw(positions), draw(texts), draw(extras))
        for node_id in draw(st.lists(texts, max_size=5, unique=True))
    ]
    edges = []
    if len(nodes) > 1:
        ends = st.sampled_from([node.node_id for node in nodes])
        edges = [
            Edge(edge_id, draw(ends), draw(ends), draw(st.sampled_from(EdgeKind)), draw(extras))
            for edge_id in draw(st.lists(texts, max_size=4, unique=True))
        ]
    found_labels = draw(st.lists(labels(), max_size=3))
    found_agents = draw(st.lists(agents(), max_size=2))
    project = Project(
        name=draw(texts),
        scene_path=draw(texts),
        scene_up_axis=draw(st.sampled_from([None, "Y", "Z"])),
        scene_metres_per_unit=draw(st.none() | st.floats(0.001, 100)),
        allowed_gaps=MappingProxyType(
            draw(
                st.dictionaries(
                    texts, st.lists(texts, min_size=1, max_size=2).map(tuple), max_size=2
                )
            )
        ),
        passage_rule=PassageRule(
            draw(st.sampled_from(AnswerBy)), draw(st.booleans()), draw(st.floats(1, 10))
        ),
        graph=build_graph(nodes, edges, draw(extras)),
        labels=MappingProxyType({label.passage: label for label in found_labels}),
        agents=MappingProxyType({agent.key: agent for agent in found_agents}),
        measures=MappingProxyType(
            {each.passage: each for each in draw(st.lists(measures, max_size=2))}
        ),
        drives=MappingProxyType(
            {each.passage: each for each in draw(st.lists(drives, max_size=2))}
        ),
        tasks=tuple(draw(st.lists(tasks, max_size=3))),
        study=draw(studies()),
        replay=draw(replay_books()),
        scoring=draw(score_books()),
    )
    return with_team(project, draw(teams()))
