"""The tables of a team: people, passages that two of them label, their labels, and decisions."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_PASSAGE = ("from_id", "to_id", "agent_key")


def upgrade() -> None:
    """Make the tables, empty: nobody works with others yet."""
    _items("people", *_keys("name"), sa.Column("role", sa.Text(), nullable=False))
    _items(
        "double_passages",
        *_keys(*_PASSAGE),
        sa.Column("first_annotator", sa.Text(), nullable=False),
        sa.Column("second_annotator", sa.Text(), nullable=False),
    )
    of_double = [f"double_passages.{name}" for name in _PASSAGE]
    _items(
        "double_labels",
        *_keys(*_PASSAGE, "author"),
        sa.Column("round", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(list(_PASSAGE), of_double),
    )
    _items(
        "final_labels",
        *_keys(*_PASSAGE),
        sa.ForeignKeyConstraint(list(_PASSAGE), of_double),
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
