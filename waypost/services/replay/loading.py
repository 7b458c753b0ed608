"""Bring runs, episodes and graphs together for replay: one episode at once, or a whole run."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.answer_judgement import judge_answer
from waypost.domain.episode.answer_places import on_nodes, with_ends
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.image_limit import with_image_limit
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run import EpisodeRun, run_name, scores_only_note
from waypost.domain.episode.run_ids import told_apart
from waypost.domain.episode.run_source import RunSource
from waypost.domain.episode.stated_scores import (
    StatedRule,
    StatedScore,
    StatedSum,
    add_stated,
    stated_scores,
)
from waypost.domain.episode.viewpoint_placing import needs_placing, placed_for, placing_warning
from waypost.domain.replay.answer_tags import find_answer_tags
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.run_rows import attempt_words
from waypost.domain.replay.tags import Tag, find_tags
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs.instruction_ids import name_runs
from waypost.io.read_log import ReadLog
from waypost.metrics.profile import Profile, Scenery
from waypost.metrics.scoring import score_episode
from waypost.services.asked_episodes import asked_id, find_episode, missing_ids
from waypost.services.navmesh_distances import goal_distance_over
from waypost.services.replay.graphs import RunGraphs
from waypost.services.replay.profiles import (
    find_replay_profile,
    navmesh_note,
    other_profiles_note,
    over_navmesh,
    profile_for,
    stand_in_of,
)

ODD_RUNS: Final = ("duplicated_identical", "duplicated_conflicting", "foreign")
"""Runs that no mean counts, in the order of ``ReplayedRun.coverage``."""

_NO_SCAN: Final = "the scan is unknown, as no episode that states it was given"

MOST_NAMED: Final = 20
"""Ids that ``ReplayedRun.odd_ids`` names of each kind."""


@dataclass(frozen=True, slots=True)
class ReplayScores:
    """The metrics of one episode under one profile."""

    profile: Profile
    values: Mapping[str, float | None]
    """Metric → value, ``None`` where undefined."""

    reasons: Mapping[str, str]
    """Metric → why it is undefined."""

    def under(self, profile: Profile) -> ReplayScores:
        """The same in the columns of a profile that others of the run are scored by.

        What that profile does not have, or defines otherwise, is undefined there.
        """
        if profile.key == self.profile.key:
            return self
        own = {metric.key: metric.definition for metric in self.profile.metrics}
        by = f"the profile {self.profile.key}, which scores this episode,"
        values: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        for metric in profile.metrics:
            key, is_alike = metric.key, own.get(metric.key) == metric.definition
            values[key] = self.values[key] if is_alike else None
            if values[key] is None:
                lacks = "defines it otherwise" if key in own else "has no such metric"
                reasons[key] = self.reasons.get(key) or f"{by} {lacks}"
        return ReplayScores(profile, MappingProxyType(values), MappingProxyType(reasons))


@dataclass(frozen=True, slots=True)
class ReplayedEpisode:
    """One run of one episode with everything computed about it."""

    replay: Replay
    tags: tuple[Tag, ...]
    scores: ReplayScores
    attempt: int
    """From 1: the how many-th run of this episode in the file."""

    judged: JudgedGraph | None = None
    """Graph and labels that an answer was judged by."""

    participant: str = ""
    """Code of the person who drove; empty for a model."""

    take: int | None = None
    """Number of the person's take; ``None`` for a model."""

    samples: Path | None = None
    """File of the person's take; ``None`` for a model."""

    @property
    def which(self) -> str:
        """Which run of its episode it is, in words; empty for the only one."""
        return attempt_words(self.attempt, self.participant, self.take)

    @property
    def chart_id(self) -> str:
        """What charts and marks hold it by; see ``RunRow.chart_id``."""
        own_id = self.replay.episode.episode_id
        return f"{own_id} · {self.which}" if self.take is not None else own_id

    @property
    def counts(self) -> bool:
        """Whether means and charts count it: every take of a person, the first run of a model."""
        return self.take is not None or self.attempt == 1

    @property
    def has_path(self) -> bool:
        """Whether anything is known of where it went."""
        return bool(len(self.replay.run.route))

    @property
    def is_success(self) -> bool | None:
        """By the profile; ``None`` where that leaves it undefined."""
        return _success(self.scores)


