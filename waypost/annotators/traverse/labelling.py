"""From a key press to a label: drafts, what they still lack, and the undoable edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType

from waypost.domain.agent import AgentProfile
from waypost.domain.errors import EditError
from waypost.domain.graph import NavigationGraph
from waypost.domain.traversability import (
    REASON_TITLES,
    Labels,
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
    clear_label,
    prefill,
    set_label,
)

VERDICT_KEYS: Mapping[Verdict, str] = MappingProxyType(
    {Verdict.TRAVELS: "Y", Verdict.DOES_NOT: "N", Verdict.UNCERTAIN: "U"}
)
"""The key of each answer unless the user changed it."""

VERDICT_TITLES: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.TRAVELS: "travels",
        Verdict.DOES_NOT: "does not travel",
        Verdict.UNCERTAIN: "uncertain",
    }
)

REASON_DIGITS: Mapping[str, Reason] = MappingProxyType(
    {str((i + 1) % 10): reason for i, reason in enumerate(Reason)}
)
"""Digit → reason, ``1`` to ``9`` and ``0`` for the tenth."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that is being given; nothing is stored before it is accepted."""

    passage: Passage
    verdict: Verdict
    reason: Reason | None = None
    note: str = ""
    is_prefilled: bool = False
    """Whether reason and note were taken over from the other direction."""

    @property
    def missing(self) -> str:
        """What still has to be said, as a sentence; empty when nothing is."""
        if self.verdict is Verdict.DOES_NOT and self.reason is None:
            return "Why not? Pick a reason with a digit."
        return ""

    def with_reason(self, reason: Reason | None) -> Draft:
        """Another reason; a verdict that has none ignores it."""
        if self.verdict is not Verdict.DOES_NOT:
            return self
        return replace(self, reason=reason, is_prefilled=False)

    def with_note(self, note: str) -> Draft:
        """Another note."""
        return replace(self, note=note, is_prefilled=False)


@dataclass(frozen=True, slots=True)
class LabelEdit:
    """One undoable step."""

    text: str
    """What the undo menu says."""

    labels: Labels


def start_draft(labels: Labels, passage: Passage, verdict: Verdict) -> Draft:
    """Begin an answer.

    The passage's own reason and note come first when the verdict stays the same; a “does not”
    without a label of its own takes over those of the reverse direction.
    """
    own = labels.get(passage)
    if own is not None and own.verdict is verdict:
        return Draft(passage, verdict, own.reason, own.note)
    if verdict is not Verdict.DOES_NOT:
        return Draft(passage, verdict)
    reason, note = prefill(labels, passage)
    return Draft(passage, verdict, reason, note, is_prefilled=reason is not None)


def accept(
    draft: Draft,
    labels: Labels,
    graph: NavigationGraph,
    *,
    author: str,
    provenance: Provenance,
    now: Callable[[], datetime],
) -> LabelEdit:
    """Turn a draft into a label.

    Args:
        draft: With a reason where it needs one.
        labels: All labels so far.
        graph: Must have the edge.
        author: Who decides.
        provenance: What it was judged on; see ``judged_on``.
        now: The clock; must know its offset.

    Raises:
        EditError: If the draft is incomplete, or the graph has no such edge.
    """
    if draft.missing:
        raise EditError(draft.missing)
    title = passage_title(graph, draft.passage)
    label = TraversabilityLabel(
        draft.passage,
        draft.verdict,
        draft.reason,
        draft.note.strip(),
        author,
        now().astimezone(UTC).isoformat(timespec="seconds"),
        provenance,
    )
    own = labels.get(draft.passage)
    if own is not None:
        label = replace(label, extra=own.extra)
    words = VERDICT_TITLES[draft.verdict]
    if draft.reason is not None:
        words += f" ({REASON_TITLES[draft.reason]})"
    return LabelEdit(
        f"Label {title} for {draft.passage.agent_key}: {words}", set_label(labels, label)
    )


def retract(labels: Labels, graph: NavigationGraph, passage: Passage) -> LabelEdit | None:
    """Make a passage undecided again; ``None`` if it is.

    Raises:
        EditError: If the graph has no such edge.
    """
    if passage not in labels:
        return None
    title = passage_title(graph, passage)
    return LabelEdit(f"Clear label {title} for {passage.agent_key}", clear_label(labels, passage))


def judged_on(
    scene_hash: str,
    profile: AgentProfile,
    engine: str = "",
    engine_version: str = "",
    mover_hash: str = "",
) -> Provenance:
    """The provenance of a label; the engine only where the agent was really driven."""
    return Provenance(scene_hash, profile.profile_hash, engine, engine_version, mover_hash)


def passage_title(graph: NavigationGraph, passage: Passage) -> str:
    """``Hall → Kitchen``.

    Raises:
        EditError: If the graph has no such edge.
    """
    if graph.edge_between(passage.from_id, passage.to_id) is None:
        raise EditError(f"no edge joins {passage.from_id!r} and {passage.to_id!r}")
    return f"{graph.nodes[passage.from_id].name} → {graph.nodes[passage.to_id].name}"


def question(graph: NavigationGraph, passage: Passage, profile: AgentProfile) -> str:
    """Ask the annotator: ``Can a wheelchair go from Hall to Kitchen?``.

    Raises:
        EditError: If the graph has no such edge.
    """
    passage_title(graph, passage)
    article = "an" if profile.name[:1].lower() in "aeiou" else "a"
    start, end = graph.nodes[passage.from_id].name, graph.nodes[passage.to_id].name
    return f"Can {article} {profile.name.lower()} go from {start} to {end}?"
