"""From an answer to a label that says who gave it, when and on what, as an undoable edit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.domain.base.errors import EditError
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Labels,
    Passage,
    Provenance,
    TraversabilityLabel,
    clear_label,
    set_label,
    state_of,
)
from waypost.services.appearance import SIGNS


@dataclass(frozen=True, slots=True)
class LabelEdit:
    """One undoable step."""

    text: str
    """What the undo menu says."""

    labels: Labels


def accept(
    answer: LabelAnswer,
    labels: Labels,
    graph: NavigationGraph,
    *,
    author: str,
    provenance: Provenance,
    now: Callable[[], datetime],
) -> LabelEdit:
    """Turn an answer into a label.

    Args:
        answer: What the annotator said; nothing is ever decided without one.
        labels: All labels so far.
        graph: Must have the edge.
        author: Who decides.
        provenance: What it was judged on; see ``traversability.judged_on``.
        now: The clock; must know its offset.

    Raises:
        EditError: If “does not” has no reason, or the graph has no such edge.
    """
    title = passage_title(graph, answer.passage)
    known = labels.get(answer.passage)
    label = TraversabilityLabel(
        answer.passage,
        answer.verdict,
        answer.reason,
        answer.note.strip(),
        author,
        now().astimezone(UTC).isoformat(timespec="seconds"),
        provenance,
        known.extra if known is not None else MappingProxyType({}),
    )
    words = SIGNS[state_of(answer.verdict)].word
    if answer.reason is not None:
        words += f" ({REASON_TITLES[answer.reason]})"
    text = f"Label {title} for {answer.passage.agent_key}: {words}"
    return LabelEdit(text, set_label(labels, label))


def retract(labels: Labels, graph: NavigationGraph, passage: Passage) -> LabelEdit | None:
    """Make a passage undecided again; ``None`` if it is.

    Raises:
        EditError: If the graph has no such edge.
    """
    if passage not in labels:
        return None
    title = passage_title(graph, passage)
    return LabelEdit(f"Clear label {title} for {passage.agent_key}", clear_label(labels, passage))


def passage_title(graph: NavigationGraph, passage: Passage) -> str:
    """``Hall → Kitchen``.

    Raises:
        EditError: If the graph has no such edge.
    """
    if graph.edge_between(passage.from_id, passage.to_id) is None:
        raise EditError(f"no edge joins {passage.from_id!r} and {passage.to_id!r}")
    return f"{graph.nodes[passage.from_id].name} → {graph.nodes[passage.to_id].name}"
