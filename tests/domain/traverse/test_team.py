from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from fixtures.team_examples import cart_passages, row_of_nodes
from given_labels import set_label

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.base.rounds import RoundState
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import delete_items, move_nodes
from waypost.domain.team_labels import own_labels, with_own_answers, with_team
from waypost.domain.traverse.team import (
    NO_TEAM,
    Person,
    Role,
    Standing,
    Team,
    hidden_labels,
    label_kind,
)
from waypost.domain.traverse.team_edits import (
    accept_label,
    deal_second_labels,
    decide_label,
    give_label,
    labels_without_author,
    not_dealt_words,
    return_label,
    take_decision_back,
    take_label_back,
    with_people,
)
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.metrics.agreement.label_agreement import label_agreement

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
PEOPLE = (
    Person("ana", Role.ANNOTATOR),
    Person("ben", Role.ANNOTATOR),
    Person("cem", Role.ANNOTATOR),
    Person("rita", Role.REVIEWER),
    Person("lea", Role.LEAD),
)


def house(nodes: int = 11) -> Project:
    return row_of_nodes(nodes)


def dealt(project: Project, share: float = 0.2, seed: int = 0) -> Project:
    team = with_people(project.team, PEOPLE)
    team = deal_second_labels(team, cart_passages(project), own_labels(project), share, seed)
    return with_team(project, team)


def seen_by(project: Project, viewer: str) -> Project:
    """The project as it is read by somebody."""
    team = project.team
    hidden = hidden_labels(team.people, team.doubles, team.labels, viewer)
    kept = {key: entry for key, entry in team.labels.items() if key not in hidden}
    return with_team(project, replace(team, labels=kept, viewer=viewer))


def says(
    project: Project, viewer: str, passage: Passage, verdict: Verdict, reason: Reason | None = None
) -> Project:
    """The project after somebody labels a passage in it, whole again."""
    own = seen_by(project, viewer)
    label = TraversabilityLabel(passage, verdict, reason, author=viewer)
    after = with_own_answers(own, replace(own, labels=set_label(own.labels, label)), NOON)
    new = {**project.team.labels, **after.team.labels}
    return with_team(project, replace(project.team, labels=new))


def test_a_share_is_dealt_to_every_two_alike_and_the_same_again() -> None:
    project = dealt(house(61), 0.5, 7)
    doubles = project.team.doubles
    assert len(doubles) == 60
    pairs = Counter(entry.annotators for entry in doubles.values())
    assert set(pairs) == set(itertools.permutations(("ana", "ben", "cem"), 2))
    assert set(pairs.values()) == {10}
    assert dealt(house(61), 0.5, 7).team == project.team
    assert dealt(house(61), 0.5, 8).team.doubles != doubles
    assert dealt(project, 0.5, 7).team == project.team


def test_more_is_dealt_when_the_graph_grows_and_nothing_is_dealt_again() -> None:
    before, after = dealt(house(11), 0.5), house(21)
    grown = dealt(replace(before, graph=after.graph), 0.5)
    assert len(before.team.doubles) == 10
    assert len(grown.team.doubles) == 20
    assert before.team.doubles.items() <= grown.team.doubles.items()


def test_a_label_that_is_there_becomes_the_first_ones() -> None:
    project = house(2)
    way = cart_passages(project)[0]
    label = TraversabilityLabel(way, Verdict.TRAVELS, author="ben", time_utc=NOON.isoformat())
    project = dealt(replace(project, labels={way: label}), 1.0)
    entry = project.team.doubles[way]
    assert entry.first_annotator == "ben"
    assert entry.second_annotator in ("ana", "cem")
    assert own_labels(project) == {}
    first = project.team.settled(way, "ben")
    assert first is not None
    assert (first.label, first.submitted_at) == (label, NOON)
    # Its second label is not blind, whoever gives the first one again.
    second = entry.second_annotator
    project = says(project, "ben", way, Verdict.DOES_NOT, Reason.DOOR)
    project = says(project, second, way, Verdict.TRAVELS)
    assert {key.author: project.team.is_blind(e) for key, e in project.team.labels.items()} == {
        "ben": True,
        second: False,
    }
    assert label_agreement(project.team) == ()


