"""Each kind of item that a project holds, and how a project is put together from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.value_codec import decoder, encode
from waypost.domain.causes.failure import CauseBook, CauseKey, CauseMark, Taxonomy
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    TaxonomyKey,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.record.study import (
    Assignment,
    AssignmentKey,
    ConsentText,
    EpisodeKey,
    Participant,
    Study,
    StudyEpisode,
    StudyRules,
    Take,
    TakeKey,
)
from waypost.domain.scene.graph import Edge, Extra, Node
from waypost.domain.score.batch import BatchItem, BatchItemKey, ScoreBatch
from waypost.domain.score.comparison import ComparisonKey, PairComparison
from waypost.domain.score.rubric import Rubric, RubricKey
from waypost.domain.score.score_book import ScoreBook, check_batch
from waypost.domain.score.sheet import Sheet, SheetKey
from waypost.domain.team_labels import own_labels
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.passage_drive import PassageDrive
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.team import (
    DoubleLabel,
    DoubleLabelKey,
    DoublePassage,
    FinalLabel,
    Person,
    Team,
)
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel
from waypost.store import schema
from waypost.store.item_kind import ItemKind
from waypost.store.item_origins import ItemOrigin, items_alone, origins_of, with_origins
from waypost.store.score_drafts import DraftKey, ScoreDraft, alone, drafts_of, with_drafts

Items = Mapping[ItemKind, Mapping[Any, Any]]
"""The items of each kind by key."""


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """What a project says about itself as a whole; see ``Project``.

    Raises:
        ValueError: If the unit is not above 0.
    """

    name: str
    scene_path: str
    scene_up_axis: str | None
    scene_metres_per_unit: float | None
    graph_extra: Extra
    allowed_gaps: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    passage_rule: PassageRule = DEFAULT_PASSAGE_RULE
    second_share: float = 0.0
    second_seed: int = 0

    def __post_init__(self) -> None:
        unit = self.scene_metres_per_unit
        if unit is not None and not unit > 0:
            raise ValueError(f"scene_metres_per_unit: {unit:g} is not above 0")


_PLAIN_FACTS: Final = ("name", "scene_path", "scene_up_axis", "scene_metres_per_unit")


def _facts(project: Project) -> Mapping[str, Any]:
    own = {name: getattr(project, name) for name in _PLAIN_FACTS}
    gaps, rule = project.allowed_gaps, project.passage_rule
    # Absent where nobody chose one, so that programs of before open the project.
    later: dict[str, Any] = {"allowed_gaps": gaps} if gaps else {}
    if rule != DEFAULT_PASSAGE_RULE:
        later["passage_rule"] = encode(rule)
    if project.team.second_share or project.team.seed:
        later["second_share"] = project.team.second_share
        later["second_seed"] = project.team.seed
    return {**own, "graph_extra": project.graph.extra, **later}


def _study_settings(project: Project) -> Mapping[str, Any]:
    rules = project.study.rules
    return {} if rules is None else {f.name: getattr(rules, f.name) for f in fields(rules)}


def facts_of(items: Items) -> ProjectFacts:
    """What the project says about itself as a whole.

    Raises:
        ValueError: If something is missing, unknown or of a wrong type.
    """
    return decoder(ProjectFacts)(dict(items[FACT]))


def study_of(items: Items) -> Study:
    """Put the items of a study together.

    Raises:
        ValueError: If an item belongs to one that is not there, or a rule is missing,
            unknown or of a wrong type.
    """
    settings = items[STUDY_SETTING]
    study = Study(
        rules=decoder(StudyRules)(dict(settings)) if settings else None,
        consent_texts=MappingProxyType(items[CONSENT_TEXT]),
        episodes=MappingProxyType(items[STUDY_EPISODE]),
        participants=MappingProxyType(items[PARTICIPANT]),
        assignments=MappingProxyType(items[ASSIGNMENT]),
        takes=MappingProxyType(items[TAKE]),
    )
    for key in study.assignments:
        if key.participant not in study.participants:
            raise ValueError(f"an episode is assigned to {key.participant}, who is not there")
        if key.episode not in study.episodes:
            raise ValueError(f"episode {key.episode_id} is assigned, which is not there")
    for take_key in study.takes:
        if take_key.assignment not in study.assignments:
            raise ValueError(f"a take is of episode {take_key.episode_id}, which is not assigned")
    return study


def replay_of(items: Items) -> ReplayBook:
    """Put the items together; marks may be of runs and taxonomies that are not there any more.

    Raises:
        ValueError: If a run has no result file or several.
    """
    for name, source in items[RUN_SOURCE].items():
        if len(source.results) != 1:
            raise ValueError(f"{name}: a run has one file or folder of results")
    return ReplayBook(
        sources=MappingProxyType(items[RUN_SOURCE]),
        taxonomies=MappingProxyType(items[TAXONOMY]),
        causes=CauseBook(MappingProxyType(items[CAUSE_MARK])),
        edge_verdicts=MappingProxyType(items[EDGE_VERDICT]),
    )


def scoring_of(items: Items) -> ScoreBook:
    """Put rubrics, batches and what was said together.

    Raises:
        ValueError: If a batch names a rubric, an item or a pair that is not there, or a sheet or
            an answer is about none; some as `InputError`.
    """
    book = ScoreBook(
        MappingProxyType(items[RUBRIC]),
        MappingProxyType(items[BATCH]),
        with_origins(items[BATCH_ITEM], items[ITEM_ORIGIN]),
        MappingProxyType(items[SHEET]),
        MappingProxyType(items[COMPARISON]),
    )
    own: dict[str, set[str]] = {name: set() for name in book.batches}
    for key in book.items:
        if key.batch not in own:
            raise ValueError(f"{key.item} is of the batch {key.batch!r}, which is not there")
        own[key.batch].add(key.item)
    for batch in book.batches.values():
        if batch.rubric not in book.rubrics:
            raise ValueError(f"{batch.name} is scored by a rubric that is not there")
        check_batch(batch, own[batch.name])
    for sheet in book.sheets.values():
        batch_name, item, rater, _ = sheet.key
        if BatchItemKey(batch_name, item) not in book.items:
            raise ValueError(f"a sheet of {rater} is about {item}, which is not there")
        rubric = book.batches[batch_name].rubric
        if rubric._replace(version=sheet.rubric_version) not in book.rubrics:
            raise ValueError(f"a sheet of {rater} is by a rubric that is not there")
    for answer in book.comparisons:
        if answer.batch not in own or answer.pair not in book.batches[answer.batch].pairs:
            raise ValueError(f"{answer.rater} has compared {answer.pair!r}, which is not there")
    return with_drafts(book, items[SCORE_DRAFT])


def team_of(items: Items, viewer: str) -> Team:
    """Put people, and what two of them label, together.

    Raises:
        ValueError: If a label is of a passage, or by somebody, that is not dealt so.
    """
    doubles = items[DOUBLE_PASSAGE]
    for key in items[DOUBLE_LABEL]:
        entry = doubles.get(key.passage)
        if entry is None or key.author not in entry.annotators:
            raise ValueError(f"{key.author} has a label {key.from_id} → {key.to_id}, not dealt so")
    facts = facts_of(items)
    return Team(
        MappingProxyType(items[PERSON]),
        facts.second_share,
        facts.second_seed,
        MappingProxyType(doubles),
        MappingProxyType(items[DOUBLE_LABEL]),
        MappingProxyType(items[FINAL_LABEL]),
        viewer,
    )


def _episode_title(key: EpisodeKey | AssignmentKey | TakeKey, _: Any) -> str:
    return f"episode {key.episode_id} of {key.scene_id}"


FACT: Final = ItemKind(
    "project setting",
    schema.FACTS,
    str,
    Any,
    (),
    _facts,
    lambda key, _: f"the project's {key.replace('_', ' ')}",
)
NODE: Final = ItemKind(
    "node",
    schema.NODES,
    str,
    Node,
    ("node_id",),
    lambda project: project.graph.nodes,
    lambda key, node: f"node “{node.name}” ({key})",
)
EDGE: Final = ItemKind(
    "edge",
    schema.EDGES,
    str,
    Edge,
    ("edge_id",),
    lambda project: project.graph.edges,
    lambda key, edge: f"edge {key} ({edge.from_id} – {edge.to_id})",
)
AGENT: Final = ItemKind(
    "agent",
    schema.AGENTS,
    str,
    AgentProfile,
    ("key",),
    lambda project: project.agents,
    lambda key, agent: f"agent “{agent.name}” ({key})",
)
LABEL: Final = ItemKind(
    "label",
    schema.LABELS,
    Passage,
    TraversabilityLabel,
    ("passage",),
    own_labels,
    lambda key, _: f"the label {key.from_id} → {key.to_id} of {key.agent_key}",
)
MEASURE: Final = ItemKind(
    "measure",
    schema.MEASURES,
    Passage,
    PassageMeasure,
    ("passage",),
    lambda project: project.measures,
    lambda key, _: f"the measure {key.from_id} → {key.to_id} of {key.agent_key}",
)
DRIVE: Final = ItemKind(
    "drive",
    schema.DRIVES,
    Passage,
    PassageDrive,
    ("passage",),
    lambda project: project.drives,
    lambda key, _: f"the drive {key.from_id} → {key.to_id} of {key.agent_key}",
)
TASK: Final = ItemKind(
    "task",
    schema.TASKS,
    int,
    Task,
    (),
    lambda project: dict(enumerate(project.tasks)),
    lambda key, task: f"task {key + 1} (“{task.question}”)",
)
STUDY_SETTING: Final = ItemKind(
    "study setting",
    schema.STUDY_SETTINGS,
    str,
    Any,
    (),
    _study_settings,
    lambda key, _: f"the study's {key.replace('_', ' ')}",
)
CONSENT_TEXT: Final = ItemKind(
    "consent text",
    schema.CONSENT_TEXTS,
    int,
    ConsentText,
    ("version",),
    lambda project: project.study.consent_texts,
    lambda key, _: f"version {key} of the consent text",
)
STUDY_EPISODE: Final = ItemKind(
    "study episode",
    schema.STUDY_EPISODES,
    EpisodeKey,
    StudyEpisode,
    ("key",),
    lambda project: project.study.episodes,
    _episode_title,
)
PARTICIPANT: Final = ItemKind(
    "participant",
    schema.PARTICIPANTS,
    str,
    Participant,
    ("code",),
    lambda project: project.study.participants,
    lambda key, _: f"participant {key}",
)
ASSIGNMENT: Final = ItemKind(
    "assignment",
    schema.ASSIGNMENTS,
    AssignmentKey,
    Assignment,
    ("key",),
    lambda project: project.study.assignments,
    lambda key, _: f"{_episode_title(key, _)} for {key.participant}",
)
TAKE: Final = ItemKind(
    "take",
    schema.TAKES,
    TakeKey,
    Take,
    ("key",),
    lambda project: project.study.takes,
    lambda key, _: f"take {key.number} of {_episode_title(key, _)} by {key.participant}",
)
RUN_SOURCE: Final = ItemKind(
    "run source",
    schema.RUN_SOURCES,
    str,
    RunSource,
    ("name",),
    lambda project: project.replay.sources,
    lambda key, _: f"run “{key}”",
)
TAXONOMY: Final = ItemKind(
    "taxonomy",
    schema.TAXONOMIES,
    TaxonomyKey,
    Taxonomy,
    ("key", "version"),
    lambda project: project.replay.taxonomies,
    lambda key, taxonomy: f"version {key.version} of the taxonomy “{taxonomy.title}”",
)
CAUSE_MARK: Final = ItemKind(
    "cause mark",
    schema.CAUSE_MARKS,
    CauseKey,
    CauseMark,
    ("key",),
    lambda project: project.replay.causes.marks,
    lambda key, _: f"the cause that {key.analyst} marked for episode {key.episode_id} of {key.run}",
)
EDGE_VERDICT: Final = ItemKind(
    "edge verdict",
    schema.EDGE_VERDICTS,
    EdgeVerdictKey,
    EdgeVerdict,
    ("key",),
    lambda project: project.replay.edge_verdicts,
    lambda key, _: (
        f"{key.analyst}'s verdict on {key.from_id} → {key.to_id}"
        f" in episode {key.episode_id} of {key.run}"
    ),
)
RUBRIC: Final = ItemKind(
    "rubric",
    schema.RUBRICS,
    RubricKey,
    Rubric,
    ("key", "version"),
    lambda project: project.scoring.rubrics,
    lambda key, rubric: f"version {key.version} of the rubric “{rubric.title}”",
)
BATCH: Final = ItemKind(
    "batch",
    schema.BATCHES,
    str,
    ScoreBatch,
    ("name",),
    lambda project: project.scoring.batches,
    lambda key, _: f"the batch “{key}”",
)
BATCH_ITEM: Final = ItemKind(
    "batch item",
    schema.BATCH_ITEMS,
    BatchItemKey,
    BatchItem,
    ("key",),
    lambda project: items_alone(project.scoring.items),
    lambda key, _: f"instruction {key.item} of the batch “{key.batch}”",
)
ITEM_ORIGIN: Final = ItemKind(
    "item origin",
    schema.ITEM_ORIGINS,
    BatchItemKey,
    ItemOrigin,
    ("key",),
    lambda project: origins_of(project.scoring.items),
    lambda key, _: f"where instruction {key.item} of the batch “{key.batch}” comes from",
)
SHEET: Final = ItemKind(
    "sheet",
    schema.SHEETS,
    SheetKey,
    Sheet,
    ("key",),
    lambda project: alone(project.scoring.sheets),
    lambda key, _: f"{key.rater}'s sheet on {key.item} of “{key.batch}”, round {key.round}",
)
COMPARISON: Final = ItemKind(
    "comparison",
    schema.COMPARISONS,
    ComparisonKey,
    PairComparison,
    ("key",),
    lambda project: alone(project.scoring.comparisons),
    lambda key, _: f"{key.rater}'s comparison of {key.pair} in “{key.batch}”",
)
SCORE_DRAFT: Final = ItemKind(
    "score draft",
    schema.SCORE_DRAFTS,
    DraftKey,
    ScoreDraft,
    ("key",),
    lambda project: drafts_of(project.scoring),
    lambda key, _: f"what is begun to be written on {key.item} of “{key.batch}” by {key.rater}",
)
PERSON: Final = ItemKind(
    "person",
    schema.PEOPLE,
    str,
    Person,
    ("name",),
    lambda project: project.team.people,
    lambda key, _: f"what {key} does",
)
DOUBLE_PASSAGE: Final = ItemKind(
    "double passage",
    schema.DOUBLE_PASSAGES,
    Passage,
    DoublePassage,
    ("passage",),
    lambda project: project.team.doubles,
    lambda key, _: f"who labels {key.from_id} → {key.to_id} of {key.agent_key}",
)
DOUBLE_LABEL: Final = ItemKind(
    "double label",
    schema.DOUBLE_LABELS,
    DoubleLabelKey,
    DoubleLabel,
    ("key",),
    lambda project: project.team.labels,
    lambda key, _: f"{key.author}'s label {key.from_id} → {key.to_id} of {key.agent_key}",
)
FINAL_LABEL: Final = ItemKind(
    "final label",
    schema.FINAL_LABELS,
    Passage,
    FinalLabel,
    ("passage",),
    lambda project: project.team.finals,
    lambda key, _: f"the final label {key.from_id} → {key.to_id} of {key.agent_key}",
)

TEAM: Final = (PERSON, DOUBLE_PASSAGE, DOUBLE_LABEL, FINAL_LABEL)
"""What a team is made of."""

KINDS: Final = (
    FACT, NODE, EDGE, AGENT, LABEL, MEASURE, DRIVE, TASK,
    STUDY_SETTING, CONSENT_TEXT, STUDY_EPISODE, PARTICIPANT, ASSIGNMENT, TAKE,
    RUN_SOURCE, TAXONOMY, CAUSE_MARK, EDGE_VERDICT,
    RUBRIC, BATCH, BATCH_ITEM, ITEM_ORIGIN, SHEET, COMPARISON, SCORE_DRAFT,
    *TEAM,
)  # fmt: skip
"""In an order in which rows can be added: nodes before the edges that name them."""
