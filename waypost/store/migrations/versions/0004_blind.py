"""Whether what analysts say was said blind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column, empty: of what was said before, nobody knows."""
    for table in ("cause_marks", "edge_verdicts"):
        op.add_column(table, sa.Column("is_blind", sa.Boolean()))
