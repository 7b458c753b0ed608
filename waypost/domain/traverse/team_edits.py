"""Pure edits of a team: people, which passages two label, labels, and decisions about them."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import TypeVar

from waypost.domain.base.counted_words import counted
from waypost.domain.base.dealing import check_names, deal_pairs, shared_names
from waypost.domain.base.errors import EditError
from waypost.domain.base.rounds import RoundState, accepted, returned
from waypost.domain.traverse.team import (
    DECIDING,
    DoubleLabel,
    DoubleLabelKey,
    DoublePassage,
    FinalLabel,
    Person,
    Team,
)
from waypost.domain.traverse.traversability import Labels, Passage, TraversabilityLabel

_Said = TypeVar("_Said")


def with_people(team: Team, people: Iterable[Person]) -> Team:
    """The team with these people; what was dealt and said stays.

    Raises:
        InputError: If one is nameless or named twice.
        EditError: If somebody goes, or labels no more, who is still to label a passage with
            another.
    """
    listed = tuple(people)
    if listed:
        check_names([person.name for person in listed], "people", "everybody needs a name")
    found = {person.name: person for person in listed}
    changed = replace(team, people=MappingProxyType(found))
    for passage, entry in team.doubles.items():
        for name in entry.annotators:
            leaves = name in team.annotators and name not in changed.annotators
            if leaves and team.is_to_answer(passage, name):
                raise EditError(f"{name} is still to label {_way(passage)}, which two label")
    return changed


def deal_second_labels(
    team: Team, asked: Collection[Passage], labels: Labels, share: float, seed: int
) -> Team:
    """Deal a share of passages to two annotators each; what is dealt already stays so.

    A passage that has a label already is dealt to who gave it and one other: that label becomes
    the first one's, and as the other one may have seen it, theirs will not be blind. One whose
    label does not say who gave it is not dealt; see ``labels_without_author``.

    Args:
        team: Has the people.
        asked: Every passage of the project.
        labels: Of passages that one person labels.
        share: Of ``asked``, in [0, 1].
        seed: Of the choice and of who labels which.

    Raises:
        InputError: If the share is not in [0, 1], or fewer than two annotators are there.
    """
    named = {" ".join(map(repr, passage)): passage for passage in sorted(asked)}
    chosen, others = shared_names(tuple(named), share, seed)
    wanted = len(chosen) - sum(passage in team.doubles for passage in named.values())
    closed = {*team.doubles, *labels_without_author(team, asked, labels)}
    # Those dealt by another share or before the graph grew count as well.
    new = [name for name in (*chosen, *others) if named[name] not in closed][: max(wanted, 0)]
    changed = replace(team, second_share=share, seed=seed)
    if not new:
        return changed
    doubles, kept = dict(team.doubles), dict(team.labels)
    for name, dealt in deal_pairs(new, team.annotators, seed).items():
        passage, pair = named[name], dealt
        given = labels.get(passage)
        if given is not None:
            pair = _with_author(given.author, team.annotators, dealt, f"{seed} {name}")
            key = DoubleLabelKey(*passage, given.author, 1)
            kept[key] = DoubleLabel(
                key, given, state=RoundState.SUBMITTED, submitted_at=_time_of(given)
            )
        doubles[passage] = DoublePassage(passage, *pair, had_label=given is not None)
    return replace(changed, doubles=MappingProxyType(doubles), labels=MappingProxyType(kept))


def labels_without_author(
    team: Team, asked: Collection[Passage], labels: Labels
) -> tuple[Passage, ...]:
    """The passages that are not dealt because their label does not say who gave it.

    Nobody could change such a label or be asked for it again, and nobody could be the other one:
    it may be theirs. See ``deal_second_labels`` for the arguments.
    """
    return tuple(
        passage
        for passage in asked
        if passage not in team.doubles
        and (given := labels.get(passage)) is not None
        and not given.author.strip()
    )


def not_dealt_words(passages: int) -> str:
    """``3 passages are not dealt: …``; empty for none."""
    if not passages:
        return ""
    are = counted(passages, "passage is", "passages are")
    return f"{are} not dealt, because the label there does not say who gave it"


def _with_author(
    author: str, annotators: tuple[str, ...], pair: tuple[str, str], seed: str
) -> tuple[str, str]:
    if author in pair:
        return author, pair[pair[0] == author]
    return author, random.Random(seed).choice([name for name in annotators if name != author])


def _time_of(label: TraversabilityLabel) -> datetime | None:
    try:
        return datetime.fromisoformat(label.time_utc) if label.time_utc else None
    except ValueError:
        return None


def give_label(
    team: Team, label: TraversabilityLabel, evidence: tuple[str, ...], now: datetime
) -> Team:
    """The team with the viewer's label of a passage that two label.

    Raises:
        EditError: If the viewer is none of the two, the passage is decided, or both are in.
    """
    own = _to_change(team, label.passage)
    number = 1 if own is None else own.key.round
    key = DoubleLabelKey(*label.passage, team.viewer, number)
    others = [name for name in team.doubles[label.passage].annotators if name != team.viewer]
    sees = any(team.rounds(label.passage, name) for name in others)
    entry = DoubleLabel(
        key,
        replace(label, author=team.viewer),
        evidence,
        is_seeing=sees or (own is not None and own.is_seeing),
        state=RoundState.SUBMITTED,
        submitted_at=now,
    )
    return _put(team, entry)


def take_label_back(team: Team, passage: Passage) -> Team:
    """The team without the viewer's label of this round; one that was returned stays to answer.

    Raises:
        EditError: As ``give_label``.
    """
    own = _to_change(team, passage)
    if own is None or own.state is RoundState.OPEN:
        return team
    if own.key.round > 1:
        return _put(team, replace(own, state=RoundState.OPEN, submitted_at=None))
    return replace(
        team, labels=MappingProxyType({k: v for k, v in team.labels.items() if k != own.key})
    )


def _to_change(team: Team, passage: Passage) -> DoubleLabel | None:
    entry = team.doubles[passage]
    if team.viewer not in entry.annotators:
        both = " and ".join(entry.annotators)
        raise EditError(f"{both} label this passage, each on their own")
    if passage in team.finals:
        final = team.finals[passage]
        raise EditError(f"this passage was decided finally by {final.decided_by}")
    own = team.current(passage, team.viewer)
    if own is not None and own.is_locked:
        raise EditError("your label of this passage is accepted and locked")
    if team.both(passage) is not None:
        raise EditError("both labels of this passage are in; a reviewer decides, or returns yours")
    return own


def return_label(team: Team, passage: Passage, author: str, comment: str, now: datetime) -> Team:
    """Give a label back to its author: this round stays as it is, the next is to be answered.

    Raises:
        EditError: If the viewer decides nothing, it is not in, decided, or there is no comment; or
            if its author is in the project no more, who would keep the passage open for ever.
    """
    _check_decider(team, passage)
    if author not in team.people:
        who = author or "nobody known"
        raise EditError(f"{who} is not in the project and answers no more; decide instead")
    entry = team.settled(passage, author)
    if entry is None:
        raise EditError(f"there is no label of {author} that could be returned")
    given_back = returned(entry, "label", team.viewer, comment, now)
    key = entry.key._replace(round=entry.key.round + 1)
    sees = entry.is_seeing or team.both(passage) is not None
    return _put(_put(team, given_back), DoubleLabel(key, entry.label, is_seeing=sees))


def accept_label(team: Team, passage: Passage, author: str, now: datetime) -> Team:
    """Make what one of the two says final, which locks the passage.

    Raises:
        EditError: If the viewer decides nothing, both are not in, or it is decided already.
    """
    both = _both_to_decide(team, passage)
    chosen = next((entry for entry in both if entry.key.author == author), None)
    if chosen is None:
        raise EditError(f"{author} has not labelled {_way(passage)}")
    return _locked(team, FinalLabel(passage, chosen.label, team.viewer, now))


def decide_label(team: Team, label: TraversabilityLabel, now: datetime, comment: str = "") -> Team:
    """Decide a passage finally, whatever the two say.

    Raises:
        EditError: As ``accept_label``.
    """
    _both_to_decide(team, label.passage)
    decided = replace(label, author=team.viewer)
    return _locked(team, FinalLabel(label.passage, decided, team.viewer, now, comment))


def take_decision_back(team: Team, passage: Passage) -> Team:
    """The team without a decision; both labels wait to be decided about again.

    What was judged may have changed since: only so can a decision that is stale be made anew.

    Raises:
        EditError: If the viewer decides nothing, or nothing was decided.
    """
    _check_role(team, passage)
    if passage not in team.finals:
        raise EditError(f"nothing was decided about {_way(passage)}")
    finals = {key: final for key, final in team.finals.items() if key != passage}
    labels = dict(team.labels)
    for entry in team.both(passage) or ():
        labels[entry.key] = replace(
            entry, state=RoundState.SUBMITTED, decided_by="", decided_at=None
        )
    return replace(team, finals=MappingProxyType(finals), labels=MappingProxyType(labels))


def _both_to_decide(team: Team, passage: Passage) -> tuple[DoubleLabel, DoubleLabel]:
    _check_decider(team, passage)
    both = team.both(passage)
    if both is None:
        raise EditError("both labels must be in before a passage is decided")
    return both


def _check_decider(team: Team, passage: Passage) -> None:
    _check_role(team, passage)
    if passage in team.finals:
        raise EditError(f"this was decided finally by {team.finals[passage].decided_by}")


def _check_role(team: Team, passage: Passage) -> None:
    if passage not in team.doubles:
        raise EditError(f"{_way(passage)} is not labelled by two")
    if team.role(team.viewer) not in DECIDING:
        raise EditError("only a reviewer or a lead decides about labels")
    if team.viewer in team.doubles[passage].annotators:
        raise EditError("who has labelled a passage does not decide about it")


def _locked(team: Team, final: FinalLabel) -> Team:
    labels = dict(team.labels)
    for entry in team.both(final.passage) or ():
        labels[entry.key] = accepted(entry, "label", final.decided_by, final.decided_at)
    finals = MappingProxyType({**team.finals, final.passage: final})
    return replace(team, labels=MappingProxyType(labels), finals=finals)


def _put(team: Team, entry: DoubleLabel) -> Team:
    return replace(team, labels=MappingProxyType({**team.labels, entry.key: entry}))


def without_passages(team: Team, gone: Collection[Passage]) -> Team:
    """The team without some passages and all that was said about them."""
    if not any(passage in gone for passage in team.doubles):
        return team

    def left(kept: Mapping[Passage, _Said]) -> Mapping[Passage, _Said]:
        return MappingProxyType({k: v for k, v in kept.items() if k not in gone})

    return replace(
        team,
        doubles=left(team.doubles),
        finals=left(team.finals),
        labels=MappingProxyType({k: v for k, v in team.labels.items() if k.passage not in gone}),
    )


def _way(passage: Passage) -> str:
    return f"{passage.from_id} → {passage.to_id} of {passage.agent_key}"
