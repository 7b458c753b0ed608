"""The tables of a project, in types that SQLite and PostgreSQL both have.

Every item row carries a version (the number of the change that wrote it), who wrote it and
when. ``ordinal`` keeps the order of items without rewriting their neighbours.
"""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)

_ESCAPE: Final = "\ufdd0"
"""A code point that Unicode reserves for programs; marks a text stored as JSON."""


class AnyText(TypeDecorator[str]):
    """Text that survives unchanged, whatever is in it.

    NUL and lone surrogates, which JSON files may hold and databases refuse, are stored escaped.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Escape what the database would refuse."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        if "\0" in value or value.startswith(_ESCAPE) or _has_surrogate(value):
            return _ESCAPE + json.dumps(value)
        return value

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Undo the escape.

        Raises:
            TypeError: If the column holds something else than text.
        """
        if value is None:
            return None
        if not isinstance(value, str):
            raise TypeError(f"expected text, found {type(value).__name__}")
        return str(json.loads(value[1:])) if value.startswith(_ESCAPE) else value


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


METADATA: Final = MetaData()


def _items(
    name: str, *columns: Column[Any] | ForeignKeyConstraint, added: tuple[Column[Any], ...] = ()
) -> Table:
    """A table of items; ``added`` came by a later migration, which puts them behind the stamps."""
    return Table(
        name,
        METADATA,
        *columns,
        Column("ordinal", BigInteger, nullable=False),
        Column("row_version", Integer, nullable=False),
        Column("changed_by", AnyText, nullable=False),
        Column("changed_utc", Text, nullable=False),
        *added,
    )


def _keys(*names: str) -> list[Column[Any]]:
    return [Column(name, AnyText, primary_key=True) for name in names]


FACTS: Final = _items(
    "facts",
    Column("fact", Text, primary_key=True),
    Column("value", AnyText, nullable=False),
)
"""What a project says about itself as a whole; values are JSON."""

