"""Labels as a table for spreadsheets and scripts: one row per passage, safe to open anywhere."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from waypost.domain.base.errors import EditError, ReadError
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.traversability import (
    Labels,
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
    passages,
)
from waypost.io.atomic import write_text_atomic
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.table_cells import escaped, table_rows

COLUMNS = (
    "from_id",
    "from_name",
    "to_id",
    "to_name",
    "agent",
    "verdict",
    "reason",
    "note",
    "author",
    "time_utc",
    "scene_hash",
    "profile_hash",
    "engine",
    "engine_version",
    "mover_hash",
    "from_m",
    "to_m",
    "scene_gaps",
    "engine_parameters",
)
"""An empty verdict means undecided; names are for people and not read back.

``from_m`` and ``to_m`` are where the nodes stood when the label was given: ``x y z``, scene frame.
"""

KIND_COLUMN = "label"
"""Which of the labels of a passage that two label this is."""

_NEEDED = ("from_id", "to_id", "agent", "verdict")
_PROVENANCE = COLUMNS[10:15]
_PLACES = COLUMNS[15:17]
_GAPS_KEY, _PARAMETERS_KEY = COLUMNS[17:19]


def labels_csv_text(
    labels: Labels,
    graph: NavigationGraph,
    agent_keys: Iterable[str],
    left_out: frozenset[Passage] = frozenset(),
    kinds: Mapping[Passage, str] = MappingProxyType({}),
) -> str:
    """Return the table of every passage of the graph for these agents, labelled or not.

    Args:
        labels: Labels of any passages; those not in the graph are left out.
        graph: Gives the passages, their order and the names.
        agent_keys: Agents, in the order of their rows.
        left_out: Passages to show as undecided, e.g. those whose label is stale.
        kinds: ``first``, ``second``, ``agreed`` or ``final`` of labels of passages that two
            label, in a last column ``label``; without any there is no such column.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow((*COLUMNS, KIND_COLUMN) if kinds else COLUMNS)
    for key in agent_keys:
        for passage in passages(graph, key):
            label = None if passage in left_out else labels.get(passage)
            row = _row(passage, label, graph)
            if kinds:
                row = (*row, kinds.get(passage, "") if label else "")
            writer.writerow([escaped(cell) for cell in row])
    return stream.getvalue()


def write_labels_csv(path: Path, text: str) -> None:
    """Write a table with the byte order mark that spreadsheets need to read UTF-8.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_text_atomic(path, "\ufeff" + text)


@reader
def read_labels_csv(path: Path) -> Labels:
    """Read the labels of a table; see ``parse_labels_csv``.

    Raises:
        ReadError: Naming the line, e.g. ``line 3, verdict``, and what is wrong there.
    """
    return parse_labels_csv(read_file_text(path), str(path))


def parse_labels_csv(text: str, file: str) -> Labels:
    """Read the labels of a table; see ``table_rows``.

    Rows without a verdict are undecided and give no label; empty lines are skipped.

    Raises:
        ReadError: Naming the line and column, and what is wrong there.
    """
    labels: dict[Passage, TraversabilityLabel] = {}
    for row in table_rows(text, file, _NEEDED):
        label = _label(row.cells, file, f"line {row.line}")
        if label is None:
            continue
        if label.passage in labels:
            reason = f"repeats the label of {' → '.join(label.passage[:2])}"
            raise ReadError(file, f"line {row.line}", reason)
        labels[label.passage] = label
    return MappingProxyType(labels)


def _row(
    passage: Passage, label: TraversabilityLabel | None, graph: NavigationGraph
) -> tuple[str, ...]:
    start, end = graph.nodes[passage.from_id], graph.nodes[passage.to_id]
    head = (start.node_id, start.name, end.node_id, end.name, passage.agent_key)
    if label is None:
        return (*head, *("" for _ in COLUMNS[len(head) :]))
    origin = [getattr(label.provenance, name) for name in _PROVENANCE]
    origin += [_place_text(getattr(label.provenance, name)) for name in _PLACES]
    reason = label.reason or ""
    names = label.provenance.scene_gaps
    gaps = json.dumps(names, ensure_ascii=False) if names else ""
    said = (label.verdict, reason, label.note, label.author, label.time_utc)
    return (*head, *said, *origin, gaps, label.provenance.engine_parameters)


def _label(row: Mapping[str, str], file: str, line: str) -> TraversabilityLabel | None:
    verdict = row.get("verdict", "").strip()
    if not verdict:
        return None
    for name in _NEEDED:
        if not row.get(name):
            raise ReadError(file, f"{line}, {name}", "is empty")
    if verdict not in list(Verdict):
        raise ReadError(file, f"{line}, verdict", f"{verdict!r} is none of {', '.join(Verdict)}")
    reason = row.get("reason", "").strip()
    if reason and reason not in list(Reason):
        raise ReadError(file, f"{line}, reason", f"{reason!r} is none of {', '.join(Reason)}")
    try:
        return TraversabilityLabel(
            Passage(row["from_id"], row["to_id"], row["agent"]),
            Verdict(verdict),
            Reason(reason) if reason else None,
            row.get("note", ""),
            row.get("author", ""),
            row.get("time_utc", ""),
            _provenance(row, file, line),
        )
    except EditError as error:
        raise ReadError(file, f"{line}, reason", str(error)) from error


def _gaps(text: str, file: str, line: str) -> tuple[str, ...]:
    try:
        names = json.loads(text) if text.strip() else []
    except (ValueError, RecursionError) as error:
        raise ReadError(file, f"{line}, {_GAPS_KEY}", f"is no JSON: {error}") from error
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ReadError(file, f"{line}, {_GAPS_KEY}", "is no list of names")
    return tuple(names)


def _provenance(row: Mapping[str, str], file: str, line: str) -> Provenance:
    scene_hash, profile_hash, *engine = (row.get(name, "") for name in _PROVENANCE)
    judged = Provenance(scene_hash, profile_hash, engine[0], engine[1], engine[2])
    start, end = (_place(row.get(name, ""), file, f"{line}, {name}") for name in _PLACES)
    gaps = _gaps(row.get(_GAPS_KEY, ""), file, line)
    parameters = row.get(_PARAMETERS_KEY, "")
    return replace(judged, from_m=start, to_m=end, scene_gaps=gaps, engine_parameters=parameters)


def _place_text(place_m: Vec3 | None) -> str:
    return "" if place_m is None else " ".join(map(repr, map(float, place_m)))


def _place(cell: str, file: str, place: str) -> Vec3 | None:
    if not cell.strip():
        return None
    try:
        x, y, z = map(float, cell.split())
    except ValueError as error:
        raise ReadError(file, place, f"{cell!r} is no place like 1.5 0 -2") from error
    if not all(map(math.isfinite, (x, y, z))):
        raise ReadError(file, place, f"{cell!r} is no finite place")
    return (x, y, z)