def test_a_label_without_author_is_not_dealt_and_counted() -> None:
    project = house(3)
    ways = cart_passages(project)
    labels = {
        way: TraversabilityLabel(way, Verdict.TRAVELS, author=author)
        for way, author in zip(ways, ("", " ", "ana"), strict=False)
    }
    project = dealt(replace(project, labels=labels), 0.5)
    assert len(project.team.doubles) == 2
    project = dealt(project, 1.0)
    assert set(project.team.doubles) == set(ways[2:])
    assert {name for e in project.team.doubles.values() for name in e.annotators} <= {
        "ana", "ben", "cem",
    }  # fmt: skip
    left = labels_without_author(project.team, ways, own_labels(project))
    assert left == ways[:2]
    assert not_dealt_words(len(left)) == (
        "2 passages are not dealt, because the label there does not say who gave it"
    )
    assert own_labels(project) == {way: labels[way] for way in left}


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="is not in 0 to 1"):
        dealt(house(), share)


def test_one_annotator_is_not_enough() -> None:
    team = with_people(NO_TEAM, PEOPLE[2:])
    with pytest.raises(InputError, match="two annotators are needed"):
        deal_second_labels(team, cart_passages(house()), {}, 0.5, 0)


def test_the_others_label_is_hidden_until_ones_own_is_in() -> None:
    project = dealt(house(2), 1.0)
    way, other = cart_passages(project)
    first, second = project.team.doubles[way].annotators
    third = ({"ana", "ben", "cem"} - {first, second}).pop()
    project = says(project, first, way, Verdict.TRAVELS)

    def authors(viewer: str) -> set[str]:
        return {key.author for key in seen_by(project, viewer).team.labels}

    seen = {name: authors(name) for name in (first, second, third, "rita", "lea", "guest", "")}
    assert seen == {
        first: {first}, second: set(), third: set(),
        "rita": {first}, "lea": {first}, "guest": set(), "": set(),
    }  # fmt: skip
    assert seen_by(project, first).labels[way].verdict is Verdict.TRAVELS
    for viewer in (second, third, "rita", "guest"):
        assert way not in seen_by(project, viewer).labels
    project = says(project, second, way, Verdict.DOES_NOT, Reason.DOOR)
    for viewer in (first, second, third, "rita", "guest"):
        assert authors(viewer) == {first, second}
    assert seen_by(project, first).labels[way].verdict is Verdict.TRAVELS
    assert seen_by(project, second).labels[way].verdict is Verdict.DOES_NOT
    for viewer in (third, "rita", "lea", "guest"):
        assert way not in seen_by(project, viewer).labels
    assert other not in seen_by(project, first).labels


def test_who_agrees_has_a_label_for_all() -> None:
    project = dealt(house(2), 1.0)
    way = cart_passages(project)[0]
    first, second = project.team.doubles[way].annotators
    project = says(project, first, way, Verdict.DOES_NOT, Reason.DOOR)
    project = says(project, second, way, Verdict.DOES_NOT, Reason.DOOR)
    guest = seen_by(project, "guest")
    assert guest.labels[way].author == first
    kinds = [label_kind(seen_by(project, n).team, way) for n in (first, second, "guest", "rita")]
    assert kinds == ["first", "second", "agreed", "agreed"]
    assert guest.team.standing(way) is Standing.AGREED


def disagreeing() -> tuple[Project, Passage, str, str]:
    project = dealt(house(2), 1.0)
    way = cart_passages(project)[0]
    first, second = project.team.doubles[way].annotators
    project = says(project, first, way, Verdict.DOES_NOT, Reason.TOO_NARROW)
    project = says(project, second, way, Verdict.DOES_NOT, Reason.DOOR)
    return seen_by(project, "rita"), way, first, second


def test_another_reason_is_a_disagreement_and_a_decision_is_final() -> None:
    project, way, first, second = disagreeing()
    assert project.team.standing(way) is Standing.DISAGREEING
    label = TraversabilityLabel(way, Verdict.TRAVELS)
    team = decide_label(project.team, label, NOON, "it fits")
    project = with_team(project, team)
    final = team.finals[way]
    assert (final.decided_by, final.decided_at, final.comment) == ("rita", NOON, "it fits")
    for viewer in (first, second, "rita", "guest"):
        seen = seen_by(project, viewer)
        assert seen.labels[way].verdict is Verdict.TRAVELS
        assert seen.labels[way].author == "rita"
        assert label_kind(seen.team, way) == "final"
    assert {entry.state for entry in team.labels.values()} == {RoundState.ACCEPTED}
    with pytest.raises(EditError, match="decided finally by rita"):
        says(project, first, way, Verdict.TRAVELS)
    with pytest.raises(EditError, match="decided finally by rita"):
        decide_label(team, label, NOON)


