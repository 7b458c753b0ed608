"""What a project with a team counts as labels, and how edits of labels become somebody's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from waypost.domain.project import Project
from waypost.domain.traverse.measure import measure_holds
from waypost.domain.traverse.passage_drive import DrivenBy
from waypost.domain.traverse.team import Team, counted_label
from waypost.domain.traverse.team_edits import (
    decide_label,
    give_label,
    take_decision_back,
    take_label_back,
)
from waypost.domain.traverse.traversability import (
    Circumstances,
    Labels,
    TraversabilityLabel,
    is_stale,
    with_places,
)


def own_labels(project: Project) -> Labels:
    """The labels of passages that one person labels; those of two are kept in the team."""
    doubles = project.team.doubles
    if not doubles:
        return project.labels
    return MappingProxyType({p: each for p, each in project.labels.items() if p not in doubles})


def with_team(project: Project, team: Team, labels: Labels | None = None) -> Project:
    """The project with another team, and the labels that count for who looks.

    Args:
        project: Any.
        team: Of now.
        labels: Of passages that one person labels; by default those of the project.
    """
    single = own_labels(project) if labels is None else labels
    if not team.doubles:
        return replace(project, team=team, labels=single)
    counted = {p: each for p, each in single.items() if p not in team.doubles}
    for passage in team.doubles:
        label = counted_label(team, passage)
        if label is not None:
            counted[passage] = label
    return replace(project, team=team, labels=MappingProxyType(counted))


def with_own_answers(before: Project, after: Project, now: datetime) -> Project:
    """An edit of labels, where those of passages that two label become the viewer's own.

    Of who decides about labels they become final, where both labels are in.

    Args:
        before: The project before the edit.
        after: After it, with labels put or taken as if one person labelled everything.
        now: UTC.

    Raises:
        EditError: If somebody labels what they are not to label, or not any more.
    """
    if after.labels is before.labels or after.team is not before.team or not after.team.doubles:
        return after
    team = after.team
    for passage in after.team.doubles:
        label = after.labels.get(passage)
        if label is before.labels.get(passage) or label == before.labels.get(passage):
            continue
        if label is None and team.decides(passage):
            team = take_decision_back(team, passage)
        elif label is None:
            team = take_label_back(team, passage)
        elif team.decides(passage):
            label = with_places(label, after.graph)
            team = decide_label(team, label, now, label.note)
        else:
            label = with_places(label, after.graph)
            team = give_label(team, label, tuple(evidence_words(after, label)), now)
    return with_team(after, team)


def evidence_words(project: Project, label: TraversabilityLabel) -> Iterator[str]:
    """What was measured and driven of a passage, a clause each; stale evidence says nothing.

    Args:
        project: Has the evidence.
        label: Given now; its provenance tells the scene of now.
    """
    passage, given_on = label.passage, label.provenance
    now = Circumstances(
        project.graph,
        project.agents,
        given_on.scene_hash,
        given_on.mover_hash,
        project.passage_rule,
    )
    measure = project.measures.get(passage)
    if measure is not None and measure_holds(measure, now):
        yield f"measured: {measure.words.removesuffix('.')}"
    drive = project.drives.get(passage)
    if drive is not None and not is_stale(drive.provenance, passage, now):
        who = "driven by hand" if drive.driven_by is DrivenBy.HAND else "drove itself"
        end = (
            "to the target" if drive.has_reached else f"stopped by {drive.blocked_by or 'nothing'}"
        )
        yield f"{who}, {end}, pushed off its line by {drive.pushed_m:.2f} m"
