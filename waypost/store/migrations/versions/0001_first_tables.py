"""The first tables of a project."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    _items("facts", sa.Column("fact", sa.Text(), primary_key=True), *_texts("value"))
    _items(
        "nodes",
        sa.Column("node_id", sa.Text(), primary_key=True),
        *_texts("name"),
        *_numbers("x_m", "y_m", "z_m"),
        *_texts("description", "extra"),
    )
    _items(
        "edges",
        sa.Column("edge_id", sa.Text(), primary_key=True),
        sa.Column("from_id", sa.Text(), sa.ForeignKey("nodes.node_id"), nullable=False),
        sa.Column("to_id", sa.Text(), sa.ForeignKey("nodes.node_id"), nullable=False),
        *_texts("kind", "extra"),
    )
    op.create_index("ix_edges_from_id", "edges", ["from_id"])
    op.create_index("ix_edges_to_id", "edges", ["to_id"])
    _agents_labels_and_tasks()
    op.create_table(
        "changes",
        sa.Column("change_id", sa.Integer(), primary_key=True),
        *_texts("author", "time_utc", "text"),
    )
    op.create_table(
        "history",
        sa.Column("change_id", sa.Integer(), sa.ForeignKey("changes.change_id"), primary_key=True),
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.Column("item", sa.Text(), primary_key=True),
        *_texts("action"),
    )


def _agents_labels_and_tasks() -> None:
    _items(
        "agents",
        sa.Column("agent_key", sa.Text(), primary_key=True),
        *_texts("name", "shape"),
        *_numbers("width_m", "depth_m", "height_m", "step_limit_m"),
        sa.Column("climbs_stairs", sa.Boolean(), nullable=False),
        sa.Column("opens_doors", sa.Boolean(), nullable=False),
        sa.Column("operates_elevators", sa.Boolean(), nullable=False),
        *_texts("drive"),
        *_numbers("min_turning_radius_m", "top_speed_mps"),
        *_texts("description"),
    )
    _items(
        "labels",
        sa.Column("from_id", sa.Text(), primary_key=True),
        sa.Column("to_id", sa.Text(), primary_key=True),
        sa.Column("agent_key", sa.Text(), primary_key=True),
        *_texts("verdict"),
        sa.Column("reason", sa.Text()),
        *_texts("note", "author", "time_utc", "scene_hash", "profile_hash"),
        *_texts("engine", "engine_version", "mover_hash", "extra"),
    )
    _items(
        "tasks",
        sa.Column("place", sa.Integer(), primary_key=True, autoincrement=False),
        *_texts("question", "start_place", "end_place", "start_detail", "end_detail"),
        *_texts("intermediate", "extra"),
    )


def _items(name: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        name,
        *columns,
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("row_version", sa.Integer(), nullable=False),
        *_texts("changed_by", "changed_utc"),
    )


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _numbers(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Float(53), nullable=False) for name in names]
