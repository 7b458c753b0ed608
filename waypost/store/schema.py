"""The tables of a project, in types that SQLite and PostgreSQL both have.

Beside its key and what is searched, a row of an item holds one JSON text (see ``item_kind``), so
that a new field of an item changes no table. Every row carries a version (the number of the change
that wrote it), who wrote it and when. ``ordinal`` keeps the order of items without rewriting their
neighbours.
"""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
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


def _items(name: str, *columns: Column[Any] | ForeignKeyConstraint) -> Table:
    """A table of items: their keys, the columns that are searched, and the rest as JSON."""
    return Table(
        name,
        METADATA,
        *columns,
        Column("payload", AnyText, nullable=False),
        Column("ordinal", BigInteger, nullable=False),
        Column("row_version", Integer, nullable=False),
        Column("changed_by", AnyText, nullable=False),
        Column("changed_utc", Text, nullable=False),
    )


def _keys(*names: str) -> list[Column[Any]]:
    return [Column(name, AnyText, primary_key=True) for name in names]


def _node_at(name: str) -> Column[Any]:
    return Column(name, AnyText, ForeignKey("nodes.node_id"), nullable=False, index=True)


_EPISODE: Final = ("dataset", "scene_id", "episode_id")

FACTS: Final = _items("facts", *_keys("fact"))
"""What a project says about itself as a whole, one row per fact."""

NODES: Final = _items("nodes", *_keys("node_id"))
EDGES: Final = _items("edges", *_keys("edge_id"), _node_at("from_id"), _node_at("to_id"))
AGENTS: Final = _items("agents", *_keys("agent_key"))
LABELS: Final = _items("labels", *_keys("from_id", "to_id", "agent_key"))
"""No foreign keys: a label outlives its edge and its agent, so that undo and review find it."""

MEASURES: Final = _items("measures", *_keys("from_id", "to_id", "agent_key"))
DRIVES: Final = _items("drives", *_keys("from_id", "to_id", "agent_key"))
"""Without foreign keys, like labels."""

ATTACHMENTS: Final = Table(
    "attachments",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("bytes", LargeBinary, nullable=False),
    Column("added_utc", Text, nullable=False),
)
"""Large parts of measures and drives, by the digest of their bytes; read only when asked for.

Never changed; one that nothing refers to may still be wanted by an undo in some window.
"""

TASKS: Final = _items("tasks", Column("place", Integer, primary_key=True, autoincrement=False))
"""Tasks are known by their place in the list, from 0."""

STUDY_SETTINGS: Final = _items("study_settings", *_keys("setting"))
"""The rules of a study, one row each. No row: no study."""

CONSENT_TEXTS: Final = _items(
    "consent_texts",
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("text_hash", Text, nullable=False),
)
STUDY_EPISODES: Final = _items("study_episodes", *_keys(*_EPISODE))
PARTICIPANTS: Final = _items("participants", *_keys("code"))
"""Codes only: no field for a name."""

ASSIGNMENTS: Final = _items(
    "assignments",
    *_keys(*_EPISODE, "participant"),
    ForeignKeyConstraint(["participant"], ["participants.code"]),
    ForeignKeyConstraint(_EPISODE, [f"study_episodes.{name}" for name in _EPISODE]),
)
"""The foreign keys keep an undo in one window from taking what another window builds on."""

TAKES: Final = _items(
    "takes",
    *_keys(*_EPISODE, "participant"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    ForeignKeyConstraint(
        [*_EPISODE, "participant"],
        [f"assignments.{name}" for name in (*_EPISODE, "participant")],
    ),
)
RUN_SOURCES: Final = _items("run_sources", *_keys("name"))
TAXONOMIES: Final = _items(
    "taxonomies",
    *_keys("taxonomy"),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
)
CAUSE_MARKS: Final = _items("cause_marks", *_keys("run", "episode_id", "analyst", "taxonomy"))
"""No foreign keys: marks outlive their run and their taxonomy, as labels outlive their edge."""

EDGE_VERDICTS: Final = _items(
    "edge_verdicts", *_keys("run", "episode_id", "from_id", "to_id", "analyst")
)

RUBRICS: Final = _items(
    "rubrics",
    *_keys("rubric"),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
)
BATCHES: Final = _items("batches", *_keys("name"))
DEALT_ITEMS: Final = Table(
    "dealt_items",
    METADATA,
    *_keys("batch", "item", "rater"),
    ForeignKeyConstraint(["batch"], ["batches.name"], ondelete="CASCADE"),
)
"""Which items, or pairs, are whose, as the batches say: what a server hides sheets by."""

BATCH_ITEMS: Final = _items(
    "batch_items",
    *_keys("batch", "item"),
    ForeignKeyConstraint(["batch"], ["batches.name"]),
)
ITEM_ORIGINS: Final = _items(
    "item_origins",
    *_keys("batch", "item"),
    ForeignKeyConstraint(
        ["batch", "item"], ["batch_items.batch", "batch_items.item"], ondelete="CASCADE"
    ),
)
"""A row for each item, beside it because a server hides it longer; whoever does not see it deletes
it with the item."""

SHEETS: Final = _items(
    "sheets",
    *_keys("batch", "item", "rater"),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    ForeignKeyConstraint(["batch", "item"], ["batch_items.batch", "batch_items.item"]),
)
"""The foreign key keeps an undo of a batch in one window from taking what raters say in another."""

COMPARISONS: Final = _items(
    "comparisons",
    *_keys("batch", "pair", "rater"),
    Column("state", Text, nullable=False),
    ForeignKeyConstraint(["batch"], ["batches.name"]),
)
SCORE_DRAFTS: Final = _items(
    "score_drafts",
    *_keys("batch", "item", "rater"),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    ForeignKeyConstraint(["batch"], ["batches.name"], ondelete="CASCADE"),
)
"""Beside sheets and comparisons because a server shows a draft to who writes it, and no longer to
who may read the rest."""

PEOPLE: Final = _items("people", *_keys("name"), Column("role", Text, nullable=False))
DOUBLE_PASSAGES: Final = _items(
    "double_passages",
    *_keys("from_id", "to_id", "agent_key"),
    Column("first_annotator", AnyText, nullable=False),
    Column("second_annotator", AnyText, nullable=False),
)
DOUBLE_LABELS: Final = _items(
    "double_labels",
    *_keys("from_id", "to_id", "agent_key", "author"),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    ForeignKeyConstraint(
        ["from_id", "to_id", "agent_key"],
        [f"double_passages.{name}" for name in ("from_id", "to_id", "agent_key")],
    ),
)
"""Which columns a server hides rows by stands beside the payload: who, and whether it is in."""

FINAL_LABELS: Final = _items(
    "final_labels",
    *_keys("from_id", "to_id", "agent_key"),
    ForeignKeyConstraint(
        ["from_id", "to_id", "agent_key"],
        [f"double_passages.{name}" for name in ("from_id", "to_id", "agent_key")],
    ),
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