NODES: Final = _items(
    "nodes",
    Column("node_id", AnyText, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("x_m", Float(53), nullable=False),
    Column("y_m", Float(53), nullable=False),
    Column("z_m", Float(53), nullable=False),
    Column("description", AnyText, nullable=False),
    Column("extra", AnyText, nullable=False),
)

EDGES: Final = _items(
    "edges",
    Column("edge_id", AnyText, primary_key=True),
    Column("from_id", AnyText, ForeignKey("nodes.node_id"), nullable=False, index=True),
    Column("to_id", AnyText, ForeignKey("nodes.node_id"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("extra", AnyText, nullable=False),
)

AGENTS: Final = _items(
    "agents",
    Column("agent_key", AnyText, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("shape", Text, nullable=False),
    Column("width_m", Float(53), nullable=False),
    Column("depth_m", Float(53), nullable=False),
    Column("height_m", Float(53), nullable=False),
    Column("step_limit_m", Float(53), nullable=False),
    Column("climbs_stairs", Boolean, nullable=False),
    Column("opens_doors", Boolean, nullable=False),
    Column("operates_elevators", Boolean, nullable=False),
    Column("drive", Text, nullable=False),
    Column("min_turning_radius_m", Float(53), nullable=False),
    Column("top_speed_mps", Float(53), nullable=False),
    Column("description", AnyText, nullable=False),
)

LABELS: Final = _items(
    "labels",
    Column("from_id", AnyText, primary_key=True),
    Column("to_id", AnyText, primary_key=True),
    Column("agent_key", AnyText, primary_key=True),
    Column("verdict", Text, nullable=False),
    Column("reason", Text),
    Column("note", AnyText, nullable=False),
    Column("author", AnyText, nullable=False),
    Column("time_utc", AnyText, nullable=False),
    Column("scene_hash", AnyText, nullable=False),
    Column("profile_hash", AnyText, nullable=False),
    Column("engine", AnyText, nullable=False),
    Column("engine_version", AnyText, nullable=False),
    Column("mover_hash", AnyText, nullable=False),
    Column("extra", AnyText, nullable=False),
)
"""No foreign keys: a label outlives its edge and its agent, so that undo and review find it."""

TASKS: Final = _items(
    "tasks",
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("question", AnyText, nullable=False),
    Column("start_place", AnyText, nullable=False),
    Column("end_place", AnyText, nullable=False),
    Column("start_detail", AnyText, nullable=False),
    Column("end_detail", AnyText, nullable=False),
    Column("intermediate", AnyText, nullable=False),
    Column("extra", AnyText, nullable=False),
)
"""Tasks are known by their place in the list, from 0."""

STUDY_SETTINGS: Final = _items(
    "study_settings",
    Column("setting", Text, primary_key=True),
    Column("value", AnyText, nullable=False),
)
"""The plan of a study, one row per rule; values are JSON. No row: no study."""

CONSENT_TEXTS: Final = _items(
    "consent_texts",
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("text", AnyText, nullable=False),
    Column("text_hash", Text, nullable=False),
    Column("published_utc", AnyText, nullable=False),
)

STUDY_EPISODES: Final = _items(
    "study_episodes",
    *_keys("dataset", "scene_id", "episode_id"),
    Column("split", AnyText, nullable=False),
    Column("is_training", Boolean, nullable=False),
)

PARTICIPANTS: Final = _items(
    "participants",
    *_keys("code"),
    Column("joined_utc", AnyText, nullable=False),
    Column("order_seed", BigInteger, nullable=False),
    Column("consents", AnyText, nullable=False),
    Column("withdrawn_utc", AnyText),
    Column("breaks_utc", AnyText, nullable=False),
)
"""Codes only: no column for a name."""

ASSIGNMENTS: Final = _items(
    "assignments",
    *_keys("dataset", "scene_id", "episode_id", "participant"),
    Column("place", Integer, nullable=False),
    Column("is_training", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", AnyText, nullable=False),
    Column("state_by", AnyText, nullable=False),
    Column("state_utc", AnyText, nullable=False),
    Column("requeues", AnyText, nullable=False),
    ForeignKeyConstraint(["participant"], ["participants.code"]),
    ForeignKeyConstraint(
        ["dataset", "scene_id", "episode_id"],
        ["study_episodes.dataset", "study_episodes.scene_id", "study_episodes.episode_id"],
    ),
)
"""The foreign keys keep an undo in one window from taking what another window builds on."""

TAKES: Final = _items(
    "takes",
    *_keys("dataset", "scene_id", "episode_id", "participant"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("path", AnyText, nullable=False),
    Column("content_hash", AnyText, nullable=False),
    Column("started_utc", AnyText, nullable=False),
    Column("summary", AnyText, nullable=False),
    Column("scores", AnyText, nullable=False),
    Column("score_notes", AnyText, nullable=False),
    Column("excluded_reason", AnyText, nullable=False),
    ForeignKeyConstraint(
        ["dataset", "scene_id", "episode_id", "participant"],
        [f"assignments.{c}" for c in ("dataset", "scene_id", "episode_id", "participant")],
    ),
)

RUN_SOURCES: Final = _items(
    "run_sources",
    *_keys("name"),
    Column("results", AnyText, nullable=False),
    Column("annotations", AnyText, nullable=False),
    Column("connectivity", AnyText, nullable=False),
    Column("pictures", AnyText, nullable=False),
    Column("profile_key", AnyText, nullable=False),
    Column("annotation_format", AnyText, nullable=False),
    Column("result_format", AnyText, nullable=False),
)

TAXONOMIES: Final = _items(
    "taxonomies",
    *_keys("taxonomy"),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("title", AnyText, nullable=False),
    Column("source", AnyText, nullable=False),
    Column("notes", AnyText, nullable=False),
    Column("axes", AnyText, nullable=False),
)

CAUSE_MARKS: Final = _items(
    "cause_marks",
    *_keys("run", "episode_id", "analyst", "taxonomy"),
    Column("taxonomy_version", BigInteger, nullable=False),
    Column("choices", AnyText, nullable=False),
    Column("step", BigInteger),
    Column("note", AnyText, nullable=False),
    Column("marked_utc", Text),
    added=(Column("is_blind", Boolean),),
)
"""No foreign keys: marks outlive their run and their taxonomy, as labels outlive their edge."""

EDGE_VERDICTS: Final = _items(
    "edge_verdicts",
    *_keys("run", "episode_id", "from_id", "to_id", "analyst"),
    Column("verdict", Text, nullable=False),
    Column("note", AnyText, nullable=False),
    Column("marked_utc", Text),
    added=(Column("is_blind", Boolean),),
)

CHANGES: Final = Table(
    "changes",
    METADATA,
    Column("change_id", Integer, primary_key=True),
    Column("author", AnyText, nullable=False),
    Column("time_utc", Text, nullable=False),
    Column("text", AnyText, nullable=False),
)
"""One row per transaction; never changed or deleted."""

HISTORY: Final = Table(
    "history",
    METADATA,
    Column("change_id", Integer, ForeignKey("changes.change_id"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("item", AnyText, primary_key=True),
    Column("action", Text, nullable=False),
)
"""Which items a change added, changed or deleted; never changed or deleted."""