@dataclass(frozen=True, slots=True)
class ReplayedRun:
    """A whole result file."""

    name: str
    source: str
    format: str
    conventions: str
    profile: Profile
    coverage: Mapping[str, int]
    """expected, found, missing, duplicated_identical, duplicated_conflicting, foreign,
    unreadable; ``expected`` counts what the annotations ask for."""

    findings: tuple[ImportFinding, ...]
    warnings: tuple[str, ...]
    odd_ids: Mapping[str, tuple[str, ...]]
    """The first ids of ``missing`` and of ``ODD_RUNS``, under the names of ``coverage``; an id
    stands as often as it is counted."""

    attempts: tuple[ReplayedEpisode, ...]
    """Every run of every episode asked for, in the order of the file, without the records that
    they came from; columns are computed anew when asked for."""

    stated_rule: StatedRule | None = None
    """How the released code of the form takes means of scores that the source states."""

    @property
    def stated(self) -> Mapping[str, StatedScore]:
        """What the source itself states about the episodes that count, by its names."""
        sums: dict[str, StatedSum] = {}
        for shown in self.episodes:
            add_stated(sums, shown.replay.run.reported)
        return stated_scores(sums, len(self.episodes), self.stated_rule)

    @property
    def episodes(self) -> tuple[ReplayedEpisode, ...]:
        """Those that count, in the order of the file."""
        return tuple(shown for shown in self.attempts if shown.counts)


def _success(scores: ReplayScores) -> bool | None:
    value = scores.values.get(scores.profile.success_key)
    return None if value is None else value > 0


def replay_all(source: RunSource) -> Generator[Progress, None, ReplayedRun]:
    """Replay, tag and score every run of a file; yields progress in episodes.

    Raises:
        InputError: If a file as a whole cannot be used.
    """
    log = ReadLog.about(source)
    episodes = episodes_by_id(source, log)
    yield Progress(0, len(episodes), f"{counted(len(episodes), 'episode')} read")
    book = Replayer(source)
    entry = RUN_FORMATS.find(source.file, source.result_format)
    found: dict[str, ReplayedEpisode] = {}
    attempts: list[ReplayedEpisode] = []
    tries: Counter[str] = Counter()
    odd = _OddRuns()
    runs = runs_of(source, entry.read(source.file, log), episodes.values, log)
    for done, run in enumerate(runs, start=1):
        name = book.id_of(run, done)
        episode = find_episode(episodes, name, run)
        if episode is None and episodes and name not in found:
            odd.add("foreign", name)
            continue
        tries[name] += 1
        asked = episode or unknown_episode(run, name)
        shown = book.replayed(asked, dataclasses.replace(run, record=None), tries[name])
        attempts.append(dataclasses.replace(shown, replay=dataclasses.replace(shown.replay)))
        if name in found:
            is_same = found[name].replay.run == attempts[-1].replay.run
            odd.add("duplicated_identical" if is_same else "duplicated_conflicting", name)
        found.setdefault(name, attempts[-1])
        if done % 200 == 0:
            yield Progress(done, len(episodes), f"{counted(done, 'run')} replayed")
    log.finish()
    if not found:
        raise no_run_of(source, log, odd.counts["foreign"])
    attempted = {asked_id(shown.replay.episode) for shown in found.values()}
    return ReplayedRun(
        name=run_name(source.file),
        source=str(source.file),
        format=entry.title,
        conventions=entry.conventions,
        profile=_profile_of(attempts),
        coverage=run_coverage(episodes, found, attempted, odd.counts, log),
        findings=tuple(log.findings),
        warnings=(*log.oddities, *book.warnings, *_notes(attempts)),
        odd_ids=odd.named(tuple(islice(missing_ids(episodes, attempted), MOST_NAMED))),
        attempts=tuple(attempts),
        stated_rule=entry.stated_rule,
    )


def _notes(attempts: list[ReplayedEpisode]) -> Iterator[str]:
    """What the whole of a run lacks."""
    profile = _profile_of(attempts)
    bare = sum(shown.replay.run.has_scores_only for shown in attempts)
    counted_ones = (shown for shown in attempts if shown.counts)
    reasons = (shown.scores.reasons.get(profile.success_key, "") for shown in counted_ones)
    scored_by = Counter(shown.scores.profile.key for shown in attempts if shown.has_path)
    notes = (
        scores_only_note(bare, len(attempts)),
        navmesh_note(profile.key, reasons),
        other_profiles_note(scored_by, profile.key),
    )
    yield from filter(None, notes)


