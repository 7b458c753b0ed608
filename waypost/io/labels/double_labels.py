"""Every round of what two annotators say about passages, and what was decided, as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.team import DoubleLabel, FinalLabel, Team
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel
from waypost.io.atomic import write_text_atomic
from waypost.io.table_cells import escaped

COLUMNS: Final = (
    "from_id", "from_name", "to_id", "to_name", "agent", "label", "round", "state", "verdict",
    "reason", "note", "author", "time_utc", "evidence", "is_seeing", "decided_by", "decided_utc",
    "decision_comment",
)  # fmt: skip
"""``label`` is ``first``, ``second`` or ``final``; ``is_seeing`` is ``yes`` where the other's label
was, or may have been, seen before."""


def write_double_labels(path: Path, team: Team, graph: NavigationGraph) -> int:
    """Write what the viewer of a team may see: by passage first, second, final, round by round.

    Returns:
        How many rows there are.

    Raises:
        WriteError: If the file cannot be written.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    rows = [row for passage in team.doubles for row in _rows(team, passage, graph)]
    writer.writerows([escaped(cell) for cell in row] for row in rows)
    write_text_atomic(path, "\ufeff" + stream.getvalue())
    return len(rows)


def _rows(team: Team, passage: Passage, graph: NavigationGraph) -> Iterator[tuple[str, ...]]:
    names = [graph.nodes[i].name if i in graph.nodes else "" for i in passage[:2]]
    head = (passage.from_id, names[0], passage.to_id, names[1], passage.agent_key)
    for kind, author in zip(("first", "second"), team.doubles[passage].annotators, strict=True):
        for entry in team.rounds(passage, author):
            yield (*head, kind, *_said(entry, is_seeing=not team.is_blind(entry)))
    if passage in team.finals:
        yield (*head, "final", *_decided(team.finals[passage]))


def _said(entry: DoubleLabel, *, is_seeing: bool) -> tuple[str, ...]:
    return (
        str(entry.key.round),
        entry.state,
        *_label(entry.label),
        "; ".join(entry.evidence),
        "yes" if is_seeing else "no",
        entry.decided_by,
        _time(entry.decided_at),
        entry.decision_comment,
    )


def _decided(final: FinalLabel) -> tuple[str, ...]:
    return (
        "", "", *_label(final.label), "", "", final.decided_by, _time(final.decided_at),
        final.comment,
    )  # fmt: skip


def _label(label: TraversabilityLabel) -> tuple[str, ...]:
    return label.verdict, label.reason or "", label.note, label.author, label.time_utc


def _time(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat()
