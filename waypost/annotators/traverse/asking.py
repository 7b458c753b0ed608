"""What the panels of the traverse workspace show about a project."""

from __future__ import annotations

from collections.abc import Generator

from waypost.annotators.traverse.agent_chooser import AgentRow
from waypost.annotators.traverse.label_draft import LabelQuestion
from waypost.annotators.traverse.measure_facts import measure_facts
from waypost.annotators.traverse.proposals import measure_of
from waypost.annotators.traverse.queue import passages_of_others, queue_progress
from waypost.annotators.traverse.sides import side_lines
from waypost.domain.contradiction import contradictions_of
from waypost.domain.project import Project
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    Reason,
    prefill,
    what_changed,
)
from waypost.services.agent_marks import agent_marks
from waypost.services.judging import circumstances
from waypost.widgets.facts_table import Fact


def agent_row_steps(
    project: Project, scene_hash: str
) -> Generator[None, None, tuple[AgentRow, ...]]:
    """Every agent with how much is answered for it; a stale label is not an answer.

    What two label, and who looks is not to answer now, is counted beside that.

    Yields:
        Before each agent, so that the rest can wait.
    """
    rows, marks = [], agent_marks(project.agents)
    now = circumstances(project, scene_hash)
    for profile in project.agents.values():
        yield
        progress = queue_progress(project.graph, project.labels, scene_hash, profile)
        others = passages_of_others(project.labels, profile.key, now, project.team)
        mark = marks[profile.key]
        rows.append(AgentRow(profile, mark, progress.done, progress.total, others))
    return tuple(rows)


def label_question(
    project: Project,
    passage: Passage,
    agent: AgentProfile,
    *,
    scene_hash: str,
    facts: tuple[Fact, ...],
    has_drive: bool,
) -> LabelQuestion | None:
    """The question about a passage; ``None`` if its nodes are gone.

    Args:
        project: The project as it is.
        passage: What is asked about.
        agent: Whom it is asked for.
        scene_hash: Content hash of the open scene.
        facts: What was measured by driving.
        has_drive: Whether there is a drive to show again.
    """
    nodes = project.graph.nodes
    if passage.from_id not in nodes or passage.to_id not in nodes:
        return None
    label = project.labels.get(passage)
    now = circumstances(project, scene_hash)
    changed = tuple(what_changed(label.provenance, passage, now)) if label else ()
    measure = measure_of(project.measures, passage, now)
    offered_reason, offered_note = _offered(project, passage, now)
    mark = agent_marks(project.agents)[agent.key]
    return LabelQuestion(
        passage,
        mark.name,
        nodes[passage.from_id].name,
        nodes[passage.to_id].name,
        facts=facts,
        verdict=label.verdict if label else None,
        reason=label.reason if label else None,
        note=label.note if label else "",
        stale_because=changed,
        offered_reason=offered_reason,
        offered_note=offered_note,
        has_drive=has_drive,
        measure=measure,
        measure_facts=measure_facts(measure, agent) if measure else (),
        mark=mark,
        sides=tuple(side_lines(project.team, passage)),
        is_contradicting=bool(
            label and not changed and contradictions_of(project, passage, label.verdict, now)
        ),
        viewer=project.team.viewer,
    )


def _offered(project: Project, passage: Passage, now: Circumstances) -> tuple[Reason | None, str]:
    """Reason and note of the other direction, where that label holds."""
    other = project.labels.get(passage.reverse)
    is_known = other is not None and not other.is_stale(now)
    return prefill(project.labels, passage) if is_known else (None, "")
