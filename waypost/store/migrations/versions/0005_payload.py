"""What is neither key nor searched becomes one JSON text per row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_TEXT, _NUMBER, _LONG = sa.Text, sa.Integer, sa.BigInteger
_STAMPS = ("ordinal", "row_version", "changed_by", "changed_utc")
_EPISODE = {"dataset": _TEXT, "scene_id": _TEXT, "episode_id": _TEXT}
_ASSIGNMENT = {**_EPISODE, "participant": _TEXT}

_KEYS: dict[str, Mapping[str, type[sa.types.TypeEngine[Any]]]] = {
    "facts": {"fact": _TEXT},
    "nodes": {"node_id": _TEXT},
    "edges": {"edge_id": _TEXT},
    "agents": {"agent_key": _TEXT},
    "labels": {"from_id": _TEXT, "to_id": _TEXT, "agent_key": _TEXT},
    "tasks": {"place": _NUMBER},
    "study_settings": {"setting": _TEXT},
    "consent_texts": {"version": _NUMBER},
    "study_episodes": _EPISODE,
    "participants": {"code": _TEXT},
    "assignments": _ASSIGNMENT,
    "takes": {**_ASSIGNMENT, "number": _NUMBER},
    "run_sources": {"name": _TEXT},
    "taxonomies": {"taxonomy": _TEXT, "version": _LONG},
    "cause_marks": dict.fromkeys(("run", "episode_id", "analyst", "taxonomy"), _TEXT),
    "edge_verdicts": dict.fromkeys(("run", "episode_id", "from_id", "to_id", "analyst"), _TEXT),
}
"""Tables and their keys, in an order in which they can be made."""

_SEARCHED = {"edges": ("from_id", "to_id"), "consent_texts": ("text_hash",)}
_JSON = {
    "extra", "value", "intermediate", "consents", "breaks_utc", "requeues", "summary", "scores",
    "score_notes", "annotations", "axes", "choices",
}  # fmt: skip
_TRUTHS = {
    "climbs_stairs", "opens_doors", "operates_elevators", "is_training", "is_blind",
}  # fmt: skip
_NAMES = {
    "start_place": "start", "end_place": "end", "state_by": "changed_by",
    "state_utc": "changed_utc", "marked_utc": "marked_at",
}  # fmt: skip
"""Columns that were called otherwise than the field."""

_PROVENANCE = ("scene_hash", "profile_hash", "engine", "engine_version", "mover_hash")


def upgrade() -> None:
    """Read every row, then make the tables anew with it."""
    connection = op.get_bind()
    rows = {table: list(_new_rows(connection, table)) for table in _KEYS}
    for table in reversed(_KEYS):
        op.drop_table(table)
    for table in _KEYS:
        made = _make(table)
        if rows[table]:
            connection.execute(sa.insert(made), rows[table])


def _new_rows(connection: sa.Connection, table: str) -> Iterator[dict[str, Any]]:
    order = ", ".join(("ordinal", *_KEYS[table]))
    # The names are our own.
    query = sa.text(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608
    for place, row in enumerate(connection.execute(query).mappings(), 1):
        kept = (*_KEYS[table], *_SEARCHED.get(table, ()), *_STAMPS)
        try:
            payload = json.dumps(_payload(table, {k: v for k, v in row.items() if k not in kept}))
        except Exception as error:
            raise ValueError(f"{table}, row {place}: {error}") from error
        yield {**{name: row[name] for name in kept}, "payload": payload}


def _payload(table: str, row: Mapping[str, Any]) -> Any:
    values = {_NAMES.get(name, name): _value(name, value) for name, value in row.items()}
    if table in {"facts", "study_settings"}:
        return values["value"]
    if table == "run_sources":
        values["results"] = [values["results"]]
        values |= {name: values[name] or None for name in ("connectivity", "pictures")}
    if table == "nodes":
        values["position_m"] = [values.pop(axis) for axis in ("x_m", "y_m", "z_m")]
    if table == "labels":
        values["provenance"] = {name: values.pop(name) for name in _PROVENANCE}
    return values


def _value(name: str, value: Any) -> Any:
    # Text that a database refuses was stored as JSON behind this mark.
    if isinstance(value, str) and value.startswith("\ufdd0"):
        value = json.loads(value[1:])
    if name in _JSON:
        return json.loads(value)
    if name in _TRUTHS and value in {0, 1}:
        return bool(value)
    return value


def _make(table: str) -> sa.Table:
    made = op.create_table(
        table,
        *(
            sa.Column(name, kind(), primary_key=True, autoincrement=False)
            for name, kind in _KEYS[table].items()
        ),
        *_further(table),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("row_version", sa.Integer(), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("changed_utc", sa.Text(), nullable=False),
    )
    if table == "edges":
        op.create_index("ix_edges_from_id", "edges", ["from_id"])
        op.create_index("ix_edges_to_id", "edges", ["to_id"])
    return made


def _further(table: str) -> list[sa.schema.SchemaItem]:
    """What is searched, and which other rows a row needs."""
    if table == "edges":
        return [
            sa.Column(name, sa.Text(), sa.ForeignKey("nodes.node_id"), nullable=False)
            for name in _SEARCHED[table]
        ]
    if table == "consent_texts":
        return [sa.Column("text_hash", sa.Text(), nullable=False)]
    if table == "assignments":
        return [_points_at("participants", "participant"), _points_at("study_episodes", *_EPISODE)]
    return [_points_at("assignments", *_ASSIGNMENT)] if table == "takes" else []


def _points_at(table: str, *columns: str) -> sa.ForeignKeyConstraint:
    names = {"participant": "code"} if table == "participants" else {}
    return sa.ForeignKeyConstraint(columns, [f"{table}.{names.get(c, c)}" for c in columns])
