"""The tables of scoring: rubrics, batches, their items, sheets and comparisons."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables, empty: there is nothing to score yet."""
    _items(
        "rubrics",
        *_keys("rubric"),
        sa.Column("version", sa.BigInteger(), primary_key=True, autoincrement=False),
    )
    _items("batches", *_keys("name"))
    _items(
        "batch_items",
        *_keys("batch", "item"),
        sa.ForeignKeyConstraint(["batch"], ["batches.name"]),
    )
    _items(
        "sheets",
        *_keys("batch", "item", "rater"),
        sa.Column("round", sa.Integer(), primary_key=True, autoincrement=False),
        sa.ForeignKeyConstraint(["batch", "item"], ["batch_items.batch", "batch_items.item"]),
    )
    _items(
        "comparisons",
        *_keys("batch", "pair", "rater"),
        sa.ForeignKeyConstraint(["batch"], ["batches.name"]),
    )


def _items(name: str, *columns: sa.Column[Any] | sa.ForeignKeyConstraint) -> None:
    op.create_table(
        name,
        *columns,
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("row_version", sa.Integer(), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("changed_utc", sa.Text(), nullable=False),
    )


def _keys(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), primary_key=True) for name in names]
