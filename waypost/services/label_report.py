"""Count labels for reports: decided, undecided, uncertain, stale, and what a scorer makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.contradiction import contradicting_labels
from waypost.domain.project import Project
from waypost.domain.traverse.team import label_kind
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict, passages
from waypost.io.labels.capnav_traverse import is_written
from waypost.services.judging import circumstances

_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class LabelSelection:
    """Which labels of a project an export takes."""

    stale: frozenset[Passage]
    """Labels of passages of the graph that were judged on something else than there is now."""

    contradicting: frozenset[Passage]
    """Labels that hold and say otherwise than what was measured or driven."""

    left_out: frozenset[Passage]
    """Those that are not to be written."""

    agent_keys: tuple[str, ...]
    """Agents of the project, then others that have labels."""

    not_in_graph: int
    """Labels whose passage is not in the graph any more."""

    kinds: Mapping[Passage, str]
    """``first``, ``second``, ``agreed`` or ``final``, of labels of passages that two label."""

    without_label: int
    """Passages that two label and that have no label for who looks, though one may be in."""


def select_labels(project: Project, scene_hash: str | None) -> LabelSelection:
    """Leave out what is stale.

    Args:
        project: The project as it is.
        scene_hash: Content hash of its scene; ``None`` if that is not known.
    """
    joined = project.graph.joined_pairs()
    present = [p for p in project.labels if frozenset(p[:2]) in joined]
    now = circumstances(project, scene_hash)
    stale = frozenset(p for p in present if project.labels[p].is_stale(now))
    contradicting = frozenset(contradicting_labels(project, now)) & frozenset(present)
    others = {p.agent_key: None for p in present if p.agent_key not in project.agents}
    return LabelSelection(
        stale,
        contradicting,
        stale,
        (*project.agents, *others),
        len(project.labels) - len(present),
        kinds_of(project),
        sum(passage not in project.labels for passage in project.team.doubles),
    )


def kinds_of(project: Project) -> Mapping[Passage, str]:
    """Which label it is that counts of each passage that two label."""
    team = project.team
    return {p: label_kind(team, p) for p in team.doubles if p in project.labels}


def team_note(selection: LabelSelection) -> str:
    """What to say of passages that two label and that have no label; empty without any."""
    if not selection.without_label:
        return ""
    what = (
        "passages that two people label have"
        if selection.without_label > 1
        else ("passage that two people label has")
    )
    return f"{selection.without_label} {what} no label yet that counts"


def scene_note(project: Project, scene_hash: str | None) -> str:
    """What to say where labels were judged on a scene and nobody knows that of now; else empty."""
    is_judged = any(label.provenance.scene_hash for label in project.labels.values())
    if scene_hash or not is_judged:
        return ""
    return "without the scene nobody can tell which labels a changed scene makes stale"


def gaps_note(project: Project, left_out: Collection[Passage]) -> str:
    """What to say of labels that were given while a scene lacked geometry; empty without any.

    Args:
        project: Whose labels are written.
        left_out: Those that are not.
    """
    judged = [
        label.provenance.scene_gaps
        for passage, label in project.labels.items()
        if label.provenance.scene_gaps and passage not in left_out
    ]
    if not judged:
        return ""
    names = sorted({name for gaps in judged for name in gaps})
    count = counted(len(judged), "label was", "labels were")
    return (
        f"{count} given while geometry of the scene was missing"
        f" ({few_of(names, _NAMED)}); the file says so beside each"
    )


def agent_counts(
    project: Project, selection: LabelSelection, *, skips_uncertain: bool = True
) -> list[dict[str, Any]]:
    """Counts per agent; ``undecided`` is without any label, ``written`` what an export holds."""
    return [
        _counts(project, selection, key, skips_uncertain=skips_uncertain)
        for key in selection.agent_keys
    ]


def _counts(
    project: Project, selection: LabelSelection, key: str, *, skips_uncertain: bool
) -> dict[str, Any]:
    queue = passages(project.graph, key)
    verdicts: Counter[Verdict] = Counter()
    written = set()
    skipped = 0
    for passage in queue:
        label: TraversabilityLabel | None = project.labels.get(passage)
        if label is None:
            continue
        verdicts[label.verdict] += 1
        if passage in selection.left_out:
            continue
        if is_written(label, uncertain_as_blocked=not skips_uncertain):
            written.add(passage)
        else:
            skipped += 1
    ways = (Passage(edge.from_id, edge.to_id, key) for edge in project.graph.edges.values())
    unread = [way for way in ways if way not in written and way.reverse not in written]
    by_other_way = [way for way in queue if way not in written and way.reverse in written]
    return {
        "agent": key,
        "passages": len(queue),
        "labelled": sum(verdicts.values()),
        "undecided": len(queue) - sum(verdicts.values()),
        "travels": verdicts[Verdict.TRAVELS],
        "does_not": verdicts[Verdict.DOES_NOT],
        "uncertain": verdicts[Verdict.UNCERTAIN],
        "stale": sum(passage.agent_key == key for passage in selection.stale),
        "contradicting": sum(passage.agent_key == key for passage in selection.contradicting),
        "written": len(written),
        "uncertain_left_out": skipped,
        "edges_read_as_blocked": len(unread),
        "passages_read_as_other_way": len(by_other_way),
    }


def scorer_words(edges: int, passages: int) -> str:
    """What CapNav's scorer makes of passages that have no label in a file; empty without any.

    Args:
        edges: Without a label in either direction.
        passages: Without one, while the other direction has one.

    Source:
        makeabilitylab/CapNav:scripts/capnav_score.py looks ``u|v`` up, then ``v|u``.
    """
    said = []
    if edges:
        said.append(f"{counted(edges, 'edge')} without a label as blocked")
    if passages:
        of_one = counted(passages, "passage without one", "passages without one")
        said.append(f"{of_one} as the other direction")
    return " and ".join(said)
