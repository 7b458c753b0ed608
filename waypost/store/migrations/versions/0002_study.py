"""The tables of a study with people."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables, empty: no study."""
    _items("study_settings", *_keys("setting"), *_texts("value"))
    _items(
        "consent_texts",
        sa.Column("version", sa.Integer(), primary_key=True, autoincrement=False),
        *_texts("text", "text_hash", "published_utc"),
    )
    _items(
        "study_episodes",
        *_keys("dataset", "scene_id", "episode_id"),
        *_texts("split"),
        sa.Column("is_training", sa.Boolean(), nullable=False),
    )
    _items(
        "participants",
        *_keys("code"),
        *_texts("joined_utc"),
        sa.Column("order_seed", sa.BigInteger(), nullable=False),
        *_texts("consents"),
        sa.Column("withdrawn_utc", sa.Text()),
        *_texts("breaks_utc"),
    )
    _items(
        "assignments",
        *_keys("dataset", "scene_id", "episode_id", "participant"),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("is_training", sa.Boolean(), nullable=False),
        *_texts("state", "reason", "state_by", "state_utc", "requeues"),
        sa.ForeignKeyConstraint(["participant"], ["participants.code"]),
        _points_at("study_episodes", "dataset", "scene_id", "episode_id"),
    )
    _items(
        "takes",
        *_keys("dataset", "scene_id", "episode_id", "participant"),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        *_texts("path", "content_hash", "started_utc", "summary", "scores", "score_notes"),
        *_texts("excluded_reason"),
        _points_at("assignments", "dataset", "scene_id", "episode_id", "participant"),
    )


def _points_at(table: str, *names: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(names, [f"{table}.{name}" for name in names])


def _items(name: str, *columns: sa.Column[Any] | sa.ForeignKeyConstraint) -> None:
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