def test_one_side_is_accepted() -> None:
    project, way, _, second = disagreeing()
    team = accept_label(project.team, way, second, NOON)
    assert team.finals[way].label.reason is Reason.DOOR
    assert (team.finals[way].label.author, team.finals[way].decided_by) == (second, "rita")


def test_a_decision_is_taken_back_by_who_decides_and_made_anew() -> None:
    project, way, first, _ = disagreeing()
    decided = accept_label(project.team, way, first, NOON)
    with pytest.raises(EditError, match="only a reviewer or a lead"):
        take_decision_back(replace(decided, viewer=first), way)
    assert take_decision_back(decided, way) == project.team
    final = with_team(project, decided)
    cleared = with_own_answers(final, replace(final, labels={}), NOON)
    assert cleared.team == project.team
    assert cleared.labels == {}
    with pytest.raises(EditError, match="nothing was decided"):
        take_decision_back(cleared.team, way)


def test_a_label_that_is_returned_is_given_again_and_every_round_is_kept() -> None:
    project, way, first, second = disagreeing()
    with pytest.raises(EditError, match="needs a comment"):
        return_label(project.team, way, first, " ", NOON)
    project = with_team(project, return_label(project.team, way, first, "look again", NOON))
    own = seen_by(project, first)
    assert own.team.standing(way) is Standing.RETURNED
    assert way not in own.labels
    assert {key.author for key in own.team.labels} == {first}
    assert own.team.is_to_answer(way, first)
    assert not project.team.is_to_answer(way, second)
    project = says(project, first, way, Verdict.DOES_NOT, Reason.DOOR)
    rounds = project.team.rounds(way, first)
    assert [(entry.state, entry.label.reason) for entry in rounds] == [
        (RoundState.RETURNED, Reason.TOO_NARROW),
        (RoundState.SUBMITTED, Reason.DOOR),
    ]
    assert [entry.is_seeing for entry in rounds] == [False, True]
    assert (rounds[0].decided_by, rounds[0].decision_comment) == ("rita", "look again")
    assert seen_by(project, "guest").labels[way].reason is Reason.DOOR


def test_nobody_but_reviewer_and_lead_decides_and_not_before_both_are_in() -> None:
    project, way, first, _ = disagreeing()
    label = TraversabilityLabel(way, Verdict.TRAVELS)
    for viewer in (first, "guest", ""):
        with pytest.raises(EditError, match="only a reviewer or a lead"):
            decide_label(seen_by(project, viewer).team, label, NOON)
    half = dealt(house(2), 1.0)
    half = says(half, half.team.doubles[way].first_annotator, way, Verdict.TRAVELS)
    with pytest.raises(EditError, match="both labels must be in"):
        decide_label(seen_by(half, "rita").team, label, NOON)


def test_nobody_labels_what_two_others_do_nor_changes_what_the_other_has_seen() -> None:
    project, way, first, second = disagreeing()
    third = ({"ana", "ben", "cem"} - {first, second}).pop()
    for viewer in (third, "guest"):
        with pytest.raises(EditError, match="label this passage, each on their own"):
            says(project, viewer, way, Verdict.TRAVELS)
    with pytest.raises(EditError, match="both labels of this passage are in"):
        says(project, first, way, Verdict.TRAVELS)
    with pytest.raises(EditError, match="both labels of this passage are in"):
        take_label_back(seen_by(project, second).team, way)


def test_a_label_is_changed_and_taken_back_while_it_is_the_only_one() -> None:
    project = dealt(house(2), 1.0)
    way = cart_passages(project)[0]
    first = project.team.doubles[way].first_annotator
    project = says(says(project, first, way, Verdict.TRAVELS), first, way, Verdict.UNCERTAIN)
    own = seen_by(project, first)
    assert [entry.label.verdict for entry in own.team.rounds(way, first)] == [Verdict.UNCERTAIN]
    back = with_own_answers(own, replace(own, labels={}), NOON)
    assert back.team.labels == {}
    assert back.labels == {}


