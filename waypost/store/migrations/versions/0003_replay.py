"""The tables of replays: runs, own taxonomies, marks of causes, verdicts on routes."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables, empty: no run is known and nothing marked."""
    _items(
        "run_sources",
        *_keys("name"),
        *_texts("results", "annotations", "connectivity", "pictures"),
        *_texts("profile_key", "annotation_format", "result_format"),
    )
    _items(
        "taxonomies",
        *_keys("taxonomy"),
        sa.Column("version", sa.BigInteger(), primary_key=True, autoincrement=False),
        *_texts("title", "source", "notes", "axes"),
    )
    _items(
        "cause_marks",
        *_keys("run", "episode_id", "analyst", "taxonomy"),
        sa.Column("taxonomy_version", sa.BigInteger(), nullable=False),
        *_texts("choices"),
        sa.Column("step", sa.BigInteger()),
        *_texts("note"),
        sa.Column("marked_utc", sa.Text()),
    )
    _items(
        "edge_verdicts",
        *_keys("run", "episode_id", "from_id", "to_id", "analyst"),
        *_texts("verdict", "note"),
        sa.Column("marked_utc", sa.Text()),
    )


def _items(name: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        name,
        *columns,
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("row_version", sa.Integer(), nullable=False),
        *_texts("changed_by", "changed_utc"),
    )


def _keys(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), primary_key=True) for name in names]


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]
