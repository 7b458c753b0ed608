"""Which participant drives which episodes, in which order: balanced, seeded, scenes apart.

For each participant, scene after scene is chosen in rounds: a scene comes a second time only when
every scene that still has an episode for this person has come once; the scene of the training
counts as seen. Within a scene the episodes that fewest people have are taken first. Whoever has
assignments already keeps them unchanged.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from waypost.domain.base.errors import EditError
from waypost.domain.record.study import (
    Assignment,
    AssignmentKey,
    EpisodeKey,
    Study,
    StudyRules,
    assignments_of,
)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What the split was too small for, for one participant."""

    participant: str
    wanted: int
    """Episodes wanted, without training."""

    assigned: int
    """Episodes this person has now, without training."""

    repeated_scenes: Mapping[str, int]
    """Scenes that this person sees more than once → how often, training included."""


@dataclass(frozen=True, slots=True)
class AssignmentReport:
    """What an assignment came to."""

    added: int
    """New assignments, training included."""

    least_load: int
    """Participants of the episode that fewest people have."""

    greatest_load: int
    """Participants of the episode that most people have."""

    shortfalls: tuple[Shortfall, ...]
    """One per participant who got fewer episodes, or a scene more than once."""


def assign(study: Study, codes: Iterable[str] | None = None) -> tuple[Study, AssignmentReport]:
    """Give participants their training and their share of the episodes.

    Nobody gets an episode twice, and assignments that exist stay as they are. Participants who
    had equal numbers get equal numbers, or one apart where the overlap leaves too few places. A
    scene comes twice only if every scene left for this person came once, or if equal numbers ask
    for it. As long as nobody withdraws or gets more later, the loads of the episodes of one scene
    differ by one at most; those of all episodes too, where scenes are equally large and the
    overlap is not limited. The same study gives the same result.

    Args:
        study: With rules.
        codes: Who is to get episodes, all who have not withdrawn by default.

    Raises:
        EditError: If there is no study or no such participant.
    """
    rules = study.rules
    if rules is None:
        raise EditError("the project has no study")
    people = _people(study, codes)
    pool = _Pool(episode_loads(study), rules.overlap)
    before = {c: sum(not a.is_training for a in assignments_of(study, c)) for c in people}
    quotas = _quotas(study, rules, before, pool.places_left())
    training = [e.key for e in study.episodes.values() if e.is_training]
    randoms = {code: random.Random(study.participants[code].order_seed) for code in people}
    had = {
        code: {*training, *(a.key.episode for a in assignments_of(study, code))} for code in people
    }
    chosen = {code: pool.choose(quotas[code], had[code], randoms[code]) for code in people}
    _even_out(chosen, had, before, quotas)
    new = dict(study.assignments)
    for code in people:
        own = assignments_of(study, code)
        order = _in_rounds(chosen[code], had[code], randoms[code])
        place = max((a.place for a in own if not a.is_training), default=-1) + 1
        for assignment in (*_training(code, training, own), *_placed(code, order, place)):
            new[assignment.key] = assignment
    if len(new) == len(study.assignments):
        return study, _report(study, rules, people, 0)
    after = replace(study, assignments=MappingProxyType(new))
    return after, _report(after, rules, people, len(new) - len(study.assignments))


def _people(study: Study, codes: Iterable[str] | None) -> list[str]:
    if codes is None:
        return [c for c, p in study.participants.items() if p.withdrawn_utc is None]
    asked = set(codes)
    for code in sorted(asked):
        if code not in study.participants:
            raise EditError(f"there is no participant {code}")
        if study.participants[code].withdrawn_utc is not None:
            raise EditError(f"{code} has withdrawn")
    return [code for code in study.participants if code in asked]


def episode_loads(study: Study) -> Counter[EpisodeKey]:
    """How many participants have each episode; those who withdrew leave theirs to others."""
    loads: Counter[EpisodeKey] = Counter(
        {key: 0 for key, episode in study.episodes.items() if not episode.is_training}
    )
    for key, assignment in study.assignments.items():
        has_left = study.participants[key.participant].withdrawn_utc is not None
        if not assignment.is_training and not has_left and key.episode in loads:
            loads[key.episode] += 1
    return loads


def _quotas(
    study: Study, rules: StudyRules, before: Mapping[str, int], places_left: int | None
) -> dict[str, int]:
    """How many episodes each participant is to get; shared out evenly when places are scarce."""
    size = sum(not episode.is_training for episode in study.episodes.values())
    wanted = min(rules.episodes_per_participant, size)
    lacks = {code: max(0, wanted - count) for code, count in before.items()}
    if places_left is None or sum(lacks.values()) <= places_left:
        return lacks
    quotas = dict.fromkeys(before, 0)
    for _ in range(places_left):
        # Whoever has least, earlier participants first.
        waiting = (c for c in before if quotas[c] < lacks[c])
        quotas[min(waiting, key=lambda c: before[c] + quotas[c])] += 1
    return quotas