def _profile_of(attempts: list[ReplayedEpisode]) -> Profile:
    """The profile of the first with a path; the others do not tell in what a run is measured."""
    return next((shown for shown in attempts if shown.has_path), attempts[0]).scores.profile


def _scored(profile: Profile, episode: Episode, run: EpisodeRun, scenery: Scenery) -> ReplayScores:
    scored = score_episode(profile, episode, run, scenery)
    keys = [metric.key for metric in profile.metrics]
    return ReplayScores(
        profile,
        MappingProxyType(dict(zip(keys, scored.values, strict=True))),
        MappingProxyType({key: why for key, why in zip(keys, scored.reasons, strict=True) if why}),
    )


class _OddRuns:
    """Counts the runs that no mean counts and remembers the first ids of each kind."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(ODD_RUNS, 0)
        self._first: dict[str, list[str]] = {kind: [] for kind in ODD_RUNS}

    def add(self, kind: str, name: str) -> None:
        """Count a run."""
        self.counts[kind] += 1
        if len(self._first[kind]) < MOST_NAMED:
            self._first[kind].append(name)

    def named(self, missing: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
        """``ReplayedRun.odd_ids``."""
        first = {kind: tuple(names) for kind, names in self._first.items()}
        return MappingProxyType({"missing": missing, **first})


def episodes_by_id(source: RunSource, log: ReadLog, only: str | None = None) -> dict[str, Episode]:
    """Episodes by id; with ``only`` no further than that one."""
    found: dict[str, Episode] = {}
    for _ in fill_episodes(found, source, log, only):
        pass
    return found


def fill_episodes(
    found: dict[str, Episode], source: RunSource, log: ReadLog, only: str | None = None
) -> Iterator[None]:
    """Read episodes by id, without the records they came from; the first of an id counts.

    Args:
        found: Is filled.
        source: What names the annotations.
        log: Gets what is doubted.
        only: Read no further in a file than this id.

    Yields:
        After every episode of a file.
    """
    for path in source.annotations:
        entry = EPISODE_FORMATS.find(path, source.annotation_format)
        for episode in _until(entry.read(path, log), only):
            # Thousands of records as they stood in the file would take most of the memory.
            if episode.episode_id not in found:
                found[episode.episode_id] = dataclasses.replace(episode, record=None)
            yield


def _until(episodes: Iterator[Episode], only: str | None) -> Iterator[Episode]:
    for episode in episodes:
        yield episode
        if episode.episode_id == only:
            return


def runs_of(
    source: RunSource,
    runs: Iterable[EpisodeRun],
    episodes: Callable[[], Iterable[Episode]],
    log: ReadLog,
) -> Iterator[EpisodeRun]:
    """The runs under the ids that ``waypost evaluate`` knows them by.

    Args:
        source: Where they are from.
        runs: As they were read.
        episodes: Gives all that the annotations have; asked only if some run has no id.
        log: Told of instructions that several episodes share.
    """
    return told_apart(name_runs(runs, episodes, log), source)


def run_coverage(
    episodes: Mapping[str, Episode],
    run_ids: Collection[str],
    attempted: Collection[str],
    odd: Mapping[str, int],
    log: ReadLog,
) -> Mapping[str, int]:
    """``ReplayedRun.coverage``.

    Args:
        episodes: Those asked for; none where no annotations were given.
        run_ids: Of the runs, those of an episode counted once.
        attempted: ``asked_id`` of their episodes.
        odd: How many runs are of each of ``ODD_RUNS``.
        log: Of reading the runs.
    """
    return MappingProxyType(
        {
            "expected": len(episodes) or len(run_ids),
            "found": len(run_ids),
            "missing": sum(1 for _ in missing_ids(episodes, attempted)),
            **odd,
            "unreadable": log.counts[ImportKind.UNREADABLE],
        }
    )


def no_run_of(source: RunSource, log: ReadLog, foreign: int) -> InputError:
    """The refusal of results of which no run can be replayed, with the reason.

    Args:
        source: Names the episodes given.
        log: Of reading the runs.
        foreign: How many runs were read, all of episodes that are not given.
    """
    if not source.annotations or not foreign:
        lost = (
            f.message
            for f in log.findings
            if f.kind in {ImportKind.UNREADABLE, ImportKind.TRUNCATED}
        )
        why = next((f"; {message}" for message in lost), "")
        return InputError(f"{source.file}: file: has no run that can be read{why}")
    first, *rest = (path.name for path in source.annotations)
    names = first + (f" and {counted(len(rest), 'more file')}" if rest else "")
    reason = f"has no run of any episode in {names}; give the episodes of its split"
    return InputError(f"{source.file}: file: {reason}")


def unknown_episode(run: EpisodeRun, name: str) -> Episode:
    """What stands in for the episode of a run that no annotations describe."""
    return Episode(
        dataset="",
        split="",
        episode_id=name,
        scene_id=run.scene_id,
        instruction=Instruction(run.instruction),
        has_ground_truth=False,
    )


class Replayer:
    """Graphs and profile of one source, each looked up once."""

    def __init__(self, source: RunSource) -> None:
        self._source = source
        self._profile = find_replay_profile(source.profile_key) if source.profile_key else None
        self._graphs = RunGraphs(source.connectivity, source.nodes)
        self._placed: dict[str, None] = {}

    @property
    def warnings(self) -> list[str]:
        """What was missing so far, and what stood in for it, a sentence each."""
        return [*self._graphs.warnings, *self._placed]

    @property
    def uses_nodes(self) -> bool:
        """Whether any run so far goes over the nodes of the project."""
        return self._graphs.uses_nodes

    def id_of(self, run: EpisodeRun, number: int) -> str:
        """The id that a run goes by: of ``runs_of``, else its number.

        Args:
            run: The run.
            number: From 1: the how many-th of its file it is.
        """
        return run.episode_id or f"without id {number}"

    def graph(self, scene_id: str) -> ViewpointGraph | None:
        """The graph of a scan, if the folder has it."""
        return self._graphs.of_scan(scene_id)

    def replayed(
        self, episode: Episode, run: EpisodeRun, attempt: int, known: ReplayScores | None = None
    ) -> ReplayedEpisode:
        """Lay out, score and tag one run.

        Args:
            episode: What was asked.
            run: What was done.
            attempt: From 1: the how many-th run of the episode it is.
            known: Its scores, where they were computed before.
        """
        judged = self._judged(episode, run)
        if judged is not None:
            titles = {node.node_id: node.name for node in judged.graph.nodes.values()}
            episode, run = with_ends(episode, titles), on_nodes(run, titles)
        names = run.route.viewpoint_ids
        is_on_graph = bool(names) or (not len(run.route) and bool(episode.reference.viewpoint_ids))
        graph = self._graphs.of_run(episode.scene_id, names) if is_on_graph else None
        if graph is not None:
            run = with_image_limit(run, graph)
        profile = profile_for(episode, run, self._profile)
        episode = self._compared(episode, run)
        replay = build_replay(episode, run, graph)
        navmeshes = self._source.navmeshes
        if navmeshes is not None:
            profile = over_navmesh(profile)
        distance = stand_in_of(profile) or goal_distance_over(navmeshes, episode.scene_id)
        scenery = Scenery(graph=graph, goal_distance=distance, judged=judged)
        if self._source.connectivity is not None and not episode.scene_id:
            scenery = dataclasses.replace(scenery, no_graph=_NO_SCAN)
        scores = known or _scored(profile, episode, run, scenery)
        if run.answer.agent_key:
            told = judge_answer(episode, run, judged or JudgedGraph())
            return ReplayedEpisode(replay, find_answer_tags(replay, told), scores, attempt, judged)
        tags = find_tags(replay, _success(scores))
        return ReplayedEpisode(replay, tags, scores, attempt)

    def _compared(self, episode: Episode, run: EpisodeRun) -> Episode:
        """The episode with positions, where the run has nothing else and the scan tells them."""
        if not needs_placing(episode, run):
            return episode
        placed = placed_for(episode, run, self._graphs.of_scan(episode.scene_id))
        if placed.placing is not None and placed.placing.is_placed:
            self._placed.setdefault(placing_warning(placed.placing))
        return placed

    def _judged(self, episode: Episode, run: EpisodeRun) -> JudgedGraph | None:
        if not run.answer.agent_key:
            return None
        asked = (episode.start_viewpoint_id, *(goal.viewpoint_id for goal in episode.goals))
        return self._graphs.judged(episode.scene_id, (*run.route.viewpoint_ids, *asked))