def test_a_label_given_after_the_others_was_seen_says_so() -> None:
    project, way, first, second = disagreeing()
    entry = project.team.settled(way, first)
    assert entry is not None
    own = replace(project.team, viewer=first)
    without = replace(own, labels={k: v for k, v in own.labels.items() if k.author == second})
    again = give_label(without, entry.label, (), NOON)
    seeing = again.settled(way, first)
    assert seeing is not None
    assert seeing.is_seeing
    assert not entry.is_seeing


def test_what_goes_with_its_edge_is_not_inherited() -> None:
    project, *_ = disagreeing()
    (edge_id,) = project.graph.edges
    gone = set_graph(project, delete_items(project.graph, edge_ids=[edge_id]))
    assert (gone.team.doubles, gone.team.labels, gone.labels) == ({}, {}, {})


@pytest.mark.parametrize("is_final", [False, True])
def test_whoever_moves_a_node_says_nothing_about_what_two_label(is_final: bool) -> None:
    """Labels from before places were kept take them on elsewhere; these are no answer of who moves.

    Whoever looks: one of the two, another annotator, or somebody who decides.
    """
    project = dealt(house(), 0.2)
    way = next(iter(project.team.doubles))
    unplaced = Provenance(scene_hash="s", profile_hash="p")
    for name in project.team.doubles[way].annotators:
        project = says(project, name, way, Verdict.TRAVELS)
    labels = {
        key: replace(entry, label=replace(entry.label, provenance=unplaced))
        for key, entry in project.team.labels.items()
    }
    team = replace(project.team, labels=labels, viewer="rita")
    if is_final:
        team = accept_label(team, way, project.team.doubles[way].first_annotator, NOON)
    project = with_team(project, team)
    for person in PEOPLE:
        own = seen_by(project, person.name)
        moved = set_graph(own, move_nodes(own.graph, {way.to_id: (0.0, 9.0, 0.0)}))
        after = with_own_answers(own, moved, NOON)
        assert after.team == own.team, person.name
        assert after.labels == own.labels


def test_what_two_label_says_where_its_nodes_stood_when_it_was_given() -> None:
    """A label that was brought in without places is stale like others once a node is moved."""
    project = dealt(house(), 0.2)
    way = next(iter(project.team.doubles))
    name = project.team.doubles[way].first_annotator
    unplaced = Provenance(scene_hash="s", profile_hash="p")
    label = TraversabilityLabel(way, Verdict.TRAVELS, author=name, provenance=unplaced)
    own = seen_by(project, name)
    after = with_own_answers(own, replace(own, labels=set_label(own.labels, label)), NOON)
    nodes, known = own.graph.nodes, after.labels[way].provenance
    assert (known.from_m, known.to_m) == tuple(nodes[n].position_m for n in way[:2])


def test_an_annotator_does_not_leave_before_labelling_what_is_dealt() -> None:
    project = dealt(house(), 1.0)
    with pytest.raises(EditError, match="ana is still to label"):
        with_people(project.team, PEOPLE[1:])


def test_who_left_gets_no_label_back_and_what_was_said_still_counts() -> None:
    project, way, first, second = disagreeing()
    staying = [person for person in PEOPLE if person.name != first]
    for other, entry in project.team.doubles.items():
        if first in entry.annotators and other != way:
            project = says(project, first, other, Verdict.TRAVELS)
    before = label_agreement(project.team)
    team = replace(with_people(project.team, staying), viewer="rita")
    assert label_agreement(team) == before
    with pytest.raises(EditError, match="answers no more; decide instead"):
        return_label(team, way, first, "look again", NOON)
    return_label(team, way, second, "look again", NOON)
    assert accept_label(team, way, first, NOON).finals[way].label.author == first


def test_a_project_without_people_is_as_ever() -> None:
    project = house()
    label = TraversabilityLabel(cart_passages(project)[0], Verdict.TRAVELS, author="ana")
    after = replace(project, labels=set_label(project.labels, label))
    assert with_own_answers(project, after, NOON) is after
    assert own_labels(after) is after.labels
    assert after.team == Team()