def _even_out(
    chosen: Mapping[str, list[EpisodeKey]],
    had: Mapping[str, Collection[EpisodeKey]],
    before: Mapping[str, int],
    quotas: Mapping[str, int],
) -> None:
    """Hand episodes on to those who found fewer than their share, until all are one apart.

    With a limit, keeping scenes apart for the first can leave the last with places only in
    episodes they have already.
    """
    while True:
        totals = {code: before[code] + len(keys) for code, keys in chosen.items()}
        moves = [
            (
                len(chosen[rich]),
                -_count(chosen[poor], key),
                _count(chosen[rich], key),
                i,
                rich,
                poor,
            )
            for poor in chosen
            if len(chosen[poor]) < quotas[poor]
            for rich in chosen
            if totals[rich] >= totals[poor] + 2
            for i, key in enumerate(chosen[rich])
            if key not in had[poor] and key not in chosen[poor]
        ]
        if not moves:
            return
        *_, index, rich, poor = max(moves)
        chosen[poor].append(chosen[rich].pop(index))


def _count(keys: Iterable[EpisodeKey], like: EpisodeKey) -> int:
    return sum(key.scene_id == like.scene_id for key in keys)


def _in_rounds(
    keys: Iterable[EpisodeKey], had: Iterable[EpisodeKey], rng: random.Random
) -> list[EpisodeKey]:
    """Put episodes in a random order in which scenes seen less often come first."""
    seen = Counter(key.scene_id for key in had)
    ranked = []
    for key in keys:
        ranked.append((seen[key.scene_id], rng.random(), key))
        seen[key.scene_id] += 1
    return [key for *_, key in sorted(ranked)]


def _placed(code: str, keys: Iterable[EpisodeKey], first: int) -> list[Assignment]:
    return [Assignment(AssignmentKey(*key, code), first + i) for i, key in enumerate(keys)]


def _training(code: str, keys: Sequence[EpisodeKey], own: Sequence[Assignment]) -> list[Assignment]:
    have = {a.key.episode for a in own}
    missing = [key for key in keys if key not in have]
    first = min((a.place for a in own if a.is_training), default=0) - len(missing)
    return [
        Assignment(AssignmentKey(*key, code), first + i, is_training=True)
        for i, key in enumerate(missing)
    ]


class _Pool:
    """Episodes by scene with how many participants have each; loads grow as they are chosen."""

    def __init__(self, loads: Counter[EpisodeKey], cap: int | None) -> None:
        self._loads = loads
        self._cap = cap
        self._scenes: dict[str, list[EpisodeKey]] = defaultdict(list)
        for key in loads:
            self._scenes[key.scene_id].append(key)

    def places_left(self) -> int | None:
        """How many more assignments the overlap allows; ``None`` without a limit."""
        if self._cap is None:
            return None
        return sum(self._places(keys) for keys in self._scenes.values())

    def choose(
        self, count: int, had: Collection[EpisodeKey], rng: random.Random
    ) -> list[EpisodeKey]:
        """Choose episodes for one participant, a scene that was seen less often first.

        Args:
            count: How many; fewer are found where no more are free.
            had: Episodes this person has already, training included.
            rng: Decides between equals.
        """
        free = {scene: self._free(keys, had) for scene, keys in self._scenes.items()}
        seen = Counter(key.scene_id for key in had)
        # A tie must not favour the scenes that come first in the file.
        ranks = {
            scene: (seen[scene], self._crowding(keys), rng.random())
            for scene, keys in self._scenes.items()
        }
        chosen: list[EpisodeKey] = []
        for _ in range(count):
            left = [scene for scene, keys in free.items() if keys]
            if not left:
                break
            scene = min(left, key=ranks.__getitem__)
            least = min(self._loads[key] for key in free[scene])
            key = rng.choice([key for key in free[scene] if self._loads[key] == least])
            free[scene].remove(key)
            chosen.append(key)
            seen[scene] += 1
            self._loads[key] += 1
            ranks[scene] = (seen[scene], self._crowding(self._scenes[scene]), ranks[scene][2])
        return chosen

    def _free(self, keys: Sequence[EpisodeKey], had: Collection[EpisodeKey]) -> list[EpisodeKey]:
        return [
            key
            for key in keys
            if key not in had and (self._cap is None or self._loads[key] < self._cap)
        ]

    def _places(self, keys: Sequence[EpisodeKey]) -> int:
        cap = self._cap or 0
        return sum(max(0, cap - self._loads[key]) for key in keys)

    def _crowding(self, keys: Sequence[EpisodeKey]) -> float:
        """What makes a scene wait.

        With a limit: few places left, since giving out the emptiest scenes first keeps scenes
        apart for everyone wherever that is possible at all (Gale and Ryser). Without: its load.
        """
        if self._cap is None:
            return sum(self._loads[key] for key in keys) / len(keys)
        return -float(self._places(keys))


def _report(study: Study, rules: StudyRules, people: Sequence[str], added: int) -> AssignmentReport:
    loads = episode_loads(study)
    shortfalls = []
    for code in people:
        own = assignments_of(study, code)
        counted = [a for a in own if not a.is_training]
        scenes = Counter(a.key.scene_id for a in own)
        repeated = {scene: count for scene, count in scenes.items() if count > 1}
        wanted = rules.episodes_per_participant
        if repeated or len(counted) < wanted:
            found = MappingProxyType(dict(sorted(repeated.items())))
            shortfalls.append(Shortfall(code, wanted, len(counted), found))
    return AssignmentReport(added, min(loads.values()), max(loads.values()), tuple(shortfalls))
