"""The tables of evidence: measures, drives, and their large parts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables, empty: nothing was kept so far."""
    for name in ("measures", "drives"):
        op.create_table(
            name,
            *(sa.Column(key, sa.Text(), primary_key=True) for key in _PASSAGE),
            sa.Column("payload", sa.Text(), nullable=False),
            sa.Column("ordinal", sa.BigInteger(), nullable=False),
            sa.Column("row_version", sa.Integer(), nullable=False),
            sa.Column("changed_by", sa.Text(), nullable=False),
            sa.Column("changed_utc", sa.Text(), nullable=False),
        )
    op.create_table(
        "attachments",
        sa.Column("digest", sa.Text(), primary_key=True),
        sa.Column("bytes", sa.LargeBinary(), nullable=False),
        sa.Column("added_utc", sa.Text(), nullable=False),
    )


_PASSAGE = ("from_id", "to_id", "agent_key")
