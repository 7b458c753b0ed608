"""Which item two writers disagree about, found after the second one was refused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, or_, select

from waypost.domain.base.errors import ConflictError, StoreError
from waypost.domain.traverse.traversability import Passage
from waypost.store import schema
from waypost.store.database import is_not_allowed
from waypost.store.difference import KindDifference
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import (
    COMPARISON,
    DOUBLE_LABEL,
    DOUBLE_PASSAGE,
    EDGE,
    LABEL,
    NODE,
    SHEET,
)

_MOST_NAMED: Final = 500
"""Nodes in one question to the database."""


class StaleRowsError(Exception):
    """A row was not in the version that this writer last saw; the transaction is rolled back."""


def find_conflict(
    connection: Connection,
    project: str,
    difference: tuple[KindDifference, ...],
    versions: Mapping[ItemKind, Mapping[Any, int]],
) -> ConflictError:
    """Name the first item that somebody else changed, and who did.

    Args:
        connection: Sees the file as the other writer left it.
        project: The file as the user named it.
        difference: What this writer wanted to write.
        versions: The version of each row as this writer last saw it.
    """
    for item in conflicts(connection, difference, versions):
        return ConflictError(project, item.kind.table.name, item.reason)
    reason = _graph_conflict(connection, {part.kind: part for part in difference})
    return ConflictError(project, "graph", reason)


def not_allowed(error: StoreError, difference: tuple[KindDifference, ...]) -> StoreError:
    """What to say where a server refuses a change to who is logged in there; else the error.

    Args:
        error: Why nothing was written.
        difference: What was to be written.
    """
    if not is_not_allowed(error.__cause__):
        return error
    doubles = {part.kind: part for part in difference}.get(DOUBLE_PASSAGE)
    reason = "the server lets only others change this"
    for key in doubles.removed if doubles is not None else ():
        way = f"{key.from_id} → {key.to_id} of {key.agent_key}"
        reason = f"two label {way}, so that only a lead deletes its edge"
        break
    return ConflictError(error.file, "team", reason)


class Conflict(NamedTuple):
    """An item that two writers disagree about."""

    kind: ItemKind
    key: Any
    reason: str
    """Who changed it first, and when."""


def conflicts(
    connection: Connection,
    difference: tuple[KindDifference, ...],
    versions: Mapping[ItemKind, Mapping[Any, int]],
) -> Iterator[Conflict]:
    """Every item that somebody else changed first; see ``find_conflict`` for the arguments."""
    for part in difference:
        found = _versions_now(connection, part.kind)
        known = versions[part.kind]
        for key, value in {**part.changed, **part.removed, **part.added}.items():
            expected = None if key in part.added else known.get(key)
            if found.get(key) != expected:
                reason = _changed(connection, part.kind, key, part.kind.title(key, value))
                yield Conflict(part.kind, key, reason)
    yield from labels_of_one_and_two(connection, difference)


def labels_of_one_and_two(
    connection: Connection, difference: tuple[KindDifference, ...]
) -> Iterator[Conflict]:
    """New labels of passages that two label by now, and dealt passages that somebody labelled.

    A label that one person gave of a passage that two label counts for nobody, and is seen by
    nobody: it would be lost.

    Args:
        connection: Before or after the difference is written.
        difference: What is written.
    """
    parts = {part.kind: part for part in difference}
    for kind, other in ((LABEL, DOUBLE_PASSAGE), (DOUBLE_PASSAGE, LABEL)):
        if kind not in parts or not parts[kind].added:
            continue
        gone = parts[other].removed if other in parts else {}
        there = _passages_now(connection, other, parts[kind].added)
        for key in parts[kind].added:
            if key in there and key not in gone:
                way = f"{key.from_id} → {key.to_id} of {key.agent_key}"
                title = f"that two label {way}" if other is DOUBLE_PASSAGE else f"the label {way}"
                yield Conflict(kind, key, _changed(connection, other, key, title))


def given_answers(difference: tuple[KindDifference, ...]) -> Iterator[Conflict]:
    """The changes of answers that were given, which a server refuses once the other's is in too.

    Args:
        difference: What it refused without a row that somebody else changed. Of one that changes
            the graph as well nobody knows what was refused.
    """
    if {part.kind for part in difference} & {NODE, EDGE, DOUBLE_PASSAGE}:
        return
    for part in difference:
        if part.kind in {DOUBLE_LABEL, SHEET, COMPARISON}:
            for key, value in {**part.changed, **part.removed}.items():
                what = part.kind.title(key, value)
                yield Conflict(part.kind, key, f"{what} is in, and cannot be changed any more")


def _graph_conflict(connection: Connection, parts: Mapping[ItemKind, KindDifference]) -> str:
    edges, nodes = parts.get(EDGE), parts.get(NODE)
    if edges is not None:
        there = _versions_now(connection, NODE).keys() | (nodes.added.keys() if nodes else set())
        for edge in {**edges.changed, **edges.added}.values():
            for end in (edge.from_id, edge.to_id):
                if end not in there:
                    return _changed(connection, NODE, end, f"node {end}")
    gone = list(nodes.removed) if nodes is not None else []
    ours = set(edges.removed) | set(edges.changed) if edges is not None else set()
    columns = schema.EDGES.c
    at_gone = select(columns.edge_id).where(or_(columns.from_id.in_(gone), columns.to_id.in_(gone)))
    for edge_id in connection.scalars(at_gone):
        if edge_id not in ours:
            return _changed(connection, EDGE, edge_id, f"edge {edge_id}")
    doubles = parts.get(DOUBLE_PASSAGE)
    if doubles is not None and doubles.removed:
        return "somebody has labelled a passage there that two label"
    return "somebody else changed the project at the same moment"


def _passages_now(
    connection: Connection, kind: ItemKind, wanted: Collection[Passage]
) -> set[Passage]:
    columns = kind.table.c
    found = select(columns.from_id, columns.to_id, columns.agent_key)
    starts = {passage.from_id for passage in wanted}
    if len(starts) <= _MOST_NAMED:
        found = found.where(columns.from_id.in_(starts))
    return {Passage(*row) for row in connection.execute(found)}


def _versions_now(connection: Connection, kind: ItemKind) -> dict[Any, int]:
    table = kind.table
    rows = connection.execute(select(*(table.c[k] for k in kind.key_columns), table.c.row_version))
    return {kind.key_of(row): row["row_version"] for row in rows.mappings()}


def _changed(connection: Connection, kind: ItemKind, key: Any, title: str) -> str:
    history, changes = schema.HISTORY.c, schema.CHANGES.c
    last = connection.execute(
        select(history.action, changes.author, changes.time_utc)
        .join_from(schema.HISTORY, schema.CHANGES)
        .where(history.kind == kind.name, history.item == kind.item_text(key))
        .order_by(history.change_id.desc())
        .limit(1)
    ).first()
    if last is None:
        return f"{title} was changed by somebody else first"
    action, author, time_utc = last
    # The stored time is exact; a person needs the second.
    when = datetime.fromisoformat(time_utc).isoformat(sep=" ", timespec="seconds")
    return f"{title} was {action} by {author or 'somebody else'} at {when} first"
