"""From an answer to a label that says who gave it, when and on what, as an undoable edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

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
    state_of,
)
from waypost.services.appearance import SIGNS

_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


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
    return accept_all((answer,), labels, graph, author=author, judged=lambda _: provenance, now=now)


def accept_all(
    answers: Sequence[LabelAnswer],
    labels: Labels,
    graph: NavigationGraph,
    *,
    author: str,
    judged: Callable[[LabelAnswer], Provenance],
    now: Callable[[], datetime],
    names: Mapping[str, str] = _NO_NAMES,
) -> LabelEdit:
    """Turn several answers into labels, as one step.

    Args:
        answers: What the annotator said, one for a passage at most.
        labels: All labels so far.
        graph: Must have the edges.
        author: Who decides.
        judged: Gives what each was judged on.
        now: The clock; must know its offset.
        names: What agents are called in the words of the step, by key.

    Raises:
        EditError: If a “does not” has no reason, or the graph has no such edge.
    """
    _check_joined(graph, [answer.passage for answer in answers])
    made = dict(labels)
    for answer in answers:
        made[answer.passage] = _label(answer, labels, author, judged(answer), now)
    if len(answers) == 1:
        text = _answer_text(graph, answers[0], names)
    else:
        text = _group_text(answers, names)
    return LabelEdit(text, MappingProxyType(made))


def _group_text(answers: Sequence[LabelAnswer], names: Mapping[str, str]) -> str:
    agents = {_agent(answer.passage, names) for answer in answers}
    words = {SIGNS[state_of(answer.verdict)].word for answer in answers}
    what = f": {words.pop()}" if len(words) == 1 else ""
    whom = f" for {agents.pop()}" if len(agents) == 1 else ""
    return f"Label {len(answers):,} passages{whom}{what}"


def _label(
    answer: LabelAnswer,
    labels: Labels,
    author: str,
    provenance: Provenance,
    now: Callable[[], datetime],
) -> TraversabilityLabel:
    known = labels.get(answer.passage)
    if known is not None and answer.is_note_only:
        # Who decided, when and on what is as it was: another note is no other judgement.
        return replace(known, note=answer.note.strip())
    return TraversabilityLabel(
        answer.passage,
        answer.verdict,
        answer.reason,
        answer.note.strip(),
        author,
        now().astimezone(UTC).isoformat(timespec="seconds"),
        provenance,
        known.extra if known is not None else MappingProxyType({}),
    )


def _answer_text(graph: NavigationGraph, answer: LabelAnswer, names: Mapping[str, str]) -> str:
    title = passage_title(graph, answer.passage)
    if answer.is_note_only:
        return f"Note on {title} for {_agent(answer.passage, names)}"
    words = SIGNS[state_of(answer.verdict)].word
    if answer.reason is not None:
        words += f" ({REASON_TITLES[answer.reason]})"
    return f"Label {title} for {_agent(answer.passage, names)}: {words}"


def _agent(passage: Passage, names: Mapping[str, str]) -> str:
    """An agent that was removed has only its key."""
    return names.get(passage.agent_key, passage.agent_key)


def retract(
    labels: Labels,
    graph: NavigationGraph,
    passage: Passage,
    names: Mapping[str, str] = _NO_NAMES,
) -> LabelEdit | None:
    """Make a passage undecided again; ``None`` if it is.

    Raises:
        EditError: If the graph has no such edge.
    """
    if passage not in labels:
        return None
    title = passage_title(graph, passage)
    text = f"Clear label {title} for {_agent(passage, names)}"
    return LabelEdit(text, clear_label(labels, passage))


def retract_all(
    labels: Labels,
    graph: NavigationGraph,
    passages: Iterable[Passage],
    names: Mapping[str, str] = _NO_NAMES,
) -> LabelEdit | None:
    """Make several passages undecided again, as one step; ``None`` if all of them are.

    Raises:
        EditError: If the graph has no such edge.
    """
    gone = dict.fromkeys(passage for passage in passages if passage in labels)
    if len(gone) < 2:
        return retract(labels, graph, next(iter(gone)), names) if gone else None
    _check_joined(graph, gone)
    kept = {passage: label for passage, label in labels.items() if passage not in gone}
    return LabelEdit(f"Clear {len(gone):,} labels", MappingProxyType(kept))


def passage_title(graph: NavigationGraph, passage: Passage) -> str:
    """``Hall → Kitchen``.

    Raises:
        EditError: If the graph has no such edge.
    """
    _check_joined(graph, (passage,))
    return f"{graph.nodes[passage.from_id].name} → {graph.nodes[passage.to_id].name}"


def _check_joined(graph: NavigationGraph, passages: Iterable[Passage]) -> None:
    """Look the edges through once for all passages, of which there may be thousands."""
    joined = graph.joined_pairs()
    for passage in passages:
        if frozenset((passage.from_id, passage.to_id)) not in joined:
            raise EditError(f"no edge joins {passage.from_id!r} and {passage.to_id!r}")
